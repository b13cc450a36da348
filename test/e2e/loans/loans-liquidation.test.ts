// Liquidation of loans that are undercollateralized or overdue, refused loans, and filters of loans.
import { describe, expect, it } from 'vitest'
import { terms } from './loan-fixture.ts'
import type { Ids } from '../models.ts'
import {
  withCollateralFixture,
  UNIT,
  fixture,
  vault,
  feeds,
  cash,
  coin,
  share,
  freshPrices,
  at,
  addressOf,
  readBalances,
  borrower,
  loanOf,
  borrows,
  raw,
  secondsOf,
  changeLoan,
  refusesChange,
} from './collateral-fixture.ts'

withCollateralFixture()

const YEAR_S = 31_536_000n
/** Raw units of interest at 10 % a year, rounded up. */
const interestOf = (units: bigint, seconds: number): bigint =>
  ((units * UNIT * BigInt(seconds)) / 10n + YEAR_S - 1n) / YEAR_S

describe('liquidation', () => {
  it('takes the least collateral that covers the debt if the loan is undercollateralized', async () => {
    const wallet = await borrower([[share, 300n * UNIT]])
    const escrow = await borrows(
      wallet,
      [{ positionLookup: at(wallet, cash), amount: 100 }],
      [{ positionLookup: at(wallet, share), amount: 300 }],
    )
    const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
    await refusesChange('LOAN_NOT_LIQUIDATABLE', '/loans/liquidate', loan)
    await fixture.price(feeds[2]!, '0.4')
    const unhealthy = await loanOf(escrow)
    expect(unhealthy).toMatchObject({ lifecycleState: 'LIQUIDATABLE' })
    expect(unhealthy.health).toBeLessThan(0)
    const before = (await readBalances([vault.onchainId], share))[0]![0]!
    await changeLoan('/loans/liquidate', loan)
    const [[takenShares], [remainingShares]] = (await readBalances([vault.onchainId, escrow.onchainId], share)) as [
      [bigint],
      [bigint],
    ]
    // 100 and some interest at 0.4: 250 shares and a little.
    expect(takenShares - before).toBeGreaterThanOrEqual(250n * UNIT)
    expect(takenShares - before).toBeLessThan(250_001_000n)
    expect(remainingShares).toBe(300n * UNIT - (takenShares - before))
    expect(await loanOf(escrow)).toMatchObject({ lifecycleState: 'REPAID', status: 'OPEN' })
    await changeLoan('/loans/repay', {
      ...loan,
      itemsToRelease: [{ positionLookup: at(wallet, share), lamports: remainingShares.toString() }],
    })
    await changeLoan('/loans/close', loan, 'closedLoan')
    expect((await readBalances([wallet.onchainId], share, cash)).flat()).toEqual([remainingShares, 100n * UNIT])
    await freshPrices()
  })

  it('is possible 48 hours after the term, and takes all collateral if that is not enough', async () => {
    const wallet = await borrower([[share, 300n * UNIT]])
    const escrow = await borrows(
      wallet,
      [{ positionLookup: at(wallet, cash), amount: 100 }],
      [{ positionLookup: at(wallet, share), amount: 300 }],
      { duration: { code: 'MINUTES', unit: 10 } },
    )
    const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
    fixture.pass(3_600)
    expect(await loanOf(escrow)).toMatchObject({ lifecycleState: 'OVERDUE' })
    await freshPrices()
    await refusesChange('LOAN_NOT_LIQUIDATABLE', '/loans/liquidate', loan)
    fixture.pass(48 * 3_600)
    await refusesChange('PRICE_STALE', '/loans/liquidate', loan)
    await freshPrices()
    await fixture.price(feeds[2]!, '0.2')
    const before = (await loanOf(escrow)).borrowedItems[0]!
    await changeLoan('/loans/liquidate', loan)
    const after = (await loanOf(escrow)).borrowedItems[0]!
    // 300 shares at 0.2 pay 60: the interest first, up to the second of the liquidation.
    const seconds = secondsOf(after) - secondsOf(before)
    expect(seconds).toBeGreaterThanOrEqual(49 * 3_600)
    expect(raw(after.principalRepaid)).toBe(60n * UNIT - interestOf(100n, seconds))
    expect((await readBalances([escrow.onchainId], share)).flat()).toEqual([0n])
    await freshPrices()
  })
})

