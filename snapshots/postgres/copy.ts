// The rows of a database as a whole: for a copy of a moment, and to fill an empty database.

import type { Page } from '../disk.ts'
import { withChanges } from '../record-changes.ts'
import { StoreError } from '../errors.ts'
import { CellWriter } from './cell-writer.ts'
import type { Database } from './database.ts'
import { pagesOf } from './range-reads.ts'
import { MAIN_CELL } from './schema.ts'

/** All rows as of one moment, in key order. Rejects instead of ending early. */
export const allRows = (database: Database): AsyncIterable<Page> => pagesOf(database, {})

export class NotEmpty extends StoreError {
  constructor() {
    super('the database has records already: a backup is restored into an empty one')
  }
}

const ANY = { text: "SELECT key FROM holdfast.row WHERE key NOT LIKE 's!%' AND value IS NOT NULL LIMIT 1" }

/**
 * Writes rows into a database that has none, durably, in the order given. Rejects with `NotEmpty`. What it wrote before
 * it failed stays: the database is then not empty.
 */
export async function fillDatabase(database: Database, pages: AsyncIterable<Page>): Promise<number> {
  const writer = new CellWriter({ database, cell: MAIN_CELL, writesNames: false })
  try {
    await writer.claim()
    if ((await database.read(ANY, [])).length > 0) throw new NotEmpty()
    let rows = 0
    for await (const page of withChanges(pages)) {
      const ops = page.filter(([key]) => !key.startsWith('s!'))
      await writer.write(ops.map(([key, value]) => ({ type: 'put', key, value })))
      rows += ops.length
    }
    return rows
  } finally {
    await writer.close()
  }
}
