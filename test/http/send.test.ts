// Answers of one turn of the event loop are written together: when, in which order, and with the same bytes as without
// it.
import { once } from 'node:events'
import { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { JsonBytes } from '../../src/contract/json-bytes.ts'
import type { Api } from '../../src/http/ports.ts'
import { send, sendOverdue } from '../../src/http/send.ts'
import { KEY, startEcho } from './service.ts'

const SINGLE = '/api/v1/accounts/single'

function response(endedContents: string[]): ServerResponse {
  return { end: (content: string) => void endedContents.push(content) } as unknown as ServerResponse
}

describe('answers of one event-loop turn', () => {
  it('are written in order at the end of the turn', async () => {
    const endedContents: string[] = []
    for (const content of ['a', 'b', 'c']) send(response(endedContents), content)
    expect(endedContents).toEqual([])
    await nextTurn()
    expect(endedContents).toEqual(['a', 'b', 'c'])
    send(response(endedContents), 'd')
    await nextTurn()
    expect(endedContents).toEqual(['a', 'b', 'c', 'd'])
  })

  it('wait for at most thirty-one others', async () => {
    const endedContents: string[] = []
    const contents = Array.from({ length: 33 }, (_, index) => String(index))
    for (const content of contents) send(response(endedContents), content)
    expect(endedContents).toEqual(contents.slice(0, 32))
    await nextTurn()
    expect(endedContents).toEqual(contents)
  })

  it('wait for the next request of the turn at most a millisecond', async () => {
    const endedContents: string[] = []
    const beganMs = performance.now()
    send(response(endedContents), 'a')
    sendOverdue(beganMs)
    expect(endedContents).toEqual([])
    sendOverdue(performance.now() + 1.01)
    expect(endedContents).toEqual(['a'])
    await nextTurn()
    expect(endedContents).toEqual(['a'])
  })
})

it('says when an answer is written, and not before', async () => {
  const sentContents: string[] = []
  const end = (content: string, _encoding: string, onWritten?: () => void): void => {
    sentContents.push(content)
    setTimeout(() => onWritten?.(), 5)
  }
  const whenWritten = vi.fn()
  send({ end } as unknown as ServerResponse, 'a', 'utf8', whenWritten)
  await nextTurn()
  expect([sentContents, whenWritten.mock.calls.length]).toEqual([['a'], 0])
  await vi.waitFor(() => expect(whenWritten).toHaveBeenCalledOnce(), 60_000)
})

describe('a connection', () => {
  const head = (method: string, path: string, body: string): string =>
    [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${KEY}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '\r\n',
    ].join('\r\n') + body
  const lookup = (code: string): string => JSON.stringify({ itemData: { offchainReferences: { code } } })

  async function openSocket(url: string): Promise<Socket> {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port) })
    await once(socket, 'connect')
    return socket
  }

  it('writes overdue answers before it handles the next request of a turn', async () => {
    const codes: string[] = []
    const read: Api['read'] = (_call, _read, input) => {
      const { code } = (input as unknown as { itemData: { offchainReferences: { code: string } } }).itemData
        .offchainReferences
      codes.push(code)
      const beganMs = performance.now()
      while (code === 'slow' && performance.now() - beganMs < 5);
      return {} as never
    }
    await using service = await startEcho({ api: { read } })
    const attempt = async (): Promise<void> => {
      codes.length = 0
      const sockets = await Promise.all(['fast', 'slow', 'next'].map(() => openSocket(service.url)))
      // The server has accepted all three: it has answered each.
      await Promise.all(
        sockets.map(async (socket) => {
          socket.write(head('HEAD', '/livez', ''))
          await once(socket, 'data')
        }),
      )
      const end = vi.spyOn(ServerResponse.prototype, 'end').mockImplementation(function (this: ServerResponse) {
        codes.push('end')
        return this
      })
      for (const [index, code] of ['fast', 'slow', 'next'].entries())
        sockets[index]!.write(head('POST', SINGLE, lookup(code)))
      await vi.waitFor(() => expect(codes).toHaveLength(6), 60_000)
      end.mockRestore()
      for (const socket of sockets) socket.destroy()
    }
    // On a slow machine, the first two may arrive in turns of their own, and the first is answered between them.
    do await attempt()
    while (codes.indexOf('slow') !== codes.indexOf('fast') + 1)
    expect(codes.slice(codes.indexOf('slow'), codes.indexOf('next'))).toContain('end')
  })

  async function textUntil(socket: Socket, isWhole: (text: string) => boolean): Promise<string> {
    let text = ''
    for await (const chunk of socket) {
      text += String(chunk)
      if (isWhole(text)) return text
    }
    return text
  }

  it('answers pipelined requests in order, including refusals and HEAD', async () => {
    await using service = await startEcho()
    const socket = await openSocket(service.url)
    socket.write(
      head('POST', SINGLE, lookup('first')) +
        head('POST', SINGLE, '{}') +
        head('HEAD', '/livez', '') +
        head('POST', SINGLE, lookup('last')),
    )
    const text = await textUntil(socket, (received) => received.includes('"last"'))
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    expect(statuses).toEqual(['200', '400', '200', '200'])
    expect(text.indexOf('"first"')).toBeLessThan(text.indexOf('"REQUIRED"'))
    expect(text).not.toContain('"status":"ok"')
  })

  it.each(['plain', 'é, one byte in latin1', '€ and 💶', 'long: '.padEnd(255, 'é')])(
    'sends text with its length in bytes: %s',
    async (code) => {
      await using service = await startEcho()
      const answer = await service.post(SINGLE, lookup(code))
      const { input } = answer.body as { input: { itemData: { offchainReferences: { code: string } } } }
      expect(input.itemData.offchainReferences.code).toBe(code)
      expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(answer.text)))
    },
  )

  it('gives each of many clients its own bytes, whose buffers are used for one answer after the other', async () => {
    const read: Api['read'] = (_call, _read, input) => {
      const { code } = (input as unknown as { itemData: { offchainReferences: { code: string } } }).itemData
        .offchainReferences
      const page = new JsonBytes()
      page.add(`{"code":"${code}","filling":"${code.repeat(Number(code) * 50)}"}`)
      return page as never
    }
    await using service = await startEcho({ api: { read } })
    for (let round = 0; round < 4; round += 1) {
      const codes = Array.from({ length: 40 }, (_, index) => String(100 + index))
      const answers = await Promise.all(codes.map((code) => service.post(SINGLE, lookup(code))))
      const expected = codes.map((code) => ({ code, filling: code.repeat(Number(code) * 50) }))
      expect(answers.map(({ body }) => body)).toEqual(expected)
    }
  })

  it('answers other requests if a client left before its answer was written', async () => {
    await using service = await startEcho()
    const [leaver, stayer] = [await openSocket(service.url), await openSocket(service.url)]
    leaver.write(head('POST', SINGLE, lookup('leaves')))
    stayer.write(head('POST', SINGLE, lookup('stays')))
    leaver.destroy()
    expect(await textUntil(stayer, (received) => received.includes('"stays"'))).toContain('HTTP/1.1 200')
    expect((await service.post(SINGLE, lookup('later'))).status).toBe(200)
  })
})
