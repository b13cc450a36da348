// Sums of debits in rolling windows, for debit limits. The sums are derived from records and stored nowhere else.
// Guarantees: a debit counts from the unit of work that contains this service's first signature, or, if its account is
// of another organization than the maker's, the signature of that account; then while the transaction may still land,
// and after landing for the length of the window. It stops counting at once when the transaction provably did not
// happen. This holds for any window length at any time: debits of evicted records are read from the store first. A
// restart yields the same sums.
// Windows are keyed by the address of the account, so that a new record of the address continues them. Debits written
// by earlier releases name only a record and are found by its id.
// Landed debits are summed per whole second, so a window holds at most one number per second, and a debit leaves a
// window up to one second late.
import { feesOf, type Debit } from '../../../machines/debit-limits.ts'
import {
  mayLand,
  type TransactionContext,
  type TransactionState,
} from '../../../machines/transactions/transaction-record.ts'
import { confirmedAt } from '../../../machines/transactions/transaction-rules.ts'
import type { ListedRow, StoreOp } from '../../../snapshots/store.ts'
import { ofKind, type HoldingState, type RecordState } from '../records/record.ts'
import { SecondSums } from './second-sums.ts'

type Sort = Pick<Debit, 'operation' | 'destination' | 'beneficiary'>
type Counted = (debit: Sort) => boolean

interface Cell extends Sort {
  readonly mint: string | null
  /** Debits that may still land, raw units. */
  open: bigint
  /** Landed debits of records in memory. */
  readonly landed: SecondSums
  /** Landed debits of evicted records, as far back as they were read. */
  old: SecondSums
}

interface Account {
  readonly cells: Cell[]
  /** Length of the longest window that `old` covers. */
  oldMs: number
}

/** The debits of one record. `at`: Unix milliseconds of the landing; null: may still land. */
interface RecordDebits {
  readonly debits: readonly Debit[]
  readonly at: number | null
  readonly cluster: string
}

interface Landed {
  readonly id: string
  readonly at: number
  readonly debits: readonly Debit[]
}

/** Reads the rows of a list in the store, from `fromMs` on. */
export type OldDebits = (
  list: string,
  fromMs: number,
) => AsyncIterable<readonly Pick<ListedRow, 'id' | 'atMs' | 'read'>[]>

const DAY_MS = 86_400_000

