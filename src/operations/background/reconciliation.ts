// Reconciles every record of a cluster with the chain in rounds, so that changes made outside of this service are
// detected without a request. Guarantees: one request at a time, for at most 100 accounts, and at most
// `questionsPerSecond` of them, so that submissions are not delayed.
import type { Clock, Timer } from '../../time/clock.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { Platform } from '../context/platform.ts'
import { reconcile } from '../reconcile/reconcile.ts'

export interface RoundPace {
  /** Interval between the starts of two rounds, if the first one has ended by then. */
  readonly roundMs: number
  readonly questionsPerSecond: number
}

export interface RoundLog {
  warn(fields: object, message: string): void
}

export interface RoundTotals {
  /** Completed rounds. */
  readonly rounds: number
  /** Duration of the last round in ms; 0 before the first. */
  readonly lastRoundMs: number
  /** Records compared in the last round. */
  readonly lastRecords: number
  /** Failed requests; each leaves up to 100 records for the next round. */
  readonly failures: number
}

const ASKED_AT_ONCE = 100
/** Maximum number of records skipped or collected in one turn of the event loop. */
const PASSED_AT_ONCE = 5_000
/** Target duration of a round; a longer one is logged. */
const PROMISED_MS = 60_000

export class BackgroundReconciliation {
  readonly #platform: Platform
  readonly #cluster: string
  readonly #pace: RoundPace
  readonly #clock: Clock
  readonly #log: RoundLog
  #totals: RoundTotals = { rounds: 0, lastRoundMs: 0, lastRecords: 0, failures: 0 }
  #records: Iterator<Entry, undefined> | null = null
  #compared = 0
  #startedAt = 0
  #failing = false
  #timer: Timer | null = null
  #asking: Promise<void> | null = null
  #stopped = false

  constructor(
    platform: Platform,
    cluster: string,
    pace: RoundPace,
    { clock, log }: { readonly clock: Clock; readonly log: RoundLog },
  ) {
    this.#platform = platform
    this.#cluster = cluster
    this.#pace = pace
    this.#clock = clock
    this.#log = log
  }

  get totals(): RoundTotals {
    return this.#totals
  }

  /** Starts the first round at once: changes made while the service was down are unknown. */
  start(): void {
    this.#wakeIn(0)
  }

  /** Resolves when no request is running. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
    await this.#asking
  }

  #wakeIn(delayMs: number): void {
    if (this.#stopped) return
    this.#timer = this.#clock.setTimeout(() => {
      this.#asking = this.#turn().finally(() => (this.#asking = null))
    }, delayMs)
  }

  async #turn(): Promise<void> {
    if (this.#records === null) {
      this.#records = this.#platform.engine.directory.holdings()
      this.#startedAt = this.#clock.elapsed()
      this.#compared = 0
    }
    const { due, ended } = this.#next(this.#records)
    if (due.length > 0) await this.#compare(due)
    if (ended) this.#end()
    else this.#wakeIn(due.length === 0 ? 0 : 1_000 / this.#pace.questionsPerSecond)
  }

  /** Records created during a round belong to it too. */
  #next(records: Iterator<Entry, undefined>): { due: Entry[]; ended: boolean } {
    const due: Entry[] = []
    for (let passed = 0; passed < PASSED_AT_ONCE && due.length < ASKED_AT_ONCE; passed += 1) {
      const next = records.next()
      if (next.done === true) return { due, ended: true }
      const { cluster, value } = next.value.outline
      if (cluster === this.#cluster && value !== 'closed' && value !== 'pending') due.push(next.value)
    }
    return { due, ended: false }
  }

  async #compare(due: readonly Entry[]): Promise<void> {
    this.#compared += due.length
    try {
      const heads = due.map(({ head }) => head)
      const { undecided } = await reconcile(this.#platform, this.#cluster, heads, { patient: true })
      for (const entry of undecided) this.#platform.engine.noticed(entry)
      this.#failing = false
    } catch (error) {
      this.#totals = { ...this.#totals, failures: this.#totals.failures + 1 }
      if (!this.#failing)
        this.#log.warn({ err: error, cluster: this.#cluster }, 'records could not be compared with the chain')
      this.#failing = true
    }
  }

  #end(): void {
    const tookMs = this.#clock.elapsed() - this.#startedAt
    this.#totals = {
      ...this.#totals,
      rounds: this.#totals.rounds + 1,
      lastRoundMs: tookMs,
      lastRecords: this.#compared,
    }
    this.#records = null
    if (tookMs > PROMISED_MS) {
      const fields = { cluster: this.#cluster, records: this.#compared, seconds: Math.round(tookMs / 1_000) }
      this.#log.warn(fields, 'comparing all records with the chain took longer than a minute')
    }
    this.#wakeIn(Math.max(1_000 / this.#pace.questionsPerSecond, this.#pace.roundMs - tookMs))
  }
}
