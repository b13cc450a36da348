// Authenticates `Authorization: Bearer <API key or token>` and checks roles.
import type { BlockList } from 'node:net'
import type { Caller } from '../contract/call.ts'
import { credentialsInvalid, forbidden } from '../contract/refusal.ts'
import type { ApiFor, Exchange } from './exchange.ts'
import type { Failures } from './failures.ts'
import { clientAddress } from './peer.ts'
import { frontRefusal } from './problem.ts'

export class Authenticator {
  readonly #apiFor: ApiFor
  readonly #failures: Failures
  readonly #trusted: BlockList

  constructor(apiFor: ApiFor, failures: Failures, trusted: BlockList) {
    this.#apiFor = apiFor
    this.#failures = failures
    this.#trusted = trusted
  }

  /**
   * Throws a Refusal (401), or rejects with it. Unknown, expired, disabled and malformed credentials get the same
   * response. Waits for nothing when an API key is valid.
   */
  caller(exchange: Exchange): Caller | Promise<Caller> {
    const { authorization } = exchange.req.headers
    if (authorization === undefined)
      throw frontRefusal(401, 'CREDENTIALS_MISSING', 'the header `Authorization: Bearer <API key>` is required')
    const bearer = bearerOf(authorization)
    const caller = bearer === undefined ? 'invalid' : this.#apiFor(exchange).authenticate(bearer)
    return caller === 'invalid' || caller instanceof Promise ? this.#awaited(caller, exchange) : caller
  }

  /** True once the credentials of a request are no longer valid. A token that has expired since still counts. */
  isRevoked(exchange: Exchange): boolean {
    const bearer = bearerOf(exchange.req.headers.authorization ?? '')
    const caller = bearer === undefined ? 'invalid' : this.#apiFor(exchange).authenticate(bearer)
    if (caller instanceof Promise) caller.catch(() => undefined)
    return caller === 'invalid'
  }

  async #awaited(asked: 'invalid' | Promise<Caller | 'invalid'>, { req }: Exchange): Promise<Caller> {
    const caller = await asked
    if (caller !== 'invalid') return caller
    await this.#failures.note(clientAddress(req, this.#trusted))
    throw credentialsInvalid()
  }
}

export function bearerOf(authorization: string): string | undefined {
  if (!authorization.startsWith('Bearer ') && authorization.slice(0, 7).toLowerCase() !== 'bearer ') return undefined
  return authorization.slice(7).trim()
}

/** Throws a Refusal (403 ROLE_REQUIRED) that names the sufficient roles. */
export function requireRole(caller: Caller, roles: readonly string[]): void {
  for (const role of roles) if (caller.roles.has(role)) return
  throw forbidden('ROLE_REQUIRED', `role ${roles.join(' or ')} is required`)
}
