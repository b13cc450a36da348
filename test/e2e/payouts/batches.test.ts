// Batches over HTTP, against the chain: every item once, in few transactions.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBatchWorld, type BatchWorld } from './batch-world.ts'
import { BATCHES, BatchFixture, transactionsOf, type Estimate } from './batch-fixture.ts'
import { once, type Client } from '../client.ts'
import { eventually, type World } from '../harness.ts'
import type { Ids, TransactionRecord } from '../models.ts'
import { SOL } from '../records.ts'
import { keyOf } from '../../trust/fixtures/parties.ts'

let world: World
let fixture: BatchFixture
let feePayer: Ids
let cash: Ids
let treasury: Ids
let positions: readonly Ids[]
let tokens: BatchWorld['tokens']

beforeAll(async () => {
  ;({ world, fixture, feePayer, cash, treasury, positions, tokens } = await startBatchWorld())
})
afterAll(() => world.stop())

/** A client of a tenant of its own. */
async function tenant({ api }: World, externalId: string): Promise<Client> {
  await api.ok(201, 'POST', '/admin/organizations', { externalId, name: externalId })
  const { apiKey } = await api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
    organizationExternalId: externalId,
    name: 'all',
    bundle: 'ADMIN',
  })
  return api.as(apiKey)
}

describe('a batch of transfers', () => {
  it('is acknowledged at once, packed into few transactions, and every item happens once', async () => {
    const before = await tokens(treasury, ...positions)
    const items = positions.map((position, index) => ({
      source: { position: treasury },
      destination: { position },
      lamports: index + 1,
      externalReference: `coupon ${index}`,
    }))
    const id = await fixture.create('TRANSFER', items, { externalReference: 'Coupon 2026' })
    expect(await fixture.single(id)).toMatchObject({
      operation: 'TRANSFER',
      itemsCount: 45,
      externalReference: 'Coupon 2026',
      failedCount: 0,
    })
    const results = await fixture.waitForEnd(id)
    expect(results.map(({ index, status, externalReference }) => [index, status, externalReference])).toEqual(
      items.map(({ externalReference }, index) => [index, 'DONE', externalReference]),
    )
    const after = await tokens(treasury, ...positions)
    expect(after.slice(1).map((amount, index) => amount - before[index + 1]!)).toEqual(
      items.map(({ lamports }) => BigInt(lamports)),
    )
    expect(before[0]! - after[0]!).toBe((45n * 46n) / 2n)
    const transactions = transactionsOf(results)
    expect(transactions.length).toBeLessThanOrEqual(4)
    for (const offchainId of transactions) {
      const record = await world.api.read<
        TransactionRecord & { externalReference: string; itemReferences: readonly string[] }
      >('/transactions/single', { offchainId })
      const carriedItems = results.filter(({ chainTransaction }) => chainTransaction?.offchainId === offchainId)
      expect(record).toMatchObject({
        status: 'FINALIZED',
        externalReference: 'Coupon 2026',
        endpoint: 'POST /api/v1/batches',
      })
      expect(record.itemReferences).toEqual(carriedItems.map(({ externalReference }) => externalReference))
    }
    const filter = [
      { fieldName: 'externalReference', filterValues: [{ filterType: 'EQUALS', valueString: 'coupon 7' }] },
    ]
    const page = (await world.api.bulk('/transactions/bulk/identifiers', { filter })) as { items: readonly Ids[] }
    expect(page.items.map(({ offchainId }) => offchainId)).toEqual([results[7]!.chainTransaction!.offchainId])
    await world.records.positionsEqualChain(treasury, ...positions.slice(0, 3))
    await world.records.accountsEqualChain(feePayer)
  })

  it('keeps its reference on transactions of one item that have a reference, too', async () => {
    const [one, two] = await Promise.all(
      [0, 1].map(async () => world.records.position(await world.records.account(), cash, 5n)),
    )
    const items = [one, two].map((position, index) => ({
      ...{ source: { position }, destination: { position: treasury }, transferEntireBalance: true },
      externalReference: `item ${index}`,
    }))
    const id = await fixture.create('TRANSFER', items, { externalReference: 'alone' })
    const transactions = transactionsOf(await fixture.waitForEnd(id))
    expect(transactions).toHaveLength(2)
    for (const [index, offchainId] of transactions.entries())
      expect(await world.api.read<object>('/transactions/single', { offchainId })).toMatchObject({
        ...{ externalReference: 'alone', itemReferences: [`item ${index}`] },
      })
  })

  it('transfers twice if two items are equal', async () => {
    const [to] = positions as [Ids]
    const before = await tokens(to)
    const item = { source: { position: treasury }, destination: { position: to }, lamports: 5 }
    await fixture.waitForEnd(await fixture.create('TRANSFER', [item, item, item]))
    expect((await tokens(to))[0]! - before[0]!).toBe(15n)
  })

  it('opens each missing position once', async () => {
    const { records } = world
    const owners = await Promise.all(Array.from({ length: 6 }, () => records.account()))
    const items = [...owners, owners[0]!].map((owner) => ({
      source: { position: treasury },
      destination: { owner, financialInstrument: cash },
      lamports: 3,
      initializeDestinationPositionIfNeeded: true,
    }))
    const { body } = await world.api.send<Estimate>(
      'POST',
      BATCHES,
      { operation: 'TRANSFER', items },
      { headers: { 'Holdfast-Dry-Run': 'true' } },
    )
    expect(body.dryRun.rentLamports).toBeGreaterThan(0)
    const results = await fixture.waitForEnd(await fixture.create('TRANSFER', items))
    expect(results).toHaveLength(7)
    expect(
      await Promise.all(owners.map((owner) => world.chain.tokens(records.associated(owner, cash, 'TOKEN_2022')))),
    ).toEqual([6n, 3n, 3n, 3n, 3n, 3n])
  })

  it('is created once for one idempotency key', async () => {
    const [to] = positions as [Ids]
    const items = [{ source: { position: treasury }, destination: { position: to }, lamports: 2 }]
    const id = await fixture.create('TRANSFER', items, {}, once('batch-key'))
    expect(await fixture.create('TRANSFER', items, {}, once('batch-key'))).toBe(id)
    await world.api.refuses(
      400,
      'IDEMPOTENCY_KEY_REUSED',
      'POST',
      BATCHES,
      { operation: 'TRANSFER', items: [...items, ...items] },
      { headers: once('batch-key') },
    )
  })
})

