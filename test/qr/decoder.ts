// An independent reader of QR codes: it shares no code with the encoder. Tables are those of the standard, in the form
// that a reader needs: data codewords and blocks by version. It corrects nothing: a wrong codeword is an error.

/** Level M: data codewords, and groups of [blocks, data codewords of each]. */
const DATA = [
  16, 28, 44, 64, 86, 108, 124, 154, 182, 216, 254, 290, 334, 365, 415, 453, 507, 563, 627, 669, 714, 782, 860, 914,
  1000, 1062, 1128, 1193, 1267, 1373, 1455, 1541, 1631, 1725, 1812, 1914, 1992, 2102, 2216, 2334,
]
const TOTAL = [
  26, 44, 70, 100, 134, 172, 196, 242, 292, 346, 404, 466, 532, 581, 655, 733, 815, 901, 991, 1085, 1156, 1258, 1364,
  1474, 1588, 1706, 1828, 1921, 2051, 2185, 2323, 2465, 2611, 2761, 2876, 3034, 3196, 3362, 3532, 3706,
]
/** Positions of alignment patterns, from the table of the standard. */
const ALIGNED: Readonly<Record<number, readonly number[]>> = {
  2: [6, 18],
  3: [6, 22],
  4: [6, 26],
  5: [6, 30],
  6: [6, 34],
  7: [6, 22, 38],
  8: [6, 24, 42],
  9: [6, 26, 46],
  10: [6, 28, 50],
  11: [6, 30, 54],
  12: [6, 32, 58],
  13: [6, 34, 62],
  14: [6, 26, 46, 66],
  15: [6, 26, 48, 70],
  16: [6, 26, 50, 74],
  17: [6, 30, 54, 78],
  18: [6, 30, 56, 82],
  19: [6, 30, 58, 86],
  20: [6, 34, 62, 90],
  21: [6, 28, 50, 72, 94],
  22: [6, 26, 50, 74, 98],
  23: [6, 30, 54, 78, 102],
  24: [6, 28, 54, 80, 106],
  25: [6, 32, 58, 84, 110],
  26: [6, 30, 58, 86, 114],
  27: [6, 34, 62, 90, 118],
  28: [6, 26, 50, 74, 98, 122],
  29: [6, 30, 54, 78, 102, 126],
  30: [6, 26, 52, 78, 104, 130],
  31: [6, 30, 56, 82, 108, 134],
  32: [6, 34, 60, 86, 112, 138],
  33: [6, 30, 58, 86, 114, 142],
  34: [6, 34, 62, 90, 118, 146],
  35: [6, 30, 54, 78, 102, 126, 150],
  36: [6, 24, 50, 76, 102, 128, 154],
  37: [6, 28, 54, 80, 106, 132, 158],
  38: [6, 32, 58, 84, 110, 136, 162],
  39: [6, 26, 54, 82, 110, 138, 166],
  40: [6, 30, 58, 86, 114, 142, 170],
}
/** Format bits of level M with masks 0 to 7, after the fixed mask. */
const FORMATS = [0x5412, 0x5125, 0x5e7c, 0x5b4b, 0x45f9, 0x40ce, 0x4f97, 0x4aa0]

type Modules = readonly (readonly boolean[])[]

export interface Decoded {
  readonly text: string
  readonly version: number
  readonly mask: number
}

/** Throws on any deviation from the standard. */
export function decodeQr(modules: Modules): Decoded {
  const size = modules.length
  const version = (size - 17) / 4
  if (!Number.isInteger(version) || modules.some((row) => row.length !== size))
    throw new Error(`${size} is no size of a QR code`)
  checkPatterns(modules)
  const mask = maskOf(modules)
  const codewords = readCodewords(modules, version, mask)
  const bytes = deinterleave(codewords, version)
  return { text: textOf(bytes, version), version, mask }
}

function bitsAt(modules: Modules, places: readonly (readonly [number, number])[]): number {
  return places.reduce((bits, [row, column]) => bits * 2 + Number(modules[row]![column]), 0)
}

function maskOf(modules: Modules): number {
  const end = modules.length - 1
  // Most significant bit first.
  const first = bitsAt(modules, [
    [8, 0],
    [8, 1],
    [8, 2],
    [8, 3],
    [8, 4],
    [8, 5],
    [8, 7],
    [8, 8],
    [7, 8],
    [5, 8],
    [4, 8],
    [3, 8],
    [2, 8],
    [1, 8],
    [0, 8],
  ])
  const second = bitsAt(modules, [
    ...Array.from({ length: 7 }, (_, index) => [end - index, 8] as const),
    ...Array.from({ length: 8 }, (_, index) => [8, end - 7 + index] as const),
  ])
  const mask = FORMATS.indexOf(first)
  if (mask < 0 || first !== second) throw new Error(`formats ${first.toString(2)} and ${second.toString(2)}`)
  if (modules[end - 7]![8] !== true) throw new Error('the dark module is light')
  return mask
}

const FINDER = ['#######.', '#.....#.', '#.###.#.', '#.###.#.', '#.###.#.', '#.....#.', '#######.', '........']

