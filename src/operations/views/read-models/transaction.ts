// The chain transaction result (interface 2.10) and the transaction record (completion 4).
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import {
  fewestApprovers,
  isReviewEntry,
  isScreeningEntry,
  wordsThatStand,
  type Approval,
  type ApprovalEntry,
} from '../../../../machines/approval.ts'
import type { AccountRef } from '../../../../machines/holding.ts'
import { isSuccess, STATUS, type TransactionState } from '../../../../machines/transaction-record.ts'
import type { JsonObject, JsonValue } from '../../../contract/call.ts'
import type { Platform } from '../../context/platform.ts'
import type { DetailLevel } from './account.ts'
import { networkAmountOf, rawJson } from './amounts.ts'

export function transactionResult(platform: Platform, id: string): JsonObject {
  const entry = platform.engine.directory.byId(id)
  const transaction = entry?.committed === undefined ? undefined : ofKind(entry.committed, 'transaction')
  if (transaction === undefined) throw new Error(`transaction ${id} is not there`)
  return resultOf(transaction)
}

export function resultOf(transaction: RecordState<'transaction'>): JsonObject {
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
 * The approval: the exceeded limits and the policies that ask for it, an estimate of the fewest keys that can give it,
 * and the number of keys that have approved every entry of which they are approvers.
 */
export function approvalOf(approval: Approval): JsonObject {
  const { entries, expiresAt } = approval
  const shown = (which: (entry: ApprovalEntry) => boolean) =>
    entries.filter(which).map((entry) => entry.shown as JsonValue)
  const [reviews, screenings] = [shown(isReviewEntry), shown(isScreeningEntry)]
  return {
    entries: shown((entry) => entry.policy === undefined && !isReviewEntry(entry) && !isScreeningEntry(entry)),
    policies: shown(({ policy }) => policy !== undefined),
    ...(reviews.length === 0 ? {} : { reviews }),
    ...(screenings.length === 0 ? {} : { screenings }),
    required: fewestApprovers(entries),
    given: wordsThatStand(approval),
    expiresAt,
  }
}

export function transactionRecord(transaction: RecordState<'transaction'>): JsonObject {
  const { context } = transaction
  const { fixed } = context
  return {
    ...resultOf(transaction),
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
    history: context.history as unknown as JsonValue,
  }
}

export function idsOf(reference: AccountRef): JsonObject {
  return { onchainId: reference.address, offchainId: reference.id }
}

/** ISO 8601 in UTC with six decimals of a second, as the interface renders transaction times. */
export function microseconds(iso: string): string {
  return iso.replace(/\.(\d{3})Z$/, '.$1000Z')
}

/** A transaction at the three levels of bulk queries. */
export function transactionModel(transaction: RecordState<'transaction'>, level: DetailLevel = 'detailed'): JsonObject {
  switch (level) {
    case 'identifiers':
      return {
        offchainId: transaction.id,
        onchainId: transaction.context.signature,
        tenantOrganizationId: transaction.context.fixed.organization,
      }
    case 'compact':
      return {
        ...resultOf(transaction),
        externalReference: transaction.context.fixed.externalReference ?? null,
        tenantOrganizationId: transaction.context.fixed.organization,
      }
    case 'detailed':
      return transactionRecord(transaction)
  }
}
