// Distributions follow the rules of every other payment: the record instant, the limits of the source, counterparties
// and destination policies, and a screening service.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/time/clock.ts'
import { BatchFixture, transactionsOf } from './batch-fixture.ts'
import { Counterparties, REFUSED, UNLIMITED } from './counterparty-setup.ts'
import { eventually, startWorld, unwatched, type World } from '../harness.ts'
import { perTransaction, to } from '../limits/limit-fixture.ts'
import type { Ids } from '../models.ts'
import { SOL, type Records } from '../records.ts'
import { keyOf } from '../../trust/fixtures/parties.ts'
import { allows, says, Screener, SECRET } from '../limits/screener.ts'

const HOUR_MS = 3_600_000
const HELD = [300n, 200n, 100n] as const
/** Of 0.06 network currency. */
const PARTS = [30_000_000n, 20_000_000n, 10_000_000n]

interface Distribution {
  readonly status: string
  readonly errorCode?: string
  readonly batchOffchainIds: readonly string[]
  readonly partsCount: number | null
}

const time = { aheadMs: 0 }
let world: World
let screener: Screener
let fixture: Counterparties
let records: Records
let share: Ids
let holders: Ids[]
let positions: Ids[]

beforeAll(async () => {
  screener = await Screener.start()
  const clock = {
    ...systemClock,
    now: () => systemClock.now() + time.aheadMs,
    elapsed: () => systemClock.elapsed() + time.aheadMs,
  }
  world = await startWorld({ HOLDFAST_OUTBOUND_ALLOW: screener.host }, unwatched, { clock })
})
afterAll(async () => {
  await world.stop()
  await screener.stop()
})
beforeEach(async () => {
  screener.behave = allows
  fixture = await Counterparties.open(world)
  records = world.records.with(fixture.api)
  share = await records.instrument('TOKEN_2022', await records.account())
  holders = await Promise.all(HELD.map(() => records.funded(UNLIMITED, SOL)))
  positions = await Promise.all(holders.map((holder, index) => records.position(holder, share, HELD[index])))
})

/** Near the time of the service, whose clock may be some milliseconds ahead of the clock of the machine. */
const now = (): number => Date.now() + time.aheadMs
/** At the present holdings, unless `more` names a record instant. */
async function distribute(more: object = {}, api = fixture.api): Promise<string> {
  const snapshot = await fixture.api.read<{ asOf: string }>('/financial-instruments/holders/bulk', {
    financialInstrument: share,
  })
  const { newDistribution } = await api.ok<{ newDistribution: Ids }>(201, 'POST', '/distributions', {
    financialInstrument: share,
    recordAt: snapshot.asOf,
    source: { owner: fixture.wallet },
    payout: { total: '0.06' },
    ...more,
  })
  return newDistribution.offchainId
}
const becomes = (offchainId: string, expected: object): Promise<Distribution> =>
  eventually(async () => {
    const distribution = await fixture.api.read<Distribution>('/distributions/single', { offchainId })
    expect(distribution, JSON.stringify(distribution)).toMatchObject(expected)
    return distribution
  })
const received = (): Promise<bigint[]> =>
  Promise.all(holders.map(async ({ onchainId }) => (await world.chain.lamports(onchainId)) - SOL))
const move = (from: number, into: number, lamports: number): Promise<unknown> =>
  fixture.api.ok(201, 'POST', '/positions/transfer', {
    source: { position: positions[from] },
    destination: { position: positions[into] },
    lamports,
  })

// This test comes first: the service must sign with the present time, before a test shifts the clock.
it('a screening service is asked before a part is paid, and a denied part is paid by a retry', async () => {
  await fixture.rules({ screening: { url: screener.url, secret: SECRET, timeoutMs: 5_000 } })
  screener.behave = says({ decision: 'DENY', reason: 'sanctioned' })
  const denied = await becomes(await distribute(), { status: 'FAILED', batchOffchainIds: [expect.any(String)] })
  expect(await received()).toEqual([0n, 0n, 0n])
  const batches = new BatchFixture(fixture.api)
  const [batch] = denied.batchOffchainIds
  expect((await batches.items(batch!)).map(({ errorCode }) => errorCode)).toEqual(Array(3).fill('SCREENING_DENIED'))
  screener.behave = allows
  await batches.retry(batch!)
  await batches.waitForEnd(batch!)
  expect(await received()).toEqual(PARTS)
})

