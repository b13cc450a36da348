// The client on the real service and chain, through a network with faults: one effect per call for any loss, no digit
// lost, typed errors, waiting, and events without gaps over broken connections.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  holdfast,
  HoldfastError,
  HoldfastUnanswered,
  TransactionEnded,
  TransactionPending,
  type CallOptions,
  type Event,
  type Holdfast,
} from 'holdfast/client'
import type { Ids } from '../e2e/models.ts'
import { eventually, startWorld, type World } from '../e2e/harness.ts'
import { FaultProxy, type Fault } from './fault-proxy.ts'

const U64_MAX = '18446744073709551615'
const AT_ONCE = { firstWaitMs: 1, longestWaitMs: 2_000 }

let world: World
let proxy: FaultProxy
let hf: Holdfast
let apiKey: string
let payer: Ids

beforeAll(async () => {
  world = await startWorld()
  proxy = await FaultProxy.start(world.url)
  apiKey = world.api.bearer.replace('Bearer ', '')
  hf = holdfast({ url: proxy.url, apiKey, retries: AT_ONCE })
  payer = await world.records.feePayer()
})
afterEach(() => {
  proxy.fault = () => 'pass'
  proxy.passed.length = 0
})
afterAll(async () => {
  await proxy.stop()
  await world.stop()
})

/** Each fault once, in order; then everything passes. */
function faults(...list: readonly Fault[]): void {
  const remaining = [...list]
  proxy.fault = () => remaining.shift() ?? 'pass'
}

const met = (check: () => void): Promise<void> => eventually(() => Promise.resolve().then(check))
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
const keysSent = (): unknown[] => proxy.passed.map(({ headers }) => headers['idempotency-key'])
const problem = (code: string, retryable: boolean): { errors: object[] } => ({
  errors: [{ code, message: code, retryable }],
})

