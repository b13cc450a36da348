// Exact conversion between decimal text and raw integer units. No floating point and no rounding. Scaled amounts, which
// round, are in scale.ts.

/** Maximum balance of a token account or wallet, raw units. */
export const U64_MAX = 2n ** 64n - 1n

/** A JSON number with more significant digits may not survive a double. */
export const EXACT_DIGITS = 15
/** Integers below have at most `EXACT_DIGITS` digits. */
const EXACT_BELOW = 10n ** BigInt(EXACT_DIGITS)

export type AmountProblem = 'TOO_PRECISE' | 'NOT_POSITIVE' | 'OVER_U64' | 'MALFORMED'
export type AmountResult =
  { readonly ok: true; readonly raw: bigint } | { readonly ok: false; readonly reason: AmountProblem }

const LONGEST = 100

/** JSON number forms, also with leading zeros. Lengths are bounded, because no amount is longer. */
const DECIMAL = /^(-?)(\d{1,100})(?:\.(\d{1,100}))?(?:[eE]([+-]?\d{1,4}))?$/

interface Digits {
  readonly negative: boolean
  /** Without leading or trailing zeros; empty for zero. */
  readonly digits: string
  /** The value is digits x 10^exponent. */
  readonly exponent: number
}

function read(text: string): Digits | null {
  const match = DECIMAL.exec(text)
  if (match === null) return null
  const [, sign, whole = '', fraction = '', power = '0'] = match
  const written = (whole + fraction).replace(/^0+/, '')
  const digits = written.replace(/0+$/, '')
  return {
    negative: sign === '-',
    digits,
    exponent: Number(power) - fraction.length + (written.length - digits.length),
  }
}

/** Number of significant digits of a decimal text, without zeros at either end; null if it is not a number. */
export function significantDigits(text: string): number | null {
  return read(text)?.digits.length ?? null
}

/**
 * Parses `text` (a decimal string, or a JSON number with or without an exponent) in display units into raw units of
 * `decimals` places.
 * Rejects text that is not a number, zero, negative values, more places than `decimals` (trailing zeros do not count),
 * and values above u64.
 */
export function parseAmount(text: string, decimals: number): AmountResult {
  const units = parseUnits(text, decimals)
  return units.ok && units.raw > U64_MAX ? problem('OVER_U64') : units
}

/** As `parseAmount` without the u64 limit (up to 100 digits), for amounts that are scaled before they are raw. */
export function parseUnits(text: string, decimals: number): AmountResult {
  const value = read(text)
  if (value === null) return problem('MALFORMED')
  if (value.negative || value.digits === '') return problem('NOT_POSITIVE')
  const places = value.exponent + decimals
  if (places < 0) return problem('TOO_PRECISE')
  // Above every limit, whatever the digits are; avoids computing a large power of ten.
  if (value.digits.length + places > LONGEST) return problem('OVER_U64')
  return { ok: true, raw: BigInt(value.digits) * 10n ** BigInt(places) }
}

/**
 * For bounds: `text` in raw units of `decimals` places, rounded down, zero allowed; null if it is not a number or
 * negative.
 */
export function floorUnits(text: string, decimals: number): bigint | null {
  const value = read(text)
  if (value === null || value.negative) return null
  if (value.digits === '') return 0n
  const places = value.exponent + decimals
  if (places < 0) return BigInt(value.digits.slice(0, places) || '0')
  // All bounds above the u64 range are equivalent.
  return value.digits.length + places > LONGEST ? U64_MAX * U64_MAX : BigInt(value.digits) * 10n ** BigInt(places)
}

/** Formats raw units in display units: no exponent, no trailing zeros. Negative values keep their sign. */
export function formatAmount(raw: bigint, decimals: number): string {
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${raw < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/**
 * Formats raw units for a JSON response, in display units: a number if the value has at most 15 significant digits,
 * which a double holds exactly, otherwise decimal text.
 */
export function amountJson(raw: bigint, decimals: number): number | string {
  // Fast path for nearly all integers; a list page has hundreds of amounts.
  if (decimals === 0 && raw < EXACT_BELOW && raw > -EXACT_BELOW) return Number(raw)
  return decimalJson(formatAmount(raw, decimals))
}

/** A decimal text for a JSON response: a number if it has at most 15 significant digits, otherwise the text. */
export function decimalJson(text: string): number | string {
  const digits = significantDigits(text)
  return digits !== null && digits <= EXACT_DIGITS ? Number(text) : text
}

function problem(reason: AmountProblem): AmountResult {
  return { ok: false, reason }
}
