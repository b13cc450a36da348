// Subjects of tokens of an external issuer. A subject has no key and no secret here. When an administrator disables a
// subject, it gets a record like a disabled API key, valid for one organization and those below it. API keys that the
// subject created end with it, directly or through other keys.
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { apiKeyKey, SUBJECT_PREFIX, subjectKey } from '../../engine/index/index-keys.ts'
import { EVERY_CLUSTER, ofKind, type RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Context, Platform } from '../context/platform.ts'
import { badRequest, forbidden } from '../../contract/refusal.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import { administers, type Owner } from '../../contract/roles.ts'

type Lookup = Pick<RecordIndex, 'find' | 'firstOwn'>

/** The `keyId` that represents a subject. */
export function subjectKeyId(subject: string): string {
  return `${SUBJECT_PREFIX}${subject}`
}

/** True if the `keyId` represents a subject. */
export function isSubject(keyId: string): boolean {
  return keyId.startsWith(SUBJECT_PREFIX)
}

/**
 * True if the subject is disabled for the organization: there, for its tenant, or by the system organization for all
 * tenants.
 */
export function isSubjectDisabled(directory: Lookup, keyId: string, { tenant, organization }: Owner): boolean {
  return directory.find(subjectKey(keyId)).some(({ head }) => {
    const scope = ofKind(head, 'apiKey')?.context.organization
    return head.value === 'disabled' && (scope === organization || scope === tenant || scope === SYSTEM_TENANT)
  })
}

/** The subjects that created keys, by the `keyId` of the key. */
type KnownMakers = Map<string, string | null>

/**
 * False if the key is disabled, or the subject that created it (directly or through other keys) is disabled. Expiry is
 * not checked.
 *
 * @param known of the same request: keys that created each other are followed once
 */
export function isKeyEnabled(directory: Lookup, key: RecordState<'apiKey'>, known?: KnownMakers): boolean {
  if (key.value !== 'active') return false
  const subject = makerSubject(directory, key, known)
  return (
    subject === null ||
    !isSubjectDisabled(directory, subject, { tenant: key.tenant, organization: key.context.organization })
  )
}

/** Whether the key or subject of an accepted request could make the request now. */
export function requesterStatus(
  directory: Lookup,
  { keyId, ...owner }: Owner & { readonly keyId: string },
  now: number,
): 'enabled' | 'disabled' | 'expired' {
  const key = ofKind(directory.firstOwn(apiKeyKey(keyId))?.head, 'apiKey')
  const isEnabled = key === undefined ? !isSubjectDisabled(directory, keyId, owner) : isKeyEnabled(directory, key)
  if (!isEnabled) return 'disabled'
  const expiresAt = key?.context.expiresAt ?? null
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'enabled'
}

/**
 * Of work that a request left behind: nothing more of it is begun for a key that is revoked. Throws 403
 * `CREATOR_DISABLED`, `CREATOR_EXPIRED`.
 */
export function checkCreator(
  { engine, clock }: Platform,
  creator: Owner & { readonly keyId: string },
  work: 'batch' | 'distribution',
): void {
  const status = requesterStatus(engine.directory, creator, clock.now())
  if (status === 'disabled')
    throw forbidden('CREATOR_DISABLED', `the key or the subject that requested the ${work} is disabled`)
  if (status === 'expired') throw forbidden('CREATOR_EXPIRED', `the key that requested the ${work} has expired`)
}

/**
 * The key of a requester, if it could make the request now; undefined for the subject of a token. Throws 400
 * `REQUESTER_DISABLED`, `REQUESTER_EXPIRED`.
 */
export function requesterNow(
  platform: Platform,
  requester: Owner & { readonly keyId: string },
): RecordState<'apiKey'> | undefined {
  const { directory } = platform.engine
  const status = requesterStatus(directory, requester, platform.clock.now())
  if (status === 'disabled')
    throw badRequest('REQUESTER_DISABLED', 'the API key that made the request is disabled', '/itemData/offchainId')
  if (status === 'expired')
    throw badRequest('REQUESTER_EXPIRED', 'the API key that made the request has expired', '/itemData/offchainId')
  return ofKind(directory.firstOwn(apiKeyKey(requester.keyId))?.head, 'apiKey')
}

/**
 * The `keyId` of the subject that created the key, directly or through other keys; null if no subject did. The value
 * never changes.
 */
export function makerSubject(
  directory: Lookup,
  key: RecordState<'apiKey'>,
  known: KnownMakers = new Map(),
): string | null {
  const followed = new Set([key.context.keyId])
  let maker = key.context.createdBy
  // The first key of the service has created itself.
  while (!isSubject(maker) && !known.has(maker) && !followed.has(maker)) {
    const made = ofKind(directory.firstOwn(apiKeyKey(maker))?.head, 'apiKey')
    if (made === undefined) break
    followed.add(maker)
    maker = made.context.createdBy
  }
  const subject = isSubject(maker) ? maker : (known.get(maker) ?? null)
  for (const keyId of followed) known.set(keyId, subject)
  return subject
}

/**
 * Disables a subject permanently for the caller's organization and those below it. The subject need not have made a
 * request before.
 *
 * Throws 403 `ROLE_REQUIRED`, and `CommandRejected` (`ALREADY_DISABLED`).
 */
export function disableSubject(
  { platform, call: { caller, tenant, organization } }: Context,
  unit: UnitOfWork,
  keyId: string,
): void {
  if (!administers(caller, { tenant, organization })) {
    throw forbidden('ROLE_REQUIRED', `API key may not administer the organization ${organization}`, '/itemData/keyId')
  }
  const { engine, clock, ids } = platform
  const known = engine.directory
    .find(subjectKey(keyId))
    .find(({ head }) => ofKind(head, 'apiKey')?.context.organization === organization)
  const entry =
    known ??
    unit.create(
      'apiKey',
      { tenant, cluster: EVERY_CLUSTER, id: ids() },
      {
        apiKey: {
          keyId,
          organization,
          name: 'subject of tokens',
          roles: [],
          secretHash: '',
          previousSecretHash: null,
          previousUntil: null,
          expiresAt: null,
          clusters: null,
          createdAt: new Date(clock.now()).toISOString(),
          createdBy: caller.keyId,
          lastUsedAt: null,
          rotatedAt: null,
          approvalsSuspendedUntil: null,
        },
      },
    )
  unit.send<'apiKey'>(entry, { type: 'command.disable' })
}
