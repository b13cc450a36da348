// A map to one or several values that costs no set while there is only one, which is nearly always.

export class Multimap<V extends object> {
  readonly #map = new Map<string, V | Set<V>>()

  add(key: string, value: V): void {
    const present = this.#map.get(key)
    if (present === undefined) this.#map.set(key, value)
    else if (present instanceof Set) present.add(value)
    else if (present !== value) this.#map.set(key, new Set([present, value]))
  }

  delete(key: string, value: V): void {
    const present = this.#map.get(key)
    if (present === value) this.#map.delete(key)
    else if (present instanceof Set) {
      present.delete(value)
      const [only] = present
      if (only !== undefined && present.size === 1) this.#map.set(key, only)
    }
  }

  /** In no promised order: a value that is taken out and comes back comes last. */
  get(key: string): readonly V[] {
    const present = this.#map.get(key)
    if (present === undefined) return []
    return present instanceof Set ? [...present] : [present]
  }

  first(key: string): V | undefined {
    const present = this.#map.get(key)
    if (!(present instanceof Set)) return present
    const [first] = present
    return first
  }
}
