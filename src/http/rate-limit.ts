// One token bucket per API key (headers after draft-ietf-httpapi-ratelimit-headers). Keys are few and known: a bucket each is kept.
import { Refusal } from '../operations/refusal.ts'

interface Bucket {
  tokens: number
  /** When `tokens` was right, milliseconds of a monotonic clock. */
  atMs: number
}

export interface RateLimitSettings {
  readonly perSecond: number
  readonly burst: number
}

export class RateLimit {
  /** Value of `RateLimit-Policy`: the burst, and the seconds in which it comes back. */
  readonly policy: string
  readonly #perMs: number
  readonly #burst: number
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()

  constructor({ perSecond, burst }: RateLimitSettings, now: () => number = () => performance.now()) {
    this.#perMs = perSecond / 1000
    this.#burst = burst
    this.#now = now
    this.policy = `"default";q=${burst};w=${Math.ceil(burst / perSecond)}`
  }

  /** Takes one request of the key's; true when there was none left. */
  take(keyId: string): { readonly exceeded: boolean; /** Value of `RateLimit`. */ readonly state: string } {
    const bucket = this.#bucket(keyId)
    const exceeded = bucket.tokens < 1
    if (!exceeded) bucket.tokens -= 1
    const refillSeconds = Math.ceil((this.#burst - bucket.tokens) / this.#perMs / 1000)
    return { exceeded, state: `"default";r=${Math.floor(bucket.tokens)};t=${refillSeconds}` }
  }

  #bucket(keyId: string): Bucket {
    const now = this.#now()
    let bucket = this.#buckets.get(keyId)
    if (bucket === undefined) {
      bucket = { tokens: this.#burst, atMs: now }
      this.#buckets.set(keyId, bucket)
    }
    bucket.tokens = Math.min(this.#burst, bucket.tokens + (now - bucket.atMs) * this.#perMs)
    bucket.atMs = now
    return bucket
  }

  /** The refusal of a request too many. */
  refusal(): Refusal {
    const problem = { code: 'RATE_LIMITED', message: 'this key has sent too many requests', retryable: true }
    return new Refusal(429, [problem], Math.max(1, Math.ceil(1 / this.#perMs / 1000)))
  }
}