describe('a record instant in the future', () => {
  it('delays the distribution, and counts exactly the holdings of that instant', async () => {
    const recordMs = now() + HOUR_MS
    const id = await distribute({ recordAt: new Date(recordMs).toISOString(), externalReference: 'COUPON-1' })
    expect(await becomes(id, { status: 'WAITING' })).toMatchObject({ partsCount: null, batchOffchainIds: [] })
    await move(0, 2, 300)
    time.aheadMs += recordMs - now() + 1
    await move(1, 0, 200)
    const { batchOffchainIds } = await becomes(id, { status: 'DONE', partsCount: 2 })
    expect(await received()).toEqual([0n, 20_000_000n, 40_000_000n])
    // Its reference is the reference of each transaction.
    const filter = [
      { fieldName: 'externalReference', filterValues: [{ filterType: 'EQUALS', valueString: 'COUPON-1' }] },
    ]
    const { items } = (await fixture.api.bulk('/transactions/bulk/detailed', { filter })) as { items: readonly Ids[] }
    const transactions = transactionsOf(await new BatchFixture(fixture.api).items(batchOffchainIds[0]!))
    expect(items.map(({ offchainId }) => offchainId).sort()).toEqual([...transactions].sort())
  })

  it('pays nothing if the key of the request was disabled or has expired by then', async () => {
    const recordMs = now() + HOUR_MS
    const expiresAt = new Date(recordMs - 1_000).toISOString()
    const [disabled, expired] = await Promise.all(
      [{}, { expiresAt }].map((more) =>
        keyOf(world, fixture.party.externalId, { roles: ['POSITIONS_WRITE', 'INSTRUMENTS_READ'], ...more }),
      ),
    )
    const recordAt = new Date(recordMs).toISOString()
    const ids = [await distribute({ recordAt }, disabled!.api), await distribute({ recordAt }, expired!.api)]
    await fixture.api.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId: disabled!.keyId })
    time.aheadMs += recordMs - now() + 1
    for (const [index, errorCode] of ['CREATOR_DISABLED', 'CREATOR_EXPIRED'].entries())
      await becomes(ids[index]!, { status: 'FAILED', errorCode, batchOffchainIds: [] })
    expect(await received()).toEqual([0n, 0n, 0n])
  })
})

describe('a distribution that exceeds a limit of its source', () => {
  const createLimited = (): Promise<Ids> => {
    const override = { approversForOverride: [fixture.approver.keyId], requiredApproversCount: 1 }
    return records.funded({ networkCurrencyDebitLimits: [to('ANY', perTransaction('0.01', override))] }, SOL)
  }
  const createWaiting = async (): Promise<{ id: string; batch: string }> => {
    const id = await distribute({ source: { owner: await createLimited() } })
    const { batchOffchainIds } = await becomes(id, { status: 'PAYING', batchOffchainIds: [expect.any(String)] })
    const batch = batchOffchainIds[0]!
    expect(await new BatchFixture(fixture.api).single(batch)).toMatchObject({
      status: 'PREPARED',
      itemsCount: 3,
      approval: { required: 1, given: 0 },
    })
    expect(await received()).toEqual([0n, 0n, 0n])
    return { id, batch }
  }

  it('is paid after one approval for all parts', async () => {
    const { id, batch } = await createWaiting()
    await new BatchFixture(fixture.api).approve(batch, fixture.approver.api)
    await becomes(id, { status: 'DONE' })
    expect(await received()).toEqual(PARTS)
  })

  it('pays nothing after a rejection', async () => {
    const { id, batch } = await createWaiting()
    await fixture.approver.api.ok(200, 'PATCH', '/batches/reject', { offchainId: batch })
    await becomes(id, { status: 'CANCELLED' })
    expect(await received()).toEqual([0n, 0n, 0n])
  })
})

describe('a holder that must not be paid', () => {
  it('blocks the whole distribution until it is excluded or allowed', async () => {
    const listing = await fixture.list('BLOCKED', holders[1]!.onchainId)
    await becomes(await distribute(), { status: 'FAILED', errorCode: REFUSED, batchOffchainIds: [] })
    expect(await received()).toEqual([0n, 0n, 0n])
    await becomes(await distribute({ excluded: [holders[1]], payout: { total: '0.04' } }), { status: 'DONE' })
    expect(await received()).toEqual([PARTS[0], 0n, PARTS[2]])
    await fixture.change(listing, { status: 'ALLOWED' })
    await becomes(await distribute(), { status: 'DONE' })
    expect(await received()).toEqual([2n * PARTS[0]!, PARTS[1], 2n * PARTS[2]!])
  })

  it('that was blocked before the record instant is not paid', async () => {
    const recordMs = now() + HOUR_MS
    const id = await distribute({ recordAt: new Date(recordMs).toISOString() })
    await fixture.list('BLOCKED', holders[0]!.onchainId)
    time.aheadMs += recordMs - now() + 1
    await becomes(id, { status: 'FAILED', errorCode: REFUSED })
    expect(await received()).toEqual([0n, 0n, 0n])
  })

  it('that is under review is paid after one approval of all parts', async () => {
    await fixture.reviewedByApprover()
    await fixture.list('REVIEW', holders[2]!.onchainId)
    const id = await distribute()
    const { batchOffchainIds } = await becomes(id, { status: 'PAYING', batchOffchainIds: [expect.any(String)] })
    expect(await received()).toEqual([0n, 0n, 0n])
    await new BatchFixture(fixture.api).approve(batchOffchainIds[0]!, fixture.approver.api)
    await becomes(id, { status: 'DONE' })
    expect(await received()).toEqual(PARTS)
  })
})
