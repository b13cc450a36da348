// Amounts of an instrument in a request: display units are scaled where the instrument scales them, by the multiplier that is in force
// on chain now.
import { CLOCK_SYSVAR } from '../../solana/address.ts'
import { decodeMint, multiplierAt } from '../../solana/mint-layout.ts'
import { clockSeconds } from '../../solana/sysvars.ts'
import { parseUnits } from '../../../machines/amount.ts'
import { applyMultiplier, multiplierRational, parseScaledAmount } from '../../../machines/scale.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { disagreement, rawAmount, rawUnits } from '../lookup/amounts.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { KnownAccounts } from '../transactions/known-accounts.ts'

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

/** Raw units of `amount` or `lamports`, which must agree. A scaled amount is rounded down; throws 400 with the rule's code. */
export function tokenUnits(known: Pick<KnownAccounts, 'all'>, instrument: RecordState<'instrument'>, input: Amounts, pointer: string): bigint {
  const { decimals, scaledUiAmountMultiplier } = instrument.context
  const scales = scaledUiAmountMultiplier !== null && input.amount !== undefined
  const rational = scales ? multiplierRational(multiplierInForce(known, instrument) ?? scaledUiAmountMultiplier) : null
  if (rational === null || input.amount === undefined) return rawAmount(input, decimals, pointer)
  const result = parseScaledAmount(input.amount, decimals, rational)
  if (!result.ok) throw badRequest(result.reason, `${input.amount} is not an amount of this instrument`, `${pointer}/amount`)
  if (input.lamports === undefined) return result.raw
  const raw = rawUnits(input.lamports, 0, `${pointer}/lamports`)
  // Both directions round down: what is shown for a raw amount may be read back as one unit less.
  const shown = parseUnits(input.amount, decimals)
  const agrees = raw === result.raw || (shown.ok && applyMultiplier(raw, rational) === shown.raw)
  if (!agrees) throw disagreement('amount', `${pointer}/lamports`)
  return raw
}

/** By the mint and the clock on chain: somebody else may have changed it, and a change may take effect at an instant. */
function multiplierInForce(known: Pick<KnownAccounts, 'all'>, { context }: RecordState<'instrument'>): number | null {
  const [mint, clock] = known.all([context.address, CLOCK_SYSVAR])
  if (mint === null || mint === undefined || clock === null || clock === undefined) return null
  const scaled = decodeMint(mint.data, mint.owner).extensions.scaledUiAmount
  return scaled === undefined ? null : multiplierAt(scaled, clockSeconds(clock.data))
}
