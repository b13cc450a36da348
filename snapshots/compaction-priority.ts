// LevelDB compacts in one thread of the process. A compaction takes a core for a second or two; where there are few
// cores, the thread that serves requests would wait for it, so it runs at a lower priority.
import type { Level } from 'level'
import { readdir } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/** Linux lists the threads of a process here, and takes the priority of each by its id. */
const THREADS = '/proc/self/task'
/**
 * Gives compactions a tenth of a core while a thread of normal priority needs it, and all of it otherwise. With a
 * smaller share, writes could wait for compactions under full load.
 */
const NICENESS = 10

/** `Level` with a method of its Node implementation that its types lack. */
export type CompactableLevel = Level & { compactRange(from: string, to: string): Promise<void> }

let isFirst = true

/**
 * Opens the database. Opening the first database of the process lowers the priority of the thread that compacts all of
 * them; on systems other than Linux the priority stays normal. Rejects as `Level.open` does.
 */
export async function openLowCompacting(level: Level): Promise<void> {
  if (!isFirst || !isMainThread) {
    await level.open()
    return
  }
  const before = await threads()
  await level.open()
  isFirst = false
  // LevelDB starts the thread with its first task. This task is cheap: no key begins with `!`. An error is ignored,
  // because the first write then fails too.
  await (level as CompactableLevel).compactRange('!', '!').catch(() => undefined)
  const started = (await threads()).filter((thread) => !before.includes(thread))
  // With several new threads, the compaction thread cannot be identified.
  if (started.length === 1) lower(started[0]!)
}

async function threads(): Promise<readonly string[]> {
  return await readdir(THREADS).catch(() => [])
}

function lower(thread: string): void {
  try {
    setPriority(Number(thread), NICENESS)
  } catch {
    // Not permitted on this system: compactions keep the normal priority.
  }
}
