// Token buckets by name (headers after draft-ietf-httpapi-ratelimit-headers). Names are few and known: a bucket each is kept.
import type { RateLimit as RateLimitSettings } from '../config/parse.ts'

interface Bucket {
  /** Below zero after work that counted for several requests: paid back before the next. */
  tokens: number
  /** When `tokens` was right, milliseconds of a monotonic clock. */
  atMs: number
}

export class RateLimit {
  /** Value of `RateLimit-Policy`: the burst, and the seconds in which it comes back. */
  readonly policy: string
  /** When the next request may come, at the latest. */
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

  /** Whether one more request may come. */
  allows(name: string): boolean {
    return this.#bucket(name).tokens >= 1
  }

  take(name: string, requests: number): void {
    this.#bucket(name).tokens -= requests
  }

  /** Value of `RateLimit`. */
  stateOf(name: string): string {
    const { tokens } = this.#bucket(name)
    const refillSeconds = Math.ceil((this.#burst - tokens) / this.#perMs / 1000)
    return `"default";r=${Math.max(0, Math.floor(tokens))};t=${refillSeconds}`
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
