// Approval of payments to counterparties under review: by the keys that the paying organization names, through the
// approvals of debit limits.
import type { ApprovalEntry } from '../../../../machines/approval.ts'
import type { Directory } from '../../../engine/index/directory.ts'
import { forbidden } from '../../../contract/refusal.ts'
import { organizationContext } from '../../lookup/counterparty.ts'
import type { Review } from './policy.ts'

/** Throws 403 `DESTINATION_NOT_ALLOWED` if the organization names no approvers. */
export function reviewEntry(directory: Directory, { organization, address, counterparty }: Review): ApprovalEntry {
  const { approvers, requiredApproversCount } = organizationContext(directory, organization)?.reviewApproval ?? NOBODY
  const {
    id,
    context: { name },
  } = counterparty
  if (approvers.length === 0)
    throw forbidden(
      'DESTINATION_NOT_ALLOWED',
      `${address} of the counterparty ${name} is under review, and ${organization} names no keys in reviewApproval that may approve`,
      '/itemData',
    )
  const shown = { onchainId: address, organizationExternalId: organization, counterparty: { offchainId: id, name } }
  return { limit: JSON.stringify(shown), approvers, required: Math.max(1, requiredApproversCount), shown }
}

const NOBODY = { approvers: [], requiredApproversCount: 1 }
