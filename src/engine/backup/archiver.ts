// Writes the point-in-time archive: all batches committed since a backup, in files that a restore replays. The archiver
// lags behind the store and never blocks a commit: batches not archived yet stay in the store's redo log, also across a
// crash. The files also contain the batches of the embedded chain and the sealed key files that the records refer to.
import { access, constants, stat } from 'node:fs/promises'
import {
  ArchiveFile,
  archiveFiles,
  batchFrame,
  batchOfFrame,
  readArchiveFile,
  type Reach,
} from '../../../snapshots/archive/file.ts'
import { chainBatchOf, chainFrame, chainSequence } from '../../../snapshots/archive/chain-batch.ts'
import type { Redo } from '../../../snapshots/archive/redo.ts'
import type { Frame, Sealing } from '../../../snapshots/backup/format.ts'
import { fileFrames } from '../../../snapshots/backup/frames.ts'
import type { BackupRow } from '../../../snapshots/backup/rows.ts'
import { makeDirectory } from '../../../snapshots/make-directory.ts'

export interface ArchiveDependencies {
  readonly redo: Redo
  readonly dir: string
  readonly sealing: Sealing
  readonly release: string
  readonly secrets: string
  readonly players: string
  /** Unix milliseconds. */
  readonly now: () => number
  /** Returns 16 hex digits that no other archive uses. */
  readonly newLine: () => string
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
}

/** Returns the batches of the embedded chain after a sequence. */
export type ChainChanges = (after: number) => AsyncIterable<BackupRow>

const BATCHES_AT_ONCE = 500
const FILES_AT_ONCE = 500
const FILE_BYTES = 64 * 1024 * 1024
const FILE_MS = 3_600_000
/** Matches the row of a key that is stored in a file, or of the master key check. */
const NAMES_FILES = /\nk![^\n]*"kept":"(?:folder|players)"|\nm!masterKeyCheck /

/**
 * Continues the archive that the store names, or begins a new one if batches are missing from it. Must run before
 * anything is written to the store.
 */
export async function openArchive(deps: ArchiveDependencies): Promise<Archiver> {
  const { redo, dir, sealing, log } = deps
  const { line } = redo
  const files = line === null ? [] : archiveFiles(dir, line.line)
  const reach = line === null ? null : await reachOf(files, line.from, sealing).catch((error: unknown) => String(error))
  const why = line === null ? 'there was none' : typeof reach === 'string' ? reach : await lacks(redo, reach!)
  if (why === null) return new Archiver(deps, reach as Reach, files.at(-1)?.number ?? 0)
  const next = deps.newLine()
  await redo.begin(next)
  log.warn(
    { archive: next, why },
    'started a new archive: make a backup, because the archive can only be replayed on a newer backup',
  )
  return new Archiver(deps, { store: redo.last, chain: 0 }, 0)
}

/** The last sequences in the newest readable file. */
async function reachOf(files: ReturnType<typeof archiveFiles>, from: number, sealing: Sealing): Promise<Reach> {
  let unread: Error | null = null
  for (const place of files.toReversed()) {
    try {
      const { manifest, frames } = await readArchiveFile(place, sealing)
      let { store, chain } = manifest.after
      try {
        for await (const frame of frames) {
          if (frame.kind === 'batch') store = batchOfFrame(frame).sequence
          if (frame.kind === 'chainBatch') chain = chainBatchOf(frame).sequence
        }
      } catch {
        // The process was killed while writing: the rest is still in the redo log.
      }
      return { store, chain }
    } catch (error) {
      unread = error as Error
    }
  }
  if (unread !== null) throw unread
  return { store: from - 1, chain: 0 }
}

async function lacks(redo: Redo, reach: Reach): Promise<string | null> {
  const [first] = await redo.after(0, 1)
  if (reach.store > redo.last) return 'the store is older than the archive'
  return (first?.sequence ?? redo.last + 1) > reach.store + 1
    ? 'the archive lost what the store does not have any more'
    : null
}

export class Archiver {
  readonly #deps: ArchiveDependencies
  readonly #known = new Map<string, string>()
  #reach: Reach
  #number: number
  #file: { readonly file: ArchiveFile; readonly begunMs: number } | null = null
  #chain: ChainChanges | null = null
  #running: Promise<void> | null = null
  #trouble: string | null = null

  constructor(deps: ArchiveDependencies, reach: Reach, number: number) {
    this.#deps = deps
    this.#reach = reach
    this.#number = number
  }

  get line(): string {
    return this.#deps.redo.line?.line ?? ''
  }

  /** Number of batches in the store that are not archived yet. */
  get lag(): number {
    return this.#deps.redo.last - this.#reach.store
  }

