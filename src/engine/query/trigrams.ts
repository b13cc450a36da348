// Trigram index: the codes of the texts that contain each sequence of three UTF-16 units, stored as variable-length
// differences of ascending codes. Trigrams share lists by hash, so candidates must be checked.
import type { Job } from './slices.ts'

const LISTS = 1 << 16
const CODES_PER_YIELD = 256
const MOST_LISTS_READ = 4

/** Shorter pieces have no trigram. */
export const LEAST_UNITS = 3

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
  *catchUp(texts: readonly string[]): Job<void> {
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
  *candidates(piece: string): Job<Uint32Array> {
    const lists = new Set<number>()
    for (let at = 0; at + LEAST_UNITS <= piece.length; at += 1) lists.add(listOf(piece, at))
    const [shortest, ...others] = [...lists]
      .sort((a, b) => this.#counts[a]! - this.#counts[b]!)
      .slice(0, MOST_LISTS_READ)
    let found = new Uint32Array(this.#counts[shortest!]!)
    yield* this.#read(shortest!, (code, at) => (found[at] = code))
    for (const list of others) {
      if (found.length <= this.#few) break
      let kept = 0
      let at = 0
      const common = found
      yield* this.#read(list, (code) => {
        while (at < common.length && common[at]! < code) at += 1
        if (common[at] !== code) return
        common[kept] = code
        kept += 1
        at += 1
      })
      found = found.subarray(0, kept)
    }
    return found
  }

  *#read(list: number, take: (code: number, at: number) => void): Job<void> {
    const bytes = this.#bytes[list]
    const end = this.#ends[list]!
    let code = 0
    let count = 0
    let at = 0
    while (bytes !== undefined && at < end) {
      const stop = Math.min(end, at + 16_384)
      while (at < stop) {
        let difference = 0
        let shift = 0
        let byte: number
        do {
          byte = bytes[at]!
          at += 1
          difference |= (byte & 0x7f) << shift
          shift += 7
        } while (byte > 0x7f)
        code += difference
        take(code, count)
        count += 1
      }
      yield
    }
  }

  #add(code: number, text: string): void {
    for (let at = 0; at + LEAST_UNITS <= text.length; at += 1) {
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
    if (bytes === undefined || end + 5 > bytes.length) {
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

function listOf(text: string, at: number): number {
  let hash = Math.imul(text.charCodeAt(at), 0x9e3779b1) ^ Math.imul(text.charCodeAt(at + 1), 0x85ebca6b)
  hash = Math.imul(hash ^ text.charCodeAt(at + 2), 0xc2b2ae35)
  return (hash ^ (hash >>> 15)) >>> 16
}
