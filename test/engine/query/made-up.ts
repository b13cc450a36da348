// A random resource with every type of field, its records, and queries about it.
import type {
  Field,
  FieldType,
  Filter,
  FilterType,
  FilterValue,
  Query,
  Resource,
  Sort,
} from '../../../src/engine/query/field.ts'
import type { Source } from '../../../src/engine/query/read-model.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import type { Random } from './random.ts'
import type { FieldKind, NaiveRow } from './naive.ts'

interface Made {
  readonly kind: FieldKind
  readonly type: FieldType
  readonly nullable: boolean
  readonly list?: true
  readonly value: (random: Random) => string | number | boolean
}

/**
 * Whatever may stand in a text: case, accents, what sorts differently by UTF-16, what changes its length in lower case.
 */
const WORDS = [
  '',
  'a',
  'A',
  'ab',
  'Ab',
  'b',
  'é',
  'É',
  'ß',
  'İ',
  'Σ',
  'ας',
  '\u{1F600}',
  '\u{1F600}a',
  '\uFFFD',
  '\uD83D',
  '~',
  '-',
  'zz',
]
const NUMBERS = [
  '0',
  '-0',
  '1',
  '1.0',
  '-1',
  '0.1',
  '-0.5',
  '10',
  '2',
  '0.000000000000000001',
  '-0.000000000000000001',
  '9007199254740993',
  '0.0000000000000000000001',
  '-0.0000000000000000000002',
  `0.${'0'.repeat(254)}1`,
  `0.${'0'.repeat(254)}2`,
  `1${'0'.repeat(40)}`,
]
const LONG = [
  '18446744073709551615',
  '18446744073709551614',
  '18446744073709551615.5',
  '123456789.123456789123456789',
  '123456789.123456789123456788',
  '123456789.1234567891234567885',
  '0.000000000000000000018446744073709551615',
  '0.000000000000000000018446744073709551614',
  `${'9'.repeat(40)}.5`,
  `9${'0'.repeat(310)}`,
]
const INSTANTS = [
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '2026-01-01T00:00:00.001000Z',
  '2026-01-01T00:00:00.0014Z',
  '2026-01-01T01:00:00.001401+01:00',
  '1969-06-01T12:00:00.000001Z',
  '2025-12-31T23:59:59.999Z',
  '1969-06-01T12:00:00.000Z',
]

function sentence(random: Random): string {
  return random
    .list(1, 4, () =>
      random.of(['North', 'south', 'Account', 'wallet', 'x7', 'É', '\u{1F600}', String(random.roll(50))]),
    )
    .join(' ')
}

function decimal(random: Random): string {
  return random.of(random.chance(4) ? LONG : NUMBERS)
}

const FIELDS: Readonly<Record<string, Made>> = {
  word: { kind: 'text', type: 'TEXT', nullable: true, value: (random) => random.of(WORDS) },
  name: { kind: 'text', type: 'TEXT', nullable: true, value: sentence },
  code: { kind: 'text', type: 'OFFCHAIN_ID', nullable: false, value: (random) => `CODE-${random.roll(1_000)}` },
  status: {
    kind: 'text',
    type: 'OFFCHAIN_REFERENCE_TYPE',
    nullable: false,
    value: (random) => random.of(['ACTIVE', 'ACTIVE', 'ACTIVE', 'CLOSED']),
  },
  amount: { kind: 'number', type: 'NUMBER', nullable: true, value: decimal },
  units: { kind: 'number', type: 'NUMBER', nullable: false, value: (random) => random.roll(40) - 5 },
  at: { kind: 'instant', type: 'TIMESTAMP', nullable: true, value: (random) => random.of(INSTANTS) },
  flag: { kind: 'boolean', type: 'BOOLEAN', nullable: false, value: (random) => random.chance(3) },
  tags: { kind: 'text', type: 'ONCHAIN_ADDRESS_ID', nullable: true, list: true, value: (random) => random.of(WORDS) },
  amounts: { kind: 'number', type: 'NUMBER', nullable: true, list: true, value: decimal },
}
const NAMES = Object.keys(FIELDS)

