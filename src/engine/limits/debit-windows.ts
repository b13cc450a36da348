// How much of what counts against debit limits stands in a rolling window: sums kept beside the records they come from, and nowhere else.
// Guarantees: a debit counts from the unit of work that gives our first signature, for as long as it may still land, and from its landing on
// for as long as a window reaches back; it leaves at once when it provably did not happen. That holds for every window, whenever it was
// wished for: what has left memory is read back from the store first. A restart finds the same sums.
//
// Windows go by the account's address, so that a new record of the address continues them. Debits of earlier releases name only a record, and
// are found by its id.
//
// What has landed is summed up by whole seconds, so a window holds one number for each second at most; a debit leaves it up to a second late.
import { feesOf, type Debit } from '../../../machines/debit-limits.ts'
import { mayLand, type TransactionContext, type TransactionState } from '../../../machines/transaction-record.ts'
import type { Listed, StoreOp } from '../../../snapshots/store.ts'
import { ofKind, type HoldingState, type RecordState } from '../records/record.ts'
import { SecondSums } from './second-sums.ts'

type Sort = Pick<Debit, 'operation' | 'destination' | 'beneficiary'>
type Counted = (debit: Sort) => boolean

interface Cell extends Sort {
  readonly mint: string | null
  /** What may land, raw units. */
  open: bigint
  /** What has landed, of records in memory. */
  readonly landed: SecondSums
  /** What has landed, of records that left memory, as far back as it was read. */
  old: SecondSums
}

interface Account {
  readonly cells: Cell[]
  /** Length of the longest window that `old` answers for. */
  oldMs: number
}

/** `at`: Unix milliseconds of the landing; null: it may still land. */
interface Standing {
  readonly debits: readonly Debit[]
  readonly at: number | null
  readonly cluster: string
}

interface Landed {
  readonly id: string
  readonly at: number
  readonly debits: readonly Debit[]
}

/** Rows of a list of the store, within the time from then on. */
export type OldDebits = (list: string, fromMs: number) => AsyncIterable<readonly Pick<Listed, 'id' | 'atMs' | 'read'>[]>

const DAY_MS = 86_400_000

/** A window reaches back to where records have left memory: `recall` it, and ask again. */
export class DebitsNotRecalled extends Error {
  readonly key: string
  readonly windowMs: number

  constructor(key: string, windowMs: number) {
    super(`debits of ${key} are not read back from the store yet`)
    this.key = key
    this.windowMs = windowMs
  }
}

export class DebitWindows {
  /** Absent: nothing ever leaves memory. */
  readonly #old: OldDebits | undefined
  readonly #accounts = new Map<string, Account>()
  /** Transactions and countersignatures in memory that have landed. */
  readonly #inMemory = new Set<string>()
  readonly #recalling = new Map<string, { readonly left: Landed[]; readonly done: Promise<void> }>()

  constructor(old?: OldDebits) {
    this.#old = old
  }

  moved(previous: RecordState | undefined, next: RecordState | undefined): void {
    const { kind, id } = (next ?? previous)!
    if (kind !== 'transaction' && kind !== 'countersignature') return
    const before = previous === undefined ? null : standing(previous)
    const after = next === undefined ? null : standing(next)
    if (before !== null && after !== null && isSame(before.debits, after.debits) && before.at === after.at) return
    if (before !== null) this.#count(id, before, -1n)
    if (after !== null) this.#count(id, after, 1n)
  }

  /** Its rows are durable, and memory answers for it no more. */
  left(state: RecordState): void {
    const stands = standing(state)
    if (stands === null || stands.at === null) return
    const { at } = stands
    this.#count(state.id, stands, -1n)
    for (const [key, debits] of byKey(stands)) {
      const landed = { id: state.id, at, debits }
      this.#recalling.get(key)?.left.push(landed)
      const account = this.#accounts.get(key)
      if (account !== undefined && account.oldMs > 0) addOld(account, landed)
    }
  }

