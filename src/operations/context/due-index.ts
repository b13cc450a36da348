// Orders keys by an instant. A key has one instant: it is inserted again when its instant changes, and deleted when it
// has none any more, so that keys of the far future do not stay in memory.

interface Item<Key> {
  readonly key: Key
  readonly atMs: number
  /** Orders keys of the same instant by their insertion. */
  readonly number: number
}

export class DueIndex<Key> {
  /** Latest first, so that the next one is taken from the end. */
  readonly #items: Item<Key>[] = []
  readonly #byKey = new Map<Key, Item<Key>>()
  #inserted = 0

  get size(): number {
    return this.#items.length
  }

  /** Replaces the instant of the key. */
  insert(key: Key, atMs: number): void {
    this.delete(key)
    const item = { key, atMs, number: (this.#inserted += 1) }
    this.#items.splice(this.#placeOf(item), 0, item)
    this.#byKey.set(key, item)
  }

  delete(key: Key): void {
    const item = this.#byKey.get(key)
    if (item === undefined) return
    this.#byKey.delete(key)
    this.#items.splice(this.#placeOf(item), 1)
  }

  /** Removes and returns the earliest key that is due; undefined: none is. */
  take(nowMs: number): Key | undefined {
    const next = this.#items.at(-1)
    if (next === undefined || next.atMs > nowMs) return undefined
    this.#items.pop()
    this.#byKey.delete(next.key)
    return next.key
  }

  #placeOf({ atMs, number }: Item<Key>): number {
    let [low, high] = [0, this.#items.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = this.#items[middle]!
      if (other.atMs > atMs || (other.atMs === atMs && other.number > number)) low = middle + 1
      else high = middle
    }
    return low
  }
}
