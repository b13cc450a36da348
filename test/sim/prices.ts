// Hosts that quote prices: the answers follow from the seed and the number of the request, so that a seed replays, and
// no two answers are the same. Sometimes one fails, answers with invalid data or takes too long.
import {
  OutboundFailed,
  type OutboundAnswer,
  type OutboundRequest,
} from '../../src/operations/context/outbound/outbound.ts'
import { Random } from './random.ts'
import type { Tally } from './audits/tally.ts'
import type { Life, Time } from './time.ts'
import type { Sky } from './faults.ts'

export const PRICE_HOST = 'https://prices.sim'
/** Digits after the point of every price. */
export const PRICE_PLACES = 10

export interface Quote {
  readonly path: string
  /** Units of 10^-PRICE_PLACES. */
  readonly price: bigint
  readonly atMs: number
  /** Number of the service that sent the request; a node opens one whenever it claims the cell. */
  readonly service: number
}

const NONSENSE = ['', '{"price":', '{"price":null}', '{"price":"a lot"}', '<html>busy</html>', '[]']
const MIDDLE = 10_000

export class PriceHosts {
  /** All requests, answered or not; `price` 0: no price was returned. */
  readonly asked: Quote[] = []
  /** They answer no request any more. */
  silent = false
  #services = 0
  readonly #seed: string
  readonly #time: Time
  readonly #sky: Sky
  readonly #tally: Tally
  readonly #random: Random
  /** Units of 10^-4, by path. */
  readonly #walks = new Map<string, number>()

  constructor(seed: string, time: Time, sky: Sky, tally: Tally) {
    this.#seed = seed
    this.#time = time
    this.#sky = sky
    this.#tally = tally
    this.#random = new Random(seed, 'prices')
  }

  /** The transport through which a service in the process of a life reaches the hosts. */
  open(life: Life): {
    fetch(uri: string, options: OutboundRequest): Promise<OutboundAnswer>
    check(uri: string): Promise<void>
  } {
    const asker = { life, service: (this.#services += 1) }
    return { fetch: (uri, options) => this.#ask(uri, options, asker), check: () => Promise.resolve() }
  }

  #ask(
    uri: string,
    { timeoutMs }: OutboundRequest,
    { life, service }: { readonly life: Life; readonly service: number },
  ): Promise<OutboundAnswer> {
    const path = new URL(uri).pathname
    const number = this.asked.length + 1
    const random = new Random(this.#seed, 'price', number)
    const fate = (kind: string, probability: number): boolean =>
      !this.#sky.healed && random.chance(probability) && this.#tally.fault(kind)
    const dead = this.silent || fate('host silent', 0.03)
    const status = fate('host refuses', 0.03) ? 503 : 200
    const nonsense = fate('host answers nonsense', 0.03)
    const good = !dead && status === 200 && !nonsense
    const price = good ? this.#next(path) * 1_000_000n + BigInt(number % 1_000_000) : 0n
    this.asked.push({ path, price, atMs: this.#time.elapsedMs, service })
    const tookMs = fate('host slow', 0.03) ? random.between(1_000, 8_000) : random.between(2, 300)
    return new Promise((resolve, reject) => {
      if (dead || tookMs > timeoutMs) {
        this.#time.plan(timeoutMs, () => reject(new OutboundFailed('it takes too long')), life)
        return
      }
      const body = Buffer.from(nonsense ? random.pick(NONSENSE) : JSON.stringify({ price: textOf(price) }))
      this.#time.plan(tookMs, () => resolve({ status, contentType: 'application/json', body, retryAfter: null }), life)
    })
  }

  /** A random walk around one, with an occasional drop to a half or less. */
  #next(path: string): bigint {
    const last = this.#walks.get(path) ?? MIDDLE
    const steps = this.#random.chance(0.3) ? this.#random.between(-0.5, 0.6) : this.#random.between(-0.05, 0.05)
    const home = (MIDDLE - last) * 0.1
    const next = Math.min(4 * MIDDLE, Math.max(MIDDLE / 5, Math.round(last * (1 + steps) + home)))
    this.#walks.set(path, next)
    return BigInt(next)
  }
}

function textOf(price: bigint): string {
  const digits = price.toString().padStart(PRICE_PLACES + 1, '0')
  return `${digits.slice(0, -PRICE_PLACES)}.${digits.slice(-PRICE_PLACES)}`
}
