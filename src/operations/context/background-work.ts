// Work that no request waits for. If it fails, because the actor of a record throws or a read is not answered, it is
// logged and runs again after a pause that grows: it ends neither the process nor the work on other records. Nothing of
// a failed attempt remains (`Engine.transact`). A failed write is no such failure: `onFatal` ends the process with it.
import type { Clock, Timer } from '../../time/clock.ts'
import { asFailure, isRetryable } from './as-refusal.ts'
import { whenAtHand, type RowSource } from '../../../snapshots/at-hand.ts'

const FIRST_PAUSE_MS = 1_000
/** A quarantined record fails until the next start. */
const MAX_PAUSE_MS = 60_000

export interface WorkLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** What the work is about. Only the latest work about the same ids is tried again. */
export interface Subject {
  /** Ids as the log shows them. */
  readonly ids: Readonly<Record<string, string>>
  /** Message of the log. */
  readonly failure: string
}

interface Failing {
  pauseMs: number
  timer: Timer
}

export class BackgroundWork {
  readonly #rows: RowSource
  readonly #clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  readonly #log: WorkLog
  readonly #failing = new Map<string, Failing>()
  #stopped = false

  constructor(rows: RowSource, clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>, log: WorkLog) {
    this.#rows = rows
    this.#clock = clock
    this.#log = log
  }

  /** Runs `work` in this turn if the rows that it reads are available. Never throws. */
  run(subject: Subject, work: () => void): void {
    whenAtHand(
      this.#rows,
      () => {
        if (this.#stopped) return
        work()
        this.passed(subject)
      },
      (error) => this.later(subject, error, () => this.run(subject, work)),
    )
  }

  /**
   * Logs the failure, and calls `again` after a pause. `again` must not throw. What may succeed later without anybody's
   * action is a warning.
   */
  later(subject: Subject, error: unknown, again: () => void): void {
    if (this.#stopped) return
    const level = isRetryable(asFailure(error)) ? 'warn' : 'error'
    this.#log[level]({ err: error, ...subject.ids }, `${subject.failure}: it is tried again`)
    const before = this.#failing.get(keyOf(subject))
    if (before !== undefined) this.#clock.clearTimeout(before.timer)
    const pauseMs = before === undefined ? FIRST_PAUSE_MS : Math.min(before.pauseMs * 2, MAX_PAUSE_MS)
    this.#failing.set(keyOf(subject), { pauseMs, timer: this.#clock.setTimeout(again, pauseMs) })
  }

  /** The next failure is followed by a short pause again. */
  passed(subject: Subject): void {
    if (this.#failing.size === 0) return
    const failing = this.#failing.get(keyOf(subject))
    if (failing === undefined) return
    this.#clock.clearTimeout(failing.timer)
    this.#failing.delete(keyOf(subject))
  }

  /** Nothing runs again. */
  stop(): void {
    this.#stopped = true
    for (const { timer } of this.#failing.values()) this.#clock.clearTimeout(timer)
    this.#failing.clear()
  }
}

function keyOf({ ids }: Subject): string {
  return JSON.stringify(ids)
}
