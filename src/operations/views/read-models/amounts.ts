// Amounts as answers show them: display units as a JSON number while it prints exactly, else as a decimal string; raw units beside.
import { amountJson } from '../../../../machines/amount.ts'
import type { JsonObject } from '../../../contract/call.ts'

/** Lamports in one unit of the network currency, as decimals. */
export const NETWORK_DECIMALS = 9

export function amountPair(raw: bigint, decimals: number): JsonObject {
  return { amount: amountJson(raw, decimals), lamports: amountJson(raw, 0) }
}

export function networkAmountOf(lamports: string): number | string {
  return amountJson(BigInt(lamports), NETWORK_DECIMALS)
}

/** A raw integer as JSON. */
export function rawJson(raw: string | bigint): number | string {
  return amountJson(BigInt(raw), 0)
}
