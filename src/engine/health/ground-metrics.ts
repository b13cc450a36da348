// Metrics of the store, the archive and the clusters' endpoints.
import type { Metrics } from '../../telemetry/metrics.ts'

interface Written {
  readonly commits: number
  readonly batches: number
  readonly rows: number
  readonly waiting: number
  /** Not cumulative. */
  readonly batchRows: { readonly bounds: readonly number[]; readonly counts: readonly number[] }
  /**
   * Not cumulative: `counts[i]` writes took at most `boundsMs[i]`; the last element of `counts` counts longer writes.
   */
  readonly fsyncMs: { readonly boundsMs: readonly number[]; readonly counts: readonly number[]; readonly sumMs: number }
}

/** Registers the store's counters and the duration of a synced write. */
export function observeStore(metrics: Metrics, store: { stats(): Written }): void {
  metrics.observed('holdfast_store_commits_total', 'Units of work that were written', 'counter', () => store.stats().commits)
  metrics.observed('holdfast_store_batches_total', 'Writes they rode in', 'counter', () => store.stats().batches)
  metrics.observed('holdfast_store_rows_total', 'Rows of those', 'counter', () => store.stats().rows)
  metrics.observed('holdfast_store_waiting_commits', 'Units of work handed over and not on disk yet', 'gauge', () => store.stats().waiting)
  metrics.observedHistogram('holdfast_store_batch_rows', 'Rows of a write', () => ({ ...store.stats().batchRows, sum: store.stats().rows }))
  metrics.observedHistogram('holdfast_store_write_seconds', 'Time of a write with its sync', () => {
    const { boundsMs, counts, sumMs } = store.stats().fsyncMs
    return { bounds: boundsMs.map((bound) => bound / 1000), counts, sum: sumMs / 1000 }
  })
}

/** Registers how far the point-in-time archive lags behind the store. */
export function observeArchive(metrics: Metrics, archive: { readonly lag: number; readonly trouble: string | null }): void {
  metrics.observed('holdfast_archive_lag_batches', 'Written batches that the archive does not have yet', 'gauge', () => archive.lag)
  metrics.observed('holdfast_archive_up', '1 while the archive can be written, else 0', 'gauge', () => (archive.trouble === null ? 1 : 0))
}

/** Registers the availability and the slot lag of every endpoint. */
export function observeEndpoints(metrics: Metrics, clusters: readonly { readonly id: string; readonly pool: Endpoints }[]): void {
  const each = function* (value: (state: EndpointState) => number | null): Iterable<readonly [{ cluster: string; endpoint: string }, number]> {
    for (const { id, pool } of clusters) {
      for (const state of pool.states()) {
        const shown = value(state)
        if (shown !== null) yield [{ cluster: id, endpoint: state.name }, shown]
      }
    }
  }
  const up = (state: EndpointState): number => (state.pausedForMs === null && state.distrusted === null ? 1 : 0)
  metrics.observedEach('holdfast_rpc_endpoint_up', '1 while an endpoint is asked, 0 while it is paused or distrusted', 'gauge', () => each(up))
  metrics.observedEach('holdfast_rpc_endpoint_slot', 'Newest confirmed slot it has shown', 'gauge', () => each(({ slot }) => slot))
  const suspect = (state: EndpointState): number => (state.suspect ? 1 : 0)
  const suspectHelp = '1 while an endpoint has claimed slots or block heights beyond what the cluster can have reached'
  metrics.observedEach('holdfast_rpc_endpoint_suspect', suspectHelp, 'gauge', () => each(suspect))
  metrics.observedEach('holdfast_rpc_endpoint_behind_slots', 'Slots it is behind the best', 'gauge', () => each(({ behindSlots }) => behindSlots))
}

interface EndpointState {
  /** Without credentials. */
  readonly name: string
  readonly pausedForMs: number | null
  readonly distrusted: unknown
  readonly slot: number | null
  readonly behindSlots: number
  readonly suspect: boolean
}

interface Endpoints {
  states(): readonly EndpointState[]
}
