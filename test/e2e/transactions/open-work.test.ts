// The work that keeps the engine of a cell open, and the work that only sets the time of its next opening: every kind
// of work, started and ended over HTTP.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AssembledService } from '../../../src/service/assemble.ts'
import type { FoundWork } from '../../../src/operations/background/open-work.ts'
import { systemClock, type Clock } from '../../../src/time/clock.ts'
import { TOLERATED_MS } from '../../../src/time/service-clock.ts'
import { eventually, startWorld, unwatched, type World } from '../harness.ts'
import { LimitFixture, PAY, perTransaction, to, type Person } from '../limits/limit-fixture.ts'
import type { Ids, Result } from '../models.ts'
import { SOL, type Records } from '../records.ts'

const NOTHING: FoundWork = { holds: null, dueAt: null }
const ASYNC = { Prefer: 'respond-async' }
const FEEDS = '/market-data/onchain-data-source'
const HOUR_MS = 3_600_000

let wallMs = 0
let elapsedMs = 0
const shiftedClock: Clock = {
  ...systemClock,
  now: () => systemClock.now() + wallMs,
  elapsed: () => systemClock.elapsed() + elapsedMs,
}

let world: World
let assembled: AssembledService
let admin: Person
let anna: Person
let records: Records
let source: Ids
let destination: Ids

const findWork = (): Promise<FoundWork> => assembled.work.find()
const holds = (what: RegExp) => eventually(async () => expect((await findWork()).holds).toMatch(what))
const isDueAt = (atMs: number) => eventually(async () => expect(await findWork()).toEqual({ holds: null, dueAt: atMs }))
const hasNothing = () => eventually(async () => expect(await findWork()).toEqual(NOTHING))
const timeIn = (ms: number): string => new Date(Math.ceil(shiftedClock.now() / 1_000) * 1_000 + ms).toISOString()
const payment = (lamports = 1_000_000) => ({ source, destination, lamports })
const patch = (path: string, itemData: object) => admin.api.ok<object>(200, 'PATCH', path, itemData)
const create = async (path: string, name: string, itemData: object): Promise<Ids> =>
  (await admin.api.ok<Readonly<Record<string, Ids>>>(201, 'POST', path, itemData))[name]!
const cancel = (path: string, { offchainId }: { readonly offchainId: string }) =>
  patch(`${path}/cancel`, { offchainId })

beforeAll(async () => {
  world = await startWorld(
    {
      HOLDFAST_FEED_REFRESH_SECONDS: '86400',
      HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1:9',
      // A transaction that is withheld for some time must still land.
      HOLDFAST_EMBEDDED_SLOT_MS: '200',
    },
    unwatched,
    {
      clock: shiftedClock,
      opened: (service) => {
        assembled = service
      },
    },
  )
  const fixture = new LimitFixture(world)
  const organization = await fixture.organization()
  admin = await fixture.person(organization, 'ADMIN')
  anna = await fixture.person(organization, ['DEBIT_LIMIT_APPROVE'])
  records = world.records.with(admin.api)
  await records.feePayer()
  const approvers = { approversForOverride: [anna.keyId], requiredApproversCount: 1 }
  source = await records.funded({ networkCurrencyDebitLimits: [to('ANY', perTransaction(1, approvers))] }, 20n * SOL)
  destination = await records.funded({}, SOL)
})
afterAll(() => world.stop())
beforeEach(hasNothing)

it('a snapshot from before a commit can be outdated', async () => {
  const { changes } = assembled.work
  await findWork()
  expect(assembled.work.changes).toBe(changes)
  await records.account()
  expect(assembled.work.changes).toBeGreaterThan(changes)
})

describe('the engine stays open', () => {
  it('while a transaction is open', async () => {
    await world.api.ok(200, 'PATCH', '/admin/lanes/suspend', {})
    const { offchainId } = await admin.api.ok<Result>(201, 'POST', PAY, payment(), { headers: ASYNC })
    await holds(/a transaction has not ended/)
    await world.api.ok(200, 'PATCH', '/admin/lanes/resume', {})
    await hasNothing()
    await eventually(async () =>
      expect(await admin.api.read('/transactions/status', { offchainId })).toMatchObject({ status: 'FINALIZED' }),
    )
  })

  it('while a batch is under way', async () => {
    await world.api.ok(200, 'PATCH', '/admin/lanes/suspend', {})
    const { newBatch } = await admin.api.ok<{ newBatch: Ids }>(201, 'POST', '/batches', {
      operation: 'TRANSFER_NETWORK_CURRENCY',
      items: [payment(), payment(2)],
    })
    await holds(/batch|transaction/)
    await world.api.ok(200, 'PATCH', '/admin/lanes/resume', {})
    await hasNothing()
    await eventually(async () =>
      expect(await admin.api.read('/batches/single', { offchainId: newBatch.offchainId })).toMatchObject({
        status: 'DONE',
      }),
    )
  })

  it('while a webhook is enabled', async () => {
    const webhook = await create('/webhooks', 'newWebhook', { url: 'http://127.0.0.1:9/' })
    await holds(/webhook/)
    await patch('/webhooks/disable', { offchainId: webhook.offchainId })
  })
})

