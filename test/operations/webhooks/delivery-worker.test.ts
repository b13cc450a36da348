// The delivery of the events of one webhook, with a clock that the test turns: the retry schedule, the deferral of
// events, and no loss.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_WAITING_RESOURCES } from '../../../machines/webhook.ts'
import { delayAfter, retryAfterMs } from '../../../src/operations/webhooks/retry-schedule.ts'
import { DELIVERED, failing, Post, type Target } from './post.ts'

const SECOND = 1_000
const HOUR = 3_600_000

/** First deliveries, by resource. */
function arrivals(post: Post): Map<string, number[]> {
  const sequences = new Map<string, number[]>()
  for (const { resource, sequence } of post.arrived) {
    const previous = sequences.get(resource.offchainId) ?? []
    if (!previous.includes(sequence)) sequences.set(resource.offchainId, [...previous, sequence])
  }
  return sequences
}

function expected(post: Post): Map<string, number[]> {
  const sequences = new Map<string, number[]>()
  for (const { resource, sequence } of post.log.events)
    sequences.set(resource.offchainId, [...(sequences.get(resource.offchainId) ?? []), sequence])
  return sequences
}

const sorted = (map: Map<string, number[]>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))

/** Until every event has arrived, or no timer is left. */
async function untilAllArrived(post: Post, most = 2_000): Promise<void> {
  for (let turn = 0; turn < most; turn += 1) {
    await post.clock.rest()
    const isSettled = post.context.cursor === post.log.events.length && post.context.waiting.length === 0
    if (isSettled || !(await post.clock.turn())) return
  }
}

describe('the retry schedule', () => {
  it('has ten attempts within about three days, never earlier than scheduled', () => {
    const steps = [5 * SECOND, 300 * SECOND, HOUR / 2, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
    expect(steps.map((_, index) => delayAfter(index + 1, 0, null))).toEqual(steps)
    expect(delayAfter(10, 0, null)).toBeNull()
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (failures, chance) => {
          const delay = delayAfter(failures, chance, null)!
          expect(delay).toBeGreaterThanOrEqual(steps[failures - 1]!)
          expect(delay).toBeLessThanOrEqual(steps[failures - 1]! * 1.2)
        },
      ),
    )
  })

  it('waits longer if the target requests it, in seconds or by a date, up to a bound', () => {
    const now = Date.parse('2026-11-21T12:00:00Z')
    expect(delayAfter(1, 0, retryAfterMs('120', now))).toBe(120 * SECOND)
    expect(delayAfter(1, 0, retryAfterMs('Sat, 21 Nov 2026 12:01:00 GMT', now))).toBe(60 * SECOND)
    expect(delayAfter(1, 0, retryAfterMs('1', now))).toBe(5 * SECOND)
    expect(delayAfter(1, 0, retryAfterMs('999999999', now))).toBe(24 * HOUR)
    for (const nonsense of ['soon', '-5', '', 'Sat, 21 Nov 2020 12:01:00 GMT'])
      expect(retryAfterMs(nonsense, now)).toBeNull()
  })
})

