// Requests at a node that does not own the cell are forwarded once, never because of a header of a client, and never
// twice.
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { request, ServerResponse, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SERVER_CAPS } from '../../src/config/server-caps.ts'
import { Seals } from '../../src/nodes/seal.ts'
import type { Call } from '../../src/contract/call.ts'
import { ServedByOtherCell } from '../../src/contract/served-by-other-cell.ts'
import { eventually } from '../localnet/rpc-chain.ts'
import { at, HERE, MOVING, SECRET, startNode, startPost, two } from './gateway-nodes.ts'
import { KEY, limitHeldBodies, type Answer, type Echo, type Problems } from './service.ts'

const LOOKUP = { itemData: { offchainReferences: { code: 'A' } } }
const READ = '/api/v1/accounts/single'
const WRITE = '/api/v1/accounts'

function expectRefusal(answer: Answer, status: number, code: string): void {
  expect([answer.status, (answer.body as Problems).errors[0]?.code]).toEqual([status, code])
}

/** By response: the listeners of its end at the moments when another one is added. */
function countCloseListeners(): ReadonlyMap<ServerResponse, readonly number[]> {
  const counts = new Map<ServerResponse, number[]>()
  const spy = vi.spyOn(ServerResponse.prototype, 'once').mockImplementation(function (this: ServerResponse, ...args) {
    if (args[0] === 'close') counts.set(this, [...(counts.get(this) ?? []), this.listenerCount('close')])
    EventEmitter.prototype.once.apply(this, args)
    return this
  })
  onTestFinished(() => spy.mockRestore())
  return counts
}

describe('a request at a node that does not own the cell', () => {
  it('is served by the owner, with everything that the client sent', async () => {
    const { owner, gateway } = await two()
    const requestId = '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11'
    const headers = { 'x-request-id': requestId, 'idempotency-key': 'once' }
    const body = { itemData: { ...LOOKUP.itemData } }
    const answer = await gateway.request('POST', `${READ}?chainClusterId=CHAIN_MAINNET`, body, headers)
    expect(answer.status).toBe(200)
    const { call, input } = answer.body as Echo
    expect(call).toMatchObject({ cluster: 'CHAIN_MAINNET', requestId })
    expect(input.itemData).toMatchObject(LOOKUP.itemData)
    expect(answer.headers.get('x-request-id')).toBe(requestId)
    expect(answer.headers.get('ratelimit-policy')).not.toBeNull()
    expect([owner.served, gateway.served, owner.open]).toEqual([1, 0, 0])
  })

  it('is forwarded also if its target has a scheme and a host', async () => {
    const { owner, gateway } = await two()
    const { hostname, port } = new URL(gateway.url)
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const sent = request({ hostname, port, method: 'POST', path: gateway.url + READ, headers })
    sent.end(JSON.stringify(LOOKUP))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(200)
    response.resume()
    expect([owner.served, gateway.served]).toEqual([1, 0])
  })

  it('keeps its problems, its status and its methods', async () => {
    const { gateway } = await two()
    expectRefusal(await gateway.post(READ, {}), 400, 'REQUIRED')
    expectRefusal(await gateway.request('POST', READ, '{', {}), 400, 'MALFORMED_JSON')
    expectRefusal(await gateway.request('DELETE', '/api/v1/admin/organizations'), 405, 'METHOD_NOT_ALLOWED')
    expectRefusal(await gateway.post(READ, LOOKUP, { authorization: 'Bearer nobody' }), 401, 'CREDENTIALS_INVALID')
  })

  it('is refused before its body is read if it lacks credentials, or the body is too large', async () => {
    const { owner, gateway } = await two()
    const bare = await fetch(gateway.url + READ, { method: 'POST', body: '{}' })
    expect(bare.status).toBe(401)
    expectRefusal(await gateway.request('POST', READ, 'x'.repeat(70 * 1024 * 1024)), 413, 'BODY_TOO_LARGE')
    expect(owner.served).toBe(0)
  })

  it('counts toward the client address seen by the first node, not toward that node', async () => {
    const { gateway } = await two({ api: { payerView: () => Promise.resolve(undefined) }, trusted: true })
    const from = async (client: string): Promise<number> =>
      (await fetch(`${gateway.url}/pay/none`, { headers: { 'x-forwarded-for': client } })).status
    const many = await Promise.all(Array.from({ length: 60 }, () => from('203.0.113.7')))
    expect(new Set(many)).toEqual(new Set([404, 429]))
    expect(await from('203.0.113.8')).toBe(404)
  })
})

