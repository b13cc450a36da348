// Exact decimals for the computations of jobs: 38 significant digits, rounded half to even, no floating point. Numbers
// with a magnitude from 10^-72 to 10^136 (and zero) keep at least 28 digits; any other number is an error, never
// silently 0.
import { plainDecimal } from '../../machines/feed-text.ts'

/** units x 10^exponent, without trailing zeros in `units`; zero is 0 x 10^0. */
export interface Decimal {
  readonly units: bigint
  readonly exponent: number
}

/** The result is not a number, or out of range: division by zero, too large, too small. */
export class NotANumber extends Error {
  override readonly name = 'NotANumber'
}

const DIGITS = 38
const MIN_EXPONENT = -99
const GREATEST_EXPONENT = 99
const MIN_MAGNITUDE = -72
const GREATEST_MAGNITUDE = 136
const MAX_POWER = 1_000
const MAX_TEXT_LENGTH = 400
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/

export const ZERO_DECIMAL: Decimal = { units: 0n, exponent: 0 }

const abs = (value: bigint): bigint => (value < 0n ? -value : value)
const LOG_OF_TWO = Math.log10(2)
const SHORT = 10n ** 80n
const shifted = (units: bigint, places: number): bigint => units * 10n ** BigInt(places)

/** Decimal digits. */
function lengthOf(value: bigint): number {
  const size = abs(value)
  if (size < SHORT) return size.toString().length
  // The decimal text of a power has tens of thousands of digits, and costs more than the power.
  const hex = size.toString(16)
  const bits = hex.length * 4 - (Math.clz32(parseInt(hex.charAt(0), 16)) - 28)
  const [least, most] = [Math.floor((bits - 1) * LOG_OF_TWO) + 1, Math.floor(bits * LOG_OF_TWO) + 1]
  return least === most || size < 10n ** BigInt(least) ? least : most
}

/** Decimal notation, with or without an exponent; null for any other text. Throws NotANumber out of range. */
export function parseDecimal(text: string): Decimal | null {
  const match = text.length > MAX_TEXT_LENGTH ? null : NUMBER.exec(text)
  if (match === null) return null
  const [, sign = '', whole = '', fraction = '', power = '0'] = match
  if (whole === '' && fraction === '') return null
  const units = BigInt(`${whole}${fraction}`)
  return decimal(sign === '-' ? -units : units, Number(power) - fraction.length)
}

export function ofInteger(value: number): Decimal {
  return decimal(BigInt(value), 0)
}

/** Plain digits, without an exponent. */
export function printDecimal({ units, exponent }: Decimal): string {
  return plainDecimal(units, exponent)
}

/** @param rest true: the exact value is slightly further from zero than `units` */
function decimal(units: bigint, exponent: number, rest = false): Decimal {
  if (units === 0n && !rest) return ZERO_DECIMAL
  const length = lengthOf(units)
  const magnitude = length + exponent - 1
  if (units === 0n || magnitude < MIN_MAGNITUDE) throw new NotANumber('the number is too small')
  if (magnitude > GREATEST_MAGNITUDE) throw new NotANumber('the number is too large')
  const surplus = Math.max(length - DIGITS, MIN_EXPONENT - exponent, 0)
  let kept = surplus === 0 ? units : dropped(units, surplus, rest)
  let at = exponent + surplus
  // Rounding up may have added a digit.
  if (lengthOf(kept) > DIGITS) {
    kept /= 10n
    at += 1
  }
  while (kept % 10n === 0n) {
    kept /= 10n
    at += 1
  }
  if (at > GREATEST_EXPONENT) {
    kept = shifted(kept, at - GREATEST_EXPONENT)
    at = GREATEST_EXPONENT
    if (lengthOf(kept) > DIGITS) throw new NotANumber('the number is too large')
  }
  return { units: kept, exponent: at }
}

