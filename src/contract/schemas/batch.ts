// Batches: up to 10,000 items of one operation, and what is shown of them.
import { z } from 'zod'
import { CANCELLED_BECAUSE } from '../../../machines/batch-item.ts'
import { BATCH_OPERATIONS, MAX_BATCH_ITEMS, type BatchOperation } from '../../../machines/batch.ts'
import { ids, transactionResult } from './answers.ts'
import { chainTransactionConfig, tenancyConfig } from '../values/chain-config.ts'
import { externalReference, withExternalReference } from '../values/external-reference.ts'
import { uuid } from '../values/identity.ts'
import { limitVerdict } from './limit-answers.ts'
import { accountToCreate } from './new-account.ts'
import { membersOfAny } from '../values/of-operation.ts'
import * as positions from './position.ts'
import type { ModelOf, OutputOf } from '../values/validated.ts'

const members = {
  stopOnFailure: z
    .boolean()
    .meta({
      default: false,
      description:
        'True: the items are made in order, with one transaction at a time, and when an item fails, all items that are' +
        ' not made yet are cancelled. False: an item that fails does not affect the others, which have no order.',
    })
    .optional(),
  externalReference: externalReference.optional(),
}

const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(MAX_BATCH_ITEMS)

/** Members of every batch; the items are those of the operation. */
function batchOf<Operation extends BatchOperation, Item extends z.ZodType>(operation: Operation, item: Item) {
  return z.strictObject({
    operation: z.enum([operation]),
    items: listOf(withExternalReference(item)),
    ...members,
  })
}

const newBatch = z
  .discriminatedUnion('operation', [
    batchOf('TRANSFER', positions.transfer),
    batchOf('TRANSFER_NETWORK_CURRENCY', positions.transferNetworkCurrency),
    batchOf('MINT', positions.mint),
    batchOf('BURN', positions.burn),
    batchOf('FREEZE', positions.switchPosition),
    batchOf('UNFREEZE', positions.switchPosition),
    batchOf('CREATE_ACCOUNT', accountToCreate),
    batchOf('INITIALIZE_POSITION', positions.newPosition),
  ])
  .check(
    membersOfAny(
      BATCH_OPERATIONS,
      z.strictObject({ operation: z.unknown().optional(), items: listOf(z.looseObject({})), ...members }),
    ),
  )
  .meta({ id: 'NewBatch', description: 'Items have neither an idempotencyId nor a private key.' })
export type NewBatchInput = OutputOf<typeof newBatch>

export const newBatchBody = z.strictObject({
  itemData: newBatch,
  chainTransactionConfig: chainTransactionConfig.optional(),
  tenancyConfig: tenancyConfig.optional(),
})

export const batchReference = z.strictObject({ offchainId: uuid }).meta({ id: 'BatchReference' })
export type BatchReference = OutputOf<typeof batchReference>

const number = z.union([z.number(), z.string()])
const text = z.string().nullable()
const time = z.iso.datetime().nullable()
const id = z.object({ offchainId: z.uuid() })

export const createdBatch = z.object({ newBatch: id })
export const cancelledBatch = z.object({ cancelledBatch: id })
export const retriedBatch = z.object({ retriedBatch: id })
export const approvedBatch = z.object({ approvedBatch: id })
export const rejectedBatch = z.object({ rejectedBatch: id })

const { approval } = transactionResult.shape

export const batch = z
  .object({
    offchainId: z.uuid(),
    operation: z.enum(BATCH_OPERATIONS),
    status: z
      .enum(['WAITING', 'PREPARED', 'UNDER_WAY', 'DONE', 'FAILED', 'CANCELLED'])
      .meta({ description: 'PREPARED: it waits for approval. FAILED: every item has ended, and some failed.' }),
    stopOnFailure: z.boolean(),
    externalReference: text,
    itemsCount: z.int(),
    waitingCount: z.int(),
    underWayCount: z.int(),
    doneCount: z.int(),
    failedCount: z.int(),
    cancelledCount: z.int(),
    approval,
    tenantOrganizationId: z.string(),
    createdAt: z.iso.datetime(),
    endedAt: time,
  })
  .meta({ id: 'Batch' })
export type BatchModel = ModelOf<typeof batch>

/** What the endpoints of transactions answer to the id of a batch. */
export const batchResult = z
  .object({
    success: z.boolean().meta({ description: 'True once it is under way, unless it ended as FAILED or CANCELLED.' }),
    offchainId: z.uuid(),
    status: batch.shape.status,
    onchainId: z.null(),
    confirmationsCount: z.null(),
    serializedMessage: z.null().meta({ description: 'A batch has no message of its own.' }),
    approval,
    txnTimestamp: z.iso.datetime().meta({ description: 'When the batch ended, else when it was created.' }),
    approvedBatch: id.optional(),
    rejectedBatch: id.optional(),
    cancelledBatch: id.optional(),
  })
  .meta({
    id: 'BatchResult',
    description: 'Of a batch: the members of a transaction result. The transactions are those of its items.',
  })
export type BatchResultModel = ModelOf<typeof batchResult>

export const batchItem = z
  .object({
    offchainId: z.uuid(),
    batchOffchainId: z.uuid(),
    index: z.int().meta({ description: 'Place in the request, from 0.' }),
    status: z.enum(['WAITING', 'UNDER_WAY', 'DONE', 'FAILED', 'CANCELLED']),
    externalReference: text,
    itemData: z.looseObject({}),
    chainTransaction: z
      .object({ offchainId: z.uuid(), onchainId: text, status: text })
      .nullable()
      .meta({ description: 'Of the latest attempt; other items may share it.' }),
    newAccount: ids.optional(),
    newPosition: ids.optional(),
    errorCode: z.string().optional(),
    errorMessage: z.string().optional(),
    cancelledBecause: z.enum(CANCELLED_BECAUSE).optional(),
    tenantOrganizationId: z.string(),
    endedAt: time,
  })
  .meta({ id: 'BatchItem' })
export type BatchItemModel = ModelOf<typeof batchItem>

export const batchDryRun = z
  .object({
    dryRun: z.object({
      itemsCount: z.int(),
      transactionsCount: z.int(),
      feeLamports: number,
      rentLamports: number,
      limits: z.array(limitVerdict).meta({ description: 'The verdict of each debit limit on the whole batch.' }),
    }),
  })
  .meta({ id: 'BatchDryRun', description: 'What the batch would come to.' })
export type BatchDryRunModel = ModelOf<typeof batchDryRun>
