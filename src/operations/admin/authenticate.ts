// Authenticates API keys and determines the organization a request acts for. Every request is evaluated against the
// committed records, so a disabled, rotated or expired key is refused at once; what is cached is the derived
// `Admission` of a record, and which secret of it a key has.
import type { Engine } from '../../engine/engine.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { apiKeyKey, organizationKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { parseApiKey, sameSecretHash, type ParsedApiKey } from '../../keys/api-key.ts'
import type { Caller } from '../../contract/call.ts'
import { isSubjectDisabled, makerSubject } from '../lookup/subjects.ts'
import { forbidden } from '../../contract/refusal.ts'
import { isAboveOthersIn, SYSTEM_TENANT } from '../../contract/tenancy.ts'

/** The last use of a key is recorded at most once in this time. */
const NOTE_INTERVAL_MS = 60_000
/** Compared with if a key has no secret of that kind. */
const NO_HASH = '0'.repeat(64)
/** Maximum number of cached keys; above it, the cache is cleared. */
const MAX_PARSED_KEYS = 1_000
const OVERRIDE_POINTER = '/tenancyConfig/overrideOrganizationExternalId'

/** The part of a key's record that every request needs. Times are Unix milliseconds. */
interface Admission {
  readonly caller: Caller
  readonly enabled: boolean
  readonly secretHash: string
  readonly previousSecretHash: string | null
  /** End of the validity of the previous secret, exclusive. */
  readonly previousUntilMs: number
  /** Exclusive; Infinity: never. */
  readonly expiresAtMs: number
  /**
   * The subject of the token that created the key, directly or through another key; disabling the subject disables
   * the key.
   */
  readonly subject: string | null
}

/** A key that was accepted, and what its secret is of a record as it was then. */
interface KnownKey extends ParsedApiKey {
  readonly admission: Admission
  readonly secret: Secret
}

type Secret = 'current' | 'previous' | 'wrong'

/** Used for an unknown key id. It never authenticates. */
const UNKNOWN_KEY: Admission = {
  caller: { keyId: '', organization: '', tenant: '', system: false, roles: new Set(), clusters: new Set() },
  enabled: false,
  secretHash: NO_HASH,
  previousSecretHash: null,
  previousUntilMs: -Infinity,
  expiresAtMs: -Infinity,
  subject: null,
}

export interface CallScope {
  readonly cluster: string
  readonly overrideOrganizationExternalId?: string | undefined
}

export class Access {
  readonly #engine: Engine
  readonly #clock: { now(): number }
  /** By state object: a new revision of the key's record has no cached entry. */
  readonly #admissions = new WeakMap<RecordState, Admission>()
  /** By bearer text, so that a key in use is not parsed and compared at each request. Only in memory. */
  readonly #known = new Map<string, KnownKey>()
  /** Time at which the last use was recorded, Unix milliseconds. */
  readonly #noted = new WeakMap<Entry, number>()

  constructor(engine: Engine, clock: { now(): number }) {
    this.#engine = engine
    this.#clock = clock
  }

