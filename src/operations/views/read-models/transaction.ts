// The chain transaction result and the transaction record.
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import {
  fewestApprovers,
  isReviewEntry,
  isScreeningEntry,
  countCompleteApprovals,
  type Approval,
  type ApprovalEntry,
} from '../../../../machines/approval.ts'
import type { AccountRef } from '../../../../machines/holding.ts'
import { isSuccess, STATUS, type TransactionState } from '../../../../machines/transactions/transaction-record.ts'
import type { PaymentReviewModel, ScreeningReviewModel } from '../../../contract/schemas/counterparty.ts'
import type { LimitVerdictModel } from '../../../contract/schemas/limit-answers.ts'
import type { Call } from '../../../contract/call.ts'
import type { Context } from '../../context/platform.ts'
import { networkAmountOf, rawJson } from './amounts.ts'
import { extended } from './extended.ts'
import type { IdsOrNull, TransactionResultModel } from '../../../contract/schemas/answers.ts'
import type { ApprovalModel, CoveringModel } from '../../../contract/schemas/approval-answers.ts'
import type { TransactionRecordModel } from '../../../contract/schemas/transaction-answers.ts'
import type { TransactionModels } from '../../../contract/schemas/levels.ts'

/** The result of a recorded transaction, as the caller may see it. */
export function transactionResult({ platform, call }: Context, id: string): TransactionResultModel {
  const entry = platform.engine.directory.byId(id)
  const transaction = entry?.committed === undefined ? undefined : ofKind(entry.committed, 'transaction')
  if (transaction === undefined) throw new Error(`transaction ${id} is missing`)
  return resultOf(seenByTenant(call, transaction))
}

/** States in which an error is the reason of the tenant or of its signers, and not the chain's. */
const INTERNAL_ERRORS: ReadonlySet<string> = new Set<TransactionState>(['nonBlockchainError', 'cancelled'])

/**
 * Another tenant that is asked to sign learns what the message does, and what the chain says of it. Limits, policies,
 * counterparties under review, approvers and reasons of the tenant that made the transaction are hidden.
 */
export function seenByTenant(
  { tenant }: Pick<Call, 'tenant'>,
  transaction: RecordState<'transaction'>,
): RecordState<'transaction'> {
  if (transaction.tenant === tenant) return transaction
  const { value, context } = transaction
  const history = context.history.map((entry) => ({ ...entry, detail: null }))
  const error = INTERNAL_ERRORS.has(value) ? null : context.error
  return { ...transaction, context: { ...context, history, error, approval: null } }
}

export function resultOf(transaction: RecordState<'transaction'>): TransactionResultModel {
  const { context } = transaction
  const value = transaction.value as TransactionState
  return {
    success: isSuccess(value, context),
    offchainId: transaction.id,
    status: STATUS[value],
    onchainId: context.signature,
    confirmationsCount: context.confirmations,
    serializedMessage: context.fixed.message,
    ...(context.error === null ? {} : { errorMessage: context.error }),
    ...(context.approval === null ? {} : { approval: approvalOf(context.approval) }),
    txnTimestamp: microseconds(context.history.at(-1)?.at ?? context.fixed.preparedAt),
  }
}

/**
 * The approval: the exceeded limits and the policies that require it, an estimate of the smallest number of keys that
 * suffices, and the number of keys that have approved every entry of which they are approvers.
 */
export function approvalOf(approval: Approval): ApprovalModel {
  const { entries, expiresAt } = approval
  // The model from the time of the request for approval.
  const shown = <Model>(which: (entry: ApprovalEntry) => boolean) =>
    entries.filter(which).map((entry) => entry.shown as Model)
  const reviews = shown<PaymentReviewModel>(isReviewEntry)
  const screenings = shown<ScreeningReviewModel>(isScreeningEntry)
  return {
    entries: shown<LimitVerdictModel>(
      (entry) => entry.policy === undefined && !isReviewEntry(entry) && !isScreeningEntry(entry),
    ),
    policies: shown<CoveringModel>(({ policy }) => policy !== undefined),
    ...(reviews.length === 0 ? {} : { reviews }),
    ...(screenings.length === 0 ? {} : { screenings }),
    required: fewestApprovers(entries),
    given: countCompleteApprovals(approval),
    expiresAt,
  }
}

export function transactionRecord(
  transaction: RecordState<'transaction'>,
): Omit<TransactionRecordModel, 'feePayerName' | 'movements'> {
  const { context } = transaction
  const { fixed } = context
  return extended(resultOf(transaction), {
    fee: networkAmountOf(fixed.fee),
    feePayer: idsOf(fixed.feePayer),
    accounts: fixed.accounts.map(idsOf),
    messageLifetimeStrategy: fixed.lifetime,
    recentBlockhash: fixed.blockhash,
    lastValidBlockHeight: fixed.lastValidBlockHeight,
    nonceAccount: fixed.nonceAccount === null ? null : idsOf(fixed.nonceAccount),
    transactionVersion: fixed.version,
    computeUnitsConsumed: context.computeUnitsConsumed,
    computeUnitsLimit: fixed.computeUnitsLimit,
    computeUnitPrice: fixed.computeUnitPrice === null ? null : rawJson(fixed.computeUnitPrice),
    instructions: fixed.instructions,
    endpoint: fixed.endpoint,
    externalReference: fixed.externalReference ?? null,
    ...(fixed.itemReferences === undefined ? {} : { itemReferences: fixed.itemReferences }),
    blockTime: context.blockTime === null ? null : new Date(context.blockTime * 1000).toISOString(),
    slot: context.slot,
    preparedAt: fixed.preparedAt,
    tenantOrganizationId: fixed.organization,
    history: context.history,
  })
}

export function idsOf(reference: AccountRef): IdsOrNull {
  return { onchainId: reference.address, offchainId: reference.id }
}

const MILLISECONDS = '2026-11-26T05:01:51.353Z'

/** ISO 8601 in UTC with six decimals of a second, as the interface renders transaction times. */
export function microseconds(iso: string): string {
  return iso.length === MILLISECONDS.length && iso.endsWith('Z') ? `${iso.slice(0, -1)}000Z` : iso
}

export function transactionIdentifiers({ id, context }: RecordState<'transaction'>): TransactionModels['identifiers'] {
  return { offchainId: id, onchainId: context.signature, tenantOrganizationId: context.fixed.organization }
}

export function transactionCompact(transaction: RecordState<'transaction'>): TransactionModels['compact'] {
  const { externalReference = null, organization } = transaction.context.fixed
  return extended(resultOf(transaction), { externalReference, tenantOrganizationId: organization })
}
