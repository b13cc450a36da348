// Sets of rows that pass a test, in the representations that a plan can use.
import { Bits } from './bits.ts'
import type { SlicedJob } from './slices.ts'

export interface RowSet {
  /** Upper bound of the number of rows. */
  readonly estimate: number
  /** True if the cost of `list` depends on the set, not on the table. */
  readonly listed: boolean
  /** Only for rows that hold a record. */
  has(row: number): boolean
  /** Each row once, in no guaranteed order. */
  list(): SlicedJob<Uint32Array>
  /** The bitmap is shared and must not be modified. */
  bits(): SlicedJob<Bits>
}

/** The rows of a table that hold a record. */
export interface LiveRows {
  readonly size: number
  /** Exclusive upper bound of row numbers. */
  readonly end: number
  readonly live: Bits
}

export class Complement implements RowSet {
  readonly listed = false
  readonly #living: LiveRows
  readonly #inner: RowSet
  readonly #exactInner: boolean

  /** @param exact true if the estimate of `inner` is its size */
  constructor(living: LiveRows, inner: RowSet, exact: boolean) {
    this.#living = living
    this.#inner = inner
    this.#exactInner = exact
  }

  get estimate(): number {
    return this.#exactInner ? Math.max(0, this.#living.size - this.#inner.estimate) : this.#living.size
  }

  has(row: number): boolean {
    return !this.#inner.has(row)
  }

  *list(): SlicedJob<Uint32Array> {
    return (yield* this.bits()).rows()
  }

  *bits(): SlicedJob<Bits> {
    const bits = this.#living.live.copy()
    bits.without(yield* this.#inner.bits())
    return bits
  }
}

export class Union implements RowSet {
  readonly #living: LiveRows
  readonly #sets: readonly RowSet[]

  constructor(living: LiveRows, sets: readonly RowSet[]) {
    this.#living = living
    this.#sets = sets
  }

  get estimate(): number {
    return Math.min(
      this.#living.size,
      this.#sets.reduce((sum, { estimate }) => sum + estimate, 0),
    )
  }

  get listed(): boolean {
    return this.#sets.every(({ listed }) => listed)
  }

  has(row: number): boolean {
    return this.#sets.some((set) => set.has(row))
  }

  *list(): SlicedJob<Uint32Array> {
    const rows = new Set<number>()
    for (const set of this.#sets) {
      let since = 0
      for (const row of yield* set.list()) {
        rows.add(row)
        since += 1
        if (since % 4_096 === 0) yield
      }
    }
    return Uint32Array.from(rows)
  }

  *bits(): SlicedJob<Bits> {
    const bits = new Bits(this.#living.end)
    for (const set of this.#sets) bits.or(yield* set.bits())
    return bits
  }
}

/** Bitmap of the rows below `end` that satisfy `has`, built block by block. */
export function* bitsWhere(end: number, has: (row: number) => boolean): SlicedJob<Bits> {
  const bits = new Bits(end)
  for (let from = 0; from < end; from += 8_192) {
    fill(bits.words, from, Math.min(end, from + 8_192), has)
    yield
  }
  return bits
}

function fill(words: Uint32Array, from: number, end: number, has: (row: number) => boolean): void {
  for (let row = from; row < end; row += 1) if (has(row)) words[row >>> 5]! |= 1 << (row & 31)
}
