// Replays the batches committed after a backup from an archive, up to a point: in order and without a gap, or not at
// all. The directory belongs to an unfinished restore; the caller deletes it if this rejects.
import { openDatabase, type StoredChange, type RawDatabase } from '../../snapshots/backup/database.ts'
import { chainBatchOf } from '../../snapshots/archive/chain-batch.ts'
import { archiveFiles, batchOfFrame, readArchiveFile, type ArchivePlace } from '../../snapshots/archive/file.ts'
import type { Batch } from '../../snapshots/archive/batch.ts'
import { BackupRefused, CutShort, type Frame, type Sealing } from '../../snapshots/backup/format.ts'
import { lastPart, logAfter } from '../../snapshots/keys.ts'
import { dataLayout } from '../config/data-layout.ts'
import { unreadable } from './given-file.ts'
import { keepFile, type Position, type UnpackedBackup } from './unpack.ts'

/** The last instant that is replayed, or the last event; null: everything in the archive. */
export type ReplayEnd = { readonly atMs: number } | { readonly tenant: string; readonly event: number } | null

export interface ReplayOptions {
  readonly dir: string
  readonly opening: Sealing
  readonly until: ReplayEnd
  readonly progress?: ((batches: number) => void) | undefined
}

export interface ReplayReport {
  readonly batches: number
  /** Sequence of the last batch, and when it was written; null: there was none to replay. */
  readonly sequence: number
  readonly at: string | null
}

const CHANGES_AT_ONCE = 5_000

/** Rejects with BackupRefused, whose message names the problem. */
export async function replay(dataDir: string, backup: UnpackedBackup, options: ReplayOptions): Promise<ReplayReport> {
  const { archive: from } = backup
  if (from === null) throw new BackupRefused('the backup was made without an archive: nothing can be replayed on it')
  const files = filesFor(from, options.dir)
  const { store: storePath, chain: chainPath } = dataLayout(dataDir)
  const momentMs = from.atMs ?? Date.parse(backup.madeAt)
  const isThere = await endsWith(options.until, momentMs, storePath)
  const last = isThere ? { sequence: from.sequence, atMs: momentMs } : await lastOf(files, from, options)
  await using store = new Pen(await openDatabase(storePath, { make: false }))
  await using chain = from.chain === 0 ? null : new Pen(await openDatabase(chainPath, { make: false }))
  let lastWritten: { readonly sequence: number; readonly atMs: number | null } = from
  let batches = 0
  let chainAt = from.chain
  for await (const frame of framesOf(files, from, options.opening)) {
    if (frame.kind === 'file') await keepFile(dataDir, frame.body)
    if (frame.kind === 'chainBatch' && chain !== null) {
      const batch = chainBatchOf(frame)
      if (batch.sequence <= chainAt || batch.atMs > last.atMs) continue
      await chain.write(batch.rows)
      chainAt = batch.sequence
    }
    if (frame.kind !== 'batch') continue
    const batch = batchOfFrame(frame)
    if (batch.sequence > last.sequence) break
    if (batch.sequence <= lastWritten.sequence) continue
    await store.write(batch.ops.map((op) => [Buffer.from(op.key), op.type === 'del' ? null : Buffer.from(op.value)]))
    lastWritten = batch
    batches += 1
    options.progress?.(batches)
  }
  return { batches, sequence: lastWritten.sequence, at: lastWritten.atMs === null ? null : iso(lastWritten.atMs) }
}

/** Writes batches in order, many per write. */
class Pen implements AsyncDisposable {
  readonly #database: RawDatabase
  #changes: StoredChange[] = []

  constructor(database: RawDatabase) {
    this.#database = database
  }

  async write(changes: readonly StoredChange[]): Promise<void> {
    this.#changes.push(...changes)
    if (this.#changes.length >= CHANGES_AT_ONCE) await this.#flush()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#flush().finally(() => this.#database.close())
  }

  async #flush(): Promise<void> {
    const changes = this.#changes
    this.#changes = []
    await this.#database.put(changes, { sync: true })
  }
}

function filesFor({ line }: Position, dir: string): ArchivePlace[] {
  const files = archiveFiles(dir, line)
  if (files.length > 0) return files
  const others = new Set(archiveFiles(dir).map((file) => file.line))
  const contents = others.size === 0 ? 'it contains no archive' : `it contains ${[...others].join(', ')}`
  throw new BackupRefused(`${dir} does not contain archive ${line}, which the backup belongs to: ${contents}`)
}

/**
 * True: the backup ends with the point. Rejects with BackupRefused if the backup is later.
 * @param momentMs when the newest change of the backup was written
 */
