// A cluster id names one chain permanently: records of one chain must never be settled by another. The genesis hash of
// each chain is a fact of the installation, which the first process records.
import type { Settings } from '../config/settings.ts'
import { SettingsError } from '../config/settings-error.ts'
import { clusterSettings } from '../rpc/cluster-settings.ts'
import { openCluster, type Cluster } from '../rpc/cluster.ts'
import { systemClock } from '../time/clock.ts'
import type { Store } from '../../snapshots/store.ts'

/** Prefix of the facts, which the cluster id follows. */
export const GENESIS_FACTS = 'genesis:'

const factOf = (id: string): string => `${GENESIS_FACTS}${id}`

/** Genesis hash recorded for a cluster id; undefined if the id was never used. */
export function knownGenesis(store: Pick<Store, 'meta'>, id: string): string | undefined {
  return store.meta(factOf(id)) as string | undefined
}

/** Rejects with SettingsError. */
export async function checkGenesis(store: Store, clusters: readonly Cluster[]): Promise<void> {
  for (const { id, genesisHash } of clusters) {
    await store.settle('SYSTEM', [{ type: 'meta', name: factOf(id), value: genesisHash }])
    if (knownGenesis(store, id) !== genesisHash) throw otherChain(id)
  }
}

/**
 * Checks the chains of a process that owns no cell yet: if a wrong chain were detected only when the process takes over
 * a cell, the failover would take longer. Endpoints that do not answer are ignored, because the cell checks again.
 * Rejects with SettingsError.
 *
 * @param fact of the installation
 */
export async function refuseOtherChains(settings: Settings, fact: (name: string) => Promise<unknown>): Promise<void> {
  await Promise.all(
    settings.clusters.map(async (cluster) => {
      const { id, endpoints } = cluster
      const genesisHash = await fact(factOf(id))
      if (typeof genesisHash !== 'string' || endpoints === 'embedded') return
      const asked = clusterSettings({ ...settings, ...cluster, embedded: false })
      const opened = await openCluster({ id, endpoints, settings: asked, clock: systemClock, genesisHash })
      await opened.close()
      if (opened.genesisHash !== genesisHash) throw otherChain(id)
    }),
  )
}

function otherChain(id: string): SettingsError {
  return new SettingsError([
    `HOLDFAST_CLUSTERS: ${id} is another chain than before (its genesis hash differs from the stored one)`,
  ])
}
