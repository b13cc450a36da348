// Display amounts of instruments with a scaled UI amount: the multiplier as the exact rational of its double, rounded down.
import { applyMultiplier, multiplierRational } from '../../../machines/scale.ts'
import { amountJson } from '../../../machines/amount.ts'
import type { JsonObject } from '../call.ts'
import { amountPair, rawJson } from './amounts.ts'

export function applyScale(raw: bigint, decimals: number, multiplier: string | null): JsonObject {
  const rational = multiplier === null ? null : multiplierRational(multiplier)
  if (rational === null) return amountPair(raw, decimals)
  return { amount: amountJson(applyMultiplier(raw, rational), decimals), lamports: rawJson(raw) }
}
