// Refusals before an endpoint is reached, and their order.
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notFound, conflict, Refusal } from '../../src/contract/refusal.ts'
import { startEcho, type Answer, type Echo, type Problems, type RunningService } from './service.ts'

const LOOKUP = { itemData: { offchainReferences: { code: 'A' } } }
const SINGLE = '/api/v1/accounts/single'
const UUID = '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11'

let service: RunningService
beforeAll(async () => {
  service = await startEcho()
})
afterAll(async () => service[Symbol.asyncDispose]())

function expectRefusal(answer: Answer, status: number, code: string): Problems {
  const problems = answer.body as Problems
  expect({ status: answer.status, code: problems.errors[0]?.code }).toEqual({ status, code })
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(problems.status).toBe(status)
  expect(problems.requestId).toBe(answer.headers.get('x-request-id'))
  return problems
}

describe('request id', () => {
  it('is echoed, also with an error', async () => {
    const headers = { 'x-request-id': UUID }
    expect((await service.post(SINGLE, LOOKUP, headers)).headers.get('x-request-id')).toBe(UUID)
    expect(expectRefusal(await service.post(SINGLE, {}, headers), 400, 'REQUIRED').requestId).toBe(UUID)
  })

  it('is generated when absent, and passed to the operation', async () => {
    const answer = await service.post(SINGLE, LOOKUP)
    expect(answer.headers.get('x-request-id')).toBe((answer.body as Echo).call.requestId)
  })

  it('must be a UUID', async () => {
    const problems = expectRefusal(
      await service.post(SINGLE, LOOKUP, { 'x-request-id': 'mine' }),
      400,
      'MALFORMED_UUID',
    )
    expect(problems.requestId).not.toBe('mine')
  })
})

describe('routes', () => {
  it('that are unknown answer 404', async () => {
    for (const path of [
      '/api',
      '/api/v1',
      '/api/v1/nothing',
      '/api/v1/accounts/',
      '/API/v1/accounts',
      '/api/v1/accounts/single/x',
    ]) {
      expectRefusal(await service.post(path, LOOKUP), 404, 'ROUTE_NOT_FOUND')
    }
  })

  it('answer 405 with the allowed methods', async () => {
    const answer = await service.request('DELETE', '/api/v1/admin/organizations')
    expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED')
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(['PATCH', 'POST'])
  })
})

describe('caches', () => {
  it('are forbidden for answers, refusals and missing records', async () => {
    const answers = [
      await service.post(SINGLE, LOOKUP),
      await service.post(SINGLE, {}),
      await service.post('/nothing', LOOKUP),
    ]
    for (const { headers } of answers)
      expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff'])
  })
})

describe('bodies', () => {
  it.each(['text/plain', 'application/xml', 'application/json; charset=latin1', 'application/jsonp'])(
    'refuse %s',
    async (type) => {
      expectRefusal(await service.post(SINGLE, LOOKUP, { 'content-type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE')
    },
  )

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('accept %s', async (type) => {
    expect((await service.post(SINGLE, LOOKUP, { 'content-type': type })).status).toBe(200)
  })

  it('must not be encoded, empty or missing', async () => {
    expectRefusal(await service.post(SINGLE, LOOKUP, { 'content-encoding': 'gzip' }), 415, 'UNSUPPORTED_ENCODING')
    expectRefusal(await service.request('POST', SINGLE), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expectRefusal(await service.post(SINGLE, ''), 400, 'MALFORMED_JSON')
  })

  it('are refused above one mebibyte, announced or not', async () => {
    const comments = 'x'.repeat(1024 * 1024)
    expectRefusal(await service.post(SINGLE, { comments }), 413, 'BODY_TOO_LARGE')
    expect((await unannounced(`"${comments}`)).status).toBe(413)
    const padded = JSON.stringify(LOOKUP).padEnd(1024 * 1024, ' ')
    expect((await service.post(SINGLE, padded)).status).toBe(200)
    expect((await unannounced(padded)).status).toBe(200)
  })
})

/** In chunks, without a length. */
function unannounced(body: string): Promise<{ status: number | undefined }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      service.url + SINGLE,
      {
        method: 'POST',
        headers: { authorization: 'Bearer full', 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve({ status: response.statusCode }))
      },
    )
    request.on('error', reject)
    for (let at = 0; at < body.length; at += 65_536) request.write(body.slice(at, at + 65_536))
    request.end()
  })
}

