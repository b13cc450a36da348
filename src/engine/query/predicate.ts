// Filters as predicates over records, judged against the declarations before the first record is read.
import { comparable, compare, instant, scaled, type Comparable } from './comparable.ts'
import {
  fieldNamed,
  valuesRead,
  type Field,
  type FieldType,
  type Filter,
  type FilterType,
  type FilterValue,
  type QueryProblem,
  type Resource,
} from './field.ts'

type Test = (values: readonly (Comparable | null)[]) => boolean

const TEXTUAL: ReadonlySet<FilterType> = new Set<FilterType>(['CONTAINS', 'NOT_CONTAINS', 'STARTS_WITH', 'ENDS_WITH', 'IN'])
const ORDERING: ReadonlySet<FilterType> = new Set<FilterType>([
  'IN_RANGE',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
])
const SPELLINGS: Readonly<Record<string, FieldType>> = {
  INTEGER: 'NUMBER',
  DECIMAL: 'NUMBER',
  OFFCHAIN_REFRENCE_TYPE: 'OFFCHAIN_REFERENCE_TYPE',
  ADDRESS_ONCHAIN_ID: 'ONCHAIN_ADDRESS_ID',
}

/** Entries are ANDed. Problems are added to `problems`; the predicate is of use only when there are none. */
export function predicateOf<Record>(
  resource: Resource<Record>,
  filters: readonly Filter[],
  problems: QueryProblem[],
): (record: Record) => boolean {
  const entries = filters.map((filter, index) => entryOf(resource, filter, `/filter/${index}`, problems))
  return (record) => entries.every((entry) => entry(record))
}

function entryOf<Record>(
  resource: Resource<Record>,
  filter: Filter,
  pointer: string,
  problems: QueryProblem[],
): (record: Record) => boolean {
  const field = fieldNamed(resource, filter.fieldName)
  if (field === undefined) {
    const known = resource.fields.map(({ name }) => name).join(', ')
    problems.push({
      code: 'UNKNOWN_FIELD',
      message: `${filter.fieldName} is not a field here; known are ${known}`,
      pointer: `${pointer}/fieldName`,
    })
    return () => false
  }
  const tests = filter.filterValues.map((value, index) => testOf(field, value, `${pointer}/filterValues/${index}`, problems))
  const any = filter.operator === 'OR'
  return (record) => {
    const values = valuesOf(field, record)
    return any ? tests.some((test) => test(values)) : tests.every((test) => test(values))
  }
}

function valuesOf<Record>(field: Field<Record>, record: Record): (Comparable | null)[] {
  return valuesRead(field, record).map((each) => comparable(field.type, each))
}

function testOf<Record>(field: Field<Record>, value: FilterValue, pointer: string, problems: QueryProblem[]): Test {
  const { filterType, dataType } = value
  const refuse = (code: string, message: string, member = 'filterType'): Test => {
    problems.push({ code, message, pointer: `${pointer}/${member}` })
    return () => false
  }
  if (dataType !== undefined && (SPELLINGS[dataType] ?? dataType) !== field.type) {
    return refuse('DATA_TYPE_MISMATCH', `${field.name} is of type ${field.type}`, 'dataType')
  }
  if (filterType === 'IS_NULL' || filterType === 'IS_NOT_NULL') {
    if (field.nullable !== true) return refuse('OPERATOR_NOT_ALLOWED', `${field.name} is never null`)
    const wanted = filterType === 'IS_NULL'
    return (values) => values.every((each) => each === null) === wanted
  }
  const ordered = field.type === 'NUMBER' || field.type === 'TIMESTAMP'
  if ((ORDERING.has(filterType) && !ordered) || (TEXTUAL.has(filterType) && (ordered || field.type === 'BOOLEAN'))) {
    return refuse('OPERATOR_NOT_ALLOWED', `${filterType} does not fit ${field.name}, which is of type ${field.type}`)
  }
  if (filterType === 'IN') return listTest(value, refuse)
  if (filterType === 'IN_RANGE') return rangeTest(field.type, value, refuse)
  const { operand, member } = operandOf(field.type, value)
  if (operand === undefined) return refuse('REQUIRED', `${member} is needed for ${filterType} on ${field.name}`, member)
  if (operand === null) return refuse('INVALID_VALUE', `not a value of type ${field.type}`, member)
  return singleTest(filterType, operand)
}

