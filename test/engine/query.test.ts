// The query engine against a naive reading of the rules for bulk queries, over random records, filters, sorts and pages.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  QueryRefused,
  type FieldType,
  type Filter,
  type FilterValue,
  type Query,
  type Resource,
  type Sort,
} from '../../src/engine/query/field.ts'
import { runQuery } from '../../src/engine/query/run.ts'

interface Row {
  readonly id: string
  readonly word: string | null
  readonly amount: number | null
  readonly flag: boolean
  readonly at: string | null
  readonly tags: readonly string[] | null
}

const TYPES: Readonly<Record<keyof Omit<Row, 'id'>, FieldType>> = {
  word: 'TEXT',
  amount: 'NUMBER',
  flag: 'BOOLEAN',
  at: 'TIMESTAMP',
  tags: 'TEXT',
}
const NAMES = Object.keys(TYPES) as (keyof typeof TYPES)[]

const ROWS: Resource<Row> = {
  fields: NAMES.map((name) => ({ name, type: TYPES[name], nullable: name !== 'flag', read: (row) => row[name] })),
  defaultSort: [{ fieldName: 'amount', sortDirection: 'DESC' }],
  id: ({ id }) => id,
}

const words = fc.constantFrom('', 'a', 'A', 'ab', 'Ab', 'b', 'ba', 'é', '\u{1F600}', '\uFFFD', 'abc')
const instants = fc.constantFrom(
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '2025-12-31T23:59:59.999Z',
  '2026-06-01T12:00:00.000Z',
)
const rows = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    word: fc.option(words),
    amount: fc.option(fc.integer({ min: -3, max: 3 })),
    flag: fc.boolean(),
    at: fc.option(instants),
    tags: fc.option(fc.array(words, { maxLength: 3 })),
  }),
  { selector: ({ id }) => id, maxLength: 30 },
)

const TEXT = ['EQUALS', 'NOT_EQUALS', 'CONTAINS', 'NOT_CONTAINS', 'STARTS_WITH', 'ENDS_WITH'] as const
const ORDERED = ['EQUALS', 'NOT_EQUALS', 'GREATER_THAN', 'GREATER_THAN_OR_EQUAL', 'LESS_THAN', 'LESS_THAN_OR_EQUAL'] as const
const nullTest = fc.constantFrom<FilterValue>({ filterType: 'IS_NULL' }, { filterType: 'IS_NOT_NULL' })
const textTest: fc.Arbitrary<FilterValue> = fc.oneof(
  nullTest,
  fc.record({ filterType: fc.constantFrom(...TEXT), valueString: words }),
  fc.record({ filterType: fc.constant('IN' as const), valuesString: fc.array(words, { minLength: 1, maxLength: 3 }) }),
)
const numberText = fc.integer({ min: -3, max: 3 }).map(String)
const numberTest: fc.Arbitrary<FilterValue> = fc.oneof(
  nullTest,
  fc.record({ filterType: fc.constantFrom(...ORDERED), valueNumber: numberText }),
  fc.record({
    filterType: fc.constant('IN_RANGE' as const),
    valueFromNumber: numberText,
    valueToNumber: fc.option(numberText, { nil: undefined }),
  }),
)
const timeTest: fc.Arbitrary<FilterValue> = fc.oneof(
  nullTest,
  fc.record({ filterType: fc.constantFrom(...ORDERED), valueString: instants }),
  fc.record({
    filterType: fc.constant('IN_RANGE' as const),
    valueFromString: fc.option(instants, { nil: undefined }),
    valueToString: instants,
  }),
)
const flagTest: fc.Arbitrary<FilterValue> = fc.record({
  filterType: fc.constantFrom('EQUALS' as const, 'NOT_EQUALS' as const),
  valueBoolean: fc.boolean(),
})
const TESTS = { word: textTest, amount: numberTest, flag: flagTest, at: timeTest, tags: textTest }

const filter = fc.constantFrom(...NAMES).chain((fieldName): fc.Arbitrary<Filter> =>
  fc.record({
    fieldName: fc.constant(fieldName),
    operator: fc.constantFrom('AND' as const, 'OR' as const, undefined),
    filterValues: fc.array(TESTS[fieldName], { minLength: 1, maxLength: 3 }),
  }),
)
const sort: fc.Arbitrary<Sort> = fc.record({
  fieldName: fc.constantFrom(...NAMES.filter((name) => name !== 'tags')),
  sortDirection: fc.constantFrom('ASC' as const, 'DESC' as const),
})
const query: fc.Arbitrary<Query> = fc.record({
  limit: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
  skip: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
  filter: fc.option(fc.array(filter, { maxLength: 3 }), { nil: undefined }),
  sort: fc.option(fc.array(sort, { maxLength: 3 }), { nil: undefined }),
})

/** The rules of completion 2 and 13, one after the other, with nothing shared with the engine. */
function naive(
  records: readonly Row[],
  { limit = 100, skip = 0, filter: filters = [], sort: sorts }: Query,
): { count: number; ids: string[] } {
  const found = records.filter((row) =>
    filters.every(({ fieldName, operator, filterValues }) => {
      const results = filterValues.map((value) => holds(row, fieldName as keyof typeof TYPES, value))
      return operator === 'OR' ? results.includes(true) : !results.includes(false)
    }),
  )
  const order = sorts === undefined || sorts.length === 0 ? ROWS.defaultSort : sorts
  const ordered = [...found].sort((a, b) => {
    for (const { fieldName, sortDirection } of order) {
      const [left, right] = [a, b].map((row) => row[fieldName as 'word' | 'amount' | 'flag' | 'at'])
      if (left === right) continue
      if (left === null || left === undefined) return 1
      if (right === null || right === undefined) return -1
      const codePoints = (value: unknown): string =>
        typeof value === 'string' ? Array.from(value).map((each) => each.codePointAt(0)!.toString(16).padStart(6, '0')).join('') : ''
      const less = typeof left === 'string' ? codePoints(left) < codePoints(right) : left < right
      return less === (sortDirection === 'ASC') ? -1 : 1
    }
    return a.id < b.id ? -1 : 1
  })
  return { count: found.length, ids: ordered.slice(skip, skip + limit).map(({ id }) => id) }
}

