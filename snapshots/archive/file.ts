// Files of a point-in-time archive: `holdfast-LINE-NUMBER.hfa`, numbered without gaps within a line. They have the
// frame format of backups: a manifest, then batches and key files in the order of replay. A completed file has a
// trailer. A file whose writer was killed ends at any point, and the next file contains the rest.
import { createReadStream, readdirSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupRefused, type Frame, type Sealing } from '../backup/format.ts'
import { readBackup } from '../backup/read.ts'
import { FrameWriter } from '../backup/write.ts'
import { makeDirectory } from '../make-directory.ts'
import { batchOf, type Batch } from './batch.ts'

const NAME = /^holdfast-([0-9a-f]{16})-(\d{8})\.hfa$/

export interface ArchiveManifest {
  readonly line: string
  /** Number of the file in its line, as in its name; absent in files of earlier builds. */
  readonly number?: number
  /** Release that wrote the file. */
  readonly release: string
  /** ISO 8601. */
  readonly madeAt: string
  /** Content of the archive when the file was begun. */
  readonly after: Reach
}

/** Sequences of the newest archived batches of the store and of the embedded chain. */
export interface Reach {
  readonly store: number
  readonly chain: number
}

export interface ArchivePlace {
  readonly path: string
  readonly line: string
  readonly number: number
}

/** Files of one line in order, or of all lines. Empty if the folder does not exist. */
export function archiveFiles(dir: string, line?: string): ArchivePlace[] {
  let names: string[] = []
  try {
    names = readdirSync(dir).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return names.flatMap((name) => {
    const [, ofLine, number] = NAME.exec(name) ?? []
    if (ofLine === undefined || (line !== undefined && ofLine !== line)) return []
    return [{ path: join(dir, name), line: ofLine, number: Number(number) }]
  })
}

export class ArchiveFile {
  readonly path: string
  bytes: number
  readonly #handle: FileHandle
  readonly #writer: FrameWriter

  private constructor(path: string, handle: FileHandle, writer: FrameWriter, bytes: number) {
    this.path = path
    this.#handle = handle
    this.#writer = writer
    this.bytes = bytes
  }

  /** Resolves when the file is on disk under its name. */
  static async begin(
    dir: string,
    number: number,
    facts: Omit<ArchiveManifest, 'number'>,
    sealing: Sealing,
  ): Promise<ArchiveFile> {
    makeDirectory(dir, 0o700)
    const writer = new FrameWriter('archive', sealing)
    const manifest: ArchiveManifest = { ...facts, number }
    const head = Buffer.concat([
      writer.preamble,
      writer.frame({ kind: 'manifest', body: Buffer.from(JSON.stringify(manifest)) }),
    ])
    const path = join(dir, `holdfast-${manifest.line}-${String(number).padStart(8, '0')}.hfa`)
    const handle = await open(path, 'wx', 0o600)
    const file = new ArchiveFile(path, handle, writer, head.length)
    await file.#put(head)
    const folder = await open(dir, 'r')
    await folder.sync().finally(() => folder.close())
    return file
  }

  /** Resolves when the frames are on disk. After a failure, nothing more may be appended to the file. */
  async append(frames: readonly Frame[]): Promise<void> {
    const bytes = Buffer.concat(frames.map((frame) => this.#writer.frame(frame)))
    this.bytes += bytes.length
    await this.#put(bytes)
  }

  async end(): Promise<void> {
    await this.#put(this.#writer.end()).finally(() => this.#handle.close())
  }

  async abandon(): Promise<void> {
    await this.#handle.close()
  }

  async #put(bytes: Buffer): Promise<void> {
    await this.#handle.appendFile(bytes)
    await this.#handle.datasync()
  }
}

export const batchFrame = (sequence: number, text: string): Frame => ({
  kind: 'batch',
  body: Buffer.from(`${sequence}\n${text}`),
})

/** Throws BackupRefused. */
export function batchOfFrame({ body }: Frame): Batch {
  const end = body.indexOf('\n')
  try {
    return batchOf(Number(body.toString('latin1', 0, end)), body.toString('utf8', end + 1))
  } catch {
    throw new BackupRefused('the archive holds a batch that cannot be read')
  }
}

export interface OpenedArchiveFile {
  readonly manifest: ArchiveManifest
  /**
   * The frames after the manifest, to the end of the file. Throws BackupRefused where the file ends early or is
   * damaged.
   */
  readonly frames: AsyncGenerator<Frame, void, undefined>
}

/**
 * Rejects with BackupRefused if there is no valid manifest, or if it is that of another file: after an exchange of
 * names, a replay would take an earlier file for the end of the archive, or batches of another store for its own.
 */
export async function readArchiveFile(
  { path, line, number }: ArchivePlace,
  opening: Sealing,
): Promise<OpenedArchiveFile> {
  const frames = framesIn(path, opening)
  const first = await frames.next()
  // `readBackup` yields nothing before a manifest.
  const manifest = manifestIn(first.value!)
  if (manifest.line === line && (manifest.number ?? number) === number) return { manifest, frames }
  await frames.return()
  throw new BackupRefused(
    `the file was renamed: it is file ${manifest.number ?? 'of unknown number'} of archive ${manifest.line}`,
  )
}

function manifestIn({ body }: Frame): ArchiveManifest {
  try {
    const manifest = JSON.parse(body.toString()) as ArchiveManifest
    if (Number.isInteger(manifest.after.store) && Number.isInteger(manifest.after.chain)) return manifest
  } catch {
    // Not JSON, or without the members: the error below is thrown.
  }
  throw new BackupRefused('the archive has no valid manifest')
}

async function* framesIn(path: string, opening: Sealing): AsyncGenerator<Frame, void, undefined> {
  const bytes = createReadStream(path, { highWaterMark: 1 << 20 })
  try {
    yield* readBackup(bytes, opening, 'archive')
  } finally {
    bytes.destroy()
  }
}
