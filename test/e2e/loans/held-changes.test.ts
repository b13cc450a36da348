// A borrower that holds signed changes of a loan puts off a liquidation that is due only while one of them is valid.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pastLifetimes } from '../harness.ts'
import type { Ids, Result } from '../models.ts'
import { SOL } from '../records.ts'
import { LoanFixture, terms, type Feed, type LoanCreation } from './loan-fixture.ts'

const SWAP = '/loans/swap-collateral'
const LIQUIDATE = '/loans/liquidate'

let fixture: LoanFixture
let cash: Ids
let bond: Ids
let vault: Ids
let feed: Feed

beforeAll(async () => {
  fixture = await LoanFixture.open({
    HOLDFAST_EMBEDDED_FAULTS: 'on',
    HOLDFAST_EMBEDDED_SLOT_MS: '200',
    HOLDFAST_RESPONSE_WAIT_MS: '30000',
  })
  const { records, api } = fixture.world
  await records.feePayer()
  const minter = await records.account()
  ;[cash, bond] = [await records.instrument('SPL', minter), await records.instrument('SPL', minter)]
  vault = await records.account({ tokenDebitLimits: [] })
  await records.position(vault, cash, 10n ** 12n)
  await fixture.feed(cash, '1')
  feed = await fixture.feed(bond, '1')
  await api.ok(201, 'POST', '/loans/strategies', {
    strategyAccount: vault,
    financialInstrument: cash,
    originationsEnabled: true,
    collateral: [terms(bond, { apy: 0, maxPriceAgeSeconds: 10_000_000 })],
    duration: { code: 'DAYS', unit: 30 },
  })
})
afterAll(() => fixture.world.stop())

const item = (owner: Ids, financialInstrument: Ids, raw: number) => ({
  positionLookup: { owner, financialInstrument },
  lamports: String(raw),
})

type Changed = { chainTransaction: Result }

/** A loan that became liquidatable, with a signed change of the borrower; then the refused liquidation, and its end. */
async function refusedLiquidation() {
  const { records, api } = fixture.world
  await fixture.price(feed, '1')
  const wallet = await records.funded({ canPayFees: true, tokenDebitLimits: [] }, SOL)
  await records.position(wallet, bond, 200n)
  const { newLoan: escrow } = await api.ok<LoanCreation>(201, 'POST', '/loans', {
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow: [item(wallet, cash, 40)],
    itemsToPledge: [item(wallet, bond, 100)],
  })
  const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
  const deposit = { ...loan, itemsToDeposit: [item(wallet, bond, 1)] }
  const config = { feePayer: { ...wallet, autoSign: false } }
  await fixture.price(feed, '0.4')
  const { chainTransaction } = await api.ok<Changed>(200, 'PATCH', SWAP, deposit, { config })
  const transaction = { offchainId: chainTransaction.offchainId }
  const signing = { transaction, signers: [{ offchainId: wallet.offchainId }] }
  expect(await api.ok<Result>(200, 'POST', '/transactions/sign', signing)).toMatchObject({ status: 'SIGNED' })

  expect((await api.refuses(400, 'LOAN_BUSY', 'PATCH', LIQUIDATE, loan)).retryable).toBe(true)
  await pastLifetimes(fixture.world, async () => {
    const { status } = await api.read<Result>('/transactions/status', transaction)
    expect(status).toBe('EXPIRED')
  })
  return { loan, deposit, config }
}

it('liquidates once the held change has ended, and lets the borrower begin no other before', async () => {
  const { api } = fixture.world
  const { loan, deposit, config } = await refusedLiquidation()
  await api.refuses(400, 'LOAN_BUSY', 'PATCH', SWAP, deposit, { config })
  const { chainTransaction: liquidation } = await api.ok<Changed>(200, 'PATCH', LIQUIDATE, loan)
  expect(liquidation).toMatchObject({ success: true })
})

it('lets the borrower begin changes again once the lender is refused because the price has recovered', async () => {
  const { api } = fixture.world
  const { loan, deposit, config } = await refusedLiquidation()
  await fixture.price(feed, '1')
  await api.refuses(400, 'LOAN_BUSY', 'PATCH', SWAP, deposit, { config })
  await api.refuses(400, 'LOAN_NOT_LIQUIDATABLE', 'PATCH', LIQUIDATE, loan)
  await api.ok<Changed>(200, 'PATCH', SWAP, deposit, { config })
})
