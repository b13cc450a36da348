// Columns: the values of one field for all records of a table, in a form that is fast to test and compare.
import { NumberColumn } from './number-column.ts'
import { NumberlessRows, RangeRows, type ByNumber } from './number-rows.ts'
import type { Field, FieldType } from './field.ts'
import { isOrdered } from './quantity.ts'
import { Complement, type LiveRows, type RowSet } from './row-set.ts'
import type { SlicedJob } from './slices.ts'
import type { Test } from './test.ts'
import { TextColumn } from './text-column.ts'
import { textRows } from './text-rows.ts'

export type Column = TextColumn | NumberColumn

export interface HeldColumn<Record> {
  readonly field: Field<Record>
  readonly column: Column
  /** True when every row has been added. */
  filled: boolean
  usedAtMs: number
}

export function columnOf(type: FieldType): Column {
  return isOrdered(type) ? new NumberColumn(type) : new TextColumn()
}

/** @param order the rows sorted by this column first, if such an order is maintained */
export function* rowsPassing(
  living: LiveRows,
  column: Column,
  test: Test,
  order: ByNumber | undefined,
): SlicedJob<RowSet> {
  const rows =
    column instanceof TextColumn ? yield* textRows(column, textual(test)) : numberRows(living, column, test, order)
  if (!test.negated) return rows
  return new Complement(living, rows, rows instanceof NumberlessRows ? false : rows.exact)
}

function numberRows(
  living: LiveRows,
  column: NumberColumn,
  test: Test,
  order: ByNumber | undefined,
): RangeRows | NumberlessRows {
  return test.kind === 'range' ? new RangeRows(living, column, test, order) : new NumberlessRows(living, column)
}

function textual(test: Test): Exclude<Test, { readonly kind: 'range' }> {
  if (test.kind === 'range') throw new Error('a text column supports no ranges')
  return test
}
