// Metrics of the process itself: memory, CPU time and event loop delay.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metrics } from './metrics.ts'

const RESOLUTION_MS = 10
const QUANTILES = [0.5, 0.99, 1] as const

/** Returns a function that ends the measurement. */
export function observeProcess(metrics: Metrics): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  metrics.observed('process_resident_memory_bytes', 'Memory of the process', 'gauge', () => process.memoryUsage.rss())
  metrics.observed('process_heap_used_bytes', 'Memory of its objects', 'gauge', () => process.memoryUsage().heapUsed)
  metrics.observed('process_cpu_seconds_total', 'Time of the processor', 'counter', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  metrics.observed('process_uptime_seconds', 'Time since the start', 'gauge', () => process.uptime())
  metrics.observedEach(
    'holdfast_event_loop_delay_seconds',
    'Delay of the event loop since the previous scrape',
    'gauge',
    () => {
      const found = QUANTILES.map(
        (quantile) => [{ quantile: String(quantile) }, seconds(delay.percentile(quantile * 100))] as const,
      )
      delay.reset()
      return found
    },
  )
  return () => void delay.disable()
}

/** The measuring timer is itself late by its resolution. */
function seconds(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000)
}
