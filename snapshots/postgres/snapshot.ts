// The rows at one moment: a transaction that only reads.

import type { DiskSnapshot } from '../disk.ts'
import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import { beginSnapshot, pagesIn } from './range-reads.ts'

const VALUE = { name: 'holdfast-value', text: 'SELECT value FROM holdfast.row WHERE key = $1' }

/** `opened` settles when the snapshot is taken; what is committed after that is not seen. */
export function openSnapshot(database: Database): { snapshot: DiskSnapshot; opened: Promise<unknown> } {
  const opened = beginSnapshot(database)
  opened.catch(() => undefined)
  // One statement at a time: readers of a view may overlap.
  let last: Promise<unknown> = opened
  const inTurn = <T>(ask: (connection: Connection) => Promise<T>): Promise<T> => {
    const mine = last.then(async () => await ask(await opened))
    last = mine.catch(() => undefined)
    return mine
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
