// Reads that a node forwards together are served by the owner as if each had come alone.
import { randomUUID } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../src/contract/call.ts'
import { ServedByOtherCell } from '../../src/contract/served-by-other-cell.ts'
import type { Exchange } from '../../src/http/exchange.ts'
import { answerReads } from '../../src/http/grouped-reads.ts'
import { frameOf } from '../../src/nodes/frames.ts'
import { READS_PATH } from '../../src/nodes/grouped-hops.ts'
import { Seals } from '../../src/nodes/seal.ts'
import { at, HERE, MOVING, SECRET, startNode, two, type Node } from './gateway-nodes.ts'
import type { Answer, Echo, Problems } from './service.ts'

const LOOKUP = { itemData: { offchainReferences: { code: 'A' } } }
const READ = '/api/v1/accounts/single'
const WRITE = '/api/v1/accounts'
/** Headers that differ between two answers to the same request. */
const OF_THE_MOMENT = new Set(['date', 'ratelimit'])

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

const EMPTY = Buffer.alloc(0)
const lookupOf = (code: string): object => ({ itemData: { offchainReferences: { code } } })

/** Requests of every kind, most of them short reads. */
const REQUESTS: readonly Sent[] = [
  { body: lookupOf('A') },
  { body: lookupOf('ä ✓ \u0000') },
  { path: `${READ}?chainClusterId=CHAIN_MAINNET` },
  { path: '/api/v1/accounts/bulk/detailed', body: {} },
  { path: '/api/v1/accounts/bulk/identifiers', body: {} },
  { path: `${READ}?chainClusterId=CHAIN_NONE` },
  { body: {} },
  { body: '{' },
  { body: 'x'.repeat(40_000) },
  { headers: { 'content-type': 'text/plain' } },
  { headers: { authorization: 'Bearer nobody' } },
  { headers: { authorization: 'Bearer reader' }, path: '/api/v1/loans/single' },
  { headers: { authorization: 'Bearer elsewhere' } },
  { headers: { prefer: 'wait=1' } },
  { headers: { 'x-forwarded-for': '203.0.113.7' } },
  { method: 'DELETE' },
  { path: `${READ}/none` },
  { path: WRITE, headers: { 'idempotency-key': 'once' } },
]

const send = (node: Node, { method = 'POST', path = READ, body = LOOKUP, headers = {} }: Sent, requestId: string) =>
  node.request(method, path, body, { ...headers, 'x-request-id': requestId })

/** What a client sees of an answer. */
function seen({ status, headers, text }: Answer, requestId: string): unknown {
  const kept = [...headers].filter(([name]) => !OF_THE_MOMENT.has(name))
  return JSON.parse(JSON.stringify([status, kept.toSorted(), text]).replaceAll(requestId, 'ID'))
}

function expectRefusal(answer: Answer, status: number, code: string): void {
  expect([answer.status, (answer.body as Problems).errors[0]?.code]).toEqual([status, code])
}

/** Sends requests together until some have travelled in a group. */
async function untilGrouped<T>(gateway: Node, send: () => Promise<T>, hopsIfApart: number): Promise<T> {
  for (;;) {
    const before = gateway.hops
    const result = await send()
    if (gateway.hops - before < hopsIfApart) return result
  }
}

