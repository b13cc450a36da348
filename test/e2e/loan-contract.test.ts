// What the contract says of a loan, member by member: defaults, what is absent and what is null, whose terms and whose
// prices count, and how loans are found.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { associated } from './addresses.ts'
import { once } from './client.ts'
import { LoanYard, terms, type Feed, type Lent, type Loan } from './loan-yard.ts'
import type { Ids, Problems } from './models.ts'

const UNIT = 1_000_000n
let yard: LoanYard
let vault: Ids
let wallet: Ids
let cash: Ids
let bond: Ids
let strategy: Ids
let bondFeed: Feed
let cashFeed: Feed

beforeAll(async () => {
  yard = await LoanYard.open()
  const { records, api } = yard.world
  await records.feePayer()
  const issuer = await records.account()
  ;[cash, bond] = await Promise.all([records.instrument('SPL', issuer), records.instrument('TOKEN_2022', issuer)])
  ;[vault, wallet] = await Promise.all([records.account(), records.funded({ canPayFees: true })])
  await Promise.all([records.position(vault, cash, 10_000n * UNIT), records.position(wallet, bond, 9_000n * UNIT)])
  ;[cashFeed, bondFeed] = [await yard.feed(cash, '1'), await yard.feed(bond, '1')]
  const body = {
    strategyAccount: vault,
    financialInstrument: cash,
    originationsEnabled: true,
    collateral: [terms(bond)],
    duration: { code: 'WEEKS', unit: 2 },
  }
  strategy = (await api.ok<{ newStrategy: Ids }>(201, 'POST', '/loans/strategies', body)).newStrategy
})
afterAll(() => yard.world.stop())

const at = (financialInstrument: Ids, owner = wallet) => ({ owner, financialInstrument })
const item = (instrument: Ids, amount: number | string) => ({ positionLookup: at(instrument), amount })
const wanted = (more: object = {}) => ({
  defiProtocol: 'ESCROW_VAULT',
  lendingDetails: { loanStrategyAddress: vault.onchainId },
  itemsToBorrow: [item(cash, 100)],
  itemsToPledge: [item(bond, 300)],
  ...more,
})
const lend = async (more: object = {}, options: object = {}): Promise<Lent> => {
  const lent = await yard.world.api.ok<Lent>(201, 'POST', '/loans', wanted(more), options)
  expect(lent.chainTransaction.success, JSON.stringify(lent.chainTransaction)).toBe(true)
  return lent
}
const shown = (escrow: Ids, more: object = {}): Promise<Loan> =>
  yard.world.api.read('/loans/single', { escrow, ...more })
const fresh = async (): Promise<void> => {
  for (const feed of [cashFeed, bondFeed]) await yard.price(feed, '1')
}

