// A loan of two strategies of which one debt is repaid, and one collateral released: neither counts any more.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SOL } from '../records.ts'
import type { Ids } from '../models.ts'
import { LoanFixture, terms, type Feed, type Loan, type LoanCreation } from './loan-fixture.ts'

const UNIT = 1_000_000n

let fixture: LoanFixture
let vault: Ids
let wallet: Ids
let cash: Ids
let euro: Ids
let bond: Ids
let gold: Ids
/** Accepted by the strategy of the euro only. */
let others: readonly Ids[]
let strictFeed: Feed
let cashFeed: Feed
let euroFeed: Feed
let goldFeed: Feed

beforeAll(async () => {
  fixture = await LoanFixture.open()
  const { records, api } = fixture.world
  await records.feePayer()
  const issuer = await records.account()
  const create = () => records.instrument('SPL', issuer)
  ;[cash, euro, bond, gold] = [await create(), await create(), await create(), await create()]
  vault = await records.account()
  wallet = await records.funded({ canPayFees: true, tokenDebitLimits: [] }, SOL)
  for (const each of [cash, euro])
    for (const owner of [vault, wallet]) await records.position(owner, each, 10_000n * UNIT)
  for (const each of [bond, gold]) await records.position(wallet, each, 9_000n * UNIT)
  ;[cashFeed, euroFeed] = [await fixture.feed(cash, '1'), await fixture.feed(euro, '1')]
  strictFeed = await fixture.feed(bond, '1')
  goldFeed = await fixture.feed(gold, '1')
  others = [await create(), await create(), await create(), await create()]
  for (const each of others) {
    await records.position(wallet, each, 9_000n * UNIT)
    await fixture.feed(each, '1')
  }
  const strategy = (financialInstrument: Ids, collateral: readonly object[]) =>
    api.ok(201, 'POST', '/loans/strategies', {
      strategyAccount: vault,
      financialInstrument,
      originationsEnabled: true,
      collateral,
      duration: { code: 'DAYS', unit: 30 },
    })
  await strategy(cash, [terms(bond, { maxPriceAgeSeconds: 60 }), terms(gold, { maxPriceAgeSeconds: 36_000 })])
  const otherFeed = await fixture.feed(bond, '1')
  const named = { onchainDataSource: { offchainId: otherFeed.offchainId }, maxPriceAgeSeconds: 36_000 }
  await strategy(euro, [
    terms(bond, named),
    terms(gold, { maxPriceAgeSeconds: 30_000 }),
    ...others.map((each) => terms(each, { maxPriceAgeSeconds: 36_000 })),
  ])
})
afterAll(() => fixture.world.stop())

const item = (financialInstrument: Ids, amount: number) => ({
  positionLookup: { owner: wallet, financialInstrument },
  amount,
})
const all = (financialInstrument: Ids) => ({ positionLookup: { owner: wallet, financialInstrument }, repayAll: true })

async function lend(itemsToBorrow: readonly object[], itemsToPledge: readonly object[]) {
  const { newLoan } = await fixture.world.api.ok<LoanCreation>(201, 'POST', '/loans', {
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow,
    itemsToPledge,
  })
  return { defiProtocol: 'ESCROW_VAULT', escrow: newLoan }
}
const readLoan = (escrow: Ids) => fixture.world.api.read<Loan>('/loans/single', { escrow })

describe('a loan is shown as decisions value it', () => {
  it('without the feeds of a repaid debt', async () => {
    const { api } = fixture.world
    const loan = await lend([item(cash, 50), item(euro, 50)], [item(bond, 300)])
    await api.ok(200, 'PATCH', '/loans/repay', { ...loan, itemsToRepay: [all(cash)] })
    await fixture.price(strictFeed, '0.1')
    const { health, currentLoanToValue, lifecycleState, marketData } = await readLoan(loan.escrow)
    expect(lifecycleState).toBe('ACTIVE')
    expect(health).toBeGreaterThan(780_000)
    expect(currentLoanToValue).toBeLessThan(170_000)
    expect(marketData).toHaveLength(4)
    await api.refuses(400, 'LOAN_NOT_LIQUIDATABLE', 'PATCH', '/loans/liquidate', loan)
    await fixture.price(strictFeed, '1')
  })

  it('without the maximum age of released collateral', async () => {
    const { api } = fixture.world
    const loan = await lend([item(cash, 100)], [item(bond, 10), item(gold, 300)])
    await api.ok(200, 'PATCH', '/loans/swap-collateral', { ...loan, itemsToWithdraw: [item(bond, 10)] })
    fixture.pass(600)
    await fixture.price(goldFeed, '0.3')
    const { lifecycleState, marketData } = await readLoan(loan.escrow)
    const staleOf = (instrument: Ids) =>
      marketData.find(({ financialInstrument: { onchain } }) => onchain.id === instrument.onchainId)?.stale
    expect([lifecycleState, staleOf(cash), staleOf(gold)]).toEqual(['LIQUIDATABLE', false, false])
    await api.ok(200, 'PATCH', '/loans/liquidate', loan)
    await fixture.price(goldFeed, '1')
    for (const feed of [cashFeed, euroFeed, strictFeed]) await fixture.price(feed, '1')
  })
})

