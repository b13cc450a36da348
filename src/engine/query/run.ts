// Answers a query over records: count of all that match, and one page of them in order. Gives the event loop a turn often enough
// that nobody else waits for a long scan.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { comparable, compare, type Comparable } from './comparable.ts'
import { fieldNamed, QueryRefused, valuesRead, type Query, type QueryProblem, type Resource, type Sort } from './field.ts'
import { predicateOf } from './predicate.ts'

export const MAX_LIMIT = 1_000
const DEFAULT_LIMIT = 100
const RECORDS_PER_TURN = 2_000

export interface Answer<Record> {
  /** Records that match, before `skip` and `limit`. */
  readonly count: number
  readonly items: readonly Record[]
}

/** Throws `QueryRefused` with everything that is wrong with the query. */
export async function runQuery<Record>(resource: Resource<Record>, records: Iterable<Record>, query: Query): Promise<Answer<Record>> {
  const problems: QueryProblem[] = []
  const matches = predicateOf(resource, query.filter ?? [], problems)
  const order = orderOf(resource, query.sort, problems)
  if (problems.length > 0) throw new QueryRefused(problems)
  const found: Record[] = []
  let read = 0
  for (const record of records) {
    if (matches(record)) found.push(record)
    read += 1
    if (read % RECORDS_PER_TURN === 0) await nextTurn()
  }
  const { skip = 0, limit = DEFAULT_LIMIT } = query
  return { count: found.length, items: limit === 0 ? [] : sorted(resource, found, order).slice(skip, skip + limit) }
}

interface Key<Record> {
  readonly descending: boolean
  read(record: Record): Comparable | null
}

function orderOf<Record>(resource: Resource<Record>, sort: readonly Sort[] | undefined, problems: QueryProblem[]): Key<Record>[] {
  const wanted = sort === undefined || sort.length === 0 ? resource.defaultSort : sort
  return wanted.flatMap(({ fieldName, sortDirection }, index) => {
    const field = fieldNamed(resource, fieldName)
    if (field === undefined) {
      problems.push({ code: 'UNKNOWN_FIELD', message: `${fieldName} is not a field here`, pointer: `/sort/${index}/fieldName` })
      return []
    }
    const read = (record: Record): Comparable | null => comparable(field.type, valuesRead(field, record)[0] ?? null)
    return [{ descending: sortDirection === 'DESC', read }]
  })
}

/** Given keys in order, then the id ascending; nulls last in both directions. */
function sorted<Record>(resource: Resource<Record>, records: readonly Record[], order: readonly Key<Record>[]): Record[] {
  const rows = records.map((record) => ({ record, id: resource.id(record), keys: order.map((key) => key.read(record)) }))
  rows.sort((a, b) => {
    for (const [index, { descending }] of order.entries()) {
      const difference = compareKeys(a.keys[index] ?? null, b.keys[index] ?? null, descending)
      if (difference !== 0) return difference
    }
    return a.id < b.id ? -1 : 1
  })
  return rows.map(({ record }) => record)
}

function compareKeys(a: Comparable | null, b: Comparable | null, descending: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return descending ? compare(b, a) : compare(a, b)
}
