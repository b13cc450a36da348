// The terms of a loan: those at its origination, the debit limits that apply, and the prices at the approval.
import { describe, expect, it } from 'vitest'
import { associated } from '../addresses.ts'
import { terms, type LoanCreation } from './loan-fixture.ts'
import type { Ids } from '../models.ts'
import {
  withLendingVault,
  UNIT,
  fixture,
  vault,
  cash,
  bond,
  strategy,
  bondFeed,
  cashFeed,
  at,
  item,
  buildLoanRequest,
  lend,
  readLoan,
} from './lending-vault.ts'

withLendingVault()

describe('the terms of a loan', () => {
  it('and its feeds are fixed at its origination, whatever happens to the strategy', async () => {
    const { api } = fixture.world
    const { newLoan } = await lend()
    const { lender: _, ...before } = await readLoan(newLoan)
    const another = await fixture.feed(bond, '0.01')
    const change = (members: object) =>
      api.ok(200, 'PATCH', '/loans/strategies', { strategy: { offchainId: strategy.offchainId }, ...members })
    await change({
      collateral: [
        terms(bond, {
          apy: 900_000,
          loanToValueRatio: 100_000,
          liquidationRatio: 200_000,
          onchainDataSource: { offchainId: another.offchainId },
        }),
      ],
      duration: { code: 'DAYS', unit: 1 },
      originationsEnabled: false,
      originationCap: 1,
      liquidityBuffer: 1_000_000,
    })
    expect(await readLoan(newLoan)).toMatchObject({
      lifecycleState: 'ACTIVE',
      health: before.health,
      currentLoanToValue: before.currentLoanToValue,
      borrowedItems: [
        { apy: 100_000, loanToValueRatio: 500_000, liquidationRatio: 800_000, duration: { code: 'WEEKS', unit: 2 } },
      ],
    })
    const loan = { defiProtocol: 'ESCROW_VAULT', escrow: newLoan }
    await api.ok(200, 'PATCH', '/loans/repay', { ...loan, itemsToRelease: [item(bond, 99)] })
    await api.refuses(400, 'LOAN_UNHEALTHY', 'PATCH', '/loans/repay', { ...loan, itemsToRelease: [item(bond, 1)] })
    await api.refuses(400, 'LOAN_NOT_LIQUIDATABLE', 'PATCH', '/loans/liquidate', loan)
    // A later loan uses the present terms: with several feeds they must be named.
    await api.refuses(400, 'LOOKUP_AMBIGUOUS', 'PATCH', '/loans/strategies', {
      strategy: { offchainId: strategy.offchainId },
      collateral: [terms(bond)],
    })
    await change({
      collateral: [terms(bond, { onchainDataSource: { offchainId: bondFeed.offchainId } })],
      duration: { code: 'WEEKS', unit: 2 },
      originationsEnabled: true,
      originationCap: null,
      liquidityBuffer: null,
    })
    await lend()
  })

  it('require fresh prices of both sides', async () => {
    fixture.pass(3_601)
    await fixture.price(bondFeed, '1')
    const stale = await fixture.world.api.refuses(400, 'PRICE_STALE', 'POST', '/loans', buildLoanRequest())
    expect(stale.message).toContain(cash.onchainId)
    await fixture.price(cashFeed, '0')
    await fixture.world.api.refuses(400, 'PRICE_MISSING', 'POST', '/loans', buildLoanRequest())
    await fixture.price(cashFeed, '1')
    await lend()
  })
})

