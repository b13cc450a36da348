// A loan whose borrower and lender are in different cells by now, and a new loan between them: every request for a
// change is refused by name, and nothing is prepared.
import { randomUUID } from 'node:crypto'
import { Keypair } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { Client } from '../e2e/client.ts'
import { eventually } from '../e2e/harness.ts'
import { bond, borrower, cash, exact, lender, vault, wallet, withLoanParties } from '../e2e/loans/loan-parties.ts'
import type { LoanCreation } from '../e2e/loans/loan-fixture.ts'
import type { Ids, Problems } from '../e2e/models.ts'
import type { ClusterFixture, NodeProcess } from './cluster-fixture.ts'
import { openLoanNode } from './loan-node.ts'
import { moveTenant } from './second-cell.ts'

let fixture: ClusterFixture
let node: NodeProcess

withLoanParties(async () => {
  const opened = await openLoanNode()
  ;({ fixture, node } = opened)
  return opened.loans
})

const at = (owner: Ids, instrument: Ids) => ({ owner: exact(owner), financialInstrument: exact(instrument) })
const buildLoanRequest = (amount: number, pledged: number) => ({
  defiProtocol: 'ESCROW_VAULT',
  lendingDetails: { loanStrategyAddress: vault.onchainId },
  itemsToBorrow: [{ positionLookup: at(wallet, cash), amount }],
  itemsToPledge: [{ positionLookup: at(wallet, bond), amount: pledged }],
})

const unknownIds: Ids = { onchainId: Keypair.generate().publicKey.toBase58(), offchainId: randomUUID() }

it('a loan is refused, and cannot be changed by either side, once its parties are in different cells', async () => {
  const { newLoan } = await borrower.api.ok<LoanCreation>(201, 'POST', '/loans', buildLoanRequest(100, 300))
  node = await moveTenant(fixture, node, 'BORROWER')
  for (const { api } of [borrower, lender])
    await eventually(async () => expect((await api.get('/whoami')).status).toBe(200))
  const { count } = (await borrower.api.bulk('/accounts/bulk/compact', { limit: 0 })) as { readonly count: number }
  const loan = { defiProtocol: 'ESCROW_VAULT', escrow: exact(newLoan) }
  const item = { positionLookup: at(wallet, bond), amount: 1 }
  const elsewhere = { lendingDetails: { loanStrategyAddress: wallet.onchainId } }
  const inOtherCell = async (api: Client, method: 'POST' | 'PATCH', path: string, itemData: object): Promise<void> => {
    const { message } = await api.refuses(400, 'OTHER_CELL', method, path, itemData)
    expect(message).toMatch(/borrower BORROWER and the lender LENDER/)
  }
  await inOtherCell(borrower.api, 'POST', '/loans', buildLoanRequest(1, 3))
  // Named beside what else is wrong with the request: here its destination is unknown.
  const { status, body } = await borrower.api.send<Problems>('POST', '/loans', {
    ...buildLoanRequest(1, 3),
    itemsToBorrow: [{ positionLookup: at(unknownIds, cash), amount: 1 }],
  })
  expect({ status, codes: body.errors?.map((error) => error.code) }).toEqual({
    status: 400,
    codes: ['OTHER_CELL', 'ACCOUNT_NOT_FOUND'],
  })
  await inOtherCell(borrower.api, 'PATCH', '/loans/repay', { ...loan, itemsToRelease: [item] })
  await inOtherCell(borrower.api, 'PATCH', '/loans/repay', {
    ...loan,
    itemsToRepay: [{ positionLookup: at(wallet, cash), amount: 1 }],
  })
  await inOtherCell(borrower.api, 'PATCH', '/loans/swap-collateral', { ...loan, itemsToDeposit: [item] })
  await inOtherCell(borrower.api, 'PATCH', '/loans/refinance', { ...loan, ...elsewhere })
  await inOtherCell(borrower.api, 'PATCH', '/loans/refinance', {
    ...loan,
    lendingDetails: buildLoanRequest(1, 1).lendingDetails,
  })
  await inOtherCell(borrower.api, 'PATCH', '/loans/close', loan)
  await inOtherCell(lender.api, 'PATCH', '/loans/liquidate', loan)
  // Both can still read it, and nothing was created for the requested loan.
  for (const { api } of [borrower, lender])
    expect(await api.read('/loans/single', { escrow: exact(newLoan) })).toMatchObject({ lifecycleState: 'ACTIVE' })
  expect(await borrower.api.bulk('/accounts/bulk/compact', { limit: 0 })).toMatchObject({ count })
})