/** Drops the last `places` digits, rounding half to even. */
function dropped(units: bigint, places: number, rest: boolean): bigint {
  const unit = 10n ** BigInt(places)
  const size = abs(units)
  const [quotient, remainder] = [size / unit, size % unit]
  const doubled = remainder * 2n
  const up = doubled > unit || (doubled === unit && (rest || quotient % 2n === 1n))
  const result = up ? quotient + 1n : quotient
  return units < 0n ? -result : result
}

export function add(a: Decimal, b: Decimal): Decimal {
  const exponent = Math.min(a.exponent, b.exponent)
  return decimal(shifted(a.units, a.exponent - exponent) + shifted(b.units, b.exponent - exponent), exponent)
}

function negate({ units, exponent }: Decimal): Decimal {
  return { units: -units, exponent }
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, negate(b))
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return decimal(a.units * b.units, a.exponent + b.exponent)
}

export function divide(a: Decimal, b: Decimal): Decimal {
  if (b.units === 0n) throw new NotANumber('division by zero')
  return ratio(a.units, b.units, a.exponent - b.exponent)
}

/** numerator / denominator x 10^exponent */
function ratio(numerator: bigint, denominator: bigint, exponent: number): Decimal {
  if (numerator === 0n) return ZERO_DECIMAL
  const places = Math.max(0, DIGITS + 2 + lengthOf(denominator) - lengthOf(numerator))
  const [top, bottom] = [shifted(numerator, places), denominator]
  return decimal(top / bottom, exponent - places, top % bottom !== 0n)
}

/** Digits of the exact power, about; 0 if `power` refuses the exponent. */
export function digitsOfPower(base: Decimal, exponent: Decimal): number {
  if (exponent.exponent < 0 || exponent.exponent > 3) return 0
  const count = Math.abs(countOf(exponent))
  return count > MAX_POWER ? 0 : lengthOf(base.units) * count
}

const countOf = ({ units, exponent }: Decimal): number => Number(shifted(units, exponent))

/** Only whole powers; the result is rounded once. */
export function power(base: Decimal, exponent: Decimal): Decimal {
  if (exponent.exponent < 0 || abs(exponent.units) > BigInt(MAX_POWER) || exponent.exponent > 3)
    throw new NotANumber(`only whole powers from -${MAX_POWER} to ${MAX_POWER} are computed`)
  const count = countOf(exponent)
  if (Math.abs(count) > MAX_POWER)
    throw new NotANumber(`only whole powers from -${MAX_POWER} to ${MAX_POWER} are computed`)
  if (base.units === 0n && count < 0) throw new NotANumber('division by zero')
  if (base.units === 0n) return count === 0 ? decimal(1n, 0) : ZERO_DECIMAL
  const units = base.units ** BigInt(Math.abs(count))
  return count >= 0 ? decimal(units, base.exponent * count) : ratio(1n, units, base.exponent * count)
}

/** Negative, zero or positive like a - b. */
export function compare(a: Decimal, b: Decimal): number {
  const exponent = Math.min(a.exponent, b.exponent)
  const [left, right] = [shifted(a.units, a.exponent - exponent), shifted(b.units, b.exponent - exponent)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Rounds to this many decimal places; `UP` is away from zero, `DOWN` towards zero. */
export function round(value: Decimal, places: number, direction: 'UP' | 'DOWN'): Decimal {
  const surplus = -value.exponent - places
  if (surplus <= 0) return value
  const unit = 10n ** BigInt(surplus)
  const cut = value.units / unit
  const away = direction === 'UP' && value.units % unit !== 0n
  return decimal(away ? cut + (value.units < 0n ? -1n : 1n) : cut, -places)
}

export function addAll(values: readonly Decimal[]): Decimal {
  return values.reduce(add, ZERO_DECIMAL)
}

export function mean(values: readonly Decimal[]): Decimal {
  return divide(addAll(values), ofInteger(values.length))
}

/** For an even count, the mean of the two middle values. */
export function median(values: readonly Decimal[]): Decimal {
  const sorted = values.toSorted(compare)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : mean(sorted.slice(half - 1, half + 1))
}
