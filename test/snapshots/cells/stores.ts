// Stores of cells in one folder, opened as by the threads of a process, for tests.
import { join } from 'node:path'
import { CellDisk } from '../../../snapshots/cells/cell-disk.ts'
import {
  addCell,
  epochIn,
  openCellDirectories,
  type CellDirectories,
  type CellPaths,
} from '../../../snapshots/cells/directories.ts'
import { openStoreOnShared } from '../../../snapshots/disk-store.ts'
import type { Store } from '../../../snapshots/store.ts'
import { ThreadCoordinator } from '../../../src/nodes/coordinator.ts'
import { scratch } from '../scratch.ts'

export const FOLLOWED = 'SYSTEM'

export function cellPaths(): CellPaths {
  const folder = scratch()
  return { store: join(folder, 'store'), cells: join(folder, 'cells') }
}

/** Creates the cells beside the first. */
export async function withCells(paths: CellPaths, cells: readonly string[]): Promise<void> {
  for (const cell of cells) {
    const directories = await openCellDirectories(paths, 'alone')
    await addCell(directories, paths, cell)
    await directories.close()
  }
}

/** A process with one thread for each opened cell. */
export interface CellProcess {
  readonly directories: CellDirectories
  /**
   * Claimed.
   * @param around replaces the directories of the thread
   */
  open(
    cell: string,
    onFatal?: (error: Error) => void,
    around?: (directories: CellDirectories) => CellDirectories,
  ): Promise<Store>
  close(): Promise<void>
}

export async function cellProcess(paths: CellPaths): Promise<CellProcess> {
  const directories = await openCellDirectories(paths, 'first')
  const cells = await Promise.all(
    directories.all.map(async (each) => ({ cell: each.cell, epoch: await epochIn(each) })),
  )
  const coordinator = new ThreadCoordinator(cells, ['a'])
  await coordinator.nodeRows('node-join', ['a', 'i', 'url', 'release', 1, 1])
  const joined: CellDirectories[] = []
  return {
    directories,
    async open(cell, onFatal = fail, around = (same) => same) {
      const joinedDirectories = await openCellDirectories(paths, 'joined', 0, directories.memories)
      joined.push(joinedDirectories)
      const own = around(joinedDirectories)
      const claim = async (): Promise<number> => {
        await coordinator.nodeRows('node-hand-over', [cell, 'a', 'i'])
        return Number((await coordinator.nodeRows('node-claim', [cell, 'a', 'i']))[0]![0])
      }
      const disk = new CellDisk({ directories: own, cell, coordinator, followed: FOLLOWED, claim })
      const store = openStoreOnShared(disk, { path: cell, onFatal })
      await store.claim()
      if (cell === 'main') coordinator.settler = disk
      return store
    },
    async close() {
      for (const own of joined) await own.close()
      await directories.close()
    },
  }
}

function fail(error: Error): never {
  throw error
}
