// Which price counts if several sources price an instrument, and from when a debt is overdue.
import { describe, expect, it } from 'vitest'
import { wholeRatio, type Ratio } from '../../../machines/ratio.ts'
import { carefulWorthOf, isStale, type Quote } from '../../../src/operations/views/loan-quote.ts'
import { isOverdue } from '../../../src/operations/views/read-models/loan.ts'
import { debt } from '../../machines/records.ts'

const quote = (mint: string, owed: boolean, worth: Ratio | null): Quote => ({
  instrument: { address: mint, id: null },
  source: { address: `Feed${String(worth?.numerator)}`, id: null },
  maxAgeSeconds: 60,
  owed,
  price: null,
  stale: false,
  worth,
})

describe('the worth of an instrument', () => {
  it('is the higher price for a debt and the lower one for collateral, in any order of the sources', () => {
    const prices = [5n, 7n, 6n].map(wholeRatio)
    for (const worths of [prices, prices.toReversed()]) {
      const worth = carefulWorthOf([true, false].flatMap((owed) => worths.map((each) => quote('Coin', owed, each))))
      expect([worth.owed('Coin'), worth.pledged('Coin')]).toEqual([wholeRatio(7n), wholeRatio(5n)])
    }
  })

  it('is unknown without a price of every source, and that of a debt is none of collateral', () => {
    const worth = carefulWorthOf([
      quote('Coin', true, wholeRatio(5n)),
      quote('Coin', true, null),
      quote('Bond', false, wholeRatio(3n)),
    ])
    expect([worth.owed('Coin'), worth.pledged('Coin'), worth.owed('Bond'), worth.pledged('Bond')]).toEqual([
      null,
      null,
      null,
      wholeRatio(3n),
    ])
  })
})

describe('a price', () => {
  it('is stale when it is older than allowed, and as far ahead of now', () => {
    const at = 1_000
    expect([939, 940, 1_060, 1_061].map((asOf) => isStale({ asOf }, 60, at))).toEqual([true, false, false, true])
  })
})

describe('a debt', () => {
  it('is overdue after its term and the grace, not in their last second, and not if nothing is due', () => {
    const repaid = { ...debt, principalDue: '7', principalRepaid: '7', interest: '0' }
    for (const grace of [0, 48 * 3_600]) {
      const last = debt.endsAt + grace
      expect([last - 1, last, last + 1].map((at) => isOverdue([debt], at, grace))).toEqual([false, false, true])
      expect(isOverdue([repaid], last + 1, grace)).toBe(false)
      expect(isOverdue([repaid, debt], last + 1, grace)).toBe(true)
    }
  })
})
