// Where requests to a cell are served, and the requests that a node waits for before it hands the cell over.
import { beforeEach, expect, it } from 'vitest'
import { CellGateway } from '../../src/nodes/cell-gateway.ts'
import { HandClock } from './hand-clock.ts'

let clock: HandClock
let gateway: CellGateway

beforeEach(() => {
  clock = new HandClock()
  const member = { hasRecentPoll: true, lease: { isHeld: true }, lastPoll: null, me: { id: 'a', incarnation: '1' } }
  const ownership = { cell: 'main', state: 'open', wake: () => Promise.resolve() } as const
  gateway = new CellGateway(member as never, ownership, { clock })
})

/** Starts to wait until the gateway serves nothing; `result` is null while it waits. */
function waitIdle(withinMs: number): { result: boolean | null } {
  const waiting: { result: boolean | null } = { result: null }
  void gateway.idle(withinMs).then((isIdle) => (waiting.result = isIdle))
  return waiting
}

it('waits for open requests before a cell is handed over, until the last one has ended', async () => {
  const [first, second] = [gateway.enter()!, gateway.enter()!]
  const waiting = waitIdle(1_000)
  await clock.pass(300)
  first()
  await clock.pass(300)
  expect(waiting.result).toBe(null)
  second()
  await clock.pass(20)
  expect(waiting.result).toBe(true)
})

it('does not wait for them longer than it may', async () => {
  const leave = gateway.enter()!
  const waiting = waitIdle(1_000)
  await clock.pass(980)
  expect(waiting.result).toBe(null)
  await clock.pass(40)
  expect(waiting.result).toBe(false)
  leave()
})

it('is quiet since the last request has ended', async () => {
  const leave = gateway.enter()!
  await clock.pass(500)
  expect(gateway.quietMs).toBe(0)
  leave()
  await clock.pass(200)
  expect(gateway.quietMs).toBe(200)
})
