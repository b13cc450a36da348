// One round of load: every connection sends its next request when the last was answered, or when it is due at a given
// rate. Answers within the window count; the round waits for the requests that are open at its end, so that no
// acknowledged request is unknown.
import { sampleCpu, type CpuSample } from '../measure/process-cpu.ts'
import { ascending, percentile } from '../measure/stats.ts'
import type { Connection } from './connection.ts'
import { paceOf, type Pace } from './pace.ts'
import type { Traffic } from './traffic.ts'

export interface RoundRequest {
  /** Load before the window opens. */
  readonly rampMs: number
  readonly windowMs: number
  /** Processes whose CPU is measured over the window; that of the generator is added at the end. */
  readonly pids: readonly number[]
  /** Requests that come due, independent of the answers; absent: as many as are answered. */
  readonly perSecond?: number
  /** Continues after a wrong answer or a lost one, and counts it. */
  readonly tolerant?: boolean
}

export interface RoundResult {
  readonly completed: number
  readonly seconds: number
  /** Of a request that had to wait for a connection, from when it was due. */
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly from: CpuSample
  readonly to: CpuSample
  /** Wrong answers and lost connections. None unless tolerant. */
  readonly failures: number
  readonly firstFailure: string | null
}

/** Rejects with the fault of the first wrong answer, unless tolerant. */
export async function runRound(
  connections: readonly Connection[],
  traffic: Traffic,
  request: RoundRequest,
): Promise<RoundResult> {
  const { rampMs, windowMs, pids, tolerant = false } = request
  const everyPid = [...pids, process.pid]
  const round = new Round(traffic, paceOf(request.perSecond), tolerant)
  const driven = connections.map((connection) => round.drive(connection))

  await sleep(rampMs)
  const from = sampleCpu(everyPid)
  round.counting = true
  await sleep(windowMs)
  round.counting = false
  const to = sampleCpu(everyPid)
  round.stop()
  await Promise.all(driven)
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

  /** No further request. */
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
          const lost = reply instanceof Error
          const wrong = lost ? reply.message : this.#traffic.accept(token, reply)
          if (wrong !== null) this.#failed(wrong)
          else if (this.counting) this.latencies.push(performance.now() - dueAt)
          if (lost) done()
          else step()
        })
      }
      step()
    })
  }

  get #isOver(): boolean {
    return this.#stopped || (this.firstFailure !== null && !this.#tolerant)
  }

  #failed(what: string): void {
    this.failures += 1
    this.firstFailure ??= what
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}
