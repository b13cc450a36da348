// A lane that is resumed: what waited in it unsent is decided again before it is sent, as by Submit.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, pastLifetimes, startWorld, type World } from '../harness.ts'
import { PAY } from '../limits/limit-fixture.ts'
import type { Ids, Problems, Result, TransactionRecord } from '../models.ts'
import { SOL } from '../records.ts'

const AMOUNT = 1_000_000n
const ASYNC = { prefer: 'respond-async' }

let world: World
let source: Ids
let feePayer: Ids
let to: Ids

beforeAll(async () => {
  world = await startWorld({ HOLDFAST_EMBEDDED_FAULTS: 'on', HOLDFAST_EMBEDDED_SLOT_MS: '100' })
  const nonces = { nonceAuthority: await world.records.account(), count: 5 }
  await world.api.ok(201, 'POST', '/durable-nonce-accounts', nonces, {
    config: { feePayer: await world.records.feePayer() },
  })
})
afterAll(() => world.stop())
beforeEach(async () => {
  source = await world.records.funded({ networkCurrencyDebitLimits: [] }, SOL)
  feePayer = await world.records.funded({ canPayFees: true }, SOL)
  to = await world.records.account()
})

const turn = (which: 'suspend' | 'resume') => world.api.ok(200, 'PATCH', `/admin/lanes/${which}`, {})
const recordOf = ({ offchainId }: Result): Promise<TransactionRecord> =>
  world.api.read<TransactionRecord>('/transactions/single', { offchainId })

async function waitsInLane(destination = to): Promise<Result> {
  const config = { feePayer, messageLifetimeStrategy: 'DURABLE_NONCE' }
  const body = { source, destination, lamports: AMOUNT.toString() }
  const result = await world.api.ok<Result>(201, 'POST', PAY, body, { config, headers: ASYNC })
  expect(result.status).toBe('SIGNED')
  return result
}

async function isWithheld(result: Result): Promise<void> {
  await eventually(async () => {
    const { status, history } = await recordOf(result)
    expect(status, JSON.stringify(history)).toBe('SIGNED')
    expect(history.at(-1)?.detail).toContain('it waits for Submit')
  })
}

describe('a transaction that waits in a suspended lane', () => {
  it('is not sent on resumption while the account that pays is frozen, and is sent by Submit later', async () => {
    await turn('suspend')
    const [result, free] = [await waitsInLane(), await waitsInLane()]
    const account = { offchainId: source.offchainId }
    await world.api.ok(200, 'PATCH', '/admin/freeze', { account })
    await turn('resume')
    await isWithheld(result)
    await isWithheld(free)
    const transaction = { offchainId: result.offchainId }
    await world.api.refuses(403, 'FROZEN', 'POST', '/transactions/submit', { transaction })
    await world.api.ok(200, 'PATCH', '/admin/unfreeze', { account })
    for (const { offchainId } of [result, free]) {
      const sent = await world.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction: { offchainId } })
      expect(sent.success).toBe(true)
    }
    expect(await world.chain.lamports(to.onchainId)).toBe(2n * AMOUNT)
    await world.records.accountsEqualChain(source, feePayer)
  })

  it('is not sent on resumption to an address that was blocked, and a cancellation frees what it holds', async () => {
    await turn('suspend')
    const other = await world.records.account()
    const [blocked, free] = [await waitsInLane(), await waitsInLane(other)]
    const addresses = [{ onchainId: to.onchainId }]
    await world.api.ok(201, 'POST', '/counterparties', { name: 'Doubtful', status: 'BLOCKED', addresses })
    await turn('resume')
    await eventually(async () => expect((await recordOf(free)).status).toBe('FINALIZED'))
    await isWithheld(blocked)
    const transaction = { offchainId: blocked.offchainId }
    const { status, body } = await world.api.send<Problems>('POST', '/transactions/submit', { transaction })
    expect([status, body.errors?.[0]?.code]).toEqual([403, 'DESTINATION_NOT_ALLOWED'])
    await world.api.ok(200, 'PATCH', '/transactions/cancel', transaction, { headers: ASYNC })
    await eventually(async () => expect((await recordOf(blocked)).status).toBe('CANCELLED'))
    expect(await world.chain.lamports(to.onchainId)).toBe(0n)
    expect(await world.chain.lamports(source.onchainId)).toBe(SOL - AMOUNT)
    const balance = { available: { lamports: Number(SOL - AMOUNT) }, reserved: { lamports: 0 } }
    expect(await world.api.read('/accounts/single/balance', { offchainId: source.offchainId })).toMatchObject(balance)
  })

  it('under a blockhash is not sent, and ends by proof', async () => {
    await turn('suspend')
    const body = { source, destination: to, lamports: AMOUNT.toString() }
    const result = await world.api.ok<Result>(201, 'POST', PAY, body, { config: { feePayer }, headers: ASYNC })
    await world.api.ok(200, 'PATCH', '/admin/freeze', { account: { offchainId: source.offchainId } })
    await turn('resume')
    await isWithheld(result)
    await pastLifetimes(world, async () => expect((await recordOf(result)).status).toBe('EXPIRED'))
    expect(await world.chain.lamports(source.onchainId)).toBe(SOL)
  })
})
