// Token buckets by name (headers per draft-ietf-httpapi-ratelimit-headers). Names are few, so buckets are never
// removed.
import type { RateLimitSetting as RateLimitSettings } from '../config/parse.ts'

interface Bucket {
  /** Negative after work that counted as several requests; refills before the next request is allowed. */
  tokens: number
  /** Time at which `tokens` was computed, milliseconds of a monotonic clock. */
  atMs: number
}

export class RateLimit {
  /** Value of `RateLimit-Policy`: the burst, and the seconds in which it refills. */
  readonly policy: string
  /** Upper bound of the time until the next request is allowed. */
  readonly retryAfterSeconds: number
  readonly #perMs: number
  readonly #burst: number
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()

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
      bucket = { tokens: this.#burst, atMs: now }
      this.#buckets.set(name, bucket)
    }
    bucket.tokens = Math.min(this.#burst, bucket.tokens + (now - bucket.atMs) * this.#perMs)
    bucket.atMs = now
    return bucket
  }
}
