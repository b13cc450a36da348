// The records of a table, one per row: lookup by id, and comparison by id that rarely reads the ids.
import { Bits } from './bits.ts'
import { compareText } from './quantity.ts'
import type { LiveRows } from './row-set.ts'
import { TextIndex } from '../index/text-index.ts'

export class Rows<Record> implements LiveRows {
  readonly records: (Record | undefined)[] = []
  readonly live = new Bits(0)
  size = 0
  #idKeys = new Float64Array(16)
  readonly #idOf: (record: Record) => string
  readonly #index: TextIndex
  readonly #free: number[] = []

  constructor(idOf: (record: Record) => string) {
    this.#idOf = idOf
    this.#index = new TextIndex((row, id) => idOf(this.records[row]!) === id)
  }

  get end(): number {
    return this.records.length
  }

  rowOf(id: string): number | undefined {
    return this.#index.find(id)
  }

  /** Returns the row of the record; its id must not be present. */
  add(record: Record): number {
    const row = this.#free.pop() ?? this.records.length
    const id = this.#idOf(record)
    this.records[row] = record
    if (row >= this.#idKeys.length) {
      const grown = new Float64Array(Math.ceil(this.#idKeys.length * 1.5))
      grown.set(this.#idKeys)
      this.#idKeys = grown
    }
    this.#idKeys[row] = idKey(id)
    this.#index.add(id, row)
    this.live.add(row)
    this.size += 1
    return row
  }

  remove(row: number): void {
    this.#index.delete(this.#idOf(this.records[row]!), row)
    this.records[row] = undefined
    this.live.delete(row)
    this.#free.push(row)
    this.size -= 1
  }

  /** Order by id. Two different rows never compare as equal. */
  readonly compareIds = (left: number, right: number): number => {
    const difference = this.#idKeys[left]! - this.#idKeys[right]!
    return difference === 0 ? this.#compareTexts(this.records, left, right) : difference
  }

  /** A copy that compares the rows it has taken by their ids at that time. */
  copyOfIds(): { readonly compare: (left: number, right: number) => number; take(from: number, to: number): void } {
    const keys = new Float64Array(this.end)
    const records: (Record | undefined)[] = []
    return {
      compare: (left, right) => {
        const difference = keys[left]! - keys[right]!
        return difference === 0 ? this.#compareTexts(records, left, right) : difference
      },
      take: (from, to) => {
        keys.set(this.#idKeys.subarray(from, to), from)
        for (let row = from; row < to; row += 1) records.push(this.records[row])
      },
    }
  }

  #compareTexts(records: readonly (Record | undefined)[], left: number, right: number): number {
    return left === right ? 0 : compareText(this.#idOf(records[left]!), this.#idOf(records[right]!))
  }
}

const SYMBOLS = 21
const KEPT = 12
/**
 * Symbol of each ASCII character. Symbols 0, 2, 13 and 20 stand for several characters (0 also for the end): a key ends
 * after them.
 */
const PLACES = Uint8Array.from({ length: 128 }, (_, unit) => {
  if (unit < 45) return 0
  if (unit === 45) return 1
  if (unit < 48) return 2
  if (unit < 58) return unit - 45
  if (unit < 97) return 13
  return unit < 103 ? unit - 83 : 20
})

/**
 * The first twelve characters of an id as a number that is monotonic in the id. UUIDs, which have eleven hexadecimal
 * digits there, nearly always differ in it. 21 to the power of 12 is below 2^53.
 */
function idKey(id: string): number {
  let key = 0
  let counts = true
  for (let at = 0; at < KEPT; at += 1) {
    const unit = counts && at < id.length ? id.charCodeAt(at) : 0
    const place = unit > 127 ? 20 : PLACES[unit]!
    key = key * SYMBOLS + place
    if (place === 0 || place === 2 || place === 13 || place === 20) counts = false
  }
  return key
}