describe('reads that arrive together', () => {
  it('get the answers that they get one by one', async () => {
    const { gateway } = await two()
    const alone: unknown[] = []
    for (const request of REQUESTS) {
      const requestId = randomUUID()
      alone.push(seen(await send(gateway, request, requestId), requestId))
    }
    const hopsIfApart = 4 * REQUESTS.length
    const together = await untilGrouped(
      gateway,
      () =>
        Promise.all(
          Array.from({ length: 4 }, () => REQUESTS)
            .flat()
            .map(async (request) => {
              const requestId = randomUUID()
              return seen(await send(gateway, request, requestId), requestId)
            }),
        ),
      hopsIfApart,
    )
    for (const [index, answer] of together.entries()) expect(answer).toEqual(alone[index % REQUESTS.length])
  })

  it('do not wait for each other', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const read = async (_: Call, __: unknown, input: Echo['input']): Promise<object> => {
      if (JSON.stringify(input).includes('SLOW')) await held
      return {}
    }
    const { gateway } = await two({ api: { read: read as never } })
    const slow: Promise<Answer>[] = []
    await untilGrouped(
      gateway,
      async () => {
        const sent = Array.from({ length: 20 }, (_, index) =>
          gateway.post(READ, lookupOf(index % 5 === 0 ? 'SLOW' : 'A')),
        )
        slow.push(...sent.filter((__, index) => index % 5 === 0))
        await Promise.all(sent.filter((__, index) => index % 5 !== 0))
      },
      20,
    )
    release()
    for (const answer of await Promise.all(slow)) expect(answer.status).toBe(200)
  })

  it('are answered before the next ones are served', async () => {
    const happened: string[] = []
    const socket = new Socket()
    const req = new IncomingMessage(socket)
    const res = new ServerResponse(req)
    res.write = () => happened.push('answer') > 0
    const ended = new Promise<void>((resolve) => {
      res.end = () => {
        resolve()
        return res
      }
    })
    const exchange = { req, res, state: {} } as Exchange
    answerReads(exchange, Buffer.concat([frameOf({}, EMPTY), frameOf({}, EMPTY)]), async ({ res: response }) => {
      await Promise.resolve()
      happened.push('served')
      response.end('{}')
    })
    await ended
    expect(happened).toEqual(['served', 'answer', 'served'])
  })

  it('are each served in the cell of the tenant that they are about', async () => {
    const read = (call: Call): never => {
      const tenant = call.requestId.startsWith('0') ? 'Ö' : 'Ä'
      if (call.servedFor !== tenant) throw new ServedByOtherCell(tenant)
      return { servedFor: tenant } as never
    }
    const { gateway } = await two({ api: { read } })
    const answers = await untilGrouped(
      gateway,
      () =>
        Promise.all(
          Array.from({ length: 20 }, (_, index) => send(gateway, {}, `${index % 2}${randomUUID().slice(1)}`)),
        ),
      40,
    )
    expect(answers.map(({ body }) => body)).toEqual(
      Array.from({ length: 20 }, (_, index) => ({ servedFor: index % 2 === 0 ? 'Ö' : 'Ä' })),
    )
  })

  it('look for the owner again if the cell moves', async () => {
    const first = await startNode('first', MOVING)
    const second = await startNode('second', HERE)
    const gateway = await startNode('gateway', at('first', first.url))
    const pending = Array.from({ length: 20 }, () => gateway.post(READ, LOOKUP))
    while (gateway.hops === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    gateway.place = at('second', second.url)
    for (const { status } of await Promise.all(pending)) expect(status).toBe(200)
    expect([first.served, second.served]).toEqual([0, 20])
  })
})

describe('the path of grouped reads', () => {
  /** Sends a group as the node `gateway` would. */
  async function group(owner: Node, secret: string, heads: readonly object[]): Promise<Response> {
    const body = Buffer.concat(heads.map((head) => frameOf(head, Buffer.from(JSON.stringify(LOOKUP)))))
    const requestId = randomUUID()
    const place = { method: 'POST', path: READS_PATH, body, requestId, client: '', from: 'gateway', to: 'owner' }
    const sealed = new Seals(secret, () => Date.now()).headersFor({ ...place, headers: {} })
    return await fetch(owner.url + READS_PATH, {
      method: 'POST',
      body,
      headers: { ...sealed, 'x-request-id': requestId },
    })
  }
  const headers = { authorization: 'Bearer full', 'content-type': 'application/json' }

  it('is hidden from clients, and from nodes with another secret', async () => {
    const owner = await startNode('owner', HERE)
    expectRefusal(await owner.request('POST', READS_PATH, '{}'), 404, 'ROUTE_NOT_FOUND')
    expectRefusal(await owner.request('POST', READS_PATH, '{}', { 'holdfast-node-from': 'a' }), 400, 'FORWARD_REFUSED')
    const read = { method: 'POST', path: READ, headers, client: '' }
    expect((await group(owner, 'another secret of all nodes, long enough', [read])).status).toBe(400)
    expect(owner.served).toBe(0)
  })

  it('serves nothing but short reads', async () => {
    const owner = await startNode('owner', HERE)
    const heads = [
      { method: 'POST', path: WRITE },
      { method: 'POST', path: READ },
      { method: 'POST', path: READS_PATH },
      { method: 'GET', path: '/metrics' },
    ].map((head) => ({ ...head, headers, client: '' }))
    const answers = await (await group(owner, SECRET, heads)).text()
    expect(answers.match(/"code":"ROUTE_NOT_FOUND"/g)).toHaveLength(3)
    expect(owner.served).toBe(1)
    const metrics = (await owner.request('GET', '/metrics')).text
    expect(metrics).toContain(`endpoint="POST ${READS_PATH}"`)
  })
})