describe('the engine reopens', () => {
  it('when an unsigned transaction expires', async () => {
    const item = { ...payment(), source: { ...source, autoSign: false } }
    const begunMs = shiftedClock.now()
    const { offchainId } = await admin.api.ok<Result>(201, 'POST', PAY, item)
    const { holds: what, dueAt } = await findWork()
    expect(what).toBeNull()
    // The clock of the service is monotonic: the clock of the machine may have been corrected.
    expect(dueAt! - 24 * HOUR_MS).toBeGreaterThanOrEqual(begunMs - TOLERATED_MS)
    expect(dueAt! - 24 * HOUR_MS).toBeLessThanOrEqual(shiftedClock.now() + TOLERATED_MS)
    await patch('/transactions/cancel', { offchainId })
  })

  it('when the time for an approval is over', async () => {
    const body = await admin.api.ok<Result & { approval: { expiresAt: string } }>(201, 'POST', PAY, payment(2e9))
    await isDueAt(Date.parse(body.approval.expiresAt))
    await patch('/transactions/cancel', { offchainId: body.offchainId })
  })

  it('when the time for the approval of a batch is over', async () => {
    const begunMs = shiftedClock.now()
    const batch = await admin.api.ok<{ newBatch: Ids }>(201, 'POST', '/batches', {
      operation: 'TRANSFER_NETWORK_CURRENCY',
      items: [payment(2e9)],
    })
    const { dueAt } = await findWork()
    expect(dueAt! - 2 * HOUR_MS).toBeLessThanOrEqual(shiftedClock.now() + TOLERATED_MS)
    expect(dueAt! - 2 * HOUR_MS).toBeGreaterThan(begunMs - TOLERATED_MS)
    await cancel('/batches', batch.newBatch)
  })

  it('when the time for the approval of a change is over', async () => {
    const policy = { operations: ['ACCOUNT_POLICY'], approvers: [anna.keyId], requiredApproversCount: 1 }
    await create('/approval-policies', 'newApprovalPolicy', policy)
    const change = { account: destination, networkCurrencyDebitLimits: [] }
    const begunMs = shiftedClock.now()
    const { pendingChange } = await admin.api.ok<{ pendingChange: Ids }>(202, 'PATCH', '/accounts', change)
    const { holds: what, dueAt } = await findWork()
    expect(what).toBeNull()
    expect(dueAt).toBeGreaterThan(begunMs)
    await anna.api.ok(200, 'POST', '/pending-changes/reject', { offchainId: pendingChange.offchainId, reason: 'no' })
  })

  it('when a schedule or a distribution is due, at the earlier of both', async () => {
    const everyDay = { every: { code: 'DAYS', unit: 1 }, operation: 'TRANSFER_NETWORK_CURRENCY', itemData: payment() }
    const [soon, last] = [timeIn(HOUR_MS), timeIn(2 * HOUR_MS)]
    const second = await create('/schedules', 'newSchedule', { ...everyDay, startAt: last })
    await isDueAt(Date.parse(last))
    const first = await create('/schedules', 'newSchedule', { ...everyDay, startAt: soon })
    await isDueAt(Date.parse(soon))
    await cancel('/schedules', first)
    const recordAt = timeIn(HOUR_MS + 60_000)
    const share = await records.instrument('TOKEN_2022', source)
    const distribution = await create('/distributions', 'newDistribution', {
      ...{ financialInstrument: share, recordAt, source: { owner: source } },
      payout: { perUnit: '1' },
    })
    await isDueAt(Date.parse(recordAt))
    await cancel('/distributions', distribution)
    await isDueAt(Date.parse(last))
    await cancel('/schedules', second)
  })
})

describe('the engine stays open without a deadline', () => {
  it('while a payment request is open', async () => {
    const request = await create('/payment-requests', 'newPaymentRequest', {
      destination,
      amount: '1',
      externalReference: '1',
    })
    await holds(/payment/)
    await cancel('/payment-requests', request)
    await holds(/payment/)
    // The service looks for late payments for a day.
    wallMs += 25 * HOUR_MS
    elapsedMs += 25 * HOUR_MS
    await hasNothing()
  })

  it('while a feed has a refresh interval', async () => {
    const authority = await records.account()
    const financialInstrument = await records.instrument('TOKEN_2022', authority)
    const feed = await create(FEEDS, 'newOnchainDataSource', {
      defiProtocol: 'PUBLISHED_FEED',
      onchainDataSource: {},
      financialInstrument,
      onchainDataSourceAuthority: authority,
      dataDetails: { kind: 'PRICE' },
      oracleProviderDetails: { kind: 'QUOTES', jobDefinition: '{"tasks":[{"valueTask":{"value":1}}]}' },
    })
    await holds(/data source/)
    expect(feed.offchainId).toBeDefined()
  })
})
