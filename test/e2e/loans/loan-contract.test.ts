// The contract of a loan, member by member: defaults, absent and null members, the terms and prices that apply, and the
// filters of loans.
import { describe, expect, it } from 'vitest'
import { associated } from '../addresses.ts'
import { once } from '../client.ts'
import type { Loan, LoanCreation } from './loan-fixture.ts'
import type { Problems } from '../models.ts'
import {
  withLendingVault,
  UNIT,
  fixture,
  vault,
  wallet,
  cash,
  bond,
  bondFeed,
  cashFeed,
  at,
  item,
  buildLoanRequest,
  lend,
  readLoan,
} from './lending-vault.ts'

withLendingVault()

const fresh = async (): Promise<void> => {
  for (const feed of [cashFeed, bondFeed]) await fixture.price(feed, '1')
}

describe('the read model of a loan', () => {
  it('has the members of the contract, the added ones, and no other', async () => {
    const { newLoan, chainTransaction } = await lend()
    expect(Object.keys(newLoan).toSorted()).toEqual(['offchainId', 'onchainId'])
    expect(chainTransaction.onchainId).not.toBeNull()
    const loan = await readLoan(newLoan)
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
    const [borrowedItem] = loan.borrowedItems
    expect(Object.keys(borrowedItem!).toSorted()).toEqual([
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
    expect(borrowedItem).toMatchObject({
      apy: 100_000,
      loanToValueRatio: 500_000,
      liquidationRatio: 800_000,
      duration: { code: 'WEEKS', unit: 2 },
    })
    expect(Object.keys(loan.pledgedItems[0]!).toSorted()).toEqual(['accountDetails', 'pledgedAmount'])
    for (const entry of loan.marketData)
      expect(Object.keys(entry).toSorted()).toEqual(['financialInstrument', 'oracle', 'price', 'priceAt', 'stale'])
    expect(loan.marketData.map(({ oracle }) => oracle.onchain.id)).toEqual([cashFeed.onchainId, bondFeed.onchainId])
    // 100 and two weeks of interest, 0.383562, of 300: a little more than a third. The same of 240, the value at the
    // liquidation ratio.
    expect([loan.currentLoanToValue, loan.health]).toEqual([334_612, 581_735])
    expect(loan.lender.onchain.id).toBe(vault.onchainId)
    expect(loan.borrower.onchain.id).toBe(wallet.onchainId)
  })

  it('estimates interest to any second, and shows the outstanding amount of the last settlement', async () => {
    const { newLoan } = await lend()
    const { lastInterestUpdateTime } = (await readLoan(newLoan)).borrowedItems[0]!
    const timeAfter = (seconds: number): string =>
      new Date(Date.parse(lastInterestUpdateTime) + seconds * 1000).toISOString()
    const estimateInterest = async (computeEstimatedInterestUntil: string) => {
      const { estimatedInterest, interestOutstanding } = (await readLoan(newLoan, { computeEstimatedInterestUntil }))
        .borrowedItems[0]!
      return [estimatedInterest, interestOutstanding]
    }
    // 100 x 10 % x seconds / 31 536 000, each rounded up to a raw unit.
    expect(await estimateInterest(timeAfter(31_536_000))).toEqual([10, 0])
    expect(await estimateInterest(timeAfter(86_400))).toEqual([0.027398, 0])
    expect(await estimateInterest(timeAfter(1))).toEqual([0.000001, 0])
    expect(await estimateInterest(timeAfter(0))).toEqual([0, 0])
    expect(await estimateInterest(timeAfter(-1_000))).toEqual([0, 0])
    for (const wrong of ['tomorrow', '2030-01-01', 1_795_000_000])
      expect(
        (
          await fixture.world.api.send('POST', '/loans/single', {
            escrow: newLoan,
            computeEstimatedInterestUntil: wrong,
          })
        ).status,
      ).toBe(400)
    // Paid later than it has accrued: the unpaid rest stays outstanding.
    fixture.pass(86_400)
    await fresh()
    const repayment = { defiProtocol: 'ESCROW_VAULT', escrow: newLoan, itemsToRepay: [item(cash, '0.01')] }
    await fixture.world.api.ok(200, 'PATCH', '/loans/repay', repayment)
    const { interestOutstanding, principalRepaid } = (await readLoan(newLoan)).borrowedItems[0]!
    expect(principalRepaid).toBe(0)
    expect(Number(interestOutstanding)).toBeGreaterThanOrEqual(0.017398)
    expect(Number(interestOutstanding)).toBeLessThan(0.0175)
  })
})

it('accepts `chainTransactionConfig` in a fetch of a loan, as in the other requests of loans, without effect', async () => {
  const { newLoan } = await lend()
  const { api } = fixture.world
  const config = {
    feePayer: { onchainId: vault.onchainId },
    commitmentConfig: { commitmentLevel: 'finalized' },
    transactionVersion: 'V0',
  }
  const body = { escrow: newLoan, computeEstimatedInterestUntil: '2030-01-01T00:00:00Z' }
  const { status, body: loan } = await api.send<Loan>('POST', '/loans/single', body, { config })
  expect(status, JSON.stringify(loan)).toBe(200)
  const { computeEstimatedInterestUntil } = body
  expect(loan.borrowedItems).toEqual((await readLoan(newLoan, { computeEstimatedInterestUntil })).borrowedItems)
  const problem = await api.refuses(400, 'UNKNOWN_MEMBER', 'POST', '/loans/single', body, {
    config: { ...config, feePayr: {} },
  })
  expect(problem.pointer).toBe('/chainTransactionConfig/feePayr')
})

it('shows a price as a number while it has at most 15 digits, as other amounts', async () => {
  const { newLoan } = await lend()
  for (const [written, price] of [
    ['0.0000003', 3e-7],
    ['0.000000123456789012345', 1.23456789012345e-7],
    ['0.0000001234567890123456', '0.0000001234567890123456'],
  ] as const) {
    await fixture.price(bondFeed, written)
    const { marketData } = await readLoan(newLoan)
    expect(marketData.find(({ oracle }) => oracle.onchain.id === bondFeed.onchainId)?.price).toBe(price)
  }
  await fresh()
})

describe('the escrow of a loan', () => {
  it.each([
    ...['NONCE', 'ADDRESS_LOOKUP_TABLE', 'ASSET_TOKEN_ACCOUNT', 'FUNDS_TOKEN_ACCOUNT'],
    ...['ASSET_TOKEN', 'FUNDS_TOKEN', 'TOKEN_MANAGEMENT_AUTHORITY'],
  ])('is a wallet, not an account of type %s', async (type) => {
    const request = buildLoanRequest({ escrow: { offchainReferences: { type } } })
    const { pointer } = await fixture.world.api.refuses(400, 'TYPE_MISMATCH', 'POST', '/loans', request)
    expect(pointer).toBe('/itemData/escrow/offchainReferences/type')
  })

  it.each(['WALLET', 'ASSETS_WALLET', 'CURRENCIES_WALLET', 'DEFI_SETTLEMENT_WALLET'])('can be a %s', async (type) => {
    const { newLoan } = await lend({ escrow: { offchainReferences: { type } } })
    expect((await readLoan(newLoan)).escrow.offchain.type).toBe(type)
  })

  it('is a WALLET unless given', async () => {
    const { newLoan } = await lend({ escrow: { offchainReferences: { code: 'ESCROW-OF-NO-TYPE' } } })
    expect((await readLoan(newLoan)).escrow.offchain.type).toBe('WALLET')
  })
})

describe('the borrowed principal', () => {
  it('goes to the position named by transferTo, which is opened if missing', async () => {
    const { records, chain } = fixture.world
    const other = await records.account()
    const { newLoan } = await lend({ itemsToBorrow: [{ ...item(cash, 7), transferTo: at(cash, other) }] })
    expect(await chain.tokens(associated(other.onchainId, cash.onchainId, 'SPL'))).toBe(7n * UNIT)
    expect((await readLoan(newLoan)).borrowedItems[0]!.accountDetails.onchain.id).toBe(
      associated(wallet.onchainId, cash.onchainId, 'SPL'),
    )
  })

  it('is subject to the terms that the borrower expects, if given', async () => {
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
      await fixture.world.api.refuses(400, 'LOAN_TERMS_CHANGED', 'POST', '/loans', buildLoanRequest(expecting(bad)))
  })

  it('is lent once for one key, and answered at once with Prefer', async () => {
    const first = await fixture.world.api.send<LoanCreation>('POST', '/loans', buildLoanRequest(), {
      headers: { ...once('lend once'), Prefer: 'respond-async' },
    })
    expect([first.status, first.headers.get('Preference-Applied')]).toEqual([201, 'respond-async'])
    const replay = await fixture.world.api.send<LoanCreation>('POST', '/loans', buildLoanRequest(), {
      headers: once('lend once'),
    })
    expect([replay.status, replay.headers.get('Idempotency-Replayed'), replay.body.newLoan]).toEqual([
      201,
      'true',
      first.body.newLoan,
    ])
    expect(replay.body.chainTransaction).toMatchObject({
      success: true,
      offchainId: first.body.chainTransaction.offchainId,
    })
    await fixture.world.api.refuses(
      400,
      'IDEMPOTENCY_KEY_REUSED',
      'POST',
      '/loans',
      buildLoanRequest({ duration: { code: 'DAYS', unit: 1 } }),
      {
        headers: once('lend once'),
      },
    )
  })
})

describe('the items of a change', () => {
  it('belong to one owner, have one instrument each, and are five at most', async () => {
    const { api, records } = fixture.world
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
      await api.refuses(400, 'OWNER_MISMATCH', 'PATCH', `/loans/${what}`, { ...loan, ...items })
    await api.refuses(
      400,
      'DUPLICATE_ITEM',
      'POST',
      '/loans',
      buildLoanRequest({ itemsToPledge: [item(bond, 300), item(bond, 1)] }),
    )
    await api.refuses(
      400,
      'TOO_MANY_ITEMS',
      'POST',
      '/loans',
      buildLoanRequest({ itemsToPledge: Array.from({ length: 6 }, () => item(bond, 60)) }),
    )
    await api.refuses(400, 'INSUFFICIENT_BALANCE', 'PATCH', '/loans/swap-collateral', {
      ...loan,
      itemsToWithdraw: [item(bond, 301)],
    })
    await api.refuses(400, 'ITEM_NOT_BORROWED', 'PATCH', '/loans/repay', { ...loan, itemsToRepay: [item(bond, 1)] })
    for (const amount of [0, -1, '1.1234567', 1.1234567890123456]) {
      const { status } = await api.send('PATCH', '/loans/repay', { ...loan, itemsToRepay: [item(cash, amount)] })
      expect([amount, status]).toEqual([amount, 400])
    }
    for (const what of ['swap-collateral', 'repay']) await api.refuses(400, 'REQUIRED', 'PATCH', `/loans/${what}`, loan)
    // A third party may pay: its position supplies the tokens, and it signs.
    await api.ok(200, 'PATCH', '/loans/repay', {
      ...loan,
      itemsToRepay: [{ ...item(cash, 3), transferFrom: at(cash, other) }],
    })
    expect(await fixture.world.chain.tokens(associated(other.onchainId, cash.onchainId, 'SPL'))).toBe(7n * UNIT)
  })
})

describe('loans', () => {
  it('are filtered by every field of the contract', async () => {
    const { newLoan: escrow } = await lend({
      itemsToBorrow: [item(cash, '12.5')],
      itemsToPledge: [item(bond, 444)],
      duration: { code: 'DAYS', unit: 3 },
    })
    const { pledgedItems, borrowedItems } = await readLoan(escrow)
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
    expect(await fixture.world.api.bulk('/loans/bulk', { filter })).toMatchObject({
      count: 1,
      items: [{ escrow: { onchain: { id: escrow.onchainId } } }],
    })
    const every = [{ fieldName: 'status', filterValues: [{ filterType: 'IN', valuesString: ['ACTIVE', 'CLOSED'] }] }]
    const all = (await fixture.world.api.bulk('/loans/bulk', { filter: every, limit: 0 })) as {
      count: number
      items: unknown[]
    }
    expect(all.count).toBeGreaterThan(5)
    expect(all.items).toEqual([])
    for (const [fieldName, code] of [['apy', 'UNKNOWN_FIELD']] as const) {
      const body = { itemQuery: { filter: [{ fieldName, filterValues: [{ filterType: 'EQUALS', valueNumber: 1 }] }] } }
      const headers = { authorization: fixture.world.api.bearer, 'content-type': 'application/json' }
      const answer = await fetch(`${fixture.world.url}/api/v1/loans/bulk`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      expect([answer.status, ((await answer.json()) as Problems).errors?.[0]?.code]).toEqual([400, code])
    }
  })
})

it('a change cannot be made under a durable nonce, under which a suspended lane would hold it for any time', async () => {
  const { api } = fixture.world
  await fresh()
  const nonces = { nonceAuthority: await fixture.world.records.account(), count: 2 }
  await api.ok(201, 'POST', '/durable-nonce-accounts', nonces, { config: { feePayer: wallet } })
  const { newLoan: escrow } = await lend()
  const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
  const lane = { account: wallet }
  await api.ok(200, 'PATCH', '/admin/lanes/suspend', lane)
  const config = { messageLifetimeStrategy: 'DURABLE_NONCE' }
  const withdrawal = { ...loan, itemsToWithdraw: [item(bond, 10)] }
  for (const [method, path, body] of [
    ['POST', '/loans', buildLoanRequest()],
    ['PATCH', '/loans/swap-collateral', withdrawal],
    ['PATCH', '/loans/repay', { ...loan, itemsToRepay: [item(cash, 1)] }],
  ] as const) {
    const { pointer } = await api.refuses(400, 'NONCE_NOT_USABLE', method, path, body, { config })
    expect(pointer).toBe('/chainTransactionConfig/messageLifetimeStrategy')
  }
  await api.ok(200, 'PATCH', '/admin/lanes/resume', lane)
  await api.ok(200, 'PATCH', '/loans/swap-collateral', withdrawal)
})
