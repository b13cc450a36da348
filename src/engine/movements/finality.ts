// Tracks the time before which movements of one cluster are final, i.e. cannot be reversed by a dropped fork. Balances
// change at `confirmed`. A movement is final when its transaction is, or, for one caused by a chain read, when the slot
// of that read is.

/** Maximum number of entries of `recent`; above it, pairs are merged. */
const MAX_RECENT = 1_024

export interface FinalityMark {
  /** Every movement with a lower stamp was final. */
  readonly until: number
  /** The latest slot of any movement so far. */
  readonly slot: number
}

export class Finality {
  #finalSlot = -1
  #latestSlot: number
  /** Movements from these stamps on, up to the next entry, need this slot to be final. Both ascend. */
  #recent: { readonly stamp: number; readonly slot: number }[] = []
  /** Transactions that are included in balances and not final, with a stamp at or before their movements, ascending. */
  readonly #open = new Map<string, number>()

  /** @param stored the mark of the last write before the start; absent: nothing was written */
  constructor(stored?: FinalityMark) {
    this.#latestSlot = stored?.slot ?? -1
    if (stored !== undefined && stored.slot >= 0) this.#recent.push({ stamp: stored.until, slot: stored.slot })
  }

  /** Must be called for each written movement. `slot` null: unknown, so the latest known slot is assumed. */
  wrote(stamp: number, slot: number | null): void {
    this.#latestSlot = Math.max(this.#latestSlot, slot ?? -1)
    const needed = slot ?? this.#latestSlot
    if (needed <= this.#finalSlot || needed <= (this.#recent.at(-1)?.slot ?? -1)) return
    this.#recent.push({ stamp, slot: needed })
    if (this.#recent.length > MAX_RECENT) this.#merge()
  }

  /** Merges pairs of neighbours: the stamp of the first with the slot of the second. */
  #merge(): void {
    const { length } = this.#recent
    this.#recent = this.#recent.flatMap(({ stamp, slot }, at) => {
      if (at % 2 === 1) return []
      return [{ stamp, slot: at + 1 < length ? this.#recent[at + 1]!.slot : slot }]
    })
  }

  /** Must be called when balances include a transaction that is not final. Its movements are at or after `stamp`. */
  opened(id: string, stamp: number): void {
    this.#open.set(id, stamp)
  }

  /** Must be called when the transaction is final or no longer included in balances. */
  closed(id: string): void {
    this.#open.delete(id)
  }

  /** Must be called when the cluster has finalized this slot. */
  finalized(slot: number): void {
    this.#finalSlot = Math.max(this.#finalSlot, slot)
    const left = this.#recent.findIndex((each) => each.slot > this.#finalSlot)
    if (left !== 0) this.#recent = left < 0 ? [] : this.#recent.slice(left)
  }

  /** @param next the stamp that a movement written now would get */
  mark(next: number): FinalityMark {
    const [oldest = next] = this.#open.values()
    return { until: Math.min(next, oldest, this.#recent[0]?.stamp ?? next), slot: this.#latestSlot }
  }
}
