// Health checks of the service: the store writes, queued transactions are sent, every cluster advances. The checks run
// periodically, so that a health request is cheap, and so that a stall is detected, which a single sample cannot show.
import type { Clock, Timer } from '../../time/clock.ts'

export interface ClusterHeartbeat {
  readonly id: string
  /** Queries the cluster for its newest confirmed slot. */
  slot(): Promise<number>
  /** The cluster counts as stalled after this time without a new slot. */
  readonly stillMs: number
}

export interface MonitoredLane {
  readonly totals: { readonly queued: number; readonly sent: number }
}

export interface Probes {
  readonly clusters: readonly ClusterHeartbeat[]
  readonly lanes: ReadonlyMap<string, MonitoredLane>
  readonly store: { stats(): { readonly waiting: number; readonly batches: number } }
  /** Free disk space in bytes; null: unknown. */
  freeBytes(): Promise<number | null>
}

const CHECK_MS = 2_000
/** Timeout of a slot query. */
const ANSWER_MS = 2_000
/** A pending write or a non-empty lane without progress for this time counts as stalled. */
const STILL_MS = 20_000
/** Minimum free disk space: LevelDB needs space for compactions, and the service for an orderly stop. */
const MIN_FREE_BYTES = 256 * 1024 * 1024

/** Detects missing progress of a value that should change while there is work. */
class Progress {
  #mark: number | null = null
  #sinceMs = 0

  /**
   * Returns the milliseconds without progress.
   *
   * @param busy false: no progress is expected now
   */
  stillMs(mark: number, busy: boolean, nowMs: number): number {
    if (!busy || mark !== this.#mark) {
      this.#mark = mark
      this.#sinceMs = nowMs
    }
    return nowMs - this.#sinceMs
  }
}

export class HealthMonitor {
  readonly #probes: Probes
  readonly #clock: Pick<Clock, 'elapsed' | 'setTimeout' | 'clearTimeout'>
  readonly #checks = new Map<string, string>()
  readonly #progress = new Map<string, Progress>()
  /** Newest slot reported by each cluster. */
  readonly #slots = new Map<string, number>()
  /** Number of consecutive unanswered queries, by cluster. */
  readonly #failures = new Map<string, number>()
  #timer: Timer | null = null
  #stopped = false

  constructor(probes: Probes, clock: Pick<Clock, 'elapsed' | 'setTimeout' | 'clearTimeout'>) {
    this.#probes = probes
    this.#clock = clock
    for (const name of ['store', 'disk', ...probes.clusters.flatMap(({ id }) => [`chain ${id}`, `lanes ${id}`])])
      this.#checks.set(name, 'ok')
  }

  start(): void {
    this.#timer = this.#clock.setTimeout(() => void this.#round(), 0)
  }

  stop(): void {
    this.#stopped = true
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
  }

  /** Check name -> `ok`, or a description of the problem that may be shown publicly. */
  get checks(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#checks)
  }

  /** True if all checks are `ok`. */
  get ready(): boolean {
    return [...this.#checks.values()].every((found) => found === 'ok')
  }

  /** True if the service can accept work that needs no cluster. */
  get accepting(): boolean {
    return this.#checks.get('store') === 'ok' && this.#checks.get('disk') === 'ok'
  }

  /** Runs all checks once. Never rejects. */
  async check(): Promise<void> {
    const { clusters, lanes, store } = this.#probes
    const { waiting, batches } = store.stats()
    const isStill = (name: string, mark: number, busy: boolean, stillMs: number): boolean =>
      this.#still(name, mark, busy) > stillMs
    this.#say('store', isStill('store', batches, waiting > 0, STILL_MS) ? 'writes are not answered by the disk' : 'ok')
    const free = await this.#probes.freeBytes().catch(() => null)
    this.#say('disk', free !== null && free < MIN_FREE_BYTES ? 'the disk is almost full' : 'ok')
    for (const [id, { totals }] of lanes) {
      const still = isStill(`lanes ${id}`, totals.sent, totals.queued > 0, STILL_MS)
      this.#say(`lanes ${id}`, still ? 'transactions wait to be sent, and none is' : 'ok')
    }
    await Promise.all(
      clusters.map(async (cluster) => {
        const { id, stillMs } = cluster
        const newest = await this.#slotOf(cluster)
        // A cluster that does not answer also counts as one without a new slot.
        const still = isStill(`chain ${id}`, newest ?? this.#slots.get(id) ?? -1, true, stillMs)
        if (newest !== null) this.#slots.set(id, newest)
        if (newest === null) this.#say(`chain ${id}`, 'the cluster does not answer')
        else this.#say(`chain ${id}`, still ? 'the cluster makes no blocks' : 'ok')
      }),
    )
  }

  /** null: the cluster did not answer twice in a row. One lost answer is no outage. */
  async #slotOf(cluster: ClusterHeartbeat): Promise<number | null> {
    const { id } = cluster
    const newest = await Promise.race([cluster.slot().catch(() => null), this.#patience()])
    const failures = newest === null ? (this.#failures.get(id) ?? 0) + 1 : 0
    this.#failures.set(id, failures)
    return failures === 1 ? (this.#slots.get(id) ?? null) : newest
  }

  #patience(): Promise<null> {
    return new Promise((resolve) => void this.#clock.setTimeout(() => resolve(null), ANSWER_MS))
  }

  async #round(): Promise<void> {
    await this.check()
    if (!this.#stopped) this.#timer = this.#clock.setTimeout(() => void this.#round(), CHECK_MS)
  }

  #still(name: string, mark: number, busy: boolean): number {
    let progress = this.#progress.get(name)
    if (progress === undefined) {
      progress = new Progress()
      this.#progress.set(name, progress)
    }
    return progress.stillMs(mark, busy, this.#clock.elapsed())
  }

  #say(name: string, found: string): void {
    this.#checks.set(name, found)
  }
}
