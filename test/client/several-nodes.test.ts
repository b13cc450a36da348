// The client with several addresses of one service: it switches from one that does not answer, repeats the same
// request, and waits for longer than a failover takes.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { holdfast, type Holdfast } from '../../src/client/client.ts'
import { Addresses, backoffMs, RETRIES, tryTimeoutOf } from '../../src/client/retries.ts'

const AT_ONCE = { firstWaitMs: 1, longestWaitMs: 2_000 }
const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

interface Place {
  readonly url: string
  readonly got: { readonly path: string; readonly key: string | undefined; readonly body: string }[]
  close(): Promise<unknown>
}

type Answering = (request: IncomingMessage, response: ServerResponse, count: number) => void

async function place(answering: Answering): Promise<Place> {
  const requests: { path: string; key: string | undefined; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      requests.push({ path: request.url ?? '', key: request.headers['idempotency-key'] as string | undefined, body })
      answering(request, response, requests.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): Promise<unknown> => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  stops.push(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got: requests, close }
}

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

const problem = (code: string, retryable: boolean): object => ({
  requestId: '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11',
  errors: [{ code, message: code, retryable }],
})

const serves: Answering = (_, response) => json(response, 201, { onchainId: 'a' })
const breaks: Answering = (request) => request.socket.destroy()

const client = (...places: readonly Place[]): Holdfast =>
  holdfast({ url: places.map(({ url }) => `${url}/`), apiKey: 'key', retries: AT_ONCE })

const create = (hf: Holdfast): Promise<unknown> => hf.post('/accounts', { itemData: {} })

describe('a client of several nodes', () => {
  it('fails over from a node that does not answer, repeats key and body, and stays with the next node', async () => {
    const [dead, alive] = [await place(breaks), await place(serves)]
    const hf = client(dead, alive)
    await create(hf)
    await create(hf)
    expect([dead.got.length, alive.got.length]).toEqual([1, 2])
    expect(alive.got[0]).toEqual(dead.got[0])
    expect(alive.got[0]!.key).toBeDefined()
    expect(alive.got[1]!.key).not.toBe(alive.got[0]!.key)
  })

  it('retries after the time in Retry-After when no node owns the data', async () => {
    const away: Answering = (_, response) =>
      json(response, 503, problem('TENANT_UNAVAILABLE', true), { 'retry-after': '1' })
    const first = await place(away)
    const second = await place((request, response, count) => (count === 1 ? away : serves)(request, response, count))
    const startedAt = performance.now()
    await create(client(first, second))
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2_000)
    expect([...first.got, ...second.got].map(({ key }) => key)).toEqual(
      Array.from({ length: first.got.length + second.got.length }, () => first.got[0]!.key),
    )
  })

  it('retries a request with an unknown outcome on another node, and never a request refused for good', async () => {
    const unsureNode = await place((_, response) => json(response, 504, problem('OUTCOME_UNKNOWN', false)))
    const other = await place(serves)
    await create(client(unsureNode, other))
    expect(other.got[0]).toEqual(unsureNode.got[0])
    const refusing = await place((_, response) => json(response, 400, problem('OUTCOME_UNKNOWN', false)))
    await expect(create(client(refusing, other))).rejects.toMatchObject({ status: 400 })
    expect([refusing.got.length, other.got.length]).toEqual([1, 1])
  })

  it('continues its event stream at the next node', async () => {
    const event = { sequence: 8, type: 'x' }
    const stream: Answering = (request, response) => {
      if (request.url!.startsWith('/api/v1/events/stream')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(`id: 8\nevent: x\ndata: ${JSON.stringify(event)}\n\n`)
      } else json(response, 200, { items: [], lastSequence: 7 })
    }
    const [dead, alive] = [await place(breaks), await place(stream)]
    for await (const { sequence } of client(dead, alive).events({ after: 7 })) {
      expect(sequence).toBe(8)
      break
    }
  })

  it('requires at least one address', () => {
    expect(() => holdfast({ url: [], apiKey: 'key' })).toThrow(RangeError)
  })
})

describe('the retry delays of a client', () => {
  it('together outlast a failover, for any random draw', () => {
    const least = Array.from({ length: RETRIES.tries - 1 }, (_, index) => {
      const delays = Array.from({ length: 1_000 }, () => backoffMs(index + 1, RETRIES))
      return Math.min(...delays)
    })
    expect(least.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(12_000)
  })

  it('end at the timeout of the call, so that another node can still answer', () => {
    expect(tryTimeoutOf(null)).toBe(30_000)
    expect(tryTimeoutOf('respond-async, wait=60')).toBe(80_000)
  })

  it('are shared: concurrent calls that fail at one node move on together', () => {
    const addresses = new Addresses(['http://a', 'http://b/', 'http://c'])
    for (let call = 0; call < 3; call += 1) addresses.leave('http://a')
    expect(addresses.current).toBe('http://b')
    addresses.leave('http://b')
    addresses.leave('http://c')
    expect(addresses.current).toBe('http://a')
  })
})
