// Amounts never lose a unit, in any notation.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountJson, formatAmount, parseAmount, significantDigits, U64_MAX } from '../../machines/amount.ts'
import { applyMultiplier, multiplierRatio, parseScaledAmount, unapplyMultiplier } from '../../machines/scale.ts'

const u64 = fc.bigInt({ min: 1n, max: U64_MAX })
const decimals = fc.integer({ min: 0, max: 18 })

const reason = (text: string, places: number) => {
  const result = parseAmount(text, places)
  return result.ok ? result.raw : result.reason
}

describe('amounts', () => {
  it('round-trip through text and through JSON', () => {
    fc.assert(
      fc.property(u64, decimals, (raw, places) => {
        expect(reason(formatAmount(raw, places), places)).toBe(raw)
        const text = JSON.stringify(amountJson(raw, places)).replaceAll('"', '')
        expect(reason(text, places)).toBe(raw)
      }),
    )
  })

  it('are equal in every notation', () => {
    fc.assert(
      fc.property(u64, decimals, fc.integer({ min: 0, max: 40 }), (raw, places, shift) => {
        expect(reason(`${formatAmount(raw, places + shift)}e${shift}`, places)).toBe(raw)
        expect(reason(`${raw}E-${places}`, places)).toBe(raw)
        expect(reason(`${formatAmount(raw, places)}e+0`, places)).toBe(raw)
      }),
    )
  })

  it('are refused with the reason', () => {
    const cases: [string, number, bigint | string][] = [
      ['1e3', 0, 1000n],
      ['1.50', 1, 15n],
      ['007', 0, 7n],
      ['1.5', 0, 'TOO_PRECISE'],
      ['1e-10', 9, 'TOO_PRECISE'],
      ['0', 9, 'NOT_POSITIVE'],
      ['-1', 9, 'NOT_POSITIVE'],
      ['0.000', 9, 'NOT_POSITIVE'],
      ['18446744073709551615', 0, U64_MAX],
      ['18446744073709551616', 0, 'OVER_U64'],
      ['1e9999', 0, 'OVER_U64'],
      ['1e20', 0, 'OVER_U64'],
      ['', 0, 'MALFORMED'],
      ['1.', 0, 'MALFORMED'],
      ['.5', 1, 'MALFORMED'],
      ['+1', 0, 'MALFORMED'],
      ['0x10', 0, 'MALFORMED'],
      ['1e99999', 0, 'MALFORMED'],
      ['1,5', 1, 'MALFORMED'],
      [' 1', 0, 'MALFORMED'],
      ['NaN', 0, 'MALFORMED'],
      ['1'.repeat(101), 0, 'MALFORMED'],
    ]
    for (const [text, places, expected] of cases) expect(reason(text, places), text).toBe(expected)
  })

  it('print as numbers if they have at most 15 significant digits, however small they are', () => {
    expect(amountJson(123_456_789_012_345n, 0)).toBe(123_456_789_012_345)
    expect(amountJson(1_234_567_890_123_456n, 0)).toBe('1234567890123456')
    expect(amountJson(1n, 9)).toBe(0.000000001)
    expect(amountJson(999n, 9)).toBe(0.000000999)
    expect(amountJson(1_234_567_890_123_456n, 18)).toBe('0.001234567890123456')
    expect(amountJson(1_500_000_000n, 9)).toBe(1.5)
    expect(amountJson(0n, 9)).toBe(0)
    expect(amountJson(-15n, 1)).toBe(-1.5)
    // As many digits as a double can hold, and one more; with and without insignificant zeros.
    const near = fc.bigInt({ min: -20n, max: 20n }).map((offset) => 10n ** 15n + offset)
    fc.assert(
      fc.property(fc.oneof(near, u64), fc.boolean(), decimals, (size, isNegative, places) => {
        const raw = isNegative ? -size : size
        const text = formatAmount(raw, places)
        expect(amountJson(raw, places)).toBe(significantDigits(text)! <= 15 ? Number(text) : text)
      }),
    )
  })

  it('count their significant digits', () => {
    expect([
      significantDigits('0012.3400'),
      significantDigits('1e30'),
      significantDigits('0'),
      significantDigits('x'),
    ]).toStrictEqual([4, 1, 0, null])
  })
})

