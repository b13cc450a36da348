// Distributions over HTTP, against the chain: each holder is paid the exact share once, by the holdings at the record
// instant.
import { Keypair } from '@solana/web3.js'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BatchFixture, type Estimate } from './batch-fixture.ts'
import { once } from '../client.ts'
import { perTransaction, to } from '../limits/limit-fixture.ts'
import { eventually, startWorld, unwatched, type World } from '../harness.ts'
import type { Ids, Problems } from '../models.ts'
import { SOL } from '../records.ts'

const PATH = '/distributions'
const OPEN = { networkCurrencyDebitLimits: [], tokenDebitLimits: [] }

interface Distribution {
  readonly offchainId: string
  readonly status: string
  readonly holdersCount: number | null
  readonly partsCount: number | null
  readonly totalLamports: number | null
  readonly remainderLamports: number | null
  readonly computedAt: string | null
  readonly batchOffchainIds: readonly string[]
  readonly errorCode?: string
  readonly endedAt: string | null
}

let world: World
let share: Ids
let cash: Ids
let issuer: Ids
let treasury: Ids
let paying: Ids
let holders: Ids[]
let shares: Ids[]

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  const { records } = world
  await records.feePayer()
  issuer = await records.account()
  share = await records.instrument('TOKEN_2022', issuer)
  cash = await records.instrument('SPL', issuer)
  treasury = await records.funded(OPEN, 50n * SOL)
  paying = await records.position(treasury, cash, 10_000_000n)
  holders = await Promise.all(Array.from({ length: 7 }, () => records.funded(OPEN, SOL)))
  shares = await Promise.all(holders.map((holder, index) => records.position(holder, share, BigInt(1_000 + 7 * index))))
})
afterAll(() => world.stop())

const create = async (itemData: object, headers: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await world.api.ok<{ newDistribution: { offchainId: string } }>(201, 'POST', PATH, itemData, { headers }))
    .newDistribution.offchainId
const single = (offchainId: string): Promise<Distribution> => world.api.read(`${PATH}/single`, { offchainId })
const waitForEnd = (offchainId: string, status = 'DONE'): Promise<Distribution> =>
  eventually(async () => {
    const now = await single(offchainId)
    expect(now, JSON.stringify(now)).toMatchObject({ status })
    return now
  })
/** An instant that has passed, read from the service. */
const instant = async (): Promise<string> =>
  (await world.api.read<{ asOf: string }>('/financial-instruments/holders/bulk', { financialInstrument: share })).asOf
const cashOf = async (holder: Ids): Promise<bigint> => {
  const address = world.records.associated(holder, cash, 'SPL')
  return (await world.chain.exists(address)) ? await world.chain.tokens(address) : 0n
}
const readBalances = (): Promise<bigint[]> => Promise.all(shares.map(({ onchainId }) => world.chain.tokens(onchainId)))
const sum = (all: readonly bigint[]): bigint => all.reduce((total, each) => total + each, 0n)
const source = () => ({ owner: treasury })

