// Fractions are exact, for negative values too: a price or a value below zero never counts as one above.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAmount } from '../../machines/amount.ts'
import {
  ceilOf,
  decimalRatio,
  dividedBy,
  isGreater,
  minus,
  sum,
  times,
  wholeRatio,
  type Ratio,
} from '../../machines/ratio.ts'

const integer = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
const small = fc.bigInt({ min: -20n, max: 20n })
const ratio = fc.record({
  numerator: fc.oneof(small, integer),
  denominator: fc.oneof(fc.bigInt({ min: 1n, max: 20n }), fc.bigInt({ min: 1n, max: 10n ** 30n })),
})

/** Checks that both are the same value, and that the denominator is positive. */
function expectEqual(actual: Ratio, { numerator, denominator }: Ratio): void {
  expect(actual.denominator).toBeGreaterThan(0n)
  expect(actual.numerator * denominator).toBe(numerator * actual.denominator)
}

describe('a decimal text', () => {
  it('is its exact value, with its sign', () => {
    fc.assert(
      fc.property(fc.oneof(small, integer), fc.integer({ min: 0, max: 40 }), (units, places) => {
        expectEqual(decimalRatio(formatAmount(units, places))!, {
          numerator: units,
          denominator: 10n ** BigInt(places),
        })
      }),
    )
    expectEqual(decimalRatio('-0.50')!, { numerator: -1n, denominator: 2n })
  })

  it('has no exponent, no blanks, and digits on both sides of its point', () => {
    for (const text of ['', '-', '1e5', '.5', '1.', ' 1', '+1', '--1', '1.2.3', 'Infinity'])
      expect(decimalRatio(text), text).toBeNull()
  })
})

describe('fractions', () => {
  it('are subtracted, multiplied, divided, added and compared exactly', () => {
    fc.assert(
      fc.property(ratio, ratio, (a, b) => {
        const difference = { numerator: a.numerator * b.denominator - b.numerator * a.denominator }
        expectEqual(minus(a, b), { ...difference, denominator: a.denominator * b.denominator })
        expectEqual(sum([minus(a, b), b]), a)
        expectEqual(minus(a, a), wholeRatio(0n))
        expect([isGreater(a, b), isGreater(b, a)]).toEqual([difference.numerator > 0n, difference.numerator < 0n])
        if (b.numerator === 0n) return
        expectEqual(dividedBy(times(a, b), b), a)
        expectEqual(times(dividedBy(a, b), b), a)
      }),
    )
  })

  it('are rounded up to the next integer', () => {
    fc.assert(
      fc.property(ratio, (value) => {
        const integer = ceilOf(value)
        expect(isGreater(value, wholeRatio(integer))).toBe(false)
        expect(isGreater(value, wholeRatio(integer - 1n))).toBe(true)
      }),
    )
  })
})
