// Sorts rows by columns, then by id. The table changes while the sort runs, so the sort works on copies taken block by
// block; the caller inserts the rows that changed since.
import type { Column } from './column.ts'
import { FIRST_CODE } from './dictionary.ts'
import { NumberColumn } from './number-column.ts'
import { compareText } from './quantity.ts'
import type { Rows } from './rows.ts'
import type { SlicedJob } from './slices.ts'
import { firstRows, sortRows, type CompareRows } from './sorting.ts'
import { TextColumn } from './text-column.ts'

export interface OrderKey {
  readonly column: Column
  readonly descending: boolean
}

const ROWS_PER_COPY = 8_192
/** Up to this number of rows, their numbers are read at once. */
const MAX_READ_AT_ONCE = 4_096

type CompareInOrder = (left: number, right: number, descending: boolean) => number

/** Compares rows by their present values. */
export function comparerOf(keys: readonly OrderKey[], compareIds: CompareRows): CompareRows {
  return combined(
    keys.map(({ column, descending }) => ({
      compare: (left, right) => column.compare(left, right, descending),
      descending,
    })),
    compareIds,
  )
}

/**
 * The first `count` of the rows, in order. The numbers of few rows are read before they are compared: in a large table
 * each is a miss of the processor's cache, and it waits for many of them at the same time.
 */
export function* firstInOrder(
  keys: readonly OrderKey[],
  compareIds: CompareRows,
  rows: Uint32Array,
  count: number,
): SlicedJob<Uint32Array> {
  const compare = comparerOf(keys, compareIds)
  const [first] = keys
  if (first === undefined || !(first.column instanceof NumberColumn) || rows.length > MAX_READ_AT_ONCE)
    return yield* firstRows(rows, count, compare)
  const { nearest } = first.column
  const [places, values] = [new Uint32Array(rows.length), new Float64Array(rows.length)]
  for (let at = 0; at < rows.length; at += 1) {
    places[at] = at
    values[at] = first.descending ? -nearest[rows[at]!]! : nearest[rows[at]!]!
  }
  // A difference that is zero or not a number, as with nulls, decides nothing.
  const byValue = (left: number, right: number): number =>
    values[left]! - values[right]! || compare(rows[left]!, rows[right]!)
  return (yield* firstRows(places, count, byValue)).map((place) => rows[place]!)
}

/**
 * Rows sorted by their copied values. Rows that changed since the first step may be anywhere in the result, or missing.
 */
export function* sortedCopy<Record>(keys: readonly OrderKey[], rows: Rows<Record>): SlicedJob<Uint32Array> {
  const { end } = rows
  const copies = keys.map(({ column }) => copyOf(column, end))
  const ids = rows.copyOfIds()
  const all = new Uint32Array(end)
  let count = 0
  for (let from = 0; from < end; from += ROWS_PER_COPY) {
    const to = Math.min(end, from + ROWS_PER_COPY)
    for (let row = from; row < to; row += 1) {
      if (!rows.live.has(row)) continue
      all[count] = row
      count += 1
    }
    for (const copy of copies) copy.take(from, to)
    ids.take(from, to)
    yield
  }
  const compares: { compare: CompareInOrder; descending: boolean }[] = []
  for (const [index, { descending }] of keys.entries())
    compares.push({ compare: yield* copies[index]!.comparer(), descending })
  return yield* sortRows(all.subarray(0, count), combined(compares, ids.compare))
}

function combined(
  keys: readonly { compare: CompareInOrder; descending: boolean }[],
  compareIds: CompareRows,
): CompareRows {
  const [first, ...others] = keys
  if (first === undefined) return compareIds
  const { compare, descending } = first
  if (others.length === 0) return (left, right) => compare(left, right, descending) || compareIds(left, right)
  const rest = combined(others, compareIds)
  return (left, right) => compare(left, right, descending) || rest(left, right)
}

/** The values of a column at the time they were copied, for comparison. */
interface Copy {
  take(from: number, to: number): void
  comparer(): SlicedJob<CompareInOrder>
}

function copyOf(column: Column, end: number): Copy {
  if (column instanceof NumberColumn) {
    const copy = column.copyFor(end)
    return {
      take: (from, to) => copy.take(from, to),
      *comparer() {
        yield
        return (left, right, descending) => copy.compare(left, right, descending)
      },
    }
  }
  const codes = new Uint32Array(end)
  return {
    take: (from, to) => codes.set(column.codes.subarray(from, to), from),
    *comparer() {
      const ranks = yield* ranksOf(column)
      return (left, right, descending) => {
        const a = codes[left]!
        const b = codes[right]!
        if (a === b) return 0
        if (a < FIRST_CODE || b < FIRST_CODE) return Number(a < FIRST_CODE) - Number(b < FIRST_CODE)
        return descending ? ranks[b]! - ranks[a]! : ranks[a]! - ranks[b]!
      }
    },
  }
}

const TEXTS_PER_YIELD = 1_024

/** Rank of each text of a column among all its texts. */
function* ranksOf({ dictionary: { texts } }: TextColumn): SlicedJob<Uint32Array> {
  const end = texts.length
  let common = texts[FIRST_CODE]?.length ?? 0
  for (let code = FIRST_CODE; code < end && common > 0; code += 1) {
    common = commonStart(texts[FIRST_CODE]!, texts[code]!, common)
    if (code % TEXTS_PER_YIELD === 0) yield
  }
  const keys = new Float64Array(end)
  for (let code = FIRST_CODE; code < end; code += 1) {
    keys[code] = asciiKey(texts[code]!, common)
    if (code % TEXTS_PER_YIELD === 0) yield
  }
  const codes = new Uint32Array(end - FIRST_CODE)
  for (let at = 0; at < codes.length; at += 1) codes[at] = at + FIRST_CODE
  yield
  yield* sortRows(codes, (left, right) => keys[left]! - keys[right]! || compareText(texts[left]!, texts[right]!))
  const ranks = new Uint32Array(end)
  for (let at = 0; at < codes.length; at += 1) ranks[codes[at]!] = at
  return ranks
}

function commonStart(one: string, other: string, atMost: number): number {
  const end = Math.min(atMost, other.length)
  let at = 0
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at += 1
  return at
}

/**
 * Seven ASCII characters as a number that is monotonic in the text; a non-ASCII character counts as the highest symbol
 * and ends the key.
 */
function asciiKey(text: string, from: number): number {
  let key = 0
  let counts = true
  for (let at = from; at < from + 7; at += 1) {
    const symbol = counts && at < text.length ? Math.min(127, text.charCodeAt(at) + 1) : 0
    key = key * 128 + symbol
    if (symbol === 127) counts = false
  }
  return key
}
