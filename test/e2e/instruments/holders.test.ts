// The holders of an instrument, now and at a past instant. The expected balances are read from the chain at that time.
import { createMintToInstruction } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { startWorld, unwatched, type World } from '../harness.ts'
import { MintFixture } from './mint-fixture.ts'
import type { Ids, NewInstrument, Problems } from '../models.ts'
import { Records, SOL } from '../records.ts'

const HOLDERS = '/financial-instruments/holders/bulk'

interface Holder {
  readonly owner: { readonly onchainId: string; readonly offchainId: string | null }
  readonly balance: { readonly amount: number | string; readonly lamports: number | string }
  readonly positions: readonly Ids[]
}

interface Page {
  readonly asOf: string
  readonly total: { readonly amount: number | string; readonly lamports: number | string }
  readonly count: number
  readonly items: readonly Holder[]
}

let world: World
let share: Ids
let issuer: Ids
let holders: Ids[]
let positions: Ids[]

async function ask(
  api: Client,
  itemData: object,
  itemQuery?: object,
): Promise<{ status: number; body: Page & Problems }> {
  const response = await fetch(`${world.url}/api/v1${HOLDERS}`, {
    method: 'POST',
    headers: { authorization: api.bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ itemData, ...(itemQuery === undefined ? {} : { itemQuery }) }),
  })
  return { status: response.status, body: (await response.json()) as Page & Problems }
}

async function page(itemData: object, itemQuery?: object, api = world.api): Promise<Page> {
  const { status, body } = await ask(api, itemData, itemQuery)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const balances = ({ items }: Page): Record<string, number | string> =>
  Object.fromEntries(items.map(({ owner, balance }) => [owner.onchainId, balance.lamports]))

/** The positions on chain, by owner; owners without tokens are no holders. */
async function onChain(): Promise<Record<string, number>> {
  const amounts = await Promise.all(positions.map(({ onchainId }) => world.chain.tokens(onchainId)))
  return Object.fromEntries(
    amounts.flatMap((amount, index) => (amount === 0n ? [] : [[holders[index]!.onchainId, Number(amount)]])),
  )
}

const move = (from: number, to: number, lamports: number): Promise<unknown> =>
  world.api.ok(201, 'POST', '/positions/transfer', {
    source: { position: positions[from] },
    destination: { position: positions[to] },
    lamports,
  })

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  const { records } = world
  await records.feePayer()
  issuer = await records.account()
  share = await records.instrument('TOKEN_2022', issuer, { closingAuthority: issuer })
  holders = await Promise.all(
    Array.from({ length: 4 }, () => records.funded({ networkCurrencyDebitLimits: [], tokenDebitLimits: [] }, SOL)),
  )
  positions = await Promise.all(
    holders.map((holder, index) => records.position(holder, share, [1_000n, 500n, 250n, 0n][index])),
  )
})
afterAll(() => world.stop())

