// Reads a copy of the service's data for a backup: a snapshot of the store's rows, and the sealed key files. The files
// are read after the snapshot. A key file is written before its record, so every record of the copy has its key.
import { fileFrames, manifestFrame, rowFrames, type Manifest } from '../../../snapshots/backup/frames.ts'
import type { Frame } from '../../../snapshots/backup/format.ts'
import type { BackupRow } from '../../../snapshots/backup/rows.ts'
import type { Store as WholeStore, StoreView } from '../../../snapshots/store.ts'

export interface CopyDependencies {
  readonly store: Pick<WholeStore, 'view'>
  readonly release: string
  readonly clusters: readonly string[]
  /** True if one of the clusters is the embedded chain. */
  readonly chainIncluded: boolean
  readonly secrets: string
  readonly players: string
  readonly now: () => number
}

/**
 * The first read takes the snapshot. `between` is consumed right after it and yields frames that must not be older than
 * the store's rows.
 */
export async function* copyFrames(
  deps: CopyDependencies,
  between?: () => AsyncIterable<Frame>,
): AsyncGenerator<Frame, void, undefined> {
  const view = deps.store.view()
  try {
    yield manifestFrame(await manifestFor(deps, view))
    if (between !== undefined) yield* between()
    yield* rowFrames('store', rowsOf(view))
    yield* fileFrames('secrets', deps.secrets)
    yield* fileFrames('players', deps.players)
  } finally {
    await view.close()
  }
}

async function manifestFor(
  { release, clusters, chainIncluded, now }: CopyDependencies,
  view: StoreView,
): Promise<Manifest> {
  const hashes = await Promise.all(clusters.map(async (id) => [id, await view.meta(`genesis:${id}`)] as const))
  const known = hashes.filter(([, hash]) => typeof hash === 'string')
  return {
    release,
    madeAt: new Date(now()).toISOString(),
    genesisHashes: Object.fromEntries(known) as Record<string, string>,
    chainIncluded,
    masterKeyId: ((await view.meta('masterKeyCheck')) as string | undefined) ?? null,
  }
}

async function* rowsOf(view: StoreView): AsyncGenerator<BackupRow, void, undefined> {
  for await (const page of view.everything())
    for (const [key, text] of page) yield [Buffer.from(key), Buffer.from(text)]
}
