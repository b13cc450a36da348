// Trigram index: the codes of the texts that contain each sequence of three UTF-16 units, stored as variable-length
// differences of ascending codes. Trigrams share lists by hash, so candidates must be checked.
import type { SlicedJob } from './slices.ts'

const LISTS = 1 << 16
const CODES_PER_YIELD = 256
const MAX_LISTS_READ = 4
const BYTES_PER_YIELD = 16_384
const STEPS_PER_YIELD = 16_384
/** Codes of a list that are read in the time in which one candidate is checked. */
const MAX_READ_PER_CANDIDATE = 32
const NO_BYTES = new Uint8Array(0)

/** Shorter pieces have no trigram. */
export const MIN_UNITS = 3

export class Trigrams {
  readonly #bytes: (Uint8Array | undefined)[] = new Array<Uint8Array | undefined>(LISTS)
  readonly #ends = new Uint32Array(LISTS)
  readonly #lasts = new Uint32Array(LISTS)
  readonly #counts = new Uint32Array(LISTS)
  readonly #few: number
  /** Codes below are indexed. */
  #next: number

  /**
   * @param first the first code of a text
   * @param few number of candidates below which checking each is cheaper than reading another list
   */
  constructor(first: number, few: number) {
    this.#next = first
    this.#few = few
  }

  /** Indexes the texts added since the last call. */
  *catchUp(texts: readonly string[]): SlicedJob<void> {
    while (this.#next < texts.length) {
      const end = Math.min(texts.length, this.#next + CODES_PER_YIELD)
      for (; this.#next < end; this.#next += 1) this.#add(this.#next, texts[this.#next]!.toLowerCase())
      yield
    }
  }

  /**
   * A superset of the codes whose texts contain the piece, ascending. The piece must be in lower case and have at least
   * three units.
   */
  *candidates(piece: string): SlicedJob<Uint32Array> {
    const lists = new Set<number>()
    for (let at = 0; at + MIN_UNITS <= piece.length; at += 1) lists.add(listOf(piece, at))
    const [shortest, ...others] = [...lists]
      .sort((a, b) => this.#counts[a]! - this.#counts[b]!)
      .slice(0, MAX_LISTS_READ)
    let candidates = yield* this.#read(shortest!)
    for (const list of others) {
      if (candidates.length <= this.#few || this.#counts[list]! > candidates.length * MAX_READ_PER_CANDIDATE) break
      candidates = yield* common(candidates, yield* this.#read(list))
    }
    return candidates
  }

  *#read(list: number): SlicedJob<Uint32Array> {
    const codes = new Uint32Array(this.#counts[list]!)
    const bytes = this.#bytes[list] ?? NO_BYTES
    const cursor: Cursor = { at: 0, code: 0, count: 0 }
    for (const end = this.#ends[list]!; cursor.at < end; yield) decode(bytes, end, cursor, codes)
    return codes
  }

  #add(code: number, text: string): void {
    for (let at = 0; at + MIN_UNITS <= text.length; at += 1) {
      const list = listOf(text, at)
      const last = this.#lasts[list]!
      // Once per text: codes ascend, and the first code is above 0.
      if (last === code) continue
      this.#append(list, code - last)
      this.#lasts[list] = code
      this.#counts[list]! += 1
    }
  }

  #append(list: number, difference: number): void {
    let end = this.#ends[list]!
    let bytes = this.#bytes[list]
    // `decode` also reads the byte after a difference.
    if (bytes === undefined || end + 6 > bytes.length) {
      const grown = new Uint8Array(bytes === undefined ? 8 : Math.ceil(bytes.length * 1.5))
      if (bytes !== undefined) grown.set(bytes)
      this.#bytes[list] = bytes = grown
    }
    let rest = difference
    for (; rest > 0x7f; rest >>>= 7) {
      bytes[end] = (rest & 0x7f) | 0x80
      end += 1
    }
    bytes[end] = rest
    this.#ends[list] = end + 1
  }
}

interface Cursor {
  at: number
  /** The last code read. */
  code: number
  count: number
}

/**
 * Reads part of a list. A separate function, because V8 does not optimize loops of generators. Has no branch for the
 * length of a difference, because processors cannot predict it.
 */
function decode(bytes: Uint8Array, end: number, cursor: Cursor, codes: Uint32Array): void {
  const stop = Math.min(end, cursor.at + BYTES_PER_YIELD)
  let { at, code, count } = cursor
  while (at < stop) {
    const first = bytes[at]!
    const second = bytes[at + 1]! & -(first >>> 7)
    let difference = (first & 0x7f) | ((second & 0x7f) << 7)
    at += 1 + (first >>> 7)
    let byte = second
    for (let shift = 14; byte > 0x7f; shift += 7) {
      byte = bytes[at]!
      at += 1
      difference |= (byte & 0x7f) << shift
    }
    code += difference
    codes[count] = code
    count += 1
  }
  cursor.at = at
  cursor.code = code
  cursor.count = count
}

/** Codes that both lists have. Changes the first. */
function* common(left: Uint32Array, right: Uint32Array): SlicedJob<Uint32Array> {
  const merge: Merge = { left: 0, right: 0, kept: 0 }
  while (mergeSome(left, right, merge)) yield
  return left.subarray(0, merge.kept)
}

interface Merge {
  left: number
  right: number
  kept: number
}

/** False at the end of a list. Advances the lists by arithmetic, because a branch would be unpredictable too. */
function mergeSome(lefts: Uint32Array, rights: Uint32Array, merge: Merge): boolean {
  let { left, right, kept } = merge
  for (let step = 0; step < STEPS_PER_YIELD && left < lefts.length && right < rights.length; step += 1) {
    const code = lefts[left]!
    const difference = code - rights[right]!
    const isBehind = difference >>> 31
    const isAhead = -difference >>> 31
    lefts[kept] = code
    kept += 1 - (isBehind | isAhead)
    left += 1 - isAhead
    right += 1 - isBehind
  }
  merge.left = left
  merge.right = right
  merge.kept = kept
  return left < lefts.length && right < rights.length
}

function listOf(text: string, at: number): number {
  let hash = Math.imul(text.charCodeAt(at), 0x9e3779b1) ^ Math.imul(text.charCodeAt(at + 1), 0x85ebca6b)
  hash = Math.imul(hash ^ text.charCodeAt(at + 2), 0xc2b2ae35)
  return (hash ^ (hash >>> 15)) >>> 16
}
