// Loans of instruments whose displayed amounts are scaled: every amount of a request and an answer is a displayed one,
// and follows the multiplier as the books stay the same.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SOL } from '../records.ts'
import type { Ids } from '../models.ts'
import { LoanFixture, terms, type Loan, type LoanCreation } from './loan-fixture.ts'

const UNIT = 1_000_000n

interface Strategy {
  readonly originationCap: number | null
  readonly borrowers: readonly { readonly organizationExternalId: string; readonly cap: number | null }[]
}

let fixture: LoanFixture
let vault: Ids
let wallet: Ids
/** A displayed unit is half a unit of the books. */
let cash: Ids
/** A displayed unit is a quarter of a unit of the books. */
let bond: Ids
let strategy: Ids

beforeAll(async () => {
  fixture = await LoanFixture.open()
  const { records, api } = fixture.world
  await records.feePayer()
  const issuer = await records.account()
  const create = (scaledUiAmountMultiplier: number) =>
    records.instrument('TOKEN_2022', issuer, { scaledUiAmountAuthority: issuer, scaledUiAmountMultiplier })
  ;[cash, bond] = [await create(2), await create(4)]
  vault = await records.account()
  wallet = await records.funded({ canPayFees: true, tokenDebitLimits: [] }, SOL)
  await records.position(vault, cash, 10_000n * UNIT)
  await records.position(wallet, bond, 9_000n * UNIT)
  for (const each of [cash, bond]) await fixture.feed(each, '1')
  const body = {
    strategyAccount: vault,
    financialInstrument: cash,
    collateral: [terms(bond)],
    duration: { code: 'WEEKS', unit: 2 },
    originationCap: 100,
    borrowers: [{ organizationExternalId: 'SYSTEM', cap: 150 }],
  }
  strategy = (await api.ok<{ newStrategy: Ids }>(201, 'POST', '/loans/strategies', body)).newStrategy
})
afterAll(() => fixture.world.stop())

const item = (financialInstrument: Ids, amount: number | string) => ({
  positionLookup: { owner: wallet, financialInstrument },
  amount,
})
const loanOf = (borrowed: number | string, pledged: number) => ({
  defiProtocol: 'ESCROW_VAULT',
  lendingDetails: { loanStrategyAddress: vault.onchainId },
  itemsToBorrow: [item(cash, borrowed)],
  itemsToPledge: [item(bond, pledged)],
})
const readStrategy = () =>
  fixture.world.api.read<Strategy>('/loans/strategies/single', { strategy: { offchainId: strategy.offchainId } })
const setCaps = (members: object) =>
  fixture.world.api.ok(200, 'PATCH', '/loans/strategies', {
    strategy: { offchainId: strategy.offchainId },
    ...members,
  })

async function lend(borrowed: number | string, pledged: number): Promise<Ids> {
  const { newLoan, chainTransaction } = await fixture.world.api.ok<LoanCreation>(
    201,
    'POST',
    '/loans',
    loanOf(borrowed, pledged),
  )
  expect(chainTransaction.success, JSON.stringify(chainTransaction)).toBe(true)
  return newLoan
}

describe('the caps of a strategy are displayed amounts', () => {
  it('like the amounts that they limit', async () => {
    const { api } = fixture.world
    expect(await readStrategy()).toMatchObject({ originationCap: 100, borrowers: [{ cap: 150 }] })
    await api.refuses(400, 'INSUFFICIENT_PRINCIPAL', 'POST', '/loans', loanOf('100.000002', 400))
    await lend(100, 400)
    await api.refuses(400, 'BORROWER_CAP_EXCEEDED', 'POST', '/loans', loanOf('50.000002', 400))
    await lend(50, 400)
  })

  it('and are rounded down to the books, or refused', async () => {
    await setCaps({ originationCap: '100.000001' })
    expect((await readStrategy()).originationCap).toBe(100)
    await fixture.world.api.refuses(400, 'NOT_POSITIVE', 'PATCH', '/loans/strategies', {
      strategy: { offchainId: strategy.offchainId },
      originationCap: '0.000001',
    })
    await setCaps({ originationCap: 0, borrowers: [{ organizationExternalId: 'SYSTEM', cap: 0 }] })
    expect(await readStrategy()).toMatchObject({ originationCap: 0, borrowers: [{ cap: 0 }] })
    await fixture.world.api.refuses(400, 'BORROWER_CAP_EXCEEDED', 'POST', '/loans', loanOf(1, 400))
    await setCaps({ originationCap: 100, borrowers: null })
  })
})

it('interest per second is displayed as the interest that it makes is', async () => {
  const escrow = await lend(100, 400)
  const single = async (seconds: number): Promise<Loan['borrowedItems'][number]> => {
    const { api } = fixture.world
    const { borrowedItems } = await api.read<Loan>('/loans/single', { escrow })
    const from = Date.parse(borrowedItems[0]!.lastInterestUpdateTime)
    const computeEstimatedInterestUntil = new Date(from + seconds * 1000).toISOString()
    const later = await api.read<Loan>('/loans/single', { escrow, computeEstimatedInterestUntil })
    return later.borrowedItems[0]!
  }
  const year = 31_536_000
  const { interestPerSecond, estimatedInterest, principalDue } = await single(year)
  // 10 % of 100.
  expect([principalDue, estimatedInterest]).toEqual([100, 10])
  expect(Number(interestPerSecond) * year).toBeCloseTo(10, 6)
})

it('the filters of loans compare what the books hold, without the multiplier', async () => {
  const { api } = fixture.world
  const escrow = await lend(80, 360)
  const { pledgedItems, borrowedItems } = await api.read<Loan>('/loans/single', { escrow })
  expect([pledgedItems[0]!.pledgedAmount, borrowedItems[0]!.principalDue]).toEqual([360, 80])
  const count = async (fieldName: string, valueNumber: number): Promise<number> => {
    const filter = [{ fieldName, filterValues: [{ filterType: 'EQUALS', valueNumber }] }]
    return ((await api.bulk('/loans/bulk', { filter })) as { count: number }).count
  }
  expect([await count('pledgedItemAmount', 90), await count('pledgedItemAmount', 360)]).toEqual([1, 0])
  expect([await count('borrowedItemDueAmount', 40), await count('borrowedItemDueAmount', 80)]).toEqual([1, 0])
})

it('a later multiplier shows the same caps and debts anew', async () => {
  const { api } = fixture.world
  await setCaps({ borrowers: [{ organizationExternalId: 'SYSTEM', cap: 1_000 }] })
  const escrow = await lend(100, 400)
  const shown = async () => {
    const { borrowedItems } = await api.read<Loan>('/loans/single', { escrow })
    const { originationCap, borrowers } = await readStrategy()
    return [
      borrowedItems[0]!.principalDue,
      Number(borrowedItems[0]!.interestPerSecond),
      originationCap,
      borrowers[0]!.cap,
    ]
  }
  const before = await shown()
  expect(before).toEqual([100, expect.any(Number), 100, 1_000])
  await api.ok(200, 'PATCH', '/financial-instruments', { mintAccount: cash, scaledUiAmountMultiplier: 3 })
  const after = await shown()
  expect(after).toEqual([150, expect.any(Number), 150, 1_500])
  expect(Number(after[1])).toBeCloseTo(Number(before[1]) * 1.5, 15)
})
