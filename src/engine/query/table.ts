// The records of one part, with the columns and orders that queries have needed. Changes apply at once and in order;
// while a query reads over several turns they wait, so that every answer reflects one committed state.
import { columnOf, type HeldColumn } from './column.ts'
import { readFieldValues, type Field, type FieldValue, type Resource } from './field.ts'
import type { OrderedRows } from './ordered-rows.ts'
import { Orders, type HeldOrder } from './orders.ts'
import type { SortKey } from './compile.ts'
import { Rows } from './rows.ts'
import type { SlicedJob, SliceClock, Slices } from './slices.ts'
import { TextColumn } from './text-column.ts'
import { Trigrams } from './trigrams.ts'
import { FIRST_CODE } from './dictionary.ts'
import type { Tuning } from './tuning.ts'

const ROWS_PER_YIELD = 256
const CHANGES_PER_YIELD = 32

export interface TableDependencies {
  readonly clock: SliceClock
  /** Runs the building of indexes while queries continue. */
  readonly slices: Slices
  readonly tuning: Tuning
  /** Called when a deferred change did not fit: the table is unusable. */
  readonly fault: () => void
}

export class Table<Record> {
  readonly resource: Resource<Record>
  readonly rows: Rows<Record>
  readonly tuning: Tuning
  readonly #deps: TableDependencies
  readonly #columns = new Map<string, HeldColumn<Record>>()
  readonly #orders: Orders<Record>
  /** Number of queries in progress over several turns. */
  #readers = 0
  readonly #waiting: (() => void)[] = []
  #drains = false
  /** The error of a change that could not be applied. */
  #broken: unknown

  constructor(resource: Resource<Record>, deps: TableDependencies) {
    this.resource = resource
    this.rows = new Rows((record) => resource.id(record))
    this.tuning = deps.tuning
    this.#deps = deps
    this.#orders = new Orders(this.rows, deps, (field) => this.#columns.get(field.name)?.column)
  }

  /** Applies a new record, or a new state of one. */
  put(record: Record): void {
    this.#whenUnread(() => this.#put(record))
  }

