// A bench that did not do the work it measures must fail: each check of the benches is applied to a side that cheats,
// and to one that does not.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { checkPage, type AnsweredPage, type ShownPage } from '../../bench/console/check.ts'
import { runRound, type RoundRequest, type RoundResult } from '../../bench/load/closed-loop.ts'
import { Connection } from '../../bench/load/connection.ts'
import { paceOf } from '../../bench/load/pace.ts'
import { postHead, type Traffic } from '../../bench/load/traffic.ts'
import { Measured } from '../../bench/machines/measured.ts'
import { SIDES, type Side } from '../../bench/machines/sides.ts'
import { checkRows, MeasuredStore } from '../../bench/store/measured.ts'
import { STORE_SIDES, type StoreSide } from '../../bench/store/sides.ts'

const undo: (() => void)[] = []
afterEach(() => {
  for (const each of undo.splice(0)) each()
})

describe('the machines benchmark', () => {
  it('verifies that every implementation makes the transitions it is counted for', () => {
    for (const make of Object.values(SIDES)) {
      const measured = new Measured(make())
      expect(measured.round(1).done + measured.round(1).done).toBeGreaterThan(0)
    }
  })

  it('fails an implementation that skips one event', () => {
    const honest = SIDES.bare()
    const lazy: Side = { ...honest, step: (n) => n !== 40 && honest.step(n) }
    expect(() => new Measured(lazy).round(1)).toThrow(/not what \d+ events make them/)
  })

  it('fails an implementation that applies one event twice', () => {
    const honest = SIDES.awake()
    let last = -1
    const eager: Side = {
      ...honest,
      step(n) {
        honest.step(n === 40 ? last : n)
        last = n
      },
    }
    expect(() => new Measured(eager).round(1)).toThrow()
  })
})

describe('the console benchmark', () => {
  const answers: AnsweredPage = {
    count: 8025,
    items: ['1', '2'].map((id) => ({
      offchain: { id, code: `W-${id}`, name: `Bergen ${id}`, type: 'WALLET', lamportsBalance: 1_234_567_890_123 },
    })),
  }
  const rows = answers.items.map(({ offchain: { id, code, name, type } }) => ({
    id,
    Code: code,
    Name: name,
    Type: type,
    Balance: '1\u202f234.567890123',
  }))
  const shownPage: ShownPage = { range: '51–52 of 8\u202f025', rows }

  it('accepts a page that shows the answers of the service', () => checkPage(shownPage, answers, 50))

  it.each<[string, ShownPage]>([
    ['shows another page', { ...shownPage, range: '1–2 of 8\u202f025' }],
    ['leaves out a row', { ...shownPage, rows: rows.slice(0, 1) }],
    ['shows rows in another order', { ...shownPage, rows: rows.toReversed() }],
    [
      'shows an amount that is not there',
      { ...shownPage, rows: [rows[0]!, { ...rows[1]!, Balance: '1\u202f234.567890124' }] },
    ],
  ])('a page that %s fails', (_what, page) => expect(() => checkPage(page, answers, 50)).toThrow(/the console/))
})

describe('the store benchmark', () => {
  const CLIENTS = 8
  const scratch = (): string => {
    const dir = mkdtempSync(join(tmpdir(), 'holdfast-cheating-'))
    undo.push(() => rmSync(dir, { recursive: true, force: true }))
    return join(dir, 'rows')
  }
  const run = async (side: StoreSide, path: string): Promise<void> => {
    const measured = new MeasuredStore(side, CLIENTS)
    const { done } = await measured.round(30)
    await measured.round(30)
    await measured.close()
    expect(done).toBeGreaterThanOrEqual(CLIENTS)
    await checkRows(path, measured.units)
  }

  it('verifies that every store contains the acknowledged rows', async () => {
    for (const make of Object.values(STORE_SIDES)) {
      const path = scratch()
      await run(await make(CLIENTS)(path), path)
    }
  })

  it('fails a store that acknowledges without writing', async () => {
    const path = scratch()
    const honest = await STORE_SIDES.single()(path)
    let commits = 0
    const forgetful: StoreSide = {
      ...honest,
      commit: (ops) => ((commits += 1) === 150 ? Promise.resolve() : honest.commit(ops)),
    }
    const measured = new MeasuredStore(forgetful, CLIENTS)
    while (commits < 200) await measured.round(1)
    await measured.close()
    await expect(checkRows(path, measured.units)).rejects.toThrow(/units leave/)
  })
})

