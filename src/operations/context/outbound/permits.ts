// How many requests to hosts of clients may be under way: in all, and for one tenant, so that its slow hosts hold up nobody else. Permits
// of one purpose can be drawn from those of the whole server.

interface Waiting {
  readonly tenant: string
  readonly count: number
}

export class Permits {
  readonly #most: number
  readonly #mostOfTenant: number
  readonly #of: Permits | null
  readonly #held = new Map<string, number>()
  /** Callers that got none, in that order. */
  readonly #waiting = new Map<() => void, Waiting>()
  #total = 0

  /** @param of what these are drawn from besides their own bounds */
  constructor(most: number, mostOfTenant: number, of: Permits | null = null) {
    this.#most = most
    this.#mostOfTenant = mostOfTenant
    this.#of = of
  }

  /** The most that one call can take. */
  get widest(): number {
    return Math.min(this.#most, this.#mostOfTenant)
  }

  /** All of `count`, or none and false: then `freed` is called once when they may be there. */
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
      // It may not have wanted it any more.
      if (this.#total >= this.#most) return
      if (!this.#fits(waiting) || !this.#waiting.delete(freed)) continue
      freed()
    }
  }

  /** The caller does not wait any more. */
  forget(freed: () => void): void {
    this.#waiting.delete(freed)
    this.#of?.forget(freed)
  }

  #fits({ tenant, count }: Waiting): boolean {
    return this.#total + count <= this.#most && (this.#held.get(tenant) ?? 0) + count <= this.#mostOfTenant
  }
}
