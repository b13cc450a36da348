/**
 * A cache that never grows past its bound: two generations of a Map. When the young one is full it becomes the old one and the old
 * one is dropped, so what is used often stays and a hit costs one look-up, without the bookkeeping of a strict LRU.
 */
export class BoundedCache<V> {
  readonly #half: number
  #young = new Map<string, V>()
  #old = new Map<string, V>()

  /** @param capacity the most entries ever held. */
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
