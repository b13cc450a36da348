// The OpenAPI document, and the pages beside the endpoints.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KINDS } from '../../../machines/kinds.ts'
import { ROLES } from '../../../src/contract/roles.ts'
import { EVENTS_PATH, STREAM_PATH } from '../../../src/http/events.ts'
import { LOGO_PATH } from '../../../src/http/files.ts'
import { SIGNER_ANSWERS_PATH } from '../../../src/http/signer-answers.ts'
import { WHOAMI_PATH } from '../../../src/http/whoami.ts'
import { routes } from '../../../src/http/routes.ts'
import { startEcho, type RunningService } from '../service.ts'

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly $ref?: string }[]
  /** Absent for a GET. */
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> }
  readonly responses: Record<string, object>
  readonly 'x-required-role': readonly string[]
}

interface OpenApi {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: Record<string, Record<string, { description?: string; enum?: string[] }>>
}

let service: RunningService
let document: OpenApi
beforeAll(async () => {
  service = await startEcho()
  document = (await service.request('GET', '/openapi.json')).body as OpenApi
})
afterAll(async () => service[Symbol.asyncDispose]())

describe('the OpenAPI document', () => {
  const operations = (): Operation[] => Object.values(document.paths).flatMap((methods) => Object.values(methods))

  it('is 3.1 and lists every route with its role and statuses', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info).toMatchObject({ title: 'Holdfast', version: 'v1' })
    for (const route of routes) {
      const operation = document.paths[route.path]![route.method.toLowerCase()]!
      expect(operation['x-required-role']).toEqual(route.roles)
      const expected = [
        String(route.status),
        '400',
        '401',
        '403',
        '429',
        '500',
        ...(route.notFound === true ? ['404'] : []),
      ]
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(expected))
    }
    // GET endpoints are beside the table.
    expect(document.paths[LOGO_PATH]!['get']!['x-required-role']).toEqual(['INSTRUMENTS_READ'])
    for (const path of [EVENTS_PATH, STREAM_PATH])
      expect(document.paths[path]!['get']!['x-required-role']).toEqual(['EVENTS_READ'])
    expect(document.paths[WHOAMI_PATH]!['get']!['x-required-role']).toEqual([])
    expect(document.paths[SIGNER_ANSWERS_PATH]!['post']!['x-required-role']).toEqual([])
    expect(operations()).toHaveLength(routes.length + 5)
    expect(new Set(operations().map(({ operationId }) => operationId)).size).toBe(routes.length + 5)
    for (const operation of operations())
      expect(ROLES).toEqual(expect.arrayContaining([...operation['x-required-role']]))
  })

  it('lists 404 and 409 where the contract does, and nowhere else', () => {
    const listing = (status: string): string[] =>
      Object.entries(document.paths).flatMap(([path, operations]) =>
        Object.entries(operations)
          .filter(([method, { responses }]) => method !== 'get' && status in responses)
          .map(([method]) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
      )
    expect(listing('404').toSorted()).toEqual([
      'PATCH /financial-instruments',
      'PATCH /positions/close',
      'POST /accounts/single',
      'POST /accounts/single/balance',
      'POST /accounts/single/private-key',
      'POST /financial-instruments/single',
      'POST /loans/bulk',
      'POST /loans/single',
      'POST /positions/single',
      'POST /positions/single/balance',
    ])
    expect(listing('409').toSorted()).toEqual(['POST /accounts', 'POST /financial-instruments', 'POST /positions'])
  })

  it('has no dangling reference, and no unused schema', () => {
    const text = JSON.stringify(document)
    const referencedNames = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)].map(([, kind, name]) => `${kind!}/${name!}`),
    )
    const definedNames = Object.entries(document.components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, members]) => Object.keys(members).map((name) => `${kind}/${name}`))
    for (const name of referencedNames) expect(definedNames).toContain(name)
    for (const name of definedNames.filter((member) => !/^responses\/E(404|409)$/.test(member)))
      expect([...referencedNames]).toContain(name)
    expect(text.match(/"\$ref":"(?!#\/components\/)/g)).toBeNull()
    expect(text).not.toContain('$defs')
  })

  it('names its parameters and allows no unknown member', () => {
    expect(document.components['parameters']).toMatchObject({
      chainClusterId: { in: 'query', schema: { enum: ['CHAIN_DEVNET', 'CHAIN_MAINNET'] } },
      idempotencyKey: { in: 'header' },
      prefer: { in: 'header' },
      dryRun: { in: 'header' },
      xRequestId: { in: 'header' },
    })
    for (const { operationId, requestBody } of operations()) {
      // The body of the answer of a custodian follows its protocol, which ignores unknown members.
      if (requestBody === undefined || operationId === 'postRemoteSignersAnswers') continue
      const schema = requestBody.content['application/json']!.schema as {
        properties: object
        required?: readonly string[]
      }
      expect(schema).toMatchObject({ additionalProperties: false })
      // Every body is an item, a query, or the input of the calculator, which is optional. A query may be about an
      // item; one about parts of items is about all of them if no item is given.
      const isOfParts = ['postBatchesItemsBulk', 'postSchedulesOccurrencesBulk'].includes(operationId)
      if ('itemQuery' in schema.properties)
        expect(schema.required ?? []).toEqual('itemData' in schema.properties && !isOfParts ? ['itemData'] : [])
      else if ('extensions' in schema.properties) expect(schema.required ?? []).toEqual([])
      else expect(schema.required).toEqual(['itemData'])
    }
  })
})

