// Methods about the node and the cluster. The cluster is one node that leads every slot, without votes or stakes, and
// the responses reflect that.

import type { Bank } from '../../contract.ts'
import { API_VERSION, viewAt, withContext } from '../context.ts'
import { invalidParams, noSnapshot } from '../error.ts'
import { addressOf, arrayOf, configAt, countOf, requireCount } from '../params.ts'
import type { MethodTable } from '../method.ts'

const MAX_SLOT_LEADERS = 5000
const MAX_REWARD_ADDRESSES = 100

export function clusterMethods(bank: Bank, rpcAddress: () => string): MethodTable {
  return {
    getHealth: () => 'ok',
    getVersion: () => ({ 'feature-set': 0, 'solana-core': API_VERSION }),
    getGenesisHash: () => bank.genesisHash,
    getIdentity: () => ({ identity: bank.identity }),
    getSlot: (params) => viewAt(bank, params, 0).slot,
    getBlockHeight: (params) => bank.blockHeight(viewAt(bank, params, 0).commitment),
    getTransactionCount: (params) => (viewAt(bank, params, 0), bank.transactionCount()),
    getSlotLeader: (params) => (viewAt(bank, params, 0), bank.identity),
    getSlotLeaders: (params) => {
      requireCount(params, 2)
      countOf(params[0])
      const limit = countOf(params[1])
      if (limit > MAX_SLOT_LEADERS) throw invalidParams(`Invalid limit; max ${MAX_SLOT_LEADERS}`)
      return Array.from({ length: limit }, () => bank.identity)
    },
    getClusterNodes: () => [
      {
        featureSet: 0,
        gossip: null,
        pubkey: bank.identity,
        rpc: rpcAddress(),
        shredVersion: 0,
        tpu: null,
        version: API_VERSION,
      },
    ],
    getVoteAccounts: (params) => {
      configAt(params, 0)
      return { current: [], delinquent: [] }
    },
    getStakeMinimumDelegation: (params) => withContext(viewAt(bank, params, 0).slot, 1),
    getInflationReward: (params) => {
      requireCount(params, 1)
      const addresses = arrayOf(params[0])
      if (addresses.length > MAX_REWARD_ADDRESSES)
        throw invalidParams(`Too many inputs provided; max ${MAX_REWARD_ADDRESSES}`)
      configAt(params, 1)
      return addresses.map(addressOf).map(() => null)
    },
    getInflationRate: () => ({ epoch: 0, foundation: 0, total: 0, validator: 0 }),
    getInflationGovernor: () => ({ foundation: 0, foundationTerm: 0, initial: 0, taper: 0, terminal: 0 }),
    getRecentPerformanceSamples: () => [],
    getHighestSnapshotSlot: () => {
      throw noSnapshot()
    },
    getMaxRetransmitSlot: () => bank.slot('processed'),
    getMaxShredInsertSlot: () => bank.slot('processed'),
  }
}
