// Several cells that share the feed of a cluster: each hears what it watches, and nothing else.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChainFeed, type Feed } from '../../src/rpc/chain-feed.ts'
import { SharedFeeds } from '../../src/rpc/shared-feeds.ts'
import type { OpenSocket, SocketEvents } from '../../src/rpc/socket.ts'
import { systemClock } from '../../src/time/clock.ts'

const ADDRESSES = ['A', 'B', 'C']
const SIGNATURES = ['1', '2'].map((digit) => digit.repeat(88))

interface Sent {
  readonly id: number
  readonly method: string
  readonly params: readonly [string | number]
}

/** An endpoint that answers every subscription when the test lets it. */
class Endpoint {
  connections = 0
  isClosed = false
  readonly subjects = new Map<number, string>()
  #unanswered: Sent[] = []
  #events: SocketEvents | null = null

  readonly open: OpenSocket = (_, events) => {
    this.connections += 1
    this.#events = events
    return {
      send: (text) => {
        const sent = JSON.parse(text) as Sent
        if (sent.method.endsWith('Unsubscribe')) this.subjects.delete(sent.params[0] as number)
        else this.#unanswered.push(sent)
      },
      ping: () => undefined,
      close: () => {
        this.isClosed = true
        events.closed()
      },
    }
  }

  connect(): void {
    this.#events?.opened()
    this.answer()
  }

  answer(): void {
    while (this.#unanswered.length > 0)
      for (const { id, params } of this.#unanswered.splice(0)) {
        this.subjects.set(id, String(params[0]))
        this.#events?.message(JSON.stringify({ id, result: id }))
      }
  }

  report(subject: string, method: string, result: object): void {
    const [subscription] = [...this.subjects].find(([, each]) => each === subject) ?? []
    if (subscription === undefined) return
    if (method === 'signatureNotification') this.subjects.delete(subscription)
    this.#events?.message(JSON.stringify({ method, params: { subscription, result } }))
  }

  change(address: string, slot: number): void {
    this.report(address, 'accountNotification', { context: { slot }, value: {} })
  }

  land(signature: string): void {
    this.report(signature, 'signatureNotification', { context: { slot: 1 }, value: { err: null } })
  }
}

interface Cell {
  readonly feed: Feed
  readonly heard: [string, number][]
  readonly landed: string[]
}

function fixture(cells: number) {
  const feeds = new SharedFeeds()
  const endpoints: Endpoint[] = []
  const open = (): Cell => {
    const feed = feeds.open('CHAIN_DEVNET', () => {
      const endpoint = new Endpoint()
      endpoints.push(endpoint)
      return new ChainFeed({ urls: ['ws://one'], clock: systemClock, open: endpoint.open, notice: () => undefined })
    })
    const heard: [string, number][] = []
    feed.onAccount((address, slot) => void heard.push([address, slot]))
    return { feed, heard, landed: [] }
  }
  return { endpoints, open, cells: Array.from({ length: cells }, open) }
}

describe('cells that share a feed', () => {
  it('share one connection, which the last of them closes; the next cell opens another', () => {
    const { endpoints, cells, open } = fixture(2)
    for (const { feed } of cells) feed.watch('A')
    expect(endpoints.map(({ connections }) => connections)).toEqual([1])
    endpoints[0]!.connect()
    cells[0]!.feed.close()
    cells[0]!.feed.close()
    expect(endpoints[0]!.isClosed).toBe(false)
    cells[1]!.feed.close()
    expect(endpoints[0]!.isClosed).toBe(true)
    const next = open()
    next.feed.watch('A')
    expect(endpoints).toHaveLength(2)
    endpoints[1]!.connect()
    for (const { feed } of cells) feed.close()
    expect(endpoints[1]!.isClosed).toBe(false)
    endpoints[1]!.change('A', 7)
    expect(next.heard).toContainEqual(['A', 7])
    for (const { heard } of cells) expect(heard).not.toContainEqual(['A', 7])
  })

  it('each compare an account when they begin to watch it', () => {
    const { endpoints, cells } = fixture(2)
    cells[0]!.feed.watch('A')
    endpoints[0]!.connect()
    expect(cells.map(({ heard }) => heard)).toEqual([[['A', 0]], []])
    cells[1]!.feed.watch('A')
    expect(cells.map(({ heard }) => heard)).toEqual([[['A', 0]], [['A', 0]]])
    expect(cells.map(({ feed }) => feed.standing)).toEqual([1, 1])
  })

  it('hear every change and landing that they watch, and no other', () => {
    const cell = fc.nat({ max: 2 })
    const address = fc.constantFrom(...ADDRESSES)
    const signature = fc.constantFrom(...SIGNATURES)
    const step = fc.oneof(
      fc.record({ act: fc.constantFrom('watch' as const, 'forget' as const), cell, subject: address }),
      fc.record({ act: fc.constantFrom('await' as const, 'abandon' as const), cell, subject: signature }),
      fc.record({ act: fc.constant('change' as const), subject: address }),
      fc.record({ act: fc.constant('land' as const), subject: signature }),
      fc.record({ act: fc.constant('close' as const), cell }),
    )
    const run = fc.array(step, { maxLength: 40 })
    fc.assert(
      fc.property(run, (steps) => {
        const { endpoints, cells } = fixture(4)
        // The fourth stays, so that the connection does.
        cells[3]!.feed.watch('D')
        const endpoint = endpoints[0]!
        endpoint.connect()
        const closed = new Set<number>()
        const watched = cells.map(() => new Set<string>())
        const awaited = cells.map(() => new Set<string>())
        for (const [at, next] of steps.entries()) {
          const { subject = '' } = next as { subject?: string }
          if ('cell' in next) {
            const { feed, landed } = cells[next.cell]!
            const isOpen = !closed.has(next.cell)
            if (next.act === 'watch') {
              feed.watch(subject)
              if (isOpen) watched[next.cell]!.add(subject)
            } else if (next.act === 'forget') {
              feed.forget(subject)
              watched[next.cell]!.delete(subject)
            } else if (next.act === 'await') {
              feed.watchSignature(subject, () => landed.push(subject))
              if (isOpen) awaited[next.cell]!.add(subject)
            } else if (next.act === 'abandon') {
              feed.forgetSignature(subject)
              awaited[next.cell]!.delete(subject)
            } else {
              feed.close()
              closed.add(next.cell)
              watched[next.cell]!.clear()
              awaited[next.cell]!.clear()
            }
            endpoint.answer()
          }
          for (const each of cells) each.heard.length = each.landed.length = 0
          if (next.act === 'change') {
            endpoint.change(subject, at + 1)
            const expected = watched.map((those) => (those.has(subject) ? [[subject, at + 1]] : []))
            expect(cells.map(({ heard }) => heard)).toEqual(expected)
          }
          if (next.act === 'land') {
            endpoint.land(subject)
            expect(cells.map(({ landed }) => landed)).toEqual(
              awaited.map((those) => (those.delete(subject) ? [subject] : [])),
            )
          }
          const subscribed = [...endpoint.subjects.values()].sort()
          expect(subscribed).toEqual(
            [...new Set([...watched, ...awaited].flatMap((those) => [...those]))].concat('D').sort(),
          )
        }
        cells[3]!.feed.close()
        for (const { feed } of cells) feed.close()
      }),
    )
  })
})
