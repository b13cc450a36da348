// Orders keys by an instant. An entry is not removed when its instant changes: the caller that takes it checks it
// again.

interface Item<Key> {
  readonly key: Key
  readonly atMs: number
}

export class DueIndex<Key> {
  /** Latest first, so that the next one is taken from the end. */
  readonly #items: Item<Key>[] = []

  get size(): number {
    return this.#items.length
  }

  insert(key: Key, atMs: number): void {
    let [low, high] = [0, this.#items.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#items[middle]!.atMs > atMs) low = middle + 1
      else high = middle
    }
    this.#items.splice(low, 0, { key, atMs })
  }

  /** Removes and returns the earliest key that is due; undefined: none is. */
  take(nowMs: number): Key | undefined {
    const next = this.#items.at(-1)
    if (next === undefined || next.atMs > nowMs) return undefined
    this.#items.pop()
    return next.key
  }
}
