// Runs commands for a store in a database on a consistent copy of its rows, in a temporary data directory. A service on
// the database continues.
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../snapshots/backup/database.ts'
import type { Sealing } from '../../snapshots/backup/format.ts'
import type { RowPage } from '../../snapshots/disk.ts'
import { isAppliedKey } from '../../snapshots/keys.ts'
import { makeDirectory } from '../../snapshots/make-directory.ts'
import { unpackRow } from '../../snapshots/packed-row.ts'
import { addressText } from '../../snapshots/postgres/address.ts'
import type { Database } from '../../snapshots/postgres/database.ts'
import { dataLayout } from '../config/data-layout.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { readKeyFile, replaceFile } from '../config/key-file.ts'
import type { Settings } from '../config/settings.ts'
import { openSharedDatabase } from '../config/shared-database.ts'
import { CommandFailed } from './command-failed.ts'
import { hasSeveralCells } from '../service/level-cells.ts'
import { restore, type RestoreRequest, type RestoreReport } from './restore.ts'
import { temporaryFolder } from './temporary.ts'
import type { VerifySteps } from './verify.ts'

const CHECKING = { waitMs: 5_000, makes: false }
const READING = { ...CHECKING, readsOnly: true }
const FILLING = { waitMs: 5_000, makes: true }
const PAGE_ROWS = 2_000
/** Of a check, which reports what it finds. */
const QUIET = { warn: (): void => undefined }
const LOG = { warn: (_: object, message: string): void => console.error(`holdfast: ${message}`) }

const CODES_BY_NAME: Readonly<Record<string, number>> = {
  NotEmpty: EXIT_CODES.cannotCreate,
  NodesRun: EXIT_CODES.dataHeld,
  HalfRestored: EXIT_CODES.damaged,
}

/**
 * Runs `work` with the settings unchanged, or, for a database or several cells, with the data directory of a copy that
 * has one cell.
 */
export async function withDirectory<T>(settings: Settings, work: (settings: Settings) => Promise<T>): Promise<T> {
  if (settings.store === 'level') {
    if (!hasSeveralCells(settings.dataDir)) return await work(settings)
    const { withCellsAsOne } = await import('./cells/as-one.ts')
    return await withCellsAsOne(settings, work)
  }
  using copy = temporaryFolder(join(tmpdir(), 'holdfast-copy-'))
  const rows = await withDatabase(settings, READING, (database) => copyTo(database, dataLayout(copy.path).store))
  if (rows === 0) throw new CommandFailed(`${addressText(settings.store)} contains no store`, EXIT_CODES.unavailable)
  return await work({ ...settings, dataDir: copy.path, store: 'level' })
}

/** Rejects if the database does not answer, cannot be used, or is not completely restored. Reads no records. */
export async function checkDatabase(settings: Settings): Promise<void> {
  const { assertRestored } = await import('../../snapshots/postgres/copy.ts')
  await withDatabase(settings, { ...CHECKING, log: QUIET }, assertRestored)
}

async function withDatabase<T>(
  settings: Settings,
  { log = LOG, ...opening }: typeof CHECKING & { readonly readsOnly?: boolean; readonly log?: typeof LOG },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openSharedDatabase(settings, log, opening)
  try {
    return await work(database)
  } catch (error) {
    const code = error instanceof Error ? CODES_BY_NAME[error.name] : undefined
    throw code === undefined ? error : new CommandFailed((error as Error).message, code)
  } finally {
    database.close()
  }
}

/** Without the rows about cells, because the copy has one cell. Resolves to the number of rows that a service wrote. */
async function copyTo(database: Database, path: string): Promise<number> {
  const { allRows } = await import('../../snapshots/postgres/copy.ts')
  const store = await openDatabase(path, { make: true })
  try {
    let rows = 0
    for await (const page of allRows(database)) {
      rows += page.filter(([key]) => !key.startsWith('s!')).length
      await store.put(
        page
          .filter(([key]) => !isAppliedKey(key))
          .map(([key, value]) => [Buffer.from(key), Buffer.from(value)] as const),
        { sync: false },
      )
    }
    await store.put([], { sync: true })
    return rows
  } finally {
    await store.close()
  }
}

/**
 * Restores a backup into an empty database: first into a temporary data directory, where it is verified. Rejects with
 * CommandFailed if the backup has keys that are stored in files of a node.
 */
export async function restoreShared(
  settings: Settings,
  given: { readonly file: string; readonly opening: Sealing } & Pick<RestoreRequest, 'replayOptions' | 'suspends'>,
  steps: VerifySteps,
): Promise<RestoreReport> {
  const { store: address, secretsDir } = settings
  if (address === 'level') throw new TypeError('not a database')
  using folder = temporaryFolder(join(tmpdir(), 'holdfast-restore-'))
  const dataDir = join(folder.path, 'data')
  const local: Settings = { ...settings, dataDir, store: 'level' }
  const report = await restore(local, given.file, given.opening, { ...given, steps })
  const { store, secrets, players } = dataLayout(dataDir)
  if ((await namesIn(players)).length > 0)
    throw new CommandFailed(
      'the backup has keys of threshold signers, which cannot be used on a database',
      EXIT_CODES.settings,
    )
  const files = await namesIn(secrets)
  if (files.length > 0 && secretsDir === null)
    throw new CommandFailed(
      'the backup has a secrets folder: set HOLDFAST_SECRETS_DIR to a folder that all nodes share',
      EXIT_CODES.settings,
    )
  const { assertFillable, fillDatabase } = await import('../../snapshots/postgres/copy.ts')
  await withDatabase(settings, FILLING, async (database) => {
    await assertFillable(database)
    if (secretsDir !== null) copyKeys(secrets, secretsDir, files)
    await fillDatabase(database, rowsAt(store))
  })
  return { ...report, dataDir: addressText(address) }
}

/**
 * Durable when it returns, and before the records that refer to the keys: a restore that fails later can be repeated.
 * Changes nothing if the folder has another file of the same name: after a change of the master key, for example, only
 * its owner can tell which one is right.
 */
function copyKeys(from: string, to: string, names: readonly string[]): void {
  const texts = new Map(names.map((name) => [name, readFileSync(join(from, name), 'utf8').trim()]))
  const missing = [...texts].filter(([name, text]) => {
    const known = readKeyFile(join(to, name))
    if (known !== null && known !== text)
      throw new CommandFailed(`${join(to, name)} differs from the file in the backup: move it`, EXIT_CODES.cannotCreate)
    return known === null
  })
  if (missing.length > 0) makeDirectory(to, 0o700)
  for (const [name, text] of missing) replaceFile(join(to, name), text)
}

async function* rowsAt(path: string): AsyncGenerator<RowPage, void, undefined> {
  const store = await openDatabase(path, { make: false })
  try {
    let page: (readonly [string, string])[] = []
    for await (const [key, value] of store.rows()) {
      page.push([key.toString(), unpackRow(value.toString())])
      if (page.length < PAGE_ROWS) continue
      yield page
      page = []
    }
    if (page.length > 0) yield page
  } finally {
    await store.close()
  }
}

async function namesIn(path: string): Promise<string[]> {
  return await readdir(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  })
}
