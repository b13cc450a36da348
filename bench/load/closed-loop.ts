// One round of load: every connection sends its next request when the last was answered, or when it is due at a given
// rate. Answers within the window count. At the end of the window the round waits for all requests in flight, so that
// every acknowledged request is known.
import { sampleCpu, type CpuSample } from '../measure/process-cpu.ts'
import { ascending, percentile } from '../measure/stats.ts'
import type { Connection } from './connection.ts'
import { paceOf, type Pace } from './pace.ts'
import type { Traffic } from './traffic.ts'

export interface RoundRequest {
  /** Duration of the load before the window. */
  readonly rampMs: number
  readonly windowMs: number
  /** Processes whose CPU is measured over the window; the generator's own is added at the end. */
  readonly pids: readonly number[]
  /** Rate of due requests, regardless of answers. Absent: as fast as answers arrive. */
  readonly perSecond?: number
  /** Counts wrong and missing answers and continues, instead of ending the round. */
  readonly tolerant?: boolean
}

export interface RoundResult {
  readonly completed: number
  readonly seconds: number
  /** Latency of a request, measured from when it was due, even if it waited for a connection. */
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly from: CpuSample
  readonly to: CpuSample
  /** Wrong answers and lost connections. 0 unless tolerant. */
  readonly failures: number
  readonly firstFailure: string | null
}

/** Unless tolerant, rejects with the problem of the first wrong answer. */
export async function runRound(
  connections: readonly Connection[],
  traffic: Traffic,
  request: RoundRequest,
): Promise<RoundResult> {
  const { rampMs, windowMs, pids, tolerant = false } = request
  const everyPid = [...pids, process.pid]
  const round = new Round(traffic, paceOf(request.perSecond), tolerant)
  const drives = connections.map((connection) => round.drive(connection))

  await sleep(rampMs)
  const from = sampleCpu(everyPid)
  round.counting = true
  await sleep(windowMs)
  round.counting = false
  const to = sampleCpu(everyPid)
  round.stop()
  await Promise.all(drives)
  const { latencies, failures, firstFailure } = round
  if (firstFailure !== null && !tolerant) throw new Error(firstFailure)
  if (latencies.length === 0) throw new Error(firstFailure ?? 'nothing was answered within the window')
  const sorted = ascending(latencies)
  return {
    completed: latencies.length,
    seconds: (to.atUs - from.atUs) / 1e6,
    p50Ms: percentile(sorted, 0.5),
    p95Ms: percentile(sorted, 0.95),
    p99Ms: percentile(sorted, 0.99),
    from,
    to,
    failures,
    firstFailure,
  }
}

class Round {
  counting = false
  readonly latencies: number[] = []
  #stopped = false
  failures = 0
  firstFailure: string | null = null
  readonly #traffic: Traffic
  readonly #pace: Pace
  readonly #tolerant: boolean

  constructor(traffic: Traffic, pace: Pace, tolerant: boolean) {
    this.#traffic = traffic
    this.#pace = pace
    this.#tolerant = tolerant
  }

  /** Ends the sending of requests. */
  stop(): void {
    this.#stopped = true
    this.#pace.end()
  }

  /** Resolves when the last request of this connection is answered. */
  drive(connection: Connection): Promise<void> {
    return new Promise((done) => {
      const step = (): void => {
        if (this.#isOver) done()
        else this.#pace.wait((dueAt) => send(dueAt))
      }
      const send = (dueAt: number): void => {
        if (this.#isOver) {
          done()
          return
        }
        const { text, token } = this.#traffic.next()
        connection.exchange(text, (reply) => {
          const isLost = reply instanceof Error
          const problem = isLost ? reply.message : this.#traffic.accept(token, reply)
          if (problem !== null) this.#noteFailure(problem)
          else if (this.counting) this.latencies.push(performance.now() - dueAt)
          if (isLost) done()
          else step()
        })
      }
      step()
    })
  }

  get #isOver(): boolean {
    return this.#stopped || (this.firstFailure !== null && !this.#tolerant)
  }

  #noteFailure(problem: string): void {
    this.failures += 1
    this.firstFailure ??= problem
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}
