// Rows whose number lies between bounds, or that have none.
import type { Bits } from './bits.ts'
import type { NumberColumn } from './number-column.ts'
import type { OrderedRows } from './ordered-rows.ts'
import { bitsWhere, type Living, type RowSet } from './row-set.ts'
import type { Job } from './slices.ts'
import type { RangeTest } from './test.ts'

export class RangeRows implements RowSet {
  readonly estimate: number
  readonly #column: NumberColumn
  readonly #test: RangeTest
  readonly #order: OrderedRows | undefined
  readonly #from: number
  readonly #to: number

  /** @param order the rows by this column ascending, when they are kept so */
  constructor(living: Living, column: NumberColumn, test: RangeTest, order: OrderedRows | undefined) {
    this.#column = column
    this.#test = test
    this.#order = order
    const { low, high } = test
    if (order === undefined) {
      this.#from = 0
      this.#to = living.size
    } else {
      this.#from = low === null ? 0 : order.rank((row) => !Number.isNaN(column.nearest[row]) && !column.isAbove(row, low))
      this.#to = Math.max(
        this.#from,
        order.rank((row) => !Number.isNaN(column.nearest[row]) && (high === null || column.isBelow(row, high))),
      )
    }
    this.estimate = Math.min(living.size, this.#to - this.#from + column.extras.size)
  }

  /** The estimate is the number of rows. */
  get exact(): boolean {
    return this.#order !== undefined && this.#column.extras.size === 0
  }

  has(row: number): boolean {
    return this.#column.within(row, this.#test)
  }

  *list(): Job<Uint32Array> {
    if (this.#order === undefined) return (yield* this.bits()).rows()
    const rows = this.#order.slice(this.#from, this.#to)
    if (this.#column.extras.size === 0) return rows
    const { low, high } = this.#test
    const more: number[] = []
    for (const row of this.#column.extras.keys()) if (!this.#column.mainWithin(row, low, high) && this.has(row)) more.push(row)
    yield
    const all = new Uint32Array(rows.length + more.length)
    all.set(rows)
    all.set(more, rows.length)
    return all
  }

  bits(): Job<Bits> {
    return this.#column.bitsWithin(this.#test)
  }
}

export class NumberlessRows implements RowSet {
  readonly estimate: number
  readonly #living: Living
  readonly #column: NumberColumn

  constructor(living: Living, column: NumberColumn) {
    this.#living = living
    this.#column = column
    this.estimate = living.size
  }

  has(row: number): boolean {
    return this.#column.isNull(row)
  }

  *list(): Job<Uint32Array> {
    return (yield* this.bits()).rows()
  }

  /** Where there is no record, there is no number either. */
  *bits(): Job<Bits> {
    const bits = yield* bitsWhere(this.#living.end, (row) => this.has(row))
    bits.and(this.#living.live)
    return bits
  }
}
