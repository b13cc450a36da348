// A record whose actor throws, met by work that no request waits for: the work is tried again, what concerns other
// records goes on, and nothing escapes that would end the process.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { BatchContext } from '../../../machines/batch.ts'
import type { BatchItemContext } from '../../../machines/batch-item.ts'
import type { TransactionEvent } from '../../../machines/transactions/transaction-events.ts'
import { ofKind } from '../../../src/engine/records/record.ts'
import { Lapses } from '../../../src/operations/background/lapse.ts'
import { PlanDriver } from '../../../src/operations/background/plan-driver.ts'
import { BatchDriver } from '../../../src/operations/batches/driver.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { reconcileNoticed } from '../../../src/operations/reconcile/reconcile.ts'
import { ScheduleDriver } from '../../../src/operations/schedules/driver.ts'
import { TransactionMeasurer } from '../../../src/operations/transactions/measure.ts'
import { MeasuringLoad } from '../../../src/operations/transactions/measuring-load.ts'
import { account, AT, fixed, plan } from '../../machines/records.ts'
import { occurrence, schedule } from '../../machines/schedule-subjects.ts'
import { CLUSTER, EngineFixture, newAccount, newTransaction, place, sign } from '../../engine/engine-fixture.ts'
import { TurnedClock } from '../webhooks/turned-clock.ts'

const DAY = 24 * 3_600_000
const batch = {
  organization: 'ACME',
  endpoint: 'POST /api/v1/batches',
  requestId: 'r',
  externalReference: null,
  requester: plan.requester,
  operation: 'TRANSFER',
  config: null,
  stopOnFailure: false,
  items: 1,
  counts: { waiting: 1, underWay: 0, done: 0, failed: 0, cancelled: 0 },
  sweep: null,
  approval: null,
  createdAt: AT,
  endedAt: null,
} as BatchContext
const batchItem: BatchItemContext = {
  batchId: 'b',
  organization: 'ACME',
  index: 0,
  data: {},
  externalReference: null,
  transactionId: null,
  members: null,
  problem: null,
  cancelledBecause: null,
  earlier: [],
  endedAt: null,
}

/** A clock whose callbacks, as those of the service's own one, end the process with what they throw. */
class StrictClock extends TurnedClock {
  override soon(callback: () => void): void {
    super.soon(() => {
      try {
        callback()
      } catch (error) {
        escaped.push(error)
      }
    })
  }
}

let fixture: EngineFixture
let platform: Platform
let clock: StrictClock
let logged: object[]
let escaped: unknown[]
let others: NodeJS.UnhandledRejectionListener[]
const log = {
  error: (fields: object): void => void logged.push(fields),
  warn: (fields: object): void => void logged.push(fields),
}
const onRejection = (error: unknown): void => void escaped.push(error)

beforeEach(async () => {
  fixture = await EngineFixture.open()
  clock = new StrictClock()
  logged = []
  escaped = []
  platform = { engine: fixture.engine, clusters: new Map(), clock, log } as unknown as Platform
  others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', onRejection)
})
afterEach(() => {
  process.removeListener('unhandledRejection', onRejection)
  for (const each of others) process.on('unhandledRejection', each)
})

/** The returned function ends the defect. */
function breakRecord(id: string): () => void {
  const entry = fixture.entry(id)
  entry.sleep()
  Object.defineProperty(entry, 'awake', {
    configurable: true,
    value: () => {
      throw new Error('an action threw')
    },
  })
  return () => void Reflect.deleteProperty(entry, 'awake')
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

async function settle(id: string, commitment: 'confirmed' | 'finalized'): Promise<void> {
  await fixture.settle(id, seenEvent(commitment))
  await rest()
}

async function rest(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) {
    await nextTurn()
    await fixture.engine.flush()
    await fixture.store.commit([])
  }
}

const valueOf = (id: string): string => fixture.entry(id).head.value

it('the other transactions lapse, and the broken one later', async () => {
  let now = Date.parse(fixed.preparedAt)
  await fixture.commit((unit) => {
    for (const id of ['broken', 'healthy']) newTransaction(unit, id, [], null)
  })
  const heal = breakRecord('broken')
  const lapses = new Lapses(fixture.engine, { now: () => now }, log)
  now += DAY
  lapses.sweep()
  expect(valueOf('healthy')).not.toBe('prepared')
  expect(logged).toMatchObject([{ transactionId: 'broken' }])
  heal()
  now += 60_000
  lapses.sweep()
  expect(valueOf('broken')).toBe(valueOf('healthy'))
})

