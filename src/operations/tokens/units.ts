// Amounts of an instrument in a request: display units are scaled where the instrument scales them.
import { multiplierRational, parseScaledAmount } from '../../../machines/scale.ts'
import type { RecordState } from '../../engine/record.ts'
import { rawAmount } from '../amounts.ts'
import { badRequest } from '../refusal.ts'

interface Amounts {
  readonly amount?: string | undefined
  readonly lamports?: string | undefined
}

/** Supply that nobody may see is changed by nothing this service can do; throws 400 `EXTENSION_NOT_USABLE`. */
export function checkSupplyOpen(instrument: RecordState<'instrument'>, pointer: string): void {
  if (instrument.context.extensions.includes('CONFIDENTIAL_MINT_BURN')) {
    throw badRequest('EXTENSION_NOT_USABLE', 'confidential minting and burning cannot be used', pointer)
  }
}

export function tokenUnits(instrument: RecordState<'instrument'>, input: Amounts, pointer: string): bigint {
  const { decimals, scaledUiAmountMultiplier } = instrument.context
  const rational = scaledUiAmountMultiplier === null ? null : multiplierRational(scaledUiAmountMultiplier)
  if (rational === null || input.amount === undefined || input.lamports !== undefined) return rawAmount(input, decimals, pointer)
  const result = parseScaledAmount(input.amount, decimals, rational)
  if (!result.ok) throw badRequest(result.reason, `${input.amount} is not an amount of this instrument`, `${pointer}/amount`)
  return result.raw
}
