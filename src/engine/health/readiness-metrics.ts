// Metrics of `GET /readyz`.
import type { Metrics } from '../../telemetry/metrics.ts'
import type { HealthMonitor } from './health-monitor.ts'

export function observeReadiness(
  metrics: Metrics,
  health: Pick<HealthMonitor, 'ready'>,
  clock: { isOff(): boolean },
): void {
  metrics.observed('holdfast_ready', '1 while /readyz answers 200', 'gauge', () =>
    health.ready && !clock.isOff() ? 1 : 0,
  )
  metrics.observed(
    'holdfast_clock_off',
    '1 while the clock of the machine is off by more than a minute',
    'gauge',
    () => (clock.isOff() ? 1 : 0),
  )
}
