// Idempotency keys and their digests, Prefer, dry runs, rate limits.
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RateLimit } from '../../src/http/rate-limit.ts'
import { KEY, startEcho, type Echo, type Problems, type RunningService } from './service.ts'

const UUID = '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11'
const TRANSFER = '/api/v1/positions/transfer'
const ITEM = { source: { position: { offchainId: UUID } }, destination: { owner: { offchainId: UUID } }, amount: 5 }
const CLOSE = { position: ITEM.source }
const REFUND = { offchainId: UUID }
const ADDRESS = '11111111111111111111111111111111'

let service: RunningService
beforeAll(async () => {
  service = await startEcho()
})
afterAll(async () => service[Symbol.asyncDispose]())

async function call(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Echo['call']> {
  const answer = await service.request(path.endsWith('/close') ? 'PATCH' : 'POST', path, body, headers)
  expect(answer.status, answer.text).toBeLessThan(300)
  return (answer.body as Echo).call
}

async function digest(path: string, itemData: unknown, more: object = {}): Promise<string> {
  return (await call(path, { itemData, ...more }, { 'idempotency-key': 'k' })).idempotency!.digest
}

async function refusal(path: string, body: unknown, headers: Record<string, string>): Promise<string> {
  const answer = await service.post(path, body, headers)
  return `${answer.status} ${(answer.body as Problems).errors[0]?.code ?? ''}`
}

describe('idempotency keys', () => {
  it.each([
    ['plain', 'plain'],
    ['"quoted"', 'quoted'],
    ['"with \\"quotes\\" and \\\\"', 'with "quotes" and \\'],
    ['"open', '"open'],
    ['x'.repeat(255), 'x'.repeat(255)],
  ])('are read from %s', async (header, key) => {
    expect((await call(TRANSFER, { itemData: ITEM }, { 'idempotency-key': header })).idempotency?.key).toBe(key)
  })

  it('are one key when the header arrives twice with the same key, and are refused when the keys differ', async () => {
    const send = (...values: string[]): Promise<{ status: number; text: string }> =>
      new Promise((resolve, reject) => {
        const body = JSON.stringify({ itemData: ITEM })
        const headers = {
          authorization: `Bearer ${KEY}`,
          'content-type': 'application/json',
          'idempotency-key': values,
        }
        const sent = request(new URL(TRANSFER, service.url), { method: 'POST', headers }, (response) => {
          let text = ''
          response.on('data', (part: Buffer) => (text += part.toString()))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        })
        sent.on('error', reject)
        sent.end(body)
      })
    for (const values of [['k9', 'k9'], ['"k9"', 'k9'], ['k9']])
      expect((JSON.parse((await send(...values)).text) as Echo).call.idempotency?.key).toBe('k9')
    expect((JSON.parse((await send('k,9')).text) as Echo).call.idempotency?.key).toBe('k,9')
    const refused = await send('a1', 'a2')
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('MALFORMED_HEADER')])
  })

  it('must not be empty or too long', async () => {
    for (const header of ['""', ' ', 'x'.repeat(256)]) {
      expect(await refusal(TRANSFER, { itemData: ITEM }, { 'idempotency-key': header })).toBe('400 MALFORMED_HEADER')
    }
  })

  it('can be a member of the body, which has no other effect', async () => {
    const answer = await service.post(TRANSFER, { itemData: { ...ITEM, idempotencyId: UUID.toUpperCase() } })
    const { call: requestCall, input } = answer.body as Echo
    expect(requestCall.idempotency?.key).toBe(UUID)
    expect(input.itemData).not.toHaveProperty('idempotencyId')
    expect(requestCall.idempotency?.digest).toBe(await digest(TRANSFER, ITEM))
  })

  it('must be equal in header and body', async () => {
    const body = { itemData: { ...ITEM, idempotencyId: UUID } }
    expect((await call(TRANSFER, body, { 'idempotency-key': `"${UUID}"` })).idempotency?.key).toBe(UUID)
    const upperCase = { 'idempotency-key': UUID.toUpperCase() }
    for (const each of [body, { itemData: ITEM }])
      expect((await call(TRANSFER, each, upperCase)).idempotency?.key).toBe(UUID)
    expect((await call(TRANSFER, { itemData: ITEM }, { 'idempotency-key': 'Kept' })).idempotency?.key).toBe('Kept')
    expect(await refusal(TRANSFER, body, { 'idempotency-key': 'other' })).toBe('400 IDEMPOTENCY_KEY_CONFLICT')
  })

  it('are not generated, and are ignored by reads', async () => {
    expect((await call(TRANSFER, { itemData: ITEM })).idempotency).toBeNull()
    expect(
      (await call('/api/v1/positions/single', { itemData: ITEM.source }, { 'idempotency-key': 'k' })).idempotency,
    ).toBeNull()
  })

  it('mark a replay', async () => {
    const perform = () => Promise.resolve({ body: { a: 1 }, replayed: true, dryRun: false })
    await using replaying = await startEcho({ api: { perform } })
    const answer = await replaying.post(TRANSFER, { itemData: ITEM }, { 'idempotency-key': 'k' })
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  })
})

