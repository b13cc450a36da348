// `sandbox reset`: deletes what a service with only the embedded chain has stored. The locks of both stores are held until
// the last moment, so a running service or chain prevents it.
import { rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { isDatabase } from '../../snapshots/backup/database.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { CLUSTER_IDS } from '../config/clusters.ts'
import { dataLayout } from '../config/data-layout.ts'
import { childEnvironment } from '../config/environment.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import type { Settings } from '../config/settings.ts'
import { startEmbeddedChain } from '../embedded/embedded.ts'
import { CommandFailed } from './command-failed.ts'

export interface SandboxReport {
  readonly deleted: readonly string[]
}

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Rejects with CommandFailed when something other than a sandbox would be deleted, or the service runs. */
export async function resetSandbox(settings: Settings): Promise<SandboxReport> {
  const { clusters, dataDir, secretsDir, archiveDir } = settings
  const { store: path, chain, secrets, players } = dataLayout(dataDir)
  if (clusters.some(({ endpoints }) => endpoints !== 'embedded')) throw refused('HOLDFAST_CLUSTERS names a cluster that is not embedded')
  if (archiveDir !== null) throw refused('HOLDFAST_ARCHIVE_DIR is set, and a sandbox has no archive')
  if (!isDatabase(path)) throw new CommandFailed(`${dataDir} contains no store`, EXIT_CODES.unavailable)
  const store = await openStore({ path, onFatal: () => undefined }).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'StoreLocked') throw new CommandFailed(`the service runs on ${dataDir}: stop it first`, EXIT_CODES.dataHeld)
    throw error
  })
  try {
    const others = CLUSTER_IDS.filter((id) => typeof store.meta(`genesis:${id}`) === 'string' && !clusters.some((each) => each.id === id))
    if (others.length > 0) throw refused(`the records know ${others.join(', ')}, which HOLDFAST_CLUSTERS does not name`)
    const genesis = isDatabase(chain) ? await genesisOf(settings, chain) : null
    const foreign = clusters.find(({ id }) => ![undefined, genesis].includes(store.meta(`genesis:${id}`) as string | undefined))
    if (foreign !== undefined) throw refused(`the records of ${foreign.id} are of another chain than the embedded one`)
  } finally {
    await store.close()
  }
  const deleted = [path, chain, secretsDir ?? secrets, players].filter((each) => existsSync(each))
  for (const each of deleted) await rm(each, { recursive: true, force: true })
  return { deleted }
}

function refused(why: string): CommandFailed {
  return new CommandFailed(`${why}: only a sandbox, whose only chain is the embedded one, is deleted`, EXIT_CODES.failure)
}

/** Starting it also shows that no other process has it open. */
async function genesisOf({ embeddedSlotMs: slotMs, embeddedFinalitySlots: finalitySlots }: Settings, dataDir: string): Promise<string> {
  const ground = { host: '127.0.0.1', port: 0, dataDir, slotMs, finalitySlots, faults: false }
  const chain = await startEmbeddedChain({ ...ground, environment: childEnvironment(), log: QUIET, onFatal: () => undefined })
  await chain.stop()
  return chain.genesisHash
}
