// LevelDB compacts in one thread of the process. A compaction takes a core for a second or two; where there are few
// cores, the thread that serves requests would wait for it, so it runs at a lower priority.
import type { Level } from 'level'
import { readdir } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/** Linux lists the threads of a process here, and takes the priority of each by its id. */
const THREADS = '/proc/self/task'
/**
 * A tenth of the time while a thread of usual priority wants the same core, and all of it otherwise. With less, writes
 * could have to wait for compactions under full load.
 */
const NICENESS = 10

/** What `Level` is under Node, beyond its types. */
export type Compacting = Level & { compactRange(from: string, to: string): Promise<void> }

let isFirst = true

/**
 * Opens the database. With the first one of the process, the thread that compacts all of them gets a lower priority; on
 * other systems than Linux it keeps the usual one. Rejects as `Level.open` does.
 */
export async function openLowCompacting(level: Level): Promise<void> {
  if (!isFirst || !isMainThread) {
    await level.open()
    return
  }
  const before = await threads()
  await level.open()
  isFirst = false
  // LevelDB starts the thread for its first task: this one flushes an empty memtable, for no key begins so. If the disk
  // fails it, the first write fails too.
  await (level as Compacting).compactRange('!', '!').catch(() => undefined)
  const started = (await threads()).filter((thread) => !before.includes(thread))
  // If another part of the process has started a thread meanwhile, it is not known which of them compacts.
  if (started.length === 1) lower(started[0]!)
}

async function threads(): Promise<readonly string[]> {
  return await readdir(THREADS).catch(() => [])
}

function lower(thread: string): void {
  try {
    setPriority(Number(thread), NICENESS)
  } catch {
    // Not permitted here: compactions keep the usual priority.
  }
}