  /** The caller, or `invalid` for every reason: unknown, malformed, wrong secret, disabled, expired. */
  authenticate(bearer: string): Caller | 'invalid' {
    const known = this.#known.get(bearer)
    const parsed = known ?? parseApiKey(bearer)
    if (parsed === null) return 'invalid'
    const entry = this.#engine.directory.firstOwn(apiKeyKey(parsed.keyId))
    const admission = (entry?.committed === undefined ? undefined : this.#admissionOf(entry.committed)) ?? UNKNOWN_KEY
    const secret = known?.admission === admission ? known.secret : secretOf(admission, parsed)
    const now = this.#clock.now()
    if (entry === undefined || !this.#isValid(admission, secret, now)) {
      this.#known.delete(bearer)
      return 'invalid'
    }
    if (known?.admission !== admission) this.#remember(bearer, { ...parsed, admission, secret })
    this.#note(entry, now)
    return admission.caller
  }

  /**
   * The caller that an API key currently identifies, without its secret: for work that the key has requested earlier.
   * `disabled`: the key is unknown or disabled, or the subject that created it is.
   */
  callerOf(keyId: string): Caller | 'disabled' | 'expired' {
    const state = this.#engine.directory.firstOwn(apiKeyKey(keyId))?.committed
    const admission = state === undefined ? undefined : this.#admissionOf(state)
    if (admission === undefined || !admission.enabled) return 'disabled'
    const { subject, caller, expiresAtMs } = admission
    if (subject !== null && isSubjectDisabled(this.#engine.directory, subject, caller)) return 'disabled'
    return this.#clock.now() >= expiresAtMs ? 'expired' : caller
  }

  /**
   * The organization a request acts for, and its tenant. Throws 403 `CLUSTER_NOT_ALLOWED`, `ROLE_REQUIRED` if the key
   * lacks the role, whichever organization is named, and `OVERRIDE_NOT_ALLOWED`, which is the same for another tenant's
   * organization and an unknown one.
   */
  callContext(caller: Caller, asked: CallScope): { readonly organization: string; readonly tenant: string } {
    if (caller.clusters !== null && !caller.clusters.has(asked.cluster)) {
      throw forbidden('CLUSTER_NOT_ALLOWED', `API key may not use cluster ${asked.cluster}`)
    }
    const { organization, tenant } = caller
    const wanted = asked.overrideOrganizationExternalId
    if (wanted === undefined || wanted === organization) return { organization, tenant }
    if (!caller.roles.has('ORGANIZATION_OVERRIDE'))
      throw forbidden('ROLE_REQUIRED', 'role ORGANIZATION_OVERRIDE is required', OVERRIDE_POINTER)
    const target = this.#engine.directory.firstOwn(organizationKey(wanted))?.committed
    if (target === undefined || !isAboveOthersIn(target.tenant, caller)) {
      throw forbidden('OVERRIDE_NOT_ALLOWED', 'API key may not act for the given organization', OVERRIDE_POINTER)
    }
    return { organization: wanted, tenant: target.tenant }
  }

  #isValid(admission: Admission, secret: Secret, now: number): boolean {
    const { caller, enabled, previousUntilMs, expiresAtMs, subject } = admission
    if (!enabled || secret === 'wrong' || now >= expiresAtMs) return false
    if (secret === 'previous' && now >= previousUntilMs) return false
    return subject === null || !isSubjectDisabled(this.#engine.directory, subject, caller)
  }

  #remember(bearer: string, key: KnownKey): void {
    if (this.#known.size >= MAX_PARSED_KEYS) this.#known.clear()
    this.#known.set(bearer, key)
  }

  #admissionOf(state: RecordState): Admission | undefined {
    let admission = this.#admissions.get(state)
    if (admission === undefined) {
      const key = ofKind(state, 'apiKey')
      if (key === undefined) return undefined
      admission = admissionFrom(key, makerSubject(this.#engine.directory, key))
      this.#admissions.set(state, admission)
    }
    return admission
  }

  #note(entry: Entry, now: number): void {
    // Another cell records the uses of its keys.
    if (entry.place === 'followed') return
    let noted = this.#noted.get(entry)
    if (noted === undefined) {
      const lastUsedAt = ofKind(entry.head, 'apiKey')?.context.lastUsedAt
      noted = instant(lastUsedAt ?? null, -Infinity)
    }
    const due = now - noted >= NOTE_INTERVAL_MS
    this.#noted.set(entry, due ? now : noted)
    if (!due) return
    const at = new Date(now).toISOString()
    this.#engine.observe((unit) => unit.send<'apiKey'>(entry, { type: 'clock.used', at }))
  }
}

/** Compares with both secrets, also of an unknown id, so that response times do not reveal which ids exist. */
function secretOf({ secretHash, previousSecretHash }: Admission, parsed: ParsedApiKey): Secret {
  const isCurrent = sameSecretHash(secretHash, parsed.secretHash)
  const isPrevious = sameSecretHash(previousSecretHash ?? NO_HASH, parsed.secretHash)
  if (isCurrent) return 'current'
  return isPrevious ? 'previous' : 'wrong'
}

function admissionFrom({ tenant, value, context }: RecordState<'apiKey'>, subject: string | null): Admission {
  return {
    caller: {
      keyId: context.keyId,
      organization: context.organization,
      // The tenant of a key's record is the root of its organization.
      tenant,
      system: tenant === SYSTEM_TENANT,
      roles: new Set(context.roles),
      clusters: context.clusters === null ? null : new Set(context.clusters),
    },
    enabled: value === 'active',
    secretHash: context.secretHash,
    previousSecretHash: context.previousSecretHash,
    previousUntilMs: instant(context.previousUntil, -Infinity),
    expiresAtMs: instant(context.expiresAt, Infinity),
    subject,
  }
}

function instant(text: string | null, absent: number): number {
  return text === null ? absent : Date.parse(text)
}
