// Metrics of the comparison of records with the chain.
import type { Metrics } from '../../telemetry/metrics.ts'
import type { RoundTotals } from './reconciliation.ts'

/** With several clusters, the duration is that of the slowest one; the other figures are sums. */
export function observeComparison(
  metrics: Metrics,
  reconciliation: readonly { readonly totals: RoundTotals }[],
  listeners: readonly { readonly standing: number }[],
): void {
  const all = (member: keyof RoundTotals): number[] => reconciliation.map(({ totals }) => totals[member])
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
  metrics.observed(
    'holdfast_comparison_round_seconds',
    'Duration of the last comparison of all records with the chain',
    'gauge',
    () => Math.max(0, ...all('lastRoundMs')) / 1_000,
  )
  metrics.observed('holdfast_comparison_records', 'Records in the last comparison', 'gauge', () =>
    sum(all('lastRecords')),
  )
  metrics.observed(
    'holdfast_comparison_rounds_total',
    'Completed comparisons of all records with the chain',
    'counter',
    () => sum(all('rounds')),
  )
  metrics.observed('holdfast_comparison_failures_total', 'Failed requests of comparisons', 'counter', () =>
    sum(all('failures')),
  )
  metrics.observed('holdfast_network_subscriptions', 'Accounts with a change subscription on chain', 'gauge', () =>
    sum(listeners.map(({ standing }) => standing)),
  )
}
