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
  metrics.observed('holdfast_store_commits_total', 'Units of work written', 'counter', () => store.stats().commits)
  metrics.observed('holdfast_store_batches_total', 'Batches written', 'counter', () => store.stats().batches)
  metrics.observed('holdfast_store_rows_total', 'Rows written', 'counter', () => store.stats().rows)
  metrics.observed(
    'holdfast_store_waiting_commits',
    'Units of work that are not on disk yet',
    'gauge',
    () => store.stats().waiting,
  )
  metrics.observedHistogram('holdfast_store_batch_rows', 'Rows per batch', () => ({
    ...store.stats().batchRows,
    sum: store.stats().rows,
  }))
  metrics.observedHistogram('holdfast_store_write_seconds', 'Time to write and sync a batch', () => {
    const { boundsMs, counts, sumMs } = store.stats().fsyncMs
    return { bounds: boundsMs.map((bound) => bound / 1000), counts, sum: sumMs / 1000 }
  })
}

/** Registers the commits to which the database did not answer at once. */
export function observeRetries(
  metrics: Metrics,
  retries: () => { readonly askedAgain: number; readonly foundApplied: number },
): void {
  metrics.observed(
    'holdfast_store_commits_repeated_total',
    'Statements of a commit repeated under the same id, because no answer came',
    'counter',
    () => retries().askedAgain,
  )
  metrics.observed(
    'holdfast_store_commits_found_applied_total',
    'Commits that an earlier statement had applied without an answer',
    'counter',
    () => retries().foundApplied,
  )
}

/** Registers how far the point-in-time archive lags behind the store. */
export function observeArchive(
  metrics: Metrics,
  archive: { readonly lag: number; readonly trouble: string | null },
): void {
  metrics.observed(
    'holdfast_archive_lag_batches',
    'Written batches that are not in the archive yet',
    'gauge',
    () => archive.lag,
  )
  metrics.observed('holdfast_archive_up', '1 if the archive is writable, else 0', 'gauge', () =>
    archive.trouble === null ? 1 : 0,
  )
}

/** Registers the availability and the slot lag of every endpoint. */
export function observeEndpoints(
  metrics: Metrics,
  clusters: readonly { readonly id: string; readonly pool: Endpoints }[],
): void {
  const each = function* (
    value: (state: EndpointState) => number | null,
  ): Iterable<readonly [{ cluster: string; endpoint: string }, number]> {
    for (const { id, pool } of clusters) {
      for (const state of pool.states()) {
        const shown = value(state)
        if (shown !== null) yield [{ cluster: id, endpoint: state.name }, shown]
      }
    }
  }
  // An endpoint is down from its first failure to its next answer, even while it is tried again: requests to an
  // endpoint that hangs take longer than the first pauses, so an alert on "no endpoint is up for a minute" would
  // otherwise never fire.
  const up = ({ failures, distrusted }: EndpointState): number => (failures === 0 && distrusted === null ? 1 : 0)
  const upHelp = '1 if the endpoint is in use, 0 if it failed and has not answered since, or is distrusted'
  metrics.observedEach('holdfast_rpc_endpoint_up', upHelp, 'gauge', () => each(up))
  const slotHelp = 'Newest confirmed slot reported by the endpoint'
  metrics.observedEach('holdfast_rpc_endpoint_slot', slotHelp, 'gauge', () => each(({ slot }) => slot))
  const suspect = (state: EndpointState): number => (state.suspect ? 1 : 0)
  const suspectHelp = '1 while an endpoint has claimed slots or block heights beyond what the cluster can have reached'
  metrics.observedEach('holdfast_rpc_endpoint_suspect', suspectHelp, 'gauge', () => each(suspect))
  const behindHelp = 'Slots the endpoint is behind the most advanced endpoint'
  metrics.observedEach('holdfast_rpc_endpoint_behind_slots', behindHelp, 'gauge', () =>
    each(({ behindSlots }) => behindSlots),
  )
}

interface EndpointState {
  /** Without credentials. */
  readonly name: string
  /** Failures in a row. */
  readonly failures: number
  readonly distrusted: unknown
  readonly slot: number | null
  readonly behindSlots: number
  readonly suspect: boolean
}

interface Endpoints {
  states(): readonly EndpointState[]
}