describe('the other operations', () => {
  it('create accounts, with or without a transaction', async () => {
    const results = await fixture.waitForEnd(
      await fixture.create('CREATE_ACCOUNT', [{}, { seedAmount: '0.01' }, { seedAmount: '0.02' }]),
    )
    expect(results.map(({ chainTransaction }) => chainTransaction === null)).toEqual([true, false, false])
    expect(await Promise.all(results.map(({ newAccount }) => world.chain.lamports(newAccount!.onchainId)))).toEqual([
      0n,
      SOL / 100n,
      SOL / 50n,
    ])
  })

  it('show the members that they were given, and no others, in the first spelling of each', async () => {
    const { keyId } = (await world.api.get<{ keyId: string }>('/whoami')).body
    const [item] = await fixture.waitForEnd(
      await fixture.create('CREATE_ACCOUNT', [{ networkCurrencyDebitApiKeys: [keyId], comments: 'One' }]),
    )
    expect(item!.itemData).toEqual({ solDebitApiKeys: [keyId], comments: 'One' })
  })

  it('open, mint, freeze, unfreeze, burn and pay network currency', async () => {
    const owners = await Promise.all(
      Array.from({ length: 4 }, () =>
        world.records.funded({ networkCurrencyDebitLimits: [], tokenDebitLimits: [] }, SOL),
      ),
    )
    const openedItems = await fixture.waitForEnd(
      await fixture.create(
        'INITIALIZE_POSITION',
        owners.map((owner) => ({ owner, financialInstrument: cash })),
      ),
    )
    const own = openedItems.map(({ newPosition }) => newPosition!)
    await fixture.waitForEnd(
      await fixture.create(
        'MINT',
        own.map((position, index) => ({ destination: { position }, lamports: 10 + index })),
      ),
    )
    expect(await tokens(...own)).toEqual([10n, 11n, 12n, 13n])
    await fixture.waitForEnd(
      await fixture.create(
        'FREEZE',
        own.map((position) => ({ position: { position } })),
      ),
    )
    expect(await Promise.all(own.map(async ({ onchainId }) => (await world.chain.token(onchainId)).isFrozen))).toEqual([
      true,
      true,
      true,
      true,
    ])
    await fixture.waitForEnd(
      await fixture.create(
        'UNFREEZE',
        own.map((position) => ({ position: { position } })),
      ),
    )
    await fixture.waitForEnd(
      await fixture.create(
        'BURN',
        own.map((position) => ({ source: { position }, burnEntireBalance: true })),
      ),
    )
    expect(await tokens(...own)).toEqual([0n, 0n, 0n, 0n])
    const [from] = owners as [Ids]
    const before = await world.chain.lamports(owners[1]!.onchainId)
    await fixture.waitForEnd(
      await fixture.create(
        'TRANSFER_NETWORK_CURRENCY',
        [1, 2, 3].map((index) => ({ source: from, destination: owners[index], lamports: 1_000_000 })),
      ),
    )
    expect(await world.chain.lamports(owners[1]!.onchainId)).toBe(before + 1_000_000n)
    await world.records.positionsEqualChain(...own)
    await world.records.accountsEqualChain(...owners, feePayer)
  })
})

