// Ended batches, schedules, distributions, payment requests and pending changes that were evicted: a repeated request
// gets the first answer and has no further effect, and impossible operations on them are refused.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AssembledService } from '../../../src/service/assemble.ts'
import { systemClock } from '../../../src/time/clock.ts'
import { BatchFixture, BATCHES, type Batch } from '../payouts/batch-fixture.ts'
import { once, type Client } from '../client.ts'
import { UNLIMITED } from '../payouts/counterparty-setup.ts'
import { eventually, startWorld, unwatched, type World } from '../harness.ts'
import { LimitFixture } from '../limits/limit-fixture.ts'
import type { Ids, Problems } from '../models.ts'
import { SOL } from '../records.ts'

/** Longer than an ended payment request is watched. */
const LATER_MS = 2 * 86_400_000

const time = { aheadMs: 0 }
let world: World
let assembled: AssembledService
let fixture: BatchFixture
let cash: Ids
let share: Ids
let wallet: Ids
let treasury: Ids
let holder: Ids

beforeAll(async () => {
  const clock = {
    ...systemClock,
    now: () => systemClock.now() + time.aheadMs,
    elapsed: () => systemClock.elapsed() + time.aheadMs,
  }
  world = await startWorld({}, unwatched, { clock, keepRetryable: 0, opened: (parts) => (assembled = parts) })
  fixture = new BatchFixture(world.api)
  const { records } = world
  await records.feePayer(UNLIMITED)
  const issuer = await records.account()
  cash = await records.instrument('SPL', issuer)
  share = await records.instrument('SPL', issuer)
  wallet = await records.funded(UNLIMITED, 50n * SOL)
  treasury = await records.position(wallet, cash, 1_000n)
  holder = await records.funded(UNLIMITED, SOL)
  await records.position(holder, share, 7n)
})
afterAll(() => world.stop())

/** Waits until the record is only in the store; other records push it out of memory. */
const evicted = (offchainId: string): Promise<void> =>
  eventually(async () => {
    await fixture.waitForEnd(await fixture.create('CREATE_ACCOUNT', [{}]))
    expect(assembled.platform.engine.directory.byId(offchainId)?.place).toBe('store')
  })
const count = async (path: string, api: Client): Promise<number> =>
  ((await api.bulk(path, { limit: 0 })) as { count: number }).count

interface Request {
  readonly method?: 'POST' | 'PATCH'
  readonly path: string
  readonly body: object
  /** A changed body, so that the key is used for another request. */
  readonly other: object
  readonly list: string
  /** The member of the answer with the id of the record. */
  readonly member: string
  readonly api?: Client
}

/** Sends a request, waits until its record has ended and is evicted, and sends the request again. */
async function retry(
  { method = 'POST', path, body, other, list, member, api = world.api }: Request,
  end: (offchainId: string) => Promise<unknown>,
): Promise<string> {
  const headers = once(`evicted ${path}`)
  const idOf = (answer: unknown): string => (answer as Readonly<Record<string, Ids>>)[member]!.offchainId
  const first = await api.send<Problems>(method, path, body, { headers })
  expect(first.status, JSON.stringify(first.body)).toBeLessThan(300)
  const offchainId = idOf(first.body)
  await end(offchainId)
  await evicted(offchainId)
  const before = await count(list, api)
  const second = await api.send<Problems>(method, path, body, { headers })
  expect([second.status, idOf(second.body)]).toEqual([first.status, offchainId])
  const { status, body: refusal } = await api.send<Problems>(method, path, { ...body, ...other }, { headers })
  expect([status, refusal.errors?.[0]?.code]).toEqual([400, 'IDEMPOTENCY_KEY_REUSED'])
  expect(await count(list, api)).toBe(before)
  return offchainId
}

