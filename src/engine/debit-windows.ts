// How much of what counts against debit limits stands in a rolling window: sums kept beside the records they come from, and nowhere else.
// Guarantees: a debit counts from the unit of work that gives our first signature, for as long as it may still land, and from its landing on
// for as long as a window reaches back; it leaves at once when it provably did not happen. A restart finds the same sums.
//
// What has landed is summed up by whole seconds, so a window holds one number for each second at most; a debit leaves it up to a second late.
import { longestWindowMs, type Debit, type DebitOperation, type DestinationClass } from '../../machines/debit-limits.ts'
import type { Holding } from '../../machines/holding.ts'
import { mayLand, type TransactionContext, type TransactionState } from '../../machines/transaction-record.ts'
import { ofKind, type RecordState } from './record.ts'
import { SecondSums } from './second-sums.ts'

type Counted = (operation: DebitOperation, destination: DestinationClass | null) => boolean

interface Cell {
  readonly operation: DebitOperation
  readonly destination: DestinationClass | null
  /** What may land, raw units. */
  open: bigint
  readonly landed: SecondSums
}

/** `at`: Unix milliseconds of the landing; null: it may still land. */
interface Standing {
  readonly debits: readonly Debit[]
  readonly at: number | null
}

const DAY_MS = 86_400_000

export class DebitWindows {
  readonly #everything: () => Iterable<RecordState>
  readonly #cells = new Map<string, Cell[]>()
  /** No window that was asked for reaches back further. */
  #longestMs = DAY_MS
  /** How far back the limits of a record count, where they do. */
  readonly #reach = new Map<string, number>()
  /** The latest landing heard of, Unix milliseconds. */
  #latestMs = 0

  /** `everything`: all records, for the first window that is longer than any before it. */
  constructor(everything: () => Iterable<RecordState>) {
    this.#everything = everything
  }

  moved(previous: RecordState | undefined, next: RecordState | undefined): void {
    const { kind } = (next ?? previous)!
    if (kind === 'account' || kind === 'position') this.#limited(previous, next)
    else if (kind === 'transaction' || kind === 'countersignature') this.#told(previous, next)
  }

  #told(previous: RecordState | undefined, next: RecordState | undefined): void {
    const before = previous === undefined ? null : standing(previous)
    const after = next === undefined ? null : standing(next)
    if (before?.debits === after?.debits && before?.at === after?.at) return
    if (before !== null) this.#count(before, -1n)
    if (after !== null) this.#count(after, 1n)
  }

  /** True while it counts, or will be asked for after a restart: it may not leave memory, for that is all that is found then. */
  needs(state: RecordState): boolean {
    const stands = standing(state)
    if (stands === null) return false
    const { debits, at } = stands
    return debits.some(({ record }) => (this.#reach.get(record) ?? 0) > (at === null ? -1 : this.#latestMs - at))
  }

  #limited(previous: RecordState | undefined, next: RecordState | undefined): void {
    const before = previous?.context as Holding | undefined
    const after = next?.context as Holding | undefined
    const isSame =
      before?.networkCurrencyDebitLimits === after?.networkCurrencyDebitLimits && before?.tokenDebitLimits === after?.tokenDebitLimits
    if (isSame) return
    const id = (next ?? previous)!.id
    const reach = longestWindowMs([...(after?.networkCurrencyDebitLimits ?? []), ...(after?.tokenDebitLimits ?? [])])
    if (reach > 0) this.#reach.set(id, reach)
    else this.#reach.delete(id)
  }

  /** Raw units of a record's debits in one mint (null: network currency) that still count, of those that have not landed or did so since. */
  sum(record: string, mint: string | null, counted: Counted, now: number, windowMs: number): bigint {
    if (windowMs > this.#longestMs) this.#reachBack(windowMs)
    let sum = 0n
    for (const { operation, destination, open, landed } of this.#cells.get(keyOf(record, mint)) ?? []) {
      if (counted(operation, destination)) sum += open + landed.after(secondOf(now - windowMs) - 1)
    }
    return sum
  }

  /** How many numbers are kept, at most one for each second of each cell. */
  get size(): number {
    let size = 0
    for (const cells of this.#cells.values()) for (const { landed } of cells) size += 1 + landed.size
    return size
  }

  #reachBack(windowMs: number): void {
    this.#longestMs = windowMs
    this.#cells.clear()
    for (const state of this.#everything()) this.#told(undefined, state)
  }

  #count({ debits, at }: Standing, sign: 1n | -1n): void {
    this.#latestMs = Math.max(this.#latestMs, at ?? 0)
    for (const { record, mint, operation, destination, amount } of debits) {
      const cell = this.#cell(keyOf(record, mint), operation, destination)
      const raw = sign * BigInt(amount)
      if (at === null) cell.open += raw
      else cell.landed.add(secondOf(at), raw, secondOf(this.#longestMs) + 2)
    }
  }

  #cell(key: string, operation: DebitOperation, destination: DestinationClass | null): Cell {
    const cells = this.#cells.get(key)
    const found = cells?.find((cell) => cell.operation === operation && cell.destination === destination)
    if (found !== undefined) return found
    const cell = { operation, destination, open: 0n, landed: new SecondSums() }
    if (cells === undefined) this.#cells.set(key, [cell])
    else cells.push(cell)
    return cell
  }
}

/** Rounded up: it never leaves a window early. */
function secondOf(ms: number): number {
  return Math.ceil(ms / 1000)
}

function keyOf(record: string, mint: string | null): string {
  return mint === null ? record : `${record} ${mint}`
}

/** null: it takes nothing that counts, or not yet, or it provably never took it. */
function standing(state: RecordState): Standing | null {
  const transaction = ofKind(state, 'transaction')
  if (transaction !== undefined) {
    const { value, context } = transaction
    const { debits } = context.fixed
    if (debits === undefined) return null
    if (value === 'finalized') return { debits, at: landedAt(context) }
    return mayLand(value as TransactionState, context) ? { debits, at: null } : null
  }
  const countersignature = ofKind(state, 'countersignature')
  if (countersignature === undefined) return null
  const { value, context } = countersignature
  if (context.debits.length === 0 || value === 'released') return null
  return { debits: context.debits, at: value === 'settled' ? Date.parse(context.endedAt ?? context.givenAt) : null }
}

/** When it was confirmed on the fork that lives; when it ended, where that was not seen. */
function landedAt({ history, finalAt, fixed }: TransactionContext): number {
  const confirmed = history.findLast(({ status }) => status === 'CONFIRMED')
  return Date.parse(confirmed?.at ?? finalAt ?? fixed.preparedAt)
}
