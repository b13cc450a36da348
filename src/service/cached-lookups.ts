// Lookups by key with a cache. Concurrent lookups of a key share one query, so that requests that wait for a cell do
// not multiply the queries.

const MAX_CACHED = 50_000

interface PendingLookup {
  readonly value: Promise<string | undefined>
  /** True: the value may be from before the key was forgotten. */
  isOutdated: boolean
  /** The lookup that follows an outdated one. */
  next: Promise<string | undefined> | null
}

export class CachedLookups {
  readonly #query: (key: string) => Promise<string | undefined>
  readonly #values = new Map<string, string>()
  readonly #pending = new Map<string, PendingLookup>()

  constructor(query: (key: string) => Promise<string | undefined>) {
    this.#query = query
  }

  /** A value that is current as of the last time that the key was forgotten. Rejects as the query does. */
  get(key: string): Promise<string | undefined> {
    const known = this.#values.get(key)
    if (known !== undefined) return Promise.resolve(known)
    const pending = this.#pending.get(key)
    if (pending === undefined) return this.#lookUp(key)
    if (!pending.isOutdated) return pending.value
    pending.next ??= pending.value.then(
      () => this.get(key),
      () => this.get(key),
    )
    return pending.next
  }

  forget(key: string): void {
    this.#values.delete(key)
    const pending = this.#pending.get(key)
    if (pending !== undefined) pending.isOutdated = true
  }

  /** Forgets the keys of the values that match. Pending lookups may yield such a value. */
  forgetThose(matches: (value: string) => boolean): void {
    for (const [key, value] of this.#values) if (matches(value)) this.#values.delete(key)
    for (const pending of this.#pending.values()) pending.isOutdated = true
  }

  #lookUp(key: string): Promise<string | undefined> {
    const lookup: PendingLookup = { value: this.#valueOf(key, this.#query(key)), isOutdated: false, next: null }
    this.#pending.set(key, lookup)
    return lookup.value
  }

  async #valueOf(key: string, query: Promise<string | undefined>): Promise<string | undefined> {
    try {
      const value = await query
      // A missing value may be created later.
      if (value !== undefined && this.#pending.get(key)?.isOutdated === false) this.#keep(key, value)
      return value
    } finally {
      this.#pending.delete(key)
    }
  }

  #keep(key: string, value: string): void {
    if (this.#values.size >= MAX_CACHED) this.#values.clear()
    this.#values.set(key, value)
  }
}
