// LevelDB as the store's disk; `level` is imported only here and in `backup/database.ts`. The database lock makes this
// process the only owner. Must not be reused after a failed write: LevelDB then acknowledges further batches that are
// missing after a reopen.

import { Level } from 'level'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLowCompacting } from './compaction-priority.ts'
import type { Disk, DiskOp, DiskSnapshot, RowPage, Range } from './disk.ts'
import { DiskRefused, StoreLocked } from './errors.ts'
import { checkLogs } from './level-log.ts'
import { makeDirectory } from './make-directory.ts'
import { packedDisk } from './packed-disk.ts'
import { RowWalk } from './row-walk.ts'
import { refuseHalfDirectory } from './whole-directory.ts'

const PAGE_ROWS = 1_000
const PAGE_BYTES = 1024 * 1024
const LOCK_RETRY_MS = 50
// 8 MB per file: LevelDB keeps about 1,000 files open, which with the default of 2 MB limits a database to 2 GB. Its
// first level holds 10 MB. With larger files it is empty after every compaction: LevelDB then puts what it flushes
// there, and merges each flush with the whole second level. With smaller ones, it merges four flushes at a time.
// Write buffer of 64 MB: most versions of frequently written rows are superseded in memory and never reach a file.
const OPTIONS = { writeBufferSize: 64 * 1024 * 1024, cacheSize: 64 * 1024 * 1024, maxFileSize: 8 * 1024 * 1024 }

/**
 * Opens the database at `path`, creating it if absent. Waits up to `lockWaitMs` for another owner to release it.
 * Rejects with `StoreLocked`, `DamagedLog`, `DamagedDirectory`, `DiskRefused`, or with LevelDB's own error for a
 * damaged database.
 */
export async function openLevelDisk(path: string, lockWaitMs = 0): Promise<Disk> {
  await prepare(path)
  return await openLevelWith(path, OPTIONS, lockWaitMs)
}

/**
 * As `openLevelDisk`, for several threads of this process. The thread that opens the database first must close it last,
 * because the others use its cache. Only one thread may write: after a failed write, LevelDB would still acknowledge
 * writes of other threads.
 */
export async function openLevelDiskForThreads(path: string, lockWaitMs = 0): Promise<Disk> {
  await prepare(path)
  return await joinLevelDisk(path, lockWaitMs)
}

/** Opens the database in another thread, while the first thread has it open. */
export async function joinLevelDisk(path: string, lockWaitMs = 0): Promise<Disk> {
  return await openLevelWith(path, { ...OPTIONS, multithreading: true }, lockWaitMs)
}

async function openLevelWith(
  path: string,
  options: typeof OPTIONS & { readonly multithreading?: boolean },
  lockWaitMs: number,
): Promise<Disk> {
  const deadlineMs = performance.now() + lockWaitMs
  for (;;) {
    const level = new Level<string, string>(path, options)
    try {
      await openLowCompacting(level)
      return diskOf(level)
    } catch (error) {
      if (!isLocked(error)) throw refusalAt(path, error)
      if (performance.now() >= deadlineMs) throw new StoreLocked(path, error)
    }
    await sleep(LOCK_RETRY_MS)
  }
}

async function prepare(path: string): Promise<void> {
  try {
    makeDirectory(path)
    refuseHalfDirectory(path)
    await checkLogs(path)
  } catch (error) {
    throw refusalAt(path, error)
  }
}

/** A file in the place of the directory is no fault of the disk. */
const MISPLACED: ReadonlySet<unknown> = new Set(['EEXIST', 'ENOTDIR'])

function refusalAt(path: string, error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const isOfSystem = 'syscall' in cause && 'code' in cause && !MISPLACED.has(cause.code)
    if (isOfSystem || ('code' in cause && cause.code === 'LEVEL_IO_ERROR')) return new DiskRefused(path, cause)
  }
  return error
}

export function isLocked(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'LEVEL_LOCKED'
}

function diskOf(level: Level): Disk {
  return packedDisk({
    write: (ops, options) => writeBatch(level, ops, options),
    get: (key) => level.getSync(key),
    getMany: (keys) => level.getMany([...keys]),
    walk: (within) => new RowWalk(level.iterator({ ...within, highWaterMarkBytes: PAGE_BYTES })),
    pages: (range, limit) => pagesOf(level, range, limit),
    lastKey: (range) => lastKeyOf(level, range),
    lastRow: (range) => lastRowOf(level, range),
    snapshot: () => snapshotOf(level),
    close: () => level.close(),
  })
}

interface ReadOptions {
  readonly snapshot?: ReturnType<Level['snapshot']>
}

function snapshotOf(level: Level): DiskSnapshot {
  const snapshot = level.snapshot()
  return {
    get: (key) => level.getSync(key, { snapshot }),
    pages: (range, limit) => pagesOf(level, { ...range, snapshot }, limit),
    close: () => snapshot.close(),
  }
}

/** A chained batch is as atomic as an array batch and takes a quarter of the main thread's time per row. */
async function writeBatch(level: Level, ops: readonly DiskOp[], options: { readonly sync: boolean }): Promise<void> {
  const batch = level.batch()
  for (const op of ops) {
    if (op.type === 'del') batch.del(op.key)
    else batch.put(op.key, op.value)
  }
  await batch.write(options)
}

async function* pagesOf(
  level: Level,
  range: Range & ReadOptions,
  limit: number | undefined,
): AsyncGenerator<RowPage, void, undefined> {
  const iterator = level.iterator({ ...range, limit: limit ?? -1, highWaterMarkBytes: PAGE_BYTES })
  try {
    for (let nextPage = ahead(iterator), page = await nextPage; page.length > 0; page = await nextPage) {
      // Reads the next page while the caller processes this one.
      nextPage = ahead(iterator)
      yield page
    }
  } finally {
    await iterator.close()
  }
}

async function lastKeyOf(level: Level, range: Range): Promise<string | undefined> {
  const iterator = level.keys({ ...range, reverse: true, limit: 1 })
  try {
    return await iterator.next()
  } finally {
    await iterator.close()
  }
}

async function lastRowOf(level: Level, range: Range): Promise<RowPage[number] | undefined> {
  const iterator = level.iterator({ ...range, reverse: true, limit: 1 })
  try {
    return await iterator.next()
  } finally {
    await iterator.close()
  }
}

/**
 * Reads the next page. Errors surface where the page is awaited; the handler here only prevents an unhandled rejection.
 */
function ahead(iterator: { nextv(rows: number): Promise<[string, string][]> }): Promise<RowPage> {
  const page = iterator.nextv(PAGE_ROWS)
  page.catch(() => undefined)
  return page
}
