// Amounts of a mint as a node displays them. `amount` and `uiAmountString` are computed in integers; only `uiAmount`,
// by definition of the interface a floating point number, is not.

export interface UiTokenAmount {
  readonly uiAmount: number | null
  readonly decimals: number
  readonly amount: string
  readonly uiAmountString: string
}

/** An integer ratio by which raw units are scaled for display (Token-2022 ScaledUiAmount and interest). */
export interface Multiplier {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** A decimal string of `raw` units, without trailing zeros. */
export function decimalText(raw: bigint, decimals: number): string {
  if (decimals === 0) return raw.toString()
  const digits = raw.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  const whole = digits.slice(0, -decimals)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** The double as an exact ratio; null if it is not finite or is negative. */
export function exactRatio(value: number): Multiplier | null {
  if (!Number.isFinite(value) || value < 0) return null
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  const word = bits.getBigUint64(0)
  const exponent = Number((word >> 52n) & 0x7ffn)
  const fraction = word & 0xfffffffffffffn
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n)
  const power = (exponent === 0 ? 1 : exponent) - 1075
  return power >= 0
    ? { numerator: mantissa << BigInt(power), denominator: 1n }
    : { numerator: mantissa, denominator: 1n << BigInt(-power) }
}

/** The token amount of `raw` units; a multiplier scales the displayed amount, rounded down to the mint's decimals. */
export function uiTokenAmount(raw: bigint, decimals: number, multiplier: Multiplier | null): UiTokenAmount {
  const scaled = multiplier === null ? raw : (raw * multiplier.numerator) / multiplier.denominator
  const uiAmountString = decimalText(scaled, decimals)
  return { amount: raw.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString }
}
