// Decimals compared with exact fractions of big integers: every result is the exact one, or the nearest of 38 digits
// (at least 28 for tiny values), ties to even.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  add,
  compare,
  divide,
  mean,
  median,
  multiply,
  NotANumber,
  parseDecimal,
  power,
  printDecimal,
  round,
  subtract,
  type Decimal,
} from '../../src/oracle/decimal.ts'

interface Fraction {
  readonly top: bigint
  /** Positive. */
  readonly bottom: bigint
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value)
const fraction = ({ units, exponent }: Decimal): Fraction =>
  exponent >= 0
    ? { top: units * 10n ** BigInt(exponent), bottom: 1n }
    : { top: units, bottom: 10n ** BigInt(-exponent) }
const plus = (a: Fraction, b: Fraction): Fraction => ({
  top: a.top * b.bottom + b.top * a.bottom,
  bottom: a.bottom * b.bottom,
})
const times = (a: Fraction, b: Fraction): Fraction => ({ top: a.top * b.top, bottom: a.bottom * b.bottom })
const quotientOf = (a: Fraction, b: Fraction): Fraction => {
  const bottom = a.bottom * b.top
  return bottom < 0n ? { top: -a.top * b.bottom, bottom: -bottom } : { top: a.top * b.bottom, bottom }
}
const minus = ({ top, bottom }: Fraction): Fraction => ({ top: -top, bottom })
const same = (a: Fraction, b: Fraction): boolean => a.top * b.bottom === b.top * a.bottom

/** The exact value rounded independently to the last of 38 digits, half to even. */
function expectNearest(result: Decimal, exact: Fraction): void {
  const actual = fraction(result)
  if (same(actual, exact)) return
  const digits = abs(result.units).toString().length
  // With all 38 digits written out, or those down to the last possible place.
  const more = Math.min(38 - digits, result.exponent + 99)
  expect(digits + more).toBeGreaterThanOrEqual(28)
  const padded = { units: result.units * 10n ** BigInt(more), exponent: result.exponent - more }
  const unit = fraction({ units: 1n, exponent: padded.exponent })
  const off = plus(actual, minus(exact))
  const doubled = { top: abs(off.top) * 2n, bottom: off.bottom }
  const order = doubled.top * unit.bottom - unit.top * doubled.bottom
  expect(order <= 0n, `${printDecimal(result)} is not the nearest`).toBe(true)
  if (order === 0n) expect(padded.units % 2n).toBe(0n)
}

const number = fc
  .record({
    units: fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
    exponent: fc.integer({ min: -30, max: 10 }),
  })
  .map(({ units, exponent }) => parseDecimal(`${units}e${exponent}`)!)
const short = fc
  .record({ units: fc.integer({ min: -99_999, max: 99_999 }), exponent: fc.integer({ min: -6, max: 6 }) })
  .map(({ units, exponent }) => parseDecimal(`${units}e${exponent}`)!)
const any = fc.oneof(number, short)

describe('a decimal', () => {
  it('adds, subtracts and multiplies with rounding to the nearest', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        expectNearest(add(a, b), plus(fraction(a), fraction(b)))
        expectNearest(subtract(a, b), plus(fraction(a), minus(fraction(b))))
        expectNearest(multiply(a, b), times(fraction(a), fraction(b)))
      }),
      { numRuns: 2_000 },
    )
  })

  it('divides with rounding to the nearest, and refuses a division by zero', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        if (b.units === 0n) expect(() => divide(a, b)).toThrow(NotANumber)
        else expectNearest(divide(a, b), quotientOf(fraction(a), fraction(b)))
      }),
      { numRuns: 2_000 },
    )
  })

  it('is raised to an integer power, rounded once', () => {
    fc.assert(
      fc.property(short, fc.integer({ min: -8, max: 8 }), (base, count) => {
        if (base.units === 0n && count < 0) return
        const one: Fraction = { top: 1n, bottom: 1n }
        const powerFraction = Array.from({ length: Math.abs(count) }).reduce<Fraction>(
          (product) => times(product, fraction(base)),
          one,
        )
        const exact = count < 0 ? quotientOf(one, powerFraction) : powerFraction
        try {
          expectNearest(power(base, parseDecimal(String(count))!), exact)
        } catch (error) {
          // Nothing below 10^-72 is compared.
          expect(error).toBeInstanceOf(NotANumber)
          expect(abs(exact.top) * 10n ** 72n < exact.bottom).toBe(true)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('round-trips as text, and compares as a number', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(parseDecimal(printDecimal(a))).toEqual(a)
        const [left, right] = [fraction(a), fraction(b)]
        const order = left.top * right.bottom - right.top * left.bottom
        expect(compare(a, b)).toBe(order < 0n ? -1 : order > 0n ? 1 : 0)
        expect(Math.sign(compare(b, a))).toBe(-compare(a, b) || 0)
      }),
      { numRuns: 1_000 },
    )
  })

  it('is rounded to decimal places, down towards zero and up away from it', () => {
    fc.assert(
      fc.property(any, fc.integer({ min: 0, max: 20 }), (value, places) => {
        const [down, up] = [round(value, places, 'DOWN'), round(value, places, 'UP')]
        const step = fraction({ units: 1n, exponent: -places })
        for (const result of [down, up])
          expect((fraction(result).top * step.bottom) % (fraction(result).bottom * step.top)).toBe(0n)
        const size = (each: Decimal): Decimal => ({ ...each, units: abs(each.units) })
        expect(compare(size(down), size(value))).toBeLessThanOrEqual(0)
        expect(compare(size(up), size(value))).toBeGreaterThanOrEqual(0)
        expect(compare(subtract(size(up), size(down)), parseDecimal(`1e-${places}`)!)).toBeLessThanOrEqual(0)
      }),
      { numRuns: 1_000 },
    )
  })

  it('has a median with half of the values on either side, and a mean between minimum and maximum', () => {
    fc.assert(
      fc.property(fc.array(short, { minLength: 1, maxLength: 9 }), (values) => {
        const middle = median(values)
        const below = values.filter((each) => compare(each, middle) < 0).length
        const above = values.filter((each) => compare(each, middle) > 0).length
        expect(Math.max(below, above) * 2).toBeLessThanOrEqual(values.length)
        const sorted = values.toSorted(compare)
        expect(compare(mean(values), sorted[0]!)).toBeGreaterThanOrEqual(0)
        expect(compare(mean(values), sorted.at(-1)!)).toBeLessThanOrEqual(0)
      }),
    )
  })

  it('cannot be parsed from other text, or out of range', () => {
    for (const text of [
      '',
      '.',
      '-',
      'e5',
      '1e',
      '0x10',
      '1_000',
      '1,5',
      ' 1',
      'NaN',
      'Infinity',
      '--1',
      '1e99999',
      '9'.repeat(401),
    ]) {
      expect(parseDecimal(text), text).toBeNull()
    }
    for (const text of ['1e137', '-1e137', '1e-73', '1e9999', '-1e-9999'])
      expect(() => parseDecimal(text), text).toThrow(NotANumber)
    for (const text of ['0e9999', '1e136', '1e-72', '.5', '5.', '+5', '00.10'])
      expect(parseDecimal(text), text).not.toBeNull()
  })
})
