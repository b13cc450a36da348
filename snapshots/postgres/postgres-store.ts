// The store on PostgreSQL. It has the same rows and keys as the store on LevelDB, so each can be copied to the other.

import { openStoreOnShared } from '../disk-store.ts'
import { UnknownSchema } from '../errors.ts'
import { metaKey, SCHEMA_KEY } from '../keys.ts'
import { decode } from '../rows.ts'
import { TEXTS_VERSION } from '../schema.ts'
import type { Store } from '../store.ts'
import { addressText } from './address.ts'
import { Database, type DatabaseOptions } from './database.ts'
import type { CommitRetries } from './cell-writer.ts'
import type { LostHistory } from './errors.ts'
import { listServerWarnings } from './fitness.ts'
import { PostgresDisk, type OpenCells } from './postgres-disk.ts'
import { pagesOf } from './range-reads.ts'
import { manyRowsOf } from './rows-by-key.ts'
import { MAIN_CELL } from './schema.ts'

export interface PostgresStoreOptions {
  /** From `prepareDatabase`. The store closes it. */
  readonly database: Database
  readonly cell?: string
  /** Raises the epoch of the cell for this process. Absent: raised at once, regardless of the owner. */
  readonly claim?: () => Promise<number>
  /** Maximum size of the row cache, in characters. */
  readonly cacheCharacters?: number
  /** True while the database has other cells, whose records are found by name. Absent: there are none. */
  readonly hasNeighbours?: () => boolean
  readonly openCells?: OpenCells
  /** As `OpenOptions.onFatal`; with `StaleEpoch` when another process claimed the cell. */
  readonly onFatal: (error: Error) => void
}

/**
 * Connects and creates missing tables. Rejects with `UnfitDatabase`, `UnknownSchema`, or `DatabaseAway` after `waitMs`.
 */
export async function prepareDatabase(
  options: DatabaseOptions & { readonly waitMs: number },
): Promise<{ readonly database: Database; readonly warnings: readonly string[] }> {
  const database = new Database(options)
  try {
    const facts = await database.prepare(options.waitMs)
    return { database, warnings: listServerWarnings(facts) }
  } catch (error) {
    database.close()
    throw error
  }
}

/** Rejects with `UnknownSchema` if a process of a newer release has rewritten the rows since `prepareDatabase`. */
export async function assertKnownRows(database: Database): Promise<void> {
  const [version = 'none'] = await manyRowsOf(database, [SCHEMA_KEY])
  if (version !== String(TEXTS_VERSION))
    throw new UnknownSchema(addressText(database.address), `rows of version ${version}`, TEXTS_VERSION)
}

export type PostgresStore = Store & {
  readonly retries: () => CommitRetries
  /** As `CellWriter.findLoss`. */
  readonly findLoss: () => Promise<LostHistory | null>
}

/** A service-wide fact as the owner committed it; undefined: there is none. For processes that own no cell. */
export async function readFact(database: Database, name: string): Promise<unknown> {
  const key = metaKey(name)
  for await (const page of pagesOf(database, { gte: key }, { limit: 1 }))
    for (const [found, text] of page) if (found === key) return decode(key, text)
  return undefined
}

/** `claim` must be the first call on the store. */
export function openPostgresStore({ onFatal, cell = MAIN_CELL, ...options }: PostgresStoreOptions): PostgresStore {
  const disk = new PostgresDisk({ ...options, cell })
  return Object.assign(openStoreOnShared(disk, { path: cell, onFatal }), {
    retries: () => disk.retries,
    findLoss: () => disk.findLoss(),
  })
}
