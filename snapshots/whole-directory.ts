// LevelDB treats a directory without the file `CURRENT` as a new database: it creates an empty one there and deletes
// the existing tables. The service would then start without records, and execute every repeated payment request again.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DamagedDirectory } from './errors.ts'

/** Name of the manifest of a new database, which LevelDB writes before `CURRENT`. */
const FIRST_MANIFEST = 'MANIFEST-000001'

/** True if the directory exists and holds files of a database, complete or not. */
export function isDatabase(path: string): boolean {
  const names = namesIn(path)
  return names.includes('CURRENT') || names.some(isOfDatabase)
}

/**
 * Throws DamagedDirectory if LevelDB would delete files of a database to make a new one, or if the manifest is missing,
 * which LevelDB reports as a fault of the disk.
 */
export function refuseHalfDirectory(path: string): void {
  const names = namesIn(path)
  if (!names.includes('CURRENT')) {
    if (names.some(isOfDatabase)) throw new DamagedDirectory(path, 'CURRENT')
    return
  }
  const [manifest] = /^MANIFEST-\d+(?=\n$)/.exec(readFileSync(join(path, 'CURRENT'), 'latin1')) ?? []
  if (manifest !== undefined && !names.includes(manifest)) throw new DamagedDirectory(path, manifest)
}

const isOfDatabase = (name: string): boolean =>
  /^\d+\.(?:ldb|sst|log)$/.test(name) || (name.startsWith('MANIFEST-') && name !== FIRST_MANIFEST)

function namesIn(path: string): string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
