// Scaled amounts (Token-2022 `ScaledUiAmount`): the displayed amount is raw units times a multiplier, which is a double
// on chain. The double is converted to its exact ratio, so that all steps are integer arithmetic; results are
// rounded down.
import { parseUnits, U64_MAX, type AmountResult } from './amount.ts'
import type { Ratio } from './ratio.ts'

const FRACTION_BITS = 52n
const EXPONENT_BIAS = 1023n

/**
 * The exact value of a multiplier (a double, or its decimal text); null unless it is positive, normal and finite, as on
 * chain.
 */
export function multiplierRatio(multiplier: number | string): Ratio | null {
  const value = Number(multiplier)
  if (!Number.isFinite(value) || value <= 0) return null
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  const word = bits.getBigUint64(0)
  const exponent = (word >> FRACTION_BITS) & 0x7ffn
  if (exponent === 0n) return null
  const fraction = (word & ((1n << FRACTION_BITS) - 1n)) | (1n << FRACTION_BITS)
  const power = exponent - EXPONENT_BIAS - FRACTION_BITS
  return power >= 0n
    ? { numerator: fraction << power, denominator: 1n }
    : { numerator: fraction, denominator: 1n << -power }
}

/** Converts raw units to displayed units of the same decimals, rounded down. */
export function applyMultiplier(raw: bigint, multiplier: Ratio): bigint {
  return (raw * multiplier.numerator) / multiplier.denominator
}

/** Converts displayed units to raw units, rounded down: never more than requested. */
export function unapplyMultiplier(shown: bigint, multiplier: Ratio): bigint {
  return (shown * multiplier.denominator) / multiplier.numerator
}

/** As `parseAmount`, for an amount in scaled display units. An amount below one raw unit is NOT_POSITIVE. */
export function parseScaledAmount(text: string, decimals: number, multiplier: Ratio): AmountResult {
  const shown = parseUnits(text, decimals)
  if (!shown.ok) return shown
  const raw = unapplyMultiplier(shown.raw, multiplier)
  if (raw <= 0n) return { ok: false, reason: 'NOT_POSITIVE' }
  return raw > U64_MAX ? { ok: false, reason: 'OVER_U64' } : { ok: true, raw }
}
