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

export class Admission {
  readonly #keys: RateLimit
  readonly #tenants: RateLimit
  readonly #server: RateLimit
  readonly #openRequests: number
  readonly #openOfTenant: number
  /** Number of open requests by key, by tenant and of the server. */
  readonly #open = new Map<string, number>()

  constructor({ rateLimit, tenantShare, openRequests = SERVER_CAPS.openRequests }: AdmissionCaps, now?: () => number) {
    const { requestsPerSecond, requestBurst } = SERVER_CAPS
    const tenant = atLeast(rateLimit, {
      perSecond: tenantShareOf(requestsPerSecond, tenantShare),
      burst: tenantShareOf(requestBurst, tenantShare),
    })
    this.#keys = new RateLimit(rateLimit, now)
    this.#tenants = new RateLimit(tenant, now)
    this.#server = new RateLimit(atLeast(tenant, { perSecond: requestsPerSecond, burst: requestBurst }), now)
    this.#openRequests = openRequests
    this.#openOfTenant = tenantShareOf(openRequests, tenantShare)
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
  charge({ res }: Pick<Exchange, 'res'>, { keyId, tenant }: Who, requests: number): void {
    const exceeded = (
      [
        ['key', this.#keys, keyId],
        ['tenant', this.#tenants, tenant],
        ['server', this.#server, SERVER],
      ] as const
    ).find(([, limit, name]) => !limit.allows(name))
    if (exceeded === undefined) {
      this.#keys.take(keyId, requests)
      this.#tenants.take(tenant, requests)
      this.#server.take(SERVER, requests)
    }
    if (!res.headersSent) res.setHeader('RateLimit', this.#keys.stateOf(keyId))
    if (exceeded === undefined) return
    const [whose, limit] = exceeded
    throw tooMany('RATE_LIMITED', `this ${whose} has sent too many requests`, limit.retryAfterSeconds)
  }

  #enter({ keyId, tenant }: Who): () => void {
    const places = [
      ['key', `key ${keyId}`, OPEN_REQUESTS_OF_KEY],
      ['tenant', `tenant ${tenant}`, this.#openOfTenant],
      ['server', SERVER, this.#openRequests],
    ] as const
    for (const [whose, name, most] of places) {
      if ((this.#open.get(name) ?? 0) < most) continue
      throw tooMany('TOO_MANY_OPEN_REQUESTS', `this ${whose} has ${most} open requests, the maximum`, 1)
    }
    for (const [, name] of places) this.#open.set(name, (this.#open.get(name) ?? 0) + 1)
    return () => {
      for (const [, name] of places) this.#left(name)
    }
  }

  #left(name: string): void {
    const open = (this.#open.get(name) ?? 0) - 1
    if (open > 0) this.#open.set(name, open)
    else this.#open.delete(name)
  }
}

type Rate = HttpSettings['rateLimit']

function atLeast(least: Rate, { perSecond, burst }: Rate): Rate {
  return { perSecond: Math.max(least.perSecond, perSecond), burst: Math.max(least.burst, burst) }
}

function tooMany(code: string, message: string, retryAfterSeconds: number): Refusal {
  return new Refusal(429, [{ code, message, retryable: true }], retryAfterSeconds)
}