describe('a payment', () => {
  const transferTo = (to: Ids) => ({ source: ref(payer), destination: ref(to), lamports: 5_000_000 })
  const pay = (to: Ids, options: CallOptions = {}) =>
    hf.post('/positions/transfer-network-currency', { itemData: transferTo(to) }, options)

  it('happens once under one key, although answers are lost', async () => {
    const to = await world.records.account()
    faults('cut', 'half', { status: 503, headers: { 'retry-after': '0' }, body: problem('UNAVAILABLE', true) })
    const { success, onchainId } = await pay(to)
    expect(success).toBe(true)
    expect(proxy.passed).toHaveLength(4)
    expect(new Set(keysSent()).size).toBe(1)
    expect(keysSent()[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(proxy.passed.map(({ body }) => body)).size).toBe(1)
    expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)
    expect(await world.chain.signatures(to.onchainId)).toEqual([onchainId])
  })

  it('without an answer reports the key for a retry, and a retry returns the same payment', async () => {
    const to = await world.records.account()
    proxy.fault = () => 'cut'
    const error = await pay(to).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(HoldfastUnanswered)
    const { idempotencyKey } = error as HoldfastUnanswered
    expect(new Set(keysSent())).toEqual(new Set([idempotencyKey]))
    proxy.fault = () => 'pass'
    expect((await pay(to, { idempotencyKey: idempotencyKey! })).success).toBe(true)
    expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)
  })

  it('is sent once through a proxy that answers in place of the service', async () => {
    const to = await world.records.account()
    const gateway = { status: 502, headers: { 'content-type': 'text/html' }, body: {}, isAsked: true }
    faults(gateway, { status: 504, body: problem('OUTCOME_UNKNOWN', false), isAsked: true })
    expect((await pay(to)).success).toBe(true)
    expect([proxy.passed.length, new Set(keysSent()).size]).toEqual([3, 1])
    expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)

    proxy.fault = () => gateway
    const error = await pay(to).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(HoldfastUnanswered)
    expect((error as HoldfastUnanswered).cause).toMatchObject({ name: 'HoldfastError', status: 502 })
    proxy.fault = () => 'pass'
    await pay(to, { idempotencyKey: (error as HoldfastUnanswered).idempotencyKey! })
    expect(await world.chain.lamports(to.onchainId)).toBe(10_000_000n)
  })

  it.each([401, 400, 429])(
    'whose answer is lost is unanswered, although a later attempt is refused with %i',
    async (status) => {
      const to = await world.records.account()
      faults('cut', { status, body: problem('NO_ACCESS', false) })
      const error = await pay(to).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(HoldfastUnanswered)
      expect(error).toMatchObject({ idempotencyKey: keysSent()[0], cause: { name: 'HoldfastError', status } })
      expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)
      await pay(to, { idempotencyKey: (error as HoldfastUnanswered).idempotencyKey! })
      expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)
    },
  )

  it('has the idempotencyId of its body for its key in every error', async () => {
    const to = await world.records.account()
    const idempotencyId = crypto.randomUUID()
    const itemData = { ...transferTo(to), idempotencyId }
    const request = () => hf.post('/positions/transfer-network-currency', { itemData })
    faults('cut', { status: 401, body: problem('NO_ACCESS', false) })
    await expect(request()).rejects.toMatchObject({ name: 'HoldfastUnanswered', idempotencyKey: idempotencyId })
    faults({ status: 401, body: problem('NO_ACCESS', false) })
    await expect(request()).rejects.toMatchObject({ name: 'HoldfastError', idempotencyKey: idempotencyId })
    faults({ status: 201, body: '{', isAsked: true })
    await expect(request()).rejects.toMatchObject({ name: 'HoldfastUnanswered', idempotencyKey: idempotencyId })
    expect(keysSent().every((key) => key === undefined)).toBe(true)
    expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)
  })

  it.each(['in flight', 'between two attempts'])('that is aborted %s is unanswered', async (when) => {
    const to = await world.records.account()
    const abort = new AbortController()
    const lost = { status: 503, headers: { 'retry-after': '2' }, body: problem('UNAVAILABLE', true), isAsked: true }
    proxy.fault = () => (when === 'in flight' ? 'silent' : lost)
    const call = pay(to, { signal: abort.signal })
    call.catch(() => undefined)
    await eventually(async () => expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n))
    const reason = new Error('enough')
    abort.abort(reason)
    const error = (await call.catch((caught: unknown) => caught)) as HoldfastUnanswered
    expect(error).toMatchObject({ name: 'HoldfastUnanswered', cause: reason, idempotencyKey: keysSent()[0] })
    proxy.fault = () => 'pass'
    await pay(to, { idempotencyKey: error.idempotencyKey! })
    expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)
  })

  it('that had no effect ends with the reason of its signal', async () => {
    const to = await world.records.account()
    await expect(pay(to, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(/^enough$/)
    expect(proxy.passed).toHaveLength(0)
    const abort = new AbortController()
    const busy = holdfast({
      url: proxy.url,
      apiKey,
      fetch: () => {
        // The refusal is in memory: by then the client waits for the next attempt.
        void turns(50).then(() => abort.abort(new Error('enough')))
        return Promise.resolve(Response.json(problem('BUSY', true), { status: 429, headers: { 'retry-after': '20' } }))
      },
    })
    const body = { itemData: transferTo(to) }
    const call = busy.post('/positions/transfer-network-currency', body, { signal: abort.signal })
    await expect(call).rejects.toThrow(/^enough$/)
  })

  it('is refused if every attempt was refused', async () => {
    faults({ status: 400, body: problem('DATA_SOURCE_BUSY', true) }, { status: 401, body: problem('NO_ACCESS', false) })
    const error = await pay(await world.records.account()).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'HoldfastError', status: 401, idempotencyKey: keysSent()[0] })
  })

  it('whose answer cannot be read is unanswered', async () => {
    const to = await world.records.account()
    faults({ status: 201, headers: { 'content-type': 'application/json' }, body: '{', isAsked: true })
    const error = await pay(to).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'HoldfastUnanswered', idempotencyKey: keysSent()[0] })
    expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)
  })

  it('has a new key for each call, and no header for reads or if the body contains the key', async () => {
    const to = await world.records.account()
    await pay(to)
    await pay(to)
    expect(new Set(keysSent()).size).toBe(2)
    proxy.passed.length = 0
    await hf.post('/accounts/single', { itemData: ref(to) })
    const itemData = { ...transferTo(to), idempotencyId: crypto.randomUUID() }
    await hf.post('/positions/transfer-network-currency', { itemData })
    expect(keysSent()).toEqual([undefined, undefined])
  })

  it('is in a statement as CSV, which is text', async () => {
    const itemData = { account: ref(payer), from: '2026-01-01T00:00:00Z', format: 'CSV' } as const
    const text: unknown = await hf.post('/statements', { itemData })
    expect(text).toEqual(expect.stringContaining(','))
  })

  it('can be simulated with a dry run', async () => {
    const to = await world.records.account()
    const body = { itemData: transferTo(to) }
    expect(await hf.dryRun('post', '/positions/transfer-network-currency', body)).toHaveProperty('dryRun')
    expect(await world.chain.lamports(to.onchainId)).toBe(0n)
  })
})

