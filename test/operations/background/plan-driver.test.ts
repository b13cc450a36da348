// The evaluation of the transactions of a plan by the driver: done, failed, or pending.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { TransactionEvent } from '../../../machines/transactions/transaction-events.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { PlanDriver } from '../../../src/operations/background/plan-driver.ts'
import { PROVIDED_PURPOSE } from '../../../src/operations/transactions/plans/plan-record.ts'
import { TurnedClock } from '../webhooks/turned-clock.ts'
import { AT, plan } from '../../machines/records.ts'
import { EngineFixture, newTransaction, place, sign } from '../../engine/engine-fixture.ts'

/** A plan of two steps whose transactions both exist. */
async function scene(purpose: string): Promise<{
  readonly fixture: EngineFixture
  readonly state: () => RecordState<'plan'>
  readonly driver: PlanDriver
}> {
  const fixture = await EngineFixture.open()
  const platform = { engine: fixture.engine, clusters: new Map() } as unknown as Platform
  const fail = (_: object, message: string): never => {
    throw new Error(message)
  }
  const driver = new PlanDriver(platform, new TurnedClock(), { warn: fail, error: fail })
  await fixture.commit((unit) => {
    for (const id of ['one', 'two']) sign(unit, newTransaction(unit, id, []))
    const steps = ['one', 'two'].map((transactionId) => ({ data: {}, records: [], transactionId, done: false }))
    unit.create('plan', place('p'), { plan: { ...plan, purpose, steps } })
  })
  return { fixture, driver, state: () => fixture.entry('p').head as RecordState<'plan'> }
}

const seenEvent = (commitment: 'confirmed' | 'finalized'): TransactionEvent => ({
  type: 'chain.seen',
  commitment,
  slot: 7,
  blockTime: null,
  error: null,
  computeUnits: null,
  at: AT,
})

async function deliver(fixture: EngineFixture, id: string, event: TransactionEvent): Promise<void> {
  await fixture.settle(id, event)
  await fixture.engine.flush()
  for (let turn = 0; turn < 5; turn += 1) {
    await nextTurn()
    await fixture.store.commit([])
  }
}

const readDone = ({ context }: RecordState<'plan'>): boolean[] => context.steps.map((each) => each.done)

describe('a step', () => {
  it('is done when its transaction is confirmed; an indivisible one when it is final', async () => {
    for (const [purpose, afterConfirmed] of [
      ['lookupTable', true],
      [PROVIDED_PURPOSE, false],
    ] as const) {
      const { fixture, state, driver } = await scene(purpose)
      await deliver(fixture, 'one', seenEvent('confirmed'))
      expect(readDone(state())).toEqual([afterConfirmed, false])
      await deliver(fixture, 'one', seenEvent('finalized'))
      expect(readDone(state())).toEqual([true, false])
      await deliver(fixture, 'two', seenEvent('confirmed'))
      expect([readDone(state()), state().value]).toEqual([[true, true], 'finished'])
      await driver.stop()
    }
  })

  it('that is undone by a fork and provably never lands ends the plan, at any position', async () => {
    for (const isFinished of [false, true]) {
      const { fixture, state, driver } = await scene('lookupTable')
      await deliver(fixture, 'one', seenEvent('confirmed'))
      if (isFinished) await deliver(fixture, 'two', seenEvent('confirmed'))
      expect(state().value).toBe(isFinished ? 'finished' : 'running')
      await deliver(fixture, 'one', { type: 'chain.forgotten', at: AT })
      expect(state().value).toBe(isFinished ? 'finished' : 'running')
      await deliver(fixture, 'one', { type: 'chain.expired', at: AT, proof: null })
      expect([state().value, state().context.reason]).toEqual([
        'failed',
        'transaction one ended without effect after all',
      ])
      await driver.stop()
    }
  })
})
