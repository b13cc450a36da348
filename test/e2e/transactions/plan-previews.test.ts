// Dry runs of requests that take several transactions.
import { NONCE_ACCOUNT_LENGTH } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import { to, within } from '../limits/limit-fixture.ts'
import type { DryRun } from '../models.ts'
import { NONCES } from './nonce-fixture.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

describe('a dry run', () => {
  it('of nonce accounts shows the fees and the limits of all transactions', async () => {
    const limits = [to('ANY', within(0.02, 'DAYS')), to('ANY', { limitType: 'PER_TRANSACTION', limitAmount: 0.01 })]
    const feePayer = await world.records.funded({ canPayFees: true, networkCurrencyDebitLimits: limits })
    const nonceAuthority = await world.records.account()
    const options = { headers: { 'holdfast-dry-run': 'true' }, config: { feePayer } }
    const preview = async (count: number) =>
      (await world.api.ok<DryRun>(200, 'POST', NONCES, { nonceAuthority, count }, options)).dryRun
    const rent = await world.chain.rent(NONCE_ACCOUNT_LENGTH)
    const funds = await world.chain.lamports(feePayer.onchainId)
    const [one, many] = [await preview(4), await preview(30)]
    expect(one).not.toHaveProperty('transactionsCount')
    const passed = { verdict: 'PASSED', debit: Number(4n * rent) / 1e9 }
    expect(one.limits.slice(0, 2)).toMatchObject([passed, passed])
    expect(many.transactionsCount).toBe(8)
    expect(many.limits.slice(0, 2)).toMatchObject([{ verdict: 'EXCEEDED', debit: Number(30n * rent) / 1e9 }, passed])
    // One signature of the payer and one for each account.
    expect([one.feeLamports, many.feeLamports]).toEqual([5 * 5_000, (8 + 30) * 5_000])
    expect(many.simulation.error).toBeNull()
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(funds)
  })
})
