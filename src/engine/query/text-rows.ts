// Row sets of text columns: rows whose text is one of a list of codes.
import type { Chains } from './chains.ts'
import { FIRST_CODE, NULL } from './dictionary.ts'
import { Bits } from './bits.ts'
import type { LikeTest, Test } from './test.ts'
import type { RowSet } from './row-set.ts'
import type { SlicedJob } from './slices.ts'
import type { TextColumn } from './text-column.ts'
import { MIN_UNITS } from './trigrams.ts'

const BLOCK = 16_384
const TEXTS_PER_YIELD = 512
/** Characters that no text gains or loses in lower case. */
const CASELESS = /^[ -@[-`{-~]*$/
/** Up to this number, codes are compared one by one. */
const FEW_CODES = 4

/** Rows that pass the test, ignoring `negated`. */
export function* textRows(column: TextColumn, test: Exclude<Test, { readonly kind: 'range' }>): SlicedJob<TextRows> {
  switch (test.kind) {
    case 'null':
      return yield* rowsOf(column, [NULL])
    case 'equal': {
      const codes = new Set(test.texts.map((text) => column.dictionary.find(text)))
      codes.delete(undefined)
      return yield* rowsOf(column, [...codes] as number[])
    }
    case 'like':
      return yield* rowsOf(column, yield* codesLike(column, test))
  }
}

function* rowsOf(column: TextColumn, codes: readonly number[]): SlicedJob<TextRows> {
  let rows = 0
  for (let at = 0; at < codes.length; at += 1) {
    rows += column.count(codes[at]!)
    if (at % BLOCK === BLOCK - 1) yield
  }
  return new TextRows(column, codes, rows)
}

function* codesLike(column: TextColumn, { place, piece }: LikeTest): SlicedJob<readonly number[]> {
  const { texts } = column.dictionary
  const search = `${place} ${piece}`
  const known = column.likes.take(search)
  const matches = MATCHES[place]
  const usable = known.end === FIRST_CODE && column.trigrams !== undefined && piece.length >= MIN_UNITS
  if (usable) yield* column.trigrams!.catchUp(texts)
  const candidates = usable ? yield* column.trigrams!.candidates(piece) : undefined
  // The table is held, so the column gets no new texts before this loop ends.
  const end = candidates?.length ?? texts.length
  const has = CASELESS.test(piece) ? matches : (text: string) => matches(text.toLowerCase(), piece)
  const passes = (code: number): boolean => has(texts[code]!, piece)
  for (let from = candidates === undefined ? known.end : 0; from < end; from += TEXTS_PER_YIELD) {
    const part = { from, end: Math.min(end, from + TEXTS_PER_YIELD) }
    if (candidates === undefined || unitsOf(texts, candidates, part) > 0)
      takePassing(candidates, part, passes, known.codes)
    yield
  }
  known.end = texts.length
  column.likes.keep(search, known)
  return known.codes
}

/** Tests these candidates, or all codes. A separate function, because V8 does not optimize loops of generators. */
function takePassing(
  candidates: Uint32Array | undefined,
  { from, end }: { readonly from: number; readonly end: number },
  passes: (code: number) => boolean,
  codes: number[],
): void {
  for (let at = from; at < end; at += 1) {
    const code = candidates === undefined ? at : candidates[at]!
    if (passes(code)) codes.push(code)
  }
}

/**
 * Total length of these texts. Candidates are far apart in memory. Reading the lengths first lets the processor fetch
 * many texts at the same time, while searching them one by one would wait for each.
 */
function unitsOf(
  texts: readonly string[],
  candidates: Uint32Array,
  { from, end }: { readonly from: number; readonly end: number },
): number {
  let units = 0
  for (let at = from; at < end; at += 1) units += texts[candidates[at]!]!.length
  return units
}

const MATCHES: Readonly<Record<LikeTest['place'], (text: string, piece: string) => boolean>> = {
  CONTAINS: (text, piece) => text.includes(piece),
  STARTS_WITH: (text, piece) => text.startsWith(piece),
  ENDS_WITH: (text, piece) => text.endsWith(piece),
}

class TextRows implements RowSet {
  readonly estimate: number
  readonly #column: TextColumn
  readonly #codes: readonly number[]
  /** One byte per code of the dictionary; created when a row is tested. */
  #flags: Uint8Array | undefined

  constructor(column: TextColumn, codes: readonly number[], estimate: number) {
    this.#column = column
    this.#codes = codes
    this.estimate = estimate
  }

  /** True if the estimate equals the number of rows: no row is counted twice. */
  get exact(): boolean {
    return this.#codes.length <= 1 || this.#column.extras.size === 0
  }

  get listed(): boolean {
    return this.#column.chains !== undefined
  }

  has(row: number): boolean {
    const { codes, extras } = this.#column
    return (
      this.#hasCode(codes[row]!) || (extras.size > 0 && (extras.get(row)?.some((code) => this.#hasCode(code)) ?? false))
    )
  }

  *list(): SlicedJob<Uint32Array> {
    const { chains } = this.#column
    if (chains === undefined) return (yield* this.bits()).rows()
    const rows = new Uint32Array(this.estimate)
    let filled = 0
    for (let from = 0; from < this.#codes.length; from += BLOCK) {
      filled = this.#collect(chains, from, rows, filled)
      yield
    }
    for (const row of yield* this.#extraRows()) {
      rows[filled] = row
      filled += 1
    }
    return rows.subarray(0, filled)
  }

  /** For a text with one row, only the first row is read: a million lists of one row are far apart in memory. */
  #collect(chains: Chains, from: number, rows: Uint32Array, at: number): number {
    const end = Math.min(this.#codes.length, from + BLOCK)
    let filled = at
    for (let index = from; index < end; index += 1) {
      const code = this.#codes[index]!
      filled = chains.collect(code, rows, filled, this.#column.count(code))
    }
    return filled
  }

  *bits(): SlicedJob<Bits> {
    const { codes } = this.#column
    if (this.#codes.length === 1) return yield* this.#column.bitsOf(this.#codes[0]!)
    const bits = new Bits(codes.length)
    for (let from = 0; from < codes.length; from += BLOCK) {
      this.#mark(codes, from, Math.min(codes.length, from + BLOCK), bits.words)
      yield
    }
    for (const row of yield* this.#extraRows()) bits.add(row)
    return bits
  }

  /** Rows that match only through a member other than the first. */
  *#extraRows(): SlicedJob<ReadonlySet<number>> {
    const rows = new Set<number>()
    if (this.#column.extras.size === 0) return rows
    for (const [at, code] of this.#codes.entries()) {
      if (at % TEXTS_PER_YIELD === TEXTS_PER_YIELD - 1) yield
      for (const row of this.#column.extraRows(code) ?? []) if (!this.#hasCode(this.#column.codes[row]!)) rows.add(row)
    }
    return rows
  }

  #hasCode(code: number): boolean {
    return this.#codes.length <= FEW_CODES ? this.#codes.includes(code) : this.#flagged()[code] === 1
  }

  /** The flags, created on first use: `list` needs none, and a million texts have a megabyte of them. */
  #flagged(): Uint8Array {
    if (this.#flags !== undefined) return this.#flags
    const flags = new Uint8Array(this.#column.dictionary.size)
    for (const code of this.#codes) flags[code] = 1
    this.#flags = flags
    return flags
  }

  #mark(codes: Uint8Array | Uint32Array, from: number, end: number, words: Uint32Array): void {
    if (this.#codes.length <= FEW_CODES) {
      for (let row = from; row < end; row += 1)
        if (this.#codes.includes(codes[row]!)) words[row >>> 5]! |= 1 << (row & 31)
    } else {
      const flags = this.#flagged()
      for (let row = from; row < end; row += 1) words[row >>> 5]! |= flags[codes[row]!]! << (row & 31)
    }
  }
}
