// Rate of the pages that need no key and cost time: per client address, and for the whole server.
import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import type { RateLimitSetting } from '../config/parse.ts'
import { Refusal } from '../contract/refusal.ts'
import { clientAddress } from './peer.ts'
import { RateLimit } from './rate-limit.ts'

/** Maximum number of clients whose rate is tracked; above it, all rates are reset. */
const MAX_CLIENTS = 10_000

export interface ClientRates {
  readonly ofClient: RateLimitSetting
  readonly ofServer: RateLimitSetting
}

export class ClientLimit {
  readonly #ofClient: RateLimitSetting
  readonly #server: RateLimit
  readonly #trusted: BlockList
  readonly #known = new Set<string>()
  #clients: RateLimit

  constructor({ ofClient, ofServer }: ClientRates, trusted: BlockList) {
    this.#ofClient = ofClient
    this.#server = new RateLimit(ofServer)
    this.#clients = new RateLimit(ofClient)
    this.#trusted = trusted
  }

  /** Counts a request. @throws Refusal 429 `RATE_LIMITED` */
  admit(request: IncomingMessage): void {
    const client = clientAddress(request, this.#trusted)
    if (!this.#known.has(client) && this.#known.size >= MAX_CLIENTS) {
      this.#known.clear()
      this.#clients = new RateLimit(this.#ofClient)
    }
    this.#known.add(client)
    if (!this.#clients.allows(client) || !this.#server.allows('')) {
      throw new Refusal(
        429,
        [{ code: 'RATE_LIMITED', message: 'too many requests from this address', retryable: true }],
        1,
      )
    }
    this.#clients.take(client, 1)
    this.#server.take('', 1)
  }
}
