// The version of the store's own layout, and the way from older ones to it. A database is opened at the version this software writes
// or not at all. (What is inside a record has a version of its own, and is the engine's to migrate.)

import type { Disk, DiskOp } from './disk.ts'
import { UnknownSchema } from './errors.ts'
import { SCHEMA_KEY } from './keys.ts'

/**
 * One step from a version to the next: what becomes of a row. Pure, never deleted, and harmless when it meets a row it has already
 * changed, because a migration that was cut short starts again from its first row.
 */
export type Step = (key: string, value: string) => readonly DiskOp[]

/** `STEPS[n]` leads from version n + 1 to n + 2. */
export const STEPS: readonly Step[] = []

const EVERYTHING = {}

/** Bring the database to the version this software writes; a new one gets it. Rejects with `UnknownSchema`. */
export async function settleSchema(disk: Disk, path: string, steps: readonly Step[] = STEPS): Promise<void> {
  const newest = steps.length + 1
  const stored = disk.get(SCHEMA_KEY)
  if (stored === undefined) {
    for await (const _page of disk.pages(EVERYTHING, 1)) throw new UnknownSchema(path, 'rows but no schema version', newest)
    await writeVersion(disk, newest)
    return
  }
  const version = /^[1-9]\d{0,8}$/.test(stored) ? Number(stored) : Number.NaN
  if (!(version <= newest)) throw new UnknownSchema(path, `schema version ${stored}`, newest)
  for (const [at, step] of steps.entries()) {
    if (at + 1 < version) continue
    for await (const page of disk.pages(EVERYTHING)) {
      const changes = page.filter(([key]) => key !== SCHEMA_KEY).flatMap(([key, value]) => step(key, value))
      if (changes.length > 0) await disk.write(changes, { sync: true })
    }
    await writeVersion(disk, at + 2)
  }
}

const writeVersion = (disk: Disk, version: number): Promise<void> =>
  disk.write([{ type: 'put', key: SCHEMA_KEY, value: String(version) }], { sync: true })
