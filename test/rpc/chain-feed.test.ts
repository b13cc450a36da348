// The feed with endpoints that refuse, lose answers, fall silent or send invalid messages, on a clock of the test.
import { describe, expect, it } from 'vitest'
import { ChainFeed } from '../../src/rpc/chain-feed.ts'
import type { Clock } from '../../src/time/clock.ts'
import { socketUrlOf, type OpenSocket, type SocketEvents } from '../../src/rpc/socket.ts'

class TestClock implements Clock {
  #now = 0
  #timers = new Map<object, { at: number; callback: () => void }>()
  now = (): number => this.#now
  elapsed = (): number => this.#now
  random = (): number => 0.5
  soon = (callback: () => void): void => callback()
  clearTimeout = (timer: object): void => void this.#timers.delete(timer)
  setTimeout = (callback: () => void, delayMs: number): object => {
    const timer = {}
    this.#timers.set(timer, { at: this.#now + delayMs, callback })
    return timer
  }

  advance(ms: number): void {
    for (const until = this.#now + ms; ;) {
      const [first] = [...this.#timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at)
      if (first === undefined) return void (this.#now = until)
      this.#now = first[1].at
      this.#timers.delete(first[0])
      first[1].callback()
    }
  }
}

interface Line {
  readonly url: string
  readonly events: SocketEvents & { received(): void }
  readonly sent: { readonly id: number; readonly method: string; readonly params: readonly unknown[] }[]
  pings: number
  closed: boolean
}

function fixture(urls = ['ws://one', 'ws://two']) {
  const clock = new TestClock()
  const lines: Line[] = []
  const heard: [string, number][] = []
  const notices: string[] = []
  const open: OpenSocket = (url, events) => {
    const line: Line = { url, events, sent: [], pings: 0, closed: false }
    lines.push(line)
    return {
      send: (text) => void line.sent.push(JSON.parse(text) as Line['sent'][number]),
      ping: () => void (line.pings += 1),
      close: () => {
        line.closed = true
        events.closed()
      },
    }
  }
  const feed = new ChainFeed({ urls, clock, open, notice: (text) => notices.push(text) })
  feed.onAccount((address, slot) => void heard.push([address, slot]))
  const last = (): Line => lines.at(-1)!
  const answer = (members: object): void => last().events.message(JSON.stringify(members))
  return { clock, feed, lines, heard, notices, last, answer }
}

const changeNotice = (subscription: number, slot: number): object => ({
  method: 'accountNotification',
  params: { subscription, result: { context: { slot }, value: {} } },
})

describe('the feed of accounts', () => {
  it('subscribes once to an account that is forgotten and watched again before the answer', () => {
    const { feed, heard, last, answer } = fixture()
    const subjects = (method: string) => last().sent.flatMap((each) => (each.method === method ? [each.params[0]] : []))
    feed.watch('A')
    last().events.opened()
    feed.forget('A')
    feed.watch('A')
    expect(subjects('accountSubscribe')).toEqual(['A'])
    answer({ id: 1, result: 70 })
    expect([heard, feed.standing]).toEqual([[['A', 0]], 1])
    feed.forget('A')
    expect(subjects('accountUnsubscribe')).toEqual([70])
    answer(changeNotice(70, 9))
    expect(heard).toHaveLength(1)

    feed.watch('A')
    feed.forget('A')
    feed.watch('A')
    feed.forget('A')
    answer({ id: last().sent.at(-1)!.id, result: 71 })
    expect([subjects('accountSubscribe'), subjects('accountUnsubscribe')]).toEqual([
      ['A', 'A'],
      [70, 71],
    ])
    expect([heard.length, feed.standing]).toEqual([1, 0])
  })

  it('subscribes once to an account that waits twice to be asked for', () => {
    const { feed, last, answer } = fixture()
    const others = Array.from({ length: 100 }, (_, index) => `B${String(index)}`)
    for (const each of others) feed.watch(each)
    last().events.opened()
    for (const change of ['watch', 'forget', 'watch'] as const) feed[change]('A')
    for (let id = 1; id <= 3; id += 1) answer({ id, result: 70 + id })
    answer({ id: 101, result: 200 })
    answer({ id: 4, result: 74 })
    expect(last().sent.filter(({ method, params }) => method === 'accountSubscribe' && params[0] === 'A')).toHaveLength(
      1,
    )
    expect(feed.standing).toBe(5)
  })

  it('asks again on a new connection for what was not answered on the last', () => {
    const { clock, feed, last } = fixture()
    feed.watch('A')
    last().events.opened()
    last().events.closed()
    clock.advance(1_000)
    last().events.opened()
    expect(last().sent.map(({ method }) => method)).toEqual(['accountSubscribe'])
  })

  it('connects on demand, then requests a comparison of all accounts at first, and of changed ones later', () => {
    const { feed, lines, heard, last, answer } = fixture()
    expect(lines).toHaveLength(0)
    feed.watch('A')
    feed.watch('A')
    feed.watch('B')
    last().events.opened()
    expect(last().sent.map(({ method, params }) => [method, params[0]])).toEqual([
      ['accountSubscribe', 'B'],
      ['accountSubscribe', 'A'],
    ])
    answer({ id: 1, result: 70 })
    answer({ id: 2, result: 71 })
    expect(feed.standing).toBe(2)
    answer(changeNotice(71, 9))
    answer(changeNotice(99, 10))
    expect(heard).toEqual([
      ['B', 0],
      ['A', 0],
      ['A', 9],
    ])
    feed.forget('A')
    expect(last().sent.at(-1)).toMatchObject({ method: 'accountUnsubscribe', params: [71] })
    answer(changeNotice(71, 11))
    expect(heard).toHaveLength(3)
  })

  it('cancels a subscription whose confirmation arrives when it is no longer wanted', () => {
    const { feed, heard, last, answer } = fixture()
    feed.watch('A')
    last().events.opened()
    feed.forget('A')
    answer({ id: 1, result: 70 })
    expect(last().sent.at(-1)).toMatchObject({ method: 'accountUnsubscribe', params: [70] })
    expect([heard, feed.standing]).toEqual([[], 0])
  })

  it('tries the endpoints in turn, ever less often, and subscribes to everything again', () => {
    const { clock, feed, lines, heard, last, answer, notices } = fixture()
    feed.watch('A')
    for (let attempt = 0; attempt < 8; attempt += 1) {
      last().events.closed()
      const before = lines.length
      clock.advance(100)
      expect(lines.length).toBe(before)
      clock.advance(30_000)
      expect(lines.length).toBe(before + 1)
    }
    expect(lines.slice(0, 3).map(({ url }) => url)).toEqual(['ws://one', 'ws://two', 'ws://one'])
    expect(notices).toHaveLength(1)
    last().events.opened()
    answer({ id: 1, result: 5 })
    last().events.closed()
    expect(feed.standing).toBe(0)
    clock.advance(300)
    last().events.opened()
    answer({ id: last().sent[0]!.id, result: 5 })
    expect(heard).toEqual([
      ['A', 0],
      ['A', 0],
    ])
  })

  it('closes a connection without a sign of life, and keeps a live one', () => {
    const { clock, feed, lines, last } = fixture()
    feed.watch('A')
    const first = last()
    first.events.opened()
    for (let turn = 0; turn < 6; turn += 1) {
      clock.advance(10_000)
      first.events.received()
    }
    expect(first).toMatchObject({ closed: false, pings: 6 })
    clock.advance(40_000)
    expect(first.closed).toBe(true)
    expect(lines.length).toBeGreaterThan(1)
  })

  it('subscribes to a hundred at a time, and accepts refusals', () => {
    const { feed, notices, last, answer } = fixture()
    for (let number = 0; number < 250; number += 1) feed.watch(`A${number}`)
    last().events.opened()
    expect(last().sent).toHaveLength(100)
    for (let id = 1; id <= 150; id += 1) answer({ id, error: { code: -32_000, message: 'too many' } })
    expect(last().sent).toHaveLength(250)
    for (let id = 151; id <= 250; id += 1) answer({ id, result: id })
    expect([feed.standing, notices.length]).toEqual([100, 1])
  })

  it('ignores malformed messages', () => {
    const { feed, heard, last } = fixture()
    feed.watch('A')
    last().events.opened()
    for (const text of [
      '',
      '[',
      'null',
      '7',
      '{}',
      '{"id":"1"}',
      '{"method":"accountNotification"}',
      '{"method":"accountNotification","params":null}',
    ])
      last().events.message(text)
    last().events.message('{"id":1,"result":3}')
    last().events.message(
      '{"method":"accountNotification","params":{"subscription":3,"result":{"context":{"slot":"x"}}}}',
    )
    expect(heard).toEqual([
      ['A', 0],
      ['A', 0],
    ])
  })

  it('subscribes to signatures on the same connection, and reports each landing once', () => {
    const { clock, feed, lines, heard, last, answer } = fixture()
    const [one, two] = ['1'.repeat(87), '2'.repeat(88)]
    const landedSignatures: string[] = []
    feed.watch('A')
    feed.watchSignature(one, () => landedSignatures.push(one))
    feed.watchSignature(two, () => landedSignatures.push(two))
    last().events.opened()
    expect(last().sent.map(({ method, params }) => [method, params[0]])).toEqual([
      ['signatureSubscribe', two],
      ['signatureSubscribe', one],
      ['accountSubscribe', 'A'],
    ])
    for (const id of [1, 2, 3]) answer({ id, result: 70 + id })
    expect([lines.length, feed.standing, heard]).toEqual([1, 1, [['A', 0]]])
    const notification = (subscription: number): object => ({
      method: 'signatureNotification',
      params: { subscription, result: { context: { slot: 5 }, value: { err: null } } },
    })
    answer(notification(72))
    answer(notification(72))
    // Of the wrong kind.
    answer(notification(73))
    answer({ ...notification(71), method: 'accountNotification' })
    expect([landedSignatures, heard]).toEqual([[one], [['A', 0]]])
    feed.forgetSignature(two)
    expect(last().sent.at(-1)).toMatchObject({ method: 'signatureUnsubscribe', params: [71] })
    answer(notification(71))
    expect(landedSignatures).toEqual([one])
    // Landed or forgotten: not subscribed again.
    last().events.closed()
    clock.advance(300)
    last().events.opened()
    expect([lines.length, last().sent.map(({ params }) => params[0])]).toEqual([2, ['A']])
  })

  it('sends nothing once it is closed', () => {
    const { clock, feed, lines, last } = fixture()
    feed.watch('A')
    last().events.opened()
    feed.close()
    clock.advance(100_000)
    feed.watch('B')
    expect([lines.length, lines[0]!.closed]).toEqual([1, true])
  })
})

it('uses the websocket at the host of the endpoint, on the next port if one is named', () => {
  expect(socketUrlOf('https://a.example/key?x=1')).toBe('wss://a.example/key?x=1')
  expect(socketUrlOf('http://127.0.0.1:8899')).toBe('ws://127.0.0.1:8900/')
  expect(() => socketUrlOf('ftp://a.example')).toThrow(TypeError)
})
