// The permanent delegate of a mint burns tokens in an escrow. Only what remains there secures the debt: it can be
// released and liquidated, and the loan can be closed.
import { createBurnCheckedInstruction } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Outsider } from '../../trust/fixtures/outsider.ts'
import { associated } from '../addresses.ts'
import type { Ids } from '../models.ts'
import { programOf } from '../onchain.ts'
import { LoanFixture, terms, type Feed, type Loan, type LoanCreation } from './loan-fixture.ts'

const UNIT = 1_000_000n
let fixture: LoanFixture
let delegate: Outsider
let vault: Ids
let cash: Ids
let bond: Ids
let share: Ids
let bondFeed: Feed

beforeAll(async () => {
  fixture = await LoanFixture.open()
  delegate = await Outsider.with(fixture.world)
  const { records, api } = fixture.world
  await records.feePayer()
  const issuer = await records.account()
  const permanentDelegateAuthority = { onchainId: delegate.address, offPlatform: true }
  ;[cash, share] = [await records.instrument('SPL', issuer), await records.instrument('SPL', issuer)]
  bond = await records.instrument('TOKEN_2022', issuer, { permanentDelegateAuthority })
  vault = await records.account()
  await records.position(vault, cash, 10_000n * UNIT)
  bondFeed = await fixture.feed(bond, '1')
  for (const instrument of [cash, share]) await fixture.feed(instrument, '1')
  await api.ok(201, 'POST', '/loans/strategies', {
    strategyAccount: vault,
    financialInstrument: cash,
    originationsEnabled: true,
    collateral: [terms(bond), terms(share)],
    duration: { code: 'DAYS', unit: 30 },
  })
})
afterAll(() => fixture.world.stop())

const at = (owner: Ids, financialInstrument: Ids) => ({ owner, financialInstrument })
const bondsOf = ({ onchainId }: Ids): string => associated(onchainId, bond.onchainId, 'TOKEN_2022')
const readLoan = (escrow: Ids): Promise<Loan> => fixture.world.api.read('/loans/single', { escrow })

/** A loan of 10 against 40 of each collateral. */
async function borrows(...collateral: readonly Ids[]) {
  const { records, api } = fixture.world
  const wallet = await records.funded({ canPayFees: true, tokenDebitLimits: [] })
  await records.position(wallet, cash, UNIT)
  for (const instrument of collateral) await records.position(wallet, instrument, 40n * UNIT)
  const { newLoan: escrow } = await api.ok<LoanCreation>(201, 'POST', '/loans', {
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 10 }],
    itemsToPledge: collateral.map((instrument) => ({ positionLookup: at(wallet, instrument), amount: 40 })),
  })
  return { wallet, escrow, loan: { defiProtocol: 'ESCROW_VAULT', escrow } }
}

async function burn(escrow: Ids, units: bigint): Promise<void> {
  const [account, mint] = [new PublicKey(bondsOf(escrow)), new PublicKey(bond.onchainId)]
  const program = programOf('TOKEN_2022')
  await delegate.send([
    createBurnCheckedInstruction(account, mint, delegate.key.publicKey, units * UNIT, 6, [], program),
  ])
}

it('releases no other collateral against what was burned', async () => {
  const { api } = fixture.world
  const { wallet, escrow, loan } = await borrows(bond, share)
  await burn(escrow, 40n)
  const withdraws = (amount: number) => ({
    ...loan,
    itemsToWithdraw: [{ positionLookup: at(wallet, share), amount }],
  })
  await api.refuses(400, 'LOAN_UNHEALTHY', 'PATCH', '/loans/swap-collateral', withdraws(40))
  expect((await readLoan(escrow)).pledgedItems.map(({ pledgedAmount }) => pledgedAmount)).toEqual([40])
  await api.ok(200, 'PATCH', '/loans/swap-collateral', withdraws(15))
})

it('liquidates what remains, and books its value', async () => {
  const { api, chain } = fixture.world
  const { escrow, loan } = await borrows(bond)
  await burn(escrow, 35n)
  await api.ok(200, 'PATCH', '/loans/liquidate', loan)
  expect([await chain.tokens(bondsOf(escrow)), await chain.tokens(bondsOf(vault))]).toEqual([0n, 5n * UNIT])
  const after = await readLoan(escrow)
  expect(after.pledgedItems).toEqual([])
  // Five, of which some seconds of interest are paid first.
  expect(Number(after.borrowedItems[0]!.principalRepaid)).toBeCloseTo(5, 3)
})

it('is closed once it is repaid and the remainder is released', async () => {
  const { api, chain } = fixture.world
  const { wallet, escrow, loan } = await borrows(bond)
  await burn(escrow, 30n)
  const releases = (amount: number) => ({ ...loan, itemsToRelease: [{ positionLookup: at(wallet, bond), amount }] })
  const repayment = [{ positionLookup: at(wallet, cash), repayAll: true }]
  await api.ok(200, 'PATCH', '/loans/repay', { ...loan, itemsToRepay: repayment })
  await api.refuses(400, 'INSUFFICIENT_BALANCE', 'PATCH', '/loans/repay', releases(11))
  await api.ok(200, 'PATCH', '/loans/repay', releases(10))
  await api.ok(200, 'PATCH', '/loans/close', loan)
  expect(await chain.exists(bondsOf(escrow))).toBe(false)
  expect(await chain.tokens(bondsOf(wallet))).toBe(10n * UNIT)
  expect(await readLoan(escrow)).toMatchObject({ status: 'CLOSED', pledgedItems: [] })
})

it('may not be refinanced against what was burned, and is liquidated at the full price of the rest', async () => {
  const { api } = fixture.world
  const { escrow, loan } = await borrows(bond)
  const refinance = { ...loan, lendingDetails: { loanStrategyAddress: vault.onchainId } }
  await burn(escrow, 25n)
  await api.refuses(400, 'LTV_EXCEEDED', 'PATCH', '/loans/refinance', refinance)
  await api.refuses(400, 'LOAN_NOT_LIQUIDATABLE', 'PATCH', '/loans/liquidate', loan)
  await fixture.price(bondFeed, '2')
  await api.ok(200, 'PATCH', '/loans/refinance', refinance)
  await fixture.price(bondFeed, '1')
})
