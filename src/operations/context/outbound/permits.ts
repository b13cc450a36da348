// Bounds the concurrent requests to outside hosts, in total and for each tenant, so that slow hosts of one tenant do
// not delay other tenants. Permits for one purpose can be a share of those of the whole server.

interface Waiting {
  readonly tenant: string
  readonly count: number
}

export class Permits {
  readonly #max: number
  readonly #maxOfTenant: number
  readonly #parent: Permits | null
  readonly #held = new Map<string, number>()
  /** Callbacks of callers that wait for permits, in order of arrival. */
  readonly #waiting = new Map<() => void, Waiting>()
  #total = 0

  /** @param parent each permit is taken from it too */
  constructor(max: number, maxOfTenant: number, parent: Permits | null = null) {
    this.#max = max
    this.#maxOfTenant = maxOfTenant
    this.#parent = parent
  }

  /** Maximum number of permits that one call can take, and that a tenant can hold. */
  get widest(): number {
    return Math.min(this.#max, this.#maxOfTenant, this.#parent?.widest ?? Infinity)
  }

  /**
   * Takes all of `count` and returns true, or takes none and returns false. Then `onFree` is called once when the
   * permits may be available.
   */
  take(tenant: string, onFree: () => void, count = 1): boolean {
    if (!this.#fits({ tenant, count })) {
      this.#waiting.set(onFree, { tenant, count })
      return false
    }
    if (this.#parent?.take(tenant, onFree, count) === false) return false
    this.#total += count
    this.#held.set(tenant, (this.#held.get(tenant) ?? 0) + count)
    return true
  }

  give(tenant: string, count = 1): void {
    this.#parent?.give(tenant, count)
    this.#total -= count
    const remaining = (this.#held.get(tenant) ?? 0) - count
    if (remaining > 0) this.#held.set(tenant, remaining)
    else this.#held.delete(tenant)
    for (const [onFree, waiting] of [...this.#waiting]) {
      // The last caller woken may not have taken its permits, so the next one is tried.
      if (this.#total >= this.#max) return
      if (!this.#fits(waiting) || !this.#waiting.delete(onFree)) continue
      onFree()
    }
  }

  /** Removes a waiting caller. */
  forget(onFree: () => void): void {
    this.#waiting.delete(onFree)
    this.#parent?.forget(onFree)
  }

  #fits({ tenant, count }: Waiting): boolean {
    return this.#total + count <= this.#max && (this.#held.get(tenant) ?? 0) + count <= this.#maxOfTenant
  }
}
