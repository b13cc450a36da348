// The settings of a service in a simulated world: as for a remote provider, with slightly shorter timeouts.
import { REMOTE_CLUSTER, type ClusterSettings } from '../../src/rpc/cluster-settings.ts'

export const SETTINGS: ClusterSettings = {
  ...REMOTE_CLUSTER,
  lanes: { ...REMOTE_CLUSTER.lanes, maxBatch: 16, timeoutMs: 4_000 },
  pool: { ...REMOTE_CLUSTER.pool, timeoutMs: 6_000 },
  watch: { ...REMOTE_CLUSTER.watch, timeoutMs: 4_000, slowestProofMs: 8_000 },
  admission: { perLane: 60, perTenant: 150, perCluster: 300 },
}

/** The interval of automatic refreshes of feeds. */
export const FEEDS = { refreshSeconds: 40, staleSeconds: 3_600 }
