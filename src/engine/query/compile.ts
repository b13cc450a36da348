// Validates a query against the fields of its resource and compiles it. Reads no records.
import {
  fieldNamed,
  QueryRefused,
  type Field,
  type Filter,
  type Query,
  type QueryProblem,
  type Resource,
  type Sort,
} from './field.ts'
import { testOf } from './compile-test.ts'
import type { Test } from './test.ts'

export const MAX_LIMIT = 1_000
export const DEFAULT_LIMIT = 100

export interface CompiledQuery<Record> {
  /** A record must satisfy all entries. */
  readonly entries: readonly FilterEntry<Record>[]
  /** Sort keys before the id, which is always last and ascending. */
  readonly keys: readonly SortKey<Record>[]
  readonly skip: number
  readonly limit: number
}

export interface FilterEntry<Record> {
  readonly field: Field<Record>
  /** True: one passing test is enough; false: all tests must pass. */
  readonly any: boolean
  readonly tests: readonly Test[]
}

export interface SortKey<Record> {
  readonly field: Field<Record>
  readonly descending: boolean
}

/**
 * Throws `QueryRefused` with all problems of the query.
 * @param scope further filters, which may name hidden fields; a problem in these is a defect of the caller
 */
export function compileQuery<Record>(
  resource: Resource<Record>,
  query: Query,
  scope: readonly Filter[] = [],
): CompiledQuery<Record> {
  const problems: QueryProblem[] = []
  const entries = (query.filter ?? []).flatMap((filter, index) => {
    const field = fieldNamed(resource.fields, filter.fieldName)
    if (field !== undefined) return [entryOf(field, filter, `/filter/${index}`, problems)]
    const message = unknownField(resource, filter.fieldName) ?? ''
    problems.push({ code: 'UNKNOWN_FIELD', message, pointer: `/filter/${index}/fieldName` })
    return []
  })
  const keys = keysOf(resource, query.sort, problems)
  if (problems.length > 0) throw new QueryRefused(problems)
  for (const filter of scope) {
    const field = fieldNamed([...(resource.hidden ?? []), ...resource.fields], filter.fieldName)
    if (field === undefined) throw new Error(`no field ${filter.fieldName} to narrow a query by`)
    entries.push(entryOf(field, filter, '', problems))
  }
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('; '))
  return { entries, keys, skip: query.skip ?? 0, limit: query.limit ?? DEFAULT_LIMIT }
}

/** The problems of the values of one filter entry, with pointers relative to it. None if its field is unknown. */
export function problemsOfFilter<Record>(resource: Resource<Record>, filter: Filter): readonly QueryProblem[] {
  const problems: QueryProblem[] = []
  const field = fieldNamed(resource.fields, filter.fieldName)
  if (field !== undefined) entryOf(field, filter, '', problems)
  return problems
}

export function unknownField<Record>({ fields }: Resource<Record>, name: string): string | undefined {
  if (fieldNamed(fields, name) !== undefined) return undefined
  return `${name} is not a field here; known are ${fields.map((field) => field.name).join(', ')}`
}

function entryOf<Record>(
  field: Field<Record>,
  filter: Filter,
  pointer: string,
  problems: QueryProblem[],
): FilterEntry<Record> {
  const tests = filter.filterValues.map((value, index) =>
    testOf(field, value, `${pointer}/filterValues/${index}`, problems),
  )
  return { field, any: filter.operator === 'OR', tests: tests.filter((test) => test !== null) }
}

/** Repeated fields are ignored: the first occurrence decides the order. */
function keysOf<Record>(
  resource: Resource<Record>,
  sort: readonly Sort[] | undefined,
  problems: QueryProblem[],
): SortKey<Record>[] {
  const { defaultSort, lastSort } = resource
  const last: readonly Sort[] = lastSort === undefined ? [] : [{ fieldName: lastSort, sortDirection: 'ASC' }]
  const wanted = [...(sort === undefined || sort.length === 0 ? defaultSort : sort), ...last]
  const keys = new Map<Field<Record>, SortKey<Record>>()
  for (const [index, { fieldName, sortDirection }] of wanted.entries()) {
    const field = fieldNamed(resource.fields, fieldName)
    if (field === undefined) {
      const message = unknownField(resource, fieldName) ?? ''
      problems.push({ code: 'UNKNOWN_FIELD', message, pointer: `/sort/${index}/fieldName` })
    } else if (!keys.has(field)) {
      keys.set(field, { field, descending: sortDirection === 'DESC' })
    }
  }
  return [...keys.values()]
}
