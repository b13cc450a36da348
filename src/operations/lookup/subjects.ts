// Subjects of an issuer's tokens. A subject has no key and no secret here; once an administrator disables it, it has a record of the kind
// of a disabled API key, for one organization and those below it. What a subject made ends with it: keys, and keys made by those keys.
import type { Directory } from '../../engine/index/directory.ts'
import { apiKeyKey, SUBJECT_PREFIX, subjectKey } from '../../engine/index/index-keys.ts'
import { EVERY_CLUSTER, ofKind, type RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Call } from '../../contract/call.ts'
import type { Platform } from '../context/platform.ts'
import { forbidden } from '../../contract/refusal.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import { administers, type Owner } from '../../contract/roles.ts'

type Lookup = Pick<Directory, 'find' | 'first'>

/** What a subject is called where an API key has its id. */
export function subjectKeyId(subject: string): string {
  return `${SUBJECT_PREFIX}${subject}`
}

/** By its `keyId`. */
export function isSubject(keyId: string): boolean {
  return keyId.startsWith(SUBJECT_PREFIX)
}

/** Whether a subject is disabled for an organization: there, for the tenant, or by the system organization for everybody. */
export function isSubjectDisabled(directory: Lookup, keyId: string, { tenant, organization }: Owner): boolean {
  return directory.find(subjectKey(keyId)).some(({ head }) => {
    const scope = ofKind(head, 'apiKey')?.context.organization
    return head.value === 'disabled' && (scope === organization || scope === tenant || scope === SYSTEM_TENANT)
  })
}

/** False once a key is disabled, or the subject of a token that made it, directly or by another key. Expiry is not looked at. */
export function isKeyEnabled(directory: Lookup, key: RecordState<'apiKey'>): boolean {
  if (key.value !== 'active') return false
  const subject = makerSubject(directory, key)
  return subject === null || !isSubjectDisabled(directory, subject, { tenant: key.tenant, organization: key.context.organization })
}

/** The `keyId` of the subject behind a key; null: no token made it. Never changes: who made a key is settled when it is made. */
export function makerSubject(directory: Lookup, key: RecordState<'apiKey'>): string | null {
  const passed = new Set<string>()
  let { keyId, createdBy } = key.context
  while (!isSubject(createdBy)) {
    passed.add(keyId)
    const maker = ofKind(directory.first(apiKeyKey(createdBy))?.head, 'apiKey')
    if (maker === undefined || passed.has(createdBy)) return null
    keyId = createdBy
    createdBy = maker.context.createdBy
  }
  return createdBy
}

/**
 * Disables a subject for the organization acted for and those below it, for good, whether it has ever come or not. Throws 403
 * `ROLE_REQUIRED`, and `CommandRejected` (`ALREADY_DISABLED`).
 */
export function disableSubject(platform: Platform, { caller, tenant, organization }: Call, unit: UnitOfWork, keyId: string): void {
  if (!administers(caller, { tenant, organization })) {
    throw forbidden('ROLE_REQUIRED', `API key may not administer the organization ${organization}`, '/itemData/keyId')
  }
  const { engine, clock, ids } = platform
  const known = engine.directory.find(subjectKey(keyId)).find(({ head }) => ofKind(head, 'apiKey')?.context.organization === organization)
  const entry = known ?? unit.create('apiKey', { tenant, cluster: EVERY_CLUSTER, id: ids() }, {
    apiKey: {
      keyId, organization, name: 'subject of tokens', roles: [], secretHash: '', previousSecretHash: null, previousUntil: null,
      expiresAt: null, clusters: null, createdAt: new Date(clock.now()).toISOString(), createdBy: caller.keyId, lastUsedAt: null,
      rotatedAt: null, approvalsSuspendedUntil: null,
    },
  })
  unit.tell<'apiKey'>(entry, { type: 'command.disable' })
}
