// Row sets of number columns: rows within a range, and rows without a number.
import type { Bits } from './bits.ts'
import type { NumberColumn } from './number-column.ts'
import type { OrderedRows } from './ordered-rows.ts'
import { bitsWhere, type LiveRows, type RowSet } from './row-set.ts'
import type { SlicedJob } from './slices.ts'
import type { RangeTest } from './test.ts'

/** An order whose first key is the column. */
export interface ByNumber {
  readonly rows: OrderedRows
  readonly descending: boolean
}

export class RangeRows implements RowSet {
  readonly estimate: number
  /** undefined if no order is available. */
  readonly order: ByNumber | undefined
  /** Positions in the order that enclose all rows whose first member is within the range. */
  readonly from: number
  readonly to: number
  readonly #column: NumberColumn
  readonly #test: RangeTest

  constructor(living: LiveRows, column: NumberColumn, test: RangeTest, order: ByNumber | undefined) {
    this.order = order
    this.#column = column
    this.#test = test
    const { low, high } = test
    const within = (row: number): boolean => !Number.isNaN(column.nearest[row])
    const tooLow = (row: number): boolean => low !== null && !column.isAbove(row, low)
    const tooHigh = (row: number): boolean => high !== null && !column.isBelow(row, high)
    if (order === undefined) {
      this.from = 0
      this.to = living.size
    } else {
      const [before, after] = order.descending ? [tooHigh, tooLow] : [tooLow, tooHigh]
      this.from = order.rows.rank((row) => within(row) && before(row))
      this.to = Math.max(
        this.from,
        order.rows.rank((row) => within(row) && !after(row)),
      )
    }
    this.estimate = Math.min(living.size, this.to - this.from + column.extras.size)
  }

  /** True if the estimate equals the number of rows. */
  get exact(): boolean {
    return this.order !== undefined && this.#column.extras.size === 0
  }

  get listed(): boolean {
    return this.order !== undefined
  }

  has(row: number): boolean {
    return this.#column.within(row, this.#test)
  }

  /** Sorted by the order, unless rows hold more than one number. */
  *list(): SlicedJob<Uint32Array> {
    if (this.order === undefined) return (yield* this.bits()).rows()
    const rows = this.order.rows.slice(this.from, this.to)
    if (this.#column.extras.size === 0) return rows
    const { low, high } = this.#test
    const more: number[] = []
    for (const row of this.#column.extras.keys())
      if (!this.#column.mainWithin(row, low, high) && this.has(row)) more.push(row)
    yield
    const all = new Uint32Array(rows.length + more.length)
    all.set(rows)
    all.set(more, rows.length)
    return all
  }

  bits(): SlicedJob<Bits> {
    return this.#column.bitsWithin(this.#test)
  }
}

export class NumberlessRows implements RowSet {
  readonly listed = false
  readonly estimate: number
  readonly #living: LiveRows
  readonly #column: NumberColumn

  constructor(living: LiveRows, column: NumberColumn) {
    this.#living = living
    this.#column = column
    this.estimate = living.size
  }

  has(row: number): boolean {
    return this.#column.isNull(row)
  }

  *list(): SlicedJob<Uint32Array> {
    return (yield* this.bits()).rows()
  }

  /** Free rows hold no number either; intersecting with the live rows removes them. */
  *bits(): SlicedJob<Bits> {
    const bits = yield* bitsWhere(this.#living.end, (row) => this.has(row))
    bits.and(this.#living.live)
    return bits
  }
}
