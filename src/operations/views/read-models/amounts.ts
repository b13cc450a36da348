// Renders amounts: display units as a JSON number if they have at most 15 significant digits, else as a decimal string;
// and raw units in the same way.
import { amountJson } from '../../../../machines/amount.ts'
import type { AmountsModel } from '../../../contract/schemas/answers.ts'

/** Decimals of the network currency: 9 (lamports). */
export const NETWORK_DECIMALS = 9
export const NETWORK_SYMBOL = 'SOL'

/** Every integer with at most this many digits is exact as a double. */
const MAX_EXACT_DIGITS = 15

export function amountPair(raw: bigint, decimals: number): AmountsModel {
  return { amount: amountJson(raw, decimals), lamports: amountJson(raw, 0) }
}

export function networkAmountOf(lamports: string): number | string {
  return amountJson(BigInt(lamports), NETWORK_DECIMALS)
}

/** A raw integer as JSON. */
export function rawJson(raw: string | bigint): number | string {
  if (typeof raw === 'string' && raw.length <= MAX_EXACT_DIGITS) return Number(raw)
  return amountJson(BigInt(raw), 0)
}

/** The JSON text of `rawJson`: the digits of an amount have no leading zeros. */
export function rawText(raw: string): string {
  return raw.length <= MAX_EXACT_DIGITS ? raw : JSON.stringify(rawJson(raw))
}
