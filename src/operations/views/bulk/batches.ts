// Fields of bulk queries over batches and their items.
import type { BatchItemState } from '../../../../machines/batch-item.ts'
import { BATCH_OPERATIONS, type BatchState } from '../../../../machines/batch.ts'
import type { Resource } from '../../../engine/query/field.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import { BATCH_STATUS, ITEM_STATUS } from '../read-models/batch.ts'
import { AWAITS_APPROVAL_BY } from './awaiting.ts'
import { ownRecords } from './own-records.ts'
import { shortRows } from './short-rows.ts'

export const BATCHES: Resource<RecordState<'batch'>> = {
  fields: [
    { name: 'offchainId', type: 'OFFCHAIN_ID', read: ({ id }) => id },
    { name: 'operation', type: 'TEXT', values: BATCH_OPERATIONS, read: ({ context }) => context.operation },
    {
      name: 'status',
      type: 'TEXT',
      values: Object.values(BATCH_STATUS),
      read: ({ value }) => BATCH_STATUS[value as BatchState],
    },
    { name: 'stopOnFailure', type: 'BOOLEAN', read: ({ context }) => context.stopOnFailure },
    { name: 'externalReference', type: 'TEXT', nullable: true, read: ({ context }) => context.externalReference },
    { name: 'itemsCount', type: 'NUMBER', read: ({ context }) => context.items },
    { name: 'failedCount', type: 'NUMBER', read: ({ context }) => context.counts.failed },
    AWAITS_APPROVAL_BY,
    { name: 'createdAt', type: 'TIMESTAMP', read: ({ context }) => context.createdAt },
    { name: 'endedAt', type: 'TIMESTAMP', nullable: true, read: ({ context }) => context.endedAt },
  ],
  defaultSort: [{ fieldName: 'createdAt', sortDirection: 'DESC' }],
  id: ({ id }) => id,
}

export const BATCH_ITEMS: Resource<RecordState<'batchItem'>> = {
  fields: [
    { name: 'offchainId', type: 'OFFCHAIN_ID', read: ({ id }) => id },
    { name: 'batchOffchainId', type: 'OFFCHAIN_ID', read: ({ context }) => context.batchId },
    { name: 'index', type: 'NUMBER', read: ({ context }) => context.index },
    {
      name: 'status',
      type: 'TEXT',
      values: Object.values(ITEM_STATUS),
      read: ({ value }) => ITEM_STATUS[value as BatchItemState],
    },
    { name: 'externalReference', type: 'TEXT', nullable: true, read: ({ context }) => context.externalReference },
    {
      name: 'transactionOffchainId',
      type: 'OFFCHAIN_ID',
      nullable: true,
      read: ({ context }) => context.transactionId,
    },
    { name: 'errorCode', type: 'TEXT', nullable: true, read: ({ context }) => context.problem?.code ?? null },
    { name: 'endedAt', type: 'TIMESTAMP', nullable: true, read: ({ context }) => context.endedAt },
  ],
  defaultSort: [
    { fieldName: 'batchOffchainId', sortDirection: 'ASC' },
    { fieldName: 'index', sortDirection: 'ASC' },
  ],
  id: ({ id }) => id,
}

export const BATCH_SOURCE = ownRecords(
  'batch',
  BATCHES,
  shortRows('batch', 'createdAt', [
    'operation',
    'stopOnFailure',
    'externalReference',
    'items',
    'counts',
    'createdAt',
    'endedAt',
  ]),
)

export const BATCH_ITEM_SOURCE = ownRecords(
  'batchItem',
  BATCH_ITEMS,
  shortRows('batchItem', 'endedAt', ['batchId', 'index', 'externalReference', 'transactionId', 'problem', 'endedAt']),
)
