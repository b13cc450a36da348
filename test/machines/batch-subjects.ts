// Batches and their items for tests of their machines.
import type { BatchItemContext } from '../../machines/batch-item.ts'
import type { BatchContext } from '../../machines/batch.ts'
import { approval, AT } from './records.ts'

export const batch: BatchContext = {
  organization: 'ACME',
  endpoint: 'POST /api/v1/batches',
  requestId: 'r1',
  requester: {
    keyId: 'key1',
    organization: 'ACME',
    tenant: 'ACME',
    system: false,
    roles: ['POSITIONS_WRITE'],
    clusters: null,
  },
  operation: 'TRANSFER',
  config: null,
  stopOnFailure: false,
  externalReference: 'coupon',
  items: 3,
  counts: { waiting: 3, underWay: 0, done: 0, failed: 0, cancelled: 0 },
  sweep: null,
  approval: null,
  createdAt: AT,
  endedAt: null,
}

export const batchItem: BatchItemContext = {
  batchId: 'batch-1',
  organization: 'ACME',
  index: 0,
  data: { lamports: '1' },
  externalReference: 'holder 1',
  transactionId: null,
  members: null,
  problem: null,
  cancelledBecause: null,
  earlier: [],
  endedAt: null,
}

const countEvent = (type: string, items: number) => ({ type, items, at: AT })
const problem = { code: 'EXPIRED', message: 'too late' }

export const BATCH_SUBJECTS = {
  batch: {
    inputs: [
      { batch },
      { batch: { ...batch, items: 1, stopOnFailure: true, counts: { ...batch.counts, waiting: 1 } } },
    ],
    states: ['preparing', 'prepared', 'underWay', 'done', 'failed', 'cancelled'],
    alphabet: [
      { type: 'command.start', approval: null, at: AT },
      { type: 'command.start', approval, at: AT },
      { type: 'command.abandon', at: AT },
      ...[...approval.entries[0]!.approvers, 'key9'].flatMap((keyId) =>
        [true, false].map((complete) => ({ type: 'command.approve', keyId, complete, at: AT })),
      ),
      ...[1, 3, 4].map((items) => countEvent('command.begin', items)),
      ...['command.make', 'command.fail', 'chain.done', 'chain.failed', 'chain.split'].flatMap((type) => [
        countEvent(type, 1),
        countEvent(type, 2),
      ]),
      { type: 'command.cancel', because: 'REQUESTED', at: AT },
      { type: 'command.retry', requester: batch.requester },
      { ...countEvent('command.sweep', 1), from: 'waiting', to: 'cancelled' },
      { ...countEvent('command.sweep', 3), from: 'waiting', to: 'cancelled' },
      { ...countEvent('command.sweep', 1), from: 'failed', to: 'waiting' },
      { ...countEvent('command.sweep', 1), from: 'cancelled', to: 'waiting' },
      { type: 'command.swept', at: AT },
    ],
  },
  batchItem: {
    inputs: [{ item: batchItem }],
    states: ['waiting', 'underWay', 'done', 'failed', 'cancelled'],
    alphabet: [
      { type: 'command.begin', transactionId: 'tx-1', members: {} },
      { type: 'command.begin', transactionId: 'tx-2', members: {} },
      { type: 'command.make', members: { newAccount: { onchainId: 'a', offchainId: 'b' } }, at: AT },
      { type: 'command.fail', problem, at: AT },
      ...['REQUESTED', 'FAILURE'].map((because) => ({ type: 'command.cancel', because, at: AT })),
      { type: 'command.retry' },
      ...['tx-1', 'tx-2'].flatMap((transactionId) => [
        { type: 'chain.done', transactionId, at: AT },
        { type: 'chain.failed', transactionId, problem, at: AT },
        { type: 'chain.split', transactionId, at: AT },
      ]),
    ],
  },
}
