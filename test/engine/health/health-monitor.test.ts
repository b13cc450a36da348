// Whether the service can work, derived from its progress on a clock that the test turns.
import { beforeEach, describe, expect, it } from 'vitest'
import { HealthMonitor } from '../../../src/engine/health/health-monitor.ts'

let nowMs: number
let slot: () => Promise<number>
let totals: { queued: number; sent: number }
let stats: { waiting: number; batches: number }
let free: number | null
let health: HealthMonitor

beforeEach(() => {
  nowMs = 0
  slot = () => Promise.resolve(nowMs)
  totals = { queued: 0, sent: 0 }
  stats = { waiting: 0, batches: 0 }
  free = null
  const clock = { elapsed: () => nowMs, setTimeout: () => ({}), clearTimeout: () => undefined }
  const lanes = new Map([
    [
      'ONE',
      {
        get totals() {
          return totals
        },
      },
    ],
  ])
  const clusters = [{ id: 'ONE', slot: () => slot(), stillMs: 30_000 }]
  health = new HealthMonitor(
    { clusters, lanes, store: { stats: () => stats }, freeBytes: () => Promise.resolve(free) },
    clock,
  )
})

/** Checks every second. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    nowMs += 1_000
    await health.check()
  }
}

const wrong = (): string[] =>
  Object.entries(health.checks)
    .filter(([, found]) => found !== 'ok')
    .map(([name]) => name)

it('is healthy while everything makes progress, or has nothing to do', async () => {
  await pass(120)
  expect([health.ready, health.accepting, wrong()]).toEqual([true, true, []])
})

describe('a cluster', () => {
  it.each<[what: string, standstill: () => Promise<number>, patience: number]>([
    ['that makes no blocks', () => Promise.resolve(7), 30],
    ['that does not answer twice in a row', () => Promise.reject(new Error('nobody')), 1],
  ])('%s is reported, and until it recovers; requests are accepted', async (_what, standstill, patience) => {
    await pass(5)
    slot = standstill
    await pass(patience)
    expect(health.ready).toBe(true)
    await pass(2)
    expect([health.ready, health.accepting, wrong()]).toEqual([false, true, ['chain ONE']])
    slot = () => Promise.resolve(nowMs)
    await pass(1)
    expect(health.ready).toBe(true)
  })
})

it('a lane that has work and sends nothing is reported; a slow one is not', async () => {
  totals = { queued: 5, sent: 0 }
  await pass(15)
  totals = { queued: 5, sent: 1 }
  await pass(15)
  expect(health.ready).toBe(true)
  await pass(10)
  expect([health.accepting, wrong()]).toEqual([true, ['lanes ONE']])
  totals = { queued: 0, sent: 1 }
  await pass(1)
  expect(health.ready).toBe(true)
})

it('a disk that does not answer, or is almost full, stops new requests', async () => {
  stats = { waiting: 3, batches: 1 }
  await pass(25)
  expect([health.accepting, wrong()]).toEqual([false, ['store']])
  stats = { waiting: 3, batches: 2 }
  free = 1_000
  await pass(1)
  expect([health.accepting, wrong()]).toEqual([false, ['disk']])
  free = 10 ** 12
  await pass(1)
  expect(health.ready).toBe(true)
})