describe('a delivery worker', () => {
  it('delivers the subscribed events, and records its position', async () => {
    const post = new Post(() => DELIVERED, { eventTypes: ['transaction.*', 'account.closed'] })
    post.start()
    for (const type of ['account.created', 'transaction.signed', 'account.closed', 'transactions.other'])
      post.log.append('a', type)
    await post.clock.rest()
    expect(post.arrived.map(({ type }) => type)).toEqual(['transaction.signed', 'account.closed'])
    expect(post.context).toMatchObject({ cursor: 4, waiting: [] })
    expect(
      post.context.attempts.map(({ sequence, attempt, status, error }) => [sequence, attempt, status, error]),
    ).toEqual([
      [3, 1, 200, null],
      [2, 1, 200, null],
    ])
  })

  it.each([429, 403, 302, 500, null])(
    'retries after %s, and gives up after the tenth attempt: disabled, with its position',
    async (status) => {
      const post = new Post(() => failing(status))
      post.log.append('a')
      post.start()
      const from = post.clock.nowMs
      while (post.state === 'enabled' && (await post.clock.turn()));
      expect(post.tried).toEqual(Array.from({ length: 10 }, () => 1))
      expect(post.clock.nowMs - from).toBeGreaterThan(75 * HOUR)
      expect(post.state).toBe('disabled')
      expect(post.context).toMatchObject({ disabledBecause: 'EXHAUSTED', waiting: [{ resource: 'a', sequence: 1 }] })
      post.log.append('b')
      post.aim(() => DELIVERED)
      await post.redeliver(null)
      await untilAllArrived(post)
      expect(sorted(arrivals(post))).toEqual(sorted(expected(post)))
    },
  )

  it('stops at once at 410, without losing an event', async () => {
    const post = new Post(() => failing(410))
    for (const resource of ['a', 'b', 'a']) post.log.append(resource)
    post.start()
    await untilAllArrived(post)
    expect([post.state, post.context.disabledBecause, post.arrived]).toEqual(['disabled', 'GONE', []])
    post.aim(() => DELIVERED)
    await post.redeliver(null)
    await untilAllArrived(post)
    expect(sorted(arrivals(post))).toEqual(sorted(expected(post)))
  })

  it('defers a resource whose event failed, with its later events; the others continue', async () => {
    const post = new Post(({ sequence }, attempt) => (sequence === 1 && attempt < 3 ? failing(500) : DELIVERED))
    for (const resource of ['a', 'b', 'a', 'b']) post.log.append(resource)
    post.start()
    await post.clock.rest()
    expect(post.arrived.map(({ sequence }) => sequence)).toEqual([2, 4])
    expect(post.context).toMatchObject({ cursor: 4, waiting: [{ resource: 'a', sequence: 1, failures: 1 }] })
    await untilAllArrived(post)
    expect(post.arrived.map(({ sequence }) => sequence)).toEqual([2, 4, 1, 3])
    expect(post.context).toMatchObject({ cursor: 4, waiting: [] })
  })

  it('defers a bounded number of resources: new ones wait until one succeeds', async () => {
    const post = new Post(() => failing(500))
    for (let resource = 0; resource < 500; resource += 1) post.log.append(`r${resource}`)
    post.start()
    await post.clock.rest()
    expect(new Set(post.tried).size).toBe(MAX_WAITING_RESOURCES)
    expect(post.context.waiting).toHaveLength(MAX_WAITING_RESOURCES)
    expect(post.mostAtOnce).toBeLessThanOrEqual(8)
    post.aim(() => DELIVERED)
    await untilAllArrived(post)
    expect(sorted(arrivals(post))).toEqual(sorted(expected(post)))
  })

  it('redelivers from a given position, and refuses to skip', async () => {
    const post = new Post(() => DELIVERED)
    for (const resource of ['a', 'b', 'a']) post.log.append(resource)
    post.start()
    await post.clock.rest()
    await expect(post.redeliver(4)).rejects.toThrow('NOT_DELIVERED_YET')
    await post.redeliver(1)
    await post.clock.rest()
    expect(post.arrived.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 2, 3])
  })

  it('is not affected by a clock that is set back', async () => {
    const post = new Post((_event, attempt) => (attempt === 1 ? failing(503) : DELIVERED))
    post.log.append('a')
    post.start()
    await post.clock.rest()
    post.clock.nowMs -= 365 * 24 * HOUR
    await untilAllArrived(post)
    expect(post.arrived.map(({ sequence }) => sequence)).toEqual([1])
  })
})

describe('with any failures and crashes,', () => {
  const scenario = fc.record({
    resources: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 40 }),
    failures: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 40 }),
    slow: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
    kills: fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 5 }),
  })

  it('each event is delivered, and those of one resource in order', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ resources, failures, slow, kills }) => {
        let tries = 0
        let kill: () => void = () => undefined
        const target: Target = async ({ sequence }, attempt) => {
          const hasFailed = attempt <= failures[sequence % failures.length]! % 5
          tries += 1
          const dies = kills.includes(tries)
          if (slow[tries % slow.length] === true)
            for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => void setImmediate(resolve))
          // Between the answer and the write.
          if (dies) setImmediate(() => kill())
          return hasFailed ? failing([500, 429, 403, 302, null][tries % 5]!) : DELIVERED
        }
        const post = new Post(target)
        let lives = 0
        kill = () => {
          post.kill()
          lives += 1
          post.start()
        }
        const half = Math.floor(resources.length / 2)
        for (const resource of resources.slice(0, half)) post.log.append(`r${resource}`)
        post.start()
        await post.clock.rest()
        for (const resource of resources.slice(half)) post.log.append(`r${resource}`)
        await untilAllArrived(post)
        expect(post.warnings).toEqual([])
        expect(sorted(arrivals(post))).toEqual(sorted(expected(post)))
        // Twice only after a crash in between.
        if (lives === 0) expect(post.arrived).toHaveLength(resources.length)
      }),
      { numRuns: 60 },
    )
  })
})