describe('scaled amounts', () => {
  const normal = fc.double({ min: 2 ** -40, max: 2 ** 40, noNaN: true })

  it('treat a double as its exact value', () => {
    expect(multiplierRatio(1.5)).toStrictEqual({ numerator: 3n << 51n, denominator: 1n << 52n })
    expect(multiplierRatio('0.1')?.numerator).toBe(7_205_759_403_792_794n)
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 5e-324]) expect(multiplierRatio(bad)).toBeNull()
    for (const bad of ['', ' ', 'one', '-1', '0']) expect(multiplierRatio(bad)).toBeNull()
    fc.assert(
      fc.property(normal, (value) => {
        const exact = multiplierRatio(value)
        expect(exact === null ? null : Number(exact.numerator) / Number(exact.denominator)).toBe(value)
      }),
    )
  })

  it('accept every multiplier that the chain accepts, however small or large', () => {
    fc.assert(
      fc.property(fc.double({ min: 2 ** -1022, max: Number.MAX_VALUE, noNaN: true }), (value) => {
        const { numerator, denominator } = multiplierRatio(value)!
        const halvings = denominator.toString(2).length - 1
        expect(denominator).toBe(1n << BigInt(halvings))
        // In two steps: no double holds the smallest power.
        const some = Math.floor(halvings / 2)
        expect(Number(numerator) * 2 ** -some * 2 ** (some - halvings)).toBe(value)
      }),
    )
    expect(multiplierRatio(2 ** 52)).toStrictEqual({ numerator: 1n << 52n, denominator: 1n })
    expect(multiplierRatio(2 ** 60)).toStrictEqual({ numerator: 1n << 60n, denominator: 1n })
  })

  it('never give more raw units than requested, and lose less than one', () => {
    fc.assert(
      fc.property(u64, normal, (shown, value) => {
        const multiplier = multiplierRatio(value)!
        const raw = unapplyMultiplier(shown, multiplier)
        expect(applyMultiplier(raw, multiplier)).toBeLessThanOrEqual(shown)
        expect(applyMultiplier(raw + 1n, multiplier)).toBeGreaterThanOrEqual(shown)
      }),
    )
  })

  it('equal plain amounts at a multiplier of one', () => {
    const one = multiplierRatio('1')!
    fc.assert(
      fc.property(u64, decimals, (raw, places) => {
        expect(parseScaledAmount(formatAmount(raw, places), places, one)).toStrictEqual({ ok: true, raw })
      }),
    )
  })

  it('are refused for the same reasons as plain amounts', () => {
    const two = multiplierRatio(2)!
    for (const [text, places] of [
      ['x', 0],
      ['1.5', 0],
      ['-1', 9],
      ['0', 9],
    ] as const)
      expect(parseScaledAmount(text, places, two), text).toStrictEqual(parseAmount(text, places))
  })

  it('refuse less than one raw unit and more than a u64, and allow amounts that only display as more', () => {
    const million = multiplierRatio(1e6)!
    expect(parseScaledAmount('1', 0, million)).toStrictEqual({ ok: false, reason: 'NOT_POSITIVE' })
    expect(parseScaledAmount('1e24', 0, million)).toStrictEqual({ ok: true, raw: 10n ** 18n })
    expect(parseScaledAmount('1e27', 0, million)).toStrictEqual({ ok: false, reason: 'OVER_U64' })
    const two = multiplierRatio(2)!
    const most = 2n * U64_MAX
    expect(parseScaledAmount(`${most}`, 0, two)).toStrictEqual({ ok: true, raw: U64_MAX })
    expect(parseScaledAmount(`${most + 1n}`, 0, two)).toStrictEqual({ ok: true, raw: U64_MAX })
    expect(parseScaledAmount(`${most + 2n}`, 0, two)).toStrictEqual({ ok: false, reason: 'OVER_U64' })
  })
})
