// A request for one signature of a remote signer, with its timeout and retry intervals.
import type { Timer } from '../../../time/clock.ts'
import type { Entry } from '../../../engine/records/entry.ts'
import type { KeyPlace } from '../../context/platform.ts'

/**
 * An attempt without an answer is followed by another after this time. Shorter than the default wait of a request.
 */
const TIMEOUT_MS = 5_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000

export interface Question {
  readonly entry: Entry
  readonly place: KeyPlace
  /** The signer may have been asked before this process started. */
  readonly recovered: boolean
  readonly timeoutMs: number
  attempts: number
  pauseMs: number
  timer: Timer | null
  done: boolean
}

export function newQuestion(entry: Entry, place: KeyPlace, recovered: boolean): Question {
  return {
    entry,
    place,
    recovered,
    timeoutMs: TIMEOUT_MS,
    attempts: 0,
    pauseMs: FIRST_PAUSE_MS,
    timer: null,
    done: false,
  }
}

/** Exponential backoff in ms with up to 25 percent of jitter; `chance` is uniform in [0, 1). */
export function pauseBeforeNext(question: Question, chance: number): number {
  const pauseMs = question.pauseMs * (1 + chance / 4)
  question.pauseMs = Math.min(question.pauseMs * 2, LONGEST_PAUSE_MS)
  return pauseMs
}