export const KINDS = Object.fromEntries(Object.entries(FIELDS).map(([name, { kind }]) => [name, kind]))
export const DEFAULT_SORT: readonly Sort[] = [
  { fieldName: 'flag', sortDirection: 'DESC' },
  { fieldName: 'units', sortDirection: 'ASC' },
]

/** A record of the random resource: its row is in the place of a real context. */
export function recordOf(row: NaiveRow, part: string, revision: number): RecordState {
  return {
    kind: 'account',
    tenant: part,
    cluster: 'C',
    id: row.id,
    revision,
    value: 'active',
    context: row,
  } as unknown as RecordState
}

export function rowOf(record: RecordState): NaiveRow {
  return record.context as unknown as NaiveRow
}

const resource: Resource<RecordState> = {
  fields: NAMES.map((name): Field<RecordState> => {
    const { type, nullable } = FIELDS[name]!
    return { name, type, nullable, read: (record: RecordState) => rowOf(record)[name]! } as Field<RecordState>
  }),
  defaultSort: DEFAULT_SORT,
  id: ({ id }) => id,
}

/** Records without a part do not belong to it. */
export const MADE_UP: Source = { resource, partsOf: ({ tenant }) => (tenant === '' ? [] : [tenant]) }

export function anyRow(random: Random, id: string): NaiveRow {
  return {
    id,
    ...Object.fromEntries(
      NAMES.map((name) => {
        const { nullable, list, value } = FIELDS[name]!
        if (nullable && random.chance(4)) return [name, null]
        return [name, list === undefined ? value(random) : random.list(0, 3, () => value(random))]
      }),
    ),
  }
}

export function anyQuery(random: Random): Query {
  return {
    ...(random.chance(4) ? {} : { limit: random.roll(40) }),
    ...(random.chance(3) ? { skip: random.roll(60) } : {}),
    ...(random.chance(6) ? {} : { filter: random.list(0, 3, () => anyFilter(random)) }),
    ...(random.chance(4)
      ? {}
      : {
          sort: random.list(0, 3, () => ({
            fieldName: random.of(NAMES),
            sortDirection: random.of(['ASC', 'DESC'] as const),
          })),
        }),
  }
}

function anyFilter(random: Random): Filter {
  const fieldName = random.of(NAMES)
  const operator = random.of(['AND', 'OR', undefined] as const)
  return { fieldName, operator, filterValues: random.list(1, 3, () => anyValue(random, FIELDS[fieldName]!)) }
}

const EQUALITY: readonly FilterType[] = ['EQUALS', 'NOT_EQUALS']
const TEXTUAL: readonly FilterType[] = [...EQUALITY, 'CONTAINS', 'NOT_CONTAINS', 'STARTS_WITH', 'ENDS_WITH', 'IN']
const ORDERED: readonly FilterType[] = [
  ...EQUALITY,
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'IN_RANGE',
]

function anyValue(random: Random, field: Made): FilterValue {
  const { kind, nullable } = field
  if (nullable && random.chance(6)) return { filterType: random.of(['IS_NULL', 'IS_NOT_NULL'] as const) }
  const filterType = random.of(kind === 'text' ? TEXTUAL : kind === 'boolean' ? EQUALITY : ORDERED)
  const value = (): string => String(field.value(random))
  if (filterType === 'IN') return { filterType, valuesString: random.list(1, 6, value) }
  if (filterType === 'IN_RANGE') {
    const bounds = random.of(['from', 'to', 'both'] as const)
    const [from, to] =
      kind === 'number'
        ? (['valueFromNumber', 'valueToNumber'] as const)
        : (['valueFromString', 'valueToString'] as const)
    return {
      filterType,
      ...(bounds === 'to' ? {} : { [from]: value() }),
      ...(bounds === 'from' ? {} : { [to]: value() }),
    }
  }
  if (kind === 'boolean') return { filterType, valueBoolean: random.chance(2) }
  if (kind === 'number') return { filterType, valueNumber: value() }
  const text = value()
  const start = random.roll(text.length + 1)
  const piece =
    EQUALITY.includes(filterType) || kind === 'instant' ? text : text.slice(start, start + 1 + random.roll(6))
  return { filterType, valueString: random.chance(3) && kind === 'text' ? piece.toUpperCase() : piece }
}