describe('a loan as it is read', () => {
  it('has the members of the contract and those that were added, and no other', async () => {
    const { newLoan, chainTransaction } = await lend()
    expect(Object.keys(newLoan).toSorted()).toEqual(['offchainId', 'onchainId'])
    expect(chainTransaction.onchainId).not.toBeNull()
    const loan = await shown(newLoan)
    expect(Object.keys(loan).toSorted()).toEqual([
      'borrowedItems',
      'borrower',
      'currentLoanToValue',
      'defiProtocol',
      'escrow',
      'health',
      'lender',
      'lifecycleState',
      'marketData',
      'pledgedItems',
      'status',
    ])
    const [borrowed] = loan.borrowedItems
    expect(Object.keys(borrowed!).toSorted()).toEqual([
      'accountDetails',
      'apy',
      'duration',
      'endTime',
      'estimatedInterest',
      'interestOutstanding',
      'interestPerSecond',
      'lastInterestUpdateTime',
      'liquidationRatio',
      'loanToValueRatio',
      'principalDue',
      'principalRepaid',
      'startTime',
    ])
    expect(borrowed).toMatchObject({
      apy: 100_000,
      loanToValueRatio: 500_000,
      liquidationRatio: 800_000,
      duration: { code: 'WEEKS', unit: 2 },
    })
    expect(Object.keys(loan.pledgedItems[0]!).toSorted()).toEqual(['accountDetails', 'pledgedAmount'])
    for (const entry of loan.marketData)
      expect(Object.keys(entry).toSorted()).toEqual(['financialInstrument', 'oracle', 'price', 'priceAt', 'stale'])
    expect(loan.marketData.map(({ oracle }) => oracle.onchain.id)).toEqual([cashFeed.onchainId, bondFeed.onchainId])
    // 100 and two weeks of interest, 0.383562, of 300: a third and a little. The same of 240 that it may be worth.
    expect([loan.currentLoanToValue, loan.health]).toEqual([334_612, 581_735])
    expect(loan.lender.onchain.id).toBe(vault.onchainId)
    expect(loan.borrower.onchain.id).toBe(wallet.onchainId)
  })

  it('estimates its interest to any second, and shows what is outstanding as of its last settlement', async () => {
    const { newLoan } = await lend()
    const { lastInterestUpdateTime } = (await shown(newLoan)).borrowedItems[0]!
    const later = (seconds: number): string =>
      new Date(Date.parse(lastInterestUpdateTime) + seconds * 1000).toISOString()
    const estimated = async (computeEstimatedInterestUntil: string) => {
      const { estimatedInterest, interestOutstanding } = (await shown(newLoan, { computeEstimatedInterestUntil }))
        .borrowedItems[0]!
      return [estimatedInterest, interestOutstanding]
    }
    // 100 x 10 % x seconds / 31 536 000, each rounded up to a raw unit.
    expect(await estimated(later(31_536_000))).toEqual([10, 0])
    expect(await estimated(later(86_400))).toEqual([0.027398, 0])
    expect(await estimated(later(1))).toEqual([0.000001, 0])
    expect(await estimated(later(0))).toEqual([0, 0])
    expect(await estimated(later(-1_000))).toEqual([0, 0])
    for (const wrong of ['tomorrow', '2030-01-01', 1_795_000_000])
      expect(
        (await yard.world.api.send('POST', '/loans/single', { escrow: newLoan, computeEstimatedInterestUntil: wrong }))
          .status,
      ).toBe(400)
    // Paid later than it has accrued: what is not paid of it stays outstanding.
    yard.pass(86_400)
    await fresh()
    const paying = { defiProtocol: 'ESCROW_VAULT', escrow: newLoan, itemsToRepay: [item(cash, '0.01')] }
    await yard.world.api.ok(200, 'PATCH', '/loans/repay', paying)
    const { interestOutstanding, principalRepaid } = (await shown(newLoan)).borrowedItems[0]!
    expect(principalRepaid).toBe(0)
    expect(Number(interestOutstanding)).toBeGreaterThanOrEqual(0.017398)
    expect(Number(interestOutstanding)).toBeLessThan(0.0175)
  })
})

describe('what is borrowed', () => {
  it('goes where transferTo says, which is opened on the way', async () => {
    const { records, chain } = yard.world
    const other = await records.account()
    const { newLoan } = await lend({ itemsToBorrow: [{ ...item(cash, 7), transferTo: at(cash, other) }] })
    expect(await chain.tokens(associated(other.onchainId, cash.onchainId, 'SPL'))).toBe(7n * UNIT)
    expect((await shown(newLoan)).borrowedItems[0]!.accountDetails.onchain.id).toBe(
      associated(wallet.onchainId, cash.onchainId, 'SPL'),
    )
  })

  it('is expected at the terms that the borrower saw, where he says so', async () => {
    const expecting = (expectedLoanValues: object) => ({
      lendingDetails: { loanStrategyAddress: vault.onchainId, expectedLoanValues },
    })
    for (const good of [
      {},
      { expectedApy: 0, expectedLqt: [] },
      { expectedApy: 100_000, expectedLqt: [800_000] },
      { expectedApy: 100_001, expectedLqt: [0, 0, 0, 0, 0] },
      { expectedLqt: [799_999] },
    ])
      await lend(expecting(good))
    for (const bad of [{ expectedApy: 99_999 }, { expectedApy: 100_000, expectedLqt: [800_001] }])
      await yard.world.api.refused(400, 'LOAN_TERMS_CHANGED', 'POST', '/loans', wanted(expecting(bad)))
  })

  it('is lent once for one key, answered at once where that is preferred', async () => {
    const first = await yard.world.api.send<Lent>('POST', '/loans', wanted(), {
      headers: { ...once('lend once'), Prefer: 'respond-async' },
    })
    expect([first.status, first.headers.get('Preference-Applied')]).toEqual([201, 'respond-async'])
    const again = await yard.world.api.send<Lent>('POST', '/loans', wanted(), { headers: once('lend once') })
    expect([again.status, again.headers.get('Idempotency-Replayed'), again.body.newLoan]).toEqual([
      201,
      'true',
      first.body.newLoan,
    ])
    expect(again.body.chainTransaction).toMatchObject({
      success: true,
      offchainId: first.body.chainTransaction.offchainId,
    })
    await yard.world.api.refused(
      400,
      'IDEMPOTENCY_KEY_REUSED',
      'POST',
      '/loans',
      wanted({ duration: { code: 'DAYS', unit: 1 } }),
      {
        headers: once('lend once'),
      },
    )
  })
})

