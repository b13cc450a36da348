// Reed-Solomon codewords over GF(2^8) with the polynomial x^8 + x^4 + x^3 + x^2 + 1.

const POLYNOMIAL = 0x11d

export function multiplyInField(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * POLYNOMIAL)
    if (((b >>> bit) & 1) === 1) product ^= a
  }
  return product
}

/** Coefficients of the generator polynomial without the leading 1, highest power first. */
export function generator(degree: number): number[] {
  const result = new Array<number>(degree).fill(0)
  result[degree - 1] = 1
  let root = 1
  for (let index = 0; index < degree; index += 1) {
    for (let at = 0; at < degree; at += 1) result[at] = multiplyInField(result[at]!, root) ^ (result[at + 1] ?? 0)
    root = multiplyInField(root, 2)
  }
  return result
}

/** The error correction codewords of a block. */
export function remainder(data: readonly number[], divisor: readonly number[]): number[] {
  const result = divisor.map(() => 0)
  for (const value of data) {
    const factor = value ^ result.shift()!
    result.push(0)
    for (const [at, coefficient] of divisor.entries()) result[at] = result[at]! ^ multiplyInField(coefficient, factor)
  }
  return result
}
