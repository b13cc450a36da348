// Display amounts of instruments with a scaled UI amount: multiplied by the exact ratio of the double, rounded down.
import { applyMultiplier, multiplierRatio } from '../../../../machines/scale.ts'
import { amountJson } from '../../../../machines/amount.ts'
import type { InstrumentContext } from '../../../../machines/instrument-record.ts'
import type { Platform } from '../../context/platform.ts'
import { amountPair, rawJson } from './amounts.ts'
import type { AmountsModel } from '../../../contract/schemas/answers.ts'

/** The multiplier in force now; null: amounts are not scaled. */
export function multiplierNow(
  platform: Platform,
  { scaledUiAmountMultiplier, scaledUiAmountNext }: InstrumentContext,
): string | null {
  const isDue = scaledUiAmountNext != null && platform.clock.now() >= Number(scaledUiAmountNext.effectiveAt) * 1000
  return isDue ? scaledUiAmountNext.multiplier : scaledUiAmountMultiplier
}

export function applyScale(raw: bigint, decimals: number, multiplier: string | null): AmountsModel {
  const ratio = multiplier === null ? null : multiplierRatio(multiplier)
  if (ratio === null) return amountPair(raw, decimals)
  return { amount: amountJson(applyMultiplier(raw, ratio), decimals), lamports: rawJson(raw) }
}
