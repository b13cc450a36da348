// All rows of a database: reads them as one consistent copy, and fills an empty database with them.

import type { RowPage } from '../disk.ts'
import { withChanges } from '../record-changes.ts'
import { StoreError } from '../errors.ts'
import { CellWriter } from './cell-writer.ts'
import type { Database } from './database.ts'
import { pagesOf } from './range-reads.ts'
import { MAIN_CELL } from './schema.ts'

/** All rows of one snapshot, in key order. Rejects instead of ending early. */
export const allRows = (database: Database): AsyncIterable<RowPage> => pagesOf(database, {})

export class NotEmpty extends StoreError {
  constructor() {
    super('the database has records already: a backup is restored into an empty one')
  }
}

const ANY = { text: "SELECT key FROM holdfast.row WHERE key NOT LIKE 's!%' AND value IS NOT NULL LIMIT 1" }

/**
 * Writes rows durably into a database without rows, in the given order. Rejects with `NotEmpty`. After a failure the
 * rows written so far remain, so the database is not empty.
 */
export async function fillDatabase(database: Database, pages: AsyncIterable<RowPage>): Promise<number> {
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
