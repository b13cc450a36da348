// Exact amounts: between decimal text as it is written and raw integer units. No floating point; nothing is ever rounded here.
// Scaled amounts, which do round, are in scale.ts.

/** The most a token account or a wallet can hold, raw units. */
export const U64_MAX = 2n ** 64n - 1n

/** A JSON number with more significant digits than this may not survive a double. */
export const EXACT_DIGITS = 15
/** Whole numbers below have no more digits than that. */
const EXACT_BELOW = 10n ** BigInt(EXACT_DIGITS)

export type AmountProblem = 'TOO_PRECISE' | 'NOT_POSITIVE' | 'OVER_U64' | 'MALFORMED'
export type AmountResult = { readonly ok: true; readonly raw: bigint } | { readonly ok: false; readonly reason: AmountProblem }

const LONGEST = 100

/** JSON number forms, and the same with leading zeros as people write them. Bounded: no amount is longer. */
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
  return { negative: sign === '-', digits, exponent: Number(power) - fraction.length + (written.length - digits.length) }
}

/** Significant digits of a decimal text, zeros at either end not counted; null when it is not a number. */
export function significantDigits(text: string): number | null {
  return read(text)?.digits.length ?? null
}

/**
 * `text` (a decimal string, or a JSON number as written, exponents included) in display units, as raw units of `decimals` places.
 *
 * Refused: what is no number, zero or less, more places than `decimals` (zeros at the end do not count), more than a u64 holds.
 */
export function parseAmount(text: string, decimals: number): AmountResult {
  const units = parseUnits(text, decimals)
  return units.ok && units.raw > U64_MAX ? problem('OVER_U64') : units
}

/** As `parseAmount` without the limit of a u64 (up to 100 digits): for amounts that are scaled before they are raw. */
export function parseUnits(text: string, decimals: number): AmountResult {
  const value = read(text)
  if (value === null) return problem('MALFORMED')
  if (value.negative || value.digits === '') return problem('NOT_POSITIVE')
  const places = value.exponent + decimals
  if (places < 0) return problem('TOO_PRECISE')
  // Whatever the digits are, so many are over any limit, and are not worth a power of ten.
  if (value.digits.length + places > LONGEST) return problem('OVER_U64')
  return { ok: true, raw: BigInt(value.digits) * 10n ** BigInt(places) }
}

/** For bounds: `text` in raw units of `decimals` places, rounded down, zero included; null when it is no number, or below zero. */
export function floorUnits(text: string, decimals: number): bigint | null {
  const value = read(text)
  if (value === null || value.negative) return null
  if (value.digits === '') return 0n
  const places = value.exponent + decimals
  if (places < 0) return BigInt(value.digits.slice(0, places) || '0')
  // A bound over what a u64 can hold is as good as any other such.
  return value.digits.length + places > LONGEST ? U64_MAX * U64_MAX : BigInt(value.digits) * 10n ** BigInt(places)
}

/** Raw units as decimal text in display units: no exponent, no zeros at the end. Negative values keep their sign. */
export function formatAmount(raw: bigint, decimals: number): string {
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${raw < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/**
 * Raw units for a JSON answer, in display units: a number while the printed value has at most 15 significant digits and a double prints
 * it exactly so, else decimal text.
 */
export function amountJson(raw: bigint, decimals: number): number | string {
  // Nearly every whole one: there is nothing to count, and a page of a list has hundreds.
  if (decimals === 0 && raw < EXACT_BELOW && raw > -EXACT_BELOW) return Number(raw)
  const text = formatAmount(raw, decimals)
  const digits = significantDigits(text)
  const number = Number(text)
  return digits !== null && digits <= EXACT_DIGITS && String(number) === text ? number : text
}

/** A decimal text for a JSON answer: a number while it has at most 15 significant digits, else as it is. */
export function decimalJson(text: string): number | string {
  const digits = significantDigits(text)
  return digits !== null && digits <= EXACT_DIGITS ? Number(text) : text
}

function problem(reason: AmountProblem): AmountResult {
  return { ok: false, reason }
}
