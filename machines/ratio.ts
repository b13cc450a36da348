// Exact fractions of integers, for prices, ratios and interest. Nothing is rounded until a caller asks for whole units.

/** numerator / denominator; the denominator is positive. Not reduced, because the numbers stay small. */
export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

export const ZERO: Ratio = { numerator: 0n, denominator: 1n }

/** As long as the values that a feed can publish (feed-text.ts). */
const DECIMAL = /^(-?)(\d{1,300})(?:\.(\d{1,300}))?$/

export function wholeRatio(units: bigint): Ratio {
  return { numerator: units, denominator: 1n }
}

/** The exact value of a plain decimal text; null if it is not one. */
export function decimalRatio(text: string): Ratio | null {
  const match = DECIMAL.exec(text)
  if (match === null) return null
  const [, sign, integer = '', fraction = ''] = match
  const digits = BigInt(integer + fraction)
  return { numerator: sign === '-' ? -digits : digits, denominator: 10n ** BigInt(fraction.length) }
}

function plus(a: Ratio, b: Ratio): Ratio {
  if (a.denominator === b.denominator) return { numerator: a.numerator + b.numerator, denominator: a.denominator }
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  }
}

export function minus(a: Ratio, b: Ratio): Ratio {
  return plus(a, { numerator: -b.numerator, denominator: b.denominator })
}

export function times(a: Ratio, b: Ratio): Ratio {
  return { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator }
}

/** `b` must not be zero. */
export function dividedBy(a: Ratio, b: Ratio): Ratio {
  const sign = b.numerator < 0n ? -1n : 1n
  return { numerator: sign * a.numerator * b.denominator, denominator: sign * a.denominator * b.numerator }
}

export function sum(ratios: readonly Ratio[]): Ratio {
  return ratios.reduce(plus, ZERO)
}

export function isGreater(a: Ratio, b: Ratio): boolean {
  return a.numerator * b.denominator > b.numerator * a.denominator
}

function floorOf({ numerator, denominator }: Ratio): bigint {
  const quotient = numerator / denominator
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient
}

export function ceilOf({ numerator, denominator }: Ratio): bigint {
  return -floorOf({ numerator: -numerator, denominator })
}
