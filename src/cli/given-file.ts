// A file or folder that the operator names.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { CommandFailed } from './command-failed.ts'

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
