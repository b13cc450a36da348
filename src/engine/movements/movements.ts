// The movements of every balance, in the order in which they were applied to the records. A commit that changes a
// balance writes one row for it, so a balance as of an instant is one read and the movements of an interval are one
// range of rows. The rows are never deleted. The time of a movement is when it was applied to the record, at
// `confirmed`.
import type { Store, StoreOp } from '../../../snapshots/store.ts'
import type { BalanceChange } from '../records/balance-change.ts'
import type { Entry } from '../records/entry.ts'
import { isHoldingKind, ofKind, type RecordState } from '../records/record.ts'
import { ownFact } from '../records/own-fact.ts'
import { Finality, type FinalityMark } from './finality.ts'
import { placeOf, rowOf, STAMPS_PER_MS } from './row.ts'

/** Store name of the facts of all movements. */
const FACT = 'movements'

/** The stored facts of all movements of a cell. */
export interface KeptMovements {
  /** Stamp from which all movements were written; 0: always. */
  readonly since: number
  /** The newest stamp. */
  readonly last: number
  readonly clusters: Readonly<Record<string, FinalityMark>>
}

/** @param cell undefined: the first cell */
export const movementsFact = (cell: string | undefined): string => ownFact(FACT, cell)

type Append = (tenant: string, op: StoreOp) => void

export class MovementLog {
  #clock: { now(): number }
  readonly #fact: string
  readonly #stored: KeptMovements | undefined
  readonly #clusters = new Map<string, Finality>()
  /** The newest movement of records that moved since the start. */
  readonly #lastOf = new WeakMap<Entry, number>()
  readonly #startedAt: number
  #since: number
  #last: number

  constructor(store: Pick<Store, 'meta'>, clock: { now(): number }, cell?: string) {
    this.#clock = clock
    this.#fact = movementsFact(cell)
    this.#stored = store.meta(this.#fact) as KeptMovements | undefined
    this.#since = this.#stored?.since ?? 0
    this.#last = this.#stored?.last ?? 0
    this.#startedAt = this.#next()
    for (const [cluster, mark] of Object.entries(this.#stored?.clusters ?? {}))
      this.#clusters.set(cluster, new Finality(mark))
  }

  /**
   * Sets the clock that dates movements from now on: the service clock, because queries use its times. It can only be
   * started after the records are loaded. The machine's clock may be changed while the service runs.
   */
  datedBy(clock: { now(): number }): void {
    this.#clock = clock
    if (this.#stored === undefined && this.#since > 0) this.#since = this.#next()
  }

  /** Must be called with the loaded records. If an earlier release wrote no movements, they are known from now on. */
  begin(entries: Iterable<Entry>): void {
    if (this.#stored !== undefined) return
    for (const { outline } of entries) {
      if (!isHoldingKind(outline.kind)) continue
      this.#since = this.#next()
      return
    }
  }

  /** Stamp from which all movements are known; 0: always. */
  get since(): number {
    return this.#since
  }

  /** Stamp of the newest movement of a record; undefined: the record has not moved since the start of the process. */
  lastOf(entry: Entry): number | undefined {
    return this.#lastOf.get(entry)
  }

  /** Stamp of the start of this process. */
  get startedAt(): number {
    return this.#startedAt
  }

  /** Must be called with each new head. Tracks the transactions that balances include and that are not final. */
  moved(previous: RecordState | undefined, next: RecordState | undefined): void {
    const state = next ?? previous
    if (state === undefined || (state.kind !== 'transaction' && state.kind !== 'countersignature')) return
    const isOpen = isRevocable(next)
    if (isOpen === isRevocable(previous)) return
    const finality = this.#finality(state.cluster)
    const isLoaded = previous === undefined && this.#stored !== undefined
    if (isOpen) finality.opened(state.id, isLoaded ? this.#openAtStart(state) : this.#next())
    else finality.closed(state.id)
    const ended = next?.value === 'finalized' ? ofKind(next, 'transaction') : undefined
    if (ended !== undefined) this.finalized(state.cluster, ended.context.slot)
  }

  /** For a transaction loaded as not final: its movements are not before the mark of the last write. */
  #openAtStart({ cluster }: RecordState): number {
    return this.#stored?.clusters[cluster]?.until ?? this.#startedAt
  }

  /** Must be called when the cluster has finalized this slot. */
  finalized(cluster: string, slot: number | null): void {
    if (slot !== null) this.#finality(cluster).finalized(slot)
  }

  /** Movements with a lower stamp can no longer be changed by a dropped fork. */
  finalUntil(cluster: string): number {
    return this.#finality(cluster).mark(this.#next()).until
  }

  /** Appends the rows of one commit. Must be called only when the write can no longer be refused. */
  write(changes: readonly BalanceChange[], append: Append): void {
    if (changes.length === 0) return
    for (const change of changes) {
      const { entry, asset, cause } = change
      const { tenant, cluster } = entry.head
      const stamp = this.#next()
      this.#last = stamp
      this.#lastOf.set(entry, stamp)
      const balance = placeOf(entry.head, asset)
      const row = rowOf(change)
      append(tenant, { type: 'movement', ...balance, stamp, row })
      if (cause.kind === 'undone') append(tenant, { type: 'reversal', ...balance, stamp, row })
      this.#finality(cluster).wrote(stamp, cause.slot)
    }
    append(changes[0]!.entry.head.tenant, { type: 'meta', name: this.#fact, value: this.#toKeep() })
  }

  #toKeep(): KeptMovements {
    const next = this.#next()
    const clusters: Record<string, FinalityMark> = {}
    for (const [cluster, finality] of this.#clusters) clusters[cluster] = finality.mark(next)
    return { since: this.#since, last: this.#last, clusters }
  }

  /** The next stamp. Stamps ascend even if the clock is set back. */
  #next(): number {
    return Math.max(Math.trunc(this.#clock.now()) * STAMPS_PER_MS, this.#last + 1)
  }

  #finality(cluster: string): Finality {
    let finality = this.#clusters.get(cluster)
    if (finality === undefined) {
      finality = new Finality()
      this.#clusters.set(cluster, finality)
    }
    return finality
  }
}

/** True if balances include the transaction and a dropped fork can still reverse it. */
function isRevocable(state: RecordState | undefined): boolean {
  if (state?.kind === 'countersignature') return state.value === 'landed'
  return (
    state?.kind === 'transaction' &&
    state.value === 'confirmed' &&
    (state as RecordState<'transaction'>).context.error === null
  )
}
