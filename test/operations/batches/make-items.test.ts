// Items of a batch that changes while they are executed leave nothing in memory, on disk or on the chain.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Entry } from '../../../src/engine/records/entry.ts'
import { ofKind } from '../../../src/engine/records/record.ts'
import { MAX_PACKED } from '../../../src/operations/batches/check.ts'
import { BatchDriver } from '../../../src/operations/batches/driver.ts'
import { makeItems } from '../../../src/operations/batches/make-items.ts'
import { itemsOf } from '../../../src/operations/batches/record.ts'
import { carryOutSweep } from '../../../src/operations/batches/sweep.ts'
import { Refusal } from '../../../src/contract/refusal.ts'
import { LaneFull } from '../../../src/submission/submission.ts'
import { AT } from '../../machines/records.ts'
import { TurnedClock } from '../webhooks/turned-clock.ts'
import { CLUSTER, type TenantsFixture } from '../tenants-fixture.ts'
import { BATCH, SOL, WaitingBatches } from './waiting-batch.ts'

const ITEMS = 4

let waiting: WaitingBatches
let fixture: TenantsFixture

beforeEach(async () => {
  waiting = await WaitingBatches.open()
  fixture = waiting.fixture
})

const DATA = {
  TRANSFER_NETWORK_CURRENCY: () => waiting.payment(),
  CREATE_ACCOUNT: () => ({ managed: true, canPayFees: false, alreadyOnchain: false, seed: null }),
} as const

const batch = (operation: keyof typeof DATA, count = ITEMS): Promise<Entry> =>
  waiting.create(operation, Array.from({ length: count }, DATA[operation]))

/** The chain may be faster than the test. */
const isMade = (value: unknown): boolean => value === 'underWay' || value === 'done'
const eventually = (look: () => Promise<void>): Promise<void> => vi.waitFor(look, { timeout: 120_000 })

/** The returned function ends the defect. */
function breakRecord(id: string): () => void {
  const entry = fixture.engine.directory.byId(id)!
  entry.sleep()
  Object.defineProperty(entry, 'awake', {
    configurable: true,
    value: () => {
      throw new Error('an action threw')
    },
  })
  return () => {
    Reflect.deleteProperty(entry, 'awake')
    entry.quarantined = false
  }
}

const make = (entry: Entry) =>
  makeItems(fixture.platform, entry, ofKind(entry.head, 'batch')!, itemsOf(fixture.platform, BATCH))
const values = (): string[] => waiting.states()
const heads = (): string[] => [...fixture.engine.directory.entries()].map(({ head }) => JSON.stringify(head)).sort()
const readTransactionIds = () => [...fixture.engine.directory.entries('transaction')].map(({ head }) => head.id)

