// The destinations of a transaction that already carries a signature of this service, evaluated again before the next
// signature and before it is sent: an address may have been blocked since.
import { approvedSubject } from '../../../../machines/approval.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import type { Platform } from '../../context/platform.ts'
import { forbidden } from '../../../contract/refusal.ts'
import { checkOwnerPays } from '../destinations/of-owner.ts'
import { reviewSubject } from '../destinations/review.ts'
import { decideScreening } from '../screening/question.ts'
import { inputsOfRecord, type RecordedInputs } from './again.ts'
import { destinationsOf, isGiven } from './enforce.ts'

/**
 * A transaction that is signed cannot wait: a payment under review needs the approval that it already has. Tenants that
 * countersigned decide about payments of their accounts again, too; those of other cells are asked by
 * `transactions/signing/owners-elsewhere.ts`.
 * Throws 403 `DESTINATION_NOT_ALLOWED`.
 */
export function checkStillAllowed(
  platform: Platform,
  transaction: RecordState<'transaction'>,
  inputs: RecordedInputs,
): void {
  checkCountersigners(platform, transaction, inputs)
  const { reviews } = destinationsOf(inputsOfRecord(platform, transaction, inputs))
  const { approval } = transaction.context
  const approved = new Set(
    approval !== null && isGiven(platform, approval) ? approval.entries.map(approvedSubject) : [],
  )
  const unapproved = reviews.find((review) => !approved.has(reviewSubject(review)))
  if (unapproved === undefined) return
  const { address, counterparty } = unapproved
  throw forbidden(
    'DESTINATION_NOT_ALLOWED',
    `${address} of the counterparty ${counterparty.context.name} is under review, and the transaction was signed without that approval`,
    '/itemData',
  )
}

function checkCountersigners(
  platform: Platform,
  { cluster, context }: RecordState<'transaction'>,
  inputs: RecordedInputs,
): void {
  const { countersigners = [] } = context
  for (const owner of new Set(countersigners.map(({ tenant }) => tenant))) {
    if (!platform.engine.owns(owner)) continue
    const consenting = countersigners.filter(({ tenant }) => tenant === owner).flatMap(({ addresses }) => addresses)
    checkOwnerPays(platform, owner, { ...inputs, cluster, organization: null, consenting })
  }
}

/** Throws 403 `SCREENING_DENIED`, and `Needs` for an answer that is missing. */
export function checkStillScreened(
  platform: Platform,
  transaction: RecordState<'transaction'>,
  inputs: RecordedInputs,
  intent: string,
): void {
  const { approval } = transaction.context
  const requesters = approval?.requesters ?? [transaction.context.fixed.requestedBy]
  const { entries } = decideScreening(inputsOfRecord(platform, transaction, inputs), { intent, requesters })
  const isApproved = approval !== null && approval.intent === intent && isGiven(platform, approval)
  const approved = new Set(isApproved ? approval.entries.map(({ limit }) => limit) : [])
  if (entries.every(({ limit }) => approved.has(limit))) return
  throw forbidden(
    'SCREENING_DENIED',
    'the payment is to be reviewed, and the transaction was signed without that approval',
    '/itemData',
  )
}
