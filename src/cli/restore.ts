// `restore`: creates a data directory from a backup. The directory is built next to its final path, verified, and only
// then renamed. A directory with the final name is therefore complete or does not exist. An empty directory that exists
// may be a mount, which cannot be replaced: it is filled from a directory within, the store last.
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { BackupRefused, type Sealing } from '../../snapshots/backup/format.ts'
import { makeDirectory } from '../../snapshots/make-directory.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { dataLayout, RESTORE_PREFIX } from '../config/data-layout.ts'
import type { Settings } from '../config/settings.ts'
import { markRestored } from '../service/restored.ts'
import { CommandFailed } from './command-failed.ts'
import { isDirectory, readingBackup } from './given-file.ts'
import { replay, type ReplayReport, type ReplayOptions } from './replay.ts'
import { temporaryFolder } from './temporary.ts'
import { unpack, type UnpackedBackup } from './unpack.ts'
import { verifyDirectory, type VerifyReport, type VerifySteps } from './verify.ts'

export interface RestoreReport extends UnpackedBackup {
  readonly dataDir: string
  /** True: the first start suspends sending on clusters that are not embedded. */
  readonly suspends: boolean
  /** Null: only the backup was restored. */
  readonly replayed: ReplayReport | null
  readonly verified: VerifyReport
}

export interface RestoreRequest {
  /** What to replay after the backup; null: nothing. */
  readonly replayOptions?: ReplayOptions | null | undefined
  /** False: nothing was committed after the backup, so sending is not suspended (`service/restored.ts`). */
  readonly suspends?: boolean | undefined
  readonly steps?: VerifySteps | undefined
}

/**
 * Rejects with CommandFailed or BackupRefused; then no files are left behind.
 * @param settings `dataDir` is the directory to create
 */
export async function restore(
  settings: Settings,
  file: string,
  opening: Sealing,
  { replayOptions = null, suspends = true, steps = {} }: RestoreRequest = {},
): Promise<RestoreReport> {
  const dataDir = resolve(settings.dataDir)
  if (existsSync(dataDir) && !(isDirectory(dataDir) && isEmpty(dataDir))) {
    throw new CommandFailed(
      `${dataDir} is not empty: a backup is restored into a new directory`,
      EXIT_CODES.cannotCreate,
    )
  }
  const isFilled = existsSync(dataDir)
  if (!isFilled) makeDirectory(dirname(dataDir))
  using draft = temporaryFolder(
    isFilled ? join(dataDir, RESTORE_PREFIX) : join(dirname(dataDir), `.${basename(dataDir)}-`),
  )
  const restored = await readingBackup(file, draft.path, () => unpack(file, opening, draft.path, steps.unpacking))
  const replayed =
    replayOptions === null ? null : await replay(draft.path, restored, { ...replayOptions, progress: steps.replaying })
  const check = async (): Promise<VerifyReport> => {
    if (suspends) await markRestored(dataLayout(draft.path).store)
    const verified = await verifyDirectory({ ...settings, dataDir: draft.path, secretsDir: null }, steps)
    const { whole, problems, problemCount } = verified
    if (whole) return verified
    const what = replayed === null ? 'the backup' : 'what it makes'
    throw new BackupRefused(`${what} is not whole, ${problemCount} problems: ${problems.slice(0, 5).join('; ')}`)
  }
  const verified = await (replayed === null ? readingBackup(file, draft.path, check) : check())
  if (isFilled) moveInto(dataDir, draft.path)
  else renameSync(draft.path, dataDir)
  sync(isFilled ? dataDir : dirname(dataDir))
  return { ...restored, dataDir, suspends, replayed, verified }
}

/** A new file system that is mounted has a folder of its own. */
const isEmpty = (dataDir: string): boolean => readdirSync(dataDir).every((name) => name === 'lost+found')

/** Without waiting: a signal that ends the process removes the draft, which marks what is incomplete. */
function moveInto(dataDir: string, from: string): void {
  const { store } = dataLayout(dataDir)
  const others = readdirSync(from).filter((name) => name !== basename(store))
  try {
    for (const name of others) renameSync(join(from, name), join(dataDir, name))
    sync(dataDir)
    renameSync(dataLayout(from).store, store)
  } catch (error) {
    for (const name of others) rmSync(join(dataDir, name), { recursive: true, force: true })
    throw error
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
