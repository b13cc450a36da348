// `Authorization: Bearer <key>`, and the roles a key needs.
import type { Caller } from '../operations/call.ts'
import { forbidden } from '../operations/refusal.ts'
import type { Api } from './ports.ts'
import { refuse } from './problem.ts'

/** Throws a Refusal (401). Every 401 says the same about a key that is unknown, expired, disabled or malformed. */
export function authenticate(api: Api, authorization: string | undefined): Caller {
  if (authorization === undefined) throw refuse(401, 'CREDENTIALS_MISSING', 'send Authorization: Bearer <API key>')
  const bearer = bearerOf(authorization)
  const caller = bearer === undefined ? 'invalid' : api.authenticate(bearer)
  if (caller === 'invalid') throw refuse(401, 'CREDENTIALS_INVALID', 'the API key is not valid')
  return caller
}

function bearerOf(authorization: string): string | undefined {
  if (authorization.slice(0, 7).toLowerCase() !== 'bearer ') return undefined
  return authorization.slice(7).trim()
}

/** Throws a Refusal (403 ROLE_REQUIRED) naming what would be enough. */
export function requireRole(caller: Caller, roles: readonly string[]): void {
  for (const role of roles) if (caller.roles.has(role)) return
  throw forbidden('ROLE_REQUIRED', `the key needs the role ${roles.join(' or ')}`)
}
