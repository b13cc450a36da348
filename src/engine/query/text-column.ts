// A column of texts: one code per row, lists of the rows of each text, and bitmaps for texts that many rows share.
import { ABSENT, Dictionary, FIRST_CODE, NULL, NULL_FIRST } from './dictionary.ts'
import { Bits } from './bits.ts'
import type { FieldValue } from './field.ts'
import { compareText } from './quantity.ts'
import { Chains } from './chains.ts'
import { Likes } from './likes.ts'
import { Trigrams } from './trigrams.ts'
import type { SlicedJob } from './slices.ts'

/** Number of codes that fit one byte. */
const NARROW = 256
/** With many texts, a bitmap is kept for texts of more than one row in 64; with few texts, for each text requested. */
const KEPT_BITS = 64
/** Existing rows linked with each new row, until all are. */
const CHAINED_AT_ONCE = 64

export class TextColumn {
  readonly dictionary = new Dictionary()
  codes: Uint8Array | Uint32Array = new Uint8Array(0)
  /** Rows by text; present once there are too many texts to scan all rows for one, and all rows are linked. */
  chains: Chains | undefined
  /** Lists under construction: rows below `below` are linked. */
  #unfinished: { readonly chains: Chains; below: number } | undefined
  trigrams: Trigrams | undefined
  readonly likes = new Likes()
  /** Further members of rows with more than one text. */
  readonly extras = new Map<number, readonly number[]>()
  readonly #extraRows = new Map<number, Set<number>>()
  readonly #bits = new Map<number, Bits>()
  #counts = new Uint32Array(NARROW)
  #inUse = 0

  put(row: number, values: readonly FieldValue[]): void {
    const main = this.#codeOf(values[0] ?? null)
    const others = values.length === 1 ? NONE : this.#othersOf(values, main)
    const code = main === NULL && others.length > 0 ? NULL_FIRST : main
    if (this.codes[row] === code && others.length === 0 && (this.extras.size === 0 || !this.extras.has(row))) return
    this.clear(row)
    if (row >= this.codes.length) this.#lengthen(row)
    this.#set(row, code)
    if (others.length === 0) return
    this.extras.set(row, others)
    for (const other of others) {
      const rows = this.#extraRows.get(other)
      if (rows === undefined) this.#extraRows.set(other, new Set([row]))
      else rows.add(row)
      this.#count(other, 1)
      this.#bits.get(other)?.add(row)
    }
  }

  clear(row: number): void {
    const code = this.codes[row] ?? ABSENT
    if (code !== ABSENT) {
      this.#chainsOf(row)?.unlink(row, code)
      this.codes[row] = ABSENT
      this.#count(code, -1)
      this.#bits.get(code)?.delete(row)
    }
    const others = this.extras.size === 0 ? undefined : this.extras.get(row)
    if (others === undefined) return
    this.extras.delete(row)
    for (const other of others) {
      const rows = this.#extraRows.get(other)
      rows?.delete(row)
      if (rows?.size === 0) this.#extraRows.delete(other)
      this.#count(other, -1)
      this.#bits.get(other)?.delete(row)
    }
  }

  /** Number of rows that hold the text as any member. */
  count(code: number): number {
    return this.#counts[code] ?? 0
  }

  /** Rows that hold the text as a member other than the first. */
  extraRows(code: number): ReadonlySet<number> | undefined {
    return this.#extraRows.get(code)
  }

  /** True if most codes belong to texts that no row holds any more. */
  get wasteful(): boolean {
    return this.dictionary.size > 1_024 + 2 * this.#inUse
  }

