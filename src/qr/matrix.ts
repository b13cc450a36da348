// The modules of a QR code: function patterns, codewords, mask, format and version.

/** Rows of modules; true is dark. */
export type Matrix = readonly (readonly boolean[])[]

type Mask = (x: number, y: number) => boolean

export const MASKS: readonly Mask[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]
/** Level M. */
const LEVEL = 0b00
const FORMAT_GENERATOR = 0x537
const FORMAT_MASK = 0x5412
const VERSION_GENERATOR = 0x1f25
const TIMING = 6
const RUN_PENALTY = 3
const BOX_PENALTY = 3
const FINDER_PENALTY = 40
const BALANCE_PENALTY = 10
/** A finder pattern with four light modules before it. */
const FINDER_LIKE = [0, 0, 0, 0, 1, 0, 1, 1, 1, 0, 1]

/** @param mask absent: the one with the lowest penalty */
export function drawMatrix(version: number, codewords: readonly number[], mask?: number): Matrix {
  const grid = new Grid(version)
  grid.place(codewords)
  if (mask !== undefined) return grid.masked(mask)
  const [best] = MASKS.map((_, index) => grid.masked(index))
    .map((matrix) => ({ matrix, penalty: penaltyOf(matrix) }))
    .sort((a, b) => a.penalty - b.penalty)
  return best!.matrix
}

class Grid {
  readonly #version: number
  readonly #size: number
  readonly #dark: boolean[][]
  /** Modules that carry no codeword. */
  readonly #fixed: boolean[][]

  constructor(version: number) {
    this.#version = version
    this.#size = version * 4 + 17
    const blank = (): boolean[][] =>
      Array.from({ length: this.#size }, () => new Array<boolean>(this.#size).fill(false))
    this.#dark = blank()
    this.#fixed = blank()
    for (let at = 0; at < this.#size; at += 1) {
      this.#fix(at, TIMING, at % 2 === 0)
      this.#fix(TIMING, at, at % 2 === 0)
    }
    const last = this.#size - 4
    for (const [x, y] of [
      [3, 3],
      [last, 3],
      [3, last],
    ] as const)
      this.#square(x, y, 4, [0, 1, 3])
    const centers = alignments(version)
    for (const x of centers) {
      for (const y of centers) {
        const isCorner =
          (x === TIMING && (y === TIMING || y === centers.at(-1))) || (y === TIMING && x === centers.at(-1))
        if (!isCorner) this.#square(x, y, 2, [0, 2])
      }
    }
    this.#format(0)
    this.#versionInfo()
  }

  /** In columns of two, from the right, upward and downward in turn. */
  place(codewords: readonly number[]): void {
    let bit = 0
    for (let right = this.#size - 1; right >= 1; right -= 2) {
      if (right === TIMING) right = TIMING - 1
      const isUpward = ((right + 1) & 2) === 0
      for (let step = 0; step < this.#size; step += 1) {
        const y = isUpward ? this.#size - 1 - step : step
        for (const x of [right, right - 1]) {
          if (this.#fixed[y]![x]!) continue
          this.#dark[y]![x] = (((codewords[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1) === 1
          bit += 1
        }
      }
    }
  }

  masked(mask: number): Matrix {
    this.#format(mask)
    const flips = MASKS[mask]!
    return this.#dark.map((row, y) => row.map((dark, x) => dark !== (!this.#fixed[y]![x]! && flips(x, y))))
  }

  #fix(x: number, y: number, dark: boolean): void {
    if (x < 0 || y < 0 || x >= this.#size || y >= this.#size) return
    this.#dark[y]![x] = dark
    this.#fixed[y]![x] = true
  }

  /** Rings around a center; those at the distances `dark` are dark. */
  #square(centerX: number, centerY: number, reach: number, dark: readonly number[]): void {
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) this.#fix(centerX + dx, centerY + dy, isRingDark(dark, dx, dy))
    }
  }

  /** Twice: around the first finder pattern, and beside the two others. */
  #format(mask: number): void {
    const data = (LEVEL << 3) | mask
    const bits = ((data << 10) | checkBits(data, 10, FORMAT_GENERATOR)) ^ FORMAT_MASK
    const isDark = (index: number): boolean => ((bits >>> index) & 1) === 1
    const size = this.#size
    for (let index = 0; index < 15; index += 1) {
      const around = index < 6 ? index : index < 8 ? index + 1 : 14 - index
      if (index < 8) this.#fix(8, around, isDark(index))
      else this.#fix(index === 8 ? 7 : around, 8, isDark(index))
      if (index < 8) this.#fix(size - 1 - index, 8, isDark(index))
      else this.#fix(8, size - 15 + index, isDark(index))
    }
    this.#fix(8, size - 8, true)
  }

  #versionInfo(): void {
    if (this.#version < 7) return
    const bits = (this.#version << 12) | checkBits(this.#version, 12, VERSION_GENERATOR)
    for (let index = 0; index < 18; index += 1) {
      const dark = ((bits >>> index) & 1) === 1
      const [far, near] = [this.#size - 11 + (index % 3), Math.floor(index / 3)]
      this.#fix(far, near, dark)
      this.#fix(near, far, dark)
    }
  }
}

function isRingDark(dark: readonly number[], dx: number, dy: number): boolean {
  const distance = Math.max(Math.abs(dx), Math.abs(dy))
  return dark.includes(distance)
}

/** Remainder of a BCH code. */
function checkBits(data: number, count: number, divisor: number): number {
  let rest = data
  for (let index = 0; index < count; index += 1) rest = (rest << 1) ^ ((rest >>> (count - 1)) * divisor)
  return rest
}

function alignments(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  const last = version * 4 + 10
  return [TIMING, ...Array.from({ length: count - 1 }, (_, index) => last - (count - 2 - index) * step)]
}

/** The less, the easier it is to read. */
export function penaltyOf(matrix: Matrix): number {
  const columns = matrix.map((_, x) => matrix.map((row) => row[x]!))
  const lines = [...matrix, ...columns]
  const dark = matrix.flat().filter(Boolean).length
  const total = matrix.length ** 2
  const imbalance = Math.ceil(Math.abs(dark * 20 - total * 10) / total) - 1
  return (
    lines.reduce((sum, line) => sum + runs(line) + finders(line), 0) +
    boxes(matrix) +
    Math.max(0, imbalance) * BALANCE_PENALTY
  )
}

function runs(line: readonly boolean[]): number {
  let penalty = 0
  for (let from = 0, at = 1; at <= line.length; at += 1) {
    if (at < line.length && line[at] === line[from]) continue
    if (at - from >= 5) penalty += RUN_PENALTY + at - from - 5
    from = at
  }
  return penalty
}

function finders(line: readonly boolean[]): number {
  let penalty = 0
  for (let from = 0; from + FINDER_LIKE.length <= line.length; from += 1) {
    const matches = (pattern: readonly number[]): boolean => pattern.every((bit, at) => line[from + at] === (bit === 1))
    if (matches(FINDER_LIKE)) penalty += FINDER_PENALTY
    if (matches(FINDER_LIKE.toReversed())) penalty += FINDER_PENALTY
  }
  return penalty
}

function boxes(matrix: Matrix): number {
  let penalty = 0
  for (let y = 1; y < matrix.length; y += 1) {
    for (let x = 1; x < matrix.length; x += 1) {
      const dark = matrix[y]![x]
      if (matrix[y - 1]![x] === dark && matrix[y]![x - 1] === dark && matrix[y - 1]![x - 1] === dark)
        penalty += BOX_PENALTY
    }
  }
  return penalty
}