it('a plan whose step is done goes on when its record is whole again', async () => {
  const driver = new PlanDriver(platform, clock, log)
  await fixture.commit((unit) => {
    for (const id of ['one', 'two']) sign(unit, newTransaction(unit, id, []))
    const steps = ['one', 'two'].map((transactionId) => ({ data: {}, records: [], transactionId, done: false }))
    unit.create('plan', place('p'), { plan: { ...plan, purpose: 'lookupTable', steps } })
  })
  const heal = breakRecord('p')
  await settle('one', 'confirmed')
  const first = clock.nowMs
  await clock.turn()
  const second = clock.nowMs
  await clock.turn()
  expect(escaped).toEqual([])
  expect(logged.length).toBeGreaterThan(1)
  expect(logged).toEqual(logged.map(() => expect.objectContaining({ planId: 'p' }) as object))
  // A record that stays broken does not fill the log.
  expect(clock.nowMs - second).toBeGreaterThan(second - first)
  heal()
  fixture.entry('p').quarantined = false
  await clock.turn()
  await rest()
  expect(ofKind(fixture.entry('p').head, 'plan')?.context.steps[0]?.done).toBe(true)
  await driver.stop()
})

it('a plan that has failed ends when its record is whole again', async () => {
  const driver = new PlanDriver(platform, clock, log)
  await fixture.commit((unit) => {
    newTransaction(unit, 'one', [], null)
    const steps = [{ data: {}, records: [], transactionId: 'one', done: false }]
    unit.create('plan', place('p'), { plan: { ...plan, purpose: 'lookupTable', steps } })
  })
  const heal = breakRecord('p')
  await fixture.settle('one', { type: 'clock.lapsed', at: AT, reason: 'lapsed' })
  await rest()
  expect([escaped, logged.length]).toEqual([[], 1])
  heal()
  await clock.turn()
  expect(valueOf('p')).toBe('failed')
  await driver.stop()
})

async function openBatch(): Promise<void> {
  await fixture.commit((unit) => {
    sign(unit, newTransaction(unit, 't', []))
    const entry = unit.create('batch', place('b'), { batch })
    const item = unit.create('batchItem', place('i'), { item: batchItem })
    unit.send<'batch'>(entry, { type: 'command.start', approval: null, at: AT })
    unit.send<'batchItem'>(item, { type: 'command.begin', transactionId: 't', members: {} })
    unit.send<'batch'>(entry, { type: 'command.begin', items: 1, at: AT })
  })
}

it('a final transaction ends its batch item when the item is whole again', async () => {
  const driver = new BatchDriver(platform, clock, log)
  await openBatch()
  const heal = breakRecord('i')
  await settle('t', 'finalized')
  expect([escaped, valueOf('i')]).toEqual([[], 'underWay'])
  expect(logged).toContainEqual(expect.objectContaining({ transactionId: 't' }))
  heal()
  await clock.turn()
  expect([valueOf('i'), valueOf('b')]).toEqual(['done', 'done'])
  await driver.stop()
})

it('an item of a shared transaction ends beside broken ones', async () => {
  const driver = new BatchDriver(platform, clock, log)
  const items = ['i', 'j', 'k']
  await fixture.commit((unit) => {
    sign(unit, newTransaction(unit, 't', []))
    const counts = { ...batch.counts, waiting: 3 }
    const entry = unit.create('batch', place('b'), { batch: { ...batch, items: 3, counts } })
    unit.send<'batch'>(entry, { type: 'command.start', approval: null, at: AT })
    for (const [index, id] of items.entries()) {
      const item = unit.create('batchItem', place(id), { item: { ...batchItem, index } })
      unit.send<'batchItem'>(item, { type: 'command.begin', transactionId: 't', members: {} })
    }
    unit.send<'batch'>(entry, { type: 'command.begin', items: 3, at: AT })
  })
  const heals = ['i', 'j'].map(breakRecord)
  await settle('t', 'finalized')
  expect([escaped, items.map(valueOf)]).toEqual([[], ['underWay', 'underWay', 'done']])
  for (const heal of heals) heal()
  await clock.turn()
  expect([...items, 'b'].map(valueOf)).toEqual(['done', 'done', 'done', 'done'])
  await driver.stop()
})