describe('the holders of an instrument', () => {
  it('are the owners of positions with a balance, with the balances of the chain', async () => {
    const now = await page({ financialInstrument: share })
    expect(balances(now)).toEqual(await onChain())
    expect(now).toMatchObject({ count: 3, total: { amount: 0.00175, lamports: 1_750 } })
    expect(now.items[0]).toEqual({
      owner: { onchainId: holders[0]!.onchainId, offchainId: holders[0]!.offchainId },
      balance: { amount: 0.001, lamports: 1_000 },
      positions: [{ onchainId: positions[0]!.onchainId, offchainId: positions[0]!.offchainId }],
    })
    expect(now.items.map(({ balance }) => balance.lamports)).toEqual([1_000, 500, 250])
  })

  it('are filtered, sorted and paged', async () => {
    const sort = [{ fieldName: 'tokenBalance', sortDirection: 'ASC' }]
    const first = await page({ financialInstrument: share }, { sort, limit: 1 })
    expect([first.count, first.items.map(({ owner }) => owner.offchainId)]).toEqual([3, [holders[2]!.offchainId]])
    const filter = [{ fieldName: 'tokenBalance', filterValues: [{ filterType: 'GREATER_THAN', valueNumber: 400 }] }]
    expect((await page({ financialInstrument: share }, { filter, limit: 0 })).count).toBe(2)
    const { status, body } = await ask(
      world.api,
      { financialInstrument: share },
      { sort: [{ fieldName: 'colour', sortDirection: 'ASC' }] },
    )
    expect([status, body.errors?.[0]?.code, body.errors?.[0]?.pointer]).toEqual([
      400,
      'UNKNOWN_FIELD',
      '/itemQuery/sort/0/fieldName',
    ])
  })

  it('at a past instant are exact, including evicted transactions', async () => {
    const instants: { asOf: string; held: Record<string, number> }[] = []
    const note = async (): Promise<void> => {
      const { asOf } = await page({ financialInstrument: share }, { limit: 0 })
      instants.push({ asOf, held: await onChain() })
    }
    await note()
    await move(0, 1, 300)
    await note()
    await move(1, 3, 800)
    await note()
    await world.records.mint(positions[2]!, 50n)
    await note()
    await world.api.ok(201, 'POST', '/positions/burn', { source: { position: positions[3] }, lamports: 100 })
    await note()
    // A position that was emptied and closed had a balance before.
    await move(3, 0, 700)
    await world.api.ok(200, 'PATCH', '/positions/close', { position: { position: positions[3] } })
    positions = positions.slice(0, 3)
    holders = holders.slice(0, 4)
    for (const { asOf, held } of instants)
      expect(balances(await page({ financialInstrument: share, asOf })), asOf).toEqual(held)
    expect(new Set(instants.map(({ held }) => JSON.stringify(held))).size).toBe(5)
    expect(balances(await page({ financialInstrument: share }))).toEqual(await onChain())
  })

  it('include deposits from outside once observed', async () => {
    const fixture = await MintFixture.open(world)
    const mint = await fixture.spl(3)
    const body = {
      mintAccount: { onchainId: mint.address },
      alreadyOnChain: true,
      mintAuthority: { onchainId: fixture.payer.publicKey.toBase58(), offPlatform: true },
    }
    const { newFinancialInstrument: note } = await world.api.ok<NewInstrument>(
      201,
      'POST',
      '/financial-instruments',
      body,
    )
    const position = await world.records.position(holders[0]!, note)
    const arrive = async (raw: bigint): Promise<Page> => {
      await fixture.send([
        createMintToInstruction(mint.key.publicKey, new PublicKey(position.onchainId), fixture.payer.publicKey, raw),
      ])
      await world.api.read('/positions/single/balance', { position })
      return page({ financialInstrument: note })
    }
    const before = await page({ financialInstrument: note })
    const first = await arrive(40n)
    const second = await arrive(2n)
    expect([before, first, second].map(balances)).toEqual([
      {},
      { [holders[0]!.onchainId]: 40 },
      { [holders[0]!.onchainId]: 42 },
    ])
    for (const each of [before, first, second])
      expect(balances(await page({ financialInstrument: note, asOf: each.asOf }))).toEqual(balances(each))
    expect(await world.chain.tokens(position.onchainId)).toBe(42n)
  })

  it('of now are answered to a client whose clock is a little ahead', async () => {
    // By the clock of the service: the clock of the machine may have been corrected.
    const { asOf } = await page({ financialInstrument: share }, { limit: 0 })
    const aheadMs = Date.parse(asOf) + 4_000
    const { status, body } = await ask(world.api, { financialInstrument: share, asOf: new Date(aheadMs).toISOString() })
    expect(status).toBe(200)
    expect(Date.parse(body.asOf)).toBeLessThanOrEqual(aheadMs)
    const { total } = (await ask(world.api, { financialInstrument: share })).body
    expect(body.total).toEqual(total)
  })

  it('at an instant before the history are refused', async () => {
    const readRefusal = async (asOf: string) => {
      const { status, body } = await ask(world.api, { financialInstrument: share, asOf })
      return [status, body.errors?.[0]?.code, body.errors?.[0]?.pointer]
    }
    for (const asOf of ['2999-01-01T00:00:00Z', new Date(Date.now() + 90_000).toISOString()])
      expect(await readRefusal(asOf)).toEqual([400, 'IN_FUTURE', '/itemData/asOf'])
    // All movements in a store of this release are known: no one held anything before the first.
    expect(await page({ financialInstrument: share, asOf: '2020-01-01T00:00:00Z' })).toMatchObject({
      count: 0,
      total: { lamports: 0 },
    })
    expect(await readRefusal('yesterday')).toEqual([400, 'INVALID_FORMAT', '/itemData/asOf'])
  })
})

describe('the set of holders', () => {
  it('contains owners of positions of the organization; for the root of a tenant, of the whole tenant', async () => {
    const party = async (externalId: string, more: object = {}): Promise<Client> => {
      await world.api.ok(201, 'POST', '/admin/organizations', { externalId, name: externalId, ...more })
      const key = { organizationExternalId: externalId, name: 'all', bundle: 'ADMIN' }
      return world.api.as((await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', key)).apiKey)
    }
    const root = await party('FUND')
    const child = await party('FUND-A', { parentExternalId: 'FUND' })
    const sibling = await party('FUND-B', { parentExternalId: 'FUND' })
    const stranger = await party('OTHER')
    const owners: Record<string, string> = {}
    for (const [name, api] of Object.entries({ root, child, sibling, stranger })) {
      const records = new Records(api, world.chain)
      await records.feePayer()
      const owner = await records.account()
      owners[name] = owner.onchainId
      const position = await records.position(owner, { onchainId: share.onchainId } as Ids)
      await world.api.ok(201, 'POST', '/positions/transfer', {
        source: { position: positions[0] },
        destination: { position: { onchainId: position.onchainId, offPlatform: true } },
        lamports: 10,
      })
    }
    const seenBy = async (api: Client): Promise<string[]> =>
      (await page({ financialInstrument: { onchainId: share.onchainId } }, undefined, api)).items
        .map(({ owner }) => owner.onchainId)
        .sort()
    const addressesOf = (...names: readonly string[]): string[] => names.map((name) => owners[name]!).sort()
    expect(await seenBy(root)).toEqual(addressesOf('root', 'child', 'sibling'))
    expect(await seenBy(child)).toEqual(addressesOf('child'))
    expect(await seenBy(stranger)).toEqual(addressesOf('stranger'))
    expect(await seenBy(world.api)).toHaveLength(2)
  })
})