describe('the terms of a loan', () => {
  it('and its feeds are those of its origination, whatever becomes of the strategy', async () => {
    const { api } = yard.world
    const { newLoan } = await lend()
    const { lender: _, ...before } = await shown(newLoan)
    const another = await yard.feed(bond, '0.01')
    const change = (members: object) =>
      api.ok(200, 'PATCH', '/loans/strategies', { strategy: { offchainId: strategy.offchainId }, ...members })
    await change({
      collateral: [
        terms(bond, {
          apy: 900_000,
          loanToValueRatio: 100_000,
          liquidationRatio: 200_000,
          onchainDataSource: { offchainId: another.offchainId },
        }),
      ],
      duration: { code: 'DAYS', unit: 1 },
      originationsEnabled: false,
      originationCap: 1,
      liquidityBuffer: 1_000_000,
    })
    expect(await shown(newLoan)).toMatchObject({
      lifecycleState: 'ACTIVE',
      health: before.health,
      currentLoanToValue: before.currentLoanToValue,
      borrowedItems: [
        { apy: 100_000, loanToValueRatio: 500_000, liquidationRatio: 800_000, duration: { code: 'WEEKS', unit: 2 } },
      ],
    })
    const loan = { defiProtocol: 'ESCROW_VAULT', escrow: newLoan }
    await api.ok(200, 'PATCH', '/loans/repay', { ...loan, itemsToRelease: [item(bond, 99)] })
    await api.refused(400, 'LOAN_UNHEALTHY', 'PATCH', '/loans/repay', { ...loan, itemsToRelease: [item(bond, 1)] })
    await api.refused(400, 'LOAN_NOT_LIQUIDATABLE', 'PATCH', '/loans/liquidate', loan)
    // What comes after takes the terms of now: with several feeds they have to be named.
    await api.refused(400, 'LOOKUP_AMBIGUOUS', 'PATCH', '/loans/strategies', {
      strategy: { offchainId: strategy.offchainId },
      collateral: [terms(bond)],
    })
    await change({
      collateral: [terms(bond, { onchainDataSource: { offchainId: bondFeed.offchainId } })],
      duration: { code: 'WEEKS', unit: 2 },
      originationsEnabled: true,
      originationCap: null,
      liquidityBuffer: null,
    })
    await lend()
  })

  it('need fresh prices of both sides', async () => {
    yard.pass(3_601)
    await yard.price(bondFeed, '1')
    const stale = await yard.world.api.refused(400, 'PRICE_STALE', 'POST', '/loans', wanted())
    expect(stale.message).toContain(cash.onchainId)
    await yard.price(cashFeed, '0')
    await yard.world.api.refused(400, 'PRICE_MISSING', 'POST', '/loans', wanted())
    await yard.price(cashFeed, '1')
    await lend()
  })
})