  /**
   * Raw units of debits in one mint (null: network currency) that still count, of those that have not landed or did so since.
   *
   * @param keys of one account, as `windowKeys` says
   */
  sum(keys: readonly string[], mint: string | null, counted: Counted, now: number, windowMs: number): bigint {
    const before = secondOf(now - windowMs) - 1
    let sum = 0n
    for (const key of keys) {
      const account = this.#accounts.get(key)
      if (this.#old !== undefined && (account?.oldMs ?? 0) < windowMs) throw new DebitsNotRecalled(key, windowMs)
      for (const cell of account?.cells ?? []) {
        if (cell.mint === mint && counted(cell)) sum += cell.open + cell.landed.after(before) + cell.old.after(before)
      }
    }
    return sum
  }

  /** Reads back what a window of that length may hold. */
  async recall({ key, windowMs }: DebitsNotRecalled, now: number): Promise<void> {
    const underWay = this.#recalling.get(key)
    if (underWay !== undefined) {
      await underWay.done
      return
    }
    const left: Landed[] = []
    const done = this.#recall(key, Math.max(windowMs, DAY_MS), now, left).finally(() => this.#recalling.delete(key))
    this.#recalling.set(key, { left, done })
    await done
  }

  async #recall(key: string, windowMs: number, now: number, left: readonly Landed[]): Promise<void> {
    const found = new Map<string, Landed>()
    // A second more, for they are summed up by seconds.
    for await (const rows of this.#old?.(listOf(key), Math.max(0, now - windowMs - 1000)) ?? []) {
      for (const row of rows) found.set(row.id, { id: row.id, at: row.atMs, debits: row.read() as readonly Debit[] })
    }
    for (const each of left) found.set(each.id, each)
    const account = this.#account(key)
    account.oldMs = windowMs
    for (const cell of account.cells) cell.old = new SecondSums()
    // Rows may be there already of what is only just leaving.
    const old = [...found.values()].filter(({ id }) => !this.#inMemory.has(id))
    for (const each of old.sort((one, other) => one.at - other.at)) addOld(account, each)
  }

  /** How many numbers are kept, at most one for each second of each cell. */
  get size(): number {
    let size = 0
    for (const { cells } of this.#accounts.values()) for (const { landed, old } of cells) size += 1 + landed.size + old.size
    return size
  }

  #count(id: string, { debits, at, cluster }: Standing, sign: 1n | -1n): void {
    if (at !== null && sign === 1n) this.#inMemory.add(id)
    else if (at !== null) this.#inMemory.delete(id)
    for (const debit of debits) {
      const cell = cellOf(this.#account(keyOf(cluster, debit)), debit)
      const raw = sign * BigInt(debit.amount)
      if (at === null) cell.open += raw
      else {
        cell.landed.add(secondOf(at), raw, Infinity)
        if (sign === -1n) cell.landed.trim()
      }
    }
  }

  #account(key: string): Account {
    let account = this.#accounts.get(key)
    if (account === undefined) {
      account = { cells: [], oldMs: 0 }
      this.#accounts.set(key, account)
    }
    return account
  }
}

/** What is written when a record leaves memory, for windows to find: one row for each account that it takes from. */
export function oldDebitRows(state: RecordState): StoreOp[] {
  const stands = standing(state)
  if (stands === null || stands.at === null) return []
  const { at } = stands
  const { tenant, id } = state
  return [...byKey(stands)].map(([key, row]) => ({ type: 'listed', tenant, list: listOf(key), atMs: at, id, row }))
}

/** Where debits of an account are counted: under its address and, of earlier releases, under its record. */
export function windowKeys({ tenant, cluster, id, context }: HoldingState): readonly string[] {
  return [addressWindow(tenant, cluster, context.address), id]
}

const addressWindow = (tenant: string, cluster: string, address: string): string => `${tenant}/${cluster}/${address}`

function keyOf(cluster: string, { tenant, record, address }: Debit): string {
  return address === undefined ? record : addressWindow(tenant, cluster, address)
}

function byKey({ debits, cluster }: Standing): Map<string, Debit[]> {
  const found = new Map<string, Debit[]>()
  for (const debit of debits) {
    const key = keyOf(cluster, debit)
    const there = found.get(key)
    if (there === undefined) found.set(key, [debit])
    else there.push(debit)
  }
  return found
}

function isSame(some: readonly Debit[], others: readonly Debit[]): boolean {
  return some === others || (some.length === others.length && some.every((debit, index) => debit === others[index]))
}

const listOf = (key: string): string => `debits:${key}`

function addOld(account: Account, { at, debits }: Landed): void {
  for (const debit of debits) cellOf(account, debit).old.add(secondOf(at), BigInt(debit.amount), secondOf(account.oldMs) + 2)
}

function cellOf({ cells }: Account, { mint, operation, destination, beneficiary }: Debit): Cell {
  const found = cells.find(
    (cell) => cell.mint === mint && cell.operation === operation && cell.destination === destination && cell.beneficiary === beneficiary,
  )
  if (found !== undefined) return found
  const ofFee = beneficiary === undefined ? {} : { beneficiary }
  const cell = { mint, operation, destination, ...ofFee, open: 0n, landed: new SecondSums(), old: new SecondSums() }
  cells.push(cell)
  return cell
}

/** Rounded up: it never leaves a window early. */
function secondOf(ms: number): number {
  return Math.ceil(ms / 1000)
}

/** null: it takes nothing that counts, or not yet, or it provably never took it. Of what has failed the fee counts. */
function standing(state: RecordState): Standing | null {
  const { cluster } = state
  const transaction = ofKind(state, 'transaction')
  if (transaction !== undefined) {
    const { value, context } = transaction
    const { debits } = context.fixed
    if (debits === undefined) return null
    if (value === 'finalized') return { debits, at: landedAt(context), cluster }
    if (value === 'blockchainError') return { debits: feesOf(debits), at: landedAt(context), cluster }
    return mayLand(value as TransactionState, context) ? { debits, at: null, cluster } : null
  }
  const countersignature = ofKind(state, 'countersignature')
  if (countersignature === undefined) return null
  const { value, context } = countersignature
  if (context.debits.length === 0 || value === 'released') return null
  return { debits: context.debits, at: value === 'settled' ? Date.parse(context.endedAt ?? context.givenAt) : null, cluster }
}

/** When it was confirmed on the fork that lives; when it ended, where that was not seen. */
function landedAt({ history, finalAt, fixed }: TransactionContext): number {
  const confirmed = history.findLast(({ status }) => status === 'CONFIRMED')
  return Date.parse(confirmed?.at ?? finalAt ?? fixed.preparedAt)
}
