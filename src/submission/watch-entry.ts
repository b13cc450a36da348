// One transaction under watch: what is known of it, and when it is next asked for, sent again, or proven expired.
import { signatureText } from '../solana/address.ts'
import type { Clock } from '../time/clock.ts'
import type { WatchSettings } from '../rpc/cluster-settings.ts'
import type { View } from '../rpc/judge.ts'
import type { Parcel } from './lanes.ts'
import type { Commitment } from '../rpc/rpc.ts'
import type { Submission } from './submission.ts'

/** Times are of `Clock.elapsed`; Infinity: not planned. */
export interface Watched {
  readonly submission: Submission
  /** The signature to ask for; may turn out to be another of the request's. */
  signature: string | null
  view: View
  /** An answer has shown it landed, whatever became of that. */
  everSeen: boolean
  /** The next question goes to the node's history; until it is answered nothing is sent again. */
  deep: boolean
  /** Counts against the bounds of admission. */
  counted: boolean
  sending: boolean
  /** It was to be sent and must not be, for now; then no send is planned. */
  held: boolean
  /** It is not to be sent again, ever. */
  recalled: boolean
  attempts: number
  askAt: number
  askDelayMs: number
  sendAt: number
  sendDelayMs: number
  proveAt: number
  proofDelayMs: number
  proving: boolean
  unproven: string | null
}

/** Not yet sent: asked for once its first send is under way. */
export function submitted(submission: Submission, settings: WatchSettings, nowMs: number): Watched {
  return {
    submission,
    signature: submission.signature,
    view: { seen: null, misses: 0, missSlot: 0 },
    everSeen: false,
    deep: false,
    counted: true,
    sending: false,
    held: false,
    recalled: false,
    attempts: 0,
    askAt: Infinity,
    askDelayMs: settings.pollMs,
    sendAt: Infinity,
    sendDelayMs: settings.resendMs,
    // A nonce lives until somebody uses it, so the proof is tried now and then; a blockhash says itself when it is over.
    proveAt: submission.lastValidBlockHeight === null ? nowMs + settings.slowestProofMs : 0,
    proofDelayMs: settings.proofMs,
    proving: false,
    unproven: null,
  }
}

/** Possibly sent before a restart: the chain's history is asked first, then it goes out again. */
export function recovered(
  submission: Submission,
  known: { readonly commitment: Commitment; readonly slot: number } | undefined,
  settings: WatchSettings,
  nowMs: number,
): Watched {
  const entry = submitted(submission, settings, nowMs)
  if (known !== undefined) {
    entry.view = { seen: { ...known, error: null, contextSlot: known.slot, reported: false }, misses: 0, missSlot: 0 }
    entry.everSeen = true
  }
  return { ...entry, deep: true, askAt: nowMs, sendAt: nowMs, proveAt: 0 }
}

/** What was only watched until now goes on with all that is known of it: a sight that was reported is not forgotten by the change. */
export function carriedOver(fresh: Watched, before: Watched, nowMs: number): Watched {
  const { view, everSeen, recalled } = before
  const known = { ...fresh, view, everSeen, recalled }
  // Seen: asked for at once, and sent only should its fork die.
  return view.seen === null ? known : { ...known, askAt: nowMs, sendAt: nowMs }
}

/**
 * Its bytes for a lane, or null when it is only watched. Throws when the signature on record is not the one in the bytes: watching
 * another signature than the one that was sent could prove expired what has landed.
 */
export function parcelOf(submission: Submission): Parcel | null {
  const { transactionId, tenant, lane, signature, bytes, nonce } = submission
  if (bytes === null) return null
  if (signature === null || signatureText(bytes.subarray(1, 65)) !== signature) {
    throw new Error(`the signature on record of transaction ${transactionId} is not the one in its bytes`)
  }
  return { transactionId, tenant, lane, signature, bytes, alone: nonce !== undefined }
}

/** After a question that brought nothing new: ask less and less often while it is unseen, steadily once it was seen. */
export function planNextAsk(entry: Watched, settings: WatchSettings, nowMs: number): void {
  if (entry.view.seen === null) {
    entry.askDelayMs = Math.min(entry.askDelayMs * 1.5, settings.slowestPollMs)
  } else {
    entry.askDelayMs = entry.view.seen.commitment === 'processed' ? settings.pollMs : settings.progressMs
  }
  entry.askAt = nowMs + entry.askDelayMs
}

/** After a send: the same bytes again after the delay and up to a quarter more, doubling. */
export function planNextSend(entry: Watched, settings: WatchSettings, clock: Clock): void {
  entry.sendAt = clock.elapsed() + entry.sendDelayMs * (1 + clock.random() / 4)
  const slowest = entry.submission.lastValidBlockHeight === null ? settings.nonceResendMs : settings.slowestResendMs
  entry.sendDelayMs = Math.min(entry.sendDelayMs * 2, slowest)
}

/** After an attempt at a proof that proved nothing. */
export function planNextProof(entry: Watched, settings: WatchSettings, nowMs: number): void {
  entry.proveAt = nowMs + entry.proofDelayMs
  entry.proofDelayMs = Math.min(entry.proofDelayMs * 2, settings.slowestProofMs)
}

/** May it be sent now? Only unseen, only after the history was asked, and only while its blockhash lives. */
export function sendDue(entry: Watched, nowMs: number, blockHeight: number | null): boolean {
  if (entry.sendAt > nowMs || entry.sending || entry.deep || entry.view.seen !== null || blockHeight === null) return false
  const last = entry.submission.lastValidBlockHeight
  return last === null || blockHeight <= last
}

/** Is a proof worth trying now? */
export function proofDue(entry: Watched, nowMs: number, finalizedHeight: number | null): boolean {
  if (entry.proveAt > nowMs || entry.proving || entry.view.seen !== null || finalizedHeight === null) return false
  const last = entry.submission.lastValidBlockHeight
  return last === null || finalizedHeight > last
}
