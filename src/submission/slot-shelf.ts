// Entries parked by slot until that slot is final. Few slots wait at a time (about 32 on a cluster), with many entries
// each.

export class SlotShelf<T> {
  readonly #slots = new Map<number, Set<T>>()

  put(thing: T, slot: number): void {
    const shelf = this.#slots.get(slot)
    if (shelf === undefined) this.#slots.set(slot, new Set([thing]))
    else shelf.add(thing)
  }

  /** Removes and returns everything of slots up to and including this one. */
  take(finalizedSlot: number): T[] {
    const taken: T[] = []
    for (const [slot, shelf] of this.#slots) {
      if (slot > finalizedSlot) continue
      taken.push(...shelf)
      this.#slots.delete(slot)
    }
    return taken
  }

  drop(thing: T): void {
    for (const [slot, shelf] of this.#slots) {
      if (shelf.delete(thing) && shelf.size === 0) this.#slots.delete(slot)
    }
  }
}
