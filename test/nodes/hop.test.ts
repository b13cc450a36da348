// One request to another node, over a real connection.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bytesOf, Hops, type Hop, type HopAnswer } from '../../src/nodes/hop.ts'

let server: Server
let hops: Hops
/** The requests that reached the server. */
let received: IncomingMessage[]
let respond: RequestListener

beforeEach(async () => {
  received = []
  respond = (_request, response) => void response.end('served')
  server = createServer((request, response) => {
    received.push(request)
    respond(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  hops = new Hops()
})
afterEach(async () => {
  hops.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function send({ answerMs = 60_000, method = 'POST' } = {}): Hop {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const body = Buffer.from(method === 'POST' ? '{}' : '')
  return hops.send({ url, method, path: '/', headers: {}, body, answerMs })
}

async function answerTo(hop: Hop): Promise<HopAnswer> {
  const outcome = await hop.outcome
  if (outcome.kind !== 'answered') throw new Error(outcome.kind)
  return outcome.answer
}

/** Blocks the event loop; arriving data waits. */
function standStill(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

describe('the outcome', () => {
  it('is an answer if the node accepted the connection while this process stood still', async () => {
    const hop = send()
    // It is connecting, and has not checked whether it is connected.
    for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => process.nextTick(resolve))
    standStill(1_600)
    expect((await bytesOf(await answerTo(hop))).toString()).toBe('served')
  })

  it('is that nothing was sent if nobody listens', async () => {
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const url = `http://127.0.0.1:${port}`
    const { outcome } = hops.send({
      url,
      method: 'POST',
      path: '/',
      headers: {},
      body: Buffer.from('{}'),
      answerMs: 60_000,
    })
    expect(await outcome).toEqual({ kind: 'unreached' })
  })

  it('is that nothing was sent if the URL is of an unknown scheme', async () => {
    const request = { method: 'GET', path: '/', headers: {}, body: Buffer.alloc(0), answerMs: 60_000 }
    expect(await hops.send({ ...request, url: 'quic://127.0.0.1:1' }).outcome).toEqual({ kind: 'unreached' })
  })

  it('is that no answer came once its time is over', async () => {
    respond = () => undefined
    expect(await send({ answerMs: 50 }).outcome).toEqual({ kind: 'unanswered' })
  })

  it.each(['before an answer', 'within a short answer'])(
    'is that no answer came if the connection ends %s, and the request is not sent again',
    async (when) => {
      const lost: RequestListener = (request, response) => {
        if (when === 'within a short answer') response.writeHead(200, { 'content-length': 6 }).write('ser')
        setImmediate(() => request.socket.destroy())
      }
      // Over a new connection and over a kept one, for a request that may be repeated and for one that may not.
      for (const method of ['GET', 'POST']) {
        respond = lost
        expect(await send({ method }).outcome).toEqual({ kind: 'unanswered' })
        respond = (_request, response) => void response.end('served')
        await bytesOf(await answerTo(send({ method })))
        respond = lost
        expect(await send({ method }).outcome).toEqual({ kind: 'unanswered' })
      }
      expect(received).toHaveLength(6)
    },
  )
})

describe('an aborted request', () => {
  it('is not sent if it was aborted while it connected', async () => {
    const hop = send()
    hop.cancel()
    expect(await hop.outcome).toEqual({ kind: 'unreached' })
    await bytesOf(await answerTo(send()))
    expect(received).toHaveLength(1)
  })

  it('ends its connection, and no other request', async () => {
    respond = () => undefined
    const [first, second] = [send(), send()]
    while (received.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    const closed = new Promise((resolve) => received[0]!.socket.once('close', resolve))
    first.cancel()
    expect(await first.outcome).toEqual({ kind: 'unanswered' })
    await closed
    expect(received[1]!.socket.destroyed).toBe(false)
    second.cancel()
  })
})

describe('a long answer', () => {
  const LENGTH = 64 * 1024 * 1024

  it('arrives as it is read', async () => {
    let written = 0
    respond = (_request, response) => {
      const more = (): void => {
        while (written < LENGTH) {
          written += 65_536
          if (!response.write(Buffer.alloc(65_536, 1))) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    }
    const answer = await answerTo(send())
    expect(Buffer.isBuffer(answer.body)).toBe(false)
    let last = -1
    while (last !== written) {
      last = written
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    // What was not read fills buffers, of which the system has some megabytes.
    expect(written).toBeLessThan(LENGTH)
    expect((await bytesOf(answer)).equals(Buffer.alloc(LENGTH, 1))).toBe(true)
  })

  it('fails if its connection ends before it does', async () => {
    respond = (request, response) => {
      response.write('ser')
      setTimeout(() => request.socket.destroy(), 20)
    }
    await expect(bytesOf(await answerTo(send()))).rejects.toThrow()
  })

  it('ends its connection if it is not needed', async () => {
    respond = (_request, response) => void response.write('ser')
    const { body } = await answerTo(send())
    const closed = new Promise((resolve) => received[0]!.socket.once('close', resolve))
    if (!Buffer.isBuffer(body)) body.destroy()
    await closed
  })
})
