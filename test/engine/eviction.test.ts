// What leaves memory, and when: an ended transaction goes with what belongs to it, and not before all of that has ended
// and is on disk.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { settle } from '../../src/engine/settlement/settlement.ts'
import { TRANSACTION_SOURCE } from '../../src/operations/views/bulk/sources.ts'
import { AT, countersignature, plan } from '../machines/records.ts'
import { Ground, newTransaction, place, sign } from './ground.ts'

const KEEP_NONE = { eviction: { keep: 0, source: TRANSACTION_SOURCE } }

async function finalize(ground: Ground, id: string): Promise<void> {
  await ground.done((unit) => sign(unit, newTransaction(unit, id, [])))
  const seen = {
    type: 'chain.seen',
    commitment: 'finalized',
    slot: 7,
    blockTime: 1,
    error: null,
    computeUnits: 1,
    at: AT,
  } as const
  await settle(ground.engine, ground.entry(id), seen, AT)
}

/** Time for a write that is due, and for what follows from it. */
async function settled(ground: Ground): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await ground.store.commit([])
    await nextTurn()
  }
}

const inMemory = (ground: Ground): string[] => [...ground.engine.directory.entries()].map(({ head }) => head.id).sort()

describe('an ended transaction', () => {
  it('stays while a countersignature of it is open, and goes with it', async () => {
    const ground = await Ground.open(undefined, KEEP_NONE)
    await ground.done((unit) =>
      unit.create('countersignature', place('c'), { countersignature: { ...countersignature, transactionId: 't' } }),
    )
    await finalize(ground, 't')
    await settled(ground)
    expect(inMemory(ground)).toEqual(['c', 't'])
    const landed = { type: 'chain.landed', signature: 'sig1', slot: 7, at: AT } as const
    await ground.done((unit) => unit.send<'countersignature'>(ground.entry('c'), { ...landed, final: false }))
    await finalize(ground, 'other')
    await settled(ground)
    expect(inMemory(ground)).toEqual(['c', 't'])
    await ground.done((unit) => unit.send<'countersignature'>(ground.entry('c'), { ...landed, final: true }))
    await settled(ground)
    expect(inMemory(ground)).toEqual([])
    expect(ground.entry('c').head.value).toBe('settled')
    await ground.engine.stop()
  })

  it('stays while the plan runs that it is a step of, and goes with it', async () => {
    const ground = await Ground.open(undefined, KEEP_NONE)
    await ground.done((unit) => {
      const entry = unit.create('plan', place('p'), { plan: { ...plan, steps: [plan.steps[0]!] } })
      unit.send<'plan'>(entry, { type: 'command.begin', step: 0, transactionId: 't' })
    })
    await finalize(ground, 't')
    await settled(ground)
    expect(inMemory(ground)).toEqual(['p', 't'])
    await ground.done((unit) =>
      unit.send<'plan'>(ground.entry('p'), { type: 'chain.done', transactionId: 't', at: AT }),
    )
    await finalize(ground, 'other')
    await settled(ground)
    expect(inMemory(ground)).toEqual([])
    await ground.engine.stop()
  })

  it('is answered for by memory until the store has it', async () => {
    const ground = await Ground.open(undefined, { eviction: { ...KEEP_NONE.eviction, keep: 1 } })
    await finalize(ground, 't')
    const entry = ground.entry('t')
    expect(entry.place).toBe('memory')
    await ground.done((unit) => sign(unit, newTransaction(unit, 'other', [])))
    const seen = {
      type: 'chain.seen',
      commitment: 'finalized',
      slot: 7,
      blockTime: 1,
      error: null,
      computeUnits: 1,
      at: AT,
    } as const
    const { durable } = ground.engine.transact((unit) => unit.send<'transaction'>(ground.entry('other'), seen))
    // The write that takes it out of memory is the next one.
    void durable.then(() => ground.hold())
    await durable
    await nextTurn()
    expect(entry.place).toBe('leaving')
    expect(inMemory(ground)).toEqual(['other', 't'])
    ground.letGo()
    await settled(ground)
    expect(entry.place).toBe('store')
    expect(inMemory(ground)).toEqual(['other'])
    expect(ground.entry('t').head).toEqual(entry.head)
    await ground.engine.stop()
  })

  it('keeps its turn while a newer head of it is not written', async () => {
    const ground = await Ground.open(undefined, { eviction: { ...KEEP_NONE.eviction, keep: 1 } })
    await finalize(ground, 'older')
    ground.entry('older').dirty = true
    await finalize(ground, 'newer')
    await settled(ground)
    expect(inMemory(ground)).toEqual(['newer', 'older'])
    ground.entry('older').dirty = false
    await ground.done((unit) => sign(unit, newTransaction(unit, 'open', [])))
    await settled(ground)
    expect(inMemory(ground)).toEqual(['newer', 'open'])
    await ground.engine.stop()
  })
})