describe('the items of a batch', () => {
  it('share a transaction, which is noted on each of them', async () => {
    const entry = await batch('TRANSFER_NETWORK_CURRENCY')
    expect(await make(entry)).toEqual({ transactions: readTransactionIds(), fit: null, left: [], later: [] })
    expect(readTransactionIds()).toHaveLength(1)
    expect(values()).toEqual(Array(ITEMS).fill('underWay'))
  })

  it('share transactions that differ although their items and their largest unit limits are equal', async () => {
    const entry = await batch('TRANSFER_NETWORK_CURRENCY', 3 * MAX_PACKED)
    const { transactions, left } = await make(entry)
    expect([transactions.length, left]).toEqual([4, []])
    expect(new Set(values())).toEqual(new Set(['underWay']))
  })

  it('wait without a trace if the batch is cancelled in the meantime', async () => {
    const entry = await batch('TRANSFER_NETWORK_CURRENCY')
    const making = make(entry)
    const event = { type: 'command.cancel', because: 'REQUESTED', at: AT } as const
    const { durable } = fixture.engine.transact((unit) => unit.send<'batch'>(entry, event))
    // Records created since are compared with those at the time of the cancellation.
    const before = heads()
    await durable
    const { transactions, left } = await making
    expect([transactions, left.map(({ item }) => item.context.index)]).toEqual([[], [0, 1, 2, 3]])
    await fixture.engine.flush()
    expect(heads()).toEqual(before)
    expect(readTransactionIds()).toEqual([])
    expect(fixture.lamports(waiting.target)).toBe(SOL)
  })

  it('that find their submission lane full are left together, and are not tried in smaller parts', async () => {
    const entry = await batch('TRANSFER_NETWORK_CURRENCY')
    const admit = vi.spyOn(fixture.platform.clusters.get(CLUSTER)!, 'admit').mockImplementation(() => {
      throw new LaneFull('lane', 1)
    })
    const { transactions, left } = await make(entry)
    expect([transactions, left.map(({ item }) => item.context.index)]).toEqual([[], [0, 1, 2, 3]])
    expect(values()).toEqual(Array(ITEMS).fill('waiting'))
    expect(admit).toHaveBeenCalledTimes(1)
  })

  it('are tried in smaller parts if the simulation of their shared transaction fails', async () => {
    const entry = await batch('TRANSFER_NETWORK_CURRENCY')
    const problem = { code: 'SIMULATION_FAILED', message: 'simulation failed', retryable: true }
    vi.spyOn(fixture.platform.clusters.get(CLUSTER)!, 'admit').mockImplementationOnce(() => {
      throw new Refusal(400, [problem])
    })
    const { transactions, left } = await make(entry)
    expect([transactions.length, left]).toEqual([2, []])
    expect(values()).toEqual(Array(ITEMS).fill('underWay'))
  })

  it('are made and failed beside those whose records take no event, which are left', async () => {
    const entry = await batch('TRANSFER_NETWORK_CURRENCY')
    const heals = ['item 0', 'item 2'].map(breakRecord)
    const { left } = await make(entry)
    expect(left.map(({ item }) => item.context.index)).toEqual([0, 2])
    expect(values()).toEqual(['waiting', 'underWay', 'waiting', 'underWay'])
    for (const heal of heals) heal()
  })

  it('are cancelled beside a broken one, for which the sweep is repeated', async () => {
    const entry = await batch('TRANSFER_NETWORK_CURRENCY')
    const heal = breakRecord('item 1')
    const event = { type: 'command.cancel', because: 'REQUESTED', at: AT } as const
    await fixture.engine.transact((unit) => unit.send<'batch'>(entry, event)).durable
    await expect(carryOutSweep(fixture.platform, entry)).rejects.toThrow('could not process an event')
    expect(values()).toEqual(['cancelled', 'waiting', 'cancelled', 'cancelled'])
    heal()
    await carryOutSweep(fixture.platform, entry)
    expect([...values(), entry.head.value]).toEqual([...Array<string>(ITEMS).fill('cancelled'), 'cancelled'])
  })

  it('do not wait behind more broken ones than are tried at a time', async () => {
    const clock = new TurnedClock()
    const driver = new BatchDriver(fixture.platform, clock, { warn: () => undefined, error: () => undefined })
    const entry = await batch('TRANSFER_NETWORK_CURRENCY', MAX_PACKED + 8)
    const heals = Array.from({ length: MAX_PACKED + 4 }, (_, index) => breakRecord(`item ${index}`))
    driver.resume()
    await eventually(async () => {
      await clock.turn()
      expect(values().filter(isMade)).toHaveLength(4)
    })
    await driver.stop()
    for (const heal of heals) heal()
    expect(entry.head.value).toBe('underWay')
  })

  it('that can only be made later are tried again behind the others', async () => {
    const clock = new TurnedClock()
    const driver = new BatchDriver(fixture.platform, clock, { warn: () => undefined, error: () => undefined })
    const cluster = fixture.platform.clusters.get(CLUSTER)!
    const admit = cluster.admit.bind(cluster)
    let calls = 0
    vi.spyOn(cluster, 'admit').mockImplementation((...place) => {
      calls += 1
      // The first items need two transactions, which are refused. The next one asks for a place and takes it.
      if (calls !== 3 && calls !== 4) throw new LaneFull('lane', 1)
      return admit(...place)
    })
    await batch('TRANSFER_NETWORK_CURRENCY', MAX_PACKED + 4)
    driver.resume()
    await eventually(async () => {
      await clock.turn()
      expect(calls).toBeGreaterThan(4)
    })
    expect(values().slice(MAX_PACKED).filter(isMade)).toHaveLength(4)
    expect(values().slice(0, MAX_PACKED)).toContain('waiting')
    await driver.stop()
  })

  it('that need no transaction are made without the one that is cancelled in the meantime', async () => {
    const entry = await batch('CREATE_ACCOUNT')
    const making = make(entry)
    await fixture.engine.transact((unit) => {
      const item = fixture.engine.directory.byId('item 2')!
      unit.send<'batchItem'>(item, { type: 'command.cancel', because: 'REQUESTED', at: AT })
    }).durable
    const { transactions, left } = await making
    expect([transactions, left.map(({ item }) => item.context.index)]).toEqual([[], [2]])
    expect(values()).toEqual(['done', 'done', 'cancelled', 'done'])
    expect(ofKind(entry.head, 'batch')!.context.counts).toMatchObject({ waiting: 1, done: 3 })
  })
})
