// A batch that stops on a failure: no item is made while one before it is not, and none after one that failed.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '../../../src/contract/call.ts'
import { ofKind } from '../../../src/engine/records/record.ts'
import { BatchDriver } from '../../../src/operations/batches/driver.ts'
import { itemsOf } from '../../../src/operations/batches/record.ts'
import { LaneFull } from '../../../src/submission/submission.ts'
import { CLUSTER } from '../tenants-fixture.ts'
import { TurnedClock } from '../webhooks/turned-clock.ts'
import { BATCH, SOL, WaitingBatches } from './waiting-batch.ts'

let waiting: WaitingBatches
const quiet = { warn: () => undefined, error: () => undefined }

beforeEach(async () => {
  waiting = await WaitingBatches.open()
})

/** True if the chain has executed the transaction of the item, or it needed none. */
function isMade(id: string | null, value: string): boolean {
  if (id === null) return value === 'done'
  const transaction = ofKind(waiting.fixture.engine.directory.resident(id)?.head, 'transaction')
  return (
    (transaction?.value === 'confirmed' || transaction?.value === 'finalized') && transaction.context.error === null
  )
}

/** Items that were made before all earlier ones, as `index: state of the earlier one`. */
function watchOrder(): string[] {
  const violations: string[] = []
  const { engine, platform } = waiting.fixture
  engine.onCommitted((changes) => {
    for (const { next } of changes) {
      const item = ofKind(next, 'batchItem')
      if (item === undefined) continue
      const { index, transactionId } = item.context
      if (item.value !== 'underWay' && (item.value !== 'done' || transactionId !== null)) continue
      for (const { item: before } of itemsOf(platform, BATCH).slice(0, index)) {
        const { transactionId: id } = before.context
        if ((id === null || id !== transactionId) && !isMade(id, before.value))
          violations.push(`${index}: ${before.context.index} ${before.value}`)
      }
    }
  })
  return violations
}

/** Runs a driver until the batch has ended; resolves to the states of its items. */
async function statesAtEnd(): Promise<string[]> {
  const clock = new TurnedClock()
  const driver = new BatchDriver(waiting.fixture.platform, clock, quiet)
  driver.resume()
  await vi.waitFor(
    async () => {
      await clock.turn()
      const batch = ofKind(waiting.fixture.engine.directory.byId(BATCH)?.head, 'batch')
      expect(batch?.context.endedAt, JSON.stringify(batch?.context.counts)).not.toBeNull()
    },
    { timeout: 20_000 },
  )
  await driver.stop()
  return waiting.states()
}

const states = (done: number, failed: number, cancelled: number): string[] => [
  ...Array<string>(done).fill('done'),
  ...Array<string>(failed).fill('failed'),
  ...Array<string>(cancelled).fill('cancelled'),
]
const STOPS = { stopOnFailure: true }
const NOT_COVERED = { offchainBalanceAvailabilityPrecheck: false }
const account = (code: string, more: JsonObject = {}): JsonObject => ({ offchainReferences: { code }, ...more })

describe('a batch that stops on a failure', () => {
  it('makes no item after one whose record is refused', async () => {
    const violations = watchOrder()
    await waiting.create(
      'CREATE_ACCOUNT',
      ['one', 'one', 'two', 'three'].map((code) => account(code)),
      STOPS,
    )
    expect(await statesAtEnd()).toEqual(states(1, 1, 2))
    expect(violations).toEqual([])
  })

  it('waits for the transactions of items before it makes one that needs none', async () => {
    const violations = watchOrder()
    const seed = { seedLamports: '2000000' }
    const items = [account('one'), account('two', seed), account('three'), account('four', seed), account('five', seed)]
    await waiting.create('CREATE_ACCOUNT', [...items, account('three'), account('six')], STOPS)
    expect(await statesAtEnd()).toEqual(states(5, 1, 1))
    expect(violations).toEqual([])
  })

  it('makes one transaction after the other', async () => {
    const violations = watchOrder()
    const payments = Array.from({ length: 70 }, () => waiting.payment())
    await waiting.create('TRANSFER_NETWORK_CURRENCY', payments, STOPS)
    expect(await statesAtEnd()).toEqual(states(70, 0, 0))
    expect(violations).toEqual([])
    const transactions = [...waiting.fixture.engine.directory.entries('transaction')]
    expect(transactions.length).toBeGreaterThan(1)
    expect(transactions.length).toBeLessThan(8)
  })

  it('makes the items of a transaction that failed one after the other, up to the bad one', async () => {
    const violations = watchOrder()
    const lamports = ['1000', '1000', '1000', (5n * SOL).toString(), '1000', '1000']
    await waiting.create(
      'TRANSFER_NETWORK_CURRENCY',
      lamports.map((each) => waiting.payment(each, NOT_COVERED)),
      STOPS,
    )
    expect(await statesAtEnd()).toEqual(states(3, 1, 2))
    expect(violations).toEqual([])
  })

  it('stops at an item whose operation is refused, after those before it', async () => {
    const violations = watchOrder()
    const lamports = ['1000', '1000', (5n * SOL).toString(), '1000']
    await waiting.create(
      'TRANSFER_NETWORK_CURRENCY',
      lamports.map((each) => waiting.payment(each)),
      STOPS,
    )
    expect(await statesAtEnd()).toEqual(states(2, 1, 1))
    expect(violations).toEqual([])
  })

  it('makes no other item while one has to be made later', async () => {
    const violations = watchOrder()
    const cluster = waiting.fixture.platform.clusters.get(CLUSTER)!
    const admit = cluster.admit.bind(cluster)
    let calls = 0
    vi.spyOn(cluster, 'admit').mockImplementation((...place) => {
      calls += 1
      if (calls === 1 || calls === 3) throw new LaneFull('lane', 1)
      return admit(...place)
    })
    const payments = Array.from({ length: 40 }, () => waiting.payment())
    await waiting.create('TRANSFER_NETWORK_CURRENCY', payments, STOPS)
    expect(await statesAtEnd()).toEqual(states(40, 0, 0))
    expect(calls).toBeGreaterThan(3)
    expect(violations).toEqual([])
  })

  it('fails one item only when its key may no longer act', async () => {
    await waiting.create(
      'CREATE_ACCOUNT',
      ['one', 'two', 'three'].map((code) => account(code)),
      STOPS,
    )
    await waiting.expireKey()
    expect(await statesAtEnd()).toEqual(states(0, 1, 2))
  })
})
