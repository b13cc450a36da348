// Gauges and counters of the submission lanes, summed over all clusters.
import type { ClusterLink, LinkTotals } from '../../submission/submission.ts'
import type { Metrics } from '../../telemetry/metrics.ts'

// Counters end in `_total`, by Prometheus convention.
const SERIES: readonly (readonly [member: keyof LinkTotals, name: string, help: string])[] = [
  ['underWay', 'holdfast_transactions_under_way', 'Transactions that are signed and not final'],
  ['queued', 'holdfast_lanes_queued_transactions', 'Transactions queued for sending'],
  ['inFlight', 'holdfast_lanes_in_flight_transactions', 'Transactions sent to an endpoint that has not responded yet'],
  ['sent', 'holdfast_transactions_sent_total', 'Sends that an endpoint has responded to'],
  ['held', 'holdfast_lanes_held_transactions', 'Transactions that are due but held by a suspension or a cancellation'],
  ['suspensions', 'holdfast_lane_suspensions', 'Suspensions in force'],
]

export function observeLanes(metrics: Metrics, links: readonly ClusterLink[]): void {
  for (const [member, name, help] of SERIES) {
    metrics.observed(name, help, name.endsWith('_total') ? 'counter' : 'gauge', () =>
      links.reduce((sum, link) => sum + link.totals[member], 0),
    )
  }
}
