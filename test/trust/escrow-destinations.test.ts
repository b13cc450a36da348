// An organization pays allowed addresses only, and its vault lends to another tenant. An operator of its
// wallets tries to pay that tenant through the escrow of the loan: the surplus beyond the collateral goes to the
// borrower when the loan is closed.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { LoanCreation, Loan } from '../e2e/loans/loan-fixture.ts'
import type { Ids, Result } from '../e2e/models.ts'
import { REFUSED, UNLIMITED } from '../e2e/payouts/counterparty-setup.ts'
import { LendingTenants, UNIT, type Tenant } from './fixtures/lending-tenants.ts'

let tenants: LendingTenants
let lender: Tenant
let borrower: Tenant
let vault: Ids
/** A wallet of the lender's organization with 50 bonds. */
let wallet: Ids
/** The borrower's. */
let pledging: Ids

beforeAll(async () => {
  tenants = await LendingTenants.open()
  ;({ lender, borrower } = tenants)
  vault = await tenants.treasury(10_000n, UNLIMITED)
  await tenants.makesStrategy(vault, {
    borrowers: [{ organizationExternalId: borrower.organization, cap: 1_000 }],
    exemptFromDebitLimits: true,
  })
  wallet = await tenants.borrowing(lender, 50n, UNLIMITED)
  pledging = await tenants.borrowing(borrower, 400n, UNLIMITED)
})
afterEach(() => rules(lender, 'OPEN'))
afterAll(() => tenants.fixture.world.stop())

const at = (owner: Ids, { onchainId }: Ids) => ({
  owner: { offchainId: owner.offchainId },
  financialInstrument: { onchainId },
})
const bonds = (owner: Ids): Promise<bigint> => tenants.balanceOf(owner, tenants.bond)
const rules = ({ admin, organization }: Tenant, destinationPolicy: string): Promise<unknown> =>
  admin.api.ok(200, 'PATCH', '/admin/organizations', { externalId: organization, destinationPolicy })
const lists = ({ admin }: Tenant, ...addresses: readonly Ids[]): Promise<unknown> =>
  admin.api.ok(201, 'POST', '/counterparties', {
    name: 'allowed',
    status: 'ALLOWED',
    addresses: addresses.map(({ onchainId }) => ({ onchainId })),
  })

/** The address of the escrow's position in bonds. */
async function lends(): Promise<{ readonly escrow: Ids; readonly position: string }> {
  const { newLoan, chainTransaction } = await borrower.operator.api.ok<LoanCreation>(
    201,
    'POST',
    '/loans',
    tenants.loan(vault, pledging, 10, 40),
  )
  expect(chainTransaction.success, JSON.stringify(chainTransaction)).toBe(true)
  const { pledgedItems } = await borrower.admin.api.read<Loan>('/loans/single', {
    escrow: { offchainId: newLoan.offchainId },
  })
  return { escrow: newLoan, position: pledgedItems[0]!.accountDetails.onchain.id }
}

/** A transfer of ten bonds of the lender's wallet. */
const intoEscrow = (position: string, from: Ids = wallet) => ({
  source: at(from, tenants.bond),
  destination: { position: { onchainId: position, offPlatform: true } },
  amount: 10,
})

async function changes(path: string, escrow: Ids, members: object): Promise<void> {
  const { chainTransaction } = await borrower.operator.api.ok<{ readonly chainTransaction: Result }>(
    200,
    'PATCH',
    path,
    { defiProtocol: 'ESCROW_VAULT', escrow: { offchainId: escrow.offchainId }, ...members },
  )
  expect(chainTransaction.success, JSON.stringify(chainTransaction)).toBe(true)
}

describe('the escrow of another tenant’s loan, under ALLOW_LIST', () => {
  it('receives nothing from the lender’s wallets, although the lender can liquidate what it holds', async () => {
    const { position } = await lends()
    await rules(lender, 'ALLOW_LIST')
    await lender.operator.api.refuses(403, REFUSED, 'POST', '/positions/transfer', intoEscrow(position))
    expect(await bonds(wallet)).toBe(50n * UNIT)
  })

  it('receives nothing from a tenant that is no party of the loan and lists only its lender', async () => {
    const stranger = await tenants.another()
    const paying = await tenants.borrowing(stranger, 50n, UNLIMITED)
    const { position } = await lends()
    await lists(stranger, vault)
    await rules(stranger, 'ALLOW_LIST')
    await stranger.operator.api.refuses(403, REFUSED, 'POST', '/positions/transfer', intoEscrow(position, paying))
    expect(await bonds(paying)).toBe(50n * UNIT)
  })

  it('control: the lender pays it if the borrower is listed; the borrower gets what exceeds the collateral', async () => {
    const { escrow, position } = await lends()
    await lists(lender, pledging)
    await rules(lender, 'ALLOW_LIST')
    const before = await bonds(pledging)
    await lender.operator.api.ok(201, 'POST', '/positions/transfer', intoEscrow(position))
    await tenants.lendsMore(pledging, 1n)
    await changes('/loans/repay', escrow, {
      itemsToRepay: [{ positionLookup: at(pledging, tenants.cash), repayAll: true }],
      itemsToRelease: [{ positionLookup: at(pledging, tenants.bond), amount: 40 }],
    })
    await changes('/loans/close', escrow, {})
    expect((await bonds(pledging)) - before).toBe(50n * UNIT)
  })

  it('control: a borrower that lists only the vault pledges, deposits, withdraws, repays and closes', async () => {
    await lists(borrower, vault)
    await rules(borrower, 'ALLOW_LIST')
    const { escrow } = await lends()
    const bondItem = (amount: number) => ({ positionLookup: at(pledging, tenants.bond), amount })
    await changes('/loans/swap-collateral', escrow, { itemsToDeposit: [bondItem(5)] })
    await changes('/loans/swap-collateral', escrow, { itemsToWithdraw: [bondItem(5)] })
    await tenants.lendsMore(pledging, 1n)
    await changes('/loans/repay', escrow, {
      itemsToRepay: [{ positionLookup: at(pledging, tenants.cash), repayAll: true }],
      itemsToRelease: [bondItem(40)],
    })
    await changes('/loans/close', escrow, {})
  })
})