  /** Bitmap of the rows that hold the text; kept if they are many. */
  *bitsOf(code: number): SlicedJob<Bits> {
    const cached = this.#bits.get(code)
    if (cached !== undefined) return cached
    const bits = new Bits(this.codes.length)
    for (let from = 0; from < this.codes.length; from += 32_768) {
      equalBits(this.codes, code, from, { end: Math.min(this.codes.length, from + 32_768), words: bits.words })
      yield
    }
    for (const row of this.#extraRows.get(code) ?? []) bits.add(row)
    const keep = this.codes instanceof Uint8Array || this.count(code) * KEPT_BITS > this.codes.length
    if (keep && this.count(code) > 0) this.#bits.set(code, bits)
    return bits
  }

  compare(left: number, right: number, descending: boolean): number {
    return this.compareCodes(this.codes[left]!, this.codes[right]!, descending)
  }

  compareCodes(left: number, right: number, descending: boolean): number {
    if (left === right) return 0
    const { texts } = this.dictionary
    if (left < FIRST_CODE || right < FIRST_CODE) return Number(left < FIRST_CODE) - Number(right < FIRST_CODE)
    return descending ? compareText(texts[right]!, texts[left]!) : compareText(texts[left]!, texts[right]!)
  }

  #codeOf(value: FieldValue): number {
    return value === null ? NULL : this.dictionary.codeOf(String(value))
  }

  #othersOf(values: readonly FieldValue[], main: number): readonly number[] {
    const others = new Set(values.slice(1).map((value) => this.#codeOf(value)))
    others.delete(main)
    others.delete(NULL)
    return [...others]
  }

  #set(row: number, code: number): void {
    if (code >= NARROW && this.codes instanceof Uint8Array) this.#widen()
    this.codes[row] = code
    this.#chainsOf(row)?.link(row, code)
    this.#count(code, 1)
    this.#bits.get(code)?.add(row)
    this.#chainMore()
  }

  #count(code: number, difference: number): void {
    if (code >= this.#counts.length) {
      const grown = new Uint32Array(Math.max(code + 1, this.#counts.length * 2))
      grown.set(this.#counts)
      this.#counts = grown
    }
    const before = this.#counts[code]!
    this.#counts[code] = before + difference
    if (before === 0) this.#inUse += 1
    else if (before + difference === 0) {
      this.#inUse -= 1
      this.#bits.delete(code)
    }
  }

  #lengthen(row: number): void {
    const length = Math.max(row + 1, Math.ceil(this.codes.length * 1.5))
    const grown = this.codes instanceof Uint8Array ? new Uint8Array(length) : new Uint32Array(length)
    grown.set(this.codes)
    this.codes = grown
    ;(this.chains ?? this.#unfinished?.chains)?.lengthen(length)
  }

  #widen(): void {
    const codes = new Uint32Array(this.codes.length)
    codes.set(this.codes)
    this.codes = codes
    this.#unfinished = { chains: new Chains(codes.length), below: 0 }
  }

  /** The lists that contain the row or must receive it now. */
  #chainsOf(row: number): Chains | undefined {
    if (this.chains !== undefined) return this.chains
    return this.#unfinished !== undefined && row < this.#unfinished.below ? this.#unfinished.chains : undefined
  }

  #chainMore(): void {
    const making = this.#unfinished
    if (making === undefined) return
    const end = Math.min(this.codes.length, making.below + CHAINED_AT_ONCE)
    for (; making.below < end; making.below += 1) {
      const code = this.codes[making.below]!
      if (code !== ABSENT) making.chains.link(making.below, code)
    }
    if (making.below < this.codes.length) return
    this.chains = making.chains
    this.#unfinished = undefined
  }
}

const NONE: readonly number[] = []

function equalBits(
  codes: Uint8Array | Uint32Array,
  code: number,
  from: number,
  { end, words }: { readonly end: number; readonly words: Uint32Array },
): void {
  for (let start = from; start < end; start += 32) {
    const stop = Math.min(end, start + 32)
    let word = 0
    for (let row = start; row < stop; row += 1) word |= (codes[row] === code ? 1 : 0) << (row & 31)
    words[start >>> 5] = word
  }
}
