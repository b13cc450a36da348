// A request for one signature of a remote signer, with its timeout and retry intervals.
import type { Timer } from '../../../time/clock.ts'
import type { RemoteKeyHolder } from '../../../engine/records/codec.ts'
import type { Entry } from '../../../engine/records/entry.ts'
import { askId } from '../../../keys/custodians/protocol.ts'
import type { KeyPlace } from '../../context/platform.ts'

/**
 * An attempt without an answer is followed by another after this time. Shorter than the default wait of a request.
 */
const TIMEOUT_MS = 5_000
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 30_000
/** While a signer decides, it is asked again after these times, unless it names another. */
const FIRST_PENDING_MS = 1_000
const MAX_PENDING_MS = 10_000
const MIN_PENDING_MS = 250

/** A key, and the requester to name to its owner if the owner is in another cell. */
export type AskedPlace = KeyPlace & Pick<RemoteKeyHolder, 'by'>

export interface SignatureQuestion {
  readonly entry: Entry
  readonly place: AskedPlace
  /** The signer may have been asked before this process started. */
  readonly recovered: boolean
  readonly timeoutMs: number
  /** Id of the request at a custodian. */
  readonly askId: string
  attempts: number
  /** Attempts that the signer has not answered: it may have signed. */
  unanswered: number
  pauseMs: number
  pendingMs: number
  timer: Timer | null
  /** An answer is being stored: no other one counts, and nothing is asked, unless that fails. */
  storing: boolean
  done: boolean
}

export function newQuestion(
  entry: Entry,
  place: AskedPlace,
  message: Uint8Array,
  recovered: boolean,
): SignatureQuestion {
  return {
    entry,
    place,
    recovered,
    timeoutMs: TIMEOUT_MS,
    askId: askId(message, place.address),
    attempts: 0,
    unanswered: 0,
    pauseMs: FIRST_PAUSE_MS,
    pendingMs: FIRST_PENDING_MS,
    timer: null,
    storing: false,
    done: false,
  }
}

/** Exponential backoff in ms with up to 25 percent of jitter; `chance` is uniform in [0, 1). */
export function pauseBeforeNext(question: SignatureQuestion, chance: number): number {
  const pauseMs = question.pauseMs * (1 + chance / 4)
  question.pauseMs = Math.min(question.pauseMs * 2, MAX_PAUSE_MS)
  return pauseMs
}

/** As `pauseBeforeNext`, while the signer decides; `retryMs` is the interval that the signer requests. */
export function pauseWhilePending(question: SignatureQuestion, retryMs: number | null, chance: number): number {
  const pauseMs = Math.max(MIN_PENDING_MS, retryMs ?? question.pendingMs) * (1 + chance / 4)
  question.pendingMs = Math.min(question.pendingMs * 2, MAX_PENDING_MS)
  return pauseMs
}
