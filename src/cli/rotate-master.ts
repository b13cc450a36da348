// `keys rotate-master`: orders the rotation of the master key and waits for it. A running service performs the rotation
// while it serves; if none runs, this process does.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { dataLayout } from '../config/data-layout.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { endRotation, orderRotation, readRotation, type RotationOrder } from '../config/rotation-file.ts'
import { masterKeyFromFile } from '../config/secrets.ts'
import { SettingsError } from '../config/settings-error.ts'
import type { Settings } from '../config/settings.ts'
import { MasterKey } from '../keys/master-key.ts'
import { openAccountKeys, type KeyLog } from '../keys/open.ts'
import { refuseSeveralCells } from '../service/level-cells.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { isDatabase } from '../../snapshots/whole-directory.ts'
import { CommandFailed } from './command-failed.ts'

const POLL_MS = 200

/** Resolves with the line to print. Rejects with SettingsError when a key is missing, wrong, or was rotated already. */
export async function rotateMaster(settings: Settings, log: KeyLog): Promise<string> {
  const { dataDir } = settings
  if (settings.store !== 'level')
    throw new SettingsError(['HOLDFAST_STORE=postgres:// does not allow keys rotate-master: every node has the key'])
  refuseSeveralCells(dataDir, 'keys rotate-master')
  // The wrong directory would get a store of its own, and the key of the right one would count as rotated.
  if (!isDatabase(dataLayout(dataDir).store))
    throw new CommandFailed(`${dataDir} contains no store`, EXIT_CODES.unavailable)
  const ordered = order(settings)
  for (;;) {
    const { outcome, rewrapped } = readRotation(dataDir) ?? { outcome: 'gone', rewrapped: 0 }
    if (outcome === 'refused') {
      endRotation(dataDir)
      throw new SettingsError(['HOLDFAST_MASTER_KEY is wrong: the service has a different master key'])
    }
    if (outcome === 'gone') return 'holdfast: the master key was rotated'
    if (outcome === 'done') {
      const done = `holdfast: the master key was rotated, ${rewrapped} keys are sealed under the new key`
      // A service with its key as a setting needs the rotation file until it is started with the new key.
      if (settings.masterKey !== null) return `${done}: set HOLDFAST_MASTER_KEY to the new key before the next start`
      endRotation(dataDir)
      return done
    }
    const here = await carriedOutHere(settings, log).catch((error: unknown) => {
      // The key is not that of the service: the order is removed again.
      if (ordered && error instanceof SettingsError) endRotation(dataDir)
      throw error
    })
    if (!here) await delay(POLL_MS)
  }
}

/** Returns false if a rotation was ordered before and is still in progress. */
function order(settings: Settings): boolean {
  const { dataDir } = settings
  const { masterKey, masterKeyNext } = settings
  const current = masterKey?.reveal() ?? masterKeyFromFile(dataLayout(dataDir).masterKey, false)
  const known = readRotation(dataDir)
  if (known !== null && isOver(known, new MasterKey(current))) endRotation(dataDir)
  else if (known !== null) return false
  if (masterKey !== null && masterKeyNext === null) {
    throw new SettingsError([
      'HOLDFAST_MASTER_KEY_NEXT is required when HOLDFAST_MASTER_KEY or HOLDFAST_MASTER_KEY_FILE is set',
    ])
  }
  const next = masterKeyNext?.reveal() ?? randomBytes(32)
  if (new MasterKey(next).id === new MasterKey(current).id) {
    throw new SettingsError(['HOLDFAST_MASTER_KEY_NEXT must differ from the current master key'])
  }
  return orderRotation(dataDir, current, next)
}

/** An earlier order that was refused, or that produced the current key. */
function isOver({ outcome, to }: RotationOrder, current: MasterKey): boolean {
  return outcome === 'refused' || (outcome === 'done' && to === current.id)
}

/** Returns false when a service has the store open: that service performs the rotation. */
async function carriedOutHere(settings: Settings, log: KeyLog): Promise<boolean> {
  const fatal = (error: Error): never => {
    throw error
  }
  const store = await openStore({ path: dataLayout(settings.dataDir).store, onFatal: fatal }).catch(
    (error: unknown) => {
      if (error instanceof Error && error.name === 'StoreLocked') return null
      throw error
    },
  )
  if (store === null) return false
  try {
    const { rotation } = await openAccountKeys(settings, store, log)
    await rotation.run()
  } finally {
    await store.close()
  }
  return true
}
