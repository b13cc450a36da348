// A column of numbers or timestamps: the nearest double of each value (8 bytes per row), plus the exact values of those
// few with more digits than a double preserves.
import { Bits } from './bits.ts'
import type { FieldType, FieldValue } from './field.ts'
import {
  compareExact,
  compareQuantities,
  exactOf,
  plainNumber,
  quantity,
  type Exact,
  type Quantity,
} from './quantity.ts'
import type { Bound, RangeTest } from './test.ts'
import type { SlicedJob } from './slices.ts'

const BLOCK = 16_384

export class NumberColumn {
  /** NaN for null and for free rows. */
  nearest = new Float64Array(0)
  /** Exact values of the rows that need them. */
  readonly long = new Map<number, Exact>()
  /** Further members of rows with more than one number. */
  readonly extras = new Map<number, readonly Quantity[]>()
  readonly #type: FieldType

  constructor(type: FieldType) {
    this.#type = type
  }

  put(row: number, values: readonly FieldValue[]): void {
    if (row >= this.nearest.length) this.#lengthen(row)
    if (this.long.size > 0) this.long.delete(row)
    if (this.extras.size > 0) this.extras.delete(row)
    const first = values[0] ?? null
    const plain = plainNumber(this.#type, first)
    if (plain !== undefined) this.nearest[row] = plain
    else {
      const { nearest, exact } = quantity(this.#type, first)!
      this.nearest[row] = nearest
      this.long.set(row, exact)
    }
    if (values.length === 1) return
    const others = values.slice(1).flatMap((value) => quantity(this.#type, value) ?? [])
    if (others.length > 0) this.extras.set(row, others)
  }

  clear(row: number): void {
    this.nearest[row] = Number.NaN
    this.long.delete(row)
    this.extras.delete(row)
  }

  compare(left: number, right: number, descending: boolean): number {
    const a = this.nearest[left]!
    const b = this.nearest[right]!
    if (a < b) return descending ? 1 : -1
    if (a > b) return descending ? -1 : 1
    if (a === b) {
      if (this.long.size === 0 || !(this.long.has(left) || this.long.has(right))) return 0
      const order = compareExact(this.#exact(left), this.#exact(right))
      return descending ? -order : order
    }
    // At least one is NaN.
    return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  }

  /** A copy that compares the rows it has taken by their values at that time. */
  copyFor(end: number): Pick<NumberColumn, 'compare'> & { take(from: number, to: number): void } {
    const copy = new NumberColumn(this.#type)
    copy.nearest = new Float64Array(end)
    return {
      compare: (left, right, descending) => copy.compare(left, right, descending),
      take: (from, to) => {
        copy.nearest.fill(Number.NaN, from, to).set(this.nearest.subarray(from, to), from)
        if (this.long.size === 0) return
        for (let row = from; row < to; row += 1) if (this.long.has(row)) copy.long.set(row, this.long.get(row)!)
      },
    }
  }

  isNull(row: number): boolean {
    return Number.isNaN(this.nearest[row]) && !this.extras.has(row)
  }

  /** Compares the first member of a row with a value; null sorts after every value. */
  compareTo(row: number, value: Quantity): number {
    const nearest = this.nearest[row]!
    if (nearest < value.nearest) return -1
    if (nearest > value.nearest || Number.isNaN(nearest)) return 1
    if (!value.long && !this.long.has(row)) return 0
    return compareExact(this.#exact(row), value.exact)
  }

  within(row: number, { low, high }: RangeTest): boolean {
    if (this.mainWithin(row, low, high)) return true
    return this.extras.size > 0 && (this.extras.get(row)?.some((value) => between(value, low, high)) ?? false)
  }

  mainWithin(row: number, low: Bound | null, high: Bound | null): boolean {
    if (Number.isNaN(this.nearest[row])) return false
    return (low === null || this.isAbove(row, low)) && (high === null || this.isBelow(row, high))
  }

  isAbove(row: number, { value, included }: Bound): boolean {
    const order = this.compareTo(row, value)
    return included ? order >= 0 : order > 0
  }

  isBelow(row: number, { value, included }: Bound): boolean {
    const order = this.compareTo(row, value)
    return included ? order <= 0 : order < 0
  }

  /** Bitmap of the rows within the range. */
  *bitsWithin(test: RangeTest): SlicedJob<Bits> {
    const { low, high } = test
    const bits = new Bits(this.nearest.length)
    const plain = this.long.size === 0 && low?.value.long !== true && high?.value.long !== true
    for (let from = 0; from < this.nearest.length; from += BLOCK) {
      const end = Math.min(from + BLOCK, this.nearest.length)
      if (plain) this.#markPlain(from, end, test, bits.words)
      else for (let row = from; row < end; row += 1) if (this.mainWithin(row, low, high)) bits.add(row)
      yield
    }
    for (const row of this.extras.keys()) if (this.within(row, test)) bits.add(row)
    return bits
  }

  #markPlain(from: number, end: number, { low, high }: RangeTest, words: Uint32Array): void {
    const { nearest } = this
    const least = low?.value.nearest ?? Number.NEGATIVE_INFINITY
    const most = high?.value.nearest ?? Number.POSITIVE_INFINITY
    const withLeast = low?.included ?? true
    const withMost = high?.included ?? true
    for (let row = from; row < end; row += 1) {
      const value = nearest[row]!
      const passes = (withLeast ? value >= least : value > least) && (withMost ? value <= most : value < most)
      words[row >>> 5]! |= (passes ? 1 : 0) << (row & 31)
    }
  }

  #exact(row: number): Exact {
    return this.long.get(row) ?? exactOf(this.nearest[row]!)
  }

  #lengthen(row: number): void {
    const grown = new Float64Array(Math.max(row + 1, Math.ceil(this.nearest.length * 1.5))).fill(
      Number.NaN,
      this.nearest.length,
    )
    grown.set(this.nearest)
    this.nearest = grown
  }
}

function between(value: Quantity, low: Bound | null, high: Bound | null): boolean {
  const above = low === null ? 1 : compareQuantities(value, low.value)
  const below = high === null ? -1 : compareQuantities(value, high.value)
  return (
    (above > 0 || (above === 0 && low?.included === true)) && (below < 0 || (below === 0 && high?.included === true))
  )
}
