// Parts and remainder add up to the total, to the unit, and no holder gets more than the exact share, for any holders,
// decimals and multipliers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { U64_MAX } from '../../machines/amount.ts'
import { partsOf, type HolderBalance, type Payout } from '../../machines/distribution-parts.ts'
import { multiplierRatio } from '../../machines/scale.ts'

const units = fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: U64_MAX }))
const holdings: fc.Arbitrary<HolderBalance[]> = fc
  .array(units, { maxLength: 40 })
  .map((all) => all.map((held, index) => ({ holder: `h${index}`, held })))
/**
 * This number of display units of one asset for each displayed unit of the other, both with decimals and a multiplier.
 */
const perUnit = fc
  .record({
    digits: fc.bigInt({ min: 1n, max: 10n ** 18n }),
    places: fc.nat({ max: 18 }),
    of: fc.nat({ max: 12 }),
    paid: fc.nat({ max: 12 }),
    multiplier: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
  })
  .map(({ digits, places, of, paid, multiplier }): Payout => {
    const scale = multiplierRatio(multiplier)!
    const numerator = digits * 10n ** BigInt(paid) * scale.numerator
    return { perUnit: { numerator, denominator: 10n ** BigInt(places + of) * scale.denominator } }
  })
const payout = fc.oneof(
  units.map((total): Payout => ({ total })),
  perUnit,
)
const minimum = fc.oneof(fc.constant(0n), units)

describe('the parts of a distribution', () => {
  it('sum with the remainder to the total, and each is less than a unit below the exact share', () => {
    fc.assert(
      fc.property(holdings, payout, minimum, (all, what, least) => {
        const { parts, total, remainder, unpaid } = partsOf(all, what, least)
        const sum = parts.reduce((subtotal, { amount }) => subtotal + amount, 0n)
        expect(sum + remainder).toBe(total)
        expect(remainder >= 0n).toBe(true)
        expect(parts.length + unpaid).toBe(all.length)
        const heldTotal = all.reduce((each, one) => each + one.held, 0n)
        const [over, under] =
          'total' in what ? [what.total, heldTotal] : [what.perUnit.numerator, what.perUnit.denominator]
        const amounts = new Map(parts.map(({ holder, amount }) => [holder, amount]))
        for (const { holder, held: own } of all) {
          const amount = amounts.get(holder)
          if (amount === undefined) {
            // Its share is less than a unit, or below the minimum.
            expect(heldTotal === 0n || own * over < under || own * over < least * under).toBe(true)
            continue
          }
          expect(amount > 0n && amount >= least).toBe(true)
          expect(amount * under <= own * over && own * over < (amount + 1n) * under).toBe(true)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('leave a remainder smaller than the number of holders without a minimum', () => {
    fc.assert(
      fc.property(holdings, payout, (all, what) => {
        const { remainder } = partsOf(all, what)
        const isHeld = all.some(({ held }) => held > 0n)
        if (isHeld) expect(remainder < BigInt(all.length) || remainder === 0n).toBe(true)
        else if ('total' in what) expect(remainder).toBe(what.total)
      }),
      { numRuns: 1_000 },
    )
  })

  it('equal a calculation by hand', () => {
    const all = [
      { holder: 'a', held: 1n },
      { holder: 'b', held: 1n },
      { holder: 'c', held: 1n },
    ]
    expect(partsOf(all, { total: 100n })).toEqual({
      parts: all.map(({ holder }) => ({ holder, amount: 33n })),
      total: 100n,
      remainder: 1n,
      unpaid: 0,
    })
    expect(partsOf(all, { total: 100n }, 34n)).toEqual({ parts: [], total: 100n, remainder: 100n, unpaid: 3 })
    expect(partsOf([], { total: 5n })).toEqual({ parts: [], total: 5n, remainder: 5n, unpaid: 0 })
  })
})
