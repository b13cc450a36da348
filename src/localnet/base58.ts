// Base58 (Bitcoin alphabet) for keys, signatures and hashes. Arithmetic on limbs of four characters in doubles: every
// transaction needs a signature encoded, and the usual digit-by-digit loop costs 15 to 20 microseconds each.

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0))
const VALUES = new Int8Array(256).fill(-1)
for (let value = 0; value < 58; value += 1) VALUES[CODES[value]!] = value

const LIMB = 58 ** 4
const DIGIT = 2 ** 24
const limbs = new Float64Array(512)
const text = Buffer.alloc(2048)

/** Text of `bytes` (at most 1000 bytes; longer input is a RangeError). */
export function encodeBase58(bytes: Uint8Array): string {
  const length = bytes.length
  if (length > 1000) throw new RangeError('base58 input over 1000 bytes')
  let zeros = 0
  while (zeros < length && bytes[zeros] === 0) zeros += 1
  let used = 0
  let at = zeros
  // The first digit takes the bytes that do not fill a group of three.
  let width = (length - zeros) % 3 === 0 ? 3 : (length - zeros) % 3
  while (at < length) {
    let carry = 0
    for (let i = 0; i < width; i += 1) carry = carry * 256 + bytes[at + i]!
    at += width
    width = 3
    for (let i = 0; i < used; i += 1) {
      const sum = limbs[i]! * DIGIT + carry
      carry = Math.floor(sum / LIMB)
      limbs[i] = sum - carry * LIMB
    }
    while (carry > 0) {
      const next = Math.floor(carry / LIMB)
      limbs[used] = carry - next * LIMB
      used += 1
      carry = next
    }
  }
  let end = zeros
  text.fill(49, 0, zeros)
  for (let i = used - 1; i >= 0; i -= 1) {
    const limb = limbs[i]!
    const high = Math.floor(limb / 3364)
    const low = limb - high * 3364
    const a = Math.floor(high / 58)
    const c = Math.floor(low / 58)
    if (i === used - 1) {
      // Skip leading ones of the number itself.
      const four = [a, high - a * 58, c, low - c * 58]
      let skip = 0
      while (skip < 3 && four[skip] === 0) skip += 1
      for (; skip < 4; skip += 1) text[end++] = CODES[four[skip]!]!
      continue
    }
    text[end] = CODES[a]!
    text[end + 1] = CODES[high - a * 58]!
    text[end + 2] = CODES[c]!
    text[end + 3] = CODES[low - c * 58]!
    end += 4
  }
  return text.toString('latin1', 0, end)
}

/** Bytes of `value`, or null when it is not base58 or longer than 1400 characters. */
export function decodeBase58(value: string): Buffer | null {
  const length = value.length
  if (length > 1400) return null
  let zeros = 0
  while (zeros < length && value.charCodeAt(zeros) === 49) zeros += 1
  let used = 0
  for (let at = zeros; at < length;) {
    let carry = 0
    let scale = 1
    for (let i = 0; i < 4 && at < length; i += 1, at += 1) {
      const code = value.charCodeAt(at)
      const digit = code < 256 ? VALUES[code]! : -1
      if (digit < 0) return null
      carry = carry * 58 + digit
      scale *= 58
    }
    for (let i = 0; i < used; i += 1) {
      const sum = limbs[i]! * scale + carry
      carry = Math.floor(sum / DIGIT)
      limbs[i] = sum - carry * DIGIT
    }
    while (carry > 0) {
      const next = Math.floor(carry / DIGIT)
      limbs[used] = carry - next * DIGIT
      used += 1
      carry = next
    }
  }
  const top = used === 0 ? 0 : limbs[used - 1]!
  const topWidth = used === 0 ? 0 : top >= 65536 ? 3 : top >= 256 ? 2 : 1
  const size = used === 0 ? 0 : (used - 1) * 3 + topWidth
  const bytes = Buffer.alloc(zeros + size)
  let end = bytes.length
  for (let i = 0; i < used; i += 1) {
    let limb = limbs[i]!
    for (let k = 0; k < 3 && end > zeros; k += 1) {
      bytes[--end] = limb % 256
      limb = Math.floor(limb / 256)
    }
  }
  return bytes
}

/** Bytes of a 32-byte key or hash in base58, or null when it is anything else. */
export function decodeKey(value: string): Buffer | null {
  const bytes = value.length > 44 ? null : decodeBase58(value)
  return bytes?.length === 32 ? bytes : null
}
