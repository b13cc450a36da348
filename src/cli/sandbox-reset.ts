// `sandbox reset`: deletes what a service with only the embedded chain has stored. `sandbox travel`: moves its time.
// Both open the stores first, so a running service or chain prevents them.
import { rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { isDatabase } from '../../snapshots/whole-directory.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { CLUSTER_IDS } from '../config/clusters.ts'
import { dataLayout } from '../config/data-layout.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { sandboxAheadMs, setSandboxAhead } from '../config/sandbox-time.ts'
import type { Settings } from '../config/settings.ts'
import { startBriefly } from '../embedded/configured.ts'
import { SecretsFolder } from '../keys/secrets-folder.ts'
import { refuseSeveralCells } from '../service/level-cells.ts'
import { CommandFailed } from './command-failed.ts'

export interface SandboxReport {
  readonly deleted: readonly string[]
}

/** Rejects with CommandFailed if something other than a sandbox would be deleted, or if the service is running. */
export async function resetSandbox(settings: Settings): Promise<SandboxReport> {
  await checkSandbox(settings)
  const { store, chain, secrets, players, sandbox } = dataLayout(settings.dataDir)
  const { secretsDir } = settings
  const own = [store, chain, players, sandbox, ...(secretsDir === null ? [secrets] : [])].filter((each) =>
    existsSync(each),
  )
  for (const each of own) await rm(each, { recursive: true, force: true })
  return { deleted: [...own, ...deleteKeys(secretsDir)] }
}

/** The folder of a setting may contain other files. */
function deleteKeys(path: string | null): readonly string[] {
  if (path === null) return []
  const folder = new SecretsFolder(path)
  const names = folder.names()
  for (const name of names) folder.remove(name)
  return names.length === 0 ? [] : [path]
}

/** Rejects like `resetSandbox`. Returns the time of the sandbox from now on, ISO 8601. */
export async function travelSandbox(settings: Settings, byMs: number): Promise<{ readonly now: string }> {
  await checkSandbox(settings)
  const aheadMs = sandboxAheadMs(settings) + byMs
  setSandboxAhead(settings.dataDir, aheadMs)
  return { now: new Date(Date.now() + aheadMs).toISOString() }
}

async function checkSandbox(settings: Settings): Promise<void> {
  const { clusters, dataDir, archiveDir } = settings
  refuseSeveralCells(dataDir, 'sandbox')
  const { store: path, chain } = dataLayout(dataDir)
  if (clusters.some(({ endpoints }) => endpoints !== 'embedded'))
    throw refusal('HOLDFAST_CLUSTERS names a cluster that is not embedded')
  if (archiveDir !== null) throw refusal('HOLDFAST_ARCHIVE_DIR is set, and a sandbox has no archive')
  if (!isDatabase(path)) throw new CommandFailed(`${dataDir} contains no store`, EXIT_CODES.unavailable)
  const store = await openStore({ path, onFatal: () => undefined }).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'StoreLocked')
      throw new CommandFailed(`the service runs on ${dataDir}: stop it first`, EXIT_CODES.dataHeld)
    throw error
  })
  try {
    const others = CLUSTER_IDS.filter(
      (id) => typeof store.meta(`genesis:${id}`) === 'string' && !clusters.some((each) => each.id === id),
    )
    if (others.length > 0) throw refusal(`the records know ${others.join(', ')}, which HOLDFAST_CLUSTERS does not name`)
    const genesis = isDatabase(chain) ? await genesisOf(settings) : null
    const foreign = clusters.find(
      ({ id }) => ![undefined, genesis].includes(store.meta(`genesis:${id}`) as string | undefined),
    )
    if (foreign !== undefined) throw refusal(`the records of ${foreign.id} are of another chain than the embedded one`)
  } finally {
    await store.close()
  }
}

function refusal(why: string): CommandFailed {
  return new CommandFailed(`${why}: this is for a sandbox, whose only chain is the embedded one`, EXIT_CODES.failure)
}

/** Starts the embedded chain, which also proves that no other process has it open. */
async function genesisOf(settings: Settings): Promise<string> {
  const chain = await startBriefly(settings, { aheadMs: sandboxAheadMs(settings) })
  await chain.stop()
  return chain.genesisHash
}
