// `backup`: writes one file with everything in a data directory but the unencrypted keys. A running service provides
// the data; if none runs, the stores are opened here. The file gets its name only when it is complete, on disk, and was
// read back.
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { link, open, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openDatabase } from '../../snapshots/backup/database.ts'
import { BackupRefused, type Frame, type Sealing } from '../../snapshots/backup/format.ts'
import { manifestOf, rowFrames, type Manifest } from '../../snapshots/backup/frames.ts'
import { readBackup } from '../../snapshots/backup/read.ts'
import { countOf, rowsFrom, unpackRows } from '../../snapshots/backup/rows.ts'
import { writeBackup } from '../../snapshots/backup/write.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { isDatabase } from '../../snapshots/whole-directory.ts'
import { CLUSTER_IDS } from '../config/clusters.ts'
import { dataLayout } from '../config/data-layout.ts'
import { isDiskFault } from '../config/disk-fault.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { releaseVersion } from '../config/release.ts'
import { readRotation } from '../config/rotation-file.ts'
import type { Settings } from '../config/settings.ts'
import { copyFrames } from '../engine/backup/copy.ts'
import { RowCheck } from './check-rows.ts'
import { CommandFailed } from './command-failed.ts'
import { isDirectory, writeFailed } from './given-file.ts'
import { askOwner, serviceStatusOf } from './owner.ts'
import { temporary } from './temporary.ts'

const CHAIN_LOCK_WAIT_MS = 10_000

export interface BackupReport extends Manifest, Contents {
  readonly file: string
  readonly bytes: number
  /** Hex, of the whole file. */
  readonly sha256: string
  readonly encrypted: boolean
  /** Whether a service was running. */
  readonly running: boolean
}

export interface Contents {
  readonly rows: number
  readonly chainRows: number
  readonly files: number
}

export type Progress = (rows: number) => void

/** Rejects with CommandFailed, StoreLocked, or an error of the disk. */
export async function backup(
  settings: Settings,
  file: string,
  sealing: Sealing,
  progress: Progress = () => undefined,
): Promise<BackupReport> {
  const path = resolve(file)
  if (existsSync(path))
    throw new CommandFailed(`${file} exists: a backup never overwrites a file`, EXIT_CODES.cannotCreate)
  const folder = dirname(path)
  if (!isDirectory(folder)) {
    const why = existsSync(folder) ? `${folder} is not a folder` : `folder ${folder} does not exist`
    throw new CommandFailed(`${file} cannot be written: ${why}`, EXIT_CODES.cannotCreate)
  }
  const report = await writeChecked(settings, path, sealing, progress)
  await syncFolder(folder)
  return report
}

async function writeChecked(
  settings: Settings,
  path: string,
  sealing: Sealing,
  progress: Progress,
): Promise<BackupReport> {
  const { socket } = dataLayout(settings.dataDir)
  refuseDuringRotation(settings)
  const answer = await askOwner(socket, '/backup')
  const frames = answer === null ? framesHere(settings) : withChain(readBackup(answer, { kind: 'none' }), settings)
  using draft = temporary(`${path}.${randomBytes(6).toString('hex')}`)
  const cannotCreate = (error: unknown): never => {
    if (isDiskFault(error)) throw error
    throw new CommandFailed(`${path} cannot be written: ${(error as Error).message}`, EXIT_CODES.cannotCreate)
  }
  const draftFile = await open(draft.path, 'wx', 0o600).catch(cannotCreate)
  const bytes = writeBackup(withProgress(frames, progress), sealing)
  await pipeline(bytes, draftFile.createWriteStream({ flush: true })).catch((error: unknown) => {
    throw writeFailed(path, error)
  })
  const report = await checkDraft(draft.path, sealing)
  // A rotation that began during the backup may have resealed keys in files.
  refuseDuringRotation(settings)
  if (answer !== null) await refuseAfterRotation(socket, report)
  await link(draft.path, path).catch(cannotCreate)
  return { ...report, file: path, encrypted: sealing.kind !== 'none', running: answer !== null }
}

function refuseDuringRotation({ dataDir }: Settings): void {
  if (readRotation(dataDir)?.outcome === 'open') throw rotationError()
}

