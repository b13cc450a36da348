// Declarations of the queryable fields of a resource. The query engine and the API document are derived from them.

/**
 * TIMESTAMP values are ISO 8601 text; NUMBER values are decimal text or integers, compared exactly. The other types are
 * text, compared by code point.
 */
export type FieldType =
  'TEXT' | 'NUMBER' | 'BOOLEAN' | 'TIMESTAMP' | 'OFFCHAIN_REFERENCE_TYPE' | 'ONCHAIN_ADDRESS_ID' | 'OFFCHAIN_ID'

export type FieldValue = string | number | bigint | boolean | null

interface AnyField {
  readonly name: string
  /** Alternative names accepted on input. */
  readonly aliases?: readonly string[]
  readonly type: FieldType
  /** The fixed set of values, if there is one: equality with any other operand is rejected. */
  readonly values?: readonly string[]
}

/** A field that allows IS_NULL and IS_NOT_NULL. */
export interface NullableField<Record> extends AnyField {
  readonly nullable: true
  /** Null only in records that hide the field from the caller, or lost it: IS_NULL and IS_NOT_NULL are refused. */
  readonly nullWhereHidden?: true | undefined
  /** An array matches if any member does; an empty array is null. */
  read(record: Record): FieldValue | readonly FieldValue[]
}

/** A field that is never null; the return type of `read` enforces it. */
export interface FullField<Record> extends AnyField {
  readonly nullable?: false
  readonly nullWhereHidden?: undefined
  read(record: Record): Exclude<FieldValue, null> | readonly Exclude<FieldValue, null>[]
}

export type Field<Record> = NullableField<Record> | FullField<Record>

export interface Resource<Record> {
  readonly fields: readonly Field<Record>[]
  /** Fields for internal filters; queries cannot name them. */
  readonly hidden?: readonly Field<Record>[]
  readonly defaultSort: readonly Sort[]
  /** The field that ends every sort, ascending, where answers show another `offchainId` than that of the record. */
  readonly lastSort?: string
  /** Last key of every sort, ascending. */
  id(record: Record): string
}

export interface Sort {
  readonly fieldName: string
  readonly sortDirection: 'ASC' | 'DESC'
}

export type FilterType =
  | 'EQUALS'
  | 'NOT_EQUALS'
  | 'CONTAINS'
  | 'NOT_CONTAINS'
  | 'IS_NULL'
  | 'IS_NOT_NULL'
  | 'STARTS_WITH'
  | 'ENDS_WITH'
  | 'IN'
  | 'IN_RANGE'
  | 'GREATER_THAN'
  | 'GREATER_THAN_OR_EQUAL'
  | 'LESS_THAN'
  | 'LESS_THAN_OR_EQUAL'

export interface FilterValue {
  readonly dataType?: string | undefined
  readonly filterType: FilterType
  readonly valueString?: string | undefined
  /** Decimal text. */
  readonly valueNumber?: string | undefined
  readonly valueBoolean?: boolean | undefined
  readonly valuesString?: readonly string[] | undefined
  readonly valueFromString?: string | undefined
  readonly valueToString?: string | undefined
  readonly valueFromNumber?: string | undefined
  readonly valueToNumber?: string | undefined
}

export interface Filter {
  readonly fieldName: string
  readonly operator?: 'AND' | 'OR' | undefined
  readonly filterValues: readonly FilterValue[]
}

export interface Query {
  readonly limit?: number | undefined
  readonly skip?: number | undefined
  readonly filter?: readonly Filter[] | undefined
  readonly sort?: readonly Sort[] | undefined
}

/** A problem of a query, with a JSON Pointer relative to the query. */
export interface QueryProblem {
  readonly code: string
  readonly message: string
  readonly pointer: string
}

export class QueryRefused extends Error {
  override readonly name = 'QueryRefused'
  readonly problems: readonly QueryProblem[]

  constructor(problems: readonly QueryProblem[]) {
    super(problems.map(({ message }) => message).join('; '))
    this.problems = problems
  }
}

export function fieldNamed<Record>(fields: readonly Field<Record>[], name: string): Field<Record> | undefined {
  return fields.find((field) => field.name === name || field.aliases?.includes(name) === true)
}

/** The values of a field as a list: the members of an array, or the single value. */
export function readFieldValues<Record>(field: Field<Record>, record: Record): readonly FieldValue[] {
  const value = field.read(record)
  if (!isList(value)) return [value]
  return value.length === 0 ? [null] : value
}

function isList(value: FieldValue | readonly FieldValue[]): value is readonly FieldValue[] {
  return Array.isArray(value)
}