it('a broken batch item does not keep the service from starting', async () => {
  await openBatch()
  await settle('t', 'finalized')
  const heal = breakRecord('i')
  const driver = new BatchDriver(platform, clock, log)
  driver.resume()
  await rest()
  expect([escaped, logged.length]).toEqual([[], 1])
  heal()
  await clock.turn()
  expect(valueOf('b')).toBe('done')
  await driver.stop()
})

it('a batch whose approval has lapsed is cancelled when its record is whole again', async () => {
  const driver = new BatchDriver(platform, clock, log)
  const approval = { needed: 1, approvals: [], expiresAt: new Date(clock.nowMs + 500).toISOString() }
  await fixture.commit((unit) => {
    const entry = unit.create('batch', place('b'), { batch })
    unit.create('batchItem', place('i'), { item: batchItem })
    unit.send<'batch'>(entry, { type: 'command.start', approval: approval as never, at: AT })
  })
  await rest()
  const heal = breakRecord('b')
  await clock.turn()
  expect([escaped, valueOf('b')]).toEqual([[], 'prepared'])
  expect(logged).toContainEqual(expect.objectContaining({ batchId: 'b' }))
  heal()
  await clock.turn()
  await rest()
  expect(fixture.entry('b').head.value).toBe('cancelled')
  await driver.stop()
})

it('a final transaction ends its occurrence when the schedule is whole again', async () => {
  const driver = new ScheduleDriver(platform, clock, log)
  await fixture.commit((unit) => {
    sign(unit, newTransaction(unit, 't', []))
    unit.create('schedule', place('s'), { schedule: { ...schedule, next: null } })
    const input = { occurrence: { ...occurrence, scheduleId: 's', transactionId: 't' }, state: 'underWay' } as const
    unit.create('occurrence', place('o'), input)
  })
  const heal = breakRecord('s')
  await settle('t', 'finalized')
  expect([escaped, valueOf('o')]).toEqual([[], 'underWay'])
  expect(logged).toMatchObject([{ transactionId: 't' }])
  heal()
  await clock.turn()
  expect(valueOf('o')).toBe('done')
  await driver.stop()
})

it('the balances of other accounts follow the chain, and the broken one later', async () => {
  const accountView = { lamports: 900n, owner: account.ownerProgram, data: new Uint8Array(), executable: false }
  const access = {
    id: CLUSTER,
    state: () => null,
    cut: (addresses: readonly string[]) =>
      Promise.resolve({
        ...{ slot: 30, afterSlot: 30, before: new Map(), after: new Map() },
        accounts: addresses.map(() => accountView),
      }),
  }
  platform = { ...platform, clusters: new Map([[CLUSTER, access]]) } as unknown as Platform
  await fixture.commit((unit) => {
    for (const id of ['broken', 'healthy']) newAccount(unit, id, '1000')
  })
  const balanceOf = (id: string) => ofKind(fixture.entry(id).head, 'account')?.context.lamports.balance
  const { outOfBalance } = fixture.engine
  const heal = breakRecord('broken')
  for (const id of ['broken', 'healthy']) outOfBalance.add(fixture.entry(id))
  await reconcileNoticed(platform, 10)
  expect([balanceOf('broken'), balanceOf('healthy')]).toEqual(['1000', '900'])
  expect([logged, [...outOfBalance]]).toMatchObject([[{ record: 'broken' }], [fixture.entry('broken')]])
  heal()
  await reconcileNoticed(platform, 10)
  expect([balanceOf('broken'), outOfBalance.size]).toEqual(['900', 0])
  // Once quarantined, it is not read in vain.
  fixture.entry('broken').quarantined = true
  outOfBalance.add(fixture.entry('broken'))
  await reconcileNoticed(platform, 10)
  expect([logged.length, outOfBalance.size]).toEqual([1, 0])
})

it('facts of a final transaction that cannot be recorded are left unknown', async () => {
  const landed = { landed: () => Promise.resolve({ computeUnits: 1, blockTime: 1, slot: 7 }) }
  const clusters = new Map([[CLUSTER, landed]])
  const load = new MeasuringLoad(() => clock.elapsed())
  const measuring = new TransactionMeasurer(fixture.engine, clusters, load, log)
  await fixture.commit((unit) => {
    sign(unit, newTransaction(unit, 't', []))
  })
  await settle('t', 'finalized')
  breakRecord('t')
  measuring.turn()
  await rest()
  expect(escaped).toEqual([])
  expect(logged).toMatchObject([{ transactionId: 't' }])
  await measuring.stop()
})
