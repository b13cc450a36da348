// Compiles one value of a filter into a test; checks that operator and operands fit the field.
import type { Field, FieldType, FilterType, FilterValue, QueryProblem } from './field.ts'
import { isOrdered, operand, type Quantity } from './quantity.ts'
import type { Bound, Test } from './test.ts'

const TEXTUAL: ReadonlySet<FilterType> = new Set<FilterType>([
  'CONTAINS',
  'NOT_CONTAINS',
  'STARTS_WITH',
  'ENDS_WITH',
  'IN',
])
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

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Operand members of a filter value, by the type of field they apply to. */
const TEXT_MEMBERS = ['valueString', 'valuesString'] as const
const INSTANT_MEMBERS = ['valueString', 'valueFromString', 'valueToString'] as const
const NUMBER_MEMBERS = ['valueNumber', 'valueFromNumber', 'valueToNumber'] as const
const OPERANDS = [...new Set([...TEXT_MEMBERS, ...INSTANT_MEMBERS, ...NUMBER_MEMBERS, 'valueBoolean' as const])]

/** Records a problem and returns null. */
type Refuse = (code: string, message: string, member?: string) => null

/** Returns null if the value is invalid; the problem is then in `problems`. */
export function testOf<Record>(
  field: Field<Record>,
  value: FilterValue,
  pointer: string,
  problems: QueryProblem[],
): Test | null {
  const { filterType, dataType } = value
  const refuse: Refuse = (code, message, member = 'filterType') => {
    problems.push({ code, message, pointer: `${pointer}/${member}` })
    return null
  }
  if (dataType !== undefined && !isTypeOf(field, dataType)) {
    return refuse('DATA_TYPE_MISMATCH', `${field.name} is of type ${field.type}`, 'dataType')
  }
  if (filterType === 'IS_NULL' || filterType === 'IS_NOT_NULL') {
    if (field.nullable !== true || field.nullWhereHidden === true)
      return refuse('OPERATOR_NOT_ALLOWED', `${field.name} is never null`)
    return { kind: 'null', negated: filterType === 'IS_NOT_NULL' }
  }
  const ordered = isOrdered(field.type)
  if ((ORDERING.has(filterType) && !ordered) || (TEXTUAL.has(filterType) && (ordered || field.type === 'BOOLEAN'))) {
    return refuse('OPERATOR_NOT_ALLOWED', `${filterType} does not fit ${field.name}, which is of type ${field.type}`)
  }
  const unfit = OPERANDS.find((member) => value[member] !== undefined && !operandsOf(field.type).includes(member))
  if (unfit !== undefined)
    return refuse('INVALID_VALUE', `${unfit} is no operand of ${field.name}, which is of type ${field.type}`, unfit)
  const unknown = unknownValue(field, value)
  if (unknown !== undefined)
    return refuse(
      'INVALID_VALUE',
      `${JSON.stringify(unknown.text)} is no value of ${field.name}: ${field.values?.join(', ')}`,
      unknown.member,
    )
  if (filterType === 'IN') {
    if (value.valuesString === undefined) return refuse('REQUIRED', 'valuesString is needed for IN', 'valuesString')
    return { kind: 'equal', texts: value.valuesString.map((text) => spelled(field.type, text)), negated: false }
  }
  if (filterType === 'IN_RANGE') return rangeTest(field.type, value, refuse)
  return ordered ? orderedTest(field, value, refuse) : textTest(field, value, refuse)
}

/** Addresses accept the type `TEXT`: their filters are those of text, and some clients know no other type. */
function isTypeOf<Record>({ type }: Field<Record>, dataType: string): boolean {
  return (SPELLINGS[dataType] ?? dataType) === type || (dataType === 'TEXT' && type === 'ONCHAIN_ADDRESS_ID')
}

/** A UUID in upper case is the same id, as in a lookup. */
function spelled(type: FieldType, text: string): string {
  return type === 'OFFCHAIN_ID' && UUID.test(text) ? text.toLowerCase() : text
}

function operandsOf(type: FieldType): readonly string[] {
  if (type === 'BOOLEAN') return ['valueBoolean']
  if (type === 'NUMBER') return NUMBER_MEMBERS
  return type === 'TIMESTAMP' ? INSTANT_MEMBERS : TEXT_MEMBERS
}