describe('a replay of a request whose record was evicted returns the first answer, and creates nothing', () => {
  it('for a batch', async () => {
    const to = await world.records.account()
    const items = [{ source: wallet, destination: to, lamports: 1_000_000 }]
    const request = { member: 'newBatch', path: BATCHES, list: `${BATCHES}/bulk`, other: { stopOnFailure: true } }
    await retry({ ...request, body: { operation: 'TRANSFER_NETWORK_CURRENCY', items } }, (id) => fixture.waitForEnd(id))
    expect(await world.chain.lamports(to.onchainId)).toBe(1_000_000n)
  })

  it('for a schedule', async () => {
    const to = await world.records.account()
    const body = {
      operation: 'TRANSFER_NETWORK_CURRENCY',
      itemData: { source: wallet, destination: to, lamports: 1_000_000 },
      startAt: new Date(Date.now() + time.aheadMs + LATER_MS).toISOString(),
      every: { code: 'DAYS', unit: 1 },
      maxRuns: 1,
    }
    const request = { member: 'newSchedule', path: '/schedules', list: '/schedules/bulk', other: { maxRuns: 2 }, body }
    const ofSchedule = (offchainId: string): object => ({
      filter: [{ fieldName: 'scheduleOffchainId', filterValues: [{ filterType: 'EQUALS', valueString: offchainId }] }],
    })
    await retry(request, async (offchainId) => {
      time.aheadMs += LATER_MS
      await eventually(async () =>
        expect(await world.api.read('/schedules/single', { offchainId })).toMatchObject({ status: 'ENDED' }),
      )
      // A schedule has ended when its last payment is made, not when that has landed.
      await eventually(async () =>
        expect(await world.api.bulk('/schedules/occurrences/bulk', ofSchedule(offchainId))).toMatchObject({
          items: [{ status: 'DONE' }],
        }),
      )
    })
    expect(await world.chain.lamports(to.onchainId)).toBe(1_000_000n)
  })

  it('for a distribution', async () => {
    const body = {
      financialInstrument: share,
      recordAt: new Date(Date.now() + time.aheadMs).toISOString(),
      source: { position: treasury },
      payout: { financialInstrument: cash, total: '0.0001' },
    }
    const request = {
      member: 'newDistribution',
      path: '/distributions',
      list: '/distributions/bulk',
      other: { minimum: '1' },
      body,
    }
    await retry(request, async (offchainId) => {
      await eventually(async () =>
        expect(await world.api.read('/distributions/single', { offchainId })).toMatchObject({ status: 'DONE' }),
      )
    })
    expect(await world.chain.tokens(world.records.associated(holder, cash, 'SPL'))).toBe(100n)
  })

  it('for a payment request', async () => {
    const body = { destination: wallet, amount: '1', externalReference: 'INV' }
    const request = {
      member: 'newPaymentRequest',
      path: '/payment-requests',
      list: '/payment-requests/bulk',
      other: { amount: '2' },
      body,
    }
    await retry(request, async (offchainId) => {
      await world.api.ok(200, 'PATCH', '/payment-requests/cancel', { offchainId })
      time.aheadMs += LATER_MS
    })
  })

  it('for a pending change', async () => {
    const people = new LimitFixture(world)
    const organization = await people.organization()
    const admin = await people.person(organization, 'ADMIN')
    const approver = await people.person(organization, ['DEBIT_LIMIT_APPROVE'])
    const account = await world.records.with(admin.api).account()
    await admin.api.ok(201, 'POST', '/approval-policies', {
      operations: ['ACCOUNT_POLICY'],
      approvers: [approver.keyId],
      requiredApproversCount: 1,
    })
    const request = {
      method: 'PATCH',
      member: 'pendingChange',
      path: '/accounts',
      list: '/pending-changes/bulk',
      body: { account, networkCurrencyDebitLimits: [] },
      other: { canPayFees: true },
      api: admin.api,
    } as const
    await retry(request, (offchainId) => approver.api.ok(200, 'POST', '/pending-changes/approve', { offchainId }))
  })
})

describe('an evicted batch', () => {
  it('is returned with its items, and cannot be retried or cancelled', async () => {
    const poor = await world.records.funded(UNLIMITED, SOL)
    const source = await world.records.position(poor, cash, 5n)
    const item = (lamports: number) => ({
      source: { position: source },
      destination: { position: treasury },
      lamports,
      offchainBalanceAvailabilityPrecheck: false,
    })
    const offchainId = await fixture.create('TRANSFER', [item(50), item(2)])
    const items = await fixture.waitForEnd(offchainId, 'FAILED')
    expect(items.map(({ status }) => status)).toEqual(['FAILED', 'DONE'])
    await evicted(offchainId)
    for (const { offchainId: id } of items) await evicted(id)
    const batch = await world.api.read<Batch>(`${BATCHES}/single`, { offchainId })
    await world.records.mint(source, 100n)
    const headers = once('retry of an evicted batch')
    for (let time = 0; time < 2; time += 1)
      await world.api.refuses(400, 'BATCH_TOO_OLD', 'PATCH', `${BATCHES}/retry`, { offchainId }, { headers })
    await world.api.refuses(400, 'BATCH_ENDED', 'PATCH', `${BATCHES}/cancel`, { offchainId })
    expect(await world.api.read(`${BATCHES}/single`, { offchainId })).toEqual(batch)
    expect(await fixture.items(offchainId)).toEqual(items)
    expect(await world.chain.tokens(source.onchainId)).toBe(103n)
  })
})
