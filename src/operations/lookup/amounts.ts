// Parses the amounts of a request, in display or raw units, with the decimals of the asset.
import { parseAmount, type AmountProblem } from '../../../machines/amount.ts'
import type { Ratio } from '../../../machines/ratio.ts'
import { multiplierRatio, parseScaledAmount } from '../../../machines/scale.ts'
import { badRequest } from '../../contract/refusal.ts'

const RULES: Readonly<Record<AmountProblem, string>> = {
  TOO_PRECISE: 'has more decimals than the instrument',
  NOT_POSITIVE: 'must be greater than zero',
  OVER_U64: 'is over 18446744073709551615 raw units',
  MALFORMED: 'is not a decimal number',
}

interface AmountInput {
  readonly amount?: string | undefined
  readonly lamports?: string | undefined
}

/**
 * Raw units of `amount` (display) or `lamports` (raw); if both are given, they must be equal. Throws 400 with the code
 * of the violated rule, `REQUIRED` or `MUTUALLY_EXCLUSIVE`.
 */
export function rawAmount(input: AmountInput, decimals: number, pointer: string): bigint {
  const shown = input.amount === undefined ? null : rawUnits(input.amount, decimals, `${pointer}/amount`)
  const raw = input.lamports === undefined ? null : rawUnits(input.lamports, 0, `${pointer}/lamports`)
  if (shown !== null && raw !== null && shown !== raw) throw disagreement('amount', `${pointer}/lamports`)
  const units = shown ?? raw
  if (units === null) throw badRequest('REQUIRED', 'amount or lamports is required', `${pointer}/amount`)
  return units
}

/** 400 for a member that contradicts the member `other`. */
export function disagreement(other: string, pointer: string): Error {
  return badRequest(
    'MUTUALLY_EXCLUSIVE',
    `contradicts ${other}: give one of them, or both with the same value`,
    pointer,
  )
}

/** Raw units of one amount. `pointer` names the member in the refusal. */
export function rawUnits(text: string, decimals: number, pointer: string): bigint {
  const result = parseAmount(text, decimals)
  if (!result.ok) throw badRequest(result.reason, `${text} ${RULES[result.reason]}`, pointer)
  return result.raw
}

/** As `rawUnits`, for an amount that is displayed with this multiplier: rounded down. null: not scaled. */
export function rawOfDisplayed(
  text: string,
  { decimals, multiplier }: { readonly decimals: number; readonly multiplier: string | null },
  pointer: string,
): bigint {
  const ratio = multiplier === null ? null : multiplierRatio(multiplier)
  return ratio === null ? rawUnits(text, decimals, pointer) : scaledUnits(text, decimals, ratio, pointer)
}

/** Raw units of an amount that is displayed with this multiplier: rounded down. */
export function scaledUnits(text: string, decimals: number, multiplier: Ratio, pointer: string): bigint {
  const result = parseScaledAmount(text, decimals, multiplier)
  if (!result.ok) throw badRequest(result.reason, `${text} is not an amount of this instrument`, pointer)
  return result.raw
}
