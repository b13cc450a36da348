import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates the directory and those above it, if they are missing. On a file system that is read-only, Node.js reports
 * that a parent is missing; this throws the error of the system.
 */
export function makeDirectory(path: string, mode?: number): void {
  try {
    mkdirSync(path, { recursive: true, mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    let first = path
    while (!existsSync(dirname(first))) first = dirname(first)
    mkdirSync(first)
    throw error
  }
}
