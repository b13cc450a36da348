// A loan whose closing waits for a signature: the escrow is closed with its positions.
import { expect, it } from 'vitest'
import type { Ids, Result } from '../models.ts'
import type { LoanCreation } from './loan-fixture.ts'
import { bond, borrower, cash, exact, lender, vault, wallet, withLoanParties } from './loan-parties.ts'

withLoanParties()

const at = (instrument: Ids) => ({ owner: exact(wallet), financialInstrument: exact(instrument) })

it('is closed once the signature is there', async () => {
  const { api, records } = borrower
  const { newLoan: escrow } = await api.ok<LoanCreation>(201, 'POST', '/loans', {
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow: [{ positionLookup: at(cash), amount: 100 }],
    itemsToPledge: [{ positionLookup: at(bond), amount: 300 }],
  })
  // For the interest.
  await lender.api.ok(201, 'POST', '/positions/mint', { destination: at(cash), amount: 1 })
  const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
  await api.ok(200, 'PATCH', '/loans/repay', {
    ...loan,
    itemsToRepay: [{ positionLookup: at(cash), repayAll: true }],
    itemsToRelease: [{ positionLookup: at(bond), amount: 300 }],
  })
  const config = { feePayer: { ...exact(wallet), autoSign: false } }
  const path = '/loans/close'
  const { chainTransaction } = await api.ok<{ chainTransaction: Result }>(200, 'PATCH', path, loan, { config })
  const transaction = { offchainId: chainTransaction.offchainId }
  expect(await api.ok<Result>(200, 'POST', '/transactions/sign', { transaction })).toMatchObject({ status: 'SIGNED' })
  expect(await api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })).toMatchObject({ success: true })
  expect((await records.accountRecord(escrow)).status).toBe('CLOSED')
})
