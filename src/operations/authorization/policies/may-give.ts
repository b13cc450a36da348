// Decides whether a key may give an approval now, to a transaction, a batch or a change of records.
import { hasApproved, isApproverOf, type Approval } from '../../../../machines/approval.ts'
import { badRequest, forbidden } from '../../../contract/refusal.ts'
import type { Platform } from '../../context/platform.ts'
import { approverWith } from '../../lookup/approvers.ts'
import { approvesNow, approvesUnder, isOfRequester } from './people.ts'

/** Throws 403 `REQUESTER_CANNOT_APPROVE`, `NOT_AN_APPROVER`, `APPROVALS_SUSPENDED`. */
export function checkMayGive(platform: Platform, keyId: string, approval: Approval): void {
  const approver = approverWith(platform.engine.directory, keyId)
  const entries = approval.entries.filter((entry) => isApproverOf(entry, approver))
  if (
    approval.requesters.includes(keyId) ||
    entries.some((entry) => isOfRequester(platform, keyId, approval.requesters, entry))
  )
    throw forbidden(
      'REQUESTER_CANNOT_APPROVE',
      'API key may not approve what it, or a key of the same person, requested',
    )
  if (entries.length === 0)
    throw forbidden(
      'NOT_AN_APPROVER',
      'API key is not an approver of an exceeded limit or of a policy that covers the request',
    )
  if (
    !entries.some(({ policy }) =>
      policy === undefined ? approvesNow(platform, keyId) : approvesUnder(platform, keyId, policy),
    )
  )
    throw forbidden(
      'APPROVALS_SUSPENDED',
      'another key rotated this API key: it may not approve limits for 24 hours, and policies until they name it anew',
    )
}

/**
 * A second approval by the same key gets the same refusal in every later state of the approved transaction, batch or
 * change. Throws 400 `ALREADY_APPROVED`.
 */
export function checkNotGiven(keyId: string, approval: Approval | null): void {
  if (approval !== null && !approval.requesters.includes(keyId) && hasApproved(approval, keyId))
    throw badRequest('ALREADY_APPROVED', 'this key has approved it already', '/itemData/offchainId')
}
