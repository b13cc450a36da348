// A caller that waits for a transaction is woken by a durable or observed state or by its timeout, and is then removed.
import { describe, expect, it } from 'vitest'
import { AT } from '../machines/records.ts'
import { Waiters } from '../../src/engine/waiters.ts'
import { EngineFixture, newTransaction, sign } from './engine-fixture.ts'

const LONG_MS = 30_000
const seenEvent = (commitment: 'processed' | 'confirmed') =>
  ({ type: 'chain.seen', commitment, slot: 1, blockTime: null, error: null, computeUnits: null, at: AT }) as const

async function withTransaction(): Promise<EngineFixture> {
  const fixture = await EngineFixture.open()
  await fixture.commit((unit) => sign(unit, newTransaction(unit, 't', [])))
  return fixture
}

/** Whether the wait has ended after some turns of the event loop. */
async function isOver(wait: Promise<void>): Promise<boolean> {
  let hasEnded = false
  void wait.then(() => {
    hasEnded = true
  })
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  return hasEnded
}

describe('waiting for a transaction', () => {
  it('ends with the requested state, and not with an earlier one', async () => {
    const fixture = await withTransaction()
    const wait = fixture.engine.waiters.wait('t', ({ value }) => value === 'confirmed', LONG_MS)
    await fixture.settle('t', seenEvent('processed'))
    expect(await isOver(wait)).toBe(false)
    await fixture.settle('t', seenEvent('confirmed'))
    await wait
  })

  it('ends with an observation at once', async () => {
    const fixture = await withTransaction()
    const wait = fixture.engine.waiters.wait('t', ({ value }) => value === 'processed', LONG_MS)
    fixture.hold()
    await fixture.settle('t', seenEvent('processed'))
    await wait
  })

  it('does not end before the state is on disk', async () => {
    const fixture = await withTransaction()
    const wait = fixture.engine.waiters.wait('t', ({ value }) => value === 'confirmed', LONG_MS)
    fixture.hold()
    const settlement = fixture.settle('t', seenEvent('confirmed'))
    expect(await isOver(wait)).toBe(false)
    fixture.letGo()
    await Promise.all([settlement, wait])
  })

  it('ends separately for each waiter', async () => {
    const fixture = await withTransaction()
    const { waiters } = fixture.engine
    const first = waiters.wait('t', ({ value }) => value === 'processed', LONG_MS)
    const second = waiters.wait('t', ({ value }) => value === 'confirmed', LONG_MS)
    const third = waiters.wait('t', ({ value }) => value === 'processed', LONG_MS)
    await fixture.settle('t', seenEvent('processed'))
    await Promise.all([first, third])
    expect(await isOver(second)).toBe(false)
    await fixture.settle('t', seenEvent('confirmed'))
    await second
  })

  it('ends at the timeout', async () => {
    const fixture = await withTransaction()
    await fixture.engine.waiters.wait('t', () => false, 1)
    await fixture.settle('t', seenEvent('confirmed'))
    expect(fixture.transaction('t').value).toBe('confirmed')
  })

  it('ends for all waiters at the shutdown, and returns at once after it', async () => {
    const fixture = await withTransaction()
    const { waiters } = fixture.engine
    const open = ['one', 'other'].map(() => waiters.wait('t', () => false, LONG_MS))
    waiters.end()
    await Promise.all(open)
    await waiters.wait('t', () => false, LONG_MS)
  })
})

it('leaves no timer behind, whether it ends with a state or with the end of the engine', async () => {
  const timers = new Set<NodeJS.Timeout>()
  const waiters = new Waiters({
    setTimeout: (run, ms) => {
      const timer = setTimeout(run, ms)
      timers.add(timer)
      return timer
    },
    clearTimeout: (timer) => {
      timers.delete(timer as NodeJS.Timeout)
      clearTimeout(timer as NodeJS.Timeout)
    },
  })
  const fixture = await withTransaction()
  const waits = ['t', 'other'].map((id) => waiters.wait(id, () => true, LONG_MS))
  waiters.changed(fixture.entry('t').head)
  expect(timers.size).toBe(1)
  waiters.end()
  expect(timers.size).toBe(0)
  await Promise.all(waits)
})