function checkPatterns(modules: Modules): void {
  const end = modules.length - 1
  for (const [index, line] of FINDER.entries()) {
    for (const [at, mark] of line.split('').entries()) {
      const corners = [modules[index]![at], modules[index]![end - at], modules[end - index]![at]]
      if (corners.some((dark) => dark !== (mark === '#'))) throw new Error(`finder pattern at ${index}, ${at}`)
    }
  }
  for (let at = 8; at < end - 7; at += 1) {
    if (modules[6]![at] !== (at % 2 === 0) || modules[at]![6] !== (at % 2 === 0))
      throw new Error(`timing pattern at ${at}`)
  }
}

function isData(row: number, column: number, version: number): boolean {
  const size = version * 4 + 17
  if (row === 6 || column === 6) return false
  if (row < 9 && (column < 9 || column >= size - 8)) return false
  if (row >= size - 8 && column < 9) return false
  if (version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11))) return false
  const centers = ALIGNED[version] ?? []
  const last = size - 7
  return !centers.some((y) =>
    centers.some((x) => {
      const isFinder = (y === 6 && x === 6) || (y === 6 && x === last) || (y === last && x === 6)
      return !isFinder && Math.abs(row - y) <= 2 && Math.abs(column - x) <= 2
    }),
  )
}

function isFlipped(mask: number, i: number, j: number): boolean {
  switch (mask) {
    case 0:
      return (i + j) % 2 === 0
    case 1:
      return i % 2 === 0
    case 2:
      return j % 3 === 0
    case 3:
      return (i + j) % 3 === 0
    case 4:
      return (Math.floor(i / 2) + Math.floor(j / 3)) % 2 === 0
    case 5:
      return ((i * j) % 2) + ((i * j) % 3) === 0
    case 6:
      return (((i * j) % 2) + ((i * j) % 3)) % 2 === 0
    default:
      return (((i * j) % 3) + ((i + j) % 2)) % 2 === 0
  }
}

function readCodewords(modules: Modules, version: number, mask: number): number[] {
  const size = modules.length
  const columns = Array.from({ length: size }, (_, index) => size - 1 - index).filter((column) => column !== 6)
  const bits: boolean[] = []
  for (let pair = 0; pair < columns.length; pair += 2) {
    const rows = Array.from({ length: size }, (_, index) => (pair % 4 === 0 ? size - 1 - index : index))
    for (const row of rows) {
      for (const column of columns.slice(pair, pair + 2)) {
        if (isData(row, column, version)) bits.push(modules[row]![column]! !== isFlipped(mask, row, column))
      }
    }
  }
  const total = TOTAL[version - 1]!
  if (bits.length < total * 8 || bits.length >= total * 8 + 8)
    throw new Error(`${bits.length} bits for ${total} codewords`)
  return Array.from({ length: total }, (_, at) =>
    Number.parseInt(
      bits
        .slice(at * 8, at * 8 + 8)
        .map(Number)
        .join(''),
      2,
    ),
  )
}

/** The number of blocks is the one under which every block is a codeword of its code. */
function deinterleave(codewords: readonly number[], version: number): number[] {
  const data = DATA[version - 1]!
  const checks = codewords.length - data
  for (let blocks = 1; blocks <= 60; blocks += 1) {
    if (checks % blocks !== 0 || checks / blocks > 30 || checks / blocks < 10) continue
    const parts = split(codewords, data, blocks)
    if (parts.every((block) => isCodeword(block, checks / blocks)))
      return parts.flatMap((block) => block.slice(0, block.length - checks / blocks))
  }
  throw new Error('no block structure fits')
}

function split(codewords: readonly number[], data: number, blocks: number): number[][] {
  const parts = Array.from({ length: blocks }, (): number[] => [])
  const short = Math.floor(data / blocks)
  const shortBlocks = blocks - (data % blocks)
  let at = 0
  for (let index = 0; index <= short; index += 1) {
    for (const [block, content] of parts.entries())
      if (index < short || block >= shortBlocks) content.push(codewords[at++]!)
  }
  while (at < codewords.length) for (const content of parts) content.push(codewords[at++]!)
  return parts
}

const EXP: number[] = []
const LOG: number[] = []
for (let power = 0, value = 1; power < 255; power += 1) {
  EXP[power] = value
  LOG[value] = power
  value = value * 2 > 255 ? (value * 2) ^ 285 : value * 2
}

/** All syndromes are zero. */
function isCodeword(block: readonly number[], checks: number): boolean {
  for (let root = 0; root < checks; root += 1) {
    const syndrome = block.reduce((sum, value) => (sum === 0 ? 0 : EXP[(LOG[sum]! + root) % 255]!) ^ value, 0)
    if (syndrome !== 0) return false
  }
  return true
}

function textOf(bytes: readonly number[], version: number): string {
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const take = (from: number, count: number): number => Number.parseInt(bits.slice(from, from + count), 2)
  const header = version < 10 ? 8 : 16
  if (take(0, 4) !== 4) throw new Error('not in byte mode')
  const length = take(4, header)
  const content = Array.from({ length }, (_, index) => take(4 + header + index * 8, 8))
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(content))
}
