// A file that holds one secret: made once, readable by its owner only, whole and durable before anybody uses what it says.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code
}

/** Null when there is no such file. */
export function readKeyFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

/**
 * Creates the file with mode 0600. Linking a finished file into place makes it appear whole or not at all, and never over
 * one that another start has just made. Returns what the file says in the end.
 */
export function createKeyFile(path: string, text: string): string {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, `${text}\n`)
    fsyncSync(file)
    linkSync(draft, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    closeSync(file)
    rmSync(draft, { force: true })
  }
  const directory = openSync(dirname(path), 'r')
  fsyncSync(directory)
  closeSync(directory)
  return readFileSync(path, 'utf8').trim()
}

/** Whether others than the owner may read the file. */
export function isReadableByOthers(path: string): boolean {
  return (statSync(path).mode & 0o077) !== 0
}
