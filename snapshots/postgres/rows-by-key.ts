// Reads many rows by key with one statement.

import type { ResultRow, Statement, Value } from './connection.ts'
import type { Database } from './database.ts'

const ROWS = { name: 'holdfast-rows', text: 'SELECT key, value FROM holdfast.row WHERE key = ANY ($1::text[])' }
/** Maximum number of keys of one statement. */
export const MAX_KEYS = 5_000

export type RowsByKey = ReadonlyMap<string, string>

/** The existing rows of these keys. */
export async function rowsOf(
  query: (statement: Statement, values: readonly Value[]) => Promise<readonly ResultRow[]>,
  keys: readonly string[],
): Promise<RowsByKey> {
  const rows = new Map<string, string>()
  for (const [key = null, value = null] of await query(ROWS, [keys]))
    if (key !== null && value !== null) rows.set(key, value)
  return rows
}

/** The texts of many rows, in the order of `keys`. Retries until the database answers. */
export async function manyRowsOf(
  database: Database,
  keys: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const texts: (string | undefined)[] = []
  for (let at = 0; at < keys.length; at += MAX_KEYS) {
    const chunk = keys.slice(at, at + MAX_KEYS)
    const rows = await rowsOf((...query) => database.read(...query), chunk)
    for (const key of chunk) texts.push(rows.get(key))
  }
  return texts
}
