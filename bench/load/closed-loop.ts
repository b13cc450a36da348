// One round of load: every connection sends its next request when the last was answered. What is answered within the window
// counts; the requests under way at its end are waited for, so that nothing acknowledged is unknown.
import { sampleCpu, type CpuSample } from '../measure/process-cpu.ts'
import { ascending, percentile } from '../measure/stats.ts'
import type { Connection } from './connection.ts'
import type { Traffic } from './traffic.ts'

export interface RoundRequest {
  /** Load before the window opens. */
  readonly rampMs: number
  readonly windowMs: number
  /** Processes whose CPU is measured over the window; the generator's own is added at the end. */
  readonly pids: readonly number[]
}

export interface RoundResult {
  readonly completed: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly from: CpuSample
  readonly to: CpuSample
}

/** Rejects with what was wrong with the first answer that was not as it should be. */
export async function runRound(connections: readonly Connection[], traffic: Traffic, request: RoundRequest): Promise<RoundResult> {
  const { rampMs, windowMs, pids } = request
  const latencies: number[] = []
  const everyPid = [...pids, process.pid]
  let counting = false
  let stopped = false
  const failures: string[] = []

  const drive = (connection: Connection, done: () => void): void => {
    const step = (): void => {
      if (stopped || failures.length > 0) {
        done()
        return
      }
      const { text, token } = traffic.next()
      const sentAt = performance.now()
      connection.exchange(text, (reply) => {
        const wrong = reply instanceof Error ? reply.message : traffic.accept(token, reply)
        if (wrong !== null) failures.push(wrong)
        else if (counting) latencies.push(performance.now() - sentAt)
        step()
      })
    }
    step()
  }
  const driven = connections.map((connection) => new Promise<void>((resolve) => drive(connection, resolve)))

  await sleep(rampMs)
  const from = sampleCpu(everyPid)
  counting = true
  await sleep(windowMs)
  counting = false
  const to = sampleCpu(everyPid)
  stopped = true
  await Promise.all(driven)
  if (failures.length > 0) throw new Error(failures[0])
  if (latencies.length === 0) throw new Error('nothing was answered within the window')
  const sorted = ascending(latencies)
  return {
    completed: latencies.length,
    seconds: (to.atUs - from.atUs) / 1e6,
    p50Ms: percentile(sorted, 0.5), p95Ms: percentile(sorted, 0.95), p99Ms: percentile(sorted, 0.99),
    from, to,
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}
