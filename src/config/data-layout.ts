// Paths within the data directory.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface DataLayout {
  /** LevelDB of the service, or of its first cell. */
  readonly store: string
  /** Folder of the LevelDB directories of other cells; absent while there are none. */
  readonly cells: string
  /** LevelDB of the embedded chain. */
  readonly chain: string
  readonly bootstrapKey: string
  readonly masterKey: string
  /** Keys of location SECRETS, unless a setting says otherwise. */
  readonly secrets: string
  /** Folder with a subfolder for each threshold signer. */
  readonly players: string
  /** By how much the time of a sandbox is ahead. */
  readonly sandbox: string
  /** Socket on which a running service answers the owner of the directory. */
  readonly socket: string
  /** The same for the embedded chain. */
  readonly chainSocket: string
}

export function dataLayout(dataDir: string): DataLayout {
  return {
    store: join(dataDir, 'store'),
    cells: join(dataDir, 'cells'),
    chain: join(dataDir, 'chain'),
    bootstrapKey: join(dataDir, 'bootstrap.key'),
    masterKey: join(dataDir, 'master.key'),
    secrets: join(dataDir, 'secrets'),
    players: join(dataDir, 'players'),
    sandbox: join(dataDir, 'sandbox.json'),
    socket: join(dataDir, 'service.sock'),
    chainSocket: join(dataDir, 'chain', 'export.sock'),
  }
}

/** How the name of a restore begins that is unpacked within the directory it is for. */
export const RESTORE_PREFIX = '.restore-'

/** A restore moves the store last, so without it the rest may be missing. */
export function isHalfRestored(dataDir: string): boolean {
  return !existsSync(dataLayout(dataDir).store) && readdirSync(dataDir).some((name) => name.startsWith(RESTORE_PREFIX))
}
