// An organization may sign with a wallet of a tenant in another cell. It cannot borrow with that wallet: its owner
// could not free it, because only the cell of the borrower changes the loan.
import { expect, it } from 'vitest'
import { eventually } from '../../e2e/harness.ts'
import { bond, borrower, cash, exact, lender, stranger, vault, withLoanParties } from '../../e2e/loans/loan-parties.ts'
import type { LoanCreation } from '../../e2e/loans/loan-fixture.ts'
import type { Ids, NewPosition } from '../../e2e/models.ts'
import type { ClusterFixture, NodeProcess } from '../cluster-fixture.ts'
import { openLoanNode } from '../loan-node.ts'
import { addressOf, sql } from '../postgres.ts'
import { moveTenant } from '../second-cell.ts'

let fixture: ClusterFixture
let node: NodeProcess

withLoanParties(async () => {
  const opened = await openLoanNode()
  ;({ fixture, node } = opened)
  return opened.loans
})

const at = (owner: Ids, instrument: Ids) => ({ owner: exact(owner), financialInstrument: exact(instrument) })

it('no loan begins with a wallet that a tenant of another cell has granted', async () => {
  const members = { canPayFees: true, tokenDebitLimits: [], networkCurrencyDebitLimits: [] }
  const granted = { ...members, orgsAllowedToSignWithPrivateKey: ['BORROWER'] }
  const wallet = await stranger.records.funded(granted)
  for (const instrument of [bond, cash]) {
    const { newPosition } = await stranger.api.ok<NewPosition>(
      201,
      'POST',
      '/positions',
      { owner: wallet, financialInstrument: exact(instrument) },
      { config: { feePayer: wallet } },
    )
    const destination = { position: { ...exact(newPosition), offPlatform: true } }
    await lender.api.ok(201, 'POST', '/positions/mint', { destination, lamports: '900000000' })
  }
  const accepted = { externalId: 'BORROWER', acceptedFeePayers: [wallet.onchainId] }
  await borrower.api.ok(200, 'PATCH', '/admin/organizations', accepted)
  const loan = {
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 100 }],
    itemsToPledge: [{ positionLookup: at(wallet, bond), amount: 300 }],
  }
  const { newLoan } = await borrower.api.ok<LoanCreation>(201, 'POST', '/loans', loan)
  node = await moveTenant(fixture, node, 'STRANGER')
  for (const { api } of [borrower, lender, stranger])
    await eventually(async () => expect((await api.get('/whoami')).status).toBe(200))
  const refused = await borrower.api.refuses(400, 'OTHER_CELL', 'POST', '/loans', loan)
  const text = 'the borrower BORROWER and the owner STRANGER of its account are in different cells'
  expect(refused.message).toContain(text)
  expect(refused.pointer).toBe('/itemData/itemsToBorrow/0/positionLookup')
  for (const { api } of [borrower, lender]) expect(await api.bulk('/loans/bulk', {})).toMatchObject({ count: 1 })
  // The loan from before names its parties right.
  const release = { defiProtocol: 'ESCROW_VAULT', escrow: exact(newLoan) }
  const { message } = await stranger.api.refuses(400, 'OTHER_CELL', 'PATCH', '/loans/close', release)
  expect(message).toContain(text)
  node.signal('SIGTERM')
  await node.ended
  await sql(addressOf(fixture.postgres), `UPDATE holdfast.tenant SET cell = 'main' WHERE tenant = 'STRANGER'`)
  node = await fixture.start(node.name, { settings: { PORT: new URL(node.url).port } })
  await eventually(async () => expect((await stranger.api.get('/whoami')).status).toBe(200))
  await stranger.api.refuses(400, 'LOAN_NOT_REPAID', 'PATCH', '/loans/close', release)
})
