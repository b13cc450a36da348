// The cells of a data directory. The first cell uses the store directory of a service with one cell; each other cell
// has a LevelDB directory of its own. A row is only in the directory of its tenant's cell. The first directory lists
// the others, so that a missing one is detected.
import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Disk, DiskOp } from '../disk.ts'
import { isDatabase } from '../whole-directory.ts'
import { StoreError } from '../errors.ts'
import { cellKey, CELLS, EPOCH_KEY, fenceKey, FENCES, lastPart } from '../keys.ts'
import { joinLevelDisk, openLevelDisk, openLevelDiskForThreads } from '../level-disk.ts'
import { MAIN_CELL } from '../postgres/schema.ts'
import { foldChanges } from '../record-changes.ts'
import { settleSchema } from '../schema.ts'
import { SharedKeys } from './shared-keys.ts'

export interface CellPaths {
  /** Directory of the first cell. */
  readonly store: string
  /** Folder of the directories of the other cells. */
  readonly cells: string
}

export interface CellDirectory {
  readonly cell: string
  readonly path: string
  readonly disk: Disk
  /** Filter of the idempotency records, messages and names in the directory. */
  readonly keys: SharedKeys
}

/** Memory of the key filters, by cell, which the thread that opened the directories shares with the other threads. */
export type CellMemories = ReadonlyMap<string, SharedArrayBuffer>

/**
 * `alone`: the only thread of the process that opens the directories. `first`: the thread that opens them first and
 * closes them last. `joined`: another thread.
 */
export type DirectoryOpening = 'alone' | 'first' | 'joined'

const OPEN: Readonly<Record<DirectoryOpening, typeof openLevelDisk>> = {
  alone: openLevelDisk,
  first: openLevelDiskForThreads,
  joined: joinLevelDisk,
}

/** The directories of cells do not match the list of cells. */
class CellsDiffer extends StoreError {
  /** Exit code of the process: damaged data. */
  readonly exitCode = 65
}

export class CellDirectories {
  /** The first cell, then the others by name. */
  readonly all: readonly CellDirectory[]

  constructor(all: readonly CellDirectory[]) {
    this.all = all
  }

  get main(): CellDirectory {
    return this.all[0]!
  }

  of(cell: string): CellDirectory | undefined {
    return this.all.find((each) => each.cell === cell)
  }

  others(cell: string): readonly CellDirectory[] {
    return this.all.filter((each) => each.cell !== cell)
  }

  get memories(): CellMemories {
    return new Map(this.all.map(({ cell, keys }) => [cell, keys.memory]))
  }

  /** undefined: the tenant has never written a row. During a move, both cells have rows of the tenant. */
  cellOf(tenant: string): string | undefined {
    const key = fenceKey(tenant)
    return this.all.find(({ disk }) => disk.get(key) !== undefined)?.cell
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map(({ disk }) => disk.close()))
  }
}

/**
 * Rejects as `openLevelDisk` does, and with `UnknownSchema` and `CellsDiffer`.
 * @param memories required for `joined`
 */
export async function openCellDirectories(
  { store, cells }: CellPaths,
  opening: DirectoryOpening,
  lockWaitMs = 0,
  memories?: CellMemories,
): Promise<CellDirectories> {
  const opened: CellDirectory[] = []
  const open = async (cell: string, path: string): Promise<Disk> => {
    // The path must be absolute: LevelDB shares an open database between threads by its path.
    const disk = await OPEN[opening](resolve(path), lockWaitMs)
    opened.push({ cell, path, disk, keys: new SharedKeys(memories?.get(cell)) })
    if (opening !== 'joined') {
      await settleSchema(disk, path)
      await foldChanges(disk)
    }
    return disk
  }
  try {
    const listed = await listedCells(await open(MAIN_CELL, store))
    if (opening !== 'joined') await refuseUnlisted(cells, listed)
    for (const cell of listed) {
      const path = join(cells, cell)
      if (!isDatabase(path)) throw new CellsDiffer(`the directory ${path} of the cell ${cell} is missing`)
      await open(cell, path)
    }
    return new CellDirectories(opened)
  } catch (error) {
    await Promise.all(opened.map(({ disk }) => disk.close()))
    throw error
  }
}

/** Creates an empty cell, atomically: the cell exists once the list has it. */
export async function addCell(directories: CellDirectories, { cells }: CellPaths, cell: string): Promise<void> {
  const path = join(cells, cell)
  const disk = await openLevelDisk(path)
  try {
    await settleSchema(disk, path)
  } finally {
    await disk.close()
  }
  // Before the list is written: after a power failure, every listed cell must have a directory.
  for (const folder of [path, cells, dirname(cells)]) syncFolder(folder)
  await writeRow(directories.main.disk, cellKey(cell), '')
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** The cells other than the first, by name. */
async function listedCells(main: Disk): Promise<string[]> {
  const names: string[] = []
  for await (const page of main.pages(CELLS)) for (const [key] of page) names.push(lastPart(key))
  return names
}

export async function tenantsIn({ disk }: Pick<CellDirectory, 'disk'>): Promise<string[]> {
  const tenants: string[] = []
  for await (const page of disk.pages(FENCES)) for (const [key] of page) tenants.push(lastPart(key))
  return tenants
}

export async function writeRow(disk: Disk, key: string, value: string | null): Promise<void> {
  const op: DiskOp = value === null ? { type: 'del', key } : { type: 'put', key, value }
  await disk.write([op], { sync: true })
}

/** An unlisted directory without tenants is the remainder of an interrupted creation; one with tenants is an error. */
async function refuseUnlisted(cells: string, listed: readonly string[]): Promise<void> {
  for (const cell of foldersIn(cells)) {
    const path = join(cells, cell)
    if (listed.includes(cell) || !isDatabase(path)) continue
    const disk = await openLevelDisk(path)
    try {
      if ((await tenantsIn({ disk })).length > 0)
        throw new CellsDiffer(`the store does not know the cell ${cell}, and ${path} has tenants of it`)
    } finally {
      await disk.close()
    }
  }
}

/** Names of the folders that may be directories of cells. */
export function foldersIn(cells: string): string[] {
  try {
    return readdirSync(cells).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** The highest epoch under which a row in the directory was written. */
export async function epochIn({ disk }: CellDirectory): Promise<number> {
  let epoch = Number(disk.get(EPOCH_KEY) ?? 0)
  for await (const page of disk.pages(FENCES)) for (const [, text] of page) epoch = Math.max(epoch, Number(text))
  return epoch
}
