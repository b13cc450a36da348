// The read models of a batch and its items.
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import type { BatchItemState } from '../../../../machines/batch-item.ts'
import type { BatchState } from '../../../../machines/batch.ts'
import { STATUS, type TransactionState } from '../../../../machines/transactions/transaction-record.ts'
import type { Platform } from '../../context/platform.ts'
import { shownObject } from './item-data.ts'
import { approvalOf, microseconds } from './transaction.ts'
import type { BatchItemModel, BatchModel, BatchResultModel } from '../../../contract/schemas/batch.ts'

export const BATCH_STATUS: Readonly<Record<BatchState, BatchModel['status']>> = {
  preparing: 'WAITING',
  prepared: 'PREPARED',
  underWay: 'UNDER_WAY',
  done: 'DONE',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
}

export const ITEM_STATUS: Readonly<Record<BatchItemState, BatchItemModel['status']>> = {
  waiting: 'WAITING',
  underWay: 'UNDER_WAY',
  done: 'DONE',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
}

export function batchModel({ id, value, context }: RecordState<'batch'>): BatchModel {
  const { operation, stopOnFailure, externalReference, items, counts, approval, organization, createdAt, endedAt } =
    context
  return {
    offchainId: id,
    operation,
    status: BATCH_STATUS[value as BatchState],
    stopOnFailure,
    externalReference,
    itemsCount: items,
    waitingCount: counts.waiting,
    underWayCount: counts.underWay,
    doneCount: counts.done,
    failedCount: counts.failed,
    cancelledCount: counts.cancelled,
    ...(approval === null ? {} : { approval: approvalOf(approval) }),
    tenantOrganizationId: organization,
    createdAt,
    endedAt,
  }
}

/** A batch in the form of a transaction result. It has no signature and no message of its own. */
export function batchResult({ engine }: Platform, id: string): BatchResultModel {
  const batch = ofKind(engine.directory.byId(id)?.committed, 'batch')
  if (batch === undefined) throw new Error(`batch ${id} is missing`)
  const { offchainId, status, approval, createdAt, endedAt } = batchModel(batch)
  return {
    success: status === 'UNDER_WAY' || status === 'DONE',
    offchainId,
    status,
    onchainId: null,
    confirmationsCount: null,
    serializedMessage: null,
    ...(approval === undefined ? {} : { approval }),
    txnTimestamp: microseconds(endedAt ?? createdAt),
  }
}

export function batchItemModel(platform: Platform, { id, value, context }: RecordState<'batchItem'>): BatchItemModel {
  const {
    batchId,
    index,
    externalReference,
    transactionId,
    members,
    problem,
    cancelledBecause,
    endedAt,
    organization,
    data,
  } = context
  return {
    offchainId: id,
    batchOffchainId: batchId,
    index,
    status: ITEM_STATUS[value as BatchItemState],
    externalReference,
    itemData: shownObject(data),
    chainTransaction: transactionId === null ? null : carrierOf(platform, transactionId),
    ...(members as Pick<BatchItemModel, 'newAccount' | 'newPosition'> | null),
    ...(problem === null ? {} : { errorCode: problem.code, errorMessage: problem.message }),
    ...(cancelledBecause === null ? {} : { cancelledBecause }),
    tenantOrganizationId: organization,
    endedAt,
  }
}

/** The transaction that carries an item or an occurrence. */
export function carrierOf({ engine }: Platform, id: string): NonNullable<BatchItemModel['chainTransaction']> {
  const transaction = ofKind(engine.directory.byId(id)?.committed, 'transaction')
  if (transaction === undefined) return { offchainId: id, onchainId: null, status: null }
  return {
    offchainId: id,
    onchainId: transaction.context.signature,
    status: STATUS[transaction.value as TransactionState],
  }
}
