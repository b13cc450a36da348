// An order of rows: by columns, then by id. While it is being made the table changes: it is made of the rows as they were, and those
// that changed since are put into their places at the end.
import type { Column } from './column.ts'
import { FIRST_CODE } from './dictionary.ts'
import { NumberColumn } from './number-column.ts'
import { OrderedRows } from './ordered-rows.ts'
import { compareText } from './quantity.ts'
import type { Rows } from './rows.ts'
import type { Job } from './slices.ts'
import { sortRows, type CompareRows } from './sorting.ts'
import { TextColumn } from './text-column.ts'

export interface OrderKey {
  readonly column: Column
  readonly descending: boolean
}

type CompareInOrder = (left: number, right: number, descending: boolean) => number

/** Compares rows as they are at the time. */
export function comparerOf(keys: readonly OrderKey[], compareIds: CompareRows): CompareRows {
  return combined(
    keys.map(({ column, descending }) => ({ compare: (left, right) => column.compare(left, right, descending), descending })),
    compareIds,
  )
}

/** @param touched takes every row that changes, comes or goes from the first step on */
export function* makeOrder<Record>(keys: readonly OrderKey[], rows: Rows<Record>, touched: ReadonlySet<number>): Job<OrderedRows> {
  const all = rows.live.rows()
  const frozen = keys.map(({ column }) => frozenCopy(column))
  const compareIds = rows.frozenIds()
  yield
  const compares: { compare: CompareInOrder; descending: boolean }[] = []
  for (const [index, { descending }] of keys.entries()) compares.push({ compare: yield* frozen[index]!.comparer(), descending })
  const sorted = yield* sortRows(all, combined(compares, compareIds))
  const order = new OrderedRows(touched.size === 0 ? sorted : without(sorted, touched), comparerOf(keys, rows.compareIds))
  for (const row of touched) if (rows.live.has(row)) order.insert(row)
  return order
}

function without(rows: Uint32Array, left: ReadonlySet<number>): Uint32Array {
  let kept = 0
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!
    if (left.has(row)) continue
    rows[kept] = row
    kept += 1
  }
  return rows.subarray(0, kept)
}

function combined(keys: readonly { compare: CompareInOrder; descending: boolean }[], compareIds: CompareRows): CompareRows {
  const [first, ...others] = keys
  if (first === undefined) return compareIds
  const { compare, descending } = first
  if (others.length === 0) return (left, right) => compare(left, right, descending) || compareIds(left, right)
  const rest = combined(others, compareIds)
  return (left, right) => compare(left, right, descending) || rest(left, right)
}

/** What is needed to compare the rows of a column as they are now; ready when the job is done, which may begin later. */
function frozenCopy(column: Column): { comparer(): Job<CompareInOrder> } {
  if (column instanceof NumberColumn) {
    const copy = column.frozen()
    return {
      *comparer() {
        yield
        return (left, right, descending) => copy.compare(left, right, descending)
      },
    }
  }
  const codes = column.codes.slice()
  return {
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

/** Place of each text of a column among all of them. */
function* ranksOf({ dictionary: { texts } }: TextColumn): Job<Uint32Array> {
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

/** Seven ASCII characters as a number that never falls while texts rise; what is no ASCII ends it, as the last symbol. */
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