describe('debit limits', () => {
  it('count pledges and payments of the borrower and loans of a non-exempt vault, but no releases', async () => {
    const { api, records } = fixture.world
    const limit = (limitAmount: number) => [
      { operationType: 'ANY', destination: 'ANY', maxAllowedDebit: { limitType: 'PER_TRANSACTION', limitAmount } },
    ]
    const limits = (account: Ids, tokenDebitLimits: object | null) =>
      api.ok(200, 'PATCH', '/accounts', { account, tokenDebitLimits })
    await limits(vault, limit(0))
    const bounded = await records.funded({ canPayFees: true, tokenDebitLimits: limit(50) })
    await records.position(bounded, bond, 100n * UNIT)
    const buildBoundedLoan = (amount: number) => ({
      itemsToBorrow: [{ positionLookup: at(cash, bounded), amount: 10 }],
      itemsToPledge: [{ positionLookup: at(bond, bounded), amount }],
    })
    await api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', '/loans', buildLoanRequest(buildBoundedLoan(51)))
    const exempt = (exemptFromDebitLimits: boolean) =>
      api.ok(200, 'PATCH', '/loans/strategies', {
        strategy: { offchainId: strategy.offchainId },
        exemptFromDebitLimits,
      })
    const { message } = await api.refuses(
      400,
      'DEBIT_LIMIT_EXCEEDED',
      'POST',
      '/loans',
      buildLoanRequest(buildBoundedLoan(50)),
    )
    expect(message).toContain(vault.onchainId)
    await exempt(true)
    const { newLoan: escrow } = await lend(buildBoundedLoan(50))
    await exempt(false)
    const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
    await limits(bounded, limit(4))
    const repay = (amount: number) => ({ ...loan, itemsToRepay: [{ positionLookup: at(cash, bounded), amount }] })
    await api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'PATCH', '/loans/repay', repay(5))
    await api.ok(200, 'PATCH', '/loans/repay', repay(4))
    const back = { ...loan, itemsToRelease: [{ positionLookup: at(bond, bounded), amount: 20 }] }
    await api.ok(200, 'PATCH', '/loans/repay', back)
    expect(await fixture.world.chain.tokens(associated(bounded.onchainId, bond.onchainId, 'TOKEN_2022'))).toBe(
      70n * UNIT,
    )
    await limits(vault, null)
  })
})

describe('a loan that needs approval', () => {
  it('is evaluated at the prices at the time of the approval, and then originated', async () => {
    const { api, records } = fixture.world
    const approver = await api.ok<{ keyId: string; apiKey: string }>(201, 'POST', '/admin/api-keys', {
      organizationExternalId: 'SYSTEM',
      name: 'approver',
      roles: ['DEBIT_LIMIT_APPROVE', 'TRANSACTIONS_READ'],
    })
    const maxAllowedDebit = { limitType: 'PER_TRANSACTION', limitAmount: 50, approversForOverride: [approver.keyId] }
    const bounded = await records.funded({
      canPayFees: true,
      tokenDebitLimits: [{ operationType: 'ANY', destination: 'ANY', maxAllowedDebit }],
    })
    await records.position(bounded, bond, 100n * UNIT)
    const request = {
      itemsToBorrow: [{ positionLookup: at(cash, bounded), amount: 40 }],
      itemsToPledge: [{ positionLookup: at(bond, bounded), amount: 90 }],
    }
    const { newLoan, chainTransaction } = await api.ok<LoanCreation>(201, 'POST', '/loans', buildLoanRequest(request))
    expect(chainTransaction).toMatchObject({ status: 'PREPARED', success: false, approval: { given: 0, required: 1 } })
    expect(await readLoan(newLoan)).toMatchObject({ lifecycleState: 'PENDING', borrowedItems: [], pledgedItems: [] })
    const approve = { offchainId: chainTransaction.offchainId }
    await fixture.price(bondFeed, '0.5')
    await api.as(approver.apiKey).refuses(400, 'LTV_EXCEEDED', 'POST', '/transactions/approve', approve)
    await fixture.price(bondFeed, '1')
    expect(await api.as(approver.apiKey).ok(200, 'POST', '/transactions/approve', approve)).toMatchObject({
      success: true,
    })
    expect(await readLoan(newLoan)).toMatchObject({ lifecycleState: 'ACTIVE', pledgedItems: [{ pledgedAmount: 90 }] })
  })
})
