// For any input, the answer is a refusal in the common form: never a 500, and never silence.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/http/routes.ts'
import { openApi } from '../../src/http/pages/openapi.ts'
import { sample, type Schema } from './samples.ts'
import { startEcho, type Problems, type RunningService } from './service.ts'

const document = openApi(routes, ['CHAIN_DEVNET'])
const transfer = document.paths['/api/v1/positions/transfer']!['post'] as {
  requestBody: { content: Record<string, { schema: Schema }> }
}
const schema = transfer.requestBody.content['application/json']!.schema
const good = sample(schema, document.components.schemas) as { itemData: object }

let service: RunningService
beforeAll(async () => {
  service = await startEcho()
})
afterAll(async () => service[Symbol.asyncDispose]())

const path = fc.constantFrom(
  ...routes.filter(({ method }) => method === 'POST').map((route) => route.path.replace('{detail-level}', 'detailed')),
)

async function expectCalm(target: string, body: string | Uint8Array): Promise<void> {
  const answer = await service.request('POST', target, body)
  expect([200, 201, 400, 413]).toContain(answer.status)
  if (answer.status >= 400) {
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    const { errors, requestId } = answer.body as Problems
    expect(errors.length).toBeGreaterThan(0)
    expect(requestId).toBe(answer.headers.get('x-request-id'))
  }
}

describe('hostile bodies', () => {
  it('answer any JSON with a documented error', async () => {
    const text = fc.jsonValue().map((value) => JSON.stringify(value))
    await fc.assert(fc.asyncProperty(path, text, expectCalm), { numRuns: 150 })
  })

  it('answer any text and any bytes with a documented error', async () => {
    await fc.assert(fc.asyncProperty(path, fc.string({ unit: 'binary' }), expectCalm), { numRuns: 75 })
    await fc.assert(fc.asyncProperty(path, fc.uint8Array({ minLength: 1 }), expectCalm), { numRuns: 75 })
  })

  it('answer a valid body with an invalid part with a documented error', async () => {
    const text = JSON.stringify(good)
    const cutText = fc
      .tuple(fc.nat(text.length), fc.nat(8), fc.json())
      .map(([at, length, put]) => text.slice(0, at) + put + text.slice(at + length))
    await fc.assert(fc.asyncProperty(path, cutText, expectCalm), { numRuns: 150 })
    const member = fc.constantFrom(...Object.keys(good.itemData))
    const changedBody = fc
      .tuple(member, fc.jsonValue())
      .map(([name, value]) => JSON.stringify({ itemData: { ...good.itemData, [name]: value } }))
    await fc.assert(
      fc.asyncProperty(changedBody, (body) => expectCalm('/api/v1/positions/transfer', body)),
      { numRuns: 150 },
    )
  })

  it.each([
    ['deep lists', '['.repeat(500_000)],
    ['deep objects', '{"a":'.repeat(100_000)],
    ['deep and long numbers', '[1234567890123456789,'.repeat(40_000)],
    ['a thousand unknown members', JSON.stringify({ itemData: Object.assign({}, 'x'.repeat(1000).split('')) })],
    ['an endless exponent', '{"itemData":{"amount":1e999999999}}'],
    ['a million digits', `{"itemData":{"amount":${'9'.repeat(1_000_000)}}}`],
    ['quotes and backslashes', `{"itemData":"${'\\\\'.repeat(200_000)}\\"`],
  ])('refuses %s', async (_what, body) => {
    const answer = await service.request('POST', '/api/v1/positions/transfer', body)
    expect(answer.status).toBe(400)
    expect((answer.body as Problems).errors.length).toBeLessThanOrEqual(100)
  })

  it.each(['__proto__', 'constructor', 'prototype'])('refuse the member %s at any depth', async (name) => {
    const hostile = `{"${name}":{"polluted":true}}`
    const bodies = [
      hostile,
      `{"itemData":${hostile}}`,
      `{"itemData":{"mintAuthority":${hostile}}}`,
      `{"itemData":{"offchainData":{"simpleCustomMetadata":${hostile}}}}`,
      `{"itemData":{"offchainData":{"complexCustomMetadata":{"a":[${hostile}]}}}}`,
      `{"itemData":{"onchainData":{"simpleCustomMetadata":{"${name}":"x"}}}}`,
      `{"itemData":{"onchainData":{"simpleCustomMetadata":{"${name}":"x","n":12345678901234567}}}}`,
    ]
    for (const body of bodies) {
      const answer = await service.request('POST', '/api/v1/financial-instruments', body)
      expect(answer.status).toBe(400)
      const { errors } = answer.body as Problems
      expect(
        errors.some(({ code, pointer }) => code === 'UNKNOWN_MEMBER' && pointer!.endsWith(`/${name}`)),
        body,
      ).toBe(true)
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it.each([
    ['POST', '/financial-instruments', { mintAccount: {} }],
    ['PATCH', '/financial-instruments', { mintAccount: { offchainId: '00000000-0000-4000-8000-000000000000' } }],
  ] as const)('%s %s refuses metadata of the chain that UTF-8 cannot hold', async (method, path, item) => {
    for (const [name, text] of [
      ['key', 'half \ud83d'],
      ['half \ude00', 'text'],
    ] as const) {
      const itemData = { ...item, onchainData: { simpleCustomMetadata: { [name]: text } } }
      const { status, body } = await service.request(method, `/api/v1${path}`, JSON.stringify({ itemData }))
      expect([status, (body as Problems).errors]).toEqual([
        400,
        expect.arrayContaining([
          expect.objectContaining({
            code: 'INVALID_TEXT',
            pointer: `/itemData/onchainData/simpleCustomMetadata/${name}`,
          }) as unknown,
        ]),
      ])
    }
  })
})
