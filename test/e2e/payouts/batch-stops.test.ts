// Batches that stop on a failure, over HTTP: what comes after a failed item is cancelled.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBatchWorld, type BatchWorld } from './batch-world.ts'
import type { BatchFixture } from './batch-fixture.ts'
import type { World } from '../harness.ts'
import type { Ids } from '../models.ts'
import { SOL } from '../records.ts'

let world: World
let fixture: BatchFixture
let cash: Ids
let positions: readonly Ids[]
let tokens: BatchWorld['tokens']

beforeAll(async () => {
  ;({ world, fixture, cash, positions, tokens } = await startBatchWorld())
})
afterAll(() => world.stop())

describe('failed items', () => {
  it('stop all later items with the option for it, and are retried together', async () => {
    const { records } = world
    const poor = await records.funded({ networkCurrencyDebitLimits: [], tokenDebitLimits: [] }, SOL)
    const source = await records.position(poor, cash, 100n)
    const [to] = positions as [Ids]
    const before = (await tokens(to))[0]!
    const item = (lamports: number) => ({
      source: { position: source },
      destination: { position: to },
      lamports,
      offchainBalanceAvailabilityPrecheck: false,
    })
    const ones = (count: number) => Array.from({ length: count }, () => item(1))
    // The bad one shares a transaction with items before and after it.
    const id = await fixture.create('TRANSFER', [...ones(40), item(5_000), ...ones(160)], { stopOnFailure: true })
    const items = await fixture.waitForEnd(id, 'FAILED')
    expect(items.map(({ status }) => status)).toEqual(
      items.map((_, index) => (index < 40 ? 'DONE' : index === 40 ? 'FAILED' : 'CANCELLED')),
    )
    expect(new Set(items.slice(41).map(({ cancelledBecause }) => cancelledBecause))).toEqual(new Set(['FAILURE']))
    expect((await tokens(to))[0]! - before).toBe(40n)
    await records.mint(source, 10_000n)
    await fixture.retry(id)
    await fixture.waitForEnd(id)
    expect((await tokens(to))[0]! - before).toBe(5_200n)
  })

  it('of one transaction stop the items after it', async () => {
    const source = await world.records.funded({ networkCurrencyDebitLimits: [] }, SOL)
    const payee = await world.records.account()
    const item = (amount: string) => ({
      ...{ source, destination: payee, amount },
      offchainBalanceAvailabilityPrecheck: false,
    })
    const id = await fixture.create(
      'TRANSFER_NETWORK_CURRENCY',
      [item('50'), ...Array.from({ length: 5 }, () => item('0.01'))],
      { stopOnFailure: true },
    )
    const items = await fixture.waitForEnd(id, 'FAILED')
    expect(items.map(({ status }) => status)).toEqual(['FAILED', ...Array<string>(5).fill('CANCELLED')])
    expect(await world.chain.lamports(payee.onchainId)).toBe(0n)
  })
})
