// One delivery attempt to a real target, through the real outbound policy: the answers that count as delivered, and the
// targets that are never reached.
import { once as event } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { outboundRule } from '../../../src/config/networks.ts'
import { MasterKey } from '../../../src/keys/master-key.ts'
import { generateWebhookSecret, WebhookSecrets } from '../../../src/keys/webhook-secret.ts'
import { Outbound, OutboundRefused } from '../../../src/operations/context/outbound/outbound.ts'
import { attemptDelivery } from '../../../src/operations/webhooks/attempt.ts'
import { messageOf } from '../../../src/operations/webhooks/message.ts'
import { Permits } from '../../../src/operations/context/outbound/permits.ts'
import { receivesEvent } from '../../../src/operations/webhooks/event-filter.ts'
import { MemoryLog } from './post.ts'

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'

let server: Server
let port: number
const requestedPaths: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    requestedPaths.push(`${request.method} ${request.url}`)
    if (request.url === '/moved') response.writeHead(307, { location: '/other' }).end()
    else if (request.url === '/busy') response.writeHead(429, { 'retry-after': '7' }).end('x')
    else if (request.url === '/endless') response.writeHead(200).write('x'.repeat(1_000_000))
    else if (request.url === '/packed') response.writeHead(202, { 'content-encoding': 'gzip' }).end('x')
    else if (request.url === '/dies') response.destroy()
    else if (request.url === '/switches') request.socket.end(SWITCHING)
    else if (request.url !== '/silent') response.writeHead(200).end()
  })
  server.listen(0, '127.0.0.1')
  await event(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const log = new MemoryLog()
log.append('a')
const secret = generateWebhookSecret()
const message = messageOf(log.events[0]!, [secret], Date.now())

function to(path: string, host = '127.0.0.1', rules = [`127.0.0.1:${port}`], signal = new AbortController().signal) {
  const outbound = new Outbound(
    rules.map((rule) => outboundRule(rule)),
    () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  )
  return attemptDelivery(outbound, `http://${host}:${port}${path}`, message, { now: () => Date.now(), signal })
}

describe('a delivery attempt', () => {
  it('succeeds with any 2xx and any body', async () => {
    expect(await to('/')).toEqual({ status: 200, error: null, retryAfterMs: null })
    expect(await to('/endless')).toMatchObject({ status: 200, error: null })
    expect(await to('/packed')).toMatchObject({ status: 202, error: null })
    expect(requestedPaths.at(-1)).toBe('POST /packed')
  })

  it('fails otherwise: a redirect is not followed', async () => {
    expect(await to('/moved')).toMatchObject({ status: 307, error: 'it answers 307' })
    expect(requestedPaths).not.toContain('POST /other')
    expect(await to('/busy')).toEqual({ status: 429, error: 'it answers 429', retryAfterMs: 7_000 })
    expect(await to('/dies')).toMatchObject({ status: null, error: 'the host does not answer' })
    expect(await to('/switches')).toMatchObject({ status: null, error: 'the host switches to another protocol' })
  })

  it('ends when the service stops', async () => {
    const stopping = new AbortController()
    const pendingAttempt = to('/silent', undefined, undefined, stopping.signal)
    stopping.abort()
    expect(await pendingAttempt).toMatchObject({ status: null })
  })

  it('reaches no internal address that a name resolves to since its creation', async () => {
    const before = requestedPaths.length
    expect(await to('/', 'rebound.example', [])).toMatchObject({
      status: null,
      error: 'only https on its usual port is fetched',
    })
    const outbound = new Outbound([], () => Promise.resolve([{ address: '10.0.0.1', family: 4 }]))
    const pendingAttempt = attemptDelivery(outbound, 'https://rebound.example/', message, {
      now: () => 0,
      signal: new AbortController().signal,
    })
    expect(await pendingAttempt).toEqual({
      status: null,
      error: 'the host is not on the public internet, or its name does not resolve',
      retryAfterMs: null,
    })
    expect(requestedPaths).toHaveLength(before)
  })
})

describe('a new webhook target', () => {
  it('may have any name, checked at each delivery, but no internal address and no name of this host', async () => {
    const resolving = (address: string | null) =>
      new Outbound([], () => Promise.resolve(address === null ? [] : [{ address, family: 4 }]))
    await resolving(null).check('https://soon.example/')
    await resolving('8.8.8.8').check('https://now.example/')
    await new Outbound([], () => new Promise(() => undefined)).check('https://slow.example/')
    await resolving('10.0.0.1').check('https://now.example/')
    await expect(resolving('8.8.8.8').check('https://10.0.0.1/')).rejects.toThrow(OutboundRefused)
    await expect(resolving(null).check('http://soon.example/')).rejects.toThrow(OutboundRefused)
    await expect(resolving(null).check('https://soon.example:8443/')).rejects.toThrow(OutboundRefused)
    for (const name of ['localhost', 'localhost.', 'a.localhost', 'A.LocalHost.']) {
      await expect(resolving(null).check(`https://${name}/`)).rejects.toThrow(OutboundRefused)
    }
  })
})

describe('a webhook message', () => {
  it('is signed with every secret, and does not show which organizations may see the event', () => {
    const other = generateWebhookSecret()
    const { headers, body } = messageOf({ ...log.events[0]!, seenBy: ['X'] } as never, [other, secret], Date.now())
    for (const key of [secret, other]) expect(new Webhook(key).verify(body, { ...headers })).toEqual(JSON.parse(body))
    expect(() => new Webhook(generateWebhookSecret()).verify(body, { ...headers })).toThrow()
    expect(body).not.toContain('seenBy')
    expect(JSON.parse(body)).toMatchObject({ ...log.events[0]!, timestamp: log.events[0]!.at })
  })
})

describe('stored secrets', () => {
  const reference = { tenant: 'ACME', cluster: 'CHAIN_DEVNET', id: 'w1' }
  const secrets = new WebhookSecrets(new MasterKey(Buffer.alloc(32, 7)))
  const keptSecrets = [
    { secret, until: null },
    { secret: generateWebhookSecret(), until: '2026-11-21T12:00:00.000Z' },
  ]
  const row = JSON.parse(JSON.stringify(secrets.seal(reference, keptSecrets))) as Record<string, string>

  it('open only for their webhook, under the same master key, if unchanged', () => {
    expect(secrets.open(reference, row)).toEqual(keptSecrets)
    expect(JSON.stringify(row)).not.toContain(secret.slice(6))
    expect(() => secrets.open({ ...reference, id: 'w2' }, row)).toThrow('cannot be opened')
    expect(() => secrets.open({ ...reference, tenant: 'OTHER' }, row)).toThrow('cannot be opened')
    expect(() => new WebhookSecrets(new MasterKey(Buffer.alloc(32, 8))).open(reference, row)).toThrow(
      'cannot be opened',
    )
    const bytes = Buffer.from(row['secrets']!, 'base64')
    bytes[20]! ^= 1
    expect(() => secrets.open(reference, { ...row, secrets: bytes.toString('base64') })).toThrow('cannot be opened')
  })
})

describe('a webhook receives', () => {
  const visibleEvent = { tenantOrganizationId: 'ACME', chainClusterId: 'CHAIN_DEVNET', type: 'transaction.prepared' }
  const of = (organization: string, ...eventTypes: string[]) => ({
    cluster: 'CHAIN_DEVNET',
    context: { organization, eventTypes },
  })

  it('the events visible to its organization, in its cluster', () => {
    expect(receivesEvent(of('ACME', '*'), visibleEvent)).toBe(true)
    expect(receivesEvent({ ...of('ACME', '*'), cluster: 'CHAIN_MAINNET' }, visibleEvent)).toBe(false)
    expect(receivesEvent(of('OTHER', '*'), visibleEvent)).toBe(false)
    expect(receivesEvent(of('OTHER', '*'), { ...visibleEvent, seenBy: ['OTHER'] })).toBe(true)
    expect(receivesEvent(of('THIRD', '*'), { ...visibleEvent, seenBy: ['OTHER'] })).toBe(false)
    expect(receivesEvent(of('THIRD', '*'), { ...visibleEvent, seenBy: 'shared' })).toBe(true)
  })

  it('the types it names', () => {
    const isWanted = (...eventTypes: string[]): boolean => receivesEvent(of('ACME', ...eventTypes), visibleEvent)
    expect([isWanted('transaction.prepared'), isWanted('account.*', 'transaction.*'), isWanted('trans*')]).toEqual([
      true,
      true,
      true,
    ])
    expect([isWanted('transaction.prepare'), isWanted('account.*'), isWanted('transaction.prepared.*')]).toEqual([
      false,
      false,
      false,
    ])
  })
})

describe('delivery permits', () => {
  it('are limited, with a lower limit per tenant, and granted in order of request', () => {
    const permits = new Permits(3, 2)
    const freed: string[] = []
    const ask = (tenant: string, name: string): boolean => permits.take(tenant, () => void freed.push(name))
    const others = (): void => undefined
    expect([
      permits.take('A', others),
      permits.take('A', others),
      ask('A', 'a3'),
      ask('B', 'b1'),
      ask('B', 'b2'),
    ]).toEqual([true, true, false, true, false])
    permits.give('B')
    expect(freed).toEqual(['b2'])
    permits.give('A')
    expect(freed).toEqual(['b2', 'a3'])
    permits.give('A')
    expect(freed).toEqual(['b2', 'a3'])
  })
})
