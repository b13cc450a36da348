// Bounds the concurrent requests to outside hosts, in total and for each tenant, so that slow hosts of one tenant do
// not delay other tenants. Permits for one purpose can be a share of those of the whole server.

interface Waiting {
  readonly tenant: string
  readonly count: number
}

export class Permits {
  readonly #most: number
  readonly #mostOfTenant: number
  readonly #of: Permits | null
  readonly #held = new Map<string, number>()
  /** Callbacks of callers that wait for permits, in order of arrival. */
  readonly #waiting = new Map<() => void, Waiting>()
  #total = 0

  /** @param of a parent from which each permit is taken too */
  constructor(most: number, mostOfTenant: number, of: Permits | null = null) {
    this.#most = most
    this.#mostOfTenant = mostOfTenant
    this.#of = of
  }

  /** The most permits that one call can take. */
  get widest(): number {
    return Math.min(this.#most, this.#mostOfTenant)
  }

  /**
   * Takes all of `count` and returns true, or takes none and returns false. Then `freed` is called once when the
   * permits may be available.
   */
  take(tenant: string, freed: () => void, count = 1): boolean {
    if (!this.#fits({ tenant, count })) {
      this.#waiting.set(freed, { tenant, count })
      return false
    }
    if (this.#of?.take(tenant, freed, count) === false) return false
    this.#total += count
    this.#held.set(tenant, (this.#held.get(tenant) ?? 0) + count)
    return true
  }

  give(tenant: string, count = 1): void {
    this.#of?.give(tenant, count)
    this.#total -= count
    const held = (this.#held.get(tenant) ?? 0) - count
    if (held > 0) this.#held.set(tenant, held)
    else this.#held.delete(tenant)
    for (const [freed, waiting] of [...this.#waiting]) {
      // The last caller woken may not have taken its permits, so the next one is tried.
      if (this.#total >= this.#most) return
      if (!this.#fits(waiting) || !this.#waiting.delete(freed)) continue
      freed()
    }
  }

  /** Removes a waiting caller. */
  forget(freed: () => void): void {
    this.#waiting.delete(freed)
    this.#of?.forget(freed)
  }

  #fits({ tenant, count }: Waiting): boolean {
    return this.#total + count <= this.#most && (this.#held.get(tenant) ?? 0) + count <= this.#mostOfTenant
  }
}
