// Decides whose approvals count: the person behind a key, and whether the key may approve now.
import { isApproverOf, type ApprovalEntry, type Electorate, type PolicyRef } from '../../../../machines/approval.ts'
import { SUSPENSION_MS } from '../../../../machines/api-key.ts'
import { apiKeyKey } from '../../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import { approverWith, makerSince } from '../../lookup/approvers.ts'
import { isKeyEnabled, isSubject, isSubjectDisabled, makerSubject } from '../../lookup/subjects.ts'
import type { Platform } from '../../context/platform.ts'

type Dependencies = Pick<Platform, 'engine' | 'clock'>

/**
 * Approvals of debit limits and of payments under review count by key; approvals under a policy count by person. Where
 * every holder of a role may approve, keys that were created since the request count as those who created them: nobody
 * gets a second voice for a request that waits by creating one.
 */
export function electorateOf(platform: Dependencies): Electorate {
  const { directory } = platform.engine
  return {
    counts: (keyId, entry) =>
      entry.policy === undefined
        ? approvesNow(platform, keyId) && isApproverOf(entry, approverWith(directory, keyId))
        : approvesUnder(platform, keyId, entry.policy),
    personOf(keyId, { policy, holders }) {
      if (policy !== undefined) return personOf(platform, keyId)
      return holders === undefined ? keyId : makerSince(directory, keyId, holders.askedAt)
    },
  }
}

/** A token subject and the API keys that it made, directly or through other keys, are one person. */
export function personOf({ engine: { directory } }: Pick<Platform, 'engine'>, keyId: string): string {
  if (isSubject(keyId)) return keyId
  const key = ofKind(directory.firstOwn(apiKeyKey(keyId))?.head, 'apiKey')
  return (key === undefined ? null : makerSubject(directory, key)) ?? keyId
}

/**
 * True if the key is enabled, not expired, an approver by its roles, and not suspended after another key rotated it.
 */
export function approvesNow({ engine, clock }: Dependencies, keyId: string): boolean {
  const key = ofKind(engine.directory.firstOwn(apiKeyKey(keyId))?.head, 'apiKey')
  if (key === undefined || !isKeyEnabled(engine.directory, key) || !key.context.roles.includes('DEBIT_LIMIT_APPROVE'))
    return false
  const { approvalsSuspendedUntil, expiresAt } = key.context
  const isPast = (instant: string | null): boolean => instant === null || Date.parse(instant) <= clock.now()
  return isPast(approvalsSuspendedUntil) && (expiresAt === null || !isPast(expiresAt))
}

/**
 * Stricter than for debit limits: the secret of a key that another key rotated since the approvers were named is known
 * to that other key, so the key counts again only once the policy names it again. The roles of a token subject are in
 * its token, and were checked when it approved.
 */
export function approvesUnder(
  platform: Dependencies,
  keyId: string,
  policy: Pick<PolicyRef, 'tenant' | 'organization' | 'namedAt'>,
): boolean {
  const { directory } = platform.engine
  if (isSubject(keyId)) return !isSubjectDisabled(directory, keyId, policy)
  const key = ofKind(directory.firstOwn(apiKeyKey(keyId))?.head, 'apiKey')
  return (
    key !== undefined &&
    key.tenant === policy.tenant &&
    !isRotatedSince(key, policy.namedAt) &&
    approvesNow(platform, keyId)
  )
}

/** True if another key has rotated the key since. A later rotation by the key itself does not change that. */
function isRotatedSince({ context: { approvalsSuspendedUntil } }: RecordState<'apiKey'>, since: string): boolean {
  return approvalsSuspendedUntil !== null && Date.parse(approvalsSuspendedUntil) - SUSPENSION_MS >= Date.parse(since)
}

/** True if the key, or the person behind it, made the request that awaits approval under the entry. */
export function isOfRequester(
  platform: Dependencies,
  keyId: string,
  requesters: readonly string[],
  entry: ApprovalEntry,
): boolean {
  const { personOf: person } = electorateOf(platform)
  return requesters.some((each) => each === keyId || person(each, entry) === person(keyId, entry))
}
