// The borrowers of a strategy, and the cap of the principal that the organization of a borrower owes at any time.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LoanCreation } from '../e2e/loans/loan-fixture.ts'
import type { Ids, Problems } from '../e2e/models.ts'
import { LendingTenants, UNIT, type Tenant } from './fixtures/lending-tenants.ts'

const STRATEGIES = '/loans/strategies'
let tenants: LendingTenants
let lender: Tenant
let borrower: Tenant

beforeAll(async () => {
  tenants = await LendingTenants.open()
  ;({ lender, borrower } = tenants)
})
afterAll(() => tenants.fixture.world.stop())

const capped = (cap: number | string) => [{ organizationExternalId: borrower.organization, cap }]
const exempt = (cap: number) => ({ borrowers: capped(cap), exemptFromDebitLimits: true })
const record = (strategy: Ids) =>
  lender.admin.api.read<{ borrowers: object[]; exemptFromDebitLimits: boolean }>(`${STRATEGIES}/single`, {
    strategy: { offchainId: strategy.offchainId },
  })

interface Refused extends Problems {
  readonly chainTransaction?: { readonly success: boolean }
}

describe('14.6: borrowers', () => {
  it('14.6: of another tenant need a cap, and the refusal names the member', async () => {
    const treasury = await tenants.treasury(10n)
    for (const entry of [
      borrower.organization,
      { organizationExternalId: borrower.organization },
      { organizationExternalId: borrower.organization, cap: null },
    ]) {
      const strategy = tenants.strategy(treasury, { borrowers: [lender.organization, entry] })
      const { pointer } = await lender.admin.api.refuses(400, 'BORROWER_CAP_REQUIRED', 'POST', STRATEGIES, strategy)
      expect(pointer).toBe('/itemData/borrowers/1/cap')
    }
    const repeatedBorrowers = [...capped(1), borrower.organization]
    await lender.admin.api.refuses(
      400,
      'DUPLICATE_ITEM',
      'POST',
      STRATEGIES,
      tenants.strategy(treasury, { borrowers: repeatedBorrowers }),
    )
    await lender.admin.api.refuses(
      400,
      'TOO_PRECISE',
      'POST',
      STRATEGIES,
      tenants.strategy(treasury, { borrowers: capped('0.0000001') }),
    )
    const newStrategy = await tenants.makesStrategy(treasury, { borrowers: [lender.organization, ...capped('2.5')] })
    expect((await record(newStrategy)).borrowers).toEqual([
      { organizationExternalId: lender.organization, cap: null },
      { organizationExternalId: borrower.organization, cap: 2.5 },
    ])
    expect((await record(newStrategy)).exemptFromDebitLimits).toBe(false)
  })

  it('14.6, 14.15: not named are those of the tenant; the returned value can be written back', async () => {
    const strategy = await tenants.makesStrategy(await tenants.treasury(10n))
    const { borrowers } = await record(strategy)
    expect(borrowers).toEqual([{ organizationExternalId: lender.organization, cap: null }])
    await lender.admin.api.ok(200, 'PATCH', STRATEGIES, tenants.change(strategy, { borrowers }))
    expect((await record(strategy)).borrowers).toEqual(borrowers)
    await lender.admin.api.ok(200, 'PATCH', STRATEGIES, tenants.change(strategy, { borrowers: [] }))
    expect((await record(strategy)).borrowers).toEqual([])
  })

  it('14.6: get no more than the cap in concurrent loans', async () => {
    const treasury = await tenants.treasury(1_000n)
    await tenants.makesStrategy(treasury, exempt(25))
    const wallets = await Promise.all(Array.from({ length: 4 }, () => tenants.borrowing(borrower, 100n)))
    const requests = wallets.flatMap((wallet) => [
      tenants.loan(treasury, wallet, 7, 30),
      tenants.loan(treasury, wallet, 4, 30),
    ])
    const answers = await Promise.all(requests.map((each) => borrower.admin.api.send<Refused>('POST', '/loans', each)))
    const refusals = answers.filter(({ status }) => status !== 201)
    expect(refusals.map(({ body }) => body.errors![0]!.code)).toEqual(refusals.map(() => 'BORROWER_CAP_EXCEEDED'))
    expect(refusals.length).toBeGreaterThan(0)
    const lentUnits = 1_000n * UNIT - (await tenants.balanceOf(treasury))
    expect(lentUnits).toBeGreaterThan(18n * UNIT)
    expect(lentUnits).toBeLessThanOrEqual(25n * UNIT)
  })

  it('14.6: can borrow again after a repayment, interest aside; another strategy has its own cap', async () => {
    const [treasury, other] = [await tenants.treasury(100n), await tenants.treasury(100n)]
    await Promise.all([treasury, other].map((vault) => tenants.makesStrategy(vault, exempt(10))))
    const wallet = await tenants.borrowing(borrower, 500n)
    const { api } = borrower.admin
    const creation = await api.ok<LoanCreation>(201, 'POST', '/loans', tenants.loan(treasury, wallet, 10, 40))
    await api.refuses(400, 'BORROWER_CAP_EXCEEDED', 'POST', '/loans', tenants.loan(treasury, wallet, 1, 40))
    await api.ok(201, 'POST', '/loans', tenants.loan(other, wallet, 3, 40))
    const at = { owner: { offchainId: wallet.offchainId }, financialInstrument: { onchainId: tenants.cash.onchainId } }
    const repayment = {
      defiProtocol: 'ESCROW_VAULT',
      escrow: { offchainId: creation.newLoan.offchainId },
      itemsToRepay: [{ positionLookup: at, amount: 4 }],
    }
    await api.ok(200, 'PATCH', '/loans/repay', repayment)
    await api.refuses(400, 'BORROWER_CAP_EXCEEDED', 'POST', '/loans', tenants.loan(treasury, wallet, '4.1', 40))
    // Into the other vault, where 3 are owed: 6 and their interest still fit, once.
    const refinance = {
      defiProtocol: 'ESCROW_VAULT',
      escrow: { offchainId: creation.newLoan.offchainId },
      lendingDetails: { loanStrategyAddress: other.onchainId },
    }
    await api.ok(200, 'PATCH', '/loans/refinance', refinance)
    await api.ok(201, 'POST', '/loans', tenants.loan(treasury, wallet, 10, 40))
    await api.refuses(400, 'BORROWER_CAP_EXCEEDED', 'POST', '/loans', tenants.loan(other, wallet, '1.5', 40))
    await lender.admin.api.ok(
      200,
      'PATCH',
      STRATEGIES,
      tenants.change(await strategyOf(other), { borrowers: capped(5) }),
    )
    // Nothing moves within one vault, and the present cap applies.
    await api.refuses(400, 'BORROWER_CAP_EXCEEDED', 'PATCH', '/loans/refinance', refinance)
  })

  it('14.6 property: owe at most the cap of principal, for any loans and repayments', async () => {
    const amounts = fc.array(fc.record({ borrows: fc.boolean(), units: fc.integer({ min: 1, max: 12 }) }), {
      minLength: 4,
      maxLength: 8,
    })
    await fc.assert(
      fc.asyncProperty(amounts, fc.integer({ min: 3, max: 20 }), async (steps, cap) => {
        const treasury = await tenants.treasury(1_000n)
        await tenants.makesStrategy(treasury, exempt(cap))
        const wallet = await tenants.borrowing(borrower, 1_000n)
        const loans: { offchainId: string; owed: number }[] = []
        const totalOwed = (): number => loans.reduce((sum, each) => sum + each.owed, 0)
        for (const { borrows, units } of steps) {
          const open = loans.find((each) => each.owed >= units)
          if (borrows || open === undefined) {
            const answer = await borrower.admin.api.send<LoanCreation & Problems>(
              'POST',
              '/loans',
              tenants.loan(treasury, wallet, units, units * 4),
            )
            expect(answer.status === 201, JSON.stringify(answer.body)).toBe(totalOwed() + units <= cap)
            if (answer.status === 201) loans.push({ offchainId: answer.body.newLoan.offchainId, owed: units })
            else expect(answer.body.errors![0]!.code).toBe('BORROWER_CAP_EXCEEDED')
          } else {
            const positionLookup = {
              owner: { offchainId: wallet.offchainId },
              financialInstrument: { onchainId: tenants.cash.onchainId },
            }
            const escrow = { offchainId: open.offchainId }
            await borrower.admin.api.ok(200, 'PATCH', '/loans/repay', {
              defiProtocol: 'ESCROW_VAULT',
              escrow,
              itemsToRepay: [{ positionLookup, amount: units }],
            })
            const { borrowedItems } = await borrower.admin.api.read<{
              borrowedItems: { principalDue: number; principalRepaid: number }[]
            }>('/loans/single', { escrow })
            // Interest of the seconds between is paid first.
            open.owed = borrowedItems[0]!.principalDue - borrowedItems[0]!.principalRepaid
          }
          expect(totalOwed()).toBeLessThanOrEqual(cap)
        }
      }),
      { numRuns: 4 },
    )
  })
})

async function strategyOf(vault: Ids): Promise<Ids> {
  const filter = [
    { fieldName: 'strategyAccountOffchainId', filterValues: [{ filterType: 'EQUALS', valueString: vault.offchainId }] },
  ]
  return ((await lender.admin.api.bulk(`${STRATEGIES}/bulk`, { filter })) as { items: Ids[] }).items[0]!
}
