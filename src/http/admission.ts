// Admission of requests: limits the rate and the number of open requests per API key, per tenant and for the whole
// server. A tenant's limits are a share of the server's, so that no tenant can exclude the others.
import { SERVER_CAPS, tenantShareOf } from '../config/server-caps.ts'
import type { Caller } from '../contract/call.ts'
import { Refusal } from '../contract/refusal.ts'
import type { Exchange } from './exchange.ts'
import type { HttpSettings } from './ports.ts'
import { RateLimit } from './rate-limit.ts'

/** Maximum number of open requests per key: ten seconds at the default rate limit, and its burst. */
const OPEN_REQUESTS_OF_KEY = 2_500
const SERVER = 'server'

export interface AdmissionCaps {
  readonly rateLimit: HttpSettings['rateLimit']
  /** Percent of the server's limits. */
  readonly tenantShare: number
  /** Absent: the server's limit. */
  readonly openRequests?: number
}

type Who = Pick<Caller, 'keyId' | 'tenant'>

/** What is limited for each key, for each tenant and for the whole server. */
interface Level {
  readonly whose: 'key' | 'tenant' | 'server'
  readonly nameOf: (who: Who) => string
  readonly rate: RateLimit
  readonly maxOpen: number
  /** Number of open requests by name. */
  readonly open: Map<string, number>
}

export class RequestAdmission {
  readonly #keys: RateLimit
  readonly #levels: readonly Level[]

  constructor({ rateLimit, tenantShare, openRequests = SERVER_CAPS.openRequests }: AdmissionCaps, now?: () => number) {
    const { requestsPerSecond, requestBurst } = SERVER_CAPS
    const ofTenant = atLeast(rateLimit, {
      perSecond: tenantShareOf(requestsPerSecond, tenantShare),
      burst: tenantShareOf(requestBurst, tenantShare),
    })
    const ofServer = atLeast(ofTenant, { perSecond: requestsPerSecond, burst: requestBurst })
    const openOfTenant = tenantShareOf(openRequests, tenantShare)
    this.#keys = new RateLimit(rateLimit, now)
    this.#levels = [
      level('key', ({ keyId }) => keyId, this.#keys, OPEN_REQUESTS_OF_KEY),
      level('tenant', ({ tenant }) => tenant, new RateLimit(ofTenant, now), openOfTenant),
      level('server', () => SERVER, new RateLimit(ofServer, now), openRequests),
    ]
  }

  /** Counts a request as open until `exchange.state.leave` is called. Throws a Refusal (429). */
  admit(exchange: Exchange, caller: Who): void {
    exchange.res.setHeader('RateLimit-Policy', this.#keys.policy)
    this.charge(exchange, caller, 1)
    exchange.state.leave = this.#enter(caller)
  }

  /**
   * Counts work as `requests` requests. Throws a Refusal (429) when the key, the tenant or the server has none left.
   */
  charge({ res }: Pick<Exchange, 'res'>, who: Who, requests: number): void {
    const exceeded = this.#levels.find(({ rate, nameOf }) => !rate.allows(nameOf(who)))
    if (exceeded === undefined) for (const { rate, nameOf } of this.#levels) rate.take(nameOf(who), requests)
    if (!res.headersSent) res.setHeader('RateLimit', this.#keys.stateOf(who.keyId))
    if (exceeded === undefined) return
    const { whose, rate } = exceeded
    throw tooMany('RATE_LIMITED', `this ${whose} has sent too many requests`, rate.retryAfterSeconds)
  }

  #enter(who: Who): () => void {
    for (const { whose, nameOf, open, maxOpen } of this.#levels) {
      if ((open.get(nameOf(who)) ?? 0) < maxOpen) continue
      throw tooMany('TOO_MANY_OPEN_REQUESTS', `this ${whose} has ${maxOpen} open requests, the maximum`, 1)
    }
    for (const { nameOf, open } of this.#levels) open.set(nameOf(who), (open.get(nameOf(who)) ?? 0) + 1)
    return () => {
      for (const { nameOf, open } of this.#levels) leave(open, nameOf(who))
    }
  }
}

function level(whose: Level['whose'], nameOf: Level['nameOf'], rate: RateLimit, maxOpen: number): Level {
  return { whose, nameOf, rate, maxOpen, open: new Map() }
}

function leave(open: Map<string, number>, name: string): void {
  const left = (open.get(name) ?? 0) - 1
  if (left > 0) open.set(name, left)
  else open.delete(name)
}

type Rate = HttpSettings['rateLimit']

function atLeast(least: Rate, { perSecond, burst }: Rate): Rate {
  return { perSecond: Math.max(least.perSecond, perSecond), burst: Math.max(least.burst, burst) }
}

/** 429 with `Retry-After`. */
export function tooMany(code: string, message: string, retryAfterSeconds: number): Refusal {
  return new Refusal(429, [{ code, message, retryable: true }], retryAfterSeconds)
}
