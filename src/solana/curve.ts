/**
 * Whether 32 bytes are the y coordinate of an ed25519 point. A derived address must not be one, so that no key can sign
 * for it. Not constant time: only for public data.
 */
const P = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n
const Y_MASK = (1n << 255n) - 1n

/** Jacobi symbol (a/n) for odd n; for the prime P: 1 square, -1 not, 0 zero. */
function jacobi(numerator: bigint, modulus: bigint): number {
  let a = numerator % modulus
  let n = modulus
  let sign = 1
  while (a !== 0n) {
    while ((a & 0xffn) === 0n) a >>= 8n // eight factors of two change nothing
    while ((a & 1n) === 0n) {
      a >>= 1n
      const low = Number(n & 7n)
      if (low === 3 || low === 5) sign = -sign
    }
    if ((a & 3n) === 3n && (n & 3n) === 3n) sign = -sign
    const swap = a
    a = n % a
    n = swap
  }
  return n === 1n ? sign : 0
}

/**
 * x^2 = (y^2 - 1) / (d y^2 + 1) has a solution exactly when numerator times denominator is zero or a square mod p (RFC
 * 8032, 5.1.3; the denominator is never zero because -1/d is not a square).
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const little = Buffer.from(bytes).reverse()
  const y = BigInt('0x' + little.toString('hex')) & Y_MASK
  if (y >= P) return false
  const squared = (y * y) % P
  return jacobi((squared - 1n + P) * (D * squared + 1n), P) >= 0
}
