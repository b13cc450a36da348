// Token buckets by name (headers per draft-ietf-httpapi-ratelimit-headers). Names include subjects of token
// issuers, whose number is unbounded. Full buckets are therefore removed: a new bucket is full as well.
import type { RateLimitSetting as RateLimitSettings } from '../config/parse.ts'

interface Bucket {
  /** Negative after work that counted as several requests; refills before the next request is allowed. */
  tokens: number
  /** Time at which `tokens` was computed, milliseconds of a monotonic clock. */
  atMs: number
}

/** Buckets below this number are never searched for full ones. */
const FEW_BUCKETS = 1_000

export class RateLimit {
  /** Value of `RateLimit-Policy`: the burst, and the seconds in which it refills. */
  readonly policy: string
  /** Upper bound of the time until the next request is allowed. */
  readonly retryAfterSeconds: number
  readonly #perMs: number
  readonly #burst: number
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()
  /** Number of buckets at which full ones are removed: twice what remained, so that the cost of each is constant. */
  #sweepAt = FEW_BUCKETS

  constructor({ perSecond, burst }: RateLimitSettings, now: () => number = () => performance.now()) {
    this.#perMs = perSecond / 1000
    this.#burst = burst
    this.#now = now
    this.policy = `"default";q=${burst};w=${Math.ceil(burst / perSecond)}`
    this.retryAfterSeconds = Math.max(1, Math.ceil(1 / perSecond))
  }

  /** True if one more request is allowed. */
  allows(name: string): boolean {
    return this.#bucket(name).tokens >= 1
  }

  /** Follows `allows` in the same turn, which has refilled the bucket. */
  take(name: string, requests: number): void {
    this.#known(name).tokens -= requests
  }

  /** Value of the header `RateLimit`. Follows `allows`, too. */
  stateOf(name: string): string {
    const { tokens } = this.#known(name)
    const refillSeconds = Math.ceil((this.#burst - tokens) / this.#perMs / 1000)
    return `"default";r=${Math.max(0, Math.floor(tokens))};t=${refillSeconds}`
  }

  #known(name: string): Bucket {
    return this.#buckets.get(name) ?? this.#bucket(name)
  }

  #bucket(name: string): Bucket {
    const now = this.#now()
    let bucket = this.#buckets.get(name)
    if (bucket === undefined) {
      if (this.#buckets.size >= this.#sweepAt) this.#sweep(now)
      bucket = { tokens: this.#burst, atMs: now }
      this.#buckets.set(name, bucket)
    }
    bucket.tokens = Math.min(this.#burst, bucket.tokens + (now - bucket.atMs) * this.#perMs)
    bucket.atMs = now
    return bucket
  }

  #sweep(now: number): void {
    for (const [name, { tokens, atMs }] of this.#buckets)
      if (tokens + (now - atMs) * this.#perMs >= this.#burst) this.#buckets.delete(name)
    this.#sweepAt = Math.max(FEW_BUCKETS, 2 * this.#buckets.size)
  }

  /** Number of names that have a bucket. */
  get size(): number {
    return this.#buckets.size
  }
}