  /** The error of the last attempt; null: it succeeded. */
  get trouble(): string | null {
    return this.#trouble
  }

  /** Archives the embedded chain as well. */
  follow(chain: ChainChanges): void {
    this.#chain = chain
  }

  /** Archives all available batches. Resolves when they are synced or have failed. Must be called repeatedly. */
  turn(): Promise<void> {
    this.#running ??= this.#take()
      .then(
        () => this.#well(),
        (error: unknown) => this.#fail(error),
      )
      .finally(() => {
        this.#running = null
      })
    return this.#running
  }

  /** Must be called after the last write to the store. */
  async stop(): Promise<void> {
    await this.turn()
    await this.turn()
    await this.#endFile().catch((error: unknown) => this.#fail(error))
  }

  /**
   * Rejects if the next batch could not be archived, also while there is none: a folder that is missing or read-only
   * is then reported from the start, and not only after a change that the archive lacks.
   */
  async #checkPlace(): Promise<void> {
    const { dir } = this.#deps
    makeDirectory(dir, 0o700)
    await access(dir, constants.W_OK | constants.X_OK)
    if (this.#file !== null) await access(this.#file.file.path, constants.W_OK)
  }

  async #take(): Promise<void> {
    await this.#checkPlace()
    for (;;) {
      const batches = await this.#deps.redo.after(this.#reach.store, BATCHES_AT_ONCE)
      // Chain batches are read after the store batches and written before them. Wherever an archive ends, the chain is
      // therefore at least as recent as the records.
      await this.#takeChain()
      if (batches.length === 0) return
      const { file } = await this.#openFile()
      if (batches.some(({ text }) => NAMES_FILES.test(text))) await this.#takeChangedFiles(file)
      await file.append(batches.map(({ sequence, text }) => batchFrame(sequence, text)))
      this.#reach = { ...this.#reach, store: batches.at(-1)!.sequence }
      this.#deps.redo.archived(this.#reach.store)
      if (batches.length < BATCHES_AT_ONCE) return
    }
  }

  async #takeChain(): Promise<void> {
    while (this.#chain !== null) {
      const frames: Frame[] = []
      let last = this.#reach.chain
      for await (const row of this.#chain(last)) {
        frames.push(chainFrame(row))
        last = chainSequence(row[0])
      }
      if (frames.length === 0) return
      const { file } = await this.#openFile()
      await file.append(frames)
      this.#reach = { ...this.#reach, chain: last }
    }
  }

  async #openFile(): Promise<{ readonly file: ArchiveFile }> {
    const nowMs = this.#deps.now()
    if (this.#file !== null && (this.#file.file.bytes > FILE_BYTES || nowMs - this.#file.begunMs > FILE_MS))
      await this.#endFile()
    if (this.#file === null) {
      const { dir, release, sealing } = this.#deps
      this.#number += 1
      const manifest = { line: this.line, release, madeAt: new Date(nowMs).toISOString(), after: this.#reach }
      this.#file = { file: await ArchiveFile.begin(dir, this.#number, manifest, sealing), begunMs: nowMs }
    }
    return this.#file
  }

  async #endFile(): Promise<void> {
    const ended = this.#file
    this.#file = null
    await ended?.file.end()
  }

  /** Key files are written before the record that refers to them. After a start, each file is archived once more. */
  async #takeChangedFiles(file: ArchiveFile): Promise<void> {
    const isNew = async (path: string): Promise<boolean> => {
      const { ino, size, mtimeMs } = await stat(path)
      const stamp = `${ino} ${size} ${mtimeMs}`
      const before = this.#known.get(path)
      this.#known.set(path, stamp)
      return before !== stamp
    }
    const { secrets, players } = this.#deps
    let page: Frame[] = []
    for (const [name, folder] of [['secrets', secrets] as const, ['players', players] as const]) {
      for await (const frame of fileFrames(name, folder, isNew)) {
        page.push(frame)
        if (page.length < FILES_AT_ONCE) continue
        await file.append(page)
        page = []
      }
    }
    if (page.length > 0) await file.append(page)
  }

  #well(): void {
    if (this.#trouble !== null) this.#deps.log.info({ archive: this.line }, 'the archive is writable again')
    this.#trouble = null
  }

  /** Leaves the current file unfinished. The next file continues after the last batch that is known to be synced. */
  #fail(error: unknown): void {
    const trouble = error instanceof Error ? error.message : String(error)
    if (this.#trouble === null)
      this.#deps.log.warn(
        { err: error, archive: this.line },
        'archive write failed: the store keeps the missing batches',
      )
    this.#trouble = trouble
    const abandoned = this.#file
    this.#file = null
    this.#known.clear()
    abandoned?.file.abandon().catch(() => undefined)
  }
}
