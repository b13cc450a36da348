// Liquidation where it begins to be allowed, to the raw unit, and liquidations that wait for a signature. No loan bears
// interest, so that the debt is the principal.
import { createFreezeAccountInstruction, createThawAccountInstruction } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Outsider } from '../../trust/fixtures/outsider.ts'
import { associated } from '../addresses.ts'
import { once } from '../client.ts'
import { eventually } from '../harness.ts'
import type { Ids, Result } from '../models.ts'
import { programOf } from '../onchain.ts'
import { SOL } from '../records.ts'
import { LoanFixture, terms, type Feed, type Loan, type LoanCreation } from './loan-fixture.ts'

const LIQUIDATE = '/loans/liquidate'

let fixture: LoanFixture
let issuer: Outsider
let fees: Ids
let vault: Ids
let cash: Ids
let bond: Ids
let share: Ids
let bondFeed: Feed
let shareFeed: Feed

beforeAll(async () => {
  fixture = await LoanFixture.open()
  const { records, api } = fixture.world
  fees = await records.feePayer()
  issuer = await Outsider.with(fixture.world)
  const minter = await records.account()
  const instruments = [await records.instrument('SPL', minter), await records.instrument('SPL', minter)]
  ;[cash, bond] = instruments as [Ids, Ids]
  share = await records.instrument('TOKEN_2022', minter, {
    freezeAuthority: { onchainId: issuer.address, offPlatform: true },
    pausableAuthority: minter,
  })
  vault = await records.account({ tokenDebitLimits: [] })
  await records.position(vault, cash, 10n ** 12n)
  await fixture.feed(cash, '1')
  ;[bondFeed, shareFeed] = [await fixture.feed(bond, '1'), await fixture.feed(share, '1')]
  await api.ok(201, 'POST', '/loans/strategies', {
    strategyAccount: vault,
    financialInstrument: cash,
    originationsEnabled: true,
    collateral: [terms(bond, { apy: 0 }), terms(share, { apy: 0 })],
    duration: { code: 'DAYS', unit: 30 },
  })
})
afterAll(() => fixture.world.stop())

const item = (owner: Ids, financialInstrument: Ids, raw: bigint) => ({
  positionLookup: { owner, financialInstrument },
  lamports: raw.toString(),
})
const loanAt = (escrow: Ids): Promise<Loan> => fixture.world.api.read('/loans/single', { escrow })
const accountOf = (owner: Ids, instrument: Ids): string =>
  associated(owner.onchainId, instrument.onchainId, instrument === share ? 'TOKEN_2022' : 'SPL')
const held = (owner: Ids, instrument: Ids): Promise<bigint> => fixture.world.chain.tokens(accountOf(owner, instrument))

async function borrows(raw: bigint, ...pledges: readonly (readonly [Ids, bigint])[]) {
  const { records, api } = fixture.world
  const wallet = await records.funded({ canPayFees: true, tokenDebitLimits: [] }, SOL)
  for (const [instrument, amount] of pledges) await records.position(wallet, instrument, amount)
  const { newLoan: escrow } = await api.ok<LoanCreation>(201, 'POST', '/loans', {
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow: [item(wallet, cash, raw)],
    itemsToPledge: pledges.map(([instrument, amount]) => item(wallet, instrument, amount)),
  })
  return { wallet, escrow, loan: { defiProtocol: 'ESCROW_VAULT', escrow } }
}

/** The liquidation, prepared: the signature of its fee payer is missing. */
async function prepared(loan: object): Promise<{ readonly transaction: { readonly offchainId: string } }> {
  const config = { feePayer: { ...fees, autoSign: false } }
  const { chainTransaction } = await fixture.world.api.ok<LoanCreation>(200, 'PATCH', LIQUIDATE, loan, { config })
  expect(chainTransaction.status).toBe('PREPARED')
  return { transaction: { offchainId: chainTransaction.offchainId } }
}

