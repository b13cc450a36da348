// Approval of payments to counterparties under review: by the keys that the paying organization names, through the
// approvals of debit limits.
import type { ApprovalEntry } from '../../../../machines/approval.ts'
import type { RecordIndex } from '../../../engine/index/record-index.ts'
import { forbidden } from '../../../contract/refusal.ts'
import { organizationContext, servesOrganization } from '../../lookup/counterparty.ts'
import type { DestinationVerdict, Review } from './policy.ts'
import type { PaymentReviewModel } from '../../../contract/schemas/counterparty.ts'

/** Throws 403 `DESTINATION_NOT_ALLOWED` if the organization names no approvers. */
export function reviewEntry(directory: RecordIndex, { organization, address, counterparty }: Review): ApprovalEntry {
  const { approvers, requiredApproversCount } =
    organizationContext(directory, organization)?.reviewApproval ?? NO_APPROVERS
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
  const shown: PaymentReviewModel = {
    onchainId: address,
    organizationExternalId: organization,
    counterparty: { offchainId: id, name },
  }
  return { limit: JSON.stringify(shown), approvers, required: Math.max(1, requiredApproversCount), shown }
}

/** A verdict as an explanation shows it. */
export interface ShownDestination {
  readonly onchainId: string
  readonly counterparty: PaymentReviewModel['counterparty'] | null
  readonly verdict: DestinationVerdict['verdict']
}

/**
 * A counterparty of another organization is named only if the payment waits for its review.
 *
 * @param organization that owns the transaction; null: another tenant's
 */
export function shownDestination(
  { address, counterparty, verdict }: DestinationVerdict,
  organization: string | null,
): ShownDestination {
  const isNamed =
    counterparty !== null &&
    (verdict === 'REVIEW' || (organization !== null && servesOrganization(counterparty, organization)))
  return {
    onchainId: address,
    counterparty: isNamed ? { offchainId: counterparty.id, name: counterparty.context.name } : null,
    verdict,
  }
}

const NO_APPROVERS = { approvers: [], requiredApproversCount: 1 }
