// A cluster with slow finality: decisions about a loan use books that no fork can revert, and one loan cannot use the
// reservation of another.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LoanFixture, terms, type LoanCreation } from './loan-fixture.ts'
import type { Ids, Result } from '../models.ts'
import { SOL } from '../records.ts'

const UNIT = 1_000_000n
const FINALITY_SLOTS = 200
let fixture: LoanFixture
let cash: Ids
let bond: Ids
let wallet: Ids

beforeAll(async () => {
  // 20 seconds: a request that does not wait is refused within them, even on a busy machine.
  fixture = await LoanFixture.open({
    HOLDFAST_EMBEDDED_FAULTS: 'on',
    HOLDFAST_EMBEDDED_SLOT_MS: '100',
    HOLDFAST_EMBEDDED_FINALITY_SLOTS: String(FINALITY_SLOTS),
  })
  const { records } = fixture.world
  await records.feePayer()
  const issuer = await records.account()
  ;[cash, bond] = await Promise.all([records.instrument('SPL', issuer), records.instrument('TOKEN_2022', issuer)])
  await Promise.all([cash, bond].map((instrument) => fixture.feed(instrument, '1')))
  wallet = await records.funded({ canPayFees: true }, SOL)
  await records.position(wallet, bond, 1_000n * UNIT)
})
afterAll(() => fixture.world.stop())

const at = (financialInstrument: Ids) => ({ owner: wallet, financialInstrument })

/** A vault with 100 units, and a builder of loan requests against it. */
async function vaultOf(more: object): Promise<(amount: number) => object> {
  const { api, records } = fixture.world
  const vault = await records.account()
  await records.position(vault, cash, 100n * UNIT)
  await api.ok(201, 'POST', '/loans/strategies', {
    strategyAccount: vault,
    financialInstrument: cash,
    originationsEnabled: true,
    collateral: [terms(bond)],
    duration: { code: 'DAYS', unit: 30 },
    ...more,
  })
  return (amount) => ({
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow: [{ positionLookup: at(cash), amount }],
    itemsToPledge: [{ positionLookup: at(bond), amount: 300 }],
  })
}

it('changes a loan only once the previous change is final, and waits for that as long as the caller', async () => {
  const { api } = fixture.world
  const buildRequest = await vaultOf({})
  const { newLoan, chainTransaction } = await api.ok<LoanCreation>(201, 'POST', '/loans', buildRequest(10))
  expect(chainTransaction.status).toBe('CONFIRMED')
  const loan = { defiProtocol: 'ESCROW_VAULT', escrow: { offchainId: newLoan.offchainId } }
  const repay = { ...loan, itemsToRepay: [{ positionLookup: at(cash), amount: 4 }] }
  const problem = await api.refuses(400, 'LOAN_BUSY', 'PATCH', '/loans/repay', repay, {
    headers: { prefer: 'respond-async' },
  })
  expect(problem.message).toContain('not final')
  const repaying = api.ok<{ chainTransaction: Result }>(200, 'PATCH', '/loans/repay', repay, {
    headers: { prefer: 'wait=60' },
  })
  // It still waits for the others.
  await fixture.world.passSlots(FINALITY_SLOTS - 50)
  const repayment = await repaying
  expect(repayment.chainTransaction.success).toBe(true)
  expect(await api.read('/transactions/status', { offchainId: chainTransaction.offchainId })).toMatchObject({
    status: 'FINALIZED',
  })
})

it('preserves the buffer of a vault under concurrent loans', async () => {
  const { api } = fixture.world
  const buildRequest = await vaultOf({ liquidityBuffer: 500_000 })
  // Each loan would be granted alone; of the rest after the first, less than half of the total would stay.
  const answers = await Promise.all([45, 25].map((amount) => api.send('POST', '/loans', buildRequest(amount))))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
  expect(JSON.stringify(answers.map(({ body }) => body))).toContain('INSUFFICIENT_PRINCIPAL')
})
