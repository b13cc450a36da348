// Short reads of one turn of the event loop travel in one request, over real connections to a server in place of the
// owner.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FrameReader, frameOf } from '../../src/nodes/frames.ts'
import { GroupedHops, READS_PATH, type GroupedAnswer, type GroupedRead } from '../../src/nodes/grouped-hops.ts'
import { Hops, type Hop } from '../../src/nodes/hop.ts'
import { claimedBy, NOT_TAKEN, Seals } from '../../src/nodes/seal.ts'
import { systemClock } from '../../src/time/clock.ts'

const SECRET = 'a secret of all nodes, long enough'
const CONTENT = { 'content-type': 'application/json' }

interface Received {
  readonly path: string
  readonly to: string
  /** Of a group: the body of each read. */
  readonly reads: string[]
}

let server: Server
let hops: Hops
let grouped: GroupedHops
let received: Received[]
/** Of a read that travels alone. */
let respondAlone: (response: ServerResponse, body: string) => void
let respond: (reads: readonly string[], response: ServerResponse, request: IncomingMessage) => void

beforeEach(async () => {
  received = []
  respondAlone = (response, body) => void response.end(`alone: ${body}`)
  respond = (reads, response) => void response.end(Buffer.concat(reads.map((read, at) => answerOf(at, read))))
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => receive(request, Buffer.concat(parts), response))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  hops = new Hops()
  grouped = new GroupedHops(hops, new Seals(SECRET, () => systemClock.now()), 'a')
})
afterEach(async () => {
  hops.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function receive(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const { method = '', url: path = '', headers } = request
  const reads: string[] = []
  received.push({ path, to: claimedBy(headers).to, reads })
  if (path !== READS_PATH) {
    respondAlone(response, body.toString())
    return
  }
  const requestId = String(headers['x-request-id'])
  const seals = new Seals(SECRET, () => systemClock.now())
  expect(seals.problemOf({ ...claimedBy(headers), method, path, body, headers, requestId })).toBeNull()
  new FrameReader<GroupedRead>(body.length, (head, bytes) => {
    expect(head).toEqual(headOf(bytes.toString()))
    reads.push(bytes.toString())
  }).push(body)
  respond(reads, response, request)
}

function answerOf(at: number, read: string): Buffer {
  const head: GroupedAnswer = [at, 200, CONTENT]
  return frameOf(head, Buffer.from(`grouped: ${read}`))
}

const headOf = (read: string): GroupedRead => ({
  ...{ method: 'POST', path: `/read/${read}`, headers: { 'x-request-id': read }, client: '203.0.113.9' },
  ...(read.endsWith('1') ? { servedFor: 'ACME' } : {}),
})

function send(read: string, { node = 'b', answerMs = 60_000 } = {}): Hop {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const body = Buffer.from(read)
  const alone = { url, method: 'POST', path: `/read/${read}`, headers: {}, body, answerMs }
  return grouped.send(
    { at: 'elsewhere', node, url, epoch: 1 },
    { head: headOf(read), body, answerMs, alone: () => alone },
  )
}

async function textOf({ outcome }: Hop): Promise<string> {
  const result = await outcome
  if (result.kind !== 'answered') return result.kind
  return Buffer.isBuffer(result.answer.body) ? result.answer.body.toString() : `${result.answer.status}`
}

const textsOf = (sent: readonly Hop[]): Promise<string[]> => Promise.all(sent.map(textOf))
const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `r${at}`)

describe('short reads of one turn', () => {
  it('travel together, in groups of at most 64, and one without others travels alone', async () => {
    const reads = names(100)
    expect(await textsOf(reads.map((read) => send(read)))).toEqual(reads.map((read) => `grouped: ${read}`))
    expect(received.map(({ reads: some }) => some.length).toSorted((a, b) => a - b)).toEqual([36, 64])
    expect(await textOf(send('last'))).toBe('alone: last')
  })

  it('travel apart to different nodes, even if their URLs are the same', async () => {
    expect(await textsOf([send('x', { node: 'b' }), send('y', { node: 'c' })])).toEqual(['alone: x', 'alone: y'])
    await textsOf([send('x'), send('y'), send('z', { node: 'c' }), send('v', { node: 'c' })])
    expect(received.slice(2).map(({ to, reads }) => [to, reads])).toEqual([
      ['b', ['x', 'y']],
      ['c', ['z', 'v']],
    ])
  })

  it('get their answers when they are ready, in any order', async () => {
    let finish = (): void => undefined
    respond = (reads, response) => {
      response.write(answerOf(1, reads[1]!))
      finish = () => void response.end(answerOf(0, reads[0]!))
    }
    const [slow, fast] = [send('slow'), send('fast')]
    expect(await textOf(fast)).toBe('grouped: fast')
    finish()
    expect(await textOf(slow)).toBe('grouped: slow')
  })

  it('get long answers', async () => {
    const long = Buffer.alloc(66 * 1024 * 1024)
    respond = (_, response) =>
      void response.end(Buffer.concat([frameOf([0, 200, CONTENT], long), answerOf(1, 'short')]))
    const [first, second] = [send('long'), send('short')]
    expect(await first.outcome).toMatchObject({ kind: 'answered', answer: { body: { length: long.length } } })
    expect(await textOf(second)).toBe('grouped: short')
  })

  it('are not sent if their client leaves before, and do not end with the client of another one', async () => {
    const [left, right] = [send('left'), send('right')]
    left.cancel()
    expect(await textsOf([left, right])).toEqual(['unanswered', 'alone: right'])
    expect(received.map(({ path }) => path)).toEqual(['/read/right'])
  })

  it('are aborted when their client leaves, if they travel alone', async () => {
    const closed = new Promise<string>((resolve) => {
      respondAlone = (response) => void response.on('close', () => resolve('closed'))
    })
    const read = send('left', { answerMs: 3_600_000 })
    while (received.length === 0) await new Promise((resolve) => setImmediate(resolve))
    read.cancel()
    expect(await closed).toBe('closed')
    expect(await textOf(read)).toBe('unanswered')
  })

  it('go on when only some of their clients leave, and are aborted when all do', async () => {
    const closed = new Promise<string>((resolve) => {
      respond = (_, response) => void response.on('close', () => resolve('closed'))
    })
    let aborted = false
    void closed.then(() => (aborted = true))
    const reads = ['x', 'y'].map((name) => send(name, { answerMs: 3_600_000 }))
    while (received.length === 0) await new Promise((resolve) => setImmediate(resolve))
    reads[0]!.cancel()
    reads[0]!.cancel()
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(aborted).toBe(false)
    reads[1]!.cancel()
    expect(await closed).toBe('closed')
    expect(await textsOf(reads)).toEqual(['unanswered', 'unanswered'])
  })
})

describe('reads of a group', () => {
  it.each([
    ['the connection ends', 60_000, (response: ServerResponse) => void response.destroy()],
    ['what follows is malformed', 60_000, (response: ServerResponse) => void response.end(Buffer.alloc(40, 0xff))],
    ['the answer ends', 60_000, (response: ServerResponse) => void response.end()],
    ['their time is over', 2_000, () => undefined],
  ])(
    'are unanswered if %s before their answer, and are not sent again',
    async (_, answerMs, fail) => {
      respond = (reads, response) => {
        response.write(answerOf(1, reads[1]!))
        setTimeout(() => fail(response), 20)
      }
      expect(await textsOf(names(3).map((read) => send(read, { answerMs })))).toEqual([
        ...['unanswered', 'grouped: r1', 'unanswered'],
      ])
      expect(received).toHaveLength(1)
    },
    30_000,
  )

  it('are unreached if nobody listens', async () => {
    const sent = new Promise<string[]>((resolve) => {
      const pending = [send('x'), send('y')]
      server.close(() => resolve(textsOf(pending)))
    })
    expect(await sent).toEqual(['unreached', 'unreached'])
  })

  it('all get the answer of a node that does not take the group', async () => {
    respond = (_, response) => void response.writeHead(503, { [NOT_TAKEN]: 'misdirected' }).end('{}')
    const outcomes = await Promise.all([send('x'), send('y')].map(({ outcome }) => outcome))
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({
        kind: 'answered',
        answer: { status: 503, headers: { [NOT_TAKEN]: 'misdirected' } },
      })
  })

  it('get answers of their own if the group is refused', async () => {
    respond = (_, response) => void response.writeHead(502).end('<html>')
    for (let turn = 1; turn <= 2; turn += 1) {
      expect(await textsOf([send('x'), send('y')])).toEqual(['alone: x', 'alone: y'])
      expect(received.filter(({ path }) => path === READS_PATH)).toHaveLength(turn)
    }
  })

  it('get no second request if their client has left when the group is refused', async () => {
    respond = (_, response) => {
      reads[0]!.cancel()
      setTimeout(() => response.writeHead(502).end(), 20)
    }
    const reads = [send('x'), send('y')]
    expect(await textsOf(reads)).toEqual(['unanswered', 'alone: y'])
    expect(received.map(({ path }) => path)).toEqual([READS_PATH, '/read/y'])
  })

  it('are sent one by one to a node of an earlier release, and so are the next ones', async () => {
    respond = (_, response) => void response.writeHead(404).end('{}')
    expect(await textsOf([send('x'), send('y')])).toEqual(['alone: x', 'alone: y'])
    expect(await textsOf([send('x'), send('y')])).toEqual(['alone: x', 'alone: y'])
    expect(received.filter(({ path }) => path === READS_PATH)).toHaveLength(1)
  })
})