describe('debit limits', () => {
  it('count what the borrower pledges and pays and what the vault lends unless it is exempt, and nothing of what the escrow gives', async () => {
    const { api, records } = yard.world
    const limit = (limitAmount: number) => [
      { operationType: 'ANY', destination: 'ANY', maxAllowedDebit: { limitType: 'PER_TRANSACTION', limitAmount } },
    ]
    const limits = (account: Ids, tokenDebitLimits: object | null) =>
      api.ok(200, 'PATCH', '/accounts', { account, tokenDebitLimits })
    await limits(vault, limit(0))
    const bounded = await records.funded({ canPayFees: true, tokenDebitLimits: limit(50) })
    await records.position(bounded, bond, 100n * UNIT)
    const theirs = (amount: number) => ({
      itemsToBorrow: [{ positionLookup: at(cash, bounded), amount: 10 }],
      itemsToPledge: [{ positionLookup: at(bond, bounded), amount }],
    })
    await api.refused(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', '/loans', wanted(theirs(51)))
    const exempt = (exemptFromDebitLimits: boolean) =>
      api.ok(200, 'PATCH', '/loans/strategies', {
        strategy: { offchainId: strategy.offchainId },
        exemptFromDebitLimits,
      })
    const { message } = await api.refused(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', '/loans', wanted(theirs(50)))
    expect(message).toContain(vault.onchainId)
    await exempt(true)
    const { newLoan: escrow } = await lend(theirs(50))
    await exempt(false)
    const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
    await limits(bounded, limit(4))
    const repay = (amount: number) => ({ ...loan, itemsToRepay: [{ positionLookup: at(cash, bounded), amount }] })
    await api.refused(400, 'DEBIT_LIMIT_EXCEEDED', 'PATCH', '/loans/repay', repay(5))
    await api.ok(200, 'PATCH', '/loans/repay', repay(4))
    const back = { ...loan, itemsToRelease: [{ positionLookup: at(bond, bounded), amount: 20 }] }
    await api.ok(200, 'PATCH', '/loans/repay', back)
    expect(await yard.world.chain.tokens(associated(bounded.onchainId, bond.onchainId, 'TOKEN_2022'))).toBe(70n * UNIT)
    await limits(vault, null)
  })
})

describe('a loan that somebody has to approve', () => {
  it('is judged by the prices at which it is approved, and is there then', async () => {
    const { api, records } = yard.world
    const approver = await api.ok<{ keyId: string; apiKey: string }>(201, 'POST', '/admin/api-keys', {
      organizationExternalId: 'SYSTEM',
      name: 'approver',
      roles: ['DEBIT_LIMIT_APPROVE', 'TRANSACTIONS_READ'],
    })
    const maxAllowedDebit = { limitType: 'PER_TRANSACTION', limitAmount: 50, approversForOverride: [approver.keyId] }
    const bounded = await records.funded({
      canPayFees: true,
      tokenDebitLimits: [{ operationType: 'ANY', destination: 'ANY', maxAllowedDebit }],
    })
    await records.position(bounded, bond, 100n * UNIT)
    const asked = {
      itemsToBorrow: [{ positionLookup: at(cash, bounded), amount: 40 }],
      itemsToPledge: [{ positionLookup: at(bond, bounded), amount: 90 }],
    }
    const { newLoan, chainTransaction } = await api.ok<Lent>(201, 'POST', '/loans', wanted(asked))
    expect(chainTransaction).toMatchObject({ status: 'PREPARED', success: false, approval: { given: 0, required: 1 } })
    expect(await shown(newLoan)).toMatchObject({ lifecycleState: 'PENDING', borrowedItems: [], pledgedItems: [] })
    const approve = { offchainId: chainTransaction.offchainId }
    await yard.price(bondFeed, '0.5')
    await api.as(approver.apiKey).refused(400, 'LTV_EXCEEDED', 'POST', '/transactions/approve', approve)
    await yard.price(bondFeed, '1')
    expect(await api.as(approver.apiKey).ok(200, 'POST', '/transactions/approve', approve)).toMatchObject({
      success: true,
    })
    expect(await shown(newLoan)).toMatchObject({ lifecycleState: 'ACTIVE', pledgedItems: [{ pledgedAmount: 90 }] })
  })
})

describe('the items of a change', () => {
  it('are of one owner, of one instrument each, and five at most', async () => {
    const { api, records } = yard.world
    const { newLoan: escrow } = await lend()
    const other = await records.funded({ canPayFees: true })
    await Promise.all([records.position(other, bond, 10n * UNIT), records.position(other, cash, 10n * UNIT)])
    const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
    const [theirBond, theirCash] = [bond, cash].map((instrument) => ({
      positionLookup: at(instrument, other),
      amount: 1,
    }))
    for (const [what, items] of [
      ['swap-collateral', { itemsToDeposit: [theirBond] }],
      ['swap-collateral', { itemsToDeposit: [item(bond, 1)], itemsToWithdraw: [theirBond] }],
      ['repay', { itemsToRepay: [theirCash] }],
      ['repay', { itemsToRepay: [item(cash, 1)], itemsToRelease: [theirBond] }],
    ] as const)
      await api.refused(400, 'OWNER_MISMATCH', 'PATCH', `/loans/${what}`, { ...loan, ...items })
    await api.refused(
      400,
      'DUPLICATE_ITEM',
      'POST',
      '/loans',
      wanted({ itemsToPledge: [item(bond, 300), item(bond, 1)] }),
    )
    await api.refused(
      400,
      'TOO_MANY_ITEMS',
      'POST',
      '/loans',
      wanted({ itemsToPledge: Array.from({ length: 6 }, () => item(bond, 60)) }),
    )
    await api.refused(400, 'INSUFFICIENT_BALANCE', 'PATCH', '/loans/swap-collateral', {
      ...loan,
      itemsToWithdraw: [item(bond, 301)],
    })
    await api.refused(400, 'ITEM_NOT_BORROWED', 'PATCH', '/loans/repay', { ...loan, itemsToRepay: [item(bond, 1)] })
    for (const amount of [0, -1, '1.1234567', 1.1234567890123456]) {
      const { status } = await api.send('PATCH', '/loans/repay', { ...loan, itemsToRepay: [item(cash, amount)] })
      expect([amount, status]).toEqual([amount, 400])
    }
    for (const what of ['swap-collateral', 'repay']) await api.refused(400, 'REQUIRED', 'PATCH', `/loans/${what}`, loan)
    // A friend may pay: his position supplies it, and he signs.
    await api.ok(200, 'PATCH', '/loans/repay', {
      ...loan,
      itemsToRepay: [{ ...item(cash, 3), transferFrom: at(cash, other) }],
    })
    expect(await yard.world.chain.tokens(associated(other.onchainId, cash.onchainId, 'SPL'))).toBe(7n * UNIT)
  })
})

describe('loans', () => {
  it('are found by every field of the contract', async () => {
    const { newLoan: escrow } = await lend({
      itemsToBorrow: [item(cash, '12.5')],
      itemsToPledge: [item(bond, 444)],
      duration: { code: 'DAYS', unit: 3 },
    })
    const { pledgedItems, borrowedItems } = await shown(escrow)
    const fields: Readonly<Record<string, object>> = {
      status: { valueString: 'ACTIVE', dataType: 'TEXT' },
      escrowOnchainId: { valueString: escrow.onchainId, dataType: 'ONCHAIN_ADDRESS_ID' },
      escrowOffchainId: { valueString: escrow.offchainId, dataType: 'OFFCHAIN_ID' },
      borrowerOnchainId: { valueString: wallet.onchainId },
      borrowerOffchainId: { valueString: wallet.offchainId },
      lenderOnchainId: { valueString: vault.onchainId },
      lenderOffchainId: { valueString: vault.offchainId },
      pledgedItemOnchainId: { valueString: bond.onchainId },
      pledgedItemOffchainId: { valueString: pledgedItems[0]!.accountDetails.offchain.id },
      borrowedItemOnchainId: { valueString: borrowedItems[0]!.accountDetails.onchain.id },
      borrowedItemOffchainId: { valueString: cash.offchainId },
      pledgedItemAmount: { valueNumber: 444, dataType: 'NUMBER' },
      borrowedItemDueAmount: { valueNumber: 12.5 },
      loanDurationUnit: { valueNumber: 3 },
      loanDurationCode: { valueString: 'DAYS' },
    }
    const filter = Object.entries(fields).map(([fieldName, value]) => ({
      fieldName,
      filterValues: [{ filterType: 'EQUALS', ...value }],
    }))
    expect(await yard.world.api.bulk('/loans/bulk', { filter })).toMatchObject({
      count: 1,
      items: [{ escrow: { onchain: { id: escrow.onchainId } } }],
    })
    const every = [{ fieldName: 'status', filterValues: [{ filterType: 'IN', valuesString: ['ACTIVE', 'CLOSED'] }] }]
    const all = (await yard.world.api.bulk('/loans/bulk', { filter: every, limit: 0 })) as {
      count: number
      items: unknown[]
    }
    expect(all.count).toBeGreaterThan(5)
    expect(all.items).toEqual([])
    for (const [fieldName, code] of [['apy', 'UNKNOWN_FIELD']] as const) {
      const body = { itemQuery: { filter: [{ fieldName, filterValues: [{ filterType: 'EQUALS', valueNumber: 1 }] }] } }
      const headers = { authorization: yard.world.api.bearer, 'content-type': 'application/json' }
      const answer = await fetch(`${yard.world.url}/api/v1/loans/bulk`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      expect([answer.status, ((await answer.json()) as Problems).errors?.[0]?.code]).toEqual([400, code])
    }
  })
})