function holds(row: Row, fieldName: keyof typeof TYPES, value: FilterValue): boolean {
  const held = row[fieldName]
  const members: readonly (string | number | boolean)[] =
    held === null ? [] : Array.isArray(held) ? (held as string[]) : [held as string | number | boolean]
  const wanted = value.valueString ?? value.valueBoolean ?? (value.valueNumber === undefined ? undefined : Number(value.valueNumber))
  const any = (test: (member: string | number | boolean) => boolean): boolean => members.some(test)
  const folded = (member: unknown): string => String(member).toLowerCase()
  switch (value.filterType) {
    case 'IS_NULL':
      return members.length === 0
    case 'IS_NOT_NULL':
      return members.length > 0
    case 'EQUALS':
      return any((member) => member === wanted)
    case 'NOT_EQUALS':
      return !any((member) => member === wanted)
    case 'CONTAINS':
      return any((member) => folded(member).includes(folded(wanted)))
    case 'NOT_CONTAINS':
      return !any((member) => folded(member).includes(folded(wanted)))
    case 'STARTS_WITH':
      return any((member) => folded(member).startsWith(folded(wanted)))
    case 'ENDS_WITH':
      return any((member) => folded(member).endsWith(folded(wanted)))
    case 'IN':
      return any((member) => value.valuesString!.includes(String(member)))
    case 'GREATER_THAN':
      return any((member) => member > wanted!)
    case 'GREATER_THAN_OR_EQUAL':
      return any((member) => member >= wanted!)
    case 'LESS_THAN':
      return any((member) => member < wanted!)
    case 'LESS_THAN_OR_EQUAL':
      return any((member) => member <= wanted!)
    case 'IN_RANGE': {
      const bound = (text: string | undefined, number: string | undefined): string | number | undefined =>
        text ?? (number === undefined ? undefined : Number(number))
      const low = bound(value.valueFromString, value.valueFromNumber)
      const high = bound(value.valueToString, value.valueToNumber)
      return any((member) => (low === undefined || member >= low) && (high === undefined || member <= high))
    }
  }
}

describe('a bulk query', () => {
  it('answers what a naive reading of the rules answers', async () => {
    await fc.assert(
      fc.asyncProperty(rows, query, async (records, asked) => {
        const { count, items } = await runQuery(ROWS, records, asked)
        expect({ count, ids: items.map(({ id }) => id) }).toEqual(naive(records, asked))
      }),
      { numRuns: 5_000, seed: 20261121 },
    )
  })

  it.each<[string, Query, string, string]>([
    [
      'an unknown field',
      { filter: [{ fieldName: 'wrod', filterValues: [{ filterType: 'EQUALS', valueString: 'a' }] }] },
      'UNKNOWN_FIELD',
      '/filter/0/fieldName',
    ],
    ['an unknown sort field', { sort: [{ fieldName: 'wrod', sortDirection: 'ASC' }] }, 'UNKNOWN_FIELD', '/sort/0/fieldName'],
    [
      'a null test where nothing is null',
      { filter: [{ fieldName: 'flag', filterValues: [{ filterType: 'IS_NULL' }] }] },
      'OPERATOR_NOT_ALLOWED',
      '/filter/0/filterValues/0/filterType',
    ],
    [
      'an order of texts',
      { filter: [{ fieldName: 'word', filterValues: [{ filterType: 'GREATER_THAN', valueString: 'a' }] }] },
      'OPERATOR_NOT_ALLOWED',
      '/filter/0/filterValues/0/filterType',
    ],
    [
      'a part of a number',
      { filter: [{ fieldName: 'amount', filterValues: [{ filterType: 'CONTAINS', valueString: '1' }] }] },
      'OPERATOR_NOT_ALLOWED',
      '/filter/0/filterValues/0/filterType',
    ],
    [
      'another type than the field has',
      { filter: [{ fieldName: 'amount', filterValues: [{ dataType: 'TEXT', filterType: 'EQUALS', valueNumber: '1' }] }] },
      'DATA_TYPE_MISMATCH',
      '/filter/0/filterValues/0/dataType',
    ],
    [
      'no value',
      { filter: [{ fieldName: 'word', filterValues: [{ filterType: 'EQUALS' }] }] },
      'REQUIRED',
      '/filter/0/filterValues/0/valueString',
    ],
    [
      'a range without bounds',
      { filter: [{ fieldName: 'amount', filterValues: [{ filterType: 'IN_RANGE' }] }] },
      'REQUIRED',
      '/filter/0/filterValues/0/valueFromNumber',
    ],
    [
      'no instant',
      { filter: [{ fieldName: 'at', filterValues: [{ filterType: 'EQUALS', valueString: 'yesterday' }] }] },
      'INVALID_VALUE',
      '/filter/0/filterValues/0/valueString',
    ],
  ])('refuses %s, naming it', async (_, asked, code, pointer) => {
    const refused = await runQuery(ROWS, [], asked).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(QueryRefused)
    expect((refused as QueryRefused).problems).toMatchObject([{ code, pointer }])
  })
})
