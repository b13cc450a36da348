// Items of a batch that changes while they are executed leave nothing in memory, on disk or on the chain.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { BatchContext } from '../../../machines/batch.ts'
import type { BatchItemContext } from '../../../machines/batch-item.ts'
import type { Entry } from '../../../src/engine/records/entry.ts'
import { ofKind } from '../../../src/engine/records/record.ts'
import { makeItems } from '../../../src/operations/batches/make-items.ts'
import { itemsOf } from '../../../src/operations/batches/record.ts'
import { LaneFull } from '../../../src/submission/submission.ts'
import { AT, plan } from '../../machines/records.ts'
import { CLUSTER, TenantsFixture, type Wallet } from '../tenants-fixture.ts'

const TENANT = 'ACME'
const SOL = 1_000_000_000n
const ITEMS = 4
const placeOf = (id: string) => ({ tenant: TENANT, cluster: CLUSTER, id })

let fixture: TenantsFixture
let source: Wallet
let target: Wallet

beforeEach(async () => {
  fixture = await TenantsFixture.open()
  await fixture.organization(TENANT)
  source = await fixture.wallet(TENANT, { canPayFees: true, networkCurrencyDebitLimits: [] }, 2n * SOL)
  target = await fixture.wallet(TENANT, {}, SOL)
})

const DATA = {
  TRANSFER_NETWORK_CURRENCY: () => ({
    source: { onchainId: source.onchainId },
    destination: { onchainId: target.onchainId },
    lamports: '1000',
  }),
  CREATE_ACCOUNT: () => ({ managed: true, canPayFees: false, alreadyOnchain: false, seed: null }),
} as const

/** A batch under way with waiting items. */
async function batch(operation: keyof typeof DATA): Promise<Entry> {
  const context: BatchContext = {
    ...{ organization: TENANT, endpoint: 'POST /api/v1/batches', requestId: 'r', externalReference: null },
    ...{ requester: { ...plan.requester, keyId: 'key1' }, operation, config: null, stopOnFailure: false },
    ...{ items: ITEMS, counts: { waiting: ITEMS, underWay: 0, done: 0, failed: 0, cancelled: 0 } },
    ...{ sweep: null, approval: null, createdAt: AT, endedAt: null },
  }
  const item: Omit<BatchItemContext, 'index'> = {
    ...{ batchId: 'batch', organization: TENANT, data: DATA[operation](), externalReference: null },
    ...{ transactionId: null, members: null, problem: null, cancelledBecause: null, earlier: [], endedAt: null },
  }
  const { result, durable } = fixture.engine.transact((unit) => {
    const entry = unit.create('batch', placeOf('batch'), { batch: context })
    for (let index = 0; index < ITEMS; index += 1)
      unit.create('batchItem', placeOf(`item ${index}`), { item: { ...item, index } })
    unit.send<'batch'>(entry, { type: 'command.start', approval: null, at: AT })
    return entry
  })
  await durable
  return result
}

const make = (entry: Entry) =>
  makeItems(fixture.platform, entry, ofKind(entry.head, 'batch')!, itemsOf(fixture.platform, 'batch'))
const values = (): string[] => itemsOf(fixture.platform, 'batch').map(({ item }) => item.value)
const heads = (): string[] => [...fixture.engine.directory.entries()].map(({ head }) => JSON.stringify(head)).sort()
const readTransactionIds = () => [...fixture.engine.directory.entries('transaction')].map(({ head }) => head.id)

describe('the items of a batch', () => {
  it('share a transaction, which is noted on each of them', async () => {
    const entry = await batch('TRANSFER_NETWORK_CURRENCY')
    expect(await make(entry)).toEqual({ transactions: readTransactionIds(), fit: null, left: [] })
    expect(readTransactionIds()).toHaveLength(1)
    expect(values()).toEqual(Array(ITEMS).fill('underWay'))
  })

  it('wait without a trace if the batch is cancelled in the meantime', async () => {
    const entry = await batch('TRANSFER_NETWORK_CURRENCY')
    const making = make(entry)
    const event = { type: 'command.cancel', because: 'REQUESTED', at: AT } as const
    const { durable } = fixture.engine.transact((unit) => unit.send<'batch'>(entry, event))
    // Records created since are compared with those at the time of the cancellation.
    const before = heads()
    await durable
    const { transactions, left } = await making
    expect([transactions, left.map(({ item }) => item.context.index)]).toEqual([[], [0, 1, 2, 3]])
    await fixture.engine.flush()
    expect(heads()).toEqual(before)
    expect(readTransactionIds()).toEqual([])
    expect(fixture.lamports(target)).toBe(SOL)
  })

  it('that find their submission lane full are left together, and are not tried in smaller parts', async () => {
    const entry = await batch('TRANSFER_NETWORK_CURRENCY')
    const admit = vi.spyOn(fixture.platform.clusters.get(CLUSTER)!, 'admit').mockImplementation(() => {
      throw new LaneFull('lane', 1)
    })
    const { transactions, left } = await make(entry)
    expect([transactions, left.map(({ item }) => item.context.index)]).toEqual([[], [0, 1, 2, 3]])
    expect(values()).toEqual(Array(ITEMS).fill('waiting'))
    expect(admit).toHaveBeenCalledTimes(1)
  })

  it('that need no transaction are made without the one that is cancelled in the meantime', async () => {
    const entry = await batch('CREATE_ACCOUNT')
    const making = make(entry)
    await fixture.engine.transact((unit) => {
      const item = fixture.engine.directory.byId('item 2')!
      unit.send<'batchItem'>(item, { type: 'command.cancel', because: 'REQUESTED', at: AT })
    }).durable
    const { transactions, left } = await making
    expect([transactions, left.map(({ item }) => item.context.index)]).toEqual([[], [2]])
    expect(values()).toEqual(['done', 'done', 'cancelled', 'done'])
    expect(ofKind(entry.head, 'batch')!.context.counts).toMatchObject({ waiting: 1, done: 3 })
  })
})
