// `restore`: creates a data directory from a backup. The directory is built next to its final path, verified, and only
// then renamed. A directory with the final name is therefore complete or does not exist.
import { existsSync, readdirSync } from 'node:fs'
import { open, rename, rmdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { BackupRefused, type Sealing } from '../../snapshots/backup/format.ts'
import { makeDirectory } from '../../snapshots/make-directory.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { dataLayout } from '../config/data-layout.ts'
import type { Settings } from '../config/settings.ts'
import { markRestored } from '../service/restored.ts'
import { CommandFailed } from './command-failed.ts'
import { isDirectory } from './given-file.ts'
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
  if (existsSync(dataDir) && !(isDirectory(dataDir) && readdirSync(dataDir).length === 0)) {
    throw new CommandFailed(
      `${dataDir} is not empty: a backup is restored into a new directory`,
      EXIT_CODES.cannotCreate,
    )
  }
  makeDirectory(dirname(dataDir))
  using draft = temporaryFolder(join(dirname(dataDir), `.${basename(dataDir)}-`))
  const restored = await unpack(file, opening, draft.path, steps.unpacking)
  const replayed =
    replayOptions === null ? null : await replay(draft.path, restored, { ...replayOptions, progress: steps.replaying })
  if (suspends) await markRestored(dataLayout(draft.path).store)
  const verified = await verifyDirectory({ ...settings, dataDir: draft.path, secretsDir: null }, steps)
  if (!verified.whole) {
    throw new BackupRefused(
      `${replayed === null ? 'the backup' : 'what it makes'} is not whole, ${verified.problemCount} problems: ${verified.problems.slice(0, 5).join('; ')}`,
    )
  }
  if (existsSync(dataDir)) await rmdir(dataDir)
  await rename(draft.path, dataDir)
  await sync(dirname(dataDir))
  return { ...restored, dataDir, suspends, replayed, verified }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