describe('a request of SYSTEM about a tenant of another cell', () => {
  const TENANT = 'Ä, "CME"'
  const about = (served: readonly string[]) => ({
    read: (call: Call): never => {
      if (!served.includes(call.servedFor ?? '')) throw new ServedByOtherCell(served[0]!)
      return { servedFor: call.servedFor } as never
    },
  })

  it('is restarted in the cell of that tenant, at the first node and at the owner', async () => {
    const { owner, gateway } = await two({ api: about([TENANT]) })
    for (const node of [gateway, owner]) {
      const answer = await node.post(READ, LOOKUP)
      expect([answer.status, answer.body]).toEqual([200, { servedFor: TENANT }])
    }
    expect([owner.served, gateway.served, owner.open]).toEqual([4, 0, 0])
  })

  it('ends if no cell has the tenant', async () => {
    let turn = 0
    const read = (): never => {
      turn += 1
      throw new ServedByOtherCell(`T${String(turn)}`)
    }
    const { owner, gateway } = await two({ api: { read } })
    for (const node of [gateway, owner]) expectRefusal(await node.post(READ, LOOKUP), 503, 'TENANT_UNAVAILABLE')
    expect(turn).toBe(8)
  })

  it('leaves its place among the open requests before it is restarted', async () => {
    const { owner } = await two({ api: about([TENANT]), tenantShare: 1 })
    for (let count = 0; count < 300; count += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => owner.post(READ, LOOKUP)))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    }
  })
})

describe('headers between nodes', () => {
  it('are refused from clients, at the owner and at other nodes', async () => {
    const { owner, gateway } = await two()
    for (const node of [owner, gateway]) {
      for (const headers of [
        { 'holdfast-node-client': '127.0.0.1' },
        { 'holdfast-node-seal': 'v1 1 000000000000000000000000 ' + '0'.repeat(64) },
        { 'holdfast-node-anything': 'x' },
      ])
        expectRefusal(await node.post(READ, LOOKUP, headers), 400, 'FORWARD_REFUSED')
    }
    expect(owner.served).toBe(0)
  })

  it('are required for questions between cells, whose path is hidden from clients', async () => {
    const path = '/cells/countersign'
    const questions: string[] = []
    const countersigned = (body: Buffer) =>
      Promise.resolve(questions.push(String(body)) > 1 ? null : { signatures: [] })
    const owner = await startNode('owner', HERE, { countersigned })
    expect((await owner.request('POST', path, '{}')).status).toBe(404)
    expectRefusal(await owner.request('POST', path, '{}', { 'holdfast-node-from': 'gateway' }), 400, 'FORWARD_REFUSED')
    const ask = () => {
      const requestId = randomUUID()
      const question = { method: 'POST', path, body: Buffer.from('{}'), requestId, headers: {} }
      const sealed = new Seals(SECRET, () => Date.now()).headersFor({
        ...question,
        client: '',
        from: 'gateway',
        to: 'owner',
      })
      return fetch(`${owner.url}${path}`, {
        method: 'POST',
        body: question.body,
        headers: { ...sealed, 'x-request-id': requestId },
      })
    }
    const answer = await ask()
    expect([answer.status, await answer.json()]).toEqual([200, { signatures: [] }])
    // Its cell is not here: nothing was done.
    const response = await ask()
    expect([response.status, response.headers.get('holdfast-node-not-taken')]).toEqual([503, 'moving'])
    expect(questions).toEqual(['{}', '{}'])
  })

  it('are valid once, for one request, for one node, for a moment', async () => {
    const post = await startPost(true)
    const gateway = await startNode('gateway', at('owner', post.url))
    const send = async (): Promise<{ headers: Record<string, string>; body: string }> => {
      await gateway.post(READ, LOOKUP)
      const { request, body } = post.got.pop()!
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
      return { headers: headers as Record<string, string>, body }
    }
    const owner = await startNode('owner', HERE)
    const other = await startNode('other', HERE)
    const first = await send()
    expect((await owner.request('POST', READ, first.body, first.headers)).status).toBe(200)
    expectRefusal(await owner.request('POST', READ, first.body, first.headers), 400, 'FORWARD_REFUSED')
    for (const change of [
      { 'holdfast-node-client': '203.0.113.9' },
      { 'holdfast-node-from': 'another' },
      { 'holdfast-node-served-for': 'ACME' },
      { authorization: 'Bearer reader' },
      { 'idempotency-key': 'another' },
      { 'x-request-id': '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11' },
    ]) {
      const { headers, body } = await send()
      expectRefusal(await owner.request('POST', READ, body, { ...headers, ...change }), 400, 'FORWARD_REFUSED')
    }
    const sentRequest = await send()
    expectRefusal(
      await owner.request('POST', READ, `${sentRequest.body} `, sentRequest.headers),
      400,
      'FORWARD_REFUSED',
    )
    const elsewhere = await send()
    expectRefusal(await owner.request('POST', WRITE, elsewhere.body, elsewhere.headers), 400, 'FORWARD_REFUSED')
    const misdirected = await send()
    expectRefusal(await other.request('POST', READ, misdirected.body, misdirected.headers), 503, 'TENANT_UNAVAILABLE')
    expect([owner.served, other.served]).toEqual([1, 0])
  })

  it('of a node with another secret are refused, with an error at the first node', async () => {
    const owner = await startNode('owner', HERE)
    const gateway = await startNode('gateway', at('owner', owner.url), {
      secret: 'another secret of all nodes, long enough',
    })
    expectRefusal(await gateway.post(READ, LOOKUP), 503, 'TENANT_UNAVAILABLE')
    expect(gateway.lines.map(({ message }) => message).join()).toContain('HOLDFAST_NODE_SECRET')
    expect(owner.served).toBe(0)
  })
})