/** For an equality on a field with a fixed set of values: the first operand outside the set. */
function unknownValue<Record>(
  { values }: Field<Record>,
  value: FilterValue,
): { readonly text: string; readonly member: string } | undefined {
  if (values === undefined) return undefined
  const { filterType, valueString, valuesString = [] } = value
  if (filterType === 'IN') {
    const index = valuesString.findIndex((text) => !values.includes(text))
    return index === -1 ? undefined : { text: valuesString[index] ?? '', member: `valuesString/${index}` }
  }
  const isEquality = filterType === 'EQUALS' || filterType === 'NOT_EQUALS'
  const isUnknown = isEquality && valueString !== undefined && !values.includes(valueString)
  return isUnknown ? { text: valueString, member: 'valueString' } : undefined
}

function textTest<Record>({ name, type }: Field<Record>, value: FilterValue, refuse: Refuse): Test | null {
  const { filterType } = value
  const [text, member] = type === 'BOOLEAN' ? [value.valueBoolean, 'valueBoolean'] : [value.valueString, 'valueString']
  if (text === undefined) return refuse('REQUIRED', `${member} is needed for ${filterType} on ${name}`, member)
  switch (filterType) {
    case 'EQUALS':
    case 'NOT_EQUALS':
      return { kind: 'equal', texts: [spelled(type, String(text))], negated: filterType === 'NOT_EQUALS' }
    case 'STARTS_WITH':
    case 'ENDS_WITH':
      return { kind: 'like', place: filterType, piece: String(text).toLowerCase(), negated: false }
    default:
      return {
        kind: 'like',
        place: 'CONTAINS',
        piece: String(text).toLowerCase(),
        negated: filterType === 'NOT_CONTAINS',
      }
  }
}

function orderedTest<Record>({ name, type }: Field<Record>, value: FilterValue, refuse: Refuse): Test | null {
  const { filterType } = value
  const [text, member] = type === 'NUMBER' ? [value.valueNumber, 'valueNumber'] : [value.valueString, 'valueString']
  if (text === undefined) return refuse('REQUIRED', `${member} is needed for ${filterType} on ${name}`, member)
  const compared = operand(type, text)
  if (compared === null) return refuse('INVALID_VALUE', `not a value of type ${type}`, member)
  const here: Bound = { value: compared, included: true }
  const beyond: Bound = { value: compared, included: false }
  switch (filterType) {
    case 'GREATER_THAN':
      return { kind: 'range', low: beyond, high: null, negated: false }
    case 'GREATER_THAN_OR_EQUAL':
      return { kind: 'range', low: here, high: null, negated: false }
    case 'LESS_THAN':
      return { kind: 'range', low: null, high: beyond, negated: false }
    case 'LESS_THAN_OR_EQUAL':
      return { kind: 'range', low: null, high: here, negated: false }
    default:
      return { kind: 'range', low: here, high: here, negated: filterType === 'NOT_EQUALS' }
  }
}

/** Bounds are inclusive. One bound may be missing, not both. */
function rangeTest(type: FieldType, value: FilterValue, refuse: Refuse): Test | null {
  const [from, to] =
    type === 'NUMBER' ? [value.valueFromNumber, value.valueToNumber] : [value.valueFromString, value.valueToString]
  const kind = type === 'NUMBER' ? 'Number' : 'String'
  if (from === undefined && to === undefined)
    return refuse('REQUIRED', 'IN_RANGE needs a lower or an upper bound', `valueFrom${kind}`)
  const low = from === undefined ? undefined : operand(type, from)
  const high = to === undefined ? undefined : operand(type, to)
  if (low === null) return refuse('INVALID_VALUE', `not a value of type ${type}`, `valueFrom${kind}`)
  if (high === null) return refuse('INVALID_VALUE', `not a value of type ${type}`, `valueTo${kind}`)
  return { kind: 'range', low: boundOf(low), high: boundOf(high), negated: false }
}

function boundOf(value: Quantity | undefined): Bound | null {
  return value === undefined ? null : { value, included: true }
}
