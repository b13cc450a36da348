// Schedules over HTTP, against the chain: one payment at each instant, with the rights that the creator has at that
// time.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/time/clock.ts'
import { once, type Client } from '../client.ts'
import { eventually, startWorld, unwatched, type World } from '../harness.ts'
import type { Ids, Problems, TransactionRecord } from '../models.ts'
import { SOL } from '../records.ts'

const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S

interface Schedule {
  readonly offchainId: string
  readonly status: string
  readonly nextNumber: number | null
  readonly nextAt: string | null
  readonly runsCount: number
  readonly missedCount: number
  readonly failuresInARow: number
  readonly errorCode?: string
  readonly pausedBecause?: string
  readonly createdBy: string
}

interface Occurrence {
  readonly number: number
  readonly dueAt: string
  readonly missedUntil?: { readonly number: number; readonly dueAt: string }
  readonly status: string
  readonly chainTransaction: { readonly offchainId: string; readonly onchainId: string } | null
  readonly errorCode?: string
}

/** The offset of the wall clock, in addition to the elapsed time. */
const time = { aheadMs: 0, wallMs: 0 }
let world: World
let source: Ids

beforeAll(async () => {
  const clock = {
    ...systemClock,
    now: () => systemClock.now() + time.aheadMs + time.wallMs,
    elapsed: () => systemClock.elapsed() + time.aheadMs,
  }
  world = await startWorld({}, unwatched, { clock })
  await world.records.feePayer()
  source = await world.records.funded({ networkCurrencyDebitLimits: [] }, 50n * SOL)
})
afterAll(() => world.stop())

const pass = (seconds: number): void => {
  time.aheadMs += seconds * 1_000
}
const now = (): number => Date.now() + time.aheadMs
const inSeconds = (seconds: number): string => new Date(now() + seconds * 1_000).toISOString()
const payment = (to: Ids, lamports = 1_000, from = source) => ({
  operation: 'TRANSFER_NETWORK_CURRENCY',
  itemData: { source: from, destination: to, lamports },
})
const daily = { every: { code: 'DAYS', unit: 1 } }

async function create(itemData: object, api = world.api): Promise<string> {
  const { newSchedule } = await api.ok<{ newSchedule: { offchainId: string } }>(201, 'POST', '/schedules', itemData)
  return newSchedule.offchainId
}
const single = (offchainId: string): Promise<Schedule> => world.api.read('/schedules/single', { offchainId })
async function occurrences(offchainId: string): Promise<readonly Occurrence[]> {
  const filter = [
    { fieldName: 'scheduleOffchainId', filterValues: [{ filterType: 'EQUALS', valueString: offchainId }] },
  ]
  return ((await world.api.bulk('/schedules/occurrences/bulk', { filter })) as { items: readonly Occurrence[] }).items
}
/** Waits until this number of occurrences is on record, and none is under way. */
const waitForOccurrences = (offchainId: string, count: number): Promise<readonly Occurrence[]> =>
  eventually(async () => {
    const list = await occurrences(offchainId)
    expect(list.length, JSON.stringify(list)).toBe(count)
    expect(list.filter(({ status }) => status === 'UNDER_WAY')).toEqual([])
    return list
  })
const lamports = ({ onchainId }: Ids): Promise<bigint> => world.chain.lamports(onchainId)
const change = (path: string, offchainId: string) => world.api.ok(200, 'PATCH', `/schedules/${path}`, { offchainId })

async function keyOf(api: Client, roles: object): Promise<{ readonly client: Client; readonly keyId: string }> {
  const { apiKey, keyId } = await api.ok<{ apiKey: string; keyId: string }>(201, 'POST', '/admin/api-keys', {
    organizationExternalId: 'SYSTEM',
    name: 'payer',
    ...roles,
  })
  return { client: api.as(apiKey), keyId }
}

