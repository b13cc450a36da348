// The contract gives some bodies by their members alone: they are accepted with and without `itemData`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { once } from './client.ts'
import { startWorld, unwatched, type World } from './harness.ts'
import { lightFetch } from '../light-fetch.ts'
import type { Ids, Problem } from './models.ts'

let world: World
let wallet: Ids
let payee: Ids
let instrument: Ids
/** Before all records, and final by the time of the tests. */
let start: string

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  start = new Date().toISOString()
  const { records } = world
  await records.feePayer()
  wallet = await records.funded({ networkCurrencyDebitLimits: [], tokenDebitLimits: [] })
  payee = await records.funded({})
  instrument = await records.instrument('TOKEN_2022', await records.account())
})
afterAll(() => world.stop())

interface Sent {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown> & { readonly errors?: readonly Problem[] }
}

async function send(path: string, body: object | string, headers: object = {}, method = 'POST'): Promise<Sent> {
  const response = await lightFetch(`${world.url}/api/v1${path}`, {
    method,
    headers: { authorization: world.api.bearer, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) as never }
}

const places = ({ body }: Sent): string[] =>
  (body.errors ?? []).map(({ code, pointer }) => `${code} ${pointer ?? ''}`).sort()
const payment = (amount: unknown): object => ({ source: wallet, destination: payee, amount })
const soon = (): string => new Date(Date.now() + 3_600_000).toISOString()

describe('a body without itemData', () => {
  it('creates, reads and cancels as one with itemData does', async () => {
    const batch = { operation: 'TRANSFER_NETWORK_CURRENCY', items: [payment(0.01)] }
    const created = await send('/batches', batch, once('bare'))
    expect(created).toMatchObject({ status: 201, body: { newBatch: {} } })
    expect((await send('/batches/single', created.body['newBatch'] as object)).status).toBe(200)
    // Both forms are one body under an idempotency key.
    const again = await send('/batches', { itemData: batch }, once('bare'))
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.body).toEqual(created.body)
    const request = await send('/payment-requests', { destination: payee, amount: 1, externalReference: 'bill' })
    expect(request.status).toBe(201)
    const { offchainId } = request.body['newPaymentRequest'] as { offchainId: string }
    expect((await send('/payment-requests/cancel', { offchainId }, {}, 'PATCH')).status).toBe(200)
  })

  it('is accepted by every endpoint that the contract describes so', async () => {
    const member = { name: 'n', status: 'ALLOWED', addresses: [], externalReference: 'bare' }
    const future = { financialInstrument: instrument, recordAt: soon(), source: wallet, payout: { total: 1 } }
    const authorities = { financialInstrument: instrument, authorities: { mint: wallet } }
    const statuses = await Promise.all([
      send('/financial-instruments/holders/bulk', { financialInstrument: instrument, itemQuery: { limit: 1 } }),
      send('/distributions', future),
      send('/statements', { account: wallet, from: start, format: 'JSON' }),
      send('/counterparties', member),
      send('/accounts/discover', { owner: wallet }),
      send('/financial-instruments/authorities', authorities, {}, 'PATCH'),
    ])
    expect(statuses.map((each) => [each.status, ...places(each)])).toEqual([[200], [201], [200], [201], [200], [200]])
  })

  it('is a schedule beside the itemData of its operation', async () => {
    const schedule = {
      operation: 'TRANSFER_NETWORK_CURRENCY',
      itemData: payment(0.01),
      startAt: soon(),
      every: { code: 'DAYS', unit: 1 },
    }
    expect((await send('/schedules', schedule)).status).toBe(201)
    expect((await send('/schedules', { itemData: schedule })).status).toBe(201)
    expect(places(await send('/schedules', { ...schedule, itemData: payment(-1) }))).toEqual([
      'NOT_POSITIVE /itemData/amount',
    ])
  })

  it('is refused with pointers into it', async () => {
    const operation = 'TRANSFER_NETWORK_CURRENCY'
    expect(places(await send('/batches', { operation, items: [payment(-1)], other: 1 }))).toEqual([
      'NOT_POSITIVE /items/0/amount',
      'UNKNOWN_MEMBER /other',
    ])
    const missing = { ...payment(1), destination: { offchainId: '00000000-0000-4000-8000-000000000000' } }
    expect(places(await send('/batches', { operation, items: [missing] }))).toEqual([
      'ACCOUNT_NOT_FOUND /items/0/destination',
    ])
    const long = JSON.stringify({ operation, items: [payment(1)] }).replace('"amount":1', '"amount":1.0000000000000001')
    expect(places(await send('/batches', long))).toEqual(['TOO_PRECISE /items/0/amount'])
    const tenancyConfig = { other: 1 }
    expect(places(await send('/batches/single', { offchainId: 'x', tenancyConfig }))).toEqual([
      'MALFORMED_UUID /offchainId',
      'UNKNOWN_MEMBER /tenancyConfig/other',
    ])
  })

  it('is still refused where there is nothing to read, by bulk queries and by all other endpoints', async () => {
    expect(places(await send('/batches', {}))).toEqual(['REQUIRED /itemData'])
    expect(places(await send('/batches/bulk', { other: 1 }))).toEqual(['UNKNOWN_MEMBER /other'])
    expect(places(await send('/accounts', { comments: 'x' }))).toEqual([
      'REQUIRED /itemData',
      'UNKNOWN_MEMBER /comments',
    ])
    const both = { itemData: { offchainId: '00000000-0000-4000-8000-000000000000' }, other: 1 }
    expect(places(await send('/batches/single', both))).toEqual(['UNKNOWN_MEMBER /other'])
  })
})

