// The store on LevelDB: the database lock is the fence, so one process at a time owns every tenant in it.

import type { WriteBatch } from './disk.ts'
import { openStoreOn } from './disk-store.ts'
import { openLevelDisk } from './level-disk.ts'
import { withRedo, type Redo } from './archive/redo.ts'
import type { OpenOptions, Store } from './store.ts'

export interface LevelOptions extends OpenOptions {
  /** Put around LevelDB's batch call, to observe writes or make them fail. For tests only. */
  readonly aroundWrite?: (write: WriteBatch) => WriteBatch
}

/**
 * Open the store at `path`, made if absent. Rejects with `StoreLocked` when another process has it (after `lockWaitMs`), with
 * `UnknownSchema` when this software does not know its layout, or with LevelDB's error when the directory cannot be used.
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
