// Comparison of values: numbers and timestamps exactly, all other values as text by code point.
import type { FieldType, FieldValue } from './field.ts'

/** Decimals kept of a number: more than any amount has. */
const SCALE = 18
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/
const FEW_DIGITS = /^-?\d{1,15}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const WITH_ZONE = /(Z|[+-]\d{2}:?\d{2})$/
/** Significant decimal digits that a double always preserves (IEEE 754 binary64: DBL_DIG). */
const EXACT_DIGITS = 15

export type Comparable = string | Quantity | null

/**
 * A number or timestamp. `nearest` is monotonic in the value, so a difference of `nearest` decides a comparison. With
 * equal `nearest` the values are equal, unless one is `long`: then `exact` (times 10^18) decides.
 */
export interface Quantity {
  readonly nearest: number
  /** True if the value has more digits than a double always preserves. */
  readonly long: boolean
  readonly exact: bigint
}

export function isOrdered(type: FieldType): boolean {
  return type === 'NUMBER' || type === 'TIMESTAMP'
}

/** null for null, and for text that is not a number or timestamp. */
export function comparable(type: FieldType, value: FieldValue): Comparable {
  if (value === null) return null
  return isOrdered(type) ? quantity(type, value) : String(value)
}

/** null for malformed values and for more than 18 decimals. */
export function quantity(type: FieldType, value: FieldValue): Quantity | null {
  if (value === null) return null
  const text = String(value)
  if (type === 'TIMESTAMP') {
    const ms = instantMs(text)
    return Number.isNaN(ms) ? null : { nearest: ms, long: false, exact: BigInt(ms) }
  }
  const exact = scaled(text)
  return exact === null ? null : { nearest: Number(text) + 0, long: isLong(text), exact }
}

/** As `quantity`, for a value of a query; null also for a day that its month does not have, as 30 February. */
export function operand(type: FieldType, text: string): Quantity | null {
  const value = quantity(type, text)
  if (value === null || type !== 'TIMESTAMP') return value
  const month = text.slice(0, 'YYYY-MM'.length)
  const day = text.slice(0, 'YYYY-MM-DD'.length)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(month) ? value : null
}

/** As `quantity`, without the exact value where the double suffices. NaN for null, undefined for long values. */
export function plainNumber(type: FieldType, value: FieldValue): number | undefined {
  if (value === null) return Number.NaN
  const text = String(value)
  if (type === 'TIMESTAMP') return instantMs(text)
  // Adding 0 turns -0 into 0.
  if (FEW_DIGITS.test(text)) return Number(text) + 0
  const fraction = DECIMAL.exec(text)
  if (fraction === null || (fraction[3]?.length ?? 0) > SCALE) return Number.NaN
  return isLong(text) ? undefined : Number(text) + 0
}

function isLong(text: string): boolean {
  const digits = text.replace(/[-.]/g, '').replace(/^0+/, '')
  if (digits.length <= EXACT_DIGITS) return false
  const significant = digits.replace(/0+$/, '').length
  return significant > EXACT_DIGITS || !Number.isFinite(Number(text))
}

/** A decimal times 10^18; null if it is malformed or has more than 18 decimals. */
export function scaled(text: string): bigint | null {
  const [, sign, whole, fraction = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined || fraction.length > SCALE) return null
  const magnitude = BigInt(whole + fraction.padEnd(SCALE, '0'))
  return sign === '-' ? -magnitude : magnitude
}

/** Unix milliseconds; NaN if the text is not an ISO 8601 timestamp. */
export function instantMs(text: string): number {
  if (!INSTANT.test(text)) return Number.NaN
  return Date.parse(text.length <= 10 || WITH_ZONE.test(text) ? text : `${text}Z`)
}

export function compareQuantities(left: Quantity, right: Quantity): number {
  if (left.nearest !== right.nearest) return left.nearest < right.nearest ? -1 : 1
  return !(left.long || right.long) || left.exact === right.exact ? 0 : left.exact < right.exact ? -1 : 1
}

/** Ascending or descending; null sorts last in both directions. */
export function compareKeys(left: Comparable, right: Comparable, descending: boolean): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1
  const order =
    typeof left === 'string' ? compareText(left, right as string) : compareQuantities(left, right as Quantity)
  return descending ? -order : order
}

/** By code point. UTF-16 order differs where a surrogate is compared with a unit above the surrogate range. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  let at = 0
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1
  if (at === length) return left.length - right.length
  const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)]
  if (!isSurrogate(a) && !isSurrogate(b)) return a - b
  // Second half of a surrogate pair: the code point starts one unit earlier.
  const start = at > 0 && isSurrogate(left.charCodeAt(at - 1)) && (isSecondHalf(a) || isSecondHalf(b)) ? at - 1 : at
  return left.codePointAt(start)! - right.codePointAt(start)! || a - b
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

function isSecondHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

/**
 * The exact value (times 10^18) of a double made from a decimal of few digits: the shortest decimal that yields the
 * double.
 */
export function exactOf(nearest: number): bigint {
  const [mantissa = '', exponent = '0'] = nearest.toExponential().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const power = SCALE + Number(exponent) - fraction.length
  const digits = BigInt(whole + fraction)
  return power >= 0 ? digits * 10n ** BigInt(power) : digits / 10n ** BigInt(-power)
}
