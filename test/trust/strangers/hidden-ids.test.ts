// Ids of the other tenant's records that no answer shows are not found by filters either: of a loan between two
// tenants, and of a transaction that another tenant is asked to sign.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../e2e/client.ts'
import type { LoanCreation } from '../../e2e/loans/loan-fixture.ts'
import type { Ids, WithTransaction } from '../../e2e/models.ts'
import { NONCES, type CreatedNonces } from '../../e2e/transactions/nonce-fixture.ts'
import { LendingTenants } from '../fixtures/lending-tenants.ts'
import { newParty, type Party } from '../fixtures/parties.ts'

let tenants: LendingTenants
let vault: Ids
let wallet: Ids
let escrow: Ids

beforeAll(async () => {
  tenants = await LendingTenants.open()
  const { borrower } = tenants
  vault = await tenants.treasury(1_000n)
  await tenants.makesStrategy(vault, {
    borrowers: [{ organizationExternalId: borrower.organization, cap: 1_000 }],
    exemptFromDebitLimits: true,
  })
  wallet = await tenants.borrowing(borrower, 500n)
  const body = tenants.loan(vault, wallet, 100, 300)
  escrow = (await borrower.admin.api.ok<LoanCreation>(201, 'POST', '/loans', body)).newLoan
})
afterAll(() => tenants.fixture.world.stop())

/** Whether a list has an entry whose field has a value that begins like the id. */
async function finds(
  api: Client,
  path: string,
  [fieldName, { offchainId }]: readonly [fieldName: string, Pick<Ids, 'offchainId'>],
  more: readonly object[] = [],
): Promise<boolean> {
  const value = { filterType: 'STARTS_WITH', valueString: offchainId.slice(0, 8) }
  const filter = [{ fieldName, filterValues: [value] }, ...more]
  const { count } = (await api.bulk(path, { filter })) as { count: number }
  return count > 0
}

describe('14.11: a loan between two tenants', () => {
  const inLoans = (api: Client, field: string, ids: Pick<Ids, 'offchainId'>): Promise<boolean> =>
    finds(api, '/loans/bulk', [field, ids])

  it('14.11: is found by the ids of the own accounts and of the escrow', async () => {
    expect(await inLoans(tenants.lender.admin.api, 'lenderOffchainId', vault)).toBe(true)
    expect(await inLoans(tenants.borrower.admin.api, 'borrowerOffchainId', wallet)).toBe(true)
    for (const { admin } of [tenants.lender, tenants.borrower])
      expect(await inLoans(admin.api, 'escrowOffchainId', escrow)).toBe(true)
  })

  it("14.11: is not found by the ids of the other tenant's accounts", async () => {
    const { lender, borrower } = tenants
    expect(await inLoans(lender.admin.api, 'borrowerOffchainId', wallet)).toBe(false)
    expect(await inLoans(borrower.admin.api, 'lenderOffchainId', vault)).toBe(false)
    const { items } = (await borrower.admin.api.bulk('/loans/bulk', {})) as {
      items: { borrowedItems: { accountDetails: { offchain: { id: string } } }[] }[]
    }
    const position = { offchainId: items[0]!.borrowedItems[0]!.accountDetails.offchain.id }
    expect(await inLoans(borrower.admin.api, 'borrowedItemOffchainId', position)).toBe(true)
    expect(await inLoans(lender.admin.api, 'borrowedItemOffchainId', position)).toBe(false)
  })

  it('14.11: is listed as it is fetched', async () => {
    for (const { admin } of [tenants.lender, tenants.borrower]) {
      const { items } = (await admin.api.bulk('/loans/bulk', {})) as { items: object[] }
      const one = await admin.api.read<object>('/loans/single', { escrow: { onchainId: escrow.onchainId } })
      for (const member of ['borrower', 'lender', 'escrow'])
        expect(items[0]).toHaveProperty(member, (one as Record<string, unknown>)[member])
    }
  })
})

describe('14.11: a request for a signature', () => {
  let open: Party
  let theirs: Ids
  let payer: Ids
  const awaiting = { fieldName: 'awaitsOurSignature', filterValues: [{ filterType: 'EQUALS', valueBoolean: true }] }

  beforeAll(async () => {
    open = await newParty(tenants.fixture.world, 'OPEN')
    await open.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'OPEN', acceptsSigningRequests: true })
    theirs = await open.records.funded({ networkCurrencyDebitLimits: [] })
    payer = await open.records.funded({ canPayFees: true })
    await tenants.borrower.admin.api.ok(201, 'POST', '/positions/transfer-network-currency', {
      source: { onchainId: theirs.onchainId },
      destination: wallet,
      lamports: 1_000,
    })
  })

  it.each(['accountOffchainId', 'feePayerOffchainId'])('14.11: is not found by %s of the requester', async (field) => {
    const { admin, feePayer } = tenants.borrower
    const ids = field === 'accountOffchainId' ? wallet : feePayer
    const list = '/transactions/bulk/identifiers'
    expect(await finds(admin.api, list, [field, ids])).toBe(true)
    expect(await open.api.bulk(list, { filter: [awaiting] })).toMatchObject({ count: 1 })
    expect(await finds(open.api, list, [field, ids], [awaiting])).toBe(false)
  })

  it('14.11: names no record of the requester where a closing is refused', async () => {
    const { admin, organization } = tenants.borrower
    const { world } = tenants.fixture
    const account = await world.records.with(admin.api).funded()
    const body = { account: { ...account, autoSign: false }, refundDestination: wallet }
    await admin.api.ok(200, 'PATCH', '/admin/organizations', {
      externalId: organization,
      acceptedFeePayers: [payer.onchainId],
    })
    const { chainTransaction } = await admin.api.ok<WithTransaction>(200, 'PATCH', '/accounts/inactivate', body, {
      config: { feePayer: { onchainId: payer.onchainId } },
    })
    const itemData = { nonceAuthority: account, count: 1 }
    const created = await admin.api.ok<CreatedNonces>(201, 'POST', NONCES, itemData)
    const transaction = { offchainId: chainTransaction!.offchainId }
    const answer = await open.api.send('POST', '/transactions/sign', { transaction, signers: [payer] })
    expect(answer.status, JSON.stringify(answer.body)).toBe(400)
    expect(JSON.stringify(answer.body)).not.toContain(created.newDurableNonceAccounts[0]!.offchainId)
    const own = await admin.api.send('POST', '/transactions/sign', { transaction })
    expect(JSON.stringify(own.body)).toContain(created.newDurableNonceAccounts[0]!.offchainId)
  })
})
