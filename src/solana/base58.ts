/**
 * Base58 (Bitcoin alphabet) for the two lengths in use, 32 and 64 bytes. Works on 16-bit limbs, six digits at a time:
 * 58^6 * 2^16 < 2^52, so every product and quotient is exact in a double. The cost is quadratic in limbs rather than in
 * bytes and digits, several times faster than a general base converter.
 */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const SIX_DIGITS = 58 ** 6
const THREE_DIGITS = 58 ** 3
const LIMB = 65_536
const MAX_BYTES = 64
const MAX_DIGITS = 90

const charOf = Uint8Array.from(ALPHABET, (c) => c.charCodeAt(0))
const digitOf = new Uint8Array(128).fill(255)
charOf.forEach((char, digit) => {
  digitOf[char] = digit
})

const limbs = new Float64Array(MAX_BYTES / 2)
const out = Buffer.alloc(MAX_DIGITS + 6)

/** Writes three digits, most significant first, ending before `end`. */
function putThree(value: number, end: number): void {
  out[end - 1] = charOf[value % 58]!
  const rest = (value / 58) | 0
  out[end - 2] = charOf[rest % 58]!
  out[end - 3] = charOf[(rest / 58) | 0]!
}

/** @param bytes an even number of bytes, at most 64; else throws a RangeError */
export function encodeBase58(bytes: Uint8Array): string {
  const count = bytes.length >> 1
  if (bytes.length & 1 || bytes.length > MAX_BYTES)
    throw new RangeError(`base58 of ${bytes.length} bytes is not supported`)
  for (let i = 0; i < count; i++) limbs[i] = bytes[2 * i]! * 256 + bytes[2 * i + 1]!
  let end = out.length
  let first = 0
  while (first < count && limbs[first] === 0) first++
  while (first < count) {
    let remainder = 0
    for (let i = first; i < count; i++) {
      const value = remainder * LIMB + limbs[i]!
      const quotient = Math.floor(value / SIX_DIGITS)
      remainder = value - quotient * SIX_DIGITS
      limbs[i] = quotient
    }
    const high = Math.floor(remainder / THREE_DIGITS)
    putThree(remainder - high * THREE_DIGITS, end)
    putThree(high, end - 3)
    end -= 6
    while (first < count && limbs[first] === 0) first++
  }
  // Strip the leading zero digits of the value; every leading zero byte is one digit '1'.
  while (end < out.length && out[end] === charOf[0]) end++
  for (let i = 0; i < bytes.length && bytes[i] === 0; i++) out[--end] = charOf[0]!
  return out.toString('latin1', end, out.length)
}

/**
 * @param length the expected number of bytes: even, at most 64
 * @returns exactly `length` bytes, or null when the text is not the (only) base58 spelling of that many bytes
 */
export function decodeBase58(text: string, length: number): Uint8Array | null {
  const digits = text.length
  if (digits === 0 || digits > MAX_DIGITS) return null
  const count = length >> 1
  limbs.fill(0, 0, count)
  let at = 0
  while (at < digits) {
    // The first group is the short one, so that all others scale by the same power.
    const groupEnd = at + ((digits - at) % 6 || 6)
    let carry = 0
    for (; at < groupEnd; at++) {
      const code = text.charCodeAt(at)
      const digit = code < 128 ? digitOf[code]! : 255
      if (digit === 255) return null
      carry = carry * 58 + digit
    }
    for (let i = count - 1; i >= 0; i--) {
      const value = limbs[i]! * SIX_DIGITS + carry
      carry = Math.floor(value / LIMB)
      limbs[i] = value - carry * LIMB
    }
    if (carry !== 0) return null
  }
  const bytes = new Uint8Array(length)
  for (let i = 0; i < count; i++) {
    bytes[2 * i] = limbs[i]! >> 8
    bytes[2 * i + 1] = limbs[i]! & 255
  }
  let zeros = 0
  while (zeros < length && bytes[zeros] === 0) zeros++
  let ones = 0
  while (ones < digits && text.charCodeAt(ones) === charOf[0]) ones++
  if (zeros === ones) return bytes
  bytes.fill(0)
  return null
}

/** Overwrites the buffers of this file, which still contain the last text and bytes. For callers with secret data. */
export function wipeBase58(): void {
  limbs.fill(0)
  out.fill(0)
}

/** Whether the buffers are all zeros. */
export function isBase58Wiped(): boolean {
  return limbs.every((limb) => limb === 0) && out.every((byte) => byte === 0)
}
