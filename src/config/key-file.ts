// Files with secrets: readable by their owner only, complete and durable before their content is used.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
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
 * Creates the file with mode 0600. Linking a finished file into place makes it appear complete or not at all, and never
 * overwrites one that a concurrent start has created. Returns the final content of the file.
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
  syncDirectory(dirname(path))
  return readFileSync(path, 'utf8').trim()
}

/** Replaces a file, or creates it, atomically and durably. Mode 0600. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, `${text}\n`)
    fsyncSync(file)
    renameSync(draft, path)
  } finally {
    closeSync(file)
    rmSync(draft, { force: true })
  }
  syncDirectory(dirname(path))
}

/** A new name in a directory is durable only when the directory is synced. */
function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  fsyncSync(directory)
  closeSync(directory)
}

/** Whether users other than the owner may access the file. */
export function isReadableByOthers(path: string): boolean {
  return (statSync(path).mode & 0o077) !== 0
}