describe('authentication and authorization', () => {
  it('require a key', async () => {
    for (const authorization of ['Basic abc', 'Bearer', 'Bearer nobody', '']) {
      const answer = await service.post(SINGLE, LOOKUP, { authorization })
      expectRefusal(answer, 401, 'CREDENTIALS_INVALID')
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="holdfast"')
    }
    const response = await fetch(service.url + SINGLE, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(response.status).toBe(401)
    expect(((await response.json()) as Problems).errors[0]?.code).toBe('CREDENTIALS_MISSING')
  })

  it('name the missing role', async () => {
    const problems = expectRefusal(
      await service.post('/api/v1/accounts', {}, { authorization: 'bearer reader' }),
      403,
      'ROLE_REQUIRED',
    )
    expect(problems.errors[0]?.message).toContain('ACCOUNTS_WRITE')
  })

  it('use the first cluster, or the named one', async () => {
    expect((await service.post(SINGLE, LOOKUP)).body).toMatchObject({ call: { cluster: 'CHAIN_DEVNET' } })
    const clusterQuery = 'chainClusterId=CHAIN_MAINNET'
    for (const query of [clusterQuery, 'chainClusterId=CHAIN%5FMAINNET', `${clusterQuery}&${clusterQuery}`]) {
      expect((await service.post(`${SINGLE}?${query}`, LOOKUP)).body).toMatchObject({
        call: { cluster: 'CHAIN_MAINNET' },
      })
    }
  })

  it('refuse unknown clusters and parameters', async () => {
    expectRefusal(await service.post(`${SINGLE}?chainClusterId=MOON`, LOOKUP), 400, 'UNKNOWN_CLUSTER')
    expectRefusal(await service.post(`${SINGLE}?chainClusterId=`, LOOKUP), 400, 'UNKNOWN_CLUSTER')
    expectRefusal(
      await service.post(`${SINGLE}?chainClusterId=CHAIN_MAINNET&chainClusterId=CHAIN_DEVNET`, LOOKUP),
      400,
      'UNKNOWN_CLUSTER',
    )
    expectRefusal(await service.post(`${SINGLE}?chainclusterid=CHAIN_MAINNET`, LOOKUP), 400, 'UNKNOWN_PARAMETER')
    expectRefusal(await service.post(SINGLE, LOOKUP, { authorization: 'Bearer elsewhere' }), 403, 'CLUSTER_NOT_ALLOWED')
  })

  it('act for another organization only if allowed', async () => {
    const requestFor = (organization: string) =>
      service.post(SINGLE, { ...LOOKUP, tenancyConfig: { overrideOrganizationExternalId: organization } })
    expect((await requestFor('CHILD')).body).toMatchObject({ call: { organization: 'CHILD', tenant: 'ACME' } })
    expectRefusal(await requestFor('OTHER'), 403, 'OVERRIDE_NOT_ALLOWED')
  })

  it('check in the order of the contract', async () => {
    const nobody = { authorization: 'Bearer nobody' }
    expectRefusal(await service.post('/api/v1/nothing', {}, nobody), 404, 'ROUTE_NOT_FOUND')
    expectRefusal(
      await service.post(SINGLE, {}, { ...nobody, 'content-type': 'text/plain' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    )
    expectRefusal(await service.post(`${SINGLE}?chainClusterId=MOON`, {}, nobody), 401, 'CREDENTIALS_INVALID')
    expectRefusal(
      await service.post('/api/v1/accounts?chainClusterId=MOON', {}, { authorization: 'Bearer reader' }),
      403,
      'ROLE_REQUIRED',
    )
    expectRefusal(await service.post(`${SINGLE}?chainClusterId=MOON`, '{'), 400, 'UNKNOWN_CLUSTER')
    expectRefusal(
      await service.post(SINGLE, { tenancyConfig: { overrideOrganizationExternalId: 'OTHER' } }),
      400,
      'REQUIRED',
    )
  })
})

describe('errors of operations', () => {
  it('keep a status listed in the contract, and answer 400 otherwise', async () => {
    await using failing = await startEcho({
      api: {
        read: () => Promise.reject(notFound('GONE', 'no such record')),
        perform: (_call, _write, input) => {
          const { comments } = (input as { itemData: { comments?: string } }).itemData
          return Promise.reject(
            comments === 'missing' ? notFound('GONE', 'no such record') : conflict('ALREADY_EXISTS', 'there is one'),
          )
        },
      },
    })
    expectRefusal(await failing.post(SINGLE, LOOKUP), 404, 'GONE')
    expectRefusal(await failing.post('/api/v1/transactions/status', { itemData: { offchainId: UUID } }), 400, 'GONE')
    expectRefusal(await failing.post('/api/v1/accounts', { itemData: {} }), 409, 'ALREADY_EXISTS')
    expectRefusal(await failing.post('/api/v1/accounts', { itemData: { comments: 'missing' } }), 400, 'GONE')
    expectRefusal(
      await failing.post('/api/v1/admin/organizations', { itemData: { externalId: 'A', name: 'A' } }),
      400,
      'ALREADY_EXISTS',
    )
  })

  it('have Retry-After', async () => {
    const busy = new Refusal(429, [{ code: 'QUEUE_FULL', message: 'too much is queued', retryable: true }], 7)
    await using failing = await startEcho({ api: { read: () => Promise.reject(busy) } })
    const answer = await failing.post(SINGLE, LOOKUP)
    expectRefusal(answer, 429, 'QUEUE_FULL')
    expect(answer.headers.get('retry-after')).toBe('7')
  })

  it('that are unexpected reveal nothing, and are logged under the request id', async () => {
    const secret = 'hf_secret at /home/somebody'
    await using failing = await startEcho({
      api: {
        read: () => {
          throw new TypeError(secret)
        },
      },
    })
    const answer = await failing.post(SINGLE, LOOKUP)
    const { requestId } = expectRefusal(answer, 500, 'INTERNAL')
    expect(answer.text).not.toMatch(/secret|TypeError|somebody|\.ts/)
    expect(failing.lines).toHaveLength(1)
    expect(failing.lines[0]!.fields).toMatchObject({ requestId, err: { message: secret } })
  })
})

describe('availability', () => {
  it('accepts requests while a cluster is down, and reports it', async () => {
    const checks = { store: 'ok', 'chain CHAIN_DEVNET': 'the cluster makes no blocks' }
    await using partly = await startEcho({ api: { readiness: () => ({ ready: false, checks }) } })
    expect((await partly.post(SINGLE, LOOKUP)).status).toBe(200)
    const ready = await partly.request('GET', '/readyz')
    expect([ready.status, ready.body]).toEqual([503, { status: 'not ready', checks }])
  })

  it('refuses while the service cannot work at all, and reports it', async () => {
    const readiness = () => ({ ready: false, checks: { chain: 'no blockhash yet' } })
    await using starting = await startEcho({ api: { readiness, accepting: false } })
    const answer = await starting.post(SINGLE, LOOKUP)
    expect(expectRefusal(answer, 503, 'UNAVAILABLE').errors[0]?.retryable).toBe(true)
    expect(answer.headers.get('retry-after')).toBe('1')
    const ready = await starting.request('GET', '/readyz')
    expect([ready.status, ready.body]).toEqual([503, { status: 'not ready', checks: { chain: 'no blockhash yet' } }])
    expect((await starting.request('GET', '/livez')).status).toBe(200)
  })

  it('refuses while draining, and completes open requests', async () => {
    let release = (): void => undefined
    let entered = (): void => undefined
    const inside = new Promise<void>((resolve) => (entered = resolve))
    const gate = new Promise<void>((resolve) => (release = resolve))
    const stopping = await startEcho({
      api: {
        read: async () => {
          entered()
          await gate
          return { done: true } as never
        },
      },
    })
    const underWay = stopping.post(SINGLE, LOOKUP)
    await inside
    stopping.server.drain()
    const response = await stopping.post(SINGLE, LOOKUP)
    expectRefusal(response, 503, 'UNAVAILABLE')
    expect(response.headers.get('connection')).toBe('close')
    expect((await stopping.request('GET', '/readyz')).body).toMatchObject({ status: 'stopping' })
    const shutdown = stopping.server.stop(30_000)
    release()
    expect((await underWay).body).toEqual({ done: true })
    await shutdown
    await expect(stopping.post(SINGLE, LOOKUP)).rejects.toThrow()
  })
})
