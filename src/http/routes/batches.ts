// The endpoints of batches: a page of routes.ts.
import { BATCH_ITEMS, BATCHES } from '../../operations/views/bulk/batches.ts'
import { approveBatch, rejectBatch } from '../../operations/batches/approve-batch.ts'
import { cancelBatch, retryBatch } from '../../operations/batches/change-batch.ts'
import { createBatch } from '../../operations/batches/create-batch.ts'
import { batchDetails, fetchBatches, fetchBatchItems } from '../../operations/batches/read.ts'
import { group, read, write, type Route } from '../route.ts'
import * as answers from '../../contract/schemas/answers.ts'
import * as batches from '../../contract/schemas/batch.ts'
import { MAX_BATCH_BYTES } from '../body/read.ts'
import { bulkBody, partsBody } from '../../contract/values/bulk.ts'
import { itemBody } from '../../contract/values/chain-config.ts'

/** The operation of a batch decides which of the writing roles is needed. */
export const BATCH_ROUTES: readonly Route[] = group(
  {
    tag: 'Batches',
    path: '/api/v1/batches',
    alsoBare: true,
    reads: ['TRANSACTIONS_READ'],
    writes: ['POSITIONS_WRITE', 'ACCOUNTS_WRITE'],
  },
  [
    write({
      method: 'POST',
      path: '',
      summary: 'Create a batch',
      schema: batches.newBatchBody,
      operation: createBatch,
      status: 201,
      transaction: 'always',
      maxBodyBytes: MAX_BATCH_BYTES,
      answer: batches.createdBatch,
      dryRunAnswer: batches.batchDryRun,
    }),
    read({
      path: '/single',
      summary: 'Fetch a batch',
      schema: itemBody(batches.batchReference),
      operation: batchDetails,
      answer: batches.batch,
    }),
    read({
      path: '/items/bulk',
      alsoBare: true,
      summary: 'Fetch items of batches',
      schema: partsBody(BATCH_ITEMS, batches.batchReference),
      operation: fetchBatchItems,
      answer: answers.page(batches.batchItem),
    }),
    read({
      path: '/bulk',
      summary: 'Fetch batches',
      schema: bulkBody(BATCHES),
      operation: fetchBatches,
      answer: answers.page(batches.batch),
    }),
    write({
      method: 'PATCH',
      path: '/cancel',
      summary: 'Cancel the waiting items of a batch',
      schema: itemBody(batches.batchReference),
      operation: cancelBatch,
      status: 200,
      transaction: 'never',
      answer: batches.cancelledBatch,
    }),
    write({
      method: 'PATCH',
      path: '/retry',
      summary: 'Retry the failed items of a batch',
      schema: itemBody(batches.batchReference),
      operation: retryBatch,
      status: 200,
      transaction: 'never',
      answer: batches.retriedBatch,
    }),
    write({
      method: 'PATCH',
      path: '/approve',
      summary: 'Approve a batch',
      roles: ['DEBIT_LIMIT_APPROVE'],
      schema: itemBody(batches.batchReference),
      operation: approveBatch,
      status: 200,
      transaction: 'never',
      answer: batches.approvedBatch,
    }),
    write({
      method: 'PATCH',
      path: '/reject',
      summary: 'Reject a batch that waits for approval',
      roles: ['DEBIT_LIMIT_APPROVE'],
      schema: itemBody(batches.batchReference),
      operation: rejectBatch,
      status: 200,
      transaction: 'never',
      answer: batches.rejectedBatch,
    }),
  ],
)
