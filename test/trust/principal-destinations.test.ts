// The vault of the lender pays the principal of a loan to the account that `transferTo` names. The borrower owes it, so
// that the destination policies of the borrowing account and of its organization hold too.
import { randomUUID } from 'node:crypto'
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LoanCreation } from '../e2e/loans/loan-fixture.ts'
import type { Ids, Problems } from '../e2e/models.ts'
import { REFUSED, UNLIMITED } from '../e2e/payouts/counterparty-setup.ts'
import { newParty } from './fixtures/parties.ts'
import { LendingTenants, UNIT, type Tenant } from './fixtures/lending-tenants.ts'

let tenants: LendingTenants
let borrower: Tenant
let vault: Ids
let strategy: Ids

beforeAll(async () => {
  tenants = await LendingTenants.open()
  ;({ borrower } = tenants)
  vault = await tenants.treasury(10_000n, UNLIMITED)
  strategy = await tenants.makesStrategy(vault, {
    borrowers: [{ organizationExternalId: borrower.organization, cap: 1_000 }],
    exemptFromDebitLimits: true,
  })
  await lists('ALLOWED', vault.onchainId)
})
afterAll(() => tenants.fixture.world.stop())

const newAddress = (): string => Keypair.generate().publicKey.toBase58()
const lists = (status: string, onchainId: string): Promise<unknown> =>
  borrower.admin.api.ok(201, 'POST', '/counterparties', { name: status, status, addresses: [{ onchainId }] })

/** A loan of ten to the wallet, paid out to the owner of `transferTo`. */
function borrows(wallet: Ids, transferTo: object, by = borrower.operator.api) {
  const at = {
    owner: { offchainId: wallet.offchainId },
    financialInstrument: { onchainId: tenants.cash.onchainId },
  }
  return by.send<LoanCreation & Problems>('POST', '/loans', {
    ...tenants.loan(vault, wallet, 10, 40),
    itemsToBorrow: [
      { positionLookup: at, amount: 10, transferTo: { owner: transferTo, financialInstrument: tenants.cash } },
    ],
  })
}

async function isRefused(wallet: Ids, by = borrower.operator.api): Promise<void> {
  const onchainId = newAddress()
  // The account exists, so that the borrower does not pay its rent.
  await tenants.lender.admin.api.ok(201, 'POST', '/positions/mint', {
    destination: { owner: { onchainId, offPlatform: true }, financialInstrument: tenants.cash },
    amount: 1,
    initializeDestinationPositionIfNeeded: true,
  })
  const { status, body } = await borrows(wallet, { onchainId, offPlatform: true }, by)
  expect([status, body.errors?.[0]?.code], JSON.stringify(body)).toEqual([403, REFUSED])
  expect(await tenants.balanceOf({ onchainId, offchainId: '' })).toBe(UNIT)
}

describe('the principal of a loan', () => {
  it('goes to allowed destinations only, if the borrowing account has an allow list', async () => {
    const wallet = await tenants.borrowing(borrower, 400n, { ...UNLIMITED, destinationPolicy: 'ALLOW_LIST' })
    await isRefused(wallet)
    const own = await tenants.borrowing(borrower, 1n, UNLIMITED)
    expect((await borrows(wallet, own)).body.chainTransaction.success).toBe(true)
    const listed = newAddress()
    await lists('ALLOWED', listed)
    expect((await borrows(wallet, { onchainId: listed, offPlatform: true })).body.chainTransaction.success).toBe(true)
    expect(await tenants.balanceOf({ onchainId: listed, offchainId: '' })).toBe(10n * UNIT)
  })

  it('goes to allowed destinations only, if a grantee borrows for the account of an organization with a list', async () => {
    const below = await newParty(tenants.fixture.world, `ORG-${randomUUID()}`, borrower.organization)
    const wallet = await tenants.borrowing(borrower, 400n, {
      ...UNLIMITED,
      orgsAllowedToSignWithPrivateKey: [below.externalId],
    })
    await tenants.lender.admin.api.ok(200, 'PATCH', '/loans/strategies', {
      ...tenants.change(strategy, {}),
      borrowers: [borrower.organization, below.externalId].map((organizationExternalId) => ({
        organizationExternalId,
        cap: 1_000,
      })),
    })
    await borrower.admin.api.ok(200, 'PATCH', '/admin/organizations', {
      externalId: borrower.organization,
      destinationPolicy: 'ALLOW_LIST',
    })
    await isRefused(wallet, below.api)
  })
})
