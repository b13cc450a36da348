// A snapshot of the rows: a read-only transaction.

import type { DiskSnapshot } from '../disk.ts'
import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import { beginSnapshot, pagesIn } from './range-reads.ts'

const VALUE = { name: 'holdfast-value', text: 'SELECT value FROM holdfast.row WHERE key = $1' }

/** `opened` settles when the snapshot is taken. Later commits are invisible to it. */
export function openSnapshot(database: Database): { snapshot: DiskSnapshot; opened: Promise<unknown> } {
  const opened = beginSnapshot(database)
  opened.catch(() => undefined)
  // Serializes the statements: reads of a view may overlap, and the connection takes one at a time.
  let last: Promise<unknown> = opened
  const inTurn = <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    const result = last.then(async () => await work(await opened))
    last = result.catch(() => undefined)
    return result
  }
  const bound = database.boundAt(2)
  const snapshot: DiskSnapshot = {
    get: (key) => inTurn(async (connection) => (await connection.query(VALUE, [key], bound))[0]?.[0] ?? undefined),
    async *pages(range, limit) {
      const pages = pagesIn(await opened, range, { limit }, bound)
      for (;;) {
        const next = await inTurn(() => pages.next())
        if (next.done === true) return
        yield next.value
      }
    },
    async close() {
      const connection = await opened.catch(() => undefined)
      if (connection === undefined) return
      await inTurn(() => connection.script('COMMIT', bound)).catch(() => connection.destroy())
      database.giveBack(connection)
    },
  }
  return { snapshot, opened }
}
