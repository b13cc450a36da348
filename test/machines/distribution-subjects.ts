// Distributions for tests of their machine.
import type { DistributionContext } from '../../machines/distribution.ts'
import { AT } from './records.ts'

export const distribution: DistributionContext = {
  organization: 'ACME',
  endpoint: 'POST /api/v1/distributions',
  requestId: 'r1',
  requester: {
    keyId: 'key1',
    organization: 'ACME',
    tenant: 'ACME',
    system: false,
    roles: ['POSITIONS_WRITE'],
    clusters: null,
  },
  instrument: { address: 'Mint111', id: 'mint' },
  recordAt: AT,
  source: { owner: { onchainId: 'Wallet111' } },
  payout: { instrument: null, total: '12.5', perUnit: null },
  excluded: ['Issuer111'],
  minimum: null,
  config: null,
  externalReference: 'coupon',
  parts: null,
  batches: [],
  problem: null,
  createdAt: AT,
  endedAt: null,
}

const parts = { holders: 3, paid: 2, total: '100', remainder: '1', computedAt: AT }

export const DISTRIBUTION_SUBJECTS = {
  distribution: {
    inputs: [{ distribution }],
    states: ['waiting', 'paying', 'done', 'failed', 'cancelled'],
    alphabet: [
      { type: 'command.compute', parts },
      { type: 'command.pay', batchId: 'batch-1', place: 0 },
      { type: 'command.pay', batchId: 'batch-2', place: 1 },
      { type: 'command.fail', problem: { code: 'INSUFFICIENT_BALANCE', message: 'too little' }, at: AT },
      ...['done', 'failed', 'cancelled'].map((outcome) => ({ type: 'command.finish', outcome, at: AT })),
      { type: 'command.cancel', at: AT },
    ],
  },
}
