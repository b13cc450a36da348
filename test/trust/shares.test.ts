// The share of one tenant of the server: requests to outside hosts, event streams, API keys. Other tenants continue
// meanwhile.
import { once as event } from 'node:events'
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Client } from '../e2e/client.ts'
import { eventually, startWorld, type World } from '../e2e/harness.ts'
import type { Ids, Problems } from '../e2e/models.ts'
import type { Records } from '../e2e/records.ts'
import { SERVER_CAPS, tenantShareOf } from '../../src/config/server-caps.ts'

const PATH = '/market-data/onchain-data-source'
const REQUESTS_OF_DEFINITION = 8
/** The default limit of outbound requests. */
const SHARE = tenantShareOf(SERVER_CAPS.outboundRequests, 10)

interface Party {
  readonly name: string
  readonly api: Client
  readonly fixture: Fixture
}

interface Fixture {
  readonly instrument: Ids
  readonly authority: Ids
}

let world: World
let host: Server
let origin: string
let greedy: Party
let other: Party
/** Requests to `/slow` without an answer so far. */
const open = new Set<ServerResponse>()
let highest = 0
let requestCount = 0

beforeAll(async () => {
  host = createServer((request, response) => {
    requestCount += 1
    if (request.url !== '/slow') {
      response.end('{"price": 7}')
      return
    }
    open.add(response)
    highest = Math.max(highest, open.size)
    response.once('close', () => open.delete(response))
  })
  host.listen(0, '127.0.0.1')
  await event(host, 'listening')
  const address = `127.0.0.1:${(host.address() as AddressInfo).port}`
  origin = `http://${address}`
  world = await startWorld({ HOLDFAST_OUTBOUND_ALLOW: address, HOLDFAST_RATE_LIMIT: '20/2000' })
  greedy = await party('GREEDY')
  other = await party('OTHER')
})
afterAll(async () => {
  await world.stop()
  host.closeAllConnections()
  host.close()
})

