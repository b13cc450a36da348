// How many requests to targets may be under way: of all webhooks together, and of one tenant's, so that its slow targets hold up nobody else.

export class Permits {
  readonly #most: number
  readonly #mostOfTenant: number
  readonly #held = new Map<string, number>()
  /** Who was told no, in that order. */
  readonly #waiting = new Map<() => void, string>()
  #total = 0

  constructor(most: number, mostOfTenant: number) {
    this.#most = most
    this.#mostOfTenant = mostOfTenant
  }

  /** False: none is free; `freed` is called once when one may be. */
  take(tenant: string, freed: () => void): boolean {
    const held = this.#held.get(tenant) ?? 0
    if (this.#total >= this.#most || held >= this.#mostOfTenant) {
      this.#waiting.set(freed, tenant)
      return false
    }
    this.#total += 1
    this.#held.set(tenant, held + 1)
    return true
  }

  give(tenant: string): void {
    this.#total -= 1
    const held = (this.#held.get(tenant) ?? 0) - 1
    if (held > 0) this.#held.set(tenant, held)
    else this.#held.delete(tenant)
    for (const [freed, of] of this.#waiting) {
      if ((this.#held.get(of) ?? 0) >= this.#mostOfTenant) continue
      this.#waiting.delete(freed)
      freed()
      // It may not have wanted it any more.
      if (this.#total >= this.#most) return
    }
  }

  /** Whoever does not wait any more. */
  forget(freed: () => void): void {
    this.#waiting.delete(freed)
  }
}
