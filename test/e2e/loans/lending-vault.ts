// A vault that lends cash against bonds, with a borrower, for the tests of the loan contract.
import { afterAll, beforeAll, expect } from 'vitest'
import { LoanFixture, terms, type Feed, type LoanCreation, type Loan } from './loan-fixture.ts'
import type { Ids } from '../models.ts'

export const UNIT = 1_000_000n
export let fixture: LoanFixture
export let vault: Ids
export let wallet: Ids
export let cash: Ids
export let bond: Ids
export let strategy: Ids
export let bondFeed: Feed
export let cashFeed: Feed

export const at = (financialInstrument: Ids, owner = wallet) => ({ owner, financialInstrument })
export const item = (instrument: Ids, amount: number | string) => ({ positionLookup: at(instrument), amount })
export const buildLoanRequest = (more: object = {}) => ({
  defiProtocol: 'ESCROW_VAULT',
  lendingDetails: { loanStrategyAddress: vault.onchainId },
  itemsToBorrow: [item(cash, 100)],
  itemsToPledge: [item(bond, 300)],
  ...more,
})
export const lend = async (more: object = {}, options: object = {}): Promise<LoanCreation> => {
  const creation = await fixture.world.api.ok<LoanCreation>(201, 'POST', '/loans', buildLoanRequest(more), options)
  expect(creation.chainTransaction.success, JSON.stringify(creation.chainTransaction)).toBe(true)
  return creation
}
export const readLoan = (escrow: Ids, more: object = {}): Promise<Loan> =>
  fixture.world.api.read('/loans/single', { escrow, ...more })

/**
 * Registers the hooks that set up the exports of this file for the tests, and clean up.
 *
 * @param changes further `HOLDFAST_*` settings, read when the tests begin
 */
export function withLendingVault(changes: () => Readonly<Record<string, string>> = () => ({})): void {
  beforeAll(async () => {
    fixture = await LoanFixture.open(changes())
    const { records, api } = fixture.world
    await records.feePayer()
    const issuer = await records.account()
    ;[cash, bond] = await Promise.all([records.instrument('SPL', issuer), records.instrument('TOKEN_2022', issuer)])
    ;[vault, wallet] = await Promise.all([records.account(), records.funded({ canPayFees: true })])
    await Promise.all([records.position(vault, cash, 10_000n * UNIT), records.position(wallet, bond, 9_000n * UNIT)])
    ;[cashFeed, bondFeed] = [await fixture.feed(cash, '1'), await fixture.feed(bond, '1')]
    const body = {
      strategyAccount: vault,
      financialInstrument: cash,
      originationsEnabled: true,
      collateral: [terms(bond)],
      duration: { code: 'WEEKS', unit: 2 },
    }
    strategy = (await api.ok<{ newStrategy: Ids }>(201, 'POST', '/loans/strategies', body)).newStrategy
  })
  afterAll(() => fixture.world.stop())
}
