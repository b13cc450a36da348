// Where payments and collateral of a loan go: to the position that the strategy lends from, and to the positions of the
// escrow. No record of the borrower makes them go elsewhere.
import { Keypair } from '@solana/web3.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Platform } from '../../src/operations/context/platform.ts'
import { associated } from '../e2e/addresses.ts'
import {
  withLoanParties,
  fixture,
  lender,
  borrower,
  vault,
  cash,
  bond,
  wallet,
  fees,
  exact,
} from '../e2e/loans/loan-parties.ts'
import { everythingIsFinal } from '../e2e/harness.ts'
import { LoanFixture, terms, type Loan, type LoanCreation } from '../e2e/loans/loan-fixture.ts'
import type { Ids, NewPosition, Problems } from '../e2e/models.ts'
import { Outsider } from './fixtures/outsider.ts'

let platform: Platform
withLoanParties(() =>
  LoanFixture.open({}, (service) => {
    ;({ platform } = service)
  }),
)
afterEach(() => {
  vi.restoreAllMocks()
})

const UNIT = 1_000_000n
const at = (instrument: Ids, owner = wallet) => ({ owner: exact(owner), financialInstrument: exact(instrument) })
const balance = (address: string): Promise<bigint> => fixture.world.chain.tokens(address)
const associatedOf = (owner: Ids): string => associated(owner.onchainId, cash.onchainId, 'SPL')
const refinance = ({ onchainId }: Ids, to: Ids) => ({
  defiProtocol: 'ESCROW_VAULT',
  escrow: { onchainId },
  lendingDetails: { loanStrategyAddress: to.onchainId },
})
const repayment = ({ onchainId }: Ids, amount: number) => ({
  defiProtocol: 'ESCROW_VAULT',
  escrow: { onchainId },
  itemsToRepay: [{ positionLookup: at(cash), amount }],
})

/** A vault of the lender whose principal is in the position, or in its associated one. */
async function vaultWith(
  position: object = {},
  collateral: readonly object[] = [terms(bond)],
): Promise<{ readonly owner: Ids; readonly principal: Ids }> {
  const owner = await lender.records.account()
  const { newPosition } = await lender.api.ok<NewPosition>(201, 'POST', '/positions', {
    owner,
    financialInstrument: cash,
    ...position,
  })
  await lender.records.mint(newPosition, 100n * UNIT)
  await lender.api.ok(201, 'POST', '/loans/strategies', {
    strategyAccount: owner,
    financialInstrument: cash,
    originationsEnabled: true,
    borrowers: [{ organizationExternalId: 'BORROWER', cap: 1_000 }],
    exemptFromDebitLimits: true,
    collateral,
    duration: { code: 'DAYS', unit: 30 },
  })
  return { owner, principal: newPosition }
}

const loanFrom = ({ onchainId }: Ids) => ({
  defiProtocol: 'ESCROW_VAULT',
  lendingDetails: { loanStrategyAddress: onchainId },
  itemsToBorrow: [{ positionLookup: at(cash), amount: 10 }],
  itemsToPledge: [{ positionLookup: at(bond), amount: 40 }],
})

async function borrows(from: Ids): Promise<Ids> {
  const { newLoan, chainTransaction } = await borrower.api.ok<LoanCreation>(201, 'POST', '/loans', loanFrom(from))
  expect(chainTransaction.success, JSON.stringify(chainTransaction)).toBe(true)
  return newLoan
}

describe('the repayment of a loan of another tenant', () => {
  it('goes to the position that the strategy lends from, also if that is not the associated one', async () => {
    const { owner, principal } = await vaultWith({ position: { isDerived: false } })
    const escrow = await borrows(owner)
    await borrower.api.ok(200, 'PATCH', '/loans/repay', repayment(escrow, 4))
    expect(await balance(principal.onchainId)).toBe(94n * UNIT)
    await borrower.api.ok(200, 'PATCH', '/loans/refinance', refinance(escrow, vault))
    expect(await balance(principal.onchainId)).toBeGreaterThanOrEqual(100n * UNIT)
    expect(await fixture.world.chain.exists(associatedOf(owner))).toBe(false)
  })

  it('does not go to an account that the borrower has recorded as one of the vault', async () => {
    const { owner, principal } = await vaultWith()
    const { newPosition: own } = await borrower.api.ok<NewPosition>(
      201,
      'POST',
      '/positions',
      {
        owner: { onchainId: owner.onchainId, offPlatform: true },
        financialInstrument: exact(cash),
        position: { isDerived: false },
      },
      { config: { feePayer: wallet } },
    )
    const escrow = await borrows(owner)
    await borrower.api.ok(200, 'PATCH', '/loans/repay', repayment(escrow, 4))
    expect([await balance(own.onchainId), await balance(principal.onchainId)]).toEqual([0n, 94n * UNIT])
    await borrower.api.ok(200, 'PATCH', '/loans/refinance', refinance(escrow, vault))
    expect(await balance(own.onchainId)).toBe(0n)
    expect(await balance(principal.onchainId)).toBeGreaterThanOrEqual(100n * UNIT)
  })

  it('opens the associated position if the vault has none any more, and the strategy lends from it', async () => {
    const { owner, principal } = await vaultWith({ position: { isDerived: false } })
    const escrow = await borrows(owner)
    await lender.api.ok(
      200,
      'PATCH',
      '/positions/close',
      {
        position: { position: { offchainId: principal.offchainId } },
        transferRemainingTokenBalanceTo: { owner: vault, financialInstrument: cash },
        refundSolToFeePayer: true,
      },
      { config: { feePayer: fees } },
    )
    await borrower.api.ok(200, 'PATCH', '/loans/repay', repayment(escrow, 4))
    expect(await balance(associatedOf(owner))).toBe(4n * UNIT)
    const deposit = { destination: { position: { onchainId: associatedOf(owner), offPlatform: true } }, amount: 20 }
    await lender.api.ok(201, 'POST', '/positions/mint', deposit)
    await lender.records.position(owner, cash)
    await borrows(owner)
    expect(await balance(associatedOf(owner))).toBe(14n * UNIT)
  })
})