describe('failed items', () => {
  it('do not affect the others, and are retried after the cause is corrected', async () => {
    const { records, api } = world
    const poor = await records.funded({ networkCurrencyDebitLimits: [], tokenDebitLimits: [] }, SOL)
    const source = await records.position(poor, cash, 5n)
    const item = (from: Ids, lamports: number) => ({
      source: { position: from },
      destination: { position: positions[1]! },
      lamports,
      offchainBalanceAvailabilityPrecheck: false,
    })
    const before = (await tokens(positions[1]!))[0]!
    const id = await fixture.create('TRANSFER', [item(source, 50), item(source, 2)], { externalReference: 'partly' })
    const items = await fixture.waitForEnd(id, 'FAILED')
    // Both shared a transaction, which the chain refused as a whole. Then each got its own.
    expect(items.map(({ status }) => status)).toEqual(['FAILED', 'DONE'])
    expect(new Set(items.map(({ chainTransaction }) => chainTransaction!.offchainId)).size).toBe(2)
    expect((await tokens(positions[1]!))[0]).toBe(before + 2n)
    await records.mint(source, 100n)
    await fixture.retry(id)
    await fixture.waitForEnd(id)
    expect((await tokens(positions[1]!))[0]).toBe(before + 52n)
    await api.refuses(400, 'NOTHING_TO_RETRY', 'PATCH', `${BATCHES}/retry`, { offchainId: id })
    await api.refuses(400, 'BATCH_ENDED', 'PATCH', `${BATCHES}/cancel`, { offchainId: id })
  })

  it('are retried with the rights of the key that retries', async () => {
    const admin = await tenant(world, 'RETRIERS')
    const operator = async (): Promise<{ readonly keyId: string; readonly api: Client }> => {
      const key = { organizationExternalId: 'RETRIERS', name: 'operator', bundle: 'OPERATOR' }
      const { keyId, apiKey } = await admin.ok<{ keyId: string; apiKey: string }>(201, 'POST', '/admin/api-keys', key)
      return { keyId, api: admin.as(apiKey) }
    }
    const [trader, other] = [await operator(), await operator()]
    const records = world.records.with(admin)
    await records.feePayer()
    const wallet = await records.funded({ networkCurrencyDebitLimits: [], solDebitApiKeys: [trader.keyId] }, SOL)
    const payee = await records.account()
    const item = { source: wallet, destination: payee, amount: 3, offchainBalanceAvailabilityPrecheck: false }
    const batches = new BatchFixture(trader.api)
    const id = await batches.create('TRANSFER_NETWORK_CURRENCY', [item])
    await batches.waitForEnd(id, 'FAILED')
    await world.chain.airdrop(wallet.onchainId, 5n * SOL)
    await new BatchFixture(other.api).retry(id)
    const [refused] = await batches.waitForEnd(id, 'FAILED')
    expect(refused!.errorCode).toBe('DEBIT_KEY_REQUIRED')
    expect(await world.chain.lamports(payee.onchainId)).toBe(0n)
    await batches.retry(id)
    await batches.waitForEnd(id)
    expect(await world.chain.lamports(payee.onchainId)).toBe(3n * SOL)
  })

  it('are filtered by status, and are invisible to other organizations', async () => {
    await world.api.refuses(400, 'BATCH_NOT_FOUND', 'POST', `${BATCHES}/single`, { offchainId: feePayer.offchainId })
    const { count } = (await world.api.bulk(`${BATCHES}/items/bulk`, {
      filter: [{ fieldName: 'status', filterValues: [{ filterType: 'EQUALS', valueString: 'FAILED' }] }],
    })) as { count: number }
    expect(count).toBe(0)
    const other = await tenant(world, 'BATCHLESS')
    const [own] = (
      (await world.api.bulk(`${BATCHES}/bulk`, { limit: 1 })) as { items: readonly { offchainId: string }[] }
    ).items
    for (const [method, path] of [
      ['POST', 'single'],
      ['PATCH', 'cancel'],
      ['PATCH', 'retry'],
    ] as const)
      await other.refuses(400, 'BATCH_NOT_FOUND', method, `${BATCHES}/${path}`, { offchainId: own!.offchainId })
    for (const path of ['bulk', 'items/bulk'])
      expect(await other.bulk(`${BATCHES}/${path}`, {})).toEqual({ count: 0, items: [] })
  })

  it('may name a mint without a record of the tenant', async () => {
    const api = await tenant(world, 'RECORDLESS')
    const own = world.records.with(api)
    await own.feePayer()
    const owners = await Promise.all(Array.from({ length: 8 }, () => own.account()))
    const others = new BatchFixture(api)
    const items = owners.map((owner) => ({ owner, financialInstrument: { onchainId: cash.onchainId } }))
    const results = await others.waitForEnd(await others.create('INITIALIZE_POSITION', items))
    expect(results.map(({ status, errorCode }) => [status, errorCode])).toEqual(items.map(() => ['DONE', undefined]))
    const { onchainId } = results[0]!.newPosition!
    expect(await tokens({ onchainId } as Ids)).toEqual([0n])
    // A mint that does not exist must not cause an internal error.
    const nowhere = owners.map((owner) => ({ owner, financialInstrument: { onchainId: owners[0]!.onchainId } }))
    const { status } = await api.send('POST', BATCHES, { operation: 'INITIALIZE_POSITION', items: nowhere })
    expect(status).toBe(400)
  })

  it('are cancelled while they wait, and open transactions continue', async () => {
    const [to] = positions as [Ids]
    const before = (await tokens(to))[0]!
    const items = Array.from({ length: 900 }, () => ({
      source: { position: treasury },
      destination: { position: to },
      lamports: 1,
    }))
    const id = await fixture.create('TRANSFER', items)
    await fixture.cancel(id)
    const { cancelledCount, doneCount } = await eventually(async () => {
      const batch = await fixture.single(id)
      expect(batch.endedAt).not.toBeNull()
      return batch
    })
    expect([cancelledCount > 0, cancelledCount + doneCount]).toEqual([true, 900])
    expect((await tokens(to))[0]! - before).toBe(BigInt(doneCount))
    // An item that a person cancelled is not retried.
    await world.api.refuses(400, 'NOTHING_TO_RETRY', 'PATCH', `${BATCHES}/retry`, { offchainId: id })
  })

  it('fail once the key that requested them is disabled, and are made by the retry of another key', async () => {
    const key = await keyOf(world, 'SYSTEM', { bundle: 'OPERATOR' })
    const [to] = positions as [Ids]
    const before = (await tokens(to))[0]!
    const items = Array.from({ length: 900 }, () => ({
      source: { position: treasury },
      destination: { position: to },
      lamports: 1,
    }))
    const id = await new BatchFixture(key.api).create('TRANSFER', items)
    await world.api.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId: key.keyId })
    const results = await fixture.waitForEnd(id, 'FAILED')
    const failed = results.filter(({ status }) => status === 'FAILED')
    expect(new Set(failed.map(({ errorCode }) => errorCode))).toEqual(new Set(['CREATOR_DISABLED']))
    expect((await tokens(to))[0]! - before).toBe(BigInt(900 - failed.length))
    await fixture.retry(id)
    await fixture.waitForEnd(id)
    expect((await tokens(to))[0]! - before).toBe(900n)
  })

  it('wait while nothing of the organization is sent, instead of expiring', async () => {
    const [to] = positions as [Ids]
    const before = (await tokens(to))[0]!
    const items = [1, 2].map((lamports) => ({
      source: { position: treasury },
      destination: { position: to },
      lamports,
    }))
    for (const scope of [{}, { organizationExternalId: 'SYSTEM' }]) {
      await world.api.ok(200, 'PATCH', '/admin/lanes/suspend', scope)
      const id = await fixture.create('TRANSFER', items)
      for (let count = 0; count < 20; count += 1) {
        expect(await fixture.single(id)).toMatchObject({ waitingCount: 2, underWayCount: 0 })
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      await world.api.ok(200, 'PATCH', '/admin/lanes/resume', scope)
      await fixture.waitForEnd(id)
    }
    expect((await tokens(to))[0]! - before).toBe(6n)
  })
})