/** undefined: the member is missing; null: it is not of the type. */
function operandOf(type: FieldType, value: FilterValue): { operand: Comparable | null | undefined; member: string } {
  switch (type) {
    case 'BOOLEAN':
      return { operand: value.valueBoolean, member: 'valueBoolean' }
    case 'NUMBER': {
      const text = value.valueNumber ?? value.valueString
      return { operand: text === undefined ? undefined : scaled(text), member: 'valueNumber' }
    }
    case 'TIMESTAMP':
      return { operand: value.valueString === undefined ? undefined : instant(value.valueString), member: 'valueString' }
    default:
      return { operand: value.valueString, member: 'valueString' }
  }
}

/** A null value matches NOT_EQUALS and NOT_CONTAINS only; the negations ask that no member matches. */
function singleTest(filterType: FilterType, operand: Comparable): Test {
  const text = String(operand).toLowerCase()
  const some =
    (matches: (value: Comparable) => boolean): Test =>
    (values) =>
      values.some((each) => each !== null && matches(each))
  const none =
    (matches: (value: Comparable) => boolean): Test =>
    (values) =>
      !values.some((each) => each !== null && matches(each))
  const lower = (value: Comparable): string => String(value).toLowerCase()
  switch (filterType) {
    case 'EQUALS':
      return some((value) => value === operand)
    case 'NOT_EQUALS':
      return none((value) => value === operand)
    case 'CONTAINS':
      return some((value) => lower(value).includes(text))
    case 'NOT_CONTAINS':
      return none((value) => lower(value).includes(text))
    case 'STARTS_WITH':
      return some((value) => lower(value).startsWith(text))
    case 'ENDS_WITH':
      return some((value) => lower(value).endsWith(text))
    case 'GREATER_THAN':
      return some((value) => compare(value, operand) > 0)
    case 'GREATER_THAN_OR_EQUAL':
      return some((value) => compare(value, operand) >= 0)
    case 'LESS_THAN':
      return some((value) => compare(value, operand) < 0)
    case 'LESS_THAN_OR_EQUAL':
      return some((value) => compare(value, operand) <= 0)
    default:
      return () => false
  }
}

type Refuse = (code: string, message: string, member?: string) => Test

function listTest(value: FilterValue, refuse: Refuse): Test {
  if (value.valuesString === undefined) return refuse('REQUIRED', 'valuesString is needed for IN', 'valuesString')
  const wanted = new Set<Comparable>(value.valuesString)
  return (values) => values.some((each) => each !== null && wanted.has(each))
}

/** Inclusive; a missing bound is open, both missing are refused. */
function rangeTest(type: FieldType, value: FilterValue, refuse: Refuse): Test {
  const parse = type === 'NUMBER' ? scaled : instant
  const [from, to] =
    type === 'NUMBER'
      ? [value.valueFromNumber ?? value.valueFromString, value.valueToNumber ?? value.valueToString]
      : [value.valueFromString, value.valueToString]
  const kind = type === 'NUMBER' ? 'Number' : 'String'
  if (from === undefined && to === undefined) return refuse('REQUIRED', 'IN_RANGE needs a lower or an upper bound', `valueFrom${kind}`)
  const low = from === undefined ? undefined : parse(from)
  const high = to === undefined ? undefined : parse(to)
  if (low === null) return refuse('INVALID_VALUE', `not a value of type ${type}`, `valueFrom${kind}`)
  if (high === null) return refuse('INVALID_VALUE', `not a value of type ${type}`, `valueTo${kind}`)
  return (values) =>
    values.some(
      (each) => each !== null && (low === undefined || compare(each, low) >= 0) && (high === undefined || compare(each, high) <= 0),
    )
}
