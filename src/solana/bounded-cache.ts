/**
 * A cache of bounded size: two generations of a Map. When the young generation is full it becomes the old one, and the
 * old one is dropped. Frequently used entries stay, and a hit costs one lookup, without the bookkeeping of a strict
 * LRU.
 */
export class BoundedCache<V> {
  readonly #half: number
  #young = new Map<string, V>()
  #old = new Map<string, V>()

  /** @param capacity maximum number of entries */
  constructor(capacity: number) {
    this.#half = Math.max(1, capacity >> 1)
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }
}
