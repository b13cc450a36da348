// The lending adapter signs for the vault of a lender. A borrower tries to have the vault sign for more than the
// principal: for collateral out of the vault itself, or minted by the vault.
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { terms, type LoanCreation } from '../e2e/loans/loan-fixture.ts'
import type { Ids, Problems } from '../e2e/models.ts'
import { associated } from '../e2e/addresses.ts'
import { UNLIMITED } from '../e2e/payouts/counterparty-setup.ts'
import { LendingTenants, UNIT, type Tenant } from './fixtures/lending-tenants.ts'

let tenants: LendingTenants
let lender: Tenant
let borrower: Tenant

beforeAll(async () => {
  tenants = await LendingTenants.open()
  ;({ lender, borrower } = tenants)
})
afterAll(() => tenants.fixture.world.stop())

const at = (owner: Ids, { onchainId }: Ids) => ({
  owner: { offchainId: owner.offchainId },
  financialInstrument: { onchainId },
})
const bonds = (owner: Ids): Promise<bigint> => tenants.balanceOf(owner, tenants.bond)

/** A vault that lends to the borrower, and to another organization of the lender's own tenant. */
async function lends(vault: Ids, collateral = tenants.bond): Promise<Ids> {
  await tenants.makesStrategy(vault, {
    collateral: [terms(collateral)],
    borrowers: [{ organizationExternalId: borrower.organization, cap: 1_000 }, lender.organization],
    exemptFromDebitLimits: true,
  })
  return vault
}

const borrows = (vault: Ids, wallet: Ids, pledge: object) =>
  borrower.operator.api.send<LoanCreation & Problems>('POST', '/loans', {
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow: [{ positionLookup: at(wallet, tenants.cash), amount: 10 }],
    itemsToPledge: [{ positionLookup: at(wallet, tenants.bond), amount: 40, ...pledge }],
  })

describe('the signature of a vault', () => {
  it('does not pledge what the vault itself holds', async () => {
    const vault = await lends(await tenants.treasury(10_000n, UNLIMITED))
    await lender.records.position(vault, tenants.bond, 100n * UNIT)
    const wallet = await tenants.borrowing(borrower, 1n, UNLIMITED)
    const { status, body } = await borrows(vault, wallet, {
      transferFrom: {
        position: { onchainId: associated(vault.onchainId, tenants.bond.onchainId, 'SPL'), offPlatform: true },
      },
    })
    expect([status, body.errors?.[0]?.code, await bonds(vault)], JSON.stringify(body)).toEqual([
      400,
      'OWNER_MISMATCH',
      100n * UNIT,
    ])
  })

  it('does not mint the collateral, if the vault is the mint authority', async () => {
    const vault = await tenants.treasury(10_000n, UNLIMITED)
    const deed = await lender.records.instrument('SPL', vault)
    await tenants.fixture.feed(deed, '1', lender.admin.api)
    await lends(vault, deed)
    const wallet = await tenants.borrowing(borrower, 1n, UNLIMITED)
    const supply = (): Promise<bigint> => tenants.fixture.world.chain.supply(deed.onchainId)
    const before = await supply()
    const { status, body } = await borrows(vault, wallet, { positionLookup: at(wallet, deed), mintAsset: true })
    expect([status, body.errors?.[0]?.code, await supply()], JSON.stringify(body)).toEqual([
      403,
      'SIGNER_NOT_ALLOWED',
      before,
    ])
  })

  it('control: mints the collateral for a borrower whose key may sign with the vault', async () => {
    const vault = await tenants.treasury(10_000n, UNLIMITED)
    const deed = await lender.records.instrument('SPL', vault)
    await tenants.fixture.feed(deed, '1', lender.admin.api)
    await lends(vault, deed)
    const wallet = await tenants.borrowing(lender, 1n, UNLIMITED)
    const { chainTransaction } = await lender.operator.api.ok<LoanCreation>(201, 'POST', '/loans', {
      ...tenants.loan(vault, wallet, 10, 40, deed),
      itemsToPledge: [{ positionLookup: at(wallet, deed), amount: 40, mintAsset: true }],
    })
    expect(chainTransaction.success, JSON.stringify(chainTransaction)).toBe(true)
    expect(await tenants.fixture.world.chain.supply(deed.onchainId)).toBe(40n * UNIT)
  })

  it('does not lend to the vault, past the limits and the key list of its wallet', async () => {
    const vault = await tenants.treasury(1_000n, { tokenDebitLimits: [], tokenDebitApiKeys: [lender.admin.keyId] })
    const friend = await tenants.borrowing(lender, 100n, UNLIMITED)
    await lender.admin.api.ok(200, 'PATCH', '/accounts', { account: vault, canPayFees: true })
    await lends(vault)
    const stranger = Keypair.generate().publicKey.toBase58()
    const { status, body } = await lender.operator.api.send<LoanCreation & Problems>('POST', '/loans', {
      ...tenants.loan(vault, vault, 10, 40),
      itemsToBorrow: [
        {
          positionLookup: at(vault, tenants.cash),
          amount: 10,
          transferTo: { owner: { onchainId: stranger, offPlatform: true }, financialInstrument: tenants.cash },
        },
      ],
      itemsToPledge: [{ positionLookup: at(vault, tenants.bond), amount: 40, transferFrom: at(friend, tenants.bond) }],
    })
    expect([status, body.errors?.[0]?.code], JSON.stringify(body)).toEqual([400, 'OWNER_MISMATCH'])
    expect(await tenants.balanceOf(vault)).toBe(1_000n * UNIT)
  })

  it('does not thaw a position for another tenant, if the vault is the freeze authority', async () => {
    const vault = await tenants.treasury(10_000n, UNLIMITED)
    const deed = await lender.records.instrument('TOKEN_2022', tenants.issuer, {
      freezeAuthority: vault,
      defaultPositionState: 'FROZEN',
    })
    await tenants.fixture.feed(deed, '1', lender.admin.api)
    await lends(vault, deed)
    const wallet = await tenants.borrowing(borrower, 1n, UNLIMITED)
    const frozen = associated(wallet.onchainId, deed.onchainId, 'TOKEN_2022')
    await borrower.admin.api.ok(201, 'POST', '/positions', { owner: wallet, financialInstrument: deed })
    await lender.admin.api.ok(201, 'POST', '/positions/mint', {
      destination: { position: { onchainId: frozen } },
      amount: 100,
      unfreezeDestination: true,
      freezeDestination: true,
    })
    const { status, body } = await borrows(vault, wallet, { positionLookup: at(wallet, deed) })
    expect([status, body.errors?.[0]?.code], JSON.stringify(body)).toEqual([403, 'SIGNER_NOT_ALLOWED'])
    expect(await tenants.fixture.world.chain.tokens(frozen)).toBe(100n * UNIT)
  })
})
