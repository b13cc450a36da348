// A file or folder that the operator names.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { BackupRefused } from '../../snapshots/backup/format.ts'
import { CodedError } from '../config/coded-error.ts'
import { DISK_REMEDY, isDiskFault } from '../config/disk-fault.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { isUnreadable } from '../config/unreadable.ts'
import { CommandFailed } from './command-failed.ts'

/** System calls that write to an open file. */
const WRITES: ReadonlySet<string> = new Set(['write', 'writev', 'fsync'])

export function isDirectory(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

/** Throws CommandFailed. */
export function readGiven(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** A folder is not of the expected kind; anything else about the file may pass. */
export function unreadable(path: string, error: unknown): CommandFailed {
  if ((error as NodeJS.ErrnoException).code === 'EISDIR')
    return new CommandFailed(`${path} is a folder, and must be a file`, EXIT_CODES.damaged)
  return new CommandFailed(`${path} cannot be read: ${(error as Error).message}`, EXIT_CODES.unavailable)
}

/** An error of writing to the file at `path`; any other error as it is. */
export function writeFailed(path: string, error: unknown): unknown {
  const { syscall, message } = error as NodeJS.ErrnoException
  if (syscall === undefined || !WRITES.has(syscall)) return error
  const remedy = isDiskFault(error) ? `: ${DISK_REMEDY}` : ''
  return new CodedError(`${path} cannot be written: ${message}${remedy}`, EXIT_CODES.failedWrite, error)
}

/**
 * Reads a backup, or the directory `draft` that was unpacked from it. An error about the content becomes a
 * BackupRefused that names the file: the draft is removed, and its path would tell nobody anything.
 */
export async function readingBackup<T>(file: string, draft: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof BackupRefused) && !isUnreadable(error)) throw error
    throw new BackupRefused(`${file}: ${(error as Error).message.replaceAll(draft, file)}`)
  }
}
