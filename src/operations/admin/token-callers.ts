// Authenticates tokens of an external issuer: claims name an organization and roles of this service. A token never
// has more rights than an API key of that organization could have.
import { createHash } from 'node:crypto'
import type { Engine } from '../../engine/engine.ts'
import { organizationKey } from '../../engine/index/index-keys.ts'
import type { Claims } from '../../keys/issuer-tokens.ts'
import type { Caller } from '../../contract/call.ts'
import { Refusal } from '../../contract/refusal.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import { isSubjectDisabled, subjectKeyId } from '../lookup/subjects.ts'
import type { ClaimNames } from '../../config/tokens.ts'
import { BUNDLES, isRole, type Bundle, type Role } from '../../contract/roles.ts'

export interface Tokens {
  /** The claims of a valid token; null for any other. `unavailable`: the keys of the issuer cannot be read. */
  verify(token: string): Promise<Claims | 'unavailable' | null>
}

/** Cached tokens whose signature has been verified; the oldest are evicted first. */
const MAX_KNOWN = 10_000

interface Known {
  readonly claims: Claims
  readonly expiresAtMs: number
}

export class TokenCallers {
  readonly #tokens: Tokens
  readonly #names: ClaimNames
  readonly #engine: Engine
  readonly #clock: { now(): number }
  readonly #known = new Map<string, Known>()

  constructor(tokens: Tokens, names: ClaimNames, engine: Engine, clock: { now(): number }) {
    this.#tokens = tokens
    this.#names = names
    this.#engine = engine
    this.#clock = clock
  }

  /** An API key contains no dot, a JWT two. */
  static mayBe(bearer: string): boolean {
    return bearer.split('.').length === 3
  }

  /** Waits for nothing when the token is known. Rejects with 503 `ISSUER_UNAVAILABLE`. */
  authenticate(bearer: string): Caller | 'invalid' | Promise<Caller | 'invalid'> {
    const hash = createHash('sha256').update(bearer).digest('base64')
    const known = this.#known.get(hash)
    return known !== undefined && this.#clock.now() < known.expiresAtMs
      ? this.#callerOf(known.claims)
      : this.#awaited(bearer, hash)
  }

  async #awaited(bearer: string, hash: string): Promise<Caller | 'invalid'> {
    const claims = await this.#verified(bearer, hash)
    return claims === null ? 'invalid' : this.#callerOf(claims)
  }

  async #verified(bearer: string, hash: string): Promise<Claims | null> {
    this.#known.delete(hash)
    const claims = await this.#tokens.verify(bearer)
    if (claims === 'unavailable') throw issuerUnavailable()
    if (claims === null) return null
    this.#known.set(hash, { claims, expiresAtMs: (claims.exp ?? 0) * 1000 })
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value as string)
    return claims
  }

  /** Evaluated against the current records at every request, so a disabled subject is refused at once. */
  #callerOf(claims: Claims): Caller | 'invalid' {
    const organization = claims[this.#names.organization]
    if (typeof organization !== 'string' || claims.sub === undefined) return 'invalid'
    const tenant = this.#engine.directory.firstOwn(organizationKey(organization))?.committed?.tenant
    if (tenant === undefined) return 'invalid'
    const keyId = subjectKeyId(claims.sub)
    if (isSubjectDisabled(this.#engine.directory, keyId, { tenant, organization })) return 'invalid'
    const system = tenant === SYSTEM_TENANT
    const roles = rolesOf(claims[this.#names.roles]).filter((role) => system || role !== 'PLATFORM_ADMIN')
    return { keyId, organization, tenant, system, roles: new Set(roles), clusters: null }
  }
}

function issuerUnavailable(): Refusal {
  const message = 'the keys of the issuer of the token cannot be read now'
  return new Refusal(503, [{ code: 'ISSUER_UNAVAILABLE', message, retryable: true }], 1)
}

/** Roles and bundles by their names in this service; other names are ignored. */
function rolesOf(claim: unknown): Role[] {
  const words = typeof claim === 'string' ? claim.split(/\s+/) : Array.isArray(claim) ? claim : []
  return words.flatMap((word): readonly Role[] => {
    if (typeof word !== 'string') return []
    if (isRole(word)) return [word]
    return Object.hasOwn(BUNDLES, word) ? BUNDLES[word as Bundle] : []
  })
}
