// Operands that do not fit a field are refused with their member, for every type of field and every member.
import { describe, expect, it } from 'vitest'
import { compileQuery } from '../../../src/engine/query/compile.ts'
import { QueryRefused, type FieldType, type FilterValue, type Resource } from '../../../src/engine/query/field.ts'

interface Row {
  readonly id: string
}

const TYPES: readonly FieldType[] = [
  'TEXT',
  'NUMBER',
  'BOOLEAN',
  'TIMESTAMP',
  'OFFCHAIN_REFERENCE_TYPE',
  'ONCHAIN_ADDRESS_ID',
  'OFFCHAIN_ID',
]
const COLOURS = ['RED', 'GREEN']
const RESOURCE: Resource<Row> = {
  fields: [
    ...TYPES.map((type) => ({ name: type, type, read: ({ id }: Row) => id })),
    { name: 'colour', type: 'TEXT', values: COLOURS, nullable: true, read: ({ id }) => id },
  ],
  defaultSort: [{ fieldName: 'TEXT', sortDirection: 'ASC' }],
  id: ({ id }) => id,
}

const MEMBERS: Readonly<Partial<FilterValue>> = {
  valueString: '2026-01-01T00:00:00Z',
  valueNumber: '1',
  valueBoolean: true,
  valuesString: ['x'],
  valueFromString: '2026-01-01T00:00:00Z',
  valueToString: '2026-01-01T00:00:00Z',
  valueFromNumber: '1',
  valueToNumber: '2',
}
const FITTING: Readonly<Record<FieldType, readonly string[]>> = {
  TEXT: ['valueString', 'valuesString'],
  OFFCHAIN_REFERENCE_TYPE: ['valueString', 'valuesString'],
  ONCHAIN_ADDRESS_ID: ['valueString', 'valuesString'],
  OFFCHAIN_ID: ['valueString', 'valuesString'],
  NUMBER: ['valueNumber', 'valueFromNumber', 'valueToNumber'],
  TIMESTAMP: ['valueString', 'valueFromString', 'valueToString'],
  BOOLEAN: ['valueBoolean'],
}

function problemsOf(
  fieldName: string,
  value: FilterValue,
): readonly { readonly code: string; readonly pointer: string }[] {
  try {
    compileQuery(RESOURCE, { filter: [{ fieldName, filterValues: [value] }] })
    return []
  } catch (error) {
    if (error instanceof QueryRefused) return error.problems
    throw error
  }
}

describe('an id in a filter', () => {
  const id = '2F1C9A3E-0B7D-4C55-9E60-7D0A5B3C1F2E'
  const textsOf = (value: FilterValue): unknown =>
    compileQuery(RESOURCE, { filter: [{ fieldName: 'OFFCHAIN_ID', filterValues: [value] }] }).entries[0]!.tests

  it('is the same in upper case, as in a lookup', () => {
    const texts = [id.toLowerCase()]
    expect(textsOf({ filterType: 'EQUALS', valueString: id })).toMatchObject([{ texts, negated: false }])
    expect(textsOf({ filterType: 'NOT_EQUALS', valueString: id })).toMatchObject([{ texts, negated: true }])
    expect(textsOf({ filterType: 'IN', valuesString: [id] })).toMatchObject([{ texts, negated: false }])
  })

  it('that is no UUID is compared as it is', () => {
    expect(textsOf({ filterType: 'EQUALS', valueString: 'ACME' })).toMatchObject([{ texts: ['ACME'] }])
  })
})

describe('14.15: a filter value', () => {
  it.each(TYPES.flatMap((type) => Object.keys(MEMBERS).map((member) => [type, member] as const)))(
    '14.15: of a %s field, with %s',
    (type, member) => {
      const problems = problemsOf(type, { filterType: 'EQUALS', [member]: MEMBERS[member as keyof typeof MEMBERS] })
      const invalidValue = { code: 'INVALID_VALUE', pointer: `/filter/0/filterValues/0/${member}` }
      if (FITTING[type].includes(member)) expect(problems).not.toContainEqual(expect.objectContaining(invalidValue))
      else expect(problems).toEqual([expect.objectContaining(invalidValue)])
    },
  )

  it.each([
    [{ filterType: 'EQUALS', valueString: 'BLUE' }, 'valueString'],
    [{ filterType: 'NOT_EQUALS', valueString: 'red' }, 'valueString'],
    [{ filterType: 'IN', valuesString: ['RED', 'BLUE'] }, 'valuesString/1'],
  ] as const)('14.15: a value outside of a fixed set is refused: %j', (value, member) => {
    expect(problemsOf('colour', value as FilterValue)).toMatchObject([
      { code: 'INVALID_VALUE', pointer: `/filter/0/filterValues/0/${member}` },
    ])
  })

  it.each([
    { filterType: 'EQUALS', valueString: 'RED' },
    { filterType: 'IN', valuesString: COLOURS },
    { filterType: 'CONTAINS', valueString: 'LUE' },
    { filterType: 'STARTS_WITH', valueString: 'r' },
    { filterType: 'IS_NULL' },
  ] as const)('14.15 control: %j', (value) => {
    expect(problemsOf('colour', value as FilterValue)).toEqual([])
  })
})
