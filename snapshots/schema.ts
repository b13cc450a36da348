// Version of the store's layout, and migrations from older versions. A database is opened at the version that this
// software writes, or not at all. (The content of a record has its own version, migrated by the engine.)

import type { Disk, DiskOp } from './disk.ts'
import { UnknownSchema } from './errors.ts'
import { SCHEMA_KEY } from './keys.ts'

/**
 * Migrates one row from a version to the next. Pure, never deleted, and idempotent, because an interrupted migration
 * starts again from the first row.
 */
export type MigrationStep = (key: string, value: string) => readonly DiskOp[]

/** For versions that only add forms of rows: older rows stay readable, but older software cannot read new ones. */
const UNCHANGED: MigrationStep = () => []

/**
 * `STEPS[n]` migrates from version n + 1 to n + 2.
 * Version 2: payloads and the history of transactions are rows by position. Version 3: accounts, positions and
 * transactions too, the events of a unit of work are one row, and sealed keys are of version 2 (`src/keys/vault.ts`).
 * Version 4: changes of a record may be in a row of their own (`record-changes.ts`). Version 5: rows may be packed
 * (`packed-row.ts`).
 */
const STEPS: readonly MigrationStep[] = [UNCHANGED, UNCHANGED, UNCHANGED, UNCHANGED]

/** Version of the row texts, which is the version of a store without packed rows. */
export const TEXTS_VERSION = 4

const EVERYTHING = {}

/**
 * Migrates the database to the version that this software writes; a new database gets that version. Rejects with
 * `UnknownSchema`.
 */
export async function settleSchema(disk: Disk, path: string, steps: readonly MigrationStep[] = STEPS): Promise<void> {
  const newest = steps.length + 1
  const stored = disk.get(SCHEMA_KEY)
  if (stored === undefined) {
    for await (const _page of disk.pages(EVERYTHING, 1))
      throw new UnknownSchema(path, 'rows but no schema version', newest)
    await writeVersion(disk, newest)
    return
  }
  const version = /^[1-9]\d{0,8}$/.test(stored) ? Number(stored) : Number.NaN
  if (!(version <= newest)) throw new UnknownSchema(path, `schema version ${stored}`, newest)
  for (const [at, step] of steps.entries()) {
    if (at + 1 < version) continue
    if (step !== UNCHANGED) await migrate(disk, step)
    await writeVersion(disk, at + 2)
  }
}

async function migrate(disk: Disk, step: MigrationStep): Promise<void> {
  for await (const page of disk.pages(EVERYTHING)) {
    const changes = page.filter(([key]) => key !== SCHEMA_KEY).flatMap(([key, value]) => step(key, value))
    if (changes.length > 0) await disk.write(changes, { sync: true })
  }
}

const writeVersion = (disk: Disk, version: number): Promise<void> =>
  disk.write([{ type: 'put', key: SCHEMA_KEY, value: String(version) }], { sync: true })
