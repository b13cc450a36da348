// Debit limits and time: approvals expire, and nothing is debited while the clock is wrong.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock, type Clock } from '../../../src/time/clock.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import { LimitFixture, PAY, perTransaction, stranger, to, type Held, type Person } from './limit-fixture.ts'
import type { Ids, Problems } from '../models.ts'
import { SOL } from '../records.ts'

const MINUTE = 60_000

/** The clock of the machine, shifted by the test. Timers stay unchanged. */
let wallMs = 0
let elapsedMs = 0
const shiftedClock: Clock = {
  ...systemClock,
  now: () => systemClock.now() + wallMs,
  elapsed: () => systemClock.elapsed() + elapsedMs,
}

let world: World
let fixture: LimitFixture
let anna: Person
let wallet: Ids

beforeAll(async () => {
  world = await startWorld({}, undefined, { clock: shiftedClock })
  fixture = new LimitFixture(world)
  await world.records.feePayer()
  anna = await fixture.person('SYSTEM', ['DEBIT_LIMIT_APPROVE'])
  wallet = await fixture.wallet([to('ANY', perTransaction(1, { approversForOverride: [anna.keyId] }))])
})
afterAll(() => world.stop())

it('a clock that is wrong by more than a minute stops debits only', async () => {
  const ready = async () => {
    const answer = await fetch(`${world.url}/readyz`)
    return { status: answer.status, body: (await answer.json()) as { checks: { clock: string } } }
  }
  const transaction = await fixture.pay(wallet, stranger(), 2n * SOL)
  for (const off of [MINUTE + 5_000, -MINUTE - 5_000]) {
    wallMs = off
    await world.api.refuses(503, 'CLOCK_OFF', 'POST', PAY, { source: wallet, destination: stranger(), lamports: 1 })
    await anna.api.refuses(503, 'CLOCK_OFF', 'POST', '/transactions/approve', { offchainId: transaction.offchainId })
    const { status, body } = await ready()
    expect(status).toBe(503)
    expect(body.checks.clock).toContain('off')
    expect(
      (await world.api.read<Held>('/transactions/status', { offchainId: transaction.offchainId })).approval?.given,
    ).toBe(0)
    await world.api.read('/accounts/single/balance', { offchainId: wallet.offchainId })
    await world.records.account()
  }
  wallMs = 0
  await eventually(async () => expect((await ready()).status).toBe(200))
  await fixture.pays(wallet, stranger(), SOL)
  expect(
    (await anna.api.ok<Held>(200, 'POST', '/transactions/approve', { offchainId: transaction.offchainId })).success,
  ).toBe(true)
})

it('an approval that is not given within two hours expires, and nothing is debited', async () => {
  const transaction = await fixture.pay(wallet, stranger(), 2n * SOL)
  const before = await world.chain.lamports(wallet.onchainId)
  const turn = (ms: number) => {
    wallMs += ms
    elapsedMs += ms
  }
  turn(119 * MINUTE)
  expect((await world.api.read<Held>('/transactions/status', { offchainId: transaction.offchainId })).status).toBe(
    'PREPARED',
  )
  turn(2 * MINUTE)
  await eventually(async () => {
    const now = await world.api.read<Held & Problems>('/transactions/status', {
      offchainId: transaction.offchainId,
    })
    expect(now).toMatchObject({ status: 'CANCELLED', success: false })
    expect(now.errorMessage).toContain('APPROVAL_LAPSED')
  })
  const response = await anna.api.send<Problems>('POST', '/transactions/approve', {
    offchainId: transaction.offchainId,
  })
  expect([response.status, response.body.errors?.[0]?.code]).toEqual([400, 'ENDED'])
  expect(await world.chain.lamports(wallet.onchainId)).toBe(before)
})