describe('a refused loan', () => {
  it('is reported with the reason, and nothing is reserved', async () => {
    const { api, records } = fixture.world
    const wallet = await borrower([
      [share, 1_000n * UNIT],
      [coin, 10n * UNIT],
    ])
    const other = await borrower([[share, 10n * UNIT]])
    const good = {
      defiProtocol: 'ESCROW_VAULT',
      lendingDetails: { loanStrategyAddress: vault.onchainId },
      itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 10 }],
      itemsToPledge: [{ positionLookup: at(wallet, share), amount: 100 }],
    }
    const refuses = (code: string, changes: object, config?: object) =>
      api.refuses(400, code, 'POST', '/loans', { ...good, ...changes }, config === undefined ? {} : { config })
    await refuses('LTV_EXCEEDED', { itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 50 }] })
    await refuses('OWNER_MISMATCH', { itemsToPledge: [{ positionLookup: at(other, share), amount: 1 }] })
    await refuses('FEE_PAYER_NOT_BORROWER', {}, { feePayer: other })
    await refuses('COLLATERAL_NOT_ACCEPTED', { itemsToPledge: [{ positionLookup: at(wallet, coin), amount: 1 }] })
    await refuses('LOAN_TERMS_CHANGED', {
      lendingDetails: { ...good.lendingDetails, expectedLoanValues: { expectedApy: 99_999 } },
    })
    await refuses('LOAN_TERMS_CHANGED', {
      lendingDetails: { ...good.lendingDetails, expectedLoanValues: { expectedApy: 100_000, expectedLqt: [800_001] } },
    })
    await refuses('STRATEGY_NOT_FOUND', { lendingDetails: { loanStrategyAddress: other.onchainId } })
    await refuses('PROTOCOL_NOT_SUPPORTED', { defiProtocol: 'OTHER' })
    await refuses('DURATION_NOT_ACCEPTED', { duration: { code: 'MONTHS', unit: 2 } })
    await refuses('INSUFFICIENT_BALANCE', { itemsToPledge: [{ positionLookup: at(wallet, share), amount: 1_001 }] })
    await refuses('INSUFFICIENT_PRINCIPAL', {
      itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 20_000 }],
      itemsToPledge: [{ positionLookup: at(wallet, share), amount: 100_000, mintAsset: true }],
    })
    for (const escrow of [
      { managed: false, onchainId: other.onchainId },
      { onchainId: other.onchainId },
      { privateKeyDetails: { privateKey: '5'.repeat(88) } },
    ])
      expect((await api.send('POST', '/loans', { ...good, escrow })).status).toBe(400)
    fixture.pass(3_601)
    await refuses('PRICE_STALE', {})
    await freshPrices()
    const strict = await records.account()
    await records.position(strict, cash, 100n * UNIT)
    const { newStrategy } = await api.ok<{ newStrategy: Ids }>(201, 'POST', '/loans/strategies', {
      strategyAccount: strict,
      financialInstrument: cash,
      originationsEnabled: true,
      collateral: [terms(share)],
      duration: { code: 'DAYS', unit: 1 },
      originationCap: 20,
      liquidityBuffer: 900_000,
    })
    const strictTerms = { lendingDetails: { loanStrategyAddress: strict.onchainId } }
    await refuses('INSUFFICIENT_PRINCIPAL', {
      ...strictTerms,
      itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 21 }],
    })
    await refuses('INSUFFICIENT_PRINCIPAL', {
      ...strictTerms,
      itemsToBorrow: [{ positionLookup: at(wallet, cash), amount: 11 }],
    })
    await api.ok(200, 'PATCH', '/loans/strategies', { strategy: { offchainId: newStrategy.offchainId }, borrowers: [] })
    await refuses('BORROWER_NOT_ACCEPTED', strictTerms)
    await api.ok(200, 'PATCH', '/loans/strategies', {
      strategy: { offchainId: newStrategy.offchainId },
      borrowers: null,
      originationsEnabled: false,
    })
    await refuses('ORIGINATIONS_DISABLED', strictTerms)
    expect(await readBalances([wallet.onchainId], share)).toEqual([[1_000n * UNIT]])
    expect(
      await api.bulk('/loans/bulk', {
        filter: [
          { fieldName: 'borrowerOnchainId', filterValues: [{ filterType: 'EQUALS', valueString: wallet.onchainId }] },
        ],
      }),
    ).toEqual({ count: 0, items: [] })
  })
})

it('is filtered by parties, items and status, where ACTIVE means OPEN', async () => {
  const wallet = await borrower([[share, 100n * UNIT]])
  const escrow = await borrows(
    wallet,
    [{ positionLookup: at(wallet, cash), amount: 10 }],
    [{ positionLookup: at(wallet, share), amount: 100 }],
  )
  const countLoans = async (...fields: readonly (readonly [string, object])[]): Promise<number> => {
    const own = ['borrowerOnchainId', { valueString: wallet.onchainId }] as const
    const filter = [own, ...fields].map(([fieldName, value]) => ({
      fieldName,
      filterValues: [{ filterType: 'EQUALS', ...value }],
    }))
    return ((await fixture.world.api.bulk('/loans/bulk', { filter })) as { count: number }).count
  }
  expect(await countLoans(['status', { valueString: 'ACTIVE' }])).toBe(1)
  expect(await countLoans(['status', { valueString: 'OPEN' }])).toBe(1)
  expect(await countLoans(['status', { filterType: 'CONTAINS', valueString: 'active' }])).toBe(1)
  expect(await countLoans(['status', { filterType: 'NOT_CONTAINS', valueString: 'Active' }])).toBe(0)
  expect(await countLoans(['status', { filterType: 'STARTS_WITH', valueString: 'op' }])).toBe(1)
  expect(await countLoans(['status', { filterType: 'NOT_EQUALS', valueString: 'ACTIVE' }])).toBe(0)
  expect(await countLoans(['status', { filterType: 'NOT_CONTAINS', valueString: 'OPEN' }])).toBe(0)
  expect(await countLoans(['status', { valueString: 'CLOSED' }])).toBe(0)
  expect(
    await countLoans(
      ['escrowOffchainId', { valueString: escrow.offchainId }],
      ['lenderOnchainId', { valueString: vault.onchainId }],
    ),
  ).toBe(1)
  expect(await countLoans(['pledgedItemOnchainId', { valueString: share.onchainId }])).toBe(1)
  expect(
    await countLoans(
      ['pledgedItemOnchainId', { valueString: addressOf(escrow.onchainId, share) }],
      ['pledgedItemAmount', { valueNumber: 100 }],
    ),
  ).toBe(1)
  expect(
    await countLoans(
      ['borrowedItemOffchainId', { valueString: cash.offchainId }],
      ['borrowedItemDueAmount', { valueNumber: 10 }],
    ),
  ).toBe(1)
  expect(
    await countLoans(['loanDurationCode', { valueString: 'DAYS' }], ['loanDurationUnit', { valueNumber: 30 }]),
  ).toBe(1)
})
