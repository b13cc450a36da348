// Descriptions of batches and their items.
import type { Descriptions } from './describe.ts'

export const BATCHES: Descriptions = {
  'NewBatch.operation': 'Operation that every item is made with.',
  'NewBatch.items':
    'The `itemData` of the operation, 1 to 10000 times. All items are checked before the first is' +
    ' made; the' +
    ' problems of all of them are reported together, with pointers. An `idempotencyId` or a private key is rejected.',
  newBatch: 'Id of the created batch.',
  cancelledBatch: 'Id of the batch whose waiting items are cancelled.',
  approvedBatch: 'Id of the batch that the key has approved.',
  rejectedBatch: 'Id of the batch that the key has rejected.',
  retriedBatch: 'Id of the batch whose failed items are attempted again.',
  'Batch.operation': 'Operation that every item is made with.',
  stopOnFailure:
    'True: the items are made in order, the next ones when the transaction before is confirmed without an error; when' +
    ' an item fails, all items that are not made yet are cancelled.',
  itemsCount: 'Number of items.',
  waitingCount: 'Number of items in the status WAITING.',
  underWayCount: 'Number of items in the status UNDER_WAY.',
  doneCount: 'Number of items in the status DONE.',
  failedCount: 'Number of items in the status FAILED.',
  cancelledCount: 'Number of items in the status CANCELLED.',
  endedAt: 'Time of the end, ISO 8601 in UTC; null: not ended.',
  batchOffchainId: 'Id of the batch, a UUID.',
  'BatchItem.status':
    'WAITING: not begun; UNDER_WAY: its transaction exists; DONE: its transaction is final, or' +
    ' none was needed;' +
    ' FAILED: provably not made; CANCELLED.',
  'BatchItem.itemData': 'The item as it was requested, after validation.',
  'BatchItem.chainTransaction.status': 'Status of the transaction; null: not known.',
  errorCode: 'Code of the problem that the item failed with. Absent: it did not fail.',
  'BatchItem.errorMessage': 'Why the item failed. Absent: it did not fail.',
  cancelledBecause:
    'REQUESTED: by request; FAILURE: another item failed; REJECTED: an approver rejected the' +
    ' batch; LAPSED: the batch was not approved in time. Absent: not cancelled.',
  'BatchDryRun.dryRun': 'What the batch would do. Nothing was changed.',
  transactionsCount: 'Number of transactions that the items would be made in.',
  'BatchDryRun.dryRun.feeLamports': 'Fees of all transactions, in lamports.',
  rentLamports: 'Rent of the accounts that the items would create, in lamports.',
}