describe('a loan of 100,000,000 raw units at 80 %', () => {
  it.each([
    ['exactly covered', 250_000_000n, 0],
    ['covered by one unit more', 250_000_001n, 0],
  ])('is not liquidated while it is %s', async (_, pledged, health) => {
    const { loan, escrow } = await borrows(100_000_000n, [bond, pledged])
    await fixture.price(bondFeed, '0.5')
    expect(await loanAt(escrow)).toMatchObject({ lifecycleState: 'ACTIVE', health, currentLoanToValue: 800_000 })
    await fixture.world.api.refuses(400, 'LOAN_NOT_LIQUIDATABLE', 'PATCH', LIQUIDATE, loan)
    await fixture.price(bondFeed, '1')
  })

  it('is liquidated where one unit is missing, once per request', async () => {
    const { api } = fixture.world
    const { loan, escrow } = await borrows(100_000_000n, [bond, 249_999_999n])
    await fixture.price(bondFeed, '0.5')
    expect(await loanAt(escrow)).toMatchObject({
      lifecycleState: 'LIQUIDATABLE',
      health: -1,
      currentLoanToValue: 800_001,
    })
    const before = await held(vault, bond)
    const first = await api.ok<LoanCreation>(200, 'PATCH', LIQUIDATE, loan, { headers: once('one unit') })
    const again = await api.ok<LoanCreation>(200, 'PATCH', LIQUIDATE, loan, { headers: once('one unit') })
    expect(again.chainTransaction.onchainId).toBe(first.chainTransaction.onchainId)
    await api.refuses(400, 'LOAN_NOT_LIQUIDATABLE', 'PATCH', LIQUIDATE, loan)
    expect([(await held(vault, bond)) - before, await held(escrow, bond)]).toEqual([200_000_000n, 49_999_999n])
    expect(await loanAt(escrow)).toMatchObject({ lifecycleState: 'REPAID', health: 1_000_000 })
    await fixture.price(bondFeed, '1')
  })

  it('is covered by collateral rounded up, and the remainder of one unit is released', async () => {
    const { api } = fixture.world
    const { loan, escrow, wallet } = await borrows(100_000_000n, [bond, 300_000_002n])
    // 100,000,000 at a third: 300,000,000.3, of which no fraction can be taken.
    await fixture.price(bondFeed, '0.333333333')
    await api.ok(200, 'PATCH', LIQUIDATE, loan)
    expect(await held(escrow, bond)).toBe(1n)
    expect(await loanAt(escrow)).toMatchObject({
      lifecycleState: 'REPAID',
      pledgedItems: [{ pledgedAmount: 0.000001 }],
    })
    await api.ok(200, 'PATCH', '/loans/repay', { ...loan, itemsToRelease: [item(wallet, bond, 1n)] })
    await api.ok(200, 'PATCH', '/loans/close', loan)
    expect(await held(wallet, bond)).toBe(1n)
    await fixture.price(bondFeed, '1')
  })

  it('that is not covered pays what the collateral is worth, rounded down, and then has nothing to take', async () => {
    const { api } = fixture.world
    const { loan, escrow } = await borrows(100_000_000n, [bond, 200_000_001n])
    await fixture.price(bondFeed, '0.3')
    await api.ok(200, 'PATCH', LIQUIDATE, loan)
    // 60,000,000.3 raw units.
    expect(await loanAt(escrow)).toMatchObject({
      lifecycleState: 'LIQUIDATABLE',
      pledgedItems: [],
      borrowedItems: [{ principalDue: 100, principalRepaid: 60 }],
    })
    await api.refuses(400, 'LOAN_NOT_LIQUIDATABLE', 'PATCH', LIQUIDATE, loan)
    await fixture.price(bondFeed, '1')
  })
})

