// Approval of payments that the paying organization has reviewed, through the approvals of debit limits.
import type { ApprovalEntry, HolderScope } from '../../../../machines/approval.ts'
import { organizationKey } from '../../../engine/index/index-keys.ts'
import type { RecordIndex } from '../../../engine/index/record-index.ts'
import { ofKind } from '../../../engine/records/record.ts'
import { forbidden } from '../../../contract/refusal.ts'
import { servesOrganization } from '../../lookup/counterparty.ts'
import { approvalHolders } from '../../lookup/approvers.ts'
import type { DestinationVerdict, Review } from './policy.ts'
import type { PaymentReviewModel } from '../../../contract/schemas/counterparty.ts'

/** Stored holders of the role, as an estimate; more would make each transaction under review larger. */
const MAX_STORED_HOLDERS = 100

/** A request that may have to wait for an approval. */
export interface ReviewedRequest {
  readonly directory: RecordIndex
  /** Unix milliseconds. */
  readonly now: number
  /** Key ids, whose own approvals do not count. */
  readonly requesters: readonly string[]
}

/**
 * Who approves what the organization has reviewed: the keys that its `reviewApproval` names, else one key that holds
 * the role when it approves. A key never approves its own request. null: the other keys are fewer than required.
 */
export function reviewersOf(
  { directory, now, requesters }: ReviewedRequest,
  organization: string,
): Pick<ApprovalEntry, 'approvers' | 'required' | 'holders'> | null {
  const state = ofKind(directory.firstOwn(organizationKey(organization))?.head, 'organization')
  if (state === undefined) return null
  const named = state.context.reviewApproval ?? null
  const scope: HolderScope = { tenant: state.tenant, organization, askedAt: new Date(now).toISOString() }
  const approvers = named?.approvers ?? approvalHolders(directory, scope, now)
  const required = Math.max(1, named?.requiredApproversCount ?? 1)
  if (approvers.filter((keyId) => !requesters.includes(keyId)).length < required) return null
  return named === null
    ? { approvers: approvers.slice(0, MAX_STORED_HOLDERS), required, holders: scope }
    : { approvers, required }
}

/** Throws 403 `DESTINATION_NOT_ALLOWED` if no other key may approve. */
export function reviewEntry(request: ReviewedRequest, review: Review): ApprovalEntry {
  const { organization, address, counterparty } = review
  const {
    id,
    context: { name },
  } = counterparty
  const reviewers = reviewersOf(request, organization)
  if (reviewers === null)
    throw forbidden(
      'DESTINATION_NOT_ALLOWED',
      `${address} of the counterparty ${name} is under review, and ${organization} has no other keys that may approve`,
      '/itemData',
    )
  const shown: PaymentReviewModel = {
    onchainId: address,
    organizationExternalId: organization,
    counterparty: { offchainId: id, name },
  }
  return { limit: reviewSubject(review), ...reviewers, shown }
}

/** Identifies what is approved, as `approvedSubject` does: the name of the counterparty may change meanwhile. */
export function reviewSubject({ organization, address, counterparty: { id } }: Review): string {
  return JSON.stringify({
    onchainId: address,
    organizationExternalId: organization,
    counterparty: { offchainId: id },
  })
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
