// Evaluates one query on one table: finds the matching rows, most selective filter first, and sorts the requested page
// with the cheapest of the available orders.
import { Bits } from './bits.ts'
import { rowsPassing } from './column.ts'
import type { CompiledQuery, FilterEntry, SortKey } from './compile.ts'
import { readFieldValues, type Field } from './field.ts'
import { NumberColumn } from './number-column.ts'
import { RangeRows, type ByNumber } from './number-rows.ts'
import type { OrderedRows } from './ordered-rows.ts'
import { comparable, compareKeys, compareText } from './quantity.ts'
import { Union, type RowSet } from './row-set.ts'
import type { SlicedJob } from './slices.ts'
import type { Table } from './table.ts'
import { MIN_UNITS } from './trigrams.ts'

const ROWS_PER_YIELD = 4_096
/** Rows of an order that can be skipped in the time of one comparison. */
const PASSED_PER_COMPARISON = 8

export interface QueryPage<Record> {
  /** Number of matching rows. */
  readonly count: number
  readonly records: readonly Record[]
}

/** The matching rows: all live rows, a range of positions in an order, a list, or a bitmap. */
type Matches =
  | { readonly kind: 'all'; readonly count: number }
  | { readonly kind: 'places'; readonly count: number; readonly order: OrderedRows; readonly from: number }
  /** `order`: the list is sorted in this order. */
  | {
      readonly kind: 'list'
      readonly count: number
      readonly rows: Uint32Array
      readonly order?: OrderedRows | undefined
    }
  | { readonly kind: 'bits'; readonly count: number; readonly bits: Bits }

/**
 * The table must be held during the evaluation, and the columns of the entries filled. Returns null if the columns of
 * the sort keys have to be filled first.
 *
 * @param skip
 * @param limit the requested part of the matching rows, in order
 */
export function* evaluate<Record>(
  table: Table<Record>,
  query: CompiledQuery<Record>,
  skip: number,
  limit: number,
): SlicedJob<QueryPage<Record> | null> {
  const matches = yield* matching(table, query)
  const { count } = matches
  const end = Math.min(count, skip + limit)
  if (skip >= end) return { count, records: [] }
  const few = count <= table.tuning.fewRows
  if (few && !table.compares(query.keys)) {
    return { count, records: sortedRecords(table, listOf(table, matches), query.keys).slice(skip, end) }
  }
  const rows = yield* inOrder(table, query.keys, matches, { skip, end })
  return rows === null ? null : { count, records: recordsAt(table, rows) }
}

/** A loop, because `Array.from` takes several times longer. */
function recordsAt<Record>({ rows: { records } }: Table<Record>, rows: Uint32Array): Record[] {
  const result: Record[] = []
  for (let at = 0; at < rows.length; at += 1) result.push(records[rows[at]!]!)
  return result
}

function* matching<Record>(table: Table<Record>, { entries, keys }: CompiledQuery<Record>): SlicedJob<Matches> {
  const { rows, tuning } = table
  const sets: RowSet[] = []
  for (const entry of entries) sets.push(...(yield* setsOf(table, entry, keys)))
  const [tightest, ...others] = sets.sort((a, b) => a.estimate - b.estimate)
  if (tightest === undefined) return { kind: 'all', count: rows.size }
  if (tightest.estimate === 0) return { kind: 'list', count: 0, rows: new Uint32Array(0) }
  const range = tightest instanceof RangeRows && tightest.exact ? tightest : undefined
  const order = range?.order?.rows
  if (range !== undefined && order !== undefined && others.length === 0) {
    return { kind: 'places', count: range.estimate, order, from: range.from }
  }
  if (tightest.listed && tightest.estimate * tuning.loose < rows.size) {
    const passing = yield* passingAll(yield* tightest.list(), others)
    return { kind: 'list', count: passing.length, rows: passing, order }
  }
  const first = yield* tightest.bits()
  if (others.length === 0) return { kind: 'bits', count: first.size, bits: first }
  const bits = first.copy()
  for (const other of others) {
    bits.and(yield* other.bits())
    yield
  }
  return { kind: 'bits', count: bits.size, bits }
}

