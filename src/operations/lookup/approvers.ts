// Who may approve what waits for approval: the key as an approver, and the holders of the role that approves.
import { isApproverOf, type Approval, type Approver, type HolderScope } from '../../../machines/approval.ts'
import { activeApiKeysKey, apiKeyKey } from '../../engine/index/index-keys.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { ofKind } from '../../engine/records/record.ts'
import { isKeyEnabled } from './subjects.ts'

type Lookup = Pick<RecordIndex, 'find' | 'firstOwn'>

/** The key as an approver: with its organization, if it is an API key with the role. */
export function approverWith(directory: Lookup, keyId: string): Approver {
  const key = ofKind(directory.firstOwn(apiKeyKey(keyId))?.head, 'apiKey')?.context
  return key?.roles.includes('DEBIT_LIMIT_APPROVE') === true ? { keyId, organization: key.organization } : { keyId }
}

/** True if the key may approve any entry by who it is. */
export function isAnApprover(
  directory: Lookup,
  keyId: string,
  approval: Pick<Approval, 'entries'> | null | undefined,
): boolean {
  const approver = approverWith(directory, keyId)
  return approval?.entries.some((entry) => isApproverOf(entry, approver)) === true
}

/** The key or subject that created the key, directly or through other keys created since the instant. */
export function makerSince(directory: Lookup, keyId: string, since: string): string {
  for (let maker = keyId; ;) {
    const key = ofKind(directory.firstOwn(apiKeyKey(maker))?.head, 'apiKey')?.context
    // The first key of the service has created itself.
    if (key === undefined || key.createdAt <= since || key.createdBy === maker) return maker
    maker = key.createdBy
  }
}

/**
 * The keys with the role DEBIT_LIMIT_APPROVE of the organization or of the root of its tenant that may approve now, in
 * order.
 */
export function approvalHolders(directory: Lookup, { tenant, organization }: HolderScope, now: number): string[] {
  const known = new Map<string, string | null>()
  return directory
    .find(activeApiKeysKey(tenant))
    .flatMap(({ head }) => ofKind(head, 'apiKey') ?? [])
    .filter((key) => key.context.organization === organization || key.context.organization === tenant)
    .filter((key) => key.context.roles.includes('DEBIT_LIMIT_APPROVE') && isKeyEnabled(directory, key, known))
    .filter(({ context: { expiresAt } }) => expiresAt === null || Date.parse(expiresAt) > now)
    .filter(({ context: { approvalsSuspendedUntil: until } }) => until === null || Date.parse(until) <= now)
    .map(({ context }) => context.keyId)
    .toSorted()
}
