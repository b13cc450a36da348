// Amounts of a request: display units or raw, as written, judged by the decimals of what they count.
import { parseAmount, type AmountProblem } from '../../machines/amount.ts'
import { badRequest } from './refusal.ts'

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

/** Raw units of `amount` (display) or `lamports` (raw); exactly one of them must be there. Throws 400 with the rule's code. */
export function rawAmount(input: AmountInput, decimals: number, pointer: string): bigint {
  if (input.amount !== undefined && input.lamports !== undefined) {
    throw badRequest('MUTUALLY_EXCLUSIVE', 'give amount or lamports, not both', `${pointer}/lamports`)
  }
  if (input.amount !== undefined) return rawUnits(input.amount, decimals, `${pointer}/amount`)
  if (input.lamports !== undefined) return rawUnits(input.lamports, 0, `${pointer}/lamports`)
  throw badRequest('REQUIRED', 'amount or lamports is required', `${pointer}/amount`)
}

/** Raw units of one amount as written; `pointer` names the member. */
export function rawUnits(text: string, decimals: number, pointer: string): bigint {
  const result = parseAmount(text, decimals)
  if (!result.ok) throw badRequest(result.reason, `${text} ${RULES[result.reason]}`, pointer)
  return result.raw
}
