// Opens the clusters of a cell. A cluster whose chain is known need not answer.
import { CodedError } from '../config/coded-error.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import type { Settings } from '../config/settings.ts'
import { clusterSettings, type ClusterSettings } from '../rpc/cluster-settings.ts'
import type { EmbeddedChain } from '../embedded/embedded.ts'
import { openCluster, type Cluster } from '../rpc/cluster.ts'
import { RpcError, TransportError } from '../rpc/rpc-error.ts'
import type { SharedQueues } from '../rpc/shared-queues.ts'
import type { Log } from '../telemetry/log.ts'
import { systemClock } from '../time/clock.ts'
import type { Store } from '../../snapshots/store.ts'
import { knownGenesis } from './chains.ts'

interface ClusterPlace {
  readonly store: Store
  readonly log: Log
  readonly tune: (settings: ClusterSettings, cluster: string) => ClusterSettings
  /** Shared by all cells of the process. Absent: there is one cell. */
  readonly process?: { readonly queues: SharedQueues } | undefined
}

/**
 * Rejects with an error of exit code 69 if a cluster is used for the first time and none of its endpoints answers.
 */
export async function openClusters(
  settings: Settings,
  chain: Pick<EmbeddedChain, 'rpcUrl'> | null,
  { store, log, tune, process }: ClusterPlace,
): Promise<Cluster[]> {
  return await Promise.all(
    settings.clusters.map((cluster) => {
      const { id, endpoints } = cluster
      return openCluster({
        id,
        endpoints: endpoints === 'embedded' ? [chain?.rpcUrl ?? ''] : endpoints,
        settings: tune(clusterSettings({ ...settings, ...cluster, embedded: cluster.endpoints === 'embedded' }), id),
        clock: systemClock,
        queues: process?.queues,
        genesisHash: knownGenesis(store, id),
        notice: ({ kind, endpoint, detail }) =>
          log[kind === 'RECOVERED' ? 'info' : 'warn']({ cluster: id, endpoint, notice: kind }, detail),
      }).catch((error: unknown) => {
        throw isUnanswered(error) ? unreachable(id, error) : error
      })
    }),
  )
}

const isUnanswered = (error: unknown): error is Error => error instanceof TransportError || error instanceof RpcError

/** At the first start with a cluster only: later its chain is known, and its endpoints may answer at any time. */
function unreachable(id: string, error: Error): CodedError {
  const what = `HOLDFAST_CLUSTERS: no endpoint of ${id} says which chain it is of (${error.message})`
  const todo = 'correct the endpoint, or start again when it answers'
  return new CodedError(`${what}: ${todo}`, EXIT_CODES.unavailable, error)
}
