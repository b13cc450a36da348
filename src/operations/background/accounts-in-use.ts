// The accounts of a cluster that this service uses, in the order of their last use: their changes on chain are subscribed to. Guarantees:
// never more subscriptions than the bound, and `use` sends nothing. Subscriptions begin and end in turns of a bounded number, so that
// many accounts of which each is used once cost the cluster no more than a few that are used all the time.
export class AccountsInUse {
  readonly #max: number
  /** Least recently used first; whether it is subscribed to. */
  readonly #accounts = new Map<string, boolean>()
  /** Not subscribed to yet. Those that have been in use for longest come first. */
  readonly #starting = new Set<string>()
  /** Subscribed to, and not in use any more. */
  readonly #ending = new Set<string>()
  #subscribed = 0

  /** @param max 0: no account is ever in use */
  constructor(max: number) {
    this.#max = max
  }

  /** Whether subscriptions are to begin or to end. */
  get isTurnDue(): boolean {
    return this.#ending.size > 0 || (this.#starting.size > 0 && this.#subscribed < this.#max)
  }

  isSubscribed(address: string): boolean {
    return this.#accounts.get(address) === true
  }

  use(address: string): void {
    if (this.#max === 0) return
    const isSubscribed = this.#accounts.get(address) ?? this.#ending.delete(address)
    // A map keeps the order of insertion: what is used goes to its end.
    this.#accounts.delete(address)
    this.#accounts.set(address, isSubscribed)
    if (!isSubscribed) this.#starting.add(address)
    if (this.#accounts.size > this.#max) this.#evict()
  }

  /** The next subscriptions that are to begin and to end, at most `most` of each. They count as done. */
  turn(most: number): { readonly start: readonly string[]; readonly end: readonly string[] } {
    const end = take(this.#ending, most)
    this.#subscribed -= end.length
    const start = take(this.#starting, Math.min(most, this.#max - this.#subscribed))
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

function take(from: Set<string>, most: number): string[] {
  const taken: string[] = []
  for (const each of from) {
    if (taken.length >= most) break
    from.delete(each)
    taken.push(each)
  }
  return taken
}
