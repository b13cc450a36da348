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

type ReviewersOfOrganization = Pick<ApprovalEntry, 'approvers' | 'required' | 'holders'>

/** Who approves what the organizations have reviewed. Looks each organization up once: a batch has many payments. */
export class Reviewers {
  readonly #request: ReviewedRequest
  readonly #found = new Map<string, ReviewersOfOrganization | null>()

  constructor(request: ReviewedRequest) {
    this.#request = request
  }

  /**
   * The keys that the organization's `reviewApproval` names, else one key that holds the role when it approves. A key
   * never approves its own request. null: the other keys are fewer than required.
   */
  of(organization: string): ReviewersOfOrganization | null {
    const known = this.#found.get(organization)
    if (known !== undefined) return known
    const found = this.#find(organization)
    this.#found.set(organization, found)
    return found
  }

  #find(organization: string): ReviewersOfOrganization | null {
    const { directory, now, requesters } = this.#request
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
}

/** Throws 403 `DESTINATION_NOT_ALLOWED` if no other key may approve. */
export function reviewEntry(reviewers: Reviewers, review: Review): ApprovalEntry {
  const { organization, address, counterparty } = review
  const {
    id,
    context: { name },
  } = counterparty
  const found = reviewers.of(organization)
  if (found === null)
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
  return { limit: reviewSubject(review), ...found, shown }
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
