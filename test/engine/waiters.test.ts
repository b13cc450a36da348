// Whoever waits for a transaction is woken by what is durable or observed, or when the time is over, and is then
// forgotten.
import { describe, expect, it } from 'vitest'
import { settle } from '../../src/engine/settlement/settlement.ts'
import { AT } from '../machines/records.ts'
import { Ground, newTransaction, sign } from './ground.ts'

const LONG_MS = 30_000
const seen = (commitment: 'processed' | 'confirmed') =>
  ({ type: 'chain.seen', commitment, slot: 1, blockTime: null, error: null, computeUnits: null, at: AT }) as const

async function withTransaction(): Promise<Ground> {
  const ground = await Ground.open()
  await ground.done((unit) => sign(unit, newTransaction(unit, 't', [])))
  return ground
}

/** Resolves to what is known of the waiting once the loop has turned a few times. */
async function isOver(waiting: Promise<void>): Promise<boolean> {
  let over = false
  void waiting.then(() => {
    over = true
  })
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  return over
}

describe('waiting for a transaction', () => {
  it('ends with the state asked for, and not with one before it', async () => {
    const ground = await withTransaction()
    const waiting = ground.engine.waiters.wait('t', ({ value }) => value === 'confirmed', LONG_MS)
    await settle(ground.engine, ground.entry('t'), seen('processed'), AT)
    expect(await isOver(waiting)).toBe(false)
    await settle(ground.engine, ground.entry('t'), seen('confirmed'), AT)
    await waiting
  })

  it('ends with an observation at once', async () => {
    const ground = await withTransaction()
    const waiting = ground.engine.waiters.wait('t', ({ value }) => value === 'processed', LONG_MS)
    ground.hold()
    await settle(ground.engine, ground.entry('t'), seen('processed'), AT)
    await waiting
  })

  it('does not end before the state is on disk', async () => {
    const ground = await withTransaction()
    const waiting = ground.engine.waiters.wait('t', ({ value }) => value === 'confirmed', LONG_MS)
    ground.hold()
    const settled = settle(ground.engine, ground.entry('t'), seen('confirmed'), AT)
    expect(await isOver(waiting)).toBe(false)
    ground.letGo()
    await Promise.all([settled, waiting])
  })

  it('ends for all who wait, each for his own', async () => {
    const ground = await withTransaction()
    const { waiters } = ground.engine
    const first = waiters.wait('t', ({ value }) => value === 'processed', LONG_MS)
    const second = waiters.wait('t', ({ value }) => value === 'confirmed', LONG_MS)
    const third = waiters.wait('t', ({ value }) => value === 'processed', LONG_MS)
    await settle(ground.engine, ground.entry('t'), seen('processed'), AT)
    await Promise.all([first, third])
    expect(await isOver(second)).toBe(false)
    await settle(ground.engine, ground.entry('t'), seen('confirmed'), AT)
    await second
  })

  it('ends when the time is over', async () => {
    const ground = await withTransaction()
    await ground.engine.waiters.wait('t', () => false, 1)
    await settle(ground.engine, ground.entry('t'), seen('confirmed'), AT)
    expect(ground.transaction('t').value).toBe('confirmed')
  })

  it('ends for all when nothing is waited for any more, and then does not begin', async () => {
    const ground = await withTransaction()
    const { waiters } = ground.engine
    const open = ['one', 'other'].map(() => waiters.wait('t', () => false, LONG_MS))
    waiters.end()
    await Promise.all(open)
    await waiters.wait('t', () => false, LONG_MS)
  })
})
