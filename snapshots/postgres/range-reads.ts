// Reads rows by key range, in pages: with one statement if one page is the whole answer, else from one snapshot.

import type { RowPage, Range } from '../disk.ts'
import type { Connection, ResultRow, Statement, Value } from './connection.ts'
import type { RowIterator } from '../row-walk.ts'
import type { Database } from './database.ts'
import { untilAnswered } from './lane.ts'

const PAGE_ROWS = 5_000

const BETWEEN = {
  name: 'holdfast-range',
  text: `SELECT key, value FROM holdfast.row WHERE key >= $1 AND key < $2 ORDER BY key LIMIT $3::bigint`,
}
const AFTER = {
  name: 'holdfast-after',
  text: `SELECT key, value FROM holdfast.row WHERE key > $1 AND key < $2 ORDER BY key LIMIT $3::bigint`,
}
const LAST = {
  name: 'holdfast-last',
  text: `SELECT key, value FROM holdfast.row WHERE key >= $1 AND key < $2 AND value IS NOT NULL
ORDER BY key DESC LIMIT 1`,
}
/** Keys are printable ASCII. */
const END = '\u007f'

const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
/** The first statement of a transaction takes its snapshot. */
const FIRST = { text: 'SELECT 1' }

type Query = (statement: Statement, values: readonly Value[]) => Promise<ResultRow[]>

export interface RangeOptions {
  readonly limit?: number | undefined
  /** Receives the keys of deleted rows that are still in the table. */
  readonly onDeleted?: (keys: readonly string[]) => void
}

/** All pages are from one snapshot. Rejects instead of ending early. */
export async function* pagesOf(
  database: Database,
  range: Range,
  options: RangeOptions = {},
): AsyncGenerator<RowPage, void, undefined> {
  const { limit } = options
  if (limit !== undefined && limit <= PAGE_ROWS) {
    yield* pagesBy((statement, values) => database.read(statement, values), range, options)
    return
  }
  const connection = await beginSnapshot(database)
  try {
    yield* pagesIn(connection, range, options, database.boundAt(2))
    await connection.script('COMMIT', database.boundMs)
  } catch (error) {
    connection.destroy()
    throw error
  } finally {
    // The transaction is still open if the caller stopped early.
    if (connection.open) await connection.script('ROLLBACK', database.boundMs).catch(() => connection.destroy())
    database.giveBack(connection)
  }
}

/** Opens a transaction and takes its snapshot. Waits while the database does not answer. */
export async function beginSnapshot(database: Database): Promise<Connection> {
  return await untilAnswered(
    async () => {
      const connection = await database.borrow()
      try {
        await connection.script(SNAPSHOT, database.boundMs)
        await connection.query(FIRST, [], database.boundMs)
        return connection
      } catch (error) {
        connection.destroy()
        database.giveBack(connection)
        throw error
      }
    },
    (error) => database.noAnswer(error),
  )
}

/** As `pagesOf`, within the transaction of a connection. */
export function pagesIn(
  connection: Connection,
  range: Range,
  options: RangeOptions,
  boundMs: number,
): AsyncGenerator<RowPage, void, undefined> {
  return pagesBy((statement, values) => connection.query(statement, values, boundMs), range, options)
}

async function* pagesBy(
  query: Query,
  { gte = '', lt = END }: Range,
  { limit, onDeleted }: RangeOptions,
): AsyncGenerator<RowPage, void, undefined> {
  let left = limit ?? Infinity
  for (let after: string | undefined; left > 0;) {
    // Deleted rows also count towards the limit. There are few, because they are removed soon.
    const pageLimit = Math.min(PAGE_ROWS, left)
    const rows = await query(after === undefined ? BETWEEN : AFTER, [after ?? gte, lt, pageLimit])
    const page: (readonly [string, string])[] = []
    const deleted: string[] = []
    for (const [key = null, value = null] of rows) {
      if (key === null) continue
      if (value === null) deleted.push(key)
      else page.push([key, value])
    }
    if (deleted.length > 0) onDeleted?.(deleted)
    left -= page.length
    if (page.length > 0) yield page
    if (rows.length < pageLimit) return
    after = rows.at(-1)?.[0] ?? undefined
  }
}

export async function lastRowOf(
  database: Database,
  { gte = '', lt = END }: Range,
): Promise<RowPage[number] | undefined> {
  const [row] = await database.read(LAST, [gte, lt])
  return row === undefined ? undefined : [row[0] ?? '', row[1] ?? '']
}

/** Iterates over the rows of a range; each page is a statement of its own, so the pages are not of one snapshot. */
export function iteratorOver(database: Database, { gte = '', lt = END }: Range): RowIterator {
  let from = gte
  let isAfter = false
  return {
    seek(key) {
      from = key
      isAfter = false
    },
    async nextv(rows) {
      for (;;) {
        const rowsRead = await database.read(isAfter ? AFTER : BETWEEN, [from, lt, rows])
        from = rowsRead.at(-1)?.[0] ?? from
        isAfter = true
        const page = rowsRead.flatMap(([key, value]): [string, string][] =>
          typeof key === 'string' && typeof value === 'string' ? [[key, value]] : [],
        )
        if (page.length > 0 || rowsRead.length < rows) return page
      }
    },
    close: () => Promise.resolve(),
  }
}
