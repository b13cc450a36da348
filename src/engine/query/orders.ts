// The sorted orders of a table. An order is built when it is requested a second time; queries do without it until then.
// Unused orders are dropped.
import type { Column, HeldColumn } from './column.ts'
import type { SortKey } from './compile.ts'
import type { Field } from './field.ts'
import { Bits } from './bits.ts'
import { comparerOf, firstInOrder, sortedCopy, type OrderKey } from './order.ts'
import { OrderedRows } from './ordered-rows.ts'
import type { Rows } from './rows.ts'
import type { SlicedJob } from './slices.ts'
import type { CompareRows } from './sorting.ts'
import type { TableDependencies } from './table.ts'

/** Maximum number of order names remembered from a first request. */
const MAX_REMEMBERED = 1_000

/** Rows inserted per step that changed while the order was built. */
const ADMITTED_PER_YIELD = 128

export class HeldOrder<Record> {
  readonly fields: ReadonlySet<Field<Record>>
  usedAtMs: number
  /** undefined while the order is being built. */
  rows: OrderedRows | undefined
  /** Contains all rows except those in `#outside`. */
  #built: OrderedRows | undefined
  /** During the sort: rows that change; after it: rows not inserted yet. */
  readonly #outside = new Set<number>()

  constructor(fields: ReadonlySet<Field<Record>>, usedAtMs: number) {
    this.fields = fields
    this.usedAtMs = usedAtMs
  }

  /** To be called before the row changes or is removed. */
  leave(row: number): void {
    if (this.#built === undefined) this.#outside.add(row)
    else if (!this.#outside.has(row)) this.#built.delete(row)
  }

  /** To be called after the row changed or was added. */
  enter(row: number): void {
    if (this.#built === undefined) this.#outside.add(row)
    else {
      this.#outside.delete(row)
      this.#built.insert(row)
    }
  }

  /** @param sorted a sort of copies that were taken after this order was created */
  *make(sorted: SlicedJob<Uint32Array>, compare: CompareRows, live: Bits): SlicedJob<void> {
    const rows = yield* sorted
    const outside = new Bits(0)
    for (const row of this.#outside) outside.add(row)
    this.#built = new OrderedRows(this.#outside.size === 0 ? rows : without(rows, outside), compare)
    while (this.#outside.size > 0) {
      let admitted = 0
      for (const row of this.#outside) {
        this.#outside.delete(row)
        if (live.has(row)) this.#built.insert(row)
        admitted += 1
        if (admitted === ADMITTED_PER_YIELD) break
      }
      yield
    }
    this.rows = this.#built
  }
}

function without(rows: Uint32Array, left: Bits): Uint32Array {
  let count = 0
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!
    if (left.has(row)) continue
    rows[count] = row
    count += 1
  }
  return rows.subarray(0, count)
}

export class Orders<Record> {
  readonly #rows: Rows<Record>
  readonly #deps: TableDependencies
  readonly #columnOf: (field: Field<Record>) => Column | undefined
  readonly #held = new Map<string, HeldOrder<Record>>()
  readonly #askedAtMs = new Map<string, number>()

  constructor(rows: Rows<Record>, deps: TableDependencies, columnFor: (field: Field<Record>) => Column | undefined) {
    this.#rows = rows
    this.#deps = deps
    this.#columnOf = columnFor
  }

  /** @param canMake true if the columns of the keys are filled */
  find(keys: readonly SortKey<Record>[], canMake: boolean): OrderedRows | undefined {
    const name = keys.map(({ field, descending }) => `${field.name} ${descending ? 'D' : 'A'}`).join()
    const nowMs = this.#deps.clock.elapsed()
    const order = this.#held.get(name)
    if (order !== undefined) {
      order.usedAtMs = nowMs
      return order.rows
    }
    if (canMake && this.#askedAtMs.has(name)) this.#make(name, keys, nowMs)
    else {
      if (this.#askedAtMs.size === MAX_REMEMBERED) this.#askedAtMs.clear()
      this.#askedAtMs.set(name, nowMs)
    }
    return undefined
  }

  /** The first `count` of these rows, compared by their present values. */
  first(rows: Uint32Array, count: number, keys: readonly SortKey<Record>[]): SlicedJob<Uint32Array> {
    return firstInOrder(this.#keysOf(keys), this.#rows.compareIds, rows, count)
  }

  all(): Iterable<HeldOrder<Record>> {
    return this.#held.values()
  }

  /** Orders in which a change of these columns may move rows. */
  over(columns: readonly HeldColumn<Record>[]): readonly HeldOrder<Record>[] {
    if (this.#held.size === 0) return NONE
    return [...this.#held.values()].filter(({ fields }) => columns.some(({ field }) => fields.has(field)))
  }

  /** True if an order compares by the field. With `drop`, such orders are dropped unless they are being built. */
  uses(field: Field<Record>, drop: boolean): boolean {
    let used = false
    for (const [name, order] of this.#held) {
      if (!order.fields.has(field)) continue
      if (drop && order.rows !== undefined) this.#held.delete(name)
      else used = true
    }
    return used
  }

  sweep(sinceMs: number): void {
    for (const [name, { rows, usedAtMs }] of this.#held)
      if (rows !== undefined && usedAtMs < sinceMs) this.#held.delete(name)
    for (const [name, askedAtMs] of this.#askedAtMs) if (askedAtMs < sinceMs) this.#askedAtMs.delete(name)
  }

  #make(name: string, keys: readonly SortKey<Record>[], nowMs: number): void {
    if (this.#held.size >= this.#deps.tuning.maxOrders && !this.#dropOldest()) return
    const held = new HeldOrder<Record>(new Set(keys.map(({ field }) => field)), nowMs)
    this.#held.set(name, held)
    const drop = (): void => {
      if (this.#held.get(name) === held) this.#held.delete(name)
    }
    const ordered = this.#keysOf(keys)
    const compare = comparerOf(ordered, this.#rows.compareIds)
    // Queries work without an order that cannot be built.
    this.#deps.slices.run(held.make(sortedCopy(ordered, this.#rows), compare, this.#rows.live)).catch(drop)
  }

  #dropOldest(): boolean {
    let oldest: [string, HeldOrder<Record>] | undefined
    for (const each of this.#held)
      if (each[1].rows !== undefined && each[1].usedAtMs < (oldest?.[1].usedAtMs ?? Infinity)) oldest = each
    return oldest !== undefined && this.#held.delete(oldest[0])
  }

  #keysOf(keys: readonly SortKey<Record>[]): OrderKey[] {
    return keys.map(({ field, descending }) => {
      const column = this.#columnOf(field)
      if (column === undefined) throw new Error(`column ${field.name} is missing`)
      return { column, descending }
    })
  }
}

const NONE: readonly never[] = []
