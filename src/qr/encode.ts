// Text in byte mode (UTF-8) at error correction level M, in the smallest version that holds it.
import { drawMatrix, type Matrix } from './matrix.ts'
import { generator, remainder } from './reed-solomon.ts'

const MAX_VERSION = 40
/** Of level M, by version: error correction codewords of each block, and number of blocks. */
const CHECKS = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
]
const BLOCKS = [
  1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35,
  37, 38, 40, 43, 45, 47, 49,
]
const BYTE_MODE = 0b0100
const PADDING = [0xec, 0x11]

export interface QrOptions {
  /** At least this version; for tests. */
  readonly leastVersion?: number
  /** This mask in place of the best one; for tests. */
  readonly mask?: number
}

/** Throws RangeError when the text is longer than version 40 holds: 2,331 bytes. */
export function encodeQr(text: string, { leastVersion = 1, mask }: QrOptions = {}): Matrix {
  const bytes = [...new TextEncoder().encode(text)]
  for (let version = leastVersion; version <= MAX_VERSION; version += 1) {
    const lengthBits = version < 10 ? 8 : 16
    const capacity = dataCodewords(version)
    if (4 + lengthBits + bytes.length * 8 > capacity * 8) continue
    return drawMatrix(version, withChecks(version, dataOf(bytes, lengthBits, capacity)), mask)
  }
  throw new RangeError(`${bytes.length} bytes do not fit into a QR code`)
}

/** All codewords of a version, of data and of error correction. */
function codewords(version: number): number {
  let modules = (16 * version + 128) * version + 64
  if (version >= 2) {
    const aligned = Math.floor(version / 7) + 2
    modules -= (25 * aligned - 10) * aligned - 55
    if (version >= 7) modules -= 36
  }
  return Math.floor(modules / 8)
}

export function dataCodewords(version: number): number {
  return codewords(version) - CHECKS[version - 1]! * BLOCKS[version - 1]!
}

function dataOf(bytes: readonly number[], lengthBits: number, capacity: number): number[] {
  const bits: number[] = []
  const push = (value: number, count: number): void => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >>> bit) & 1)
  }
  push(BYTE_MODE, 4)
  push(bytes.length, lengthBits)
  for (const byte of bytes) push(byte, 8)
  push(0, Math.min(4, capacity * 8 - bits.length))
  push(0, (8 - (bits.length % 8)) % 8)
  for (let index = 0; bits.length < capacity * 8; index += 1) push(PADDING[index % 2]!, 8)
  return Array.from({ length: capacity }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((byte, bit) => (byte << 1) | bit, 0),
  )
}

/** Splits the data into blocks, adds error correction to each, and interleaves them. */
function withChecks(version: number, data: readonly number[]): number[] {
  const count = BLOCKS[version - 1]!
  const divisor = generator(CHECKS[version - 1]!)
  const short = Math.floor(data.length / count)
  const longer = data.length % count
  const blocks: number[][] = []
  for (let index = 0, from = 0; index < count; index += 1) {
    const length = short + (index < count - longer ? 0 : 1)
    blocks.push(data.slice(from, from + length))
    from += length
  }
  return [...interleaved(blocks), ...interleaved(blocks.map((block) => remainder(block, divisor)))]
}

function interleaved(blocks: readonly (readonly number[])[]): number[] {
  const longest = Math.max(...blocks.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => blocks.flatMap((block) => block[at] ?? [])).flat()
}
