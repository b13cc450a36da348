// Who may change a loan: the organization of the borrower, or of the lender for a liquidation; no one while a change is
// open or not final.
import { beforeAll, describe, expect, it } from 'vitest'
import { escrowVault } from '../../../src/lending/escrow-vault.ts'
import type { Call } from '../../../src/contract/call.ts'
import { commonOwner } from '../../../src/operations/loans/items.ts'
import { borrowersLoan, lendersLoan } from '../../../src/operations/loans/named.ts'
import { Refusal } from '../../../src/contract/refusal.ts'
import type { Party } from '../../../src/operations/lookup/party.ts'
import type { TransactionEvent } from '../../../machines/transactions/transaction-events.ts'
import { settleTransaction } from '../../../src/engine/settlement/settlement.ts'
import { AT, fixed, lender, loan, origination, TOUCH } from '../../machines/records.ts'
import { CLUSTER, TenantsFixture, type Wallet } from '../tenants-fixture.ts'

let fixture: TenantsFixture
let escrow: Wallet
let count = 0

beforeAll(async () => {
  fixture = await TenantsFixture.open(false, { lending: new Map([[escrowVault.name, escrowVault]]) })
  for (const organization of ['ACME', 'LEND']) await fixture.organization(organization)
})

const place = (tenant: string, id: string) => ({ tenant, cluster: CLUSTER, id })
const commit = async (work: Parameters<typeof fixture.engine.transact>[0]): Promise<void> =>
  await fixture.engine.transact(work).durable

/** An active loan of ACME by LEND, with its escrow. The transaction is its last change. */
async function newLoan(transactionId: string, open: string | null = null): Promise<string> {
  count += 1
  const id = `loan ${count}`
  escrow = await fixture.wallet('ACME')
  await commit((unit) => {
    const context = {
      ...loan,
      protocol: escrowVault.name,
      escrow: { address: escrow.onchainId, id: escrow.offchainId },
      lender,
      open: null,
    }
    const entry = unit.create('loan', place('ACME', id), { loan: context })
    const touch = { ...TOUCH, transactionId }
    unit.send<'loan'>(entry, {
      type: 'chain.changed',
      change: { ...origination, id: transactionId },
      closes: false,
      touch,
    })
    if (open !== null) unit.send<'loan'>(entry, { type: 'command.begin', transactionId: open, plan: null })
  })
  return id
}

function verdict(find: typeof borrowersLoan, organization: string, more: Partial<Call> = {}): string {
  try {
    const reference = { defiProtocol: escrowVault.name, escrow: { offchainId: escrow.offchainId } }
    return find({ platform: fixture.platform, call: fixture.call(organization, more) }, reference).loan.id
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.problems[0]?.code ?? ''
  }
}

describe('a loan', () => {
  it("is changed by the borrower's organization, and liquidated by the lender's", async () => {
    const id = await newLoan('long gone')
    expect([verdict(borrowersLoan, 'ACME'), verdict(lendersLoan, 'LEND')]).toEqual([id, id])
    const others: readonly (readonly [string, string])[] = [
      ['BRANCH', 'ACME'],
      ['BRANCH', 'LEND'],
      ['OTHER', 'OTHER'],
    ]
    for (const [organization, tenant] of [...others, ['LEND', 'LEND'], ['ACME', 'LEND'], ['LEND', 'ACME']] as const)
      expect(verdict(borrowersLoan, organization, { tenant }), `${organization} of ${tenant}`).toMatch(
        /BORROWER_REQUIRED|LOAN_NOT_FOUND/,
      )
    for (const [organization, tenant] of [...others, ['ACME', 'ACME'], ['ACME', 'LEND'], ['LEND', 'ACME']] as const)
      expect(verdict(lendersLoan, organization, { tenant }), `${organization} of ${tenant}`).toMatch(
        /LENDER_REQUIRED|LOAN_NOT_FOUND/,
      )
    // Keys that may read the loan get the reason.
    expect([verdict(borrowersLoan, 'LEND'), verdict(lendersLoan, 'ACME')]).toEqual([
      'BORROWER_REQUIRED',
      'LENDER_REQUIRED',
    ])
  })

  it('cannot be changed while a change is open', async () => {
    await newLoan('long gone', 'under way')
    expect([verdict(borrowersLoan, 'ACME'), verdict(lendersLoan, 'LEND')]).toEqual(['LOAN_BUSY', 'LOAN_BUSY'])
  })

  it('cannot be changed until its last change is final', async () => {
    const id = await newLoan('last')
    await commit((unit) => {
      unit.also('ACME', { type: 'payload', ...place('ACME', 'last'), payload: { fixed, signedBytes: 'AA==' } })
      const entry = unit.create('transaction', place('ACME', 'last'), { fixed })
      unit.send<'transaction'>(entry, {
        type: 'command.sign',
        signatures: 2,
        complete: true,
        ourSignature: true,
        signature: 's',
        at: AT,
      })
    })
    const seenEvent = (commitment: 'confirmed' | 'finalized'): TransactionEvent => ({
      type: 'chain.seen',
      commitment,
      slot: 7,
      blockTime: null,
      error: null,
      computeUnits: null,
      at: AT,
    })
    await settleTransaction(fixture.engine, fixture.engine.directory.byId('last')!, seenEvent('confirmed'), AT).durable
    expect([verdict(borrowersLoan, 'ACME'), verdict(lendersLoan, 'LEND')]).toEqual(['LOAN_BUSY', 'LOAN_BUSY'])
    await settleTransaction(fixture.engine, fixture.engine.directory.byId('last')!, seenEvent('finalized'), AT).durable
    expect([verdict(borrowersLoan, 'ACME'), verdict(lendersLoan, 'LEND')]).toEqual([id, id])
  })
})

describe('the items of a change', () => {
  const party = (address: string, autoSign = true): Party => ({ address, autoSign, entry: null })
  const item = (address: string) => ({ owner: party(address), pointer: `/itemData/${address}` })

  it('belong to the borrower of the loan, who receives released collateral', () => {
    expect(commonOwner([item('A'), item('A')], 'A').address).toBe('A')
    for (const owners of [['B'], ['A', 'B'], ['B', 'A']]) {
      expect(() => commonOwner(owners.map(item), 'A')).toThrow(
        expect.objectContaining({ problems: [expect.objectContaining({ code: 'OWNER_MISMATCH' })] }),
      )
    }
    expect(() => commonOwner([item('A'), item('B')])).toThrow(Refusal)
    expect(() => commonOwner([], 'A')).toThrow(Refusal)
  })
})
