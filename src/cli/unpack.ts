// Unpacks a backup file to a directory like the original. The directory must not be used before this resolves.
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CHAIN_ARCHIVE_KEY, CHAIN_REDO, chainSequence } from '../../snapshots/archive/chain-batch.ts'
import { batchOf } from '../../snapshots/archive/batch.ts'
import type { ArchiveLine } from '../../snapshots/archive/redo.ts'
import { openDatabase, type RawDatabase } from '../../snapshots/backup/database.ts'
import { BackupRefused, type Sealing } from '../../snapshots/backup/format.ts'
import { fileOf, manifestOf, type Manifest } from '../../snapshots/backup/frames.ts'
import { readBackup } from '../../snapshots/backup/read.ts'
import { unpackRows, type BackupRow } from '../../snapshots/backup/rows.ts'
import { ARCHIVE_KEY, isArchiving, lastPart } from '../../snapshots/keys.ts'
import { makeDirectory } from '../../snapshots/make-directory.ts'
import { dataLayout } from '../config/data-layout.ts'
import { unreadable } from './given-file.ts'
import type { Contents } from './backup.ts'

/** The position of the data of a backup in an archive. */
export interface Position {
  readonly line: string
  /**
   * Sequence of the newest batch in the backup, and when it was written, in Unix milliseconds; null: no batch of this
   * archive was written yet.
   */
  readonly sequence: number
  readonly atMs: number | null
  /** Sequence of the newest batch of the embedded chain. */
  readonly chain: number
}

export interface UnpackedBackup extends Manifest, Contents {
  /** Null: no archive was configured when the backup was made. */
  readonly archive: Position | null
}

/**
 * Rejects with BackupRefused, or with CommandFailed when the file cannot be read.
 * @param dataDir an existing, empty directory
 */
export async function unpack(
  file: string,
  opening: Sealing,
  dataDir: string,
  progress: (bytes: number, of: number) => void = () => undefined,
): Promise<UnpackedBackup> {
  const { size } = await stat(file).catch((error: unknown) => {
    throw unreadable(file, error)
  })
  const { store: storePath, chain: chainPath } = dataLayout(dataDir)
  const counts = { rows: 0, chainRows: 0, files: 0 }
  const place = new Place()
  let manifest: Manifest | undefined
  let store: RawDatabase | undefined
  let chain: RawDatabase | undefined
  try {
    for await (const { kind, body } of readBackup(
      bytesOf(file, (read) => progress(read, size)),
      opening,
    )) {
      if (kind === 'manifest') manifest = manifestOf({ kind, body })
      if (kind === 'store') {
        store ??= await openDatabase(storePath, { make: true })
        counts.rows += await put(store, body, (row) => place.isOfStore(row))
      }
      if (kind === 'chain') {
        chain ??= await openDatabase(chainPath, { make: true })
        counts.chainRows += await put(chain, body, (row) => place.isOfChain(row))
      }
      if (kind === 'file') {
        await keepFile(dataDir, body)
        counts.files += 1
      }
    }
  } finally {
    await store?.close()
    await chain?.close()
  }
  if (store === undefined) throw new BackupRefused('the backup has no rows of the store')
  // A start would make an empty chain, and every record of it would be wrong.
  if (manifest!.chainIncluded && chain === undefined)
    throw new BackupRefused('the backup has no rows of the embedded chain, which its manifest names')
  return { ...manifest!, ...counts, archive: place.position() }
}

async function* bytesOf(file: string, progress: (bytes: number) => void): AsyncGenerator<Buffer, void, undefined> {
  let read = 0
  const stream = createReadStream(file, { highWaterMark: 1 << 20 })
  let failed: unknown
  stream.once('error', (error) => (failed = error))
  try {
    for await (const chunk of stream) {
      read += (chunk as Buffer).length
      progress(read)
      yield chunk as Buffer
    }
  } catch (error) {
    throw error === failed ? unreadable(file, error) : error
  }
}

/** Reads and drops the rows about the archive, because restored data is no longer part of it. */
class Place {
  #line: ArchiveLine | null = null
  #sequence = 0
  #atMs: number | null = null
  #chain = 0

  isOfStore([key, value]: BackupRow): boolean {
    const name = key.toString()
    if (!isArchiving(name)) return true
    if (name === ARCHIVE_KEY) this.#line = JSON.parse(value.toString()) as ArchiveLine
    else {
      this.#sequence = Number(lastPart(name))
      this.#atMs = batchOf(this.#sequence, value.toString()).atMs
    }
    return false
  }

  isOfChain([key]: BackupRow): boolean {
    if (key[0] === CHAIN_REDO) this.#chain = chainSequence(key)
    return key[0] !== CHAIN_REDO && key.toString('latin1') !== CHAIN_ARCHIVE_KEY
  }

  position(): Position | null {
    if (this.#line === null) return null
    const { line, from } = this.#line
    return { line, sequence: Math.max(this.#sequence, from - 1), atMs: this.#atMs, chain: this.#chain }
  }
}

async function put(database: RawDatabase, body: Buffer, isData: (row: BackupRow) => boolean): Promise<number> {
  const rows = unpackRows(body)
  await database.put(rows.filter(readable(isData)), { sync: true })
  return rows.length
}

/** The rows about an archive are read while they are unpacked, before any check of rows. */
function readable(isData: (row: BackupRow) => boolean): (row: BackupRow) => boolean {
  return (row) => {
    try {
      return isData(row)
    } catch {
      throw new BackupRefused(`the row at ${row[0].toString()} cannot be read`)
    }
  }
}

/** Writes a file durably; replaces a file of that name. */
export async function keepFile(dataDir: string, body: Buffer): Promise<void> {
  const { path, bytes } = fileOf(body)
  const place = join(dataDir, ...path.split('/'))
  makeDirectory(dirname(place), 0o700)
  const handle = await open(place, 'w', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