/** The window includes debits of evicted records that were not read yet: call `recall`, then repeat the query. */
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
  /** Absent: records are never evicted. */
  readonly #old: OldDebits | undefined
  readonly #accounts = new Map<string, Account>()
  /** Landed transactions and countersignatures in memory. */
  readonly #inMemory = new Set<string>()
  /** Time of the latest query, Unix milliseconds. A debit with a later time does not drop older sums. */
  #nowMs = 0
  readonly #recalling = new Map<string, { readonly left: Landed[]; readonly done: Promise<void> }>()

  constructor(old?: OldDebits) {
    this.#old = old
  }

  moved(previous: RecordState | undefined, next: RecordState | undefined): void {
    const { kind, id } = (next ?? previous)!
    if (kind !== 'transaction' && kind !== 'countersignature') return
    const before = previous === undefined ? null : debitsOfRecord(previous)
    const after = next === undefined ? null : debitsOfRecord(next)
    if (before !== null && after !== null && isSame(before.debits, after.debits) && before.at === after.at) return
    if (before !== null) this.#count(id, before, -1n)
    if (after !== null) this.#count(id, after, 1n)
  }

  /** Must be called when the rows of a record in the cold store are durable and the record has left memory. */
  left(state: RecordState): void {
    const counted = debitsOfRecord(state)
    if (counted === null || counted.at === null) return
    const { at } = counted
    this.#count(state.id, counted, -1n)
    for (const [key, debits] of byKey(counted)) {
      const landed = { id: state.id, at, debits }
      this.#recalling.get(key)?.left.push(landed)
      const account = this.#accounts.get(key)
      if (account !== undefined && account.oldMs > 0) addOld(account, landed, this.#nowMs)
    }
  }

  /**
   * Sum of the debits in one mint (null: network currency) that have not landed, or landed within the window. Raw
   * units. Throws `DebitsNotRecalled` if the window must be read from the store first.
   * @param keys keys of one account, see `windowKeys`
   */
  sum(
    keys: readonly string[],
    mint: string | null,
    counted: Counted,
    { now, windowMs }: { readonly now: number; readonly windowMs: number },
  ): bigint {
    this.#nowMs = now
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

  /** Reads the debits that a window of this length may contain from the store. */
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
    const landedById = new Map<string, Landed>()
    // One second more, because debits are summed per second.
    for await (const rows of this.#old?.(listOf(key), Math.max(0, now - windowMs - 1000)) ?? []) {
      for (const row of rows)
        landedById.set(row.id, { id: row.id, at: row.atMs, debits: row.read() as readonly Debit[] })
    }
    for (const each of left) landedById.set(each.id, each)
    const account = this.#account(key)
    account.oldMs = windowMs
    for (const cell of account.cells) cell.old = new SecondSums()
    // The store may already list records that are still in memory during their eviction.
    const old = [...landedById.values()].filter(({ id }) => !this.#inMemory.has(id))
    for (const each of old.sort((one, other) => one.at - other.at)) addOld(account, each, now)
  }

  /** Number of stored sums: at most one per second of each cell. */
  get size(): number {
    let size = 0
    for (const { cells } of this.#accounts.values())
      for (const { landed, old } of cells) size += 1 + landed.size + old.size
    return size
  }

  #count(id: string, { debits, at, cluster }: RecordDebits, sign: 1n | -1n): void {
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

/** Rows written when a record leaves memory, one per debited account; windows read them back. */
export function oldDebitRows(state: RecordState): StoreOp[] {
  const counted = debitsOfRecord(state)
  if (counted === null || counted.at === null) return []
  const { at } = counted
  const { tenant, id } = state
  return [...byKey(counted)].map(([key, row]) => ({ type: 'listed', tenant, list: listOf(key), atMs: at, id, row }))
}

/** Window keys of an account: its address, and its record id for debits of earlier releases. */
export function windowKeys({ tenant, cluster, id, context }: HoldingState): readonly string[] {
  return [addressWindow(tenant, cluster, context.address), id]
}

const addressWindow = (tenant: string, cluster: string, address: string): string => `${tenant}/${cluster}/${address}`

function keyOf(cluster: string, { tenant, record, address }: Debit): string {
  return address === undefined ? record : addressWindow(tenant, cluster, address)
}

function byKey({ debits, cluster }: RecordDebits): Map<string, Debit[]> {
  const debitsByKey = new Map<string, Debit[]>()
  for (const debit of debits) {
    const key = keyOf(cluster, debit)
    const list = debitsByKey.get(key)
    if (list === undefined) debitsByKey.set(key, [debit])
    else list.push(debit)
  }
  return debitsByKey
}

function isSame(some: readonly Debit[], others: readonly Debit[]): boolean {
  return some === others || (some.length === others.length && some.every((debit, index) => debit === others[index]))
}

const listOf = (key: string): string => `debits:${key}`

function addOld(account: Account, { at, debits }: Landed, nowMs: number): void {
  // If the clock was set back, `at` may be ahead of the time of queries. Sums that the window still includes by that
  // time must be kept.
  const keptSeconds = secondOf(account.oldMs) + 2 + Math.max(0, secondOf(at) - secondOf(nowMs))
  for (const debit of debits) cellOf(account, debit).old.add(secondOf(at), BigInt(debit.amount), keptSeconds)
}

function cellOf({ cells }: Account, { mint, operation, destination, beneficiary }: Debit): Cell {
  const known = cells.find(
    (cell) =>
      cell.mint === mint &&
      cell.operation === operation &&
      cell.destination === destination &&
      cell.beneficiary === beneficiary,
  )
  if (known !== undefined) return known
  const ofFee = beneficiary === undefined ? {} : { beneficiary }
  const cell = { mint, operation, destination, ...ofFee, open: 0n, landed: new SecondSums(), old: new SecondSums() }
  cells.push(cell)
  return cell
}

/** Rounded up, so that a debit never leaves a window early. */
function secondOf(ms: number): number {
  return Math.ceil(ms / 1000)
}

/**
 * null: no debits that count, not yet signed, or provably not executed. A failed transaction counts with its fee only.
 */
function debitsOfRecord(state: RecordState): RecordDebits | null {
  const { cluster } = state
  const transaction = ofKind(state, 'transaction')
  if (transaction !== undefined) {
    const { value, context } = transaction
    const { debits } = context.fixed
    if (debits === undefined) return null
    if (value === 'finalized') return { debits, at: landedAt(context), cluster }
    if (value === 'blockchainError') return { debits: feesOf(debits), at: landedAt(context), cluster }
    if (!mayLand(value as TransactionState, context)) return null
    return { debits: value === 'partiallySigned' ? signedDebits(context, debits) : debits, at: null, cluster }
  }
  const countersignature = ofKind(state, 'countersignature')
  if (countersignature === undefined) return null
  const { value, context } = countersignature
  if (context.debits.length === 0 || value === 'released') return null
  return {
    debits: context.debits,
    at: value === 'settled' ? Date.parse(context.endedAt ?? context.givenAt) : null,
    cluster,
  }
}

/** Those of accounts that have signed, or whose signature the maker decides about. */
function signedDebits({ unreserved }: TransactionContext, debits: readonly Debit[]): readonly Debit[] {
  return unreserved === undefined ? debits : debits.filter(({ record }) => !unreserved.includes(record))
}

/** Time of the confirmation on the surviving fork; if none was observed, time of the end of the transaction. */
function landedAt(context: TransactionContext): number {
  return Date.parse(confirmedAt(context) ?? context.finalAt ?? context.fixed.preparedAt)
}
