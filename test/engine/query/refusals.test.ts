// Invalid bulk queries and their refusals.
import { describe, expect, it } from 'vitest'
import { compileQuery } from '../../../src/engine/query/compile.ts'
import {
  QueryRefused,
  type FilterValue,
  type Query,
  type QueryProblem,
  type Resource,
} from '../../../src/engine/query/field.ts'

interface Row {
  readonly id: string
  readonly word: string | null
  readonly amount: number | null
  readonly flag: boolean
  readonly at: string | null
}

const ROWS: Resource<Row> = {
  fields: [
    { name: 'word', type: 'TEXT', nullable: true, read: ({ word }) => word },
    { name: 'amount', type: 'NUMBER', nullable: true, read: ({ amount }) => amount },
    { name: 'flag', type: 'BOOLEAN', read: ({ flag }) => flag },
    { name: 'at', type: 'TIMESTAMP', nullable: true, read: ({ at }) => at },
  ],
  hidden: [{ name: 'tenant', type: 'TEXT', read: () => 'T' }],
  defaultSort: [{ fieldName: 'amount', sortDirection: 'DESC' }],
  id: ({ id }) => id,
}

function problemsOf(query: Query): readonly QueryProblem[] {
  try {
    compileQuery(ROWS, query)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(QueryRefused)
    return (error as QueryRefused).problems
  }
}

describe('a bulk query', () => {
  it.each<[string, Query, string, string]>([
    [
      'an unknown field',
      { filter: [{ fieldName: 'wrod', filterValues: [{ filterType: 'EQUALS', valueString: 'a' }] }] },
      'UNKNOWN_FIELD',
      '/filter/0/fieldName',
    ],
    [
      'a field that is only for queries from within',
      { filter: [{ fieldName: 'tenant', filterValues: [{ filterType: 'EQUALS', valueString: 'T' }] }] },
      'UNKNOWN_FIELD',
      '/filter/0/fieldName',
    ],
    [
      'an unknown sort field',
      { sort: [{ fieldName: 'wrod', sortDirection: 'ASC' }] },
      'UNKNOWN_FIELD',
      '/sort/0/fieldName',
    ],
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
      {
        filter: [{ fieldName: 'amount', filterValues: [{ dataType: 'TEXT', filterType: 'EQUALS', valueNumber: '1' }] }],
      },
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
  ])('refuses %s, naming it', (_, asked, code, pointer) => {
    expect(problemsOf(asked)).toMatchObject([{ code, pointer }])
  })

  const comparing = (members: FilterValue): Query => ({ filter: [{ fieldName: 'at', filterValues: [members] }] })

  it.each(['2026-02-29', '2026-02-30T00:00:00Z', '2026-06-31T23:59:59.999999+02:00', '2026-13-01', '2026-00-10'])(
    'refuses the date %s, which no calendar has',
    (text) => {
      const members: readonly FilterValue[] = [
        { filterType: 'EQUALS', valueString: text },
        { filterType: 'LESS_THAN', valueString: text },
        { filterType: 'IN_RANGE', valueFromString: text },
        { filterType: 'IN_RANGE', valueToString: text },
      ]
      expect(members.map((each) => problemsOf(comparing(each)).map(({ code }) => code))).toEqual(
        members.map(() => ['INVALID_VALUE']),
      )
    },
  )

  it.each(['2024-02-29', '2026-12-31T24:00:00Z', '2026-01-31T23:30:00-05:00', '2026-01-01T00:15:00+02:00'])(
    'accepts the date %s',
    (text) => {
      expect(problemsOf(comparing({ filterType: 'GREATER_THAN', valueString: text }))).toEqual([])
    },
  )
})