describe('pages', () => {
  it('contain no script but the one that copies code, and nothing from other hosts', async () => {
    const page = await service.request('GET', '/docs')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    )
    // Examples are text, and may contain an address of a host.
    const text = page.text.replace('<script type="module" src="/docs/copy.js"></script>', '')
    expect(text.replace(/<pre>.*?<\/pre>/gs, '')).not.toMatch(/<script|\son\w+=|https?:\/\/|src=/i)
    for (const route of routes) expect(page.text).toContain(route.path)
  })

  it('all have security headers', async () => {
    for (const path of [
      '/livez',
      '/readyz',
      '/metrics',
      '/openapi.json',
      '/collection.json',
      '/docs',
      '/docs/machines/transaction.svg',
    ]) {
      const { status, headers } = await service.request('GET', path)
      expect(status).toBe(200)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('content-security-policy')).toContain(`default-src 'none'`)
    }
  })

  it('draw the machine of every kind of record', async () => {
    for (const kind of Object.keys(KINDS)) {
      const { status, headers, text } = await service.request('GET', `/docs/machines/${kind}.svg`)
      expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
      expect(text).toContain(`id="machine-${kind}"`)
    }
    expect((await service.request('GET', '/docs/machines/nothing.svg')).status).toBe(404)
  })

  it('answer HEAD without a body', async () => {
    const answer = await service.request('HEAD', '/docs')
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(1000)
  })

  it('require no key, except metrics for a remote client', async () => {
    const as = async (headers: Record<string, string>, on = service) =>
      (await fetch(`${on.url}/metrics`, { headers })).status
    expect(await as({})).toBe(200)
    expect(await as({ 'x-forwarded-for': '127.0.0.1' })).toBe(401)
    expect(await as({ forwarded: 'for=127.0.0.1' })).toBe(401)
    expect(await as({ 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer full' })).toBe(200)
    await using behindProxy = await startEcho({
      settings: { trustedProxy: [{ address: '127.0.0.0', prefix: 8, family: 'ipv4' }] },
    })
    expect(await as({ 'x-forwarded-for': '203.0.113.9' }, behindProxy)).toBe(401)
    expect(await as({ 'x-forwarded-for': '127.0.0.1, 203.0.113.9' }, behindProxy)).toBe(401)
    expect(await as({ 'x-forwarded-for': '127.0.0.1' }, behindProxy)).toBe(200)
  })

  it('count a scrape with a key among the requests of the key', async () => {
    await using limited = await startEcho({ settings: { rateLimit: { perSecond: 0.001, burst: 1 } } })
    const headers = { 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer full' }
    const scrape = async () => (await fetch(`${limited.url}/metrics`, { headers })).status
    expect([await scrape(), await scrape()]).toEqual([200, 429])
    expect((await fetch(`${limited.url}/metrics`)).status).toBe(200)
  })

  it('count requests by endpoint and status', async () => {
    await service.post('/api/v1/accounts/single', {})
    const { text } = await service.request('GET', '/metrics')
    expect(text).toMatch(
      /holdfast_http_request_seconds_count\{endpoint="POST \/api\/v1\/accounts\/single",status="400"\} [1-9]/,
    )
  })
})