async function endsWith(until: ReplayEnd, momentMs: number, storePath: string): Promise<boolean> {
  if (until === null) return false
  if ('atMs' in until) {
    if (until.atMs >= momentMs) return false
    throw new BackupRefused(
      `the backup contains changes of ${iso(momentMs)}, after the requested time: use an earlier backup`,
    )
  }
  const { tenant, event } = until
  const store = await openDatabase(storePath, { make: false })
  try {
    let count = 0
    // A row has the events of one change, under the key of the last of them.
    for await (const [key] of store.rows(logAfter('event', tenant, event - 1))) {
      count += 1
      if (count > 1)
        throw new BackupRefused(
          `the backup contains event ${Number(lastPart(key.toString()))} of ${tenant}, after event ${event}: use an earlier backup`,
        )
    }
    return count === 1
  } finally {
    await store.close()
  }
}

/**
 * Reads the archive once before anything is changed: checks that it is complete up to the point, and finds the last
 * batch.
 */
async function lastOf(
  files: readonly ArchivePlace[],
  from: Position,
  { opening, until, dir }: ReplayOptions,
): Promise<{ sequence: number; atMs: number }> {
  let last = { sequence: from.sequence, atMs: from.atMs ?? 0 }
  for await (const frame of framesOf(files, from, opening)) {
    if (frame.kind !== 'batch') continue
    const batch = batchOfFrame(frame)
    if (batch.sequence <= last.sequence) continue
    if (until !== null && 'atMs' in until && batch.atMs > until.atMs) return { ...last, atMs: until.atMs }
    last = { sequence: batch.sequence, atMs: batch.atMs }
    if (until !== null && 'tenant' in until && hasEvent(batch, until)) return last
  }
  if (until === null) return { ...last, atMs: Infinity }
  const target = 'atMs' in until ? iso(until.atMs) : `event ${until.event} of ${until.tenant}`
  const reach = last.sequence === from.sequence ? 'the backup itself' : `batch ${last.sequence} of ${iso(last.atMs)}`
  throw new BackupRefused(
    `the archive in ${dir} does not reach ${target}: it ends with ${reach}. Omit --until to replay all of it`,
  )
}

function hasEvent({ ops }: Batch, { tenant, event }: { tenant: string; event: number }): boolean {
  // The key of an event row is that of its last event, so the first batch that reaches the event contains it.
  const { gte = '', lt = '' } = logAfter('event', tenant, event - 1)
  return ops.some((op) => op.type === 'put' && op.key >= gte && op.key < lt)
}

/** All frames after the backup, and possibly some from before. Throws BackupRefused at a gap. */
async function* framesOf(
  files: readonly ArchivePlace[],
  from: Position,
  opening: Sealing,
): AsyncGenerator<Frame, void, undefined> {
  let { sequence: at, chain } = from
  /** The reason why the previous file ended early. */
  let ended: string | null = null
  for (const place of await since(files, from, opening)) {
    const { path } = place
    try {
      const { frames } = await readArchiveFile(place, opening)
      for await (const frame of frames) {
        if (frame.kind === 'batch') {
          const { sequence } = batchOfFrame(frame)
          if (sequence > at + 1) throw new Gap('', at + 1, sequence - 1, ended)
          at = Math.max(at, sequence)
        }
        if (frame.kind === 'chainBatch') {
          const { sequence } = chainBatchOf(frame)
          if (from.chain > 0 && sequence > chain + 1)
            throw new Gap('of the embedded chain ', chain + 1, sequence - 1, ended)
          chain = Math.max(chain, sequence)
        }
        yield frame
      }
      ended = null
    } catch (error) {
      if (error instanceof Gap || !(error instanceof BackupRefused)) throw unread(path, error)
      // The process was killed while it wrote this file: the next file may have the missing batches.
      ended = `${path}: ${error.message}`
      if (!(error instanceof CutShort) && path === files.at(-1)!.path)
        throw new BackupRefused(`${ended}, after batch ${at}`)
    }
  }
}

class Gap extends BackupRefused {
  constructor(of: string, first: number, last: number, why: string | null = null) {
    super(`batches ${first} to ${last} ${of}are missing from the archive${why === null ? '' : ` (${why})`}`)
  }
}

/** The files from the newest one that begins before the snapshot of the backup. */
async function since(
  files: readonly ArchivePlace[],
  from: Position,
  opening: Sealing,
): Promise<readonly ArchivePlace[]> {
  let why = ''
  for (const [index, place] of [...files.entries()].reverse()) {
    const { path } = place
    try {
      const { manifest, frames } = await readArchiveFile(place, opening)
      await frames.return()
      const { store, chain } = manifest.after
      if (store <= from.sequence && (from.chain === 0 || chain <= from.chain)) return files.slice(index)
      why = ''
    } catch (error) {
      if (!(error instanceof BackupRefused)) throw unread(path, error)
      why = ` (${path}: ${error.message})`
      if (index === files.length - 1 && !(error instanceof CutShort))
        throw new BackupRefused(`${path}: ${error.message}`)
    }
  }
  throw new BackupRefused(
    `the archive starts after the backup: batch ${from.sequence + 1} and its successors were removed${why}`,
  )
}

/** An error of the disk names the file. */
function unread(path: string, error: unknown): unknown {
  return error instanceof Error && 'syscall' in error ? unreadable(path, error) : error
}

const iso = (atMs: number): string => new Date(atMs).toISOString()
