// Rows kept sorted in pieces of at most 1,024: an insertion or deletion moves at most one piece, and a rank is a sum
// over the piece sizes.
import type { Bits } from './bits.ts'
import type { SlicedJob } from './slices.ts'
import type { CompareRows } from './sorting.ts'

const PIECE = 1_024
/** Initial fill of a piece, which leaves room for insertions. */
const FILLED = 896

interface Piece {
  rows: Uint32Array
  size: number
}

export class OrderedRows {
  readonly #compare: CompareRows
  #pieces: Piece[]
  #size: number

  /** `sorted` must be sorted by `compare`; two different rows must never compare as equal. */
  constructor(sorted: Uint32Array, compare: CompareRows) {
    this.#compare = compare
    this.#size = sorted.length
    this.#pieces = []
    for (let from = 0; from < sorted.length; from += FILLED)
      this.#pieces.push(pieceOf(sorted.subarray(from, from + FILLED)))
  }

  get size(): number {
    return this.#size
  }

  insert(row: number): void {
    this.#size += 1
    if (this.#pieces.length === 0) {
      this.#pieces.push(pieceOf(Uint32Array.of(row)))
      return
    }
    const at = this.#pieceOf((each) => this.#compare(each, row) < 0)
    const piece = this.#pieces[at]!
    const place = firstNot(piece, (each) => this.#compare(each, row) < 0)
    if (piece.size < PIECE) put(piece, place, row)
    else {
      this.#halve(at)
      if (place <= piece.size) put(piece, place, row)
      else put(this.#pieces[at + 1]!, place - piece.size, row)
    }
  }

  /** The row must be at the position that `compare` gives it now. */
  delete(row: number): void {
    const at = this.#pieceOf((each) => this.#compare(each, row) <= 0)
    const piece = this.#pieces[at]
    if (piece === undefined) throw new Error(`row ${row} is not in the order`)
    const place = firstNot(piece, (each) => this.#compare(each, row) < 0)
    if (piece.rows[place] !== row || place >= piece.size) throw new Error(`row ${row} is not at its place in the order`)
    piece.rows.copyWithin(place, place + 1, piece.size)
    piece.size -= 1
    this.#size -= 1
    if (piece.size === 0) this.#pieces.splice(at, 1)
  }

  /** Number of leading rows that satisfy `before`, which must hold for a prefix only. */
  rank(before: (row: number) => boolean): number {
    if (this.#pieces.length === 0) return 0
    const at = this.#pieceOf(before)
    let rank = firstNot(this.#pieces[at]!, before)
    for (let piece = 0; piece < at; piece += 1) rank += this.#pieces[piece]!.size
    return rank
  }

  slice(from: number, to: number): Uint32Array {
    const rows = new Uint32Array(Math.max(0, Math.min(to, this.#size) - from))
    let filled = 0
    let passed = 0
    for (const piece of this.#pieces) {
      if (filled === rows.length) break
      const first = Math.max(0, from - passed)
      const last = Math.min(piece.size, first + rows.length - filled)
      if (first < last) {
        rows.set(piece.rows.subarray(first, last), filled)
        filled += last - first
      }
      passed += piece.size
    }
    return rows
  }

  /** Of the rows in `bits`, in order: skips `skip`, returns at most `limit`. */
  *among(bits: Bits, skip: number, limit: number): SlicedJob<Uint32Array> {
    const result: number[] = []
    let passed = 0
    for (const { rows, size } of this.#pieces) {
      const { words } = bits
      for (let at = 0; at < size && result.length < limit; at += 1) {
        const row = rows[at]!
        if (((words[row >>> 5]! >>> (row & 31)) & 1) === 0) continue
        if (passed < skip) passed += 1
        else result.push(row)
      }
      if (result.length === limit) break
      yield
    }
    return Uint32Array.from(result)
  }

  /** Index of the last piece whose first row satisfies `before`, otherwise the first piece. */
  #pieceOf(before: (row: number) => boolean): number {
    let low = 0
    let high = this.#pieces.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (before(this.#pieces[middle]!.rows[0]!)) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }

  #halve(at: number): void {
    const piece = this.#pieces[at]!
    const half = piece.size >>> 1
    this.#pieces.splice(at + 1, 0, pieceOf(piece.rows.subarray(half, piece.size)))
    piece.size = half
  }
}

function pieceOf(rows: Uint32Array): Piece {
  const own = new Uint32Array(rows.length < FILLED ? Math.max(8, rows.length) : PIECE)
  own.set(rows)
  return { rows: own, size: rows.length }
}

function roomier(rows: Uint32Array): Uint32Array {
  const grown = new Uint32Array(Math.min(PIECE, rows.length * 2))
  grown.set(rows)
  return grown
}

function put(piece: Piece, place: number, row: number): void {
  if (piece.size === piece.rows.length) piece.rows = roomier(piece.rows)
  piece.rows.copyWithin(place + 1, place, piece.size)
  piece.rows[place] = row
  piece.size += 1
}

function firstNot({ rows, size }: Piece, before: (row: number) => boolean): number {
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >>> 1
    if (before(rows[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}
