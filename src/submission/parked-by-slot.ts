// Entries parked by slot until that slot is final. Few slots wait at a time (about 32 on a cluster), with many entries
// each.

export class ParkedBySlot<T> {
  readonly #slots = new Map<number, Set<T>>()

  put(thing: T, slot: number): void {
    const parked = this.#slots.get(slot)
    if (parked === undefined) this.#slots.set(slot, new Set([thing]))
    else parked.add(thing)
  }

  /** Removes and returns everything of slots up to and including this one. */
  take(finalizedSlot: number): T[] {
    const taken: T[] = []
    for (const [slot, parked] of this.#slots) {
      if (slot > finalizedSlot) continue
      taken.push(...parked)
      this.#slots.delete(slot)
    }
    return taken
  }

  drop(thing: T): void {
    for (const [slot, parked] of this.#slots) {
      if (parked.delete(thing) && parked.size === 0) this.#slots.delete(slot)
    }
  }
}
