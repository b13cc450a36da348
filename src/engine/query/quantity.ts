// Comparison of values: numbers and timestamps exactly, all other values as text by code point.
import type { FieldType, FieldValue } from './field.ts'

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/
const FEW_DIGITS = /^-?\d{1,15}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/
/** Digits of a timestamp after its milliseconds. */
const FINER = /\.\d{3}(\d*[1-9])/
const UP_TO_MILLISECONDS = '2026-01-01T00:00:00.000Z'.length
const WITH_ZONE = /(Z|[+-]\d{2}:?\d{2})$/
/** Significant decimal digits that a double always preserves (IEEE 754 binary64: DBL_DIG). */
const EXACT_DIGITS = 15
/** A decimal text up to this length that is not zero is within the normal range of a double. */
const NORMAL_LENGTH = 300

export type Comparable = string | Quantity | null

/**
 * A number or timestamp. `nearest` is monotonic in the value, so a difference of `nearest` decides a comparison. With
 * equal `nearest` the values are equal, unless one is `long`: then `exact` decides.
 */
export interface Quantity {
  readonly nearest: number
  /** True if the value has more digits than a double always preserves. */
  readonly long: boolean
  readonly exact: Exact
}

/** `units` x 10^-`places`. A mint has up to 255 decimals. */
export interface Exact {
  readonly units: bigint
  readonly places: number
}

export function isOrdered(type: FieldType): boolean {
  return type === 'NUMBER' || type === 'TIMESTAMP'
}

/** null for null, and for text that is not a number or timestamp. */
export function comparable(type: FieldType, value: FieldValue): Comparable {
  if (value === null) return null
  return isOrdered(type) ? quantity(type, value) : String(value)
}

/** null for malformed values. */
export function quantity(type: FieldType, value: FieldValue): Quantity | null {
  if (value === null) return null
  const text = String(value)
  if (type === 'TIMESTAMP') {
    const ms = instantMs(text)
    return Number.isNaN(ms) ? null : instant(ms, finerDigits(text))
  }
  const exact = exactIn(text)
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
  if (type === 'TIMESTAMP') {
    const ms = instantMs(text)
    return Number.isNaN(ms) || finerDigits(text) === '' ? ms : undefined
  }
  // Adding 0 turns -0 into 0.
  if (FEW_DIGITS.test(text)) return Number(text) + 0
  if (!DECIMAL.test(text)) return Number.NaN
  return isLong(text) ? undefined : Number(text) + 0
}

function instant(ms: number, finer: string): Quantity {
  const places = finer.length
  return { nearest: ms, long: places > 0, exact: { units: BigInt(ms) * 10n ** BigInt(places) + BigInt(finer), places } }
}

function finerDigits(text: string): string {
  return text.length <= UP_TO_MILLISECONDS ? '' : (FINER.exec(text)?.[1] ?? '')
}

function isLong(text: string): boolean {
  const digits = text.replace(/[-.]/g, '').replace(/^0+/, '')
  if (digits.length <= EXACT_DIGITS) return text.length > NORMAL_LENGTH
  const significant = digits.replace(/0+$/, '').length
  return significant > EXACT_DIGITS || !Number.isFinite(Number(text))
}

function exactIn(text: string): Exact | null {
  const [, sign, whole, fraction = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined) return null
  const magnitude = BigInt(whole + fraction)
  return { units: sign === '-' ? -magnitude : magnitude, places: fraction.length }
}

/** Unix milliseconds; NaN if the text is not an ISO 8601 timestamp. */
function instantMs(text: string): number {
  if (!INSTANT.test(text)) return Number.NaN
  return Date.parse(text.length <= 10 || WITH_ZONE.test(text) ? text : `${text}Z`)
}

export function compareQuantities(left: Quantity, right: Quantity): number {
  if (left.nearest !== right.nearest) return left.nearest < right.nearest ? -1 : 1
  return left.long || right.long ? compareExact(left.exact, right.exact) : 0
}

export function compareExact(left: Exact, right: Exact): number {
  const places = Math.max(left.places, right.places)
  const [a, b] = [unitsAt(left, places), unitsAt(right, places)]
  return a === b ? 0 : a < b ? -1 : 1
}

function unitsAt({ units, places }: Exact, wanted: number): bigint {
  return places === wanted ? units : units * 10n ** BigInt(wanted - places)
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

/** The exact value of a double made from a decimal of few digits: the shortest decimal that yields the double. */
export function exactOf(nearest: number): Exact {
  const [mantissa = '', exponent = '0'] = nearest.toExponential().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const power = Number(exponent) - fraction.length
  const units = BigInt(whole + fraction)
  return power >= 0 ? { units: units * 10n ** BigInt(power), places: 0 } : { units, places: -power }
}
