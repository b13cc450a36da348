// The accounts of a cluster that this service uses, in the order of their last use; their changes on chain are
// subscribed to. Guarantees: no subscription starts beyond the limit, and `use` sends nothing. Subscriptions start and
// end in turns of a bounded size, so many accounts used once cost the cluster no more than a few accounts used all the
// time.
export class AccountsInUse {
  readonly #limit: () => number
  /** Least recently used first; the value tells whether the account is subscribed to. */
  readonly #accounts = new Map<string, boolean>()
  /** Accounts to subscribe to, longest in use first. */
  readonly #starting = new Set<string>()
  /** Accounts that are subscribed to but no longer in use. */
  readonly #ending = new Set<string>()
  #subscribed = 0

  /**
   * @param limit Maximum number of subscriptions. When it falls, the accounts used longest ago end in the next turns.
   * 0: no account is ever in use.
   */
  constructor(limit: () => number) {
    this.#limit = limit
  }

  /** True if subscriptions have to start or end. */
  get isTurnDue(): boolean {
    const limit = this.#limit()
    if (this.#ending.size > 0 || this.#accounts.size > limit) return true
    return this.#starting.size > 0 && this.#subscribed < limit
  }

  isSubscribed(address: string): boolean {
    return this.#accounts.get(address) === true
  }

  use(address: string): void {
    const limit = this.#limit()
    if (limit === 0) return
    const isSubscribed = this.#accounts.get(address) ?? this.#ending.delete(address)
    // A map keeps insertion order, so reinsertion moves the account to the end.
    this.#accounts.delete(address)
    this.#accounts.set(address, isSubscribed)
    if (!isSubscribed) this.#starting.add(address)
    if (this.#accounts.size > limit) this.#evict()
  }

  /** The next subscriptions to start and to end, at most `max` of each. The caller must start and end them. */
  turn(max: number): { readonly start: readonly string[]; readonly end: readonly string[] } {
    const limit = this.#limit()
    while (this.#accounts.size > limit) this.#evict()
    const end = take(this.#ending, max)
    this.#subscribed -= end.length
    const start = take(this.#starting, Math.min(max, limit - this.#subscribed))
    this.#subscribed += start.length
    for (const address of start) this.#accounts.set(address, true)
    return { start, end }
  }

  #evict(): void {
    const [oldest] = this.#accounts
    if (oldest === undefined) return
    const [address, isSubscribed] = oldest
    this.#accounts.delete(address)
    this.#starting.delete(address)
    if (isSubscribed) this.#ending.add(address)
  }
}

function take(from: Set<string>, max: number): string[] {
  const addresses: string[] = []
  for (const each of from) {
    if (addresses.length >= max) break
    from.delete(each)
    addresses.push(each)
  }
  return addresses
}