describe('a refusal', () => {
  const ask = () => hf.post('/accounts/single', { itemData: { offchainId: payer.offchainId } })
  const countRequests = async (): Promise<[unknown, number]> => [
    await ask().catch((caught: unknown) => caught),
    proxy.passed.length,
  ]

  it('is a typed error with status, problems, pointers and request id, and is not retried', async () => {
    const error = await hf
      .post('/accounts', { itemData: { canPayFees: 'yes' as never, nobody: 1 } as never })
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(HoldfastError)
    const { status, problems, requestId, idempotencyKey } = error as HoldfastError
    expect(status).toBe(400)
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'INVALID_TYPE', pointer: '/itemData/canPayFees', retryable: false }),
        expect.objectContaining({ code: 'UNKNOWN_MEMBER', pointer: '/itemData/nobody' }),
      ]),
    )
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(idempotencyKey).toBe(keysSent()[0])
    expect(proxy.passed).toHaveLength(1)
    expect(
      await holdfast({ url: proxy.url, apiKey: 'hf_no_key' }).post('/accounts/single', { itemData: {} }).catch(String),
    ).toMatch(/HoldfastError/)
  })

  it('is retried only if every problem is retryable, or if the answer has Retry-After', async () => {
    faults({ status: 400, body: problem('DATA_SOURCE_BUSY', true) })
    expect((await countRequests())[1]).toBe(2)
    for (const [fault, tries] of [
      [{ status: 400, body: { errors: [...problem('A', true).errors, ...problem('B', false).errors] } }, 1],
      [{ status: 500, body: problem('INTERNAL', false) }, 1],
      [{ status: 502, body: {} }, 2],
      [{ status: 504, body: problem('OUTCOME_UNKNOWN', false) }, 2],
      [{ status: 504, body: problem('ANOTHER', false) }, 1],
      [{ status: 429, body: problem('TOO_MANY_REQUESTS', false) }, 1],
      [{ status: 429, headers: { 'retry-after': '0' }, body: problem('TOO_MANY_REQUESTS', false) }, 2],
      [{ status: 503, headers: { 'retry-after': '3600' }, body: problem('UNAVAILABLE', true) }, 1],
    ] as const) {
      proxy.passed.length = 0
      faults(fault)
      const [outcome, count] = await countRequests()
      expect(count).toBe(tries)
      if (tries === 1) expect(outcome).toMatchObject({ name: 'HoldfastError', status: fault.status })
    }
  })

  it('is returned after the maximum number of attempts', async () => {
    proxy.fault = () => ({ status: 400, body: problem('DATA_SOURCE_BUSY', true) })
    const few = holdfast({ url: proxy.url, apiKey, retries: { ...AT_ONCE, tries: 3 } })
    await expect(few.post('/accounts/single', { itemData: {} })).rejects.toMatchObject({ status: 400, retryable: true })
    expect(proxy.passed).toHaveLength(3)
  })

  it('does not delay a call that is aborted', async () => {
    proxy.fault = () => ({ status: 503, headers: { 'retry-after': '2' }, body: problem('UNAVAILABLE', true) })
    const abort = new AbortController()
    const call = hf.post('/accounts/single', { itemData: {} }, { signal: abort.signal })
    call.catch(() => undefined)
    await met(() => expect(proxy.passed.length).toBeGreaterThan(0))
    abort.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
  })
})

describe('amounts', () => {
  it('are strings, exact to the largest u64', async () => {
    const issuer = await world.records.account()
    const owner = await world.records.account()
    const { newFinancialInstrument } = await hf.post('/financial-instruments', {
      itemData: { mintAccount: {}, version: 'TOKEN_2022', mintAuthority: ref(issuer), onchainData: { decimals: 9 } },
    })
    const position = { owner: ref(owner), financialInstrument: ref(newFinancialInstrument) }
    await hf.post('/positions/mint', {
      itemData: { destination: position, lamports: BigInt(U64_MAX), initializeDestinationPositionIfNeeded: true },
    })
    const { onchain, offchain } = await hf.post('/positions/single/balance', { itemData: position })
    expect([onchain, offchain]).toEqual([
      { amount: '18446744073.709551615', lamports: U64_MAX },
      { amount: '18446744073.709551615', lamports: U64_MAX },
    ])
    const one = await hf.post('/positions/burn', { itemData: { source: position, lamports: BigInt(U64_MAX) - 1n } })
    expect(one.success).toBe(true)
    const balance = await hf.post('/positions/single/balance', { itemData: position })
    // The service writes 1e-9 and 1 as numbers.
    expect(balance.onchain).toEqual({ amount: '0.000000001', lamports: '1' })
    const { items, count } = await hf.post(
      '/positions/bulk/{detail-level}',
      {},
      { path: { 'detail-level': 'detailed' } },
    )
    expect(count).toBe(items.length)
    for (const item of items) expect(typeof item.balance.lamports).toBe('string')
  })
})

