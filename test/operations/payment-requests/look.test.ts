// Transactions with the reference key of a payment request that cannot be read: they hide no payment.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Entry } from '../../../src/engine/records/entry.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { lookAtChain, type Look } from '../../../src/operations/payment-requests/look.ts'
import { openCluster, type Cluster } from '../../../src/rpc/cluster.ts'
import { REMOTE_CLUSTER } from '../../../src/rpc/cluster-settings.ts'
import { ClusterAccess } from '../../../src/submission/access.ts'
import { systemClock } from '../../../src/time/clock.ts'
import { CLUSTER, EngineFixture, place } from '../../engine/engine-fixture.ts'
import { paymentRequest } from '../../machines/payment-subjects.ts'
import { scriptedNode, type Call } from '../../rpc/scripted-node.ts'

const PAYMENT = {
  ...{ slot: 50, blockTime: 1_800_000_000, version: 0 },
  meta: {
    ...{ err: null, fee: 5_000, preBalances: [1_000_000, 0, 0], postBalances: [994_900, 100, 0] },
    ...{ preTokenBalances: [], postTokenBalances: [] },
  },
  transaction: { signatures: [], message: { accountKeys: ['payer', 'wallet', 'reference'] } },
}
const UNREADABLE: Readonly<Record<string, unknown>> = {
  'of a later version': { error: { code: -32015, message: 'Transaction version (2) is not supported' } },
  'of an unknown shape': { slot: 50, meta: {}, transaction: {} },
}

let node: Awaited<ReturnType<typeof scriptedNode>>
let cluster: Cluster
let platform: Platform
let entry: Entry
let transactions: Record<string, unknown>
let passedOver: string[]
let slot: number

beforeEach(async () => {
  node = await scriptedNode(answer)
  cluster = await openCluster({ id: CLUSTER, endpoints: [node.url], settings: REMOTE_CLUSTER, clock: systemClock })
  const fixture = await EngineFixture.open()
  entry = await fixture.commit((unit) => unit.create('paymentRequest', place('p'), { request: paymentRequest }))
  const clusters = new Map([[CLUSTER, new ClusterAccess(cluster, undefined as never)]])
  platform = { engine: fixture.engine, clock: systemClock, clusters } as unknown as Platform
  passedOver = []
  slot = 50
})
afterEach(async () => {
  await cluster.close()
  await node.close()
})

function answer({ method, params }: Call): unknown {
  if (method === 'getGenesisHash') return 'genesis'
  if (method === 'getSlot') return 60
  if (method === 'getSignaturesForAddress')
    return Object.keys(transactions).map((signature) => ({
      ...{ signature, slot, err: null, confirmationStatus: 'finalized' },
    }))
  if (method === 'getTransaction') return transactions[String(params[0])]
  return { context: { slot: 60 }, value: [null] }
}

const look = (known: Look['known'] = new Map()): Promise<void> =>
  lookAtChain(platform, entry, { known, onUnreadable: (signature) => passedOver.push(signature) })

it.each(Object.keys(UNREADABLE))('passes over a transaction %s, and records the payment beside it', async (kind) => {
  transactions = { unreadable: UNREADABLE[kind], payment: PAYMENT }
  await look()
  expect(passedOver).toEqual(['unreadable'])
  expect(entry.head).toMatchObject({ context: { payments: [{ signature: 'payment', amount: '100' }] } })
})

it('keeps a recorded payment that cannot be read again', async () => {
  transactions = { payment: PAYMENT }
  await look()
  transactions = { payment: UNREADABLE['of an unknown shape'] }
  await look()
  expect(entry.head).toMatchObject({ context: { payments: [{ signature: 'payment', amount: '100' }] } })
})

it('ends at any other answer, so that a payment that it may lack is not passed over', async () => {
  transactions = { payment: { error: { code: -32_005, message: 'Node is behind' } } }
  await expect(look()).rejects.toThrow('Node is behind')
})

it('takes the time of the block that a transaction lands in after its fork was dropped', async () => {
  const known: Look['known'] = new Map()
  transactions = { payment: PAYMENT }
  await look(known)
  slot = 57
  transactions = { payment: { ...PAYMENT, slot, blockTime: PAYMENT.blockTime + 4 } }
  await look(known)
  const at = new Date((PAYMENT.blockTime + 4) * 1_000).toISOString()
  expect(entry.head).toMatchObject({ context: { payments: [{ slot: 57, at }] } })
})