describe('the items of one batch, and the occurrences of one schedule', () => {
  interface Page {
    readonly count: number
    readonly items: readonly { readonly batchOffchainId: string; readonly index: number }[]
  }
  const operation = 'TRANSFER_NETWORK_CURRENCY'
  const batchOf = async (...amounts: readonly number[]): Promise<string> => {
    const { body } = await send('/batches', { operation, items: amounts.map(payment) })
    return (body['newBatch'] as { offchainId: string }).offchainId
  }
  const itemsOf = async (body: object): Promise<Page> =>
    (await send('/batches/items/bulk', body)).body as unknown as Page
  const places = async (body: object): Promise<readonly (readonly [string, number])[]> =>
    (await itemsOf(body)).items.map(({ batchOffchainId, index }) => [batchOffchainId, index])

  it('are asked for as the batch is, with and without itemData, and narrowed by the filter', async () => {
    const one = await batchOf(0.001, 0.002)
    const two = await batchOf(0.003)
    const both = [[one, 0] as const, [one, 1] as const]
    expect(await places({ itemData: { offchainId: one }, itemQuery: {} })).toEqual(both)
    expect(await places({ itemData: { offchainId: one } })).toEqual(both)
    expect(await places({ offchainId: one, itemsQuery: {} })).toEqual(both)
    expect(await places({ offchainId: one })).toEqual(both)
    const second = { fieldName: 'index', filterValues: [{ filterType: 'EQUALS', valueNumber: 1 }] }
    expect(await places({ offchainId: one, itemQuery: { filter: [second] } })).toEqual([[one, 1]])
    // Alternatives of the filter are alternatives among the items of the batch.
    const either = { fieldName: 'batchOffchainId', operator: 'OR', filterValues: [one, two].map(equalTo) }
    expect(await places({ offchainId: two, itemQuery: { filter: [either] } })).toEqual([[two, 0]])
    expect(await itemsOf({ offchainId: one, itemQuery: { limit: 0 } })).toEqual({ count: 2, items: [] })
    expect((await itemsOf({ itemQuery: {} })).count).toBeGreaterThan(2)
  })
  const equalTo = (valueString: string): object => ({ filterType: 'EQUALS', valueString })

  it('of an unknown one are refused as the one itself is', async () => {
    const offchainId = '00000000-0000-4000-8000-000000000000'
    for (const [path, code] of [
      ['/batches/items/bulk', 'BATCH_NOT_FOUND'],
      ['/schedules/occurrences/bulk', 'SCHEDULE_NOT_FOUND'],
    ] as const) {
      const problemsOf = async (body: object): Promise<object> => {
        const { status, body: refusal } = await send(path, body)
        return [status, ...(refusal.errors ?? []).map(({ code, pointer }) => `${code} ${pointer ?? ''}`)]
      }
      expect(await problemsOf({ offchainId, itemQuery: {} })).toEqual([400, `${code} /offchainId`])
      expect(await problemsOf({ itemData: { offchainId } })).toEqual([400, `${code} /itemData/offchainId`])
    }
  })

  it('are listed for a schedule in the same way', async () => {
    const schedule = { operation, itemData: payment(0.01), startAt: soon(), every: { code: 'DAYS', unit: 1 } }
    const { offchainId } = (await send('/schedules', schedule)).body['newSchedule'] as { offchainId: string }
    for (const body of [{ offchainId }, { itemData: { offchainId }, itemQuery: {} }]) {
      const answer = await send('/schedules/occurrences/bulk', body)
      expect([answer.status, answer.body]).toEqual([200, { count: 0, items: [] }])
    }
  })
})