  /** Adds a record unless it is present; the present state is at least as new. */
  add(record: Record): void {
    this.#whenUnread(() => {
      if (this.rows.rowOf(this.resource.id(record)) === undefined) this.#add(record)
    })
  }

  remove(id: string): void {
    this.#whenUnread(() => this.#remove(id))
  }

  /** True while changes wait for readers: a read now would miss them. Throws if a change could not be applied. */
  get lagging(): boolean {
    if (this.#broken !== undefined) throw new Error('a change did not fit its table', { cause: this.#broken })
    return this.#waiting.length > 0
  }

  /** Defers all changes until the matching number of `release` calls. */
  hold(): void {
    this.#readers += 1
  }

  release(): void {
    this.#readers -= 1
    if (this.#readers > 0 || this.#waiting.length === 0 || this.#drains) return
    this.#drains = true
    this.#deps.slices.run(this.#drain()).catch((error: unknown) => {
      this.#broken = error
      this.#deps.fault()
    })
  }

  /** Nothing reads meanwhile: queries wait while `lagging`. */
  *#drain(): SlicedJob<void> {
    for (;;) {
      for (const change of this.#waiting.slice(0, CHANGES_PER_YIELD)) change()
      this.#waiting.splice(0, CHANGES_PER_YIELD)
      if (this.#waiting.length === 0) break
      yield
    }
    this.#drains = false
  }

  /** Ensures that the columns are filled. A sweep may drop them again before the calling job continues. */
  *fill(fields: Iterable<Field<Record>>): SlicedJob<void> {
    for (const field of fields) {
      let held = this.#columns.get(field.name)
      if (held === undefined) {
        held = { field, column: columnOf(field.type), filled: false, usedAtMs: this.#deps.clock.elapsed() }
        this.#columns.set(field.name, held)
        yield* this.#fillColumn(held)
      }
      // Another job fills the column. If it fails, the column is removed, and the next query that needs it starts
      // again.
      while (!held.filled && this.#columns.get(field.name) === held) yield 'waiting'
    }
  }

  /** True if all of these columns are filled. They stay filled while the table is held. */
  isFilled(fields: readonly Field<Record>[]): boolean {
    return fields.every(({ name }) => this.#columns.get(name)?.filled === true)
  }

  /** The column must be filled. */
  column(field: Field<Record>): HeldColumn<Record>['column'] {
    const held = this.#columns.get(field.name)
    if (held?.filled !== true) throw new Error(`column ${field.name} is not filled`)
    held.usedAtMs = this.#deps.clock.elapsed()
    return held.column
  }

  compares(keys: readonly SortKey<Record>[]): boolean {
    return this.isFilled(keys.map(({ field }) => field))
  }

  /** The first `count` of these rows, by these keys, whose columns must be filled. */
  *first(rows: Uint32Array, count: number, keys: readonly SortKey<Record>[]): SlicedJob<Uint32Array> {
    for (const { field } of keys) this.column(field)
    return yield* this.#orders.first(rows, count, keys)
  }

  /** The rows in this order if it is maintained. An order that is requested again will be built. */
  order(keys: readonly SortKey<Record>[]): OrderedRows | undefined {
    if (this.rows.size < this.tuning.orderFrom) return undefined
    const ready = this.compares(keys)
    if (ready) for (const { field } of keys) this.column(field)
    return this.#orders.find(keys, ready)
  }

  /** Builds trigrams of the column's texts if there are many. */
  wantTrigrams(column: TextColumn): void {
    if (column.trigrams !== undefined || column.dictionary.size < this.tuning.trigramsFrom) return
    const trigrams = new Trigrams(FIRST_CODE, this.tuning.fewRows)
    column.trigrams = trigrams
    this.#deps.slices.run(trigrams.catchUp(column.dictionary.texts)).catch(() => {
      column.trigrams = undefined
    })
  }

  /** Drops columns and orders that were not used since. */
  sweep(sinceMs: number): void {
    if (this.#readers > 0) return
    this.#orders.sweep(sinceMs)
    for (const [name, { field, column, filled, usedAtMs }] of this.#columns) {
      const wasteful = column instanceof TextColumn && column.wasteful
      if (!filled || (usedAtMs >= sinceMs && !wasteful) || this.#orders.uses(field, wasteful)) continue
      this.#columns.delete(name)
    }
  }

  #whenUnread(change: () => void): void {
    if (this.#readers > 0 || this.#waiting.length > 0) this.#waiting.push(change)
    else change()
  }

  #put(record: Record): void {
    const row = this.rows.rowOf(this.resource.id(record))
    if (row === undefined) {
      this.#add(record)
      return
    }
    const previous = this.rows.records[row]!
    const changed: HeldColumn<Record>[] = []
    for (const held of this.#columns.values()) {
      if (!sameValue(held.field.read(previous), held.field.read(record))) changed.push(held)
    }
    const orders: readonly HeldOrder<Record>[] = changed.length === 0 ? [] : this.#orders.over(changed)
    for (const order of orders) order.leave(row)
    for (const { field, column } of changed) column.put(row, readFieldValues(field, record))
    this.rows.records[row] = record
    for (const order of orders) order.enter(row)
  }

  #add(record: Record): void {
    const row = this.rows.add(record)
    for (const { field, column } of this.#columns.values()) column.put(row, readFieldValues(field, record))
    for (const order of this.#orders.all()) order.enter(row)
  }

  #remove(id: string): void {
    const row = this.rows.rowOf(id)
    if (row === undefined) return
    for (const order of this.#orders.all()) order.leave(row)
    for (const { column } of this.#columns.values()) column.clear(row)
    this.rows.remove(row)
  }

  *#fillColumn(held: HeldColumn<Record>): SlicedJob<void> {
    const { field, column } = held
    try {
      for (let row = 0; row < this.rows.end; row += 1) {
        const record = this.rows.records[row]
        if (record !== undefined) column.put(row, readFieldValues(field, record))
        if (row % ROWS_PER_YIELD === 0) yield
      }
      held.filled = true
    } finally {
      if (!held.filled) this.#columns.delete(field.name)
    }
  }
}

function sameValue(left: FieldValue | readonly FieldValue[], right: FieldValue | readonly FieldValue[]): boolean {
  if (left === right) return true
  if (!(left instanceof Array && right instanceof Array)) return false
  return left.length === right.length && left.every((member, index) => member === right[index])
}
