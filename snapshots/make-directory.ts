import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates the directory and those above it, if they are missing. Throws the error of the system. Replaces `mkdirSync`
 * with `recursive`, which loops forever where nothing can be created, as in `/proc`, and reports a misleading error on
 * a read-only file system.
 */
export function makeDirectory(path: string, mode?: number): void {
  const missing: string[] = []
  for (let each = resolve(path); !existsSync(each); each = dirname(each)) missing.unshift(each)
  if (missing.length === 0) missing.push(path)
  for (const each of missing)
    try {
      mkdirSync(each, { mode })
    } catch (error) {
      const exists = (error as NodeJS.ErrnoException).code === 'EEXIST'
      if (!exists || !statSync(each).isDirectory()) throw error
    }
}