describe('the load generator', () => {
  const ROUND: RoundRequest = { rampMs: 0, windowMs: 800, pids: [] }
  const CONNECTIONS = 3
  interface Loaded {
    /** Rejects as the round did. A function, so that it may be waited for by itself. */
    readonly result: () => Promise<RoundResult>
    readonly accepted: number
    readonly answered: number
    readonly sent: number
  }

  /** A server that answers every request with `bodies` in turn. */
  const serving = async (bodies: readonly string[]): Promise<number> => {
    let count = 0
    const server: Server = createServer((request, response) => {
      request.resume().on('end', () => {
        const body = bodies[count % bodies.length]!
        count += 1
        response.writeHead(201, { 'Content-Length': body.length }).end(body)
      })
    })
    undo.push(
      () => server.closeAllConnections(),
      () => server.close(),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  /** A round whose window had answers, each body at least once: on a machine that pauses, a longer one. */
  const load = async (bodies: readonly string[], request: RoundRequest): Promise<Loaded> => {
    const loaded = await loadOnce(bodies, request)
    const failure = await loaded.result().then(
      () => '',
      (error: unknown) => String(error),
    )
    const isShort = loaded.answered < bodies.length || failure.includes('nothing was answered')
    if (!isShort || request.windowMs > 60_000) return loaded
    return await load(bodies, { ...request, windowMs: 4 * request.windowMs })
  }
  const loadOnce = async (bodies: readonly string[], request: RoundRequest): Promise<Loaded> => {
    const target = { host: '127.0.0.1', port: await serving(bodies) }
    const opening = Array.from({ length: CONNECTIONS }, () => Connection.open(target.host, target.port))
    const connections = await Promise.all(opening)
    let sentCount = 0
    let acceptedCount = 0
    let answerCount = 0
    const text = `${postHead(target, '/', 2, {})}{}`
    const traffic: Traffic = {
      next: () => ({ text, token: (sentCount += 1) }),
      accept(_, { body }) {
        answerCount += 1
        if (body !== 'done') return `it says ${body}`
        acceptedCount += 1
        return null
      },
      tally: () => acceptedCount,
    }
    const result = runRound(connections, traffic, request)
    await result.catch(() => undefined)
    connections.forEach((each) => each.close())
    return { result: () => result, accepted: acceptedCount, answered: answerCount, sent: sentCount }
  }

  it('counts the expected answers', async () => {
    const { result, accepted, sent } = await load(['done'], ROUND)
    const { failures, completed } = await result()
    expect(failures).toBe(0)
    expect(completed).toBeLessThanOrEqual(accepted)
    expect(accepted).toBe(sent)
  })

  it('fails the round on one unexpected answer', async () => {
    const { result } = await load(['done', 'done', 'done', 'done', 'done', 'not done'], ROUND)
    await expect(result()).rejects.toThrow('it says not done')
  })

  it('counts unexpected answers in a tolerant round, and never as successes', async () => {
    const { result, accepted, sent } = await load(['done', 'not done'], { ...ROUND, tolerant: true })
    const outcome = await result()
    expect(outcome).toMatchObject({ firstFailure: 'it says not done', failures: sent - accepted })
    expect(outcome.failures).toBeGreaterThan(0)
  })

  it('at a fixed rate, sends no request before its time and does not wait for pending requests at the end', () => {
    const pace = paceOf(0.001)
    const calls: string[] = []
    pace.wait(() => calls.push('first'))
    pace.wait(() => calls.push('a thousand seconds later'))
    expect(calls).toEqual(['first'])
    pace.end()
    expect(calls).toEqual(['first', 'a thousand seconds later'])
  })
})