/** Sets whose intersection is the result: one set per entry, or one per test where all tests of the entry must pass. */
function* setsOf<Record>(
  table: Table<Record>,
  { field, any, tests }: FilterEntry<Record>,
  keys: readonly SortKey<Record>[],
): SlicedJob<RowSet[]> {
  const column = table.column(field)
  const ranges = column instanceof NumberColumn && tests.some(({ kind }) => kind === 'range')
  const order = ranges ? orderBy(table, field, keys) : undefined
  const sets: RowSet[] = []
  for (const test of tests) {
    if (test.kind === 'like' && test.piece.length >= MIN_UNITS && !(column instanceof NumberColumn))
      table.wantTrigrams(column)
    sets.push(yield* rowsPassing(table.rows, column, test, order))
  }
  return any ? [new Union(table.rows, sets)] : sets
}

/**
 * The order by the query's keys if the field is its first key; a range test is then a contiguous piece of the result.
 */
function orderBy<Record>(
  table: Table<Record>,
  field: Field<Record>,
  keys: readonly SortKey<Record>[],
): ByNumber | undefined {
  const suits = keys[0]?.field === field
  const rows = table.order(suits ? keys : [{ field, descending: false }])
  return rows === undefined ? undefined : { rows, descending: suits && keys[0]!.descending }
}

function* passingAll(rows: Uint32Array, sets: readonly RowSet[]): SlicedJob<Uint32Array> {
  const passing = new Uint32Array(rows.length)
  let filled = 0
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!
    if (sets.every((set) => set.has(row))) {
      passing[filled] = row
      filled += 1
    }
    if (at % ROWS_PER_YIELD === 0) yield
  }
  return passing.subarray(0, filled)
}

/** Rows at the positions `skip` to `end` of the result. null: the columns of the keys are not filled. */
function* inOrder<Record>(
  table: Table<Record>,
  keys: readonly SortKey<Record>[],
  matches: Matches,
  { skip, end }: { readonly skip: number; readonly end: number },
): SlicedJob<Uint32Array | null> {
  const { count } = matches
  const order = table.order(keys)
  if (order !== undefined && matches.kind === 'all') return order.slice(skip, end)
  if (order !== undefined && 'order' in matches && matches.order === order) {
    return matches.kind === 'places'
      ? order.slice(matches.from + skip, matches.from + end)
      : matches.rows.subarray(skip, end)
  }
  // Walking an order also passes rows that do not match; selecting compares all rows that match.
  if (order !== undefined && (end * table.rows.size) / count < count * PASSED_PER_COMPARISON) {
    const bits = matches.kind === 'bits' ? matches.bits : bitsOf(table, listOf(table, matches))
    return yield* order.among(bits, skip, end - skip)
  }
  if (!table.compares(keys)) return null
  return (yield* table.first(listOf(table, matches), end, keys)).subarray(skip)
}

function listOf<Record>(table: Table<Record>, matches: Matches): Uint32Array {
  if (matches.kind === 'list') return matches.rows
  if (matches.kind === 'places') return matches.order.slice(matches.from, matches.from + matches.count)
  return (matches.kind === 'bits' ? matches.bits : table.rows.live).rows()
}

function bitsOf<Record>(table: Table<Record>, rows: Uint32Array): Bits {
  const bits = new Bits(table.rows.end)
  for (let at = 0; at < rows.length; at += 1) bits.add(rows[at]!)
  return bits
}

/** Compares values read from the records: no column is built for a few rows. */
function sortedRecords<Record>(table: Table<Record>, rows: Uint32Array, keys: readonly SortKey<Record>[]): Record[] {
  const records = Array.from(rows, (row) => table.rows.records[row]!)
  return records
    .map((record) => withSortKeys(table.resource.id(record), record, keys))
    .sort(compareKeyed(keys))
    .map(({ record }) => record)
}

/** The values that determine the position of a record. */
export interface SortedRecord {
  readonly id: string
  readonly values: readonly ReturnType<typeof comparable>[]
}

export interface KeyedRecord<Record> extends SortedRecord {
  readonly record: Record
}

export function withSortKeys<Record>(
  id: string,
  record: Record,
  keys: readonly SortKey<Record>[],
): KeyedRecord<Record> {
  return {
    record,
    id,
    values: keys.map(({ field }) => comparable(field.type, readFieldValues(field, record)[0] ?? null)),
  }
}

/** Sort keys in order, then the id ascending; nulls last in both directions. */
export function compareKeyed<Record>(
  keys: readonly SortKey<Record>[],
): (left: SortedRecord, right: SortedRecord) => number {
  return (left, right) => {
    for (let index = 0; index < keys.length; index += 1) {
      const difference = compareKeys(left.values[index]!, right.values[index]!, keys[index]!.descending)
      if (difference !== 0) return difference
    }
    return compareText(left.id, right.id)
  }
}
