// Temporary files of a command: copies of a store, drafts of files. A signal that ends the command removes them too:
// the copy of a backup is large, and no longer encrypted.
import { mkdtempSync, rmSync } from 'node:fs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const kept = new Set<string>()
let isWatching = false

export interface Temporary extends Disposable {
  readonly path: string
}

/** A new folder, removed when the result is disposed of, or when the process ends before. */
export function temporaryFolder(prefix: string): Temporary {
  // A signal between the creation and the first listener would leave the folder.
  watch()
  return temporary(mkdtempSync(prefix))
}

/** The same for a file or folder that does not exist yet. */
export function temporary(path: string): Temporary {
  watch()
  kept.add(path)
  return {
    path,
    [Symbol.dispose]() {
      if (!kept.has(path)) return
      remove(path)
      kept.delete(path)
    },
  }
}

/**
 * Adds the listeners once, and never removes them: a signal that was received while they were removed and added again
 * would end the process with everything left behind, or be lost.
 */
function watch(): void {
  if (isWatching) return
  isWatching = true
  process.on('exit', removeAll)
  for (const signal of SIGNALS) process.on(signal, endBy)
}

function removeAll(): void {
  for (const path of kept) remove(path)
  kept.clear()
}

const remove = (path: string): void => rmSync(path, { recursive: true, force: true, maxRetries: 5 })

/** Without its listeners the signal ends the process as it would have, so the caller sees which signal it was. */
function endBy(signal: NodeJS.Signals): void {
  try {
    removeAll()
  } finally {
    for (const each of SIGNALS) process.off(each, endBy)
    process.kill(process.pid, signal)
  }
}
