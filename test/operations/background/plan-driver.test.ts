// The evaluation of the transactions of a plan by the driver: done, failed, or pending.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { TransactionEvent } from '../../../machines/transactions/transaction-events.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { PlanDriver } from '../../../src/operations/background/plan-driver.ts'
import { PROVIDED_PURPOSE } from '../../../src/operations/transactions/plans/plan-record.ts'
import { TransportError } from '../../../src/rpc/rpc-error.ts'
import { TurnedClock } from '../webhooks/turned-clock.ts'
import { AT, plan, suspension } from '../../machines/records.ts'
import { EngineFixture, newTransaction, place, sign } from '../../engine/engine-fixture.ts'

interface Scene {
  readonly fixture: EngineFixture
  readonly state: () => RecordState<'plan'>
  readonly driver: PlanDriver
  readonly clock: TurnedClock
  /** Number of attempts to make a transaction, none of which succeeds. */
  readonly attempts: () => number
}

/** A plan of two steps whose transactions both exist, or only that of the first. */
async function scene(purpose: string, transactions: readonly [string, string | null] = ['one', 'two']): Promise<Scene> {
  const fixture = await EngineFixture.open()
  let attempts = 0
  const build = (): never => {
    attempts += 1
    throw new TransportError('TIMEOUT', 'no endpoint answers')
  }
  const platform = {
    engine: fixture.engine,
    clusters: new Map(),
    planSteps: { [purpose]: build },
  } as unknown as Platform
  const fail = (_: object, message: string): never => {
    throw new Error(message)
  }
  const clock = new TurnedClock()
  const driver = new PlanDriver(platform, clock, { warn: fail, error: fail })
  await fixture.commit((unit) => {
    for (const id of transactions) if (id !== null) sign(unit, newTransaction(unit, id, []))
    const steps = transactions.map((transactionId) => ({ data: {}, records: [], transactionId, done: false }))
    unit.create('plan', place('p'), { plan: { ...plan, purpose, steps } })
  })
  const state = () => fixture.entry('p').head as RecordState<'plan'>
  return { fixture, driver, clock, state, attempts: () => attempts }
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

  it('is not made while sending is suspended, because its transaction would expire unsent', async () => {
    const { fixture, driver, clock, state, attempts } = await scene('lookupTable', ['one', null])
    const scope = { tenant: null, organization: null, lane: null }
    await fixture.commit((unit) => unit.create('suspension', place('s'), { suspension: { ...suspension, scope } }))
    await deliver(fixture, 'one', seenEvent('confirmed'))
    for (let turns = 0; turns < 3; turns += 1) await clock.turn()
    expect([readDone(state()), state().value, attempts()]).toEqual([[true, false], 'running', 0])
    await fixture.commit((unit) =>
      unit.send<'suspension'>(fixture.entry('s'), { type: 'command.resume', by: 'key', at: AT }),
    )
    await clock.turn()
    expect([state().value, attempts()]).toEqual(['running', 1])
    await driver.stop()
  })
})