describe('a schedule', () => {
  it('pays once at each instant, with the rights of its creator at that time', async () => {
    const { client, keyId } = await keyOf(world.api, { bundle: 'OPERATOR' })
    const to = await world.records.funded({}, SOL)
    const { itemData, operation } = payment(to)
    const body = {
      operation,
      itemData: { ...itemData, externalReference: 'RENT' },
      startAt: inSeconds(HOUR_S),
      ...daily,
      externalReference: 'LEASE',
    }
    const answers = await Promise.all(
      [1, 2].map(() => client.send<{ newSchedule: Ids }>('POST', '/schedules', body, { headers: once('lease') })),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[0]!.body).toEqual(answers[1]!.body)
    const id = answers[0]!.body.newSchedule.offchainId
    expect(await single(id)).toMatchObject({
      status: 'ACTIVE',
      nextNumber: 1,
      nextAt: body.startAt,
      runsCount: 0,
      createdBy: keyId,
    })

    pass(HOUR_S)
    const [first] = await waitForOccurrences(id, 1)
    expect(first).toMatchObject({ number: 1, status: 'DONE', dueAt: body.startAt })
    expect(await lamports(to)).toBe(SOL + 1_000n)
    const record = await world.api.read<TransactionRecord & { requestedBy: string }>('/transactions/single', {
      offchainId: first!.chainTransaction!.offchainId,
    })
    const references = { externalReference: 'LEASE', itemReferences: ['RENT'] }
    expect(record).toMatchObject({ status: 'FINALIZED', ...references, endpoint: 'POST /api/v1/schedules' })
    for (const valueString of ['LEASE', 'RENT']) {
      const filter = [{ fieldName: 'externalReference', filterValues: [{ filterType: 'EQUALS', valueString }] }]
      expect(await world.api.bulk('/transactions/bulk/identifiers', { filter })).toMatchObject({ count: 1 })
    }
    pass(DAY_S)
    await waitForOccurrences(id, 2)
    expect(await lamports(to)).toBe(SOL + 2_000n)

    await world.api.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId })
    pass(DAY_S)
    const third = (await waitForOccurrences(id, 3))[2]
    expect(third).toMatchObject({ number: 3, status: 'FAILED', errorCode: 'CREATOR_DISABLED', chainTransaction: null })
    expect(await single(id)).toMatchObject({
      status: 'ACTIVE',
      runsCount: 3,
      failuresInARow: 1,
      errorCode: 'CREATOR_DISABLED',
      nextNumber: 4,
    })
    expect(await lamports(to)).toBe(SOL + 2_000n)
    await change('cancel', id)
  })

  it('makes no payment while it is paused or after it is cancelled', async () => {
    const to = await world.records.funded({}, SOL)
    const other = await world.records.funded({}, SOL)
    const id = await create({ ...payment(to), startAt: inSeconds(HOUR_S), ...daily })
    const witness = await create({ ...payment(other), startAt: inSeconds(HOUR_S), ...daily })
    await change('pause', id)
    await world.api.refuses(400, 'NOT_ACTIVE', 'PATCH', '/schedules/pause', { offchainId: id })
    pass(HOUR_S)
    await waitForOccurrences(witness, 1)
    pass(DAY_S)
    await waitForOccurrences(witness, 2)
    expect(await single(id)).toMatchObject({
      status: 'PAUSED',
      pausedBecause: 'REQUESTED',
      nextAt: null,
      runsCount: 0,
      missedCount: 0,
    })
    await change('resume', id)
    await world.api.refuses(400, 'NOT_PAUSED', 'PATCH', '/schedules/resume', { offchainId: id })
    expect(Date.parse((await single(id)).nextAt!)).toBeGreaterThan(now())
    pass(DAY_S)
    expect((await waitForOccurrences(id, 1)).map(({ status }) => status)).toEqual(['DONE'])
    await waitForOccurrences(witness, 3)
    await change('cancel', id)
    pass(DAY_S)
    await waitForOccurrences(witness, 4)
    expect(await occurrences(id)).toHaveLength(1)
    expect(await lamports(to)).toBe(SOL + 1_000n)
    expect(await single(id)).toMatchObject({ status: 'CANCELLED', nextAt: null })
    await world.api.refuses(400, 'SCHEDULE_ENDED', 'PATCH', '/schedules/cancel', { offchainId: id })
    await change('cancel', witness)
  })

  it('makes up for one missed occurrence, or none', async () => {
    const [to, other] = [await world.records.funded({}, SOL), await world.records.funded({}, SOL)]
    const startAt = inSeconds(HOUR_S)
    const at = (number: number): string => new Date(Date.parse(startAt) + (number - 1) * DAY_S * 1_000).toISOString()
    const id = await create({ ...payment(to), startAt, ...daily })
    const skipping = await create({ ...payment(other), startAt, ...daily, onMissed: 'SKIP' })
    pass(9 * DAY_S + 2 * HOUR_S)
    expect(await waitForOccurrences(id, 2)).toMatchObject([
      { number: 1, status: 'MISSED', dueAt: at(1), missedUntil: { number: 9, dueAt: at(9) }, chainTransaction: null },
      { number: 10, status: 'DONE', dueAt: at(10) },
    ])
    expect(await waitForOccurrences(skipping, 1)).toMatchObject([
      { number: 1, status: 'MISSED', dueAt: at(1), missedUntil: { number: 10, dueAt: at(10) } },
    ])
    expect([await lamports(to), await lamports(other)]).toEqual([SOL + 1_000n, SOL])
    expect(await single(id)).toMatchObject({ runsCount: 1, missedCount: 9, nextNumber: 11, nextAt: at(11) })
    expect(await single(skipping)).toMatchObject({ runsCount: 0, missedCount: 10, nextNumber: 11, nextAt: at(11) })
    // An occurrence on time is executed.
    pass(DAY_S - HOUR_S)
    expect((await waitForOccurrences(skipping, 2))[1]).toMatchObject({ number: 11, status: 'DONE' })
    await Promise.all([id, skipping].map((each) => change('cancel', each)))
  })

  it('makes up for the occurrences that came while nothing of its organization was sent', async () => {
    const to = await world.records.funded({}, SOL)
    const before = await lamports(to)
    const each = (onMissed: string) => ({ ...payment(to), startAt: inSeconds(HOUR_S), ...daily, onMissed })
    const [latest, none] = await Promise.all([create(each('RUN_ONCE')), create(each('SKIP'))])
    await world.api.ok(200, 'PATCH', '/admin/lanes/suspend', { organizationExternalId: 'SYSTEM' })
    pass(HOUR_S + 5 * 60)
    // An occurrence that is not to be made any more is recorded at once; the other is attempted again each second.
    await waitForOccurrences(none, 1)
    for (let count = 0; count < 60; count += 1) {
      expect(await occurrences(latest)).toEqual([])
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await world.api.ok(200, 'PATCH', '/admin/lanes/resume', { organizationExternalId: 'SYSTEM' })
    expect(await waitForOccurrences(latest, 1)).toMatchObject([{ number: 1, status: 'DONE' }])
    expect(await occurrences(none)).toMatchObject([{ number: 1, status: 'MISSED' }])
    expect((await lamports(to)) - before).toBe(1_000n)
    await Promise.all([latest, none].map((id) => change('cancel', id)))
  })

  it('makes no payment while the clock is wrong, and one for each instant once it is right', async () => {
    const to = await world.records.funded({}, SOL)
    const id = await create({ ...payment(to), startAt: inSeconds(HOUR_S), ...daily })
    const clockIs = (expected: boolean): Promise<void> =>
      eventually(async () => {
        const { checks } = (await (await fetch(`${world.url}/readyz`)).json()) as { checks: { clock: string } }
        expect(checks.clock === 'ok', checks.clock).toBe(expected)
      })
    pass(HOUR_S)
    await waitForOccurrences(id, 1)
    for (const [index, jumpS] of [3 * DAY_S, -3 * DAY_S].entries()) {
      time.wallMs = jumpS * 1_000
      await clockIs(false)
      // With a clock ahead, three more occurrences seem due. With a clock behind, none does, while one is.
      if (jumpS < 0) pass(DAY_S)
      // Payments are not made either, for the same reason.
      await world.api.refuses(503, 'CLOCK_OFF', 'POST', '/positions/transfer-network-currency', {
        ...payment(to).itemData,
      })
      expect(await occurrences(id)).toHaveLength(index + 1)
      time.wallMs = 0
      await clockIs(true)
      if (jumpS > 0) pass(DAY_S)
      expect((await waitForOccurrences(id, index + 2))[index + 1]).toMatchObject({ number: index + 2, status: 'DONE' })
    }
    expect(await lamports(to)).toBe(SOL + 3_000n)
    await change('cancel', id)
  })

  it('ends after the maximum number of attempts, or at its end', async () => {
    const to = await world.records.funded({}, SOL)
    const startAt = inSeconds(HOUR_S)
    const countedSchedule = await create({ ...payment(to), startAt, ...daily, maxRuns: 2 })
    const bounded = await create({
      ...payment(to),
      startAt,
      ...daily,
      endAt: new Date(Date.parse(startAt) + DAY_S * 1_000).toISOString(),
    })
    pass(HOUR_S)
    await Promise.all([waitForOccurrences(countedSchedule, 1), waitForOccurrences(bounded, 1)])
    pass(DAY_S)
    await Promise.all([waitForOccurrences(countedSchedule, 2), waitForOccurrences(bounded, 2)])
    for (const id of [countedSchedule, bounded])
      expect(await single(id)).toMatchObject({ status: 'ENDED', nextAt: null, nextNumber: null, runsCount: 2 })
    expect(await lamports(to)).toBe(SOL + 4_000n)
  })

  it('records the reason of a failed occurrence, and continues', async () => {
    const { records, api } = world
    const to = await records.funded({}, SOL)
    const poor = await records.funded({ networkCurrencyDebitLimits: [] }, SOL)
    const id = await create({
      ...payment(to, 1_000, poor),
      startAt: inSeconds(HOUR_S),
      every: { code: 'HOURS', unit: 1 },
    })
    await api.ok(200, 'PATCH', '/admin/freeze', { account: { offchainId: poor.offchainId } })
    pass(HOUR_S)
    expect((await waitForOccurrences(id, 1))[0]).toMatchObject({ status: 'FAILED', errorCode: 'FROZEN' })
    await api.ok(200, 'PATCH', '/admin/unfreeze', { account: { offchainId: poor.offchainId } })
    pass(HOUR_S)
    expect((await waitForOccurrences(id, 2))[1]).toMatchObject({ status: 'DONE' })
    // The limits at the instant of the payment apply.
    await api.ok(200, 'PATCH', '/accounts', {
      account: poor,
      networkCurrencyDebitLimits: [
        { destination: 'ANY', maxAllowedDebit: { limitType: 'PER_TRANSACTION', limitAmount: 0 } },
      ],
    })
    pass(HOUR_S)
    expect((await waitForOccurrences(id, 3))[2]).toMatchObject({ status: 'FAILED', errorCode: 'DEBIT_LIMIT_EXCEEDED' })
    expect(await lamports(to)).toBe(SOL + 1_000n)
    expect(await single(id)).toMatchObject({ status: 'ACTIVE', failuresInARow: 1, errorCode: 'DEBIT_LIMIT_EXCEEDED' })
    await change('cancel', id)
  })

  it('follows the calendar of a time zone', async () => {
    const to = await world.records.funded({}, SOL)
    const id = await create({
      ...payment(to),
      startAt: inSeconds(0),
      at: { time: '09:00', zone: 'Asia/Kathmandu' },
      maxRuns: 1,
    })
    const { nextAt } = await single(id)
    expect(nextAt).toMatch(/T03:15:00\.000Z$/)
    pass(Math.ceil((Date.parse(nextAt!) - now()) / 1_000))
    expect(await waitForOccurrences(id, 1)).toMatchObject([{ status: 'DONE', dueAt: nextAt }])
  })
})

