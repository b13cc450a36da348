// The store on LevelDB. The database lock is the fence: one process at a time owns all tenants of a database.

import type { WriteBatch } from './disk.ts'
import { openStoreOn } from './disk-store.ts'
import { openLevelDisk } from './level-disk.ts'
import { withRedo, type Redo } from './archive/redo.ts'
import type { OpenOptions, Store } from './store.ts'

export interface LevelOptions extends OpenOptions {
  /** Wraps LevelDB's batch call, to observe writes or make them fail. For tests only. */
  readonly aroundWrite?: (write: WriteBatch) => WriteBatch
}

/**
 * Opens the store at `path`, creating it if absent. Rejects with `StoreLocked` when another process holds it (after
 * `lockWaitMs`), with `UnknownSchema` for an unknown layout, or with LevelDB's error when the directory cannot be used.
 */
export async function openStore(options: LevelOptions): Promise<Store & { readonly redo: Redo }> {
  const level = await openLevelDisk(options.path, options.lockWaitMs)
  const bare = { ...level, write: options.aroundWrite?.(level.write) ?? level.write }
  try {
    const { disk, redo } = await withRedo(bare, () => Date.now())
    return Object.assign(await openStoreOn(disk, options), { redo })
  } catch (error) {
    await level.close()
    throw error
  }
}