describe('a request that finds no owner', () => {
  it('and was forwarded already is refused, not forwarded again', async () => {
    const gateway = await startNode('gateway', MOVING, { movingMs: 500 })
    const other = await startNode('other', MOVING, { movingMs: 500 })
    gateway.place = at('owner', other.url)
    other.place = at('owner', gateway.url)
    expectRefusal(await gateway.post(READ, LOOKUP), 503, 'TENANT_UNAVAILABLE')
    expect(gateway.lines.map(({ message }) => message).join()).toContain('HOLDFAST_NODE_URL')
    expect([gateway.served, other.served]).toEqual([0, 0])
  })

  it('gets the remaining lease time of a dead owner', async () => {
    const dead = await startPost(true)
    const gateway = await startNode('gateway', at('owner', 'http://127.0.0.1:1'), { ownerLeftMs: 3_400 })
    const answer = await gateway.post(WRITE, LOOKUP)
    expectRefusal(answer, 503, 'TENANT_UNAVAILABLE')
    expect([answer.headers.get('retry-after'), (answer.body as Problems).errors[0]?.retryable]).toEqual(['4', true])
    expect(dead.got).toEqual([])
  })

  it('is logged once in a while with the setting, if the owner cannot be reached', async () => {
    const gateway = await startNode('gateway', at('owner', 'http://127.0.0.1:1'), { ownerLeftMs: 3_400 })
    for (let turn = 0; turn < 3; turn += 1) expectRefusal(await gateway.post(READ, LOOKUP), 503, 'TENANT_UNAVAILABLE')
    const named = gateway.lines.filter(({ message }) => message.includes('HOLDFAST_NODE_URL'))
    expect(named.map(({ fields }) => fields)).toEqual([{ to: 'owner', url: 'http://127.0.0.1:1' }])
  })

  it('is not repeated if an owner received it and does not answer', async () => {
    const silent = await startPost(false)
    const gateway = await startNode('gateway', at('owner', silent.url), { answerMs: 300 })
    const answer = await gateway.post(WRITE, LOOKUP)
    expectRefusal(answer, 504, 'OUTCOME_UNKNOWN')
    expect((answer.body as Problems).errors[0]?.retryable).toBe(false)
    expectRefusal(await gateway.post(READ, LOOKUP), 503, 'TENANT_UNAVAILABLE')
    expect(silent.got).toHaveLength(2)
  })

  it('waits while the cell moves, here or to another node', async () => {
    const owner = await startNode('owner', MOVING)
    const gateway = await startNode('gateway', at('owner', owner.url))
    const answers = [gateway.post(READ, LOOKUP), owner.post(READ, LOOKUP)]
    setTimeout(() => (owner.place = HERE), 200)
    for (const answer of answers) expect((await answer).status).toBe(200)
    expect(owner.served).toBe(2)

    owner.place = MOVING
    const pendingRead = owner.post(READ, LOOKUP)
    setTimeout(() => {
      gateway.place = HERE
      owner.place = at('gateway', gateway.url)
    }, 200)
    expect((await pendingRead).status).toBe(200)
    expect(gateway.served).toBe(1)
  })

  it('waits for a bounded time', async () => {
    const gateway = await startNode('gateway', MOVING, { movingMs: 300 })
    expectRefusal(await gateway.post(READ, LOOKUP), 503, 'TENANT_UNAVAILABLE')
  })

  it('is aborted at the owner when its client leaves', async () => {
    const silent = await startPost(false)
    const gateway = await startNode('gateway', at('owner', silent.url))
    const client = new AbortController()
    const { signal } = client
    const headers = { authorization: 'Bearer full', 'content-type': 'application/json' }
    const answer = fetch(gateway.url + WRITE, { method: 'POST', body: JSON.stringify(LOOKUP), headers, signal })
    const isLeft = expect(answer).rejects.toThrow('aborted')
    while (silent.got.length === 0) await pause(5)
    const closed = once(silent.got[0]!.request.socket, 'close')
    client.abort()
    await isLeft
    await closed
  }, 10_000)

  it('leaves no listener behind for an attempt that the owner did not take', async () => {
    const owner = await startNode('owner', MOVING)
    const gateway = await startNode('gateway', at('owner', owner.url))
    const counts = countCloseListeners()
    const answer = gateway.post(READ, LOOKUP)
    const ofGateway = (): readonly number[] => [...counts.values()].find((each) => each.length >= 6) ?? []
    while (ofGateway().length === 0) await pause(5)
    owner.place = HERE
    expect((await answer).status).toBe(200)
    expect(new Set(ofGateway().slice(-4)).size).toBe(1)
  })

  it('is refused while too many others wait, which leave their places when they are answered', async () => {
    const gateway = await startNode('gateway', MOVING)
    const { openRequests } = SERVER_CAPS
    Object.assign(SERVER_CAPS, { openRequests: 2 })
    onTestFinished(() => void Object.assign(SERVER_CAPS, { openRequests }))
    const waiting = [gateway.post(READ, LOOKUP), gateway.post(READ, LOOKUP)]
    await pause(100)
    const refused = await gateway.post(READ, LOOKUP)
    expectRefusal(refused, 503, 'TENANT_UNAVAILABLE')
    expect((refused.body as Problems).errors[0]?.message).toContain('too many requests')
    gateway.place = HERE
    for (const answer of waiting) expect((await answer).status).toBe(200)
    gateway.place = MOVING
    const next = gateway.post(READ, LOOKUP)
    await pause(100)
    gateway.place = HERE
    expect((await next).status).toBe(200)
  })

  it('is refused while other bodies take too much memory, unless it is short', async () => {
    const gateway = await startNode('gateway', MOVING)
    limitHeldBodies(1_500_000)
    const nobody = { authorization: 'Bearer nobody' }
    const long = { itemData: { name: 'x'.repeat(900_000) } }
    const held = gateway.post(WRITE, long, nobody)
    // Its body has to arrive before the others.
    await pause(1_000)
    for (const headers of [nobody, { 'holdfast-node-from': 'owner' }]) {
      const refused = await gateway.post(WRITE, long, headers)
      expectRefusal(refused, 503, 'TENANT_UNAVAILABLE')
      expect((refused.body as Problems).errors[0]?.message).toContain('long bodies')
    }
    const short = gateway.post(READ, LOOKUP)
    await pause(100)
    gateway.place = HERE
    expect((await short).status).toBe(200)
    expectRefusal(await held, 401, 'CREDENTIALS_INVALID')
    gateway.place = MOVING
    const next = gateway.post(WRITE, long, nobody)
    await pause(100)
    gateway.place = HERE
    expectRefusal(await next, 401, 'CREDENTIALS_INVALID')
  })

  it('is served while bodies of strangers take too much memory', async () => {
    const gateway = await startNode('gateway', HERE)
    limitHeldBodies(1_500_000)
    const long = JSON.stringify({ itemData: { name: 'x'.repeat(900_000) } })
    const stranger = request(`${gateway.url}${WRITE}`, {
      method: 'POST',
      headers: { 'content-length': long.length + 1, 'holdfast-node-from': 'owner' },
    })
    stranger.on('error', () => undefined).write(long)
    onTestFinished(() => void stranger.destroy())
    await eventually(async () => {
      const refused = await gateway.post(WRITE, long, { 'holdfast-node-from': 'owner' })
      return refused.status === 503
    })
    expect((await gateway.post(WRITE, long)).status).not.toBe(503)
  })

  it('still reaches health, metrics and documents', async () => {
    const gateway = await startNode('gateway', MOVING, { movingMs: 300 })
    for (const path of ['/livez', '/readyz', '/metrics', '/openapi.json'])
      expect((await gateway.request('GET', path)).status, path).toBe(200)
  })
})
