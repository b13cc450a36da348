// A backup file to a directory that looks like the one it was made of. Until it returns, the directory is not to be used.
import { createReadStream, mkdirSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openDatabase, type Database } from '../../snapshots/backup/database.ts'
import type { Sealing } from '../../snapshots/backup/format.ts'
import { fileOf, manifestOf, type Manifest } from '../../snapshots/backup/frames.ts'
import { readBackup } from '../../snapshots/backup/read.ts'
import { unpackRows } from '../../snapshots/backup/rows.ts'
import { dataLayout } from '../config/data-layout.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { CommandFailed } from './command-failed.ts'
import type { Contents } from './backup.ts'

/** Rejects with BackupRefused, or CommandFailed when there is no such file. @param dataDir is there, and empty */
export async function unpack(
  file: string,
  opening: Sealing,
  dataDir: string,
  progress: (bytes: number, of: number) => void = () => undefined,
): Promise<Manifest & Contents> {
  const { size } = await stat(file).catch((error: unknown) => {
    throw new CommandFailed(`${file} cannot be read: ${(error as Error).message}`, EXIT_CODES.unavailable)
  })
  const { store: storePath, chain: chainPath } = dataLayout(dataDir)
  const found = { rows: 0, chainRows: 0, files: 0 }
  let manifest: Manifest | undefined
  let store: Database | undefined
  let chain: Database | undefined
  try {
    for await (const { kind, body } of readBackup(
      bytesOf(file, (read) => progress(read, size)),
      opening,
    )) {
      if (kind === 'manifest') manifest = manifestOf({ kind, body })
      if (kind === 'store') {
        store ??= await openDatabase(storePath, { make: true })
        found.rows += await put(store, body)
      }
      if (kind === 'chain') {
        chain ??= await openDatabase(chainPath, { make: true })
        found.chainRows += await put(chain, body)
      }
      if (kind === 'file') {
        await keep(dataDir, body)
        found.files += 1
      }
    }
  } finally {
    await store?.close()
    await chain?.close()
  }
  return { ...manifest!, ...found }
}

async function* bytesOf(file: string, progress: (bytes: number) => void): AsyncGenerator<Buffer, void, undefined> {
  let read = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    read += (chunk as Buffer).length
    progress(read)
    yield chunk as Buffer
  }
}

async function put(database: Database, body: Buffer): Promise<number> {
  const rows = unpackRows(body)
  await database.put(rows, { sync: true })
  return rows.length
}

async function keep(dataDir: string, body: Buffer): Promise<void> {
  const { path, bytes } = fileOf(body)
  const place = join(dataDir, ...path.split('/'))
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
  const handle = await open(place, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