async function newKey(organizationExternalId: string): Promise<Client> {
  const body = { organizationExternalId, name: 'test', bundle: 'ADMIN' }
  return world.api.as((await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', body)).apiKey)
}

async function party(name: string): Promise<Party> {
  await world.api.ok(201, 'POST', '/admin/organizations', { externalId: name, name })
  const api = await newKey(name)
  return { name, api, fixture: await fixtureOf(world.records.with(api)) }
}

async function fixtureOf(records: Records): Promise<Fixture> {
  await records.feePayer()
  const authority = await records.account({ offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } })
  return { instrument: await records.instrument('TOKEN_2022', await records.account()), authority }
}

const fetchTask = (path: string) => ({ httpTask: { url: `${origin}${path}` } })
/** This number of requests, all at once. */
const medianOf = (path: string, requests: number) => ({
  tasks: [{ medianTask: { tasks: Array.from({ length: requests }, () => fetchTask(path)), minSuccessfulRequired: 1 } }],
})
const bodyOf = ({ fixture: { instrument, authority } }: Party, jobs: unknown) => ({
  defiProtocol: 'PUBLISHED_FEED',
  onchainDataSource: {},
  financialInstrument: instrument,
  onchainDataSourceAuthority: authority,
  dataDetails: { kind: 'PRICE' },
  oracleProviderDetails: { kind: 'QUOTES', jobDefinition: JSON.stringify(jobs) },
})

describe('attack 14, 14.12: requests to outside hosts', () => {
  it('of more than eight jobs are refused before the first; control: eight are sent', async () => {
    requestCount = 0
    for (const jobs of [
      medianOf('/fast', 9),
      Array.from({ length: 16 }, () => medianOf('/fast', 8)),
      [medianOf('/fast', 5), medianOf('/fast', 4)],
    ]) {
      const { message } = await other.api.refuses(400, 'JOB_INVALID', 'POST', PATH, bodyOf(other, jobs))
      expect(message).toContain('at most 8 requests')
    }
    expect(requestCount).toBe(0)
    const { status } = await other.api.send(
      'POST',
      PATH,
      bodyOf(other, { tasks: [fetchTask('/fast'), { jsonParseTask: { path: '$.price' } }] }),
    )
    expect([status, requestCount]).toEqual([201, 1])
  })

  it('of one tenant never exceed its share, count toward its rate limit, and delay no other tenant', async () => {
    highest = 0
    const attack = bodyOf(greedy, medianOf('/slow', REQUESTS_OF_DEFINITION))
    const requests: Promise<Answer<Problems>>[] = Array.from({ length: 300 }, () =>
      greedy.api.send<Problems>('POST', PATH, attack),
    )
    const full = SHARE - (SHARE % REQUESTS_OF_DEFINITION)
    await eventually(async () => {
      expect(open.size).toBe(full)
      await Promise.resolve()
    })
    expect((await fetch(`${world.url}/livez`)).status).toBe(200)
    const job = { tasks: [fetchTask('/fast'), { jsonParseTask: { path: '$.price' } }] }
    await other.api.ok(201, 'POST', PATH, bodyOf(other, job))
    const releasing = setInterval(() => open.forEach((response) => response.writeHead(404).end()), 5)
    const answers = await Promise.all(requests)
    clearInterval(releasing)
    expect(highest).toBe(full)
    const codes = answers.map(({ status, body }) => `${status} ${body.errors?.[0]?.code ?? ''}`)
    // The burst is for 222 requests that count nine each; a request that waits too long for a permit is refused too.
    expect(codes).toContain('400 JOB_FAILED')
    expect(codes).toContain('429 RATE_LIMITED')
    for (const code of codes) expect(['400 JOB_FAILED', '429 RATE_LIMITED', '429 OUTBOUND_BUSY']).toContain(code)
    for (const { status, headers } of answers) {
      if (status === 429)
        expect([headers.has('retry-after'), headers.has('ratelimit'), headers.has('ratelimit-policy')]).toEqual([
          true,
          true,
          true,
        ])
    }
  })
})

describe('attack 16, 14.12: event streams', () => {
  it('of one tenant are a share of the server, for any number of keys; another tenant reads its own', async () => {
    const most = tenantShareOf(SERVER_CAPS.eventStreams, 10)
    const keys = await Promise.all(Array.from({ length: 6 }, () => newKey(greedy.name)))
    const streams: IncomingMessage[] = []
    try {
      const statuses: number[] = []
      for (const key of keys) {
        for (let count = 0; count < 20; count += 1) {
          const stream = await follow(key)
          statuses.push(stream.statusCode ?? 0)
          streams.push(stream)
        }
      }
      expect(statuses.filter((status) => status === 200).length).toBe(most)
      expect(statuses.slice(most)).toEqual(Array.from({ length: 120 - most }, () => 429))
      const refusedStream = streams.at(-1)!
      expect(refusedStream.headers['retry-after']).toBe('1')
      const otherStream = await follow(other.api)
      streams.push(otherStream)
      expect(otherStream.statusCode).toBe(200)
    } finally {
      for (const stream of streams) stream.destroy()
    }
  })
})

async function follow({ bearer }: Client): Promise<IncomingMessage> {
  const request = get(`${world.url}/api/v1/events/stream`, { headers: { authorization: bearer }, agent: false })
  const [response] = (await event(request, 'response')) as [IncomingMessage]
  response.on('error', () => undefined)
  return response
}

describe('14.12 API keys', () => {
  it('of a tenant are at most 1,000 enabled ones, for any creator; another tenant creates its own', async () => {
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'MANY', name: 'Many' })
    const body = { organizationExternalId: 'MANY', name: 'test', roles: ['ACCOUNTS_READ'] }
    const ids: string[] = []
    while (ids.length < 1_000) {
      const batch = Array.from({ length: Math.min(50, 1_000 - ids.length) }, async () => {
        const { status, headers, body: key } = await world.api.send<{ keyId: string }>('POST', '/admin/api-keys', body)
        if (status === 201) ids.push(key.keyId)
        else expect([status, headers.has('retry-after')]).toEqual([429, true])
      })
      await Promise.all(batch)
    }
    const create = (by: Client, organization: string) =>
      by.send<Problems>('POST', '/admin/api-keys', { ...body, organizationExternalId: organization })
    const refusal = await eventually(async () => {
      const answer = await create(world.api, 'MANY')
      expect(answer.status).toBe(400)
      return answer
    })
    expect(refusal.body.errors?.[0]?.code).toBe('TOO_MANY_API_KEYS')
    expect((await create(other.api, 'OTHER')).status).toBe(201)
    await eventually(() => world.api.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId: ids[0]! }))
    expect((await create(world.api, 'MANY')).status).toBe(201)
    expect((await create(world.api, 'MANY')).body.errors?.[0]?.code).toBe('TOO_MANY_API_KEYS')
  })
})