describe('waiting', () => {
  it('ends at the requested commitment', async () => {
    const to = await world.records.account()
    const body = { itemData: { source: ref(payer), destination: ref(to), lamports: 2_000_000 } }
    const payment = await hf.post('/positions/transfer-network-currency', body, { prefer: 'respond-async' })
    expect(await hf.waitFor(payment, 'finalized')).toMatchObject({
      status: 'FINALIZED',
      success: true,
      offchainId: payment.offchainId,
    })
  })

  it('reports an open transaction at the timeout, and the outcome of an ended one', async () => {
    const outside = await world.records.account({
      managed: false,
      onchainId: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
    })
    const to = await world.records.account()
    const payment = await hf.post('/positions/transfer-network-currency', {
      itemData: {
        source: ref(outside),
        destination: ref(to),
        lamports: 2_000_000,
        offchainBalanceAvailabilityPrecheck: false,
      },
      chainTransactionConfig: { feePayer: ref(payer) },
    })
    await expect(hf.waitFor(payment, 'confirmed', 0)).rejects.toBeInstanceOf(TransactionPending)
    await hf.patch('/transactions/cancel', { itemData: { offchainId: payment.offchainId } })
    const error = await hf.waitFor(payment).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(TransactionEnded)
    expect(error).toMatchObject({ transaction: { status: 'CANCELLED', success: false } })
  })
})

describe('events', () => {
  /** Follows while accounts are created, each when the previous one was seen; every event came once and in order. */
  async function followAccounts(rounds: number, before: (round: number) => Promise<void>): Promise<void> {
    const { lastSequence } = await hf.get('/events', { query: { limit: 0 } })
    const abort = new AbortController()
    const events: Event[] = []
    const following = (async () => {
      for await (const event of hf.events({ after: lastSequence, signal: abort.signal })) events.push(event)
    })()
    for (let round = 1; round <= rounds; round += 1) {
      await before(round)
      const { offchainId } = await world.records.account()
      await met(() => expect(events.map(({ resource }) => resource.offchainId)).toContain(offchainId))
    }
    abort.abort()
    await following
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => lastSequence + 1 + index))
  }

  it('arrive once and in order over interrupted connections', async () => {
    await followAccounts(4, (round) => met(() => expect(proxy.cutStreams()).toBeGreaterThanOrEqual(round > 1 ? 1 : 0)))
    const streams = proxy.passed.filter(({ path }) => path.startsWith('/api/v1/events/stream'))
    const resumed = streams.map(({ headers }) => Number(headers['last-event-id']))
    expect(resumed.length).toBeGreaterThanOrEqual(3)
    expect(resumed).toEqual([...resumed].sort((a, b) => a - b))
    expect(resumed.at(-1)).toBeGreaterThan(resumed[0]!)
  })

  it('arrive page by page without a stream', async () => {
    proxy.fault = ({ path }) => (path.includes('/stream') ? { status: 404, body: {} } : 'pass')
    await followAccounts(3, () => Promise.resolve())
  })

  it('continue page by page from the end of the log, if the client is ahead of it', async () => {
    proxy.fault = ({ path }) => (path.includes('/stream') ? { status: 404, body: {} } : 'pass')
    const { lastSequence } = await hf.get('/events', { query: { limit: 0 } })
    const next = hf.events({ after: lastSequence + 1_000 }).next()
    await met(() => expect(proxy.passed.filter(({ path }) => path.includes('/stream')).length).toBeGreaterThan(1))
    await world.records.account()
    expect((await next).value?.sequence).toBe(lastSequence + 1)
  })

  it('are refused for a key without the role', async () => {
    const { apiKey: narrow } = await hf.post('/admin/api-keys', {
      itemData: { organizationExternalId: 'SYSTEM', name: 'narrow', roles: ['ACCOUNTS_READ'] },
    })
    const stranger = holdfast({ url: proxy.url, apiKey: narrow! })
    await expect(stranger.events().next()).rejects.toMatchObject({ status: 403 })
  })
})

function ref({ offchainId }: Ids): { offchainId: string } {
  return { offchainId }
}
