// How long a request waits for the owner of its cell.
import { beforeEach, expect, it } from 'vitest'
import type { CellLocation } from '../../src/nodes/cell-gateway.ts'
import { reachOwner } from '../../src/nodes/reach-owner.ts'
import { HandClock } from './hand-clock.ts'

const MOVING_MS = 2_000
const MOVING: CellLocation = { at: 'nowhere', isMoving: true, retryAfterMs: 9_000 }
const OTHER: CellLocation = { at: 'elsewhere', node: 'b', url: 'http://b', epoch: 2 }

let clock: HandClock
let location: CellLocation
let refreshes: number
/** The answer or the error; null: the request waits. */
let outcome: string | null

/** @param there the answers of the other node; null: it does not take the request */
function start(there: () => string | null = () => null): void {
  void reachOwner<object, { readonly from: string }>({
    ...{ clock, movingMs: MOVING_MS, find: () => ({}) },
    gatewayOf: () => ({
      where: () => location,
      refresh: () => {
        refreshes += 1
        return Promise.resolve()
      },
    }),
    here: () => Promise.resolve(null),
    there: () => {
      const from = there()
      return Promise.resolve(from === null ? null : { from })
    },
    unavailable: (retryAfterMs) => new Error(`unavailable for ${retryAfterMs}`),
  }).then(
    ({ from }) => (outcome = from),
    (error: unknown) => (outcome = (error as Error).message),
  )
}

beforeEach(() => {
  clock = new HandClock()
  location = MOVING
  refreshes = 0
  outcome = null
})

it('waits for the owner of a moving cell for the given time, and no longer', async () => {
  start()
  await clock.pass(MOVING_MS - 100)
  expect(outcome).toBe(null)
  await clock.pass(200)
  expect(outcome).toBe('unavailable for 1000')
})

it('waits as long for a node that does not take the request', async () => {
  location = OTHER
  start()
  await clock.pass(MOVING_MS - 100)
  expect(outcome).toBe(null)
  await clock.pass(200)
  expect(outcome).toBe('unavailable for 1000')
})

it('polls the owner again before each attempt', async () => {
  let attempts = 0
  start(() => {
    attempts += 1
    return attempts === 3 ? 'b' : null
  })
  await clock.pass(100)
  location = OTHER
  await clock.pass(500)
  expect([outcome, attempts]).toEqual(['b', 3])
  expect(refreshes).toBeGreaterThanOrEqual(4)
})

it('does not wait if no owner is expected soon', async () => {
  location = { at: 'nowhere', isMoving: false, retryAfterMs: 9_000 }
  start()
  await clock.pass(0)
  expect(outcome).toBe('unavailable for 9000')
})
