// What a vault lends, to the unit: all that it has, down to its buffer, up to its cap and for its longest term. And
// what it is repaid.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Ids } from '../models.ts'
import { terms } from './loan-fixture.ts'
import { bond, buildLoanRequest, cash, fixture, item, readLoan, withLendingVault } from './lending-vault.ts'

withLendingVault()

let coin: Ids

beforeAll(async () => {
  const { records } = fixture.world
  coin = await records.instrument('SPL', await records.account())
  await fixture.feed(coin, '1')
})

/** A new vault that lends the instrument out of `units` raw units of it. */
async function vaultOf(units: bigint, more: object = {}, financialInstrument = cash, known?: Ids): Promise<Ids> {
  const { api, records } = fixture.world
  const strategyAccount = known ?? (await records.account({ tokenDebitLimits: [] }))
  await records.position(strategyAccount, financialInstrument, units)
  await api.ok(201, 'POST', '/loans/strategies', {
    ...{ strategyAccount, financialInstrument, originationsEnabled: true, collateral: [terms(bond)] },
    duration: { code: 'WEEKS', unit: 2 },
    ...more,
  })
  return strategyAccount
}

const raw = (instrument: Ids, lamports: number) => ({ ...item(instrument, 1), amount: undefined, lamports })
const requestOf = (vault: Ids, lamports: number, more: object = {}) =>
  buildLoanRequest({
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow: [raw(cash, lamports)],
    itemsToPledge: [item(bond, 50)],
    ...more,
  })

async function lends(vault: Ids, lamports: number, more: object = {}): Promise<void> {
  const { chainTransaction } = await fixture.world.api.ok<{ chainTransaction: { success: boolean } }>(
    ...([201, 'POST', '/loans', requestOf(vault, lamports, more)] as const),
  )
  expect(chainTransaction.success, JSON.stringify(chainTransaction)).toBe(true)
}

const refuses = (code: string, vault: Ids, lamports: number, more: object = {}) =>
  fixture.world.api.refuses(400, code, 'POST', '/loans', requestOf(vault, lamports, more))

describe('a vault', () => {
  it('lends all that it has, and not a unit more', async () => {
    const vault = await vaultOf(1_000_001n)
    await refuses('INSUFFICIENT_PRINCIPAL', vault, 1_000_002)
    await lends(vault, 1_000_001)
    await refuses('INSUFFICIENT_PRINCIPAL', vault, 1)
  })

  it('keeps its buffer of all its principal, what is lent too, rounded up', async () => {
    const vault = await vaultOf(1_000_001n, { liquidityBuffer: 100_000 })
    await lends(vault, 400_000)
    // 100 000.1 must stay.
    await refuses('INSUFFICIENT_PRINCIPAL', vault, 500_001)
    await lends(vault, 500_000)
  })

  it('counts for the buffer of one principal nothing that it lent of another', async () => {
    const vault = await vaultOf(1_000_000n, { liquidityBuffer: 500_000 })
    await vaultOf(1_000_000n, {}, coin, vault)
    await lends(vault, 1, { itemsToBorrow: [raw(cash, 100_000), raw(coin, 1_000_000)] })
    await refuses('INSUFFICIENT_PRINCIPAL', vault, 400_001)
    await lends(vault, 400_000)
  })

  it('lends its cap to one loan, and not a unit more', async () => {
    const vault = await vaultOf(10_000_000n, { originationCap: 0.5 })
    await refuses('INSUFFICIENT_PRINCIPAL', vault, 500_001)
    await lends(vault, 500_000)
    await lends(vault, 500_000)
  })

  it('is exempt from its debit limits only for loans of exempt strategies alone', async () => {
    const nothing = { limitType: 'PER_TRANSACTION', limitAmount: 0 }
    const known = await fixture.world.records.account({
      tokenDebitLimits: [{ operationType: 'ANY', destination: 'ANY', maxAllowedDebit: nothing }],
    })
    const vault = await vaultOf(1_000_000n, { exemptFromDebitLimits: true }, cash, known)
    await vaultOf(1_000_000n, {}, coin, vault)
    await refuses('DEBIT_LIMIT_EXCEEDED', vault, 1, { itemsToBorrow: [raw(cash, 1), raw(coin, 1)] })
    await lends(vault, 1)
  })

  it('lends for its longest term, however it is written, and no longer', async () => {
    const vault = await vaultOf(10_000_000n)
    await lends(vault, 1, { duration: { code: 'DAYS', unit: 14 } })
    await refuses('DURATION_NOT_ACCEPTED', vault, 1, { duration: { code: 'DAYS', unit: 15 } })
    await refuses('DURATION_NOT_ACCEPTED', vault, 1, { duration: { code: 'MINUTES', unit: 14 * 1_440 + 1 } })
  })
})

describe('a repayment', () => {
  it('is at most what is due, to the unit', async () => {
    const { api } = fixture.world
    const vault = await vaultOf(1_000n, { collateral: [terms(bond, { apy: 0 })] })
    const { newLoan: escrow } = await api.ok<{ newLoan: Ids }>(201, 'POST', '/loans', requestOf(vault, 1_000))
    const repayment = (lamports: number) => ({
      ...{ defiProtocol: 'ESCROW_VAULT', escrow, itemsToRepay: [raw(cash, lamports)] },
    })
    await api.refuses(400, 'OVERPAYMENT', 'PATCH', '/loans/repay', repayment(1_001))
    await api.ok(200, 'PATCH', '/loans/repay', repayment(1_000))
    expect(await readLoan(escrow)).toMatchObject({ lifecycleState: 'REPAID' })
    await api.refuses(400, 'OVERPAYMENT', 'PATCH', '/loans/repay', repayment(1))
  })
})