describe('a strategy whose position was closed and opened again', () => {
  it('lends from the new one, and is repaid there', async () => {
    const { owner, principal } = await vaultWith()
    const escrow = await borrows(owner)
    const position = { position: { offchainId: principal.offchainId } }
    await lender.api.ok(
      200,
      'PATCH',
      '/positions/close',
      {
        position,
        transferRemainingTokenBalanceTo: { owner: vault, financialInstrument: cash },
        refundSolToFeePayer: true,
      },
      { config: { feePayer: fees } },
    )
    await borrower.api.refuses(400, 'INSUFFICIENT_PRINCIPAL', 'POST', '/loans', loanFrom(owner))
    await lender.records.position(owner, cash, 50n * UNIT)
    await borrows(owner)
    expect(await balance(associatedOf(owner))).toBe(40n * UNIT)
    await borrower.api.ok(200, 'PATCH', '/loans/repay', repayment(escrow, 4))
    expect(await balance(associatedOf(owner))).toBe(44n * UNIT)
  })
})

describe('a deposit of collateral', () => {
  it('does not go to an account of the escrow that an outsider can close and reopen', async () => {
    const issuer = await lender.records.account()
    const stock = await lender.records.instrument('SPL', issuer)
    const feed = await fixture.feed(stock, '1', lender.api)
    const { owner } = await vaultWith({}, [
      terms(bond),
      terms(stock, { onchainDataSource: { offchainId: feed.offchainId } }),
    ])
    const escrow = await borrows(owner)
    const { newPosition } = await borrower.api.ok<NewPosition>(
      201,
      'POST',
      '/positions',
      { owner: wallet, financialInstrument: exact(stock) },
      { config: { feePayer: wallet } },
    )
    const destination = { position: { onchainId: newPosition.onchainId } }
    await lender.api.ok(201, 'POST', '/positions/mint', { destination, amount: 50 })
    const outsider = await Outsider.with(fixture.world)
    const trap = Keypair.generate()
    await outsider.openTrap(trap, stock.onchainId, 'SPL', escrow.onchainId)
    const onchainId = trap.publicKey.toBase58()
    const { newPosition: recorded } = await borrower.api.ok<NewPosition>(201, 'POST', '/positions', {
      owner: { onchainId: escrow.onchainId },
      financialInstrument: exact(stock),
      position: { onchainId, alreadyOnchain: true, managed: false },
    })
    expect(recorded.onchainId).toBe(onchainId)
    await borrower.api.refuses(400, 'POSITION_NOT_FOUND', 'PATCH', '/loans/swap-collateral', {
      defiProtocol: 'ESCROW_VAULT',
      escrow: { onchainId: escrow.onchainId },
      itemsToDeposit: [{ positionLookup: at(stock), amount: 5 }],
    })
    expect(await balance(onchainId)).toBe(0n)
  })
})

/** Holds the first read of the address on chain, as if it took long, until it is released. */
function holdRead(address: string): { readonly reached: Promise<void>; readonly release: () => void } {
  const cluster = platform.clusters.get('CHAIN_DEVNET')!
  const accounts = cluster.accounts.bind(cluster)
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const reached = new Promise<void>((resolve) => {
    let isHeld = false
    vi.spyOn(cluster, 'accounts').mockImplementation(async (addresses) => {
      if (addresses.includes(address) && !isHeld) {
        isHeld = true
        resolve()
        await released
      }
      return await accounts(addresses)
    })
  })
  return { reached, release }
}

describe('two refinancings at the same time', () => {
  it('pay each lender once: the second does not pay whom the first has paid', async () => {
    const [first, second, third] = [await vaultWith(), await vaultWith(), await vaultWith()]
    const escrow = await borrows(first.owner)
    await everythingIsFinal(borrower.api)
    const { reached, release } = holdRead(first.principal.onchainId)
    const slow = borrower.api.send<Problems>('PATCH', '/loans/refinance', refinance(escrow, second.owner))
    await reached
    await borrower.api.ok(200, 'PATCH', '/loans/refinance', refinance(escrow, third.owner))
    await everythingIsFinal(borrower.api)
    release()
    const { status, body } = await slow
    expect([status, body.errors?.[0]?.code]).toEqual([400, 'LOAN_BUSY'])
    const { lender: creditor } = await borrower.api.read<Loan>('/loans/single', {
      escrow: { onchainId: escrow.onchainId },
    })
    expect(creditor.onchain.id).toBe(third.owner.onchainId)
    for (const { owner, principal } of [first, second, third]) {
      const held = await balance(principal.onchainId)
      const owed = owner.onchainId === creditor.onchain.id ? 10n * UNIT : 0n
      expect(held + owed).toBeGreaterThan(99n * UNIT)
      expect(held + owed).toBeLessThan(101n * UNIT)
    }
  })
})