describe('request digests', () => {
  it('depend on the request, not on its spelling', async () => {
    const same = await digest(TRANSFER, ITEM)
    expect(await digest(TRANSFER, { ...ITEM, amount: '5.00' })).toBe(same)
    expect(await digest(TRANSFER, Object.fromEntries(Object.entries(ITEM).reverse()))).toBe(same)
    expect(await digest(TRANSFER, { ...ITEM, source: { position: { offchainId: UUID.toUpperCase() } } })).toBe(same)
  })

  it('are equal for both names of a member', async () => {
    const pairs: [string, object, object][] = [
      ['/api/v1/accounts', { alreadyOnchain: true }, { alreadyOnChain: true }],
      ['/api/v1/accounts', { solDebitApiKeys: ['abcdef012345'] }, { networkCurrencyDebitApiKeys: ['abcdef012345'] }],
      [
        '/api/v1/accounts',
        { privateKeyDetails: { publickKey: ADDRESS } },
        { privateKeyDetails: { publicKey: ADDRESS } },
      ],
      ['/api/v1/positions/close', { ...CLOSE, refundSolDestination: REFUND }, { ...CLOSE, refundDestination: REFUND }],
    ]
    for (const [path, one, other] of pairs) {
      const expected = await digest(path, one)
      expect(await digest(path, other)).toBe(expected)
      expect(await digest(path, { ...one, ...other })).toBe(expected)
    }
  })

  it('are refused for two names with different values', async () => {
    const answer = await service.post('/api/v1/accounts', {
      itemData: { alreadyOnchain: true, alreadyOnChain: false, comments: 5 },
    })
    expect((answer.body as Problems).errors.map(({ code, pointer }) => `${code} ${pointer ?? ''}`)).toEqual([
      'INVALID_TYPE /itemData/comments',
      'ALIAS_CONFLICT /itemData/alreadyOnChain',
    ])
  })

  it('differ for any different request', async () => {
    const same = await digest(TRANSFER, ITEM)
    expect(await digest(TRANSFER, { ...ITEM, amount: 6 })).not.toBe(same)
    expect(await digest(TRANSFER, { ...ITEM, memo: '' })).not.toBe(same)
    expect(await digest(TRANSFER, ITEM, { chainTransactionConfig: {} })).not.toBe(same)
    expect(await digest(TRANSFER, ITEM, { tenancyConfig: { overrideOrganizationExternalId: 'CHILD' } })).not.toBe(same)
  })
})