describe('a new schedule', () => {
  const refusal = async (itemData: object, api = world.api): Promise<(string | undefined)[][]> => {
    const { status, body } = await api.send<Problems>('POST', '/schedules', itemData)
    expect([400, 403], JSON.stringify(body)).toContain(status)
    return body.errors!.map(({ code, pointer }) => [code, pointer])
  }

  it('is validated like a body of its operation, with all pointers', async () => {
    const valid = { ...payment(source), startAt: inSeconds(60), ...daily }
    expect(await refusal({ ...valid, itemData: { source, destination: source, lamports: -1, sum: 1 } })).toEqual(
      expect.arrayContaining([['UNKNOWN_MEMBER', '/itemData/itemData/sum']]),
    )
    expect(await refusal({ ...valid, itemData: { source, destination: source } })).toEqual([
      ['REQUIRED', '/itemData/itemData/amount'],
    ])
    expect(await refusal({ ...valid, at: { time: '09:00', zone: 'UTC' } })).toEqual([
      ['MUTUALLY_EXCLUSIVE', '/itemData/at'],
    ])
    expect(await refusal({ ...valid, every: undefined })).toEqual([['REQUIRED', '/itemData/every']])
    expect(await refusal({ ...valid, operation: undefined, every: undefined, maxRuns: 'x' })).toEqual([
      ['REQUIRED', '/itemData/operation'],
      ['INVALID_TYPE', '/itemData/maxRuns'],
      ['REQUIRED', '/itemData/every'],
    ])
    expect(
      await refusal({ ...valid, every: undefined, at: { time: '24:00', zone: 'Mars/Base', dayOfMonth: 32 } }),
    ).toEqual(
      expect.arrayContaining([
        ['INVALID_FORMAT', '/itemData/at/time'],
        ['UNKNOWN_ZONE', '/itemData/at/zone'],
        ['TOO_LARGE', '/itemData/at/dayOfMonth'],
      ]),
    )
    expect(await refusal({ ...valid, endAt: inSeconds(0) })).toEqual([['INVALID_VALUE', '/itemData/endAt']])
    expect(await refusal({ ...valid, startAt: inSeconds(-DAY_S), endAt: inSeconds(-1) })).toEqual([
      ['NO_OCCURRENCE', '/itemData/endAt'],
    ])
    expect(
      await refusal({
        ...valid,
        operation: 'CREATE_ACCOUNT',
        itemData: { privateKeyDetails: { privateKey: '5'.repeat(88) } },
      }),
    ).toEqual([['NOT_IN_SCHEDULE', '/itemData/itemData/privateKeyDetails/privateKey']])
    const { client } = await keyOf(world.api, { roles: ['ACCOUNTS_WRITE'] })
    expect(await refusal(valid, client)).toEqual([['ROLE_REQUIRED', '/itemData/operation']])
  })

  it('is invisible to other organizations', async () => {
    const id = await create({ ...payment(source), startAt: inSeconds(DAY_S), ...daily })
    const page = (await world.api.bulk('/schedules/bulk', { limit: 1 })) as { items: readonly Schedule[] }
    expect(page.items.map(({ offchainId }) => offchainId)).toEqual([id])
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'UNSCHEDULED', name: 'other' })
    const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
      organizationExternalId: 'UNSCHEDULED',
      name: 'all',
      bundle: 'ADMIN',
    })
    const other = world.api.as(apiKey)
    for (const [method, path] of [
      ['POST', 'single'],
      ['PATCH', 'pause'],
      ['PATCH', 'resume'],
      ['PATCH', 'cancel'],
    ] as const)
      await other.refuses(400, 'SCHEDULE_NOT_FOUND', method, `/schedules/${path}`, { offchainId: id })
    for (const path of ['bulk', 'occurrences/bulk'])
      expect(await other.bulk(`/schedules/${path}`, {})).toEqual({ count: 0, items: [] })
    await change('cancel', id)
  })
})