describe('a distribution', () => {
  it('has the verdicts of debit limits in a dry run', async () => {
    const limited = await world.records.funded({ tokenDebitLimits: [to('ANY', perTransaction(1))] }, SOL)
    await world.records.position(limited, cash, 10_000_000n)
    const request = {
      ...{ financialInstrument: share, recordAt: await instant(), source: { owner: limited } },
      payout: { financialInstrument: cash, total: '2' },
    }
    const headers = { 'Holdfast-Dry-Run': 'true' }
    const { dryRun } = await world.api.ok<Estimate>(200, 'POST', PATH, request, { headers })
    expect(dryRun.limits).toMatchObject([{ verdict: 'EXCEEDED' }])
  })

  it('is paid by a wallet, or its position, also if the source names the wallet alone', async () => {
    const recordAt = await instant()
    const estimate = async (from: object, payout: object): Promise<unknown> => {
      const itemData = { financialInstrument: share, recordAt, source: from, payout }
      return await world.api.ok(200, 'POST', PATH, itemData, { headers: { 'Holdfast-Dry-Run': 'true' } })
    }
    for (const payout of [{ total: '0.01' }, { financialInstrument: cash, total: '1' }]) {
      expect(await estimate({ onchainId: treasury.onchainId }, payout)).toEqual(await estimate(source(), payout))
      await world.api.refuses(400, 'LOOKUP_MISMATCH', 'POST', PATH, {
        ...{ financialInstrument: share, recordAt, payout },
        source: { ...source(), onchainId: treasury.onchainId },
      })
    }
  })

  it('is refused if the source names another instrument than the payout, or one for network currency', async () => {
    const recordAt = await instant()
    const place = { owner: treasury, financialInstrument: cash }
    const position = { offchainId: paying.offchainId }
    const before = [await world.chain.lamports(treasury.onchainId), await cashOf(treasury)]
    const inShares = { financialInstrument: share, total: '1' }
    for (const [from, payout, member] of [
      [{ position }, { total: '1' }, '/position'],
      [{ owner: treasury, position }, { total: '1' }, '/position'],
      [place, { total: '1' }, '/financialInstrument'],
      [{ owner: treasury, mintAuthority: issuer }, { total: '1' }, '/mintAuthority'],
      [place, inShares, '/financialInstrument'],
      [{ ...place, position }, inShares, '/financialInstrument'],
    ] as const) {
      const itemData = { financialInstrument: share, recordAt, source: from, payout }
      const { pointer } = await world.api.refuses(400, 'INSTRUMENT_MISMATCH', 'POST', PATH, itemData)
      expect(pointer).toBe(`/itemData/source${member}`)
    }
    expect([await world.chain.lamports(treasury.onchainId), await cashOf(treasury)]).toEqual(before)
  })

  it('of network currency is refused if the source is no wallet', async () => {
    const request = { financialInstrument: share, recordAt: await instant(), payout: { total: '1' } }
    for (const from of [shares[0]!, { owner: shares[0]! }])
      await world.api.refuses(400, 'ACCOUNT_NOT_FOUND', 'POST', PATH, { ...request, source: from })
  })

  it('pays each holder the exact share, rounded down, and leaves the remainder', async () => {
    const before = await readBalances()
    const recordAt = await instant()
    // Movements after the record instant change nothing.
    await world.api.ok(201, 'POST', '/positions/transfer', {
      source: { position: shares[0] },
      destination: { position: shares[6] },
      lamports: 900,
    })
    const cashBefore = await Promise.all([treasury, ...holders].map(cashOf))
    const request = {
      financialInstrument: share,
      recordAt,
      source: source(),
      payout: { financialInstrument: cash, total: '1.000001' },
      externalReference: 'coupon',
    }
    const { status, body } = await world.api.send<{
      dryRun: Pick<Estimate['dryRun'], 'feeLamports' | 'limits'> & {
        readonly parts: readonly object[]
        readonly remainderLamports: number
      }
    }>('POST', PATH, request, { headers: { 'Holdfast-Dry-Run': 'true' } })
    expect(status, JSON.stringify(body)).toBe(200)
    const expected = before.map((each) => (1_000_001n * each) / sum(before))
    const remainder = Number(1_000_001n - sum(expected))
    expect(body.dryRun).toMatchObject({
      remainderLamports: remainder,
      partsCount: 7,
      holdersCount: 7,
      totalLamports: 1_000_001,
    })
    expect(body.dryRun.feeLamports).toBeGreaterThan(0)
    expect(await Promise.all([treasury, ...holders].map(cashOf))).toEqual(cashBefore)
    const id = await create(request, once('coupon'))
    expect(await create(request, once('coupon'))).toBe(id)
    const distribution = await waitForEnd(id)
    expect(distribution).toMatchObject({
      holdersCount: 7,
      partsCount: 7,
      total: 1.000001,
      perUnit: null,
      totalLamports: 1_000_001,
      remainderLamports: remainder,
    })
    const after = await Promise.all([treasury, ...holders].map(cashOf))
    expect(after.map((each, index) => each - cashBefore[index]!)).toEqual([-sum(expected), ...expected])
    expect(distribution.batchOffchainIds).toHaveLength(1)
    expect(
      (await new BatchFixture(world.api).items(distribution.batchOffchainIds[0]!)).map(({ status: each }) => each),
    ).toEqual(Array(7).fill('DONE'))
  })

  it('pays network currency per unit held, without excluded holders and amounts below the minimum', async () => {
    const before = await readBalances()
    const recordAt = await instant()
    const lamportsBefore = await Promise.all(holders.map(({ onchainId }) => world.chain.lamports(onchainId)))
    // 0.5 lamports for each raw unit; one holder has only 100 units.
    const id = await create({
      financialInstrument: share,
      recordAt,
      source: source(),
      payout: { perUnit: '0.0005' },
      excluded: [holders[3]!],
      minimum: '0.0000002',
    })
    const distribution = await waitForEnd(id)
    const parts = before.map((each, index) => (index === 3 || each / 2n < 200n ? 0n : each / 2n))
    const countedShares = sum(before.filter((_, index) => index !== 3))
    expect(distribution).toMatchObject({
      holdersCount: 6,
      partsCount: 5,
      totalLamports: Number(countedShares / 2n),
      remainderLamports: Number(countedShares / 2n - sum(parts)),
    })
    const after = await Promise.all(holders.map(({ onchainId }) => world.chain.lamports(onchainId)))
    expect(after.map((each, index) => each - lamportsBefore[index]!)).toEqual(parts)
  })

  it('excludes the owner of a position that is named in its place, and refuses what is no holder', async () => {
    const request = { financialInstrument: share, recordAt: await instant(), source: source(), payout: { total: '1' } }
    const estimate = async (...excluded: readonly object[]): Promise<unknown> => {
      const headers = { 'Holdfast-Dry-Run': 'true' }
      return (await world.api.ok<Estimate>(200, 'POST', PATH, { ...request, excluded }, { headers })).dryRun
    }
    const expected = await estimate(holders[2]!)
    expect(expected).toMatchObject({ holdersCount: 6 })
    const { offchainId, onchainId } = shares[2]!
    for (const named of [{ offchainId }, { onchainId }]) expect(await estimate(named)).toEqual(expected)
    expect(await estimate({ onchainId: Keypair.generate().publicKey.toBase58() })).toMatchObject({ holdersCount: 7 })
    const itemData = { ...request, excluded: [holders[2]!, cash] }
    const { pointer } = await world.api.refuses(400, 'ACCOUNT_NOT_FOUND', 'POST', PATH, itemData)
    expect(pointer).toBe('/itemData/excluded/1')
  })

  it('in its own instrument leaves out the paying position', async () => {
    const before = await readBalances()
    const recordAt = await instant()
    const id = await create({
      financialInstrument: share,
      recordAt,
      source: { position: shares[6] },
      payout: { financialInstrument: share, total: '0.000600' },
    })
    await waitForEnd(id)
    const others = before.slice(0, 6)
    const parts = others.map((each) => (600n * each) / sum(others))
    expect(await readBalances()).toEqual([
      ...others.map((each, index) => each + parts[index]!),
      before[6]! - sum(parts),
    ])
  })

  it('waits for its record instant, and can be cancelled before', async () => {
    const id = await create({
      financialInstrument: share,
      recordAt: '2999-01-01T00:00:00Z',
      source: source(),
      payout: { total: '1' },
    })
    expect(await single(id)).toMatchObject({ status: 'WAITING', partsCount: null, batchOffchainIds: [] })
    await world.api.ok(200, 'PATCH', `${PATH}/cancel`, { offchainId: id })
    expect(await single(id)).toMatchObject({ status: 'CANCELLED' })
    await world.api.refuses(400, 'DISTRIBUTION_ENDED', 'PATCH', `${PATH}/cancel`, { offchainId: id })
    const filter = [{ fieldName: 'status', filterValues: [{ filterType: 'EQUALS', valueString: 'CANCELLED' }] }]
    expect(await world.api.bulk(`${PATH}/bulk`, { filter })).toMatchObject({ count: 1, items: [{ offchainId: id }] })
  })

  it("attack: from another tenant's wallet or position is refused as from an unknown one", async () => {
    const { api } = world
    await api.ok(201, 'POST', '/admin/organizations', { externalId: 'RAIDER', name: 'Raider' })
    const key = { organizationExternalId: 'RAIDER', name: 'raider', bundle: 'ADMIN' }
    const raider = api.as((await api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', key)).apiKey)
    await world.records.with(raider).feePayer()
    const [foreignLookup, unknownLookup] = [{ offchainId: treasury.offchainId }, { offchainId: randomUUID() }]
    const position = { offchainId: shares[0]!.offchainId }
    const recordAt = await instant()
    const mint = (instrument: Ids): object => ({ onchainId: instrument.onchainId })
    const about = async (from: object, payout: object): Promise<unknown> => {
      const itemData = {
        financialInstrument: mint(share),
        recordAt,
        source: from,
        payout: { total: '0.01', ...payout },
      }
      const { status, body } = await raider.send<Problems>('POST', PATH, itemData)
      return [status, body.errors?.map(({ code, message, pointer }) => [code, message, pointer])]
    }
    const inTokens = { financialInstrument: mint(cash) }
    for (const [from, other, payout] of [
      [{ owner: foreignLookup }, { owner: unknownLookup }, {}],
      [{ owner: foreignLookup }, { owner: unknownLookup }, inTokens],
      [foreignLookup, unknownLookup, {}],
      [foreignLookup, unknownLookup, inTokens],
      [{ position }, { position: unknownLookup }, { financialInstrument: mint(share) }],
    ] as const) {
      const answer = await about(from, payout)
      expect(JSON.stringify(answer)).toMatch(/^\[400,\[\["(ACCOUNT|POSITION)_NOT_FOUND",/)
      expect(answer).toEqual(await about(other, payout))
    }
  })

  it('of nothing to pay shows what it computed, as its dry run does, and leaves all of it at the source', async () => {
    const unheld = await world.records.instrument('SPL', issuer)
    const recordAt = await instant()
    const before = await Promise.all([treasury, ...holders].map(cashOf))
    const payout = { financialInstrument: cash, total: '1' }
    for (const [members, holdersCount, total] of [
      [{ payout: { ...payout, total: '0.000002' } }, 7, 2],
      [{ minimum: '0.9' }, 7, 1_000_000],
      [{ excluded: holders }, 0, 1_000_000],
      [{ financialInstrument: unheld }, 0, 1_000_000],
      [{ excluded: holders, payout: { financialInstrument: cash, perUnit: '1' } }, 0, 0],
    ] as const) {
      const request = { ...{ financialInstrument: share, payout }, recordAt, source: source(), ...members }
      const headers = { 'Holdfast-Dry-Run': 'true' }
      const { dryRun } = await world.api.ok<{ dryRun: object }>(200, 'POST', PATH, request, { headers })
      const counts = { holdersCount, partsCount: 0, totalLamports: total, remainderLamports: total }
      expect(dryRun).toMatchObject({ ...counts, unpaidCount: holdersCount })
      const ended = await waitForEnd(await create(request), 'FAILED')
      expect(ended).toMatchObject({ ...counts, errorCode: 'NOTHING_TO_PAY', batchOffchainIds: [] })
      expect(ended.computedAt).toBe(ended.endedAt)
    }
    expect(await Promise.all([treasury, ...holders].map(cashOf))).toEqual(before)
  })

  it('without cover for all parts pays nothing', async () => {
    const recordAt = await instant()
    const before = await Promise.all(holders.map(cashOf))
    const id = await create({
      financialInstrument: share,
      recordAt,
      source: source(),
      payout: { financialInstrument: cash, total: '1000000' },
    })
    expect(await waitForEnd(id, 'FAILED')).toMatchObject({ errorCode: 'INSUFFICIENT_BALANCE', batchOffchainIds: [] })
    expect(await Promise.all(holders.map(cashOf))).toEqual(before)
  })
})
