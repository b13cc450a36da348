// Rows by key, in one statement for many.

import type { ResultRow, Statement, Value } from './connection.ts'
import type { Database } from './database.ts'

const ROWS = { name: 'holdfast-rows', text: 'SELECT key, value FROM holdfast.row WHERE key = ANY ($1::text[])' }
/** Of one statement. */
export const MOST_KEYS = 5_000

export type RowsByKey = ReadonlyMap<string, string>

/** The rows of these keys that exist. */
export async function rowsOf(
  ask: (statement: Statement, values: readonly Value[]) => Promise<readonly ResultRow[]>,
  keys: readonly string[],
): Promise<RowsByKey> {
  const found = new Map<string, string>()
  for (const [key = null, value = null] of await ask(ROWS, [keys]))
    if (key !== null && value !== null) found.set(key, value)
  return found
}

/** The rows of many keys, in their order. Asked for until an answer comes. */
export async function manyRowsOf(
  database: Database,
  keys: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const texts: (string | undefined)[] = []
  for (let at = 0; at < keys.length; at += MOST_KEYS) {
    const some = keys.slice(at, at + MOST_KEYS)
    const found = await rowsOf((...asked) => database.read(...asked), some)
    for (const key of some) texts.push(found.get(key))
  }
  return texts
}
