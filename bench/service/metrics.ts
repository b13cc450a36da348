// Reads the metrics of the service (GET /metrics) and the memory of its process.
import { readFileSync } from 'node:fs'
import type { ServiceProcess } from './process.ts'

/** Values by name and labels, as in the text: `holdfast_event_loop_delay_seconds{quantile="0.99"}`. */
export async function readMetrics({
  host,
  port,
}: Pick<ServiceProcess, 'host' | 'port'>): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`http://${host}:${port}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

/** Throws if there is no such metric. */
async function metric(service: Pick<ServiceProcess, 'host' | 'port'>, name: string): Promise<number> {
  const value = (await readMetrics(service)).get(name)
  if (value === undefined) throw new Error(`the service has no metric ${name}`)
  return value
}

/** The delay since the last call. */
export async function eventLoopDelayMs(service: Pick<ServiceProcess, 'host' | 'port'>): Promise<number> {
  return (await metric(service, 'holdfast_event_loop_delay_seconds{quantile="0.99"}')) * 1000
}

export const openTransactions = (service: Pick<ServiceProcess, 'host' | 'port'>): Promise<number> =>
  metric(service, 'holdfast_transactions_open')

/** `RssAnon`: without pages of files, which the system reclaims when it needs memory. */
export function residentBytes(pid: number, what: 'VmRSS' | 'RssAnon' = 'VmRSS'): number {
  const [, kilobytes = '0'] = new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
  return Number(kilobytes) * 1024
}
