// Evaluates one query over several disjoint tables: adds the counts and merges the pages.
import type { CompiledQuery } from './compile.ts'
import { compareKeyed, evaluate, withSortKeys, type QueryPage } from './evaluate.ts'
import type { Field } from './field.ts'
import type { SlicedJob } from './slices.ts'
import type { Table } from './table.ts'

const RECORDS_PER_YIELD = 512

export interface QueryAnswer<Record> {
  /** Number of matching records, before `skip` and `limit`. */
  readonly count: number
  readonly items: readonly Record[]
}

/**
 * The answer reflects one committed state of all tables.
 * @param atMoment called in the step that takes this state; called again if a new state had to be taken
 */
export function* answerOver<Record>(
  tables: readonly Table<Record>[],
  query: CompiledQuery<Record>,
  atMoment: () => void = () => undefined,
): SlicedJob<QueryAnswer<Record>> {
  let needed: readonly Field<Record>[] = query.entries.map(({ field }) => field)
  for (;;) {
    for (const table of tables) yield* table.fill(needed)
    while (tables.some(({ lagging }) => lagging)) yield 'waiting'
    for (const table of tables) table.hold()
    try {
      // A sweep may have dropped a column before the tables were held.
      if (!tables.every((table) => table.isFilled(needed))) continue
      atMoment()
      const answer = yield* readAll(tables, query)
      if (answer !== null) return answer
      needed = [...needed, ...query.keys.map(({ field }) => field)]
    } finally {
      for (const table of tables) table.release()
    }
  }
}

/** null: the columns of the sort keys have to be filled first. */
function* readAll<Record>(
  tables: readonly Table<Record>[],
  query: CompiledQuery<Record>,
): SlicedJob<QueryAnswer<Record> | null> {
  const { skip, limit } = query
  const filled = tables.filter(({ rows }) => rows.size > 0)
  const [only] = filled
  if (only === undefined) return { count: 0, items: [] }
  if (filled.length === 1) {
    const page = yield* evaluate(only, query, skip, limit)
    return page === null ? null : { count: page.count, items: page.records }
  }
  const pages: QueryPage<Record>[] = []
  for (const table of filled) {
    const page = yield* evaluate(table, query, 0, limit === 0 ? 0 : skip + limit)
    if (page === null) return null
    pages.push(page)
  }
  return { count: pages.reduce((sum, { count }) => sum + count, 0), items: yield* merged(only, pages, query) }
}

/** Records from position `skip` on. Each page starts at its first record. */
function* merged<Record>(
  { resource }: Table<Record>,
  pages: readonly QueryPage<Record>[],
  query: CompiledQuery<Record>,
): SlicedJob<Record[]> {
  const compare = compareKeyed(query.keys)
  const next = (records: readonly Record[], at: number) => {
    const record = records[at]
    return record === undefined
      ? undefined
      : { records, at, first: withSortKeys(resource.id(record), record, query.keys) }
  }
  let sources = pages.flatMap(({ records }) => next(records, 0) ?? [])
  const items: Record[] = []
  for (let place = 0; items.length < query.limit && sources.length > 0; place += 1) {
    const least = sources.reduce((best, source) => (compare(source.first, best.first) < 0 ? source : best))
    if (place >= query.skip) items.push(least.first.record)
    const following = next(least.records, least.at + 1)
    sources = sources.flatMap((source) => (source === least ? (following ?? []) : source))
    if (place % RECORDS_PER_YIELD === 0) yield
  }
  return items
}