describe('Prefer', () => {
  it.each([
    ['respond-async', 0, 'respond-async'],
    ['wait=3', 3_000, 'wait=3'],
    ['respond-async, wait=10', 10_000, 'respond-async, wait=10'],
    ['Wait = 2; foo, handling=lenient', 2_000, 'wait=2'],
    ['wait=9999', 120_000, 'wait=120'],
    ['wait=soon', 10_000, null],
    ['return=minimal', 10_000, null],
  ])('%s', async (prefer, waitMs, applied) => {
    const answer = await service.post(TRANSFER, { itemData: ITEM }, { prefer })
    expect((answer.body as Echo).call.waitMs).toBe(waitMs)
    expect(answer.headers.get('preference-applied')).toBe(applied)
    expect(answer.status).toBe(201)
  })

  it('is ten seconds by default', async () => {
    expect((await call(TRANSFER, { itemData: ITEM })).waitMs).toBe(10_000)
  })
})

describe('dry runs', () => {
  it('are requested by a header, and answer 200', async () => {
    const answer = await service.post(TRANSFER, { itemData: ITEM }, { 'holdfast-dry-run': 'true' })
    expect([answer.status, (answer.body as Echo).call.dryRun]).toEqual([200, true])
    expect((await call(TRANSFER, { itemData: ITEM }, { 'holdfast-dry-run': 'false' })).dryRun).toBe(false)
    expect(await refusal(TRANSFER, { itemData: ITEM }, { 'holdfast-dry-run': 'yes' })).toBe('400 MALFORMED_HEADER')
  })

  it('are refused at once where no transaction is created', async () => {
    const body = { itemData: { externalId: 'A', name: 'A' } }
    expect(await refusal('/api/v1/admin/organizations', body, { 'holdfast-dry-run': 'true' })).toBe(
      '400 DRY_RUN_WITHOUT_TRANSACTION',
    )
  })

  it('are refused for the export of a key, and ignored by reads that change nothing', async () => {
    const dry = { 'holdfast-dry-run': 'true' }
    expect(await refusal('/api/v1/accounts/single/private-key', { itemData: REFUND }, dry)).toBe(
      '400 DRY_RUN_WITHOUT_TRANSACTION',
    )
    expect((await call('/api/v1/accounts/single', { itemData: REFUND }, dry)).dryRun).toBe(true)
  })
})

describe('rate limits', () => {
  it('refill evenly, up to the burst', () => {
    let now = 0
    const limit = new RateLimit({ perSecond: 2, burst: 4 }, () => now)
    const take = (name: string): { readonly exceeded: boolean; readonly state: string } => {
      const exceeded = !limit.allows(name)
      if (!exceeded) limit.take(name, 1)
      return { exceeded, state: limit.stateOf(name) }
    }
    expect(limit.policy).toBe('"default";q=4;w=2')
    expect([1, 2, 3, 4, 5].map(() => take('a').exceeded)).toEqual([false, false, false, false, true])
    expect(take('a').state).toBe('"default";r=0;t=2')
    expect(take('b')).toEqual({ exceeded: false, state: '"default";r=3;t=1' })
    now = 500
    expect(take('a').exceeded).toBe(false)
    expect(take('a').exceeded).toBe(true)
    now = 1_000_000
    expect(take('a').state).toBe('"default";r=3;t=1')
  })

  it('are in every answer to a key, and answer 429', async () => {
    // So slow that even a slow machine never gets the third request.
    await using limited = await startEcho({ settings: { rateLimit: { perSecond: 0.001, burst: 2 } } })
    const answers = []
    for (const body of [{ itemData: ITEM }, {}, { itemData: ITEM }]) answers.push(await limited.post(TRANSFER, body))
    expect(answers.map(({ status }) => status)).toEqual([201, 400, 429])
    for (const { headers } of answers) {
      expect(headers.get('ratelimit-policy')).toBe('"default";q=2;w=2000')
      expect(headers.get('ratelimit')).toMatch(/^"default";r=[01];t=\d{3,4}$/)
    }
    const response = answers[2]!
    expect(response.headers.get('retry-after')).toBe('1000')
    expect(response.body).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      'violated-policies': ['default'],
      errors: [{ code: 'RATE_LIMITED', retryable: true }],
    })
    expect((await limited.post(TRANSFER, { itemData: ITEM }, { authorization: 'Bearer reader' })).status).toBe(403)
  })
})
