// Content of a backup as frames: manifest, rows of the store, rows of the embedded chain, and files. The snapshot of
// the store is taken first, so that in a copy of a running service the chain and the key files are never older than
// the records that refer to them.
import { opendir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { BackupRefused, type Frame } from './format.ts'
import { packRows, type BackupRow } from './rows.ts'

export interface Manifest {
  /** Release that wrote the backup. */
  readonly release: string
  /** ISO 8601: when the snapshot of the store was taken. */
  readonly madeAt: string
  /** Genesis hash of the chain that the records belong to, by cluster id. */
  readonly genesisHashes: Readonly<Record<string, string>>
  /** True if the backup contains the rows of the embedded chain. */
  readonly chainIncluded: boolean
  /** Id of the master key that opens the private keys; null: none. */
  readonly masterKeyId: string | null
}

export const manifestFrame = (manifest: Manifest): Frame => ({
  kind: 'manifest',
  body: Buffer.from(JSON.stringify(manifest)),
})

/** Throws BackupRefused. */
export function manifestOf({ kind, body }: Frame): Manifest {
  try {
    const manifest: unknown = kind === 'manifest' ? JSON.parse(body.toString()) : null
    if (isManifest(manifest)) return manifest
  } catch {
    // Not JSON: the error below is thrown.
  }
  throw new BackupRefused('the backup has no valid manifest')
}

/** Reports print the release and the time, so both are plain text. */
function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false
  const { release, madeAt, genesisHashes, chainIncluded, masterKeyId } = value as Record<string, unknown>
  return (
    [release, madeAt].every((text) => typeof text === 'string' && /^[\x20-\x7e]{1,100}$/.test(text)) &&
    !Number.isNaN(Date.parse(madeAt as string)) &&
    typeof genesisHashes === 'object' &&
    genesisHashes !== null &&
    typeof chainIncluded === 'boolean' &&
    (masterKeyId === null || typeof masterKeyId === 'string')
  )
}

export async function* rowFrames(
  kind: 'store' | 'chain',
  rows: AsyncIterable<BackupRow>,
): AsyncGenerator<Frame, void, undefined> {
  for await (const body of packRows(rows)) yield { kind, body }
}

/**
 * Allowed file paths in a data directory: sealed keys and shares. Excludes plaintext key files and paths outside the
 * directory.
 */
const FILE = /^(?:secrets|players)(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*){1,4}$/

/**
 * Files below `folder`, with their path in a data directory. Temporary files are omitted. Read one by one and without
 * blocking: a tenant can have any number of keys.
 */
export async function* fileFrames(
  name: 'secrets' | 'players',
  folder: string,
  isWanted: (path: string) => Promise<boolean> = () => Promise.resolve(true),
): AsyncGenerator<Frame, void, undefined> {
  for await (const path of filesIn(folder)) {
    const file = [name, ...relative(folder, path).split(sep)].join('/')
    if (!FILE.test(file) || isDraft(file)) continue
    const bytes = await unlessGone(async () => ((await isWanted(path)) ? await readFile(path) : null))
    if (bytes !== null) yield { kind: 'file', body: Buffer.concat([Buffer.from(`${file}\n`), bytes]) }
  }
}

/** Throws BackupRefused for a path that is not allowed. */
export function fileOf(body: Buffer): { readonly path: string; readonly bytes: Buffer } {
  const end = body.indexOf('\n')
  const path = body.toString('latin1', 0, Math.max(end, 0))
  if (!FILE.test(path)) throw new BackupRefused('the backup names a file that does not belong into a data directory')
  return { path, bytes: body.subarray(end + 1) }
}

/** `name.json.3f9a...`: a temporary file of a write that did not finish. */
const isDraft = (file: string): boolean => /\.[0-9a-f]{12}$/.test(file)

async function* filesIn(folder: string): AsyncGenerator<string, void, undefined> {
  const entries = await unlessGone(() => opendir(folder))
  if (entries === null) return
  for await (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesIn(path)
    else if (entry.isFile()) yield path
  }
}

/** null: there is no such file any more. */
async function unlessGone<Found>(read: () => Promise<Found>): Promise<Found | null> {
  try {
    return await read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
