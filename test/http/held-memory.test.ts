// Memory that clients make the server hold: long bodies that do not arrive completely, and answers that are not read.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { eventually } from '../localnet/rpc-chain.ts'
import { KEY, limitHeldBodies, startEcho, type Problems, type RunningService } from './service.ts'

const BATCHES = '/api/v1/batches'
const READ = '/api/v1/accounts/single'
const LOOKUP = { itemData: { onchainId: '11111111111111111111111111111111' } }
const LONG = JSON.stringify({ itemData: { name: 'x'.repeat(900_000) } })
/** More than the buffers of both sockets. */
const ANSWER_BYTES = 32 * 1024 * 1024

function client({ url }: RunningService): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  return socket.on('error', () => undefined)
}

function head(path: string, length: number): string {
  const lines = [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${KEY}`]
  return [...lines, 'Content-Type: application/json', `Content-Length: ${length}`, '', ''].join('\r\n')
}

const question = (path: string, body: object): string => {
  const text = JSON.stringify(body)
  return head(path, text.length) + text
}

it('a long body is refused while others take too much memory, unless it is short', async () => {
  await using service = await startEcho()
  limitHeldBodies(1_500_000)
  expect((await service.post(BATCHES, LONG)).status).toBe(400)
  const socket = client(service)
  socket.write(head(BATCHES, LONG.length + 1) + LONG)
  const refused = await eventually(async () => {
    const answer = await service.post(BATCHES, LONG)
    return answer.status === 503 ? (answer.body as Problems) : false
  })
  expect(refused).toMatchObject({ errors: [{ code: 'TENANT_UNAVAILABLE', retryable: true }] })
  expect((await service.post(READ, LOOKUP)).status).toBe(200)
  socket.destroy()
  await eventually(async () => (await service.post(BATCHES, LONG)).status === 400)
})

it('long bodies of a tenant leave room for those of others', async () => {
  await using service = await startEcho()
  // A tenth is the share of a tenant.
  limitHeldBodies(200 * 1024 * 1024)
  const most = JSON.stringify({ itemData: { name: 'x'.repeat(15 * 1024 * 1024) } })
  const socket = client(service)
  socket.write(head(BATCHES, most.length + 1) + most)
  const refused = await eventually(async () => {
    const answer = await service.post(BATCHES, most)
    return answer.status === 429 ? answer : false
  })
  expect(refused.body as Problems).toMatchObject({ errors: [{ code: 'TOO_MANY_OPEN_REQUESTS', retryable: true }] })
  expect(refused.headers.get('retry-after')).toBe('1')
  expect((await service.post(BATCHES, most, { authorization: 'Bearer other' })).status).toBe(400)
  expect((await service.post(READ, LOOKUP)).status).toBe(200)
  socket.destroy()
  await eventually(async () => (await service.post(BATCHES, most)).status === 400)
})

/** The response of the server to the next request. */
function nextResponse(): Promise<ServerResponse> {
  return new Promise((resolve) => {
    const started = (message: unknown): void => {
      unsubscribe('http.server.request.start', started)
      resolve((message as { response: ServerResponse }).response)
    }
    subscribe('http.server.request.start', started)
  })
}

const longAnswer = { read: () => Promise.resolve({ text: 'x'.repeat(ANSWER_BYTES) } as never) }

it('a client that takes nothing of an answer is disconnected', async () => {
  await using service = await startEcho({ api: longAnswer, stalledMs: 200 })
  const coming = nextResponse()
  const socket = client(service).pause()
  socket.write(question(READ, LOOKUP))
  await once(await coming, 'close')
  let length = 0
  socket.on('data', (chunk) => (length += chunk.length)).resume()
  await once(socket, 'close')
  expect(length).toBeLessThan(ANSWER_BYTES)
})

it('a client that reads slowly receives the whole answer', async () => {
  await using service = await startEcho({ api: longAnswer, stalledMs: 2_000 })
  const socket = client(service)
  let length = 0
  let part = 0
  socket.write(question(READ, LOOKUP))
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    length += chunk.length
    part += chunk.length
    if (length > ANSWER_BYTES) break
    if (part < 1_048_576) continue
    part = 0
    await pause(100)
  }
  expect(length).toBeGreaterThan(ANSWER_BYTES)
})

it('a request may wait longer for its answer', async () => {
  const api = { read: () => pause(1_000).then(() => ({ done: true }) as never) }
  await using service = await startEcho({ api, stalledMs: 100 })
  expect(await service.post(READ, LOOKUP)).toMatchObject({ status: 200, body: { done: true } })
})