it('a loan is not found by collateral that was released', async () => {
  const { api } = fixture.world
  const loan = await lend([item(cash, 50)], [item(bond, 10), item(gold, 300)])
  const found = async (fieldName: string, filterValue: object) => {
    const escrow = { filterType: 'EQUALS', valueString: loan.escrow.onchainId }
    const filter = [
      { fieldName: 'escrowOnchainId', filterValues: [escrow] },
      { fieldName, filterValues: [filterValue] },
    ]
    return ((await api.bulk('/loans/bulk', { filter })) as { count: number }).count
  }
  const counts = () =>
    Promise.all([
      found('pledgedItemOnchainId', { filterType: 'EQUALS', valueString: bond.onchainId }),
      found('pledgedItemOffchainId', { filterType: 'EQUALS', valueString: bond.offchainId }),
      found('pledgedItemAmount', { filterType: 'LESS_THAN', valueNumber: 11 }),
      found('pledgedItemAmount', { filterType: 'EQUALS', valueNumber: 300 }),
    ])
  expect(await counts()).toEqual([1, 1, 1, 1])
  await api.ok(200, 'PATCH', '/loans/swap-collateral', { ...loan, itemsToWithdraw: [item(bond, 10)] })
  expect(await counts()).toEqual([0, 0, 0, 1])
})

describe('an exchange of collateral', () => {
  it('is accepted by the debts that are still due, whatever a repaid one accepts', async () => {
    const { api } = fixture.world
    const loan = await lend([item(cash, 50), item(euro, 50)], [item(gold, 300)])
    const deposit = { ...loan, itemsToDeposit: [item(others[0]!, 10)] }
    await api.refuses(400, 'COLLATERAL_NOT_ACCEPTED', 'PATCH', '/loans/swap-collateral', deposit)
    await api.ok(200, 'PATCH', '/loans/repay', { ...loan, itemsToRepay: [all(cash)] })
    await api.ok(200, 'PATCH', '/loans/swap-collateral', deposit)
    expect((await readLoan(loan.escrow)).pledgedItems.map(({ pledgedAmount }) => pledgedAmount)).toEqual([300, 10])
    await api.ok(200, 'PATCH', '/loans/repay', { ...loan, itemsToRepay: [all(euro)] })
    await api.refuses(400, 'COLLATERAL_NOT_ACCEPTED', 'PATCH', '/loans/swap-collateral', deposit)
  })

  it('puts a fifth instrument in the place of another, but adds no sixth', async () => {
    const { api } = fixture.world
    const [first, ...rest] = others as [Ids, ...Ids[]]
    const loan = await lend(
      [item(euro, 10)],
      [gold, first, ...rest].map((each) => item(each, 100)),
    )
    const deposit = { ...loan, itemsToDeposit: [item(bond, 100)] }
    await api.refuses(400, 'TOO_MANY_ITEMS', 'PATCH', '/loans/swap-collateral', deposit)
    const part = { ...deposit, itemsToWithdraw: [item(first, 99)] }
    await api.refuses(400, 'TOO_MANY_ITEMS', 'PATCH', '/loans/swap-collateral', part)
    await api.ok(200, 'PATCH', '/loans/swap-collateral', { ...deposit, itemsToWithdraw: [item(first, 100)] })
    expect((await readLoan(loan.escrow)).pledgedItems).toHaveLength(5)
  })
})

it('collateral of two debts is valued at a price that is fresh for both, in any order of the debts', async () => {
  const { api } = fixture.world
  for (const feed of [cashFeed, euroFeed, goldFeed]) await fixture.price(feed, '1')
  fixture.pass(33_000)
  for (const feed of [cashFeed, euroFeed]) await fixture.price(feed, '1')
  const both = [item(cash, 50), item(euro, 1)]
  const request = (itemsToBorrow: readonly object[]) => ({
    defiProtocol: 'ESCROW_VAULT',
    lendingDetails: { loanStrategyAddress: vault.onchainId },
    itemsToBorrow,
    itemsToPledge: [item(gold, 300)],
  })
  for (const items of [both, both.toReversed()]) await api.refuses(400, 'PRICE_STALE', 'POST', '/loans', request(items))
  await api.ok(201, 'POST', '/loans', request([item(cash, 50)]))
})
