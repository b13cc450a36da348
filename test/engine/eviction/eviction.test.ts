// Eviction: an ended transaction is evicted together with the records that depend on it, and not before all of them
// have ended and are on disk.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { TRANSACTION_SOURCE } from '../../../src/operations/views/bulk/sources.ts'
import { AT, countersignature, plan } from '../../machines/records.ts'
import { EngineFixture, newTransaction, place, sign } from '../engine-fixture.ts'

const KEEP_NONE = { eviction: { keep: 0, source: TRANSACTION_SOURCE } }

async function finalize(fixture: EngineFixture, id: string): Promise<void> {
  await fixture.commit((unit) => sign(unit, newTransaction(unit, id, [])))
  const seen = {
    type: 'chain.seen',
    commitment: 'finalized',
    slot: 7,
    blockTime: 1,
    error: null,
    computeUnits: 1,
    at: AT,
  } as const
  await fixture.settle(id, seen)
}

/** Time for a due write, and for its consequences. */
async function settle(fixture: EngineFixture): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await fixture.store.commit([])
    await nextTurn()
  }
}

const inMemory = (fixture: EngineFixture): string[] =>
  [...fixture.engine.directory.entries()].map(({ head }) => head.id).sort()

describe('an ended transaction', () => {
  it('stays in memory while a countersignature of it is open, and is evicted with it', async () => {
    const fixture = await EngineFixture.open(undefined, KEEP_NONE)
    await fixture.commit((unit) =>
      unit.create('countersignature', place('c'), { countersignature: { ...countersignature, transactionId: 't' } }),
    )
    await finalize(fixture, 't')
    await settle(fixture)
    expect(inMemory(fixture)).toEqual(['c', 't'])
    const landed = { type: 'chain.landed', signature: 'sig1', slot: 7, at: AT } as const
    await fixture.commit((unit) => unit.send<'countersignature'>(fixture.entry('c'), { ...landed, final: false }))
    await finalize(fixture, 'other')
    await settle(fixture)
    expect(inMemory(fixture)).toEqual(['c', 't'])
    await fixture.commit((unit) => unit.send<'countersignature'>(fixture.entry('c'), { ...landed, final: true }))
    await settle(fixture)
    expect(inMemory(fixture)).toEqual([])
    expect(fixture.entry('c').head.value).toBe('settled')
    await fixture.engine.stop()
  })

  it('stays in memory while its plan runs, and is evicted with it', async () => {
    const fixture = await EngineFixture.open(undefined, KEEP_NONE)
    await fixture.commit((unit) => {
      const entry = unit.create('plan', place('p'), { plan: { ...plan, steps: [plan.steps[0]!] } })
      unit.send<'plan'>(entry, { type: 'command.begin', step: 0, transactionId: 't' })
    })
    await finalize(fixture, 't')
    await settle(fixture)
    expect(inMemory(fixture)).toEqual(['p', 't'])
    await fixture.commit((unit) =>
      unit.send<'plan'>(fixture.entry('p'), { type: 'chain.done', transactionId: 't', at: AT }),
    )
    await finalize(fixture, 'other')
    await settle(fixture)
    expect(inMemory(fixture)).toEqual([])
    await fixture.engine.stop()
  })

  it('is read from memory until the store has it', async () => {
    const fixture = await EngineFixture.open(undefined, { eviction: { ...KEEP_NONE.eviction, keep: 1 } })
    await finalize(fixture, 't')
    const entry = fixture.entry('t')
    expect(entry.place).toBe('memory')
    await fixture.commit((unit) => sign(unit, newTransaction(unit, 'other', [])))
    const seen = {
      type: 'chain.seen',
      commitment: 'finalized',
      slot: 7,
      blockTime: 1,
      error: null,
      computeUnits: 1,
      at: AT,
    } as const
    const { durable } = fixture.engine.transact((unit) => unit.send<'transaction'>(fixture.entry('other'), seen))
    // The next write evicts it from memory.
    void durable.then(() => fixture.hold())
    await durable
    await nextTurn()
    expect(entry.place).toBe('leaving')
    expect(inMemory(fixture)).toEqual(['other', 't'])
    fixture.letGo()
    await settle(fixture)
    expect(entry.place).toBe('store')
    expect(inMemory(fixture)).toEqual(['other'])
    expect(fixture.entry('t').head).toEqual(entry.head)
    await fixture.engine.stop()
  })

  it('keeps its turn while a newer version of it is not written', async () => {
    const fixture = await EngineFixture.open(undefined, { eviction: { ...KEEP_NONE.eviction, keep: 1 } })
    await finalize(fixture, 'older')
    fixture.entry('older').dirty = true
    await finalize(fixture, 'newer')
    await settle(fixture)
    expect(inMemory(fixture)).toEqual(['newer', 'older'])
    fixture.entry('older').dirty = false
    await fixture.commit((unit) => sign(unit, newTransaction(unit, 'open', [])))
    await settle(fixture)
    expect(inMemory(fixture)).toEqual(['newer', 'open'])
    await fixture.engine.stop()
  })

  it('is not evicted while all fit, and once some were evicted, only the newest fifth of the limit stays', async () => {
    const keep = 10
    const fixture = await EngineFixture.open(undefined, { eviction: { ...KEEP_NONE.eviction, keep } })
    const ids = Array.from({ length: 4 * keep }, (_, at) => `t${String(at).padStart(2, '0')}`)
    const counts: number[] = []
    for (const id of ids) {
      await finalize(fixture, id)
      await settle(fixture)
      counts.push(inMemory(fixture).length)
    }
    expect(counts.slice(0, keep)).toEqual(ids.slice(0, keep).map((_, at) => at + 1))
    // No transaction evicts more than two, so that a full memory causes no burst of writes.
    const drops = counts.slice(1).map((count, at) => counts[at]! - count)
    expect(Math.max(...drops)).toBe(1)
    expect(inMemory(fixture)).toEqual(ids.slice(-keep / 5))
    await fixture.engine.stop()
  })
})
