// Gauges and counters of the submission lanes, summed over all clusters.
import type { ClusterLink, LinkTotals } from '../../submission/submission.ts'
import type { Metrics } from '../../telemetry/metrics.ts'

// Counters end in `_total`, by Prometheus convention.
const SERIES: readonly (readonly [member: keyof LinkTotals, name: string, help: string])[] = [
  ['underWay', 'holdfast_transactions_under_way', 'Transactions that are watched: signed, and not final'],
  ['queued', 'holdfast_lanes_queued_transactions', 'Transactions that wait for their turn to be sent'],
  ['inFlight', 'holdfast_lanes_in_flight_transactions', 'Transactions handed to an endpoint that has not answered yet'],
  ['sent', 'holdfast_transactions_sent_total', 'Sends that an endpoint has answered'],
  ['held', 'holdfast_lanes_held_transactions', 'Transactions that are due and not sent, because of a suspension or a cancellation'],
  ['suspensions', 'holdfast_lane_suspensions', 'Suspensions that stand'],
]

export function observeLanes(metrics: Metrics, links: readonly ClusterLink[]): void {
  for (const [member, name, help] of SERIES) {
    metrics.observed(name, help, name.endsWith('_total') ? 'counter' : 'gauge', () => links.reduce((sum, link) => sum + link.totals[member], 0))
  }
}
