// An organization borrows with the wallet of another one, which has granted it the key. Once the grant is revoked, the
// owner of the wallet repays the loan and takes the collateral back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LendingTenants, UNIT } from '../../trust/fixtures/lending-tenants.ts'
import type { Client } from '../client.ts'
import type { Ids, NewPosition } from '../models.ts'
import { terms, type Loan, type LoanCreation } from './loan-fixture.ts'

let tenants: LendingTenants
let vault: Ids
/** Of the tenant of the owner, and of another one. */
const grantees: { organization: string; api: Client }[] = []

beforeAll(async () => {
  tenants = await LendingTenants.open()
  const below = `SUB-${crypto.randomUUID()}`
  await tenants.fixture.world.api.ok(201, 'POST', '/admin/organizations', {
    externalId: below,
    name: 'below',
    parentExternalId: tenants.borrower.organization,
  })
  const { organization, admin } = await tenants.another()
  grantees.push({ organization: below, api: (await tenants.limits.person(below, 'ADMIN')).api })
  grantees.push({ organization, api: admin.api })
  vault = await tenants.treasury(10_000n)
  await tenants.makesStrategy(vault, {
    borrowers: grantees.map((each) => ({ organizationExternalId: each.organization, cap: 1_000 })),
    exemptFromDebitLimits: true,
    collateral: [terms(tenants.bond)],
  })
})
afterAll(() => tenants.fixture.world.stop())

const owner = (): Client => tenants.borrower.admin.api
const by = ({ onchainId }: Ids) => ({ onchainId })
const at = (wallet: Ids, instrument: Ids) => ({ owner: by(wallet), financialInstrument: by(instrument) })
const loansOf = (api: Client) => api.bulk('/loans/bulk', {}) as Promise<{ items: Loan[] }>

/** A loan of 10 against 40, and one unit of cash more for the interest. The grant is revoked. */
async function borrowsByGrant({ organization, api }: (typeof grantees)[number]) {
  const { borrower, cash, bond } = tenants
  const wallet = await tenants.borrowing(borrower, 100n, { orgsAllowedToSignWithPrivateKey: [organization] })
  const { newPosition } = await owner().ok<NewPosition>(
    201,
    'POST',
    '/positions',
    { owner: wallet, financialInstrument: by(cash) },
    { config: { feePayer: wallet } },
  )
  await tenants.lender.records.mint({ ...newPosition, offPlatform: true } as Ids, UNIT)
  await api.ok(200, 'PATCH', '/admin/organizations', {
    externalId: organization,
    acceptedFeePayers: [wallet.onchainId],
  })
  const { newLoan: escrow, chainTransaction } = await api.ok<LoanCreation>(201, 'POST', '/loans', {
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 10 }],
    itemsToPledge: [{ positionLookup: at(wallet, bond), amount: 40 }],
  })
  expect(chainTransaction.success).toBe(true)
  await owner().ok(200, 'PATCH', '/accounts', { account: wallet, orgsAllowedToSignWithPrivateKey: [] })
  return { wallet, escrow, loan: { defiProtocol: 'ESCROW_VAULT', escrow: by(escrow) } }
}

describe.each([
  ['of the same tenant', 0],
  ['of another tenant', 1],
] as const)('the wallet of an organization that borrowed by a grant, %s', (_name, index) => {
  it('is freed by its owner: the loan is repaid, released and closed', async () => {
    const grantee = grantees[index]!
    const { wallet, escrow, loan } = await borrowsByGrant(grantee)
    const { cash, bond } = tenants
    const repayment = { ...loan, itemsToRepay: [{ positionLookup: at(wallet, cash), repayAll: true }] }
    const release = { ...loan, itemsToRelease: [{ positionLookup: at(wallet, bond), amount: 40 }] }
    expect((await grantee.api.send('PATCH', '/loans/repay', repayment)).status).toBe(400)
    const read = await owner().read<Loan>('/loans/single', { escrow: by(escrow) })
    expect(read).toMatchObject({ lifecycleState: 'ACTIVE', escrow: { offchain: { id: escrow.offchainId } } })
    expect((await loansOf(owner())).items.map((each) => each.escrow.onchain.id)).toContain(escrow.onchainId)
    await owner().refuses(400, 'ACCOUNT_IN_USE', 'PATCH', '/accounts/inactivate', { account: wallet })
    await owner().refuses(400, 'LOAN_UNHEALTHY', 'PATCH', '/loans/repay', release)
    const vaultHeld = await tenants.balanceOf(vault)
    await owner().ok(200, 'PATCH', '/loans/repay', repayment)
    await owner().ok(200, 'PATCH', '/loans/repay', release)
    await owner().ok(200, 'PATCH', '/loans/close', loan)
    const { body } = await owner().get<{ items: { type: string; resource: Ids }[] }>('/events?after=0&limit=1000')
    const received = body.items.filter(({ resource }) => resource.onchainId === escrow.onchainId)
    expect(received.map(({ type }) => type)).toEqual(expect.arrayContaining(['loan.created', 'loan.closed']))
    expect(await tenants.balanceOf(vault)).toBeGreaterThanOrEqual(vaultHeld + 10n * UNIT)
    expect([await tenants.balanceOf(escrow, bond), await tenants.balanceOf(wallet, bond)]).toEqual([0n, 100n * UNIT])
    for (const api of [owner(), grantee.api, tenants.lender.admin.api])
      expect((await api.read<Loan>('/loans/single', { escrow: by(escrow) })).status).toBe('CLOSED')
  })

  it('exchanges collateral, but takes over no new terms and is no lender', async () => {
    const { wallet, loan } = await borrowsByGrant(grantees[index]!)
    const refinancing = { ...loan, lendingDetails: { loanStrategyAddress: vault.onchainId } }
    await owner().refuses(403, 'BORROWER_REQUIRED', 'PATCH', '/loans/refinance', refinancing)
    await owner().refuses(403, 'LENDER_REQUIRED', 'PATCH', '/loans/liquidate', loan)
    const withdraws = (amount: number) => ({
      ...loan,
      itemsToWithdraw: [{ positionLookup: at(wallet, tenants.bond), amount }],
    })
    await owner().refuses(400, 'LOAN_UNHEALTHY', 'PATCH', '/loans/swap-collateral', withdraws(30))
    await owner().ok(200, 'PATCH', '/loans/swap-collateral', withdraws(10))
    expect(await tenants.balanceOf(wallet, tenants.bond)).toBe(70n * UNIT)
  })

  it('is liquidated by the lender alone, and the owner takes back the rest', async () => {
    const { wallet, escrow, loan } = await borrowsByGrant(grantees[index]!)
    await tenants.fixture.price(tenants.bondFeed, '0.3')
    const escrowLookup = { escrow: { offchainId: escrow.offchainId } }
    await tenants.lender.operator.api.ok(200, 'PATCH', '/loans/liquidate', { ...loan, ...escrowLookup })
    await tenants.fixture.price(tenants.bondFeed, '1')
    const rest = await tenants.balanceOf(escrow, tenants.bond)
    expect(rest).toBeGreaterThan(0n)
    await owner().ok(200, 'PATCH', '/loans/repay', {
      ...loan,
      itemsToRelease: [{ positionLookup: at(wallet, tenants.bond), lamports: rest.toString() }],
    })
    expect(await tenants.balanceOf(wallet, tenants.bond)).toBe(60n * UNIT + rest)
    await owner().ok(200, 'PATCH', '/loans/close', loan)
  })
})
