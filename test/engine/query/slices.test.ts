// Work on a large table is divided: between two reads of the clock only a bounded number of records is read and rows
// are compared. Counted, not timed: the duration of a turn depends on the machine.
import { afterEach, expect, it, vi } from 'vitest'
import type { Change } from '../../../src/engine/records/change.ts'
import type { Field, Query } from '../../../src/engine/query/field.ts'
import { NumberColumn } from '../../../src/engine/query/number-column.ts'
import { ReadModel } from '../../../src/engine/query/read-model.ts'
import { TextColumn } from '../../../src/engine/query/text-column.ts'
import { TUNING } from '../../../src/engine/query/tuning.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import { Random } from './random.ts'
import { anyRow, MADE_UP, recordOf } from './made-up.ts'

const RECORDS = 30_000
/**
 * Records read, rows compared and changes taken in, in one step: though making an order compares half a million times.
 */
const MAX_AT_ONCE = 8_000

afterEach(() => vi.restoreAllMocks())

/** A large table, and the highest number of operations between two reads of the clock. */
class Counted {
  readonly model: ReadModel
  readonly states: RecordState[]
  readonly #random = new Random(1)
  #operations = 0
  #most = 0

  constructor() {
    this.states = Array.from({ length: RECORDS }, () => recordOf(anyRow(this.#random, this.#random.uuid()), 'own', 1))
    const entries = this.states.map((committed) => ({ committed }))
    const look = (): number => {
      this.#most = Math.max(this.#most, this.#operations)
      this.#operations = 0
      return performance.now()
    }
    const count = (): void => void (this.#operations += 1)
    const countReads = (field: Field<RecordState>) => ({
      ...field,
      read: (record: RecordState) => (count(), field.read(record)),
    })
    const fields = MADE_UP.resource.fields.map((field) => countReads(field) as Field<RecordState>)
    const source = { ...MADE_UP, resource: { ...MADE_UP.resource, fields } }
    for (const column of [TextColumn.prototype, NumberColumn.prototype]) {
      const compare = Reflect.get(column, 'compare') as (...rows: unknown[]) => number
      vi.spyOn(column, 'compare').mockImplementation(function (this: unknown, ...rows) {
        count()
        return Reflect.apply(compare, this, rows)
      })
    }
    this.model = new ReadModel(
      { entries: () => entries },
      { elapsed: look, soon: (callback) => void setImmediate(callback) },
      TUNING,
    )
    this.ask = (query) => this.model.query(source, ['own'], query)
  }

  readonly ask: (query: Query) => Promise<{ readonly count: number }>

  change(count: number): void {
    for (let index = 0; index < count; index += 1) {
      const at = this.#random.roll(RECORDS)
      const previous = this.states[at]!
      const next = recordOf(anyRow(this.#random, previous.id), 'own', previous.revision + 1)
      this.states[at] = next
      this.model.take([{ entry: {}, previous, next } as unknown as Change])
    }
  }

  /** Since the last call. */
  most(): number {
    const most = Math.max(this.#most, this.#operations)
    this.#most = 0
    this.#operations = 0
    return most
  }
}

it('reads, fills, sorts, searches and catches up in small steps', async () => {
  const counter = new Counted()
  const byUnits: Query = {
    sort: [
      { fieldName: 'units', sortDirection: 'DESC' },
      { fieldName: 'name', sortDirection: 'ASC' },
    ],
  }
  const search: Query = {
    filter: [{ fieldName: 'name', filterValues: [{ filterType: 'CONTAINS', valueString: 'wallet' }] }],
  }
  const range: Query = {
    filter: [{ fieldName: 'amount', filterValues: [{ filterType: 'GREATER_THAN', valueNumber: '1' }] }],
    ...byUnits,
  }
  // The first query builds the table, the second the order; others are sent meanwhile.
  for (const query of [
    byUnits,
    byUnits,
    search,
    range,
    search,
    { sort: [{ fieldName: 'code', sortDirection: 'ASC' }] } satisfies Query,
  ]) {
    await counter.ask(query)
    expect(counter.most(), JSON.stringify(query)).toBeLessThan(MAX_AT_ONCE)
  }
  // Many changes arrive while an order is built and while a query reads: they wait for the reader, and are then applied
  // in steps.
  const answers = [
    counter.ask({ sort: [{ fieldName: 'code', sortDirection: 'ASC' }] }),
    counter.ask(search),
    counter.ask(range),
  ]
  await new Promise((resolve) => setImmediate(resolve))
  counter.change(500)
  counter.most()
  await Promise.all(answers)
  const { count } = await counter.ask({ limit: 1 })
  expect(count).toBe(RECORDS)
  expect(counter.most()).toBeLessThan(MAX_AT_ONCE)
  expect(counter.model.faults).toBe(0)
})

it('finds the rows of a text while a large backlog is being indexed', () => {
  const column = new TextColumn()
  const random = new Random(3)
  const texts = new Map<number, string>()
  const put = (row: number, text: string): void => {
    column.put(row, [text])
    texts.set(row, text)
  }
  for (let row = 0; row < 3_000; row += 1) put(row, `few ${random.roll(200)}`)
  for (let step = 0; step < 200; step += 1) {
    const row = random.roll(3_000)
    if (random.chance(5)) {
      column.clear(row)
      texts.delete(row)
    } else put(row, `many ${random.roll(400)}`)
    if (step % 10 > 0) continue
    const text = [...texts.values()][random.roll(texts.size)]!
    const expected = [...texts].flatMap(([at, each]) => (each === text ? [at] : [])).sort((a, b) => a - b)
    const code = column.dictionary.find(text)!
    const rows = new Uint32Array(3_000)
    if (column.chains !== undefined)
      expect([...rows.subarray(0, column.chains.collect(code, rows, 0, Infinity))].sort((a, b) => a - b)).toEqual(
        expected,
      )
    const job = column.bitsOf(code)
    let result = job.next()
    while (result.done !== true) result = job.next()
    expect([...result.value.rows()]).toEqual(expected)
  }
  expect(column.chains).toBeDefined()
})
