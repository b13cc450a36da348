// Approval of payments that the paying organization has reviewed, through the approvals of debit limits.
import type { ApprovalEntry } from '../../../../machines/approval.ts'
import type { ReviewApproval } from '../../../../machines/organization.ts'
import { activeApiKeysKey, organizationKey } from '../../../engine/index/index-keys.ts'
import type { RecordIndex } from '../../../engine/index/record-index.ts'
import { ofKind } from '../../../engine/records/record.ts'
import { forbidden } from '../../../contract/refusal.ts'
import { servesOrganization } from '../../lookup/counterparty.ts'
import type { DestinationVerdict, Review } from './policy.ts'
import type { PaymentReviewModel } from '../../../contract/schemas/counterparty.ts'

/** Approvers of an organization that names none; more would make each transaction under review larger. */
const MAX_DEFAULT_APPROVERS = 100

/**
 * Who approves what the organization has reviewed: the keys that its `reviewApproval` names, else one of the keys with
 * the role DEBIT_LIMIT_APPROVE of the organization or of the root of its tenant. A key never approves its own request.
 */
export function reviewApprovalOf(directory: RecordIndex, organization: string): ReviewApproval {
  const state = ofKind(directory.firstOwn(organizationKey(organization))?.head, 'organization')
  if (state === undefined) return { approvers: [], requiredApproversCount: 1 }
  const { tenant, context } = state
  if (context.reviewApproval != null) return context.reviewApproval
  const approvers = directory
    .find(activeApiKeysKey(tenant))
    .flatMap(({ head }) => ofKind(head, 'apiKey')?.context ?? [])
    .filter((key) => key.organization === organization || key.organization === tenant)
    .filter(({ roles }) => roles.includes('DEBIT_LIMIT_APPROVE'))
    .map(({ keyId }) => keyId)
  return { approvers: approvers.toSorted().slice(0, MAX_DEFAULT_APPROVERS), requiredApproversCount: 1 }
}

/** Throws 403 `DESTINATION_NOT_ALLOWED` if no key may approve. */
export function reviewEntry(directory: RecordIndex, { organization, address, counterparty }: Review): ApprovalEntry {
  const { approvers, requiredApproversCount } = reviewApprovalOf(directory, organization)
  const {
    id,
    context: { name },
  } = counterparty
  if (approvers.length === 0)
    throw forbidden(
      'DESTINATION_NOT_ALLOWED',
      `${address} of the counterparty ${name} is under review, and ${organization} has no keys that may approve`,
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
