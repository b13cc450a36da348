// Amounts of a request: display units or raw, as written, judged by the decimals of what they count.
import { parseAmount, type AmountProblem } from '../../../machines/amount.ts'
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

/** Raw units of `amount` (display) or `lamports` (raw); if both are there, they must agree. Throws 400 with the rule's code. */
export function rawAmount(input: AmountInput, decimals: number, pointer: string): bigint {
  const shown = input.amount === undefined ? null : rawUnits(input.amount, decimals, `${pointer}/amount`)
  const raw = input.lamports === undefined ? null : rawUnits(input.lamports, 0, `${pointer}/lamports`)
  if (shown !== null && raw !== null && shown !== raw) throw disagreement('amount', `${pointer}/lamports`)
  const units = shown ?? raw
  if (units === null) throw badRequest('REQUIRED', 'amount or lamports is required', `${pointer}/amount`)
  return units
}

/** 400 of a member that says something else than `other` says. */
export function disagreement(other: string, pointer: string): Error {
  return badRequest('MUTUALLY_EXCLUSIVE', `does not agree with ${other}: give one of them, or both with the same meaning`, pointer)
}

/** Raw units of one amount as written; `pointer` names the member. */
export function rawUnits(text: string, decimals: number, pointer: string): bigint {
  const result = parseAmount(text, decimals)
  if (!result.ok) throw badRequest(result.reason, `${text} ${RULES[result.reason]}`, pointer)
  return result.raw
}
