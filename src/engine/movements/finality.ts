// Up to which instant the movements of one cluster can no longer be changed by a dropped fork. Balances change at
// `confirmed`; a movement is final when its transaction is, or when a slot as late as the reading behind it is.

/** Entries of `recent` from which pairs are merged. */
const MOST_RECENT = 1_024

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
  /** Transactions in the balances that are not final, with a stamp not after their movements. Stamps ascend. */
  readonly #open = new Map<string, number>()

  /** @param known the mark of the last write before the start; absent: nothing was written */
  constructor(known?: FinalityMark) {
    this.#latestSlot = known?.slot ?? -1
    if (known !== undefined && known.slot >= 0) this.#recent.push({ stamp: known.until, slot: known.slot })
  }

  /** A movement is written. `slot` null: as late as any slot known. */
  wrote(stamp: number, slot: number | null): void {
    this.#latestSlot = Math.max(this.#latestSlot, slot ?? -1)
    const needed = slot ?? this.#latestSlot
    if (needed <= this.#finalSlot || needed <= (this.#recent.at(-1)?.slot ?? -1)) return
    this.#recent.push({ stamp, slot: needed })
    if (this.#recent.length > MOST_RECENT) this.#merge()
  }

  /** Two neighbours as one: from the stamp of the first, up to the slot of the second. */
  #merge(): void {
    const { length } = this.#recent
    this.#recent = this.#recent.flatMap(({ stamp, slot }, at) => {
      if (at % 2 === 1) return []
      return [{ stamp, slot: at + 1 < length ? this.#recent[at + 1]!.slot : slot }]
    })
  }

  /** A transaction is in the balances from `stamp` on and is not final. */
  opened(id: string, stamp: number): void {
    this.#open.set(id, stamp)
  }

  /** It is final, or no longer in the balances. */
  closed(id: string): void {
    this.#open.delete(id)
  }

  /** The cluster has finalized this slot. */
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
