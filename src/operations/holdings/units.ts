// Converts the amounts of a request to raw units. Display amounts of an instrument with a multiplier are scaled by
// the multiplier in force on chain.
import { CLOCK_SYSVAR } from '../../solana/address.ts'
import { decodeMint, multiplierAt } from '../../solana/mint-layout.ts'
import { clockSeconds } from '../../solana/sysvars.ts'
import { parseUnits } from '../../../machines/amount.ts'
import { applyMultiplier, multiplierRatio } from '../../../machines/scale.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { disagreement, rawAmount, rawUnits, scaledUnits } from '../lookup/amounts.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { KnownAccounts } from '../transactions/known-accounts.ts'

interface Amounts {
  readonly amount?: string | undefined
  readonly lamports?: string | undefined
}

/** A confidential supply cannot be minted or burned by this service. Throws 400 `EXTENSION_NOT_USABLE`. */
export function checkSupplyOpen(instrument: RecordState<'instrument'>, pointer: string): void {
  if (instrument.context.extensions.includes('CONFIDENTIAL_MINT_BURN')) {
    throw badRequest('EXTENSION_NOT_USABLE', 'confidential minting and burning are not supported', pointer)
  }
}

/**
 * Raw units of `amount` or `lamports`; if both are given, they must agree. A scaled amount is rounded down. Throws
 * 400 with the code of the violated rule.
 */
export function tokenUnits(
  known: Pick<KnownAccounts, 'all'>,
  instrument: RecordState<'instrument'>,
  input: Amounts,
  pointer: string,
): bigint {
  const { decimals, scaledUiAmountMultiplier } = instrument.context
  const scales = scaledUiAmountMultiplier !== null && input.amount !== undefined
  const ratio = scales ? multiplierRatio(multiplierInForce(known, instrument) ?? scaledUiAmountMultiplier) : null
  if (ratio === null || input.amount === undefined) return rawAmount(input, decimals, pointer)
  const units = scaledUnits(input.amount, decimals, ratio, `${pointer}/amount`)
  if (input.lamports === undefined) return units
  const raw = rawUnits(input.lamports, 0, `${pointer}/lamports`)
  // Both conversions round down, so the amount shown for a raw amount may convert back to one unit less.
  const shown = parseUnits(input.amount, decimals)
  const agrees = raw === units || (shown.ok && applyMultiplier(raw, ratio) === shown.raw)
  if (!agrees) throw disagreement('amount', `${pointer}/lamports`)
  return raw
}

/**
 * Read from the mint and the clock on chain: the authority may have changed the multiplier outside of this service,
 * and a scheduled multiplier may have taken effect. null: the mint has no multiplier.
 */
function multiplierInForce(known: Pick<KnownAccounts, 'all'>, { context }: RecordState<'instrument'>): number | null {
  const [mint, clock] = known.all([context.address, CLOCK_SYSVAR])
  if (mint === null || mint === undefined || clock === null || clock === undefined) return null
  const scaled = decodeMint(mint.data, mint.owner).extensions.scaledUiAmount
  return scaled === undefined ? null : multiplierAt(scaled, clockSeconds(clock.data))
}
