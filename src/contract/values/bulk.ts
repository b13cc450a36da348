// Schema of the bulk query. The query engine validates field names, from the same declarations.
import { z } from 'zod'
import type { Filter, Resource } from '../../engine/query/field.ts'
import { MAX_LIMIT, problemsOfFilter, unknownField } from '../../engine/query/compile.ts'
import { withAliases } from './aliases.ts'
import { signedDecimal } from './amount.ts'
import { tenancyConfig } from './chain-config.ts'
import { rule, ruleOfOperation, type Finding } from './rule.ts'
import { line } from './text.ts'

const DATA_TYPES = [
  'TEXT',
  'NUMBER',
  'INTEGER',
  'DECIMAL',
  'BOOLEAN',
  'TIMESTAMP',
  'OFFCHAIN_REFERENCE_TYPE',
  'OFFCHAIN_REFRENCE_TYPE',
  'ONCHAIN_ADDRESS_ID',
  'ADDRESS_ONCHAIN_ID',
  'OFFCHAIN_ID',
] as const
const FILTER_TYPES = [
  'EQUALS',
  'NOT_EQUALS',
  'CONTAINS',
  'NOT_CONTAINS',
  'IS_NULL',
  'IS_NOT_NULL',
  'STARTS_WITH',
  'ENDS_WITH',
  'IN',
  'IN_RANGE',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
] as const
const MAX_ENTRIES = 50
const MAX_VALUES = 1_000
const text = line(4096)

const filterValue = z
  .strictObject({
    dataType: z.enum(DATA_TYPES).optional(),
    filterType: z.enum(FILTER_TYPES),
    valueString: text.optional(),
    valueNumber: signedDecimal.optional(),
    valueBoolean: z.boolean().optional(),
    valuesString: z.array(text).min(1).max(MAX_VALUES).optional(),
    valueFromString: text.optional(),
    valueToString: text.optional(),
    valueFromNumber: signedDecimal.optional(),
    valueToNumber: signedDecimal.optional(),
  })
  .meta({ id: 'FilterValue' })

const NOT_WHOLE = { code: 'INVALID_TYPE', message: 'must be a whole number' }

/** Any whole number: beyond those that a double holds exactly, the page is empty anyway. */
const skip = z
  .number()
  .min(0)
  .check(rule((value) => (Number.isInteger(value) ? undefined : NOT_WHOLE)))
  .meta({ type: 'integer', default: 0 })

/** Field names are listed in the document; the query engine rejects unknown ones. */
export function queryOf<Record>(resource: Resource<Record>) {
  const fields = resource.fields.map(({ name }) => name)
  const typed = resource.fields.map(({ name, type, nullable, nullWhereHidden }) => ({
    name,
    type,
    nullable: nullable === true && nullWhereHidden !== true,
  }))
  const fieldName = line(255)
    .min(1)
    .check(ruleOfOperation((name) => unknownFieldIn(resource, name)))
    .meta({ examples: fields, description: `One of ${fields.join(', ')}.`, 'x-fields': typed })
  return z.strictObject({
    limit: z.int().min(0).max(MAX_LIMIT).meta({ default: 100 }).optional(),
    skip: skip.optional(),
    filter: z
      .array(
        z
          .strictObject({
            fieldName,
            operator: z.enum(['AND', 'OR']).meta({ default: 'AND' }).optional(),
            filterValues: z.array(filterValue).min(1).max(MAX_ENTRIES),
          })
          .check(ruleOfOperation((filter) => findingsIn(resource, filter))),
      )
      .max(MAX_ENTRIES)
      .optional(),
    sort: z
      .array(z.strictObject({ fieldName, sortDirection: z.enum(['ASC', 'DESC']) }))
      .max(MAX_ENTRIES)
      .optional(),
  })
}

function unknownFieldIn<Record>(resource: Resource<Record>, name: string): readonly Finding[] {
  const message = unknownField(resource, name)
  return message === undefined ? [] : [{ code: 'UNKNOWN_FIELD', message }]
}

function findingsIn<Record>(resource: Resource<Record>, filter: Filter): readonly Finding[] {
  return problemsOfFilter(resource, filter).map(({ code, message, pointer }) => {
    return { code, message, path: pointer.split('/').slice(1) }
  })
}

/** Default: all records. Applied last, so that the default does not conflict with a query under its alias. */
export function defaultToAll<Body extends { readonly itemQuery?: object | undefined }>(body: Body) {
  return { ...body, itemQuery: body.itemQuery ?? {} }
}

/** Body of a bulk endpoint over the parts of records, which may name the one whose parts are meant. */
export function partsBody<Record, Whole extends z.ZodType>(resource: Resource<Record>, whole: Whole) {
  const members = {
    itemData: whole.optional(),
    itemQuery: queryOf(resource).optional(),
    tenancyConfig: tenancyConfig.optional(),
  }
  return withAliases(members, { itemsQuery: 'itemQuery' }).transform(defaultToAll)
}

/** Body of a bulk endpoint. */
export function bulkBody<Record>(resource: Resource<Record>) {
  const members = { itemQuery: queryOf(resource).optional(), tenancyConfig: tenancyConfig.optional() }
  return withAliases(members, { itemsQuery: 'itemQuery' }).transform(defaultToAll)
}
