// One signature that a remote signer is asked for, and how often and how patiently.
import type { Timer } from '../../../time/clock.ts'
import type { Entry } from '../../../engine/records/entry.ts'
import type { KeyPlace } from '../../context/platform.ts'

/** An attempt without an answer by then is followed by another. Within the wait of a usual request. */
const TIMEOUT_MS = 5_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000

export interface Question {
  readonly entry: Entry
  readonly place: KeyPlace
  /** It may have been asked before this process began. */
  readonly recovered: boolean
  readonly timeoutMs: number
  attempts: number
  pauseMs: number
  timer: Timer | null
  done: boolean
}

export function newQuestion(entry: Entry, place: KeyPlace, recovered: boolean): Question {
  return { entry, place, recovered, timeoutMs: TIMEOUT_MS, attempts: 0, pauseMs: FIRST_PAUSE_MS, timer: null, done: false }
}

/** Each pause is twice the one before and up to a quarter more; `chance` uniform in [0, 1). */
export function pauseBeforeNext(question: Question, chance: number): number {
  const pauseMs = question.pauseMs * (1 + chance / 4)
  question.pauseMs = Math.min(question.pauseMs * 2, LONGEST_PAUSE_MS)
  return pauseMs
}
