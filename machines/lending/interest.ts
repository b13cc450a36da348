// Interest of a loan: linear per second on a year of 365 days, at a yearly rate in hundredths of a basis point (1 000
// 000 = 100 %). Accrued interest is an exact integer, the numerator over `INTEREST_SCALE` raw units of the principal,
// so that splitting the period does not change it. Charges are rounded up to whole raw units, only when they are
// charged.
import { wholeRatio, type Ratio } from '../ratio.ts'

/** 100 %, in hundredths of a basis point. */
export const HUNDRED_PERCENT = 1_000_000n
const YEAR_SECONDS = 31_536_000n
/** One raw unit of interest. */
export const INTEREST_SCALE = HUNDRED_PERCENT * YEAR_SECONDS
const SHOWN_PLACES = 18

/** Interest on `principal` raw units for `seconds`, over `INTEREST_SCALE`. Zero for zero or negative time. */
export function accruedInterest(principal: bigint, apy: bigint, seconds: bigint): bigint {
  return seconds <= 0n ? 0n : principal * apy * seconds
}

/** Whole raw units that pay the interest: rounded up. */
export function chargedUnits(interest: bigint): bigint {
  return (interest + INTEREST_SCALE - 1n) / INTEREST_SCALE
}

/**
 * Display units per second, in units of 10^-18, rounded down.
 *
 * @param decimals decimals of the principal
 * @param scale its multiplier of displayed amounts
 */
export function interestPerSecond(
  principal: bigint,
  apy: bigint,
  decimals: number,
  scale: Ratio = wholeRatio(1n),
): { readonly units: bigint; readonly places: number } {
  const { numerator, denominator } = scale
  return {
    units:
      (principal * apy * numerator * 10n ** BigInt(SHOWN_PLACES)) /
      (INTEREST_SCALE * denominator * 10n ** BigInt(decimals)),
    places: SHOWN_PLACES,
  }
}

export type DurationCode = 'MINUTES' | 'DAYS' | 'WEEKS' | 'MONTHS' | 'YEARS'

/** A term, as a number of calendar units of fixed length. */
export interface Duration {
  readonly code: DurationCode
  readonly unit: number
}

const SECONDS: Readonly<Record<DurationCode, number>> = {
  MINUTES: 60,
  DAYS: 86_400,
  WEEKS: 7 * 86_400,
  MONTHS: 30 * 86_400,
  YEARS: 365 * 86_400,
}

export function durationSeconds({ code, unit }: Duration): number {
  return SECONDS[code] * unit
}
