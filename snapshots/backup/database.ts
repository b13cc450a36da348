// A LevelDB directory as raw rows: for copying a database that no process has open, and for restoring one from a
// backup.
import { setTimeout as sleep } from 'node:timers/promises'
import { Level } from 'level'
import type { Range } from '../disk.ts'
import { StoreLocked } from '../errors.ts'
import { isLocked } from '../level-disk.ts'
import { refuseHalfDirectory } from '../whole-directory.ts'
import type { BackupRow } from './rows.ts'

const LOCK_RETRY_MS = 100

/** A null value deletes the row. */
export type StoredChange = readonly [key: Buffer, value: Buffer | null]

export interface RawDatabase {
  /** All rows, or those of a range, from a snapshot. */
  rows(range?: Range): AsyncGenerator<BackupRow, void, undefined>
  /** With `sync`, resolves when this and all earlier writes are on disk. */
  put(rows: readonly StoredChange[], options: { readonly sync: boolean }): Promise<void>
  close(): Promise<void>
}

/**
 * Rejects with StoreLocked while another process holds it (after `lockWaitMs`), with DamagedDirectory, or with
 * LevelDB's error.
 */
export async function openDatabase(
  path: string,
  { make, lockWaitMs = 0 }: { make: boolean; lockWaitMs?: number },
): Promise<RawDatabase> {
  refuseHalfDirectory(path)
  const deadlineMs = performance.now() + lockWaitMs
  for (;;) {
    const level = new Level<Buffer, Buffer>(path, {
      keyEncoding: 'buffer',
      valueEncoding: 'buffer',
      createIfMissing: make,
      errorIfExists: make,
    })
    try {
      await level.open()
      return databaseOf(level)
    } catch (error) {
      if (!isLocked(error)) throw error
      if (performance.now() >= deadlineMs) throw new StoreLocked(path, error)
    }
    await sleep(LOCK_RETRY_MS)
  }
}

function databaseOf(level: Level<Buffer, Buffer>): RawDatabase {
  return {
    async *rows({ gte = '', lt } = {}) {
      const bounds = { gte: Buffer.from(gte), ...(lt === undefined ? {} : { lt: Buffer.from(lt) }) }
      const iterator = level.iterator({ ...bounds, highWaterMarkBytes: 1 << 20 })
      try {
        for (let page = await iterator.nextv(1_000); page.length > 0; page = await iterator.nextv(1_000)) yield* page
      } finally {
        await iterator.close()
      }
    },
    async put(rows, options) {
      const batch = level.batch()
      for (const [key, value] of rows) {
        if (value === null) batch.del(key)
        else batch.put(key, value)
      }
      await batch.write(options)
    },
    close: () => level.close(),
  }
}