describe('a liquidation that waits for a signature', () => {
  const refusesToSign = async (code: string, request: object): Promise<void> => {
    await fixture.world.api.refuses(400, code, 'POST', '/transactions/sign', request)
  }

  it('is refused once the price of what it takes has changed', async () => {
    const { loan } = await borrows(50_000_000n, [bond, 100_000_000n])
    await fixture.price(bondFeed, '0.6')
    const request = await prepared(loan)
    await fixture.price(bondFeed, '0.61')
    await refusesToSign('PRICE_STALE', request)
    await fixture.price(bondFeed, '1')
  })

  it('is refused once the loan is covered again by what it does not take', async () => {
    const { loan, escrow } = await borrows(55_000_000n, [bond, 60_000_000n], [share, 60_000_000n])
    await fixture.price(shareFeed, '0.01')
    const request = await prepared(loan)
    await fixture.price(shareFeed, '1')
    expect((await loanAt(escrow)).lifecycleState).toBe('ACTIVE')
    await refusesToSign('LOAN_NOT_LIQUIDATABLE', request)
    expect(await held(escrow, bond)).toBe(60_000_000n)
  })

  it('happens once while the loan is not covered, and nothing else changes the loan meanwhile', async () => {
    const { api } = fixture.world
    const { loan, escrow, wallet } = await borrows(55_000_000n, [bond, 60_000_000n], [share, 60_000_000n])
    await fixture.price(shareFeed, '0.01')
    const request = await prepared(loan)
    await api.refuses(400, 'LOAN_BUSY', 'PATCH', '/loans/repay', {
      ...loan,
      itemsToRepay: [item(wallet, cash, 1_000_000n)],
    })
    await api.ok(200, 'POST', '/transactions/sign', request)
    const { success } = await api.ok<Result>(200, 'POST', '/transactions/submit', request)
    expect(success).toBe(true)
    expect([await held(escrow, bond), await held(escrow, share)]).toEqual([5_000_000n, 60_000_000n])
    await api.ok(200, 'POST', '/transactions/submit', request)
    expect(await held(escrow, bond)).toBe(5_000_000n)
    await fixture.price(shareFeed, '1')
  })
})

describe('collateral that cannot be moved', () => {
  const freeze = async (escrow: Ids): Promise<void> => {
    const [account, mint] = [accountOf(escrow, share), share.onchainId].map((each) => new PublicKey(each))
    await issuer.send([
      createFreezeAccountInstruction(account!, mint!, issuer.key.publicKey, [], programOf('TOKEN_2022')),
    ])
    const lookup = { position: { onchainId: account!.toBase58() } }
    await eventually(async () => {
      const { state } = await fixture.world.api.read<{ state: string }>('/positions/single', lookup)
      expect(state).toBe('FROZEN')
    })
  }
  const thaw = async (escrow: Ids): Promise<void> => {
    const [account, mint] = [accountOf(escrow, share), share.onchainId].map((each) => new PublicKey(each))
    await issuer.send([
      createThawAccountInstruction(account!, mint!, issuer.key.publicKey, [], programOf('TOKEN_2022')),
    ])
  }
  const switched = (what: string) => async (): Promise<void> => {
    await fixture.world.api.ok(200, 'PATCH', `/financial-instruments/${what}`, { financialInstrument: share })
  }

  it.each([
    ['frozen', 'POSITION_FROZEN', freeze, thaw],
    ['paused', 'INSTRUMENT_PAUSED', switched('pause'), switched('unpause')],
  ])('because it is %s does not protect the rest from a liquidation', async (_, code, stop, resume) => {
    const { api } = fixture.world
    const { loan, escrow } = await borrows(55_000_000n, [share, 60_000_000n], [bond, 60_000_000n])
    await stop(escrow)
    await fixture.price(bondFeed, '0.1')
    await api.ok(200, 'PATCH', LIQUIDATE, loan)
    expect([await held(escrow, share), await held(escrow, bond)]).toEqual([60_000_000n, 0n])
    expect(await loanAt(escrow)).toMatchObject({ borrowedItems: [{ principalDue: 55, principalRepaid: 6 }] })
    await fixture.price(shareFeed, '0.9')
    await api.refuses(400, code, 'PATCH', LIQUIDATE, loan)
    await resume(escrow)
    await api.ok(200, 'PATCH', LIQUIDATE, loan)
    // 49 at 0.9 each: 54.444445.
    expect(await held(escrow, share)).toBe(5_555_555n)
    expect((await loanAt(escrow)).lifecycleState).toBe('REPAID')
    for (const feed of [bondFeed, shareFeed]) await fixture.price(feed, '1')
  })
})
