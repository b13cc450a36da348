// Repayments and refinancings that are signed long after they were requested: interest would be lost to the lender.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ids, Problems, Result } from '../models.ts'
import { SOL } from '../records.ts'
import { LoanFixture, terms, type Loan, type LoanCreation } from './loan-fixture.ts'

const HOUR = 3_600
const PROTOCOL = { defiProtocol: 'ESCROW_VAULT' }

let fixture: LoanFixture
let cash: Ids
let share: Ids
let vaults: Ids[]

beforeAll(async () => {
  fixture = await LoanFixture.open()
  const { records, api } = fixture.world
  await records.feePayer()
  const issuer = await records.account()
  ;[cash, share] = [await records.instrument('SPL', issuer), await records.instrument('SPL', issuer)]
  for (const instrument of [cash, share]) await fixture.feed(instrument, '1')
  vaults = []
  for (let count = 0; count < 2; count += 1) {
    const vault = await records.account({ tokenDebitLimits: [] })
    vaults.push(vault)
    await records.position(vault, cash, 10n ** 12n)
    await api.ok(201, 'POST', '/loans/strategies', {
      ...{ strategyAccount: vault, financialInstrument: cash, originationsEnabled: true },
      collateral: [terms(share, { apy: 1_000_000, maxPriceAgeSeconds: 10_000_000 })],
      duration: { code: 'DAYS', unit: 5 },
    })
  }
})
afterAll(() => fixture.world.stop())

/** A loan of 10,000 whose change is prepared, and not signed. */
async function prepared(path: string, more: (wallet: Ids) => object) {
  const { records, api } = fixture.world
  const wallet = await records.funded({ canPayFees: true, tokenDebitLimits: [] }, SOL)
  await records.position(wallet, share, 10n ** 12n)
  await records.position(wallet, cash, 10n ** 10n)
  const item = (instrument: Ids, amount: number) => ({
    ...{ positionLookup: { owner: wallet, financialInstrument: instrument }, amount },
  })
  const { newLoan } = await api.ok<LoanCreation>(201, 'POST', '/loans', {
    ...{ ...PROTOCOL, lendingDetails: { loanStrategyAddress: vaults[0]!.onchainId } },
    ...{ itemsToBorrow: [item(cash, 10_000)], itemsToPledge: [item(share, 30_000)] },
  })
  const { chainTransaction } = await api.ok<{ chainTransaction: Result }>(
    ...([200, 'PATCH', path, { ...PROTOCOL, escrow: newLoan, ...more(wallet) }] as const),
    { config: { feePayer: { offchainId: wallet.offchainId, autoSign: false } } },
  )
  return { newLoan, wallet, transaction: { offchainId: chainTransaction.offchainId } }
}

const repayAll = (wallet: Ids): object => ({
  itemsToRepay: [{ positionLookup: { owner: wallet, financialInstrument: cash }, repayAll: true }],
})
const refinance = (): object => ({ lendingDetails: { loanStrategyAddress: vaults[1]!.onchainId } })

async function codeOf(sent: Promise<{ status: number; body: Problems }>): Promise<string> {
  const { status, body } = await sent
  return `${status} ${body.errors?.[0]?.code ?? ''}`
}

it.each([
  ['a repayment', '/loans/repay', repayAll],
  ['a refinancing', '/loans/refinance', refinance],
])('%s is not signed hours later', async (_, path, more) => {
  const { api } = fixture.world
  const { transaction, newLoan } = await prepared(path, more)
  fixture.pass(3 * HOUR)
  expect(await codeOf(api.send('POST', '/transactions/sign', { transaction }))).toBe('400 LOAN_TERMS_CHANGED')
  expect((await api.read<Loan>('/loans/single', { escrow: newLoan })).status).toBe('OPEN')
})

it('a repayment is signed minutes later, and pays what was due when it was requested', async () => {
  const { api } = fixture.world
  const { transaction, newLoan } = await prepared('/loans/repay', repayAll)
  fixture.pass(600)
  await api.ok(200, 'POST', '/transactions/sign', { transaction })
  const { success } = await api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })
  expect(success).toBe(true)
  expect((await api.read<Loan>('/loans/single', { escrow: newLoan })).lifecycleState).toBe('REPAID')
})