/** A rotation that ended during the backup has left its trace in the service alone. */
async function refuseAfterRotation(socket: string, { masterKeyId }: Manifest): Promise<void> {
  const status = await serviceStatusOf(socket)
  if (status === null)
    throw new CommandFailed('the service stopped during the backup: repeat it', EXIT_CODES.unavailable)
  // Null: nothing was sealed at the moment of the backup, so that no record of it has a key.
  if (masterKeyId !== null && status.masterKeyId !== masterKeyId) throw rotationError()
}

const rotationError = (): CommandFailed =>
  new CommandFailed('the master key is being rotated: repeat the backup after the rotation', EXIT_CODES.unavailable)

/** Reads a complete backup, and checks its rows as a restore would. Rejects with BackupRefused. */
async function checkDraft(
  path: string,
  sealing: Sealing,
): Promise<Manifest & Contents & { readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  const counts = { chainRows: 0, files: 0 }
  const check = new RowCheck()
  let manifest: Manifest | undefined
  for await (const frame of readBackup(withHash(createReadStream(path, { highWaterMark: 1 << 20 }), hash), sealing)) {
    manifest ??= manifestOf(frame)
    if (frame.kind === 'store') for (const [key, text] of unpackRows(frame.body)) check.take(String(key), String(text))
    if (frame.kind === 'chain') counts.chainRows += countOf(frame.body)
    if (frame.kind === 'file') counts.files += 1
  }
  const { rows, problems, problemCount } = check
  if (problemCount > 0) {
    const some = problems.slice(0, 5).join('; ')
    throw new BackupRefused(`the data are damaged, ${problemCount} problems, so no backup was written: ${some}`)
  }
  return { ...manifest!, ...counts, rows, bytes: (await stat(path)).size, sha256: hash.digest('hex') }
}

async function* withHash(
  bytes: AsyncIterable<Buffer>,
  hash: { update(bytes: Buffer): unknown },
): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
}

async function* withProgress(frames: AsyncIterable<Frame>, progress: Progress): AsyncGenerator<Frame, void, undefined> {
  let rows = 0
  for await (const frame of frames) {
    if (frame.kind === 'store' || frame.kind === 'chain') rows += countOf(frame.body)
    progress(rows)
    yield frame
  }
}

/**
 * Inserts the rows of the embedded chain after the manifest: the snapshot of the store is taken by then, and that of
 * the chain must be later.
 */
async function* withChain(frames: AsyncIterable<Frame>, { dataDir }: Settings): AsyncGenerator<Frame, void, undefined> {
  for await (const frame of frames) {
    yield frame
    if (frame.kind !== 'manifest' || !manifestOf(frame).chainIncluded) continue
    const { chainSocket } = dataLayout(dataDir)
    const answer = await askOwner(chainSocket, '/rows')
    if (answer === null)
      throw new CommandFailed(
        `the embedded chain does not respond at ${chainSocket}: retry later`,
        EXIT_CODES.unavailable,
      )
    yield* rowFrames('chain', rowsFrom(answer))
  }
}

/** For a stopped service: holds the locks of the stores until everything is read. */
async function* framesHere({ dataDir, secretsDir }: Settings): AsyncGenerator<Frame, void, undefined> {
  const { store: path, chain: chainPath, secrets, players } = dataLayout(dataDir)
  if (!isDatabase(path)) throw new CommandFailed(`${dataDir} contains no store`, EXIT_CODES.unavailable)
  const store = await openStore({ path, onFatal: () => undefined })
  const chain = isDatabase(chainPath)
    ? await openDatabase(chainPath, { make: false, lockWaitMs: CHAIN_LOCK_WAIT_MS })
    : null
  try {
    const deps = {
      store,
      release: releaseVersion(),
      clusters: CLUSTER_IDS,
      chainIncluded: chain !== null,
      now: () => Date.now(),
    }
    const between = chain === null ? undefined : () => rowFrames('chain', chain.rows())
    yield* copyFrames({ ...deps, secrets: secretsDir ?? secrets, players }, between)
  } finally {
    await chain?.close()
    await store.close()
  }
}

/** A new name in a folder is durable only when the folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
