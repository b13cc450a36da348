// One watched transaction: its known state, and when it is next queried, resent or proven expired.
import { signatureText } from '../solana/address.ts'
import type { PaceMark } from '../rpc/chain-pace.ts'
import type { Clock } from '../time/clock.ts'
import type { WatchSettings } from '../rpc/cluster-settings.ts'
import { knownAs, UNSEEN, type StatusView } from '../rpc/status-verdict.ts'
import type { PendingSend } from './lanes.ts'
import type { Commitment } from '../rpc/rpc.ts'
import type { Submission } from './submission.ts'

/** Times are `Clock.elapsed`; Infinity: not planned. */
export interface WatchEntry {
  readonly submission: Submission
  /** Progress of the cluster when its blocks began to be counted; null: they are not counted. */
  watchedSince: PaceMark | null
  /** The signature to query; may turn out to be another signature of the same request. */
  signature: string | null
  view: StatusView
  /** True if an answer has shown the transaction as landed, even if its fork was abandoned later. */
  everSeen: boolean
  /** The next query searches the node's history. Nothing is resent until it is answered. */
  deep: boolean
  /** Counts against the limits of admission. */
  counted: boolean
  sending: boolean
  /** A send was due but is held back; no send is planned meanwhile. */
  held: boolean
  /** Never to be sent again. */
  recalled: boolean
  attempts: number
  /** The first queries (`askAfterMs`) are planned from here on; -Infinity: they are over. */
  askedFrom: number
  askAt: number
  askDelayMs: number
  sendAt: number
  sendDelayMs: number
  proveAt: number
  proofDelayMs: number
  proving: boolean
  unproven: string | null
}

/** Growth factor of the interval between two queries of an unseen transaction. */
const GROWTH = 1.5

/** The entry of a transaction that was not sent yet: its status is queried once its first send is in flight. */
export function submittedEntry(
  submission: Submission,
  settings: WatchSettings,
  nowMs: number,
  watchedSince: PaceMark | null = null,
): WatchEntry {
  return {
    submission,
    watchedSince,
    signature: submission.signature,
    view: UNSEEN,
    everSeen: false,
    deep: false,
    counted: true,
    sending: false,
    held: false,
    recalled: false,
    attempts: 0,
    askedFrom: -Infinity,
    askAt: Infinity,
    askDelayMs: settings.pollMs,
    sendAt: Infinity,
    sendDelayMs: settings.resendMs,
    // A nonce stays valid until it is used, so a proof is attempted periodically. A blockhash has a known last height.
    proveAt: submission.lastValidBlockHeight === null ? nowMs + settings.slowestProofMs : 0,
    proofDelayMs: settings.proofMs,
    proving: false,
    unproven: null,
  }
}

/**
 * The entry of a transaction that may have been sent before a restart: the chain's history is queried before the
 * transaction is sent again.
 */
export function recoveredEntry(
  submission: Submission,
  known: { readonly commitment: Commitment; readonly slot: number } | undefined,
  settings: WatchSettings,
  nowMs: number,
): WatchEntry {
  const entry = submittedEntry(submission, settings, nowMs)
  if (known !== undefined) {
    entry.view = knownAs({ ...known, error: null, contextSlot: known.slot, reported: false })
    entry.everSeen = true
  }
  return { ...entry, deep: true, askAt: nowMs, sendAt: nowMs, proveAt: 0 }
}

/**
 * Replaces a watched-only entry by `fresh`, which keeps the known state of the transaction, so that a reported status
 * is not lost.
 */
export function carriedOver(fresh: WatchEntry, before: WatchEntry, nowMs: number): WatchEntry {
  const { view, everSeen, recalled } = before
  const known = { ...fresh, view, everSeen, recalled }
  // A transaction that was seen is queried at once, and sent only if its fork is abandoned.
  return view.seen === null ? known : { ...known, askAt: nowMs, sendAt: nowMs }
}

/**
 * The transaction in the form that lanes send, or null when it is only watched.
 * Throws when the signature on record is not the one in the bytes: watching a signature other than the one that was
 * sent could prove expired a transaction that landed.
 */
export function pendingSendOf(submission: Submission): PendingSend | null {
  const { transactionId, tenant, lane, signature, bytes, nonce } = submission
  if (bytes === null) return null
  if (signature === null || signatureText(bytes.subarray(1, 65)) !== signature) {
    throw new Error(`the signature on record of transaction ${transactionId} is not the one in its bytes`)
  }
  return { transactionId, tenant, lane, signature, bytes, alone: nonce !== undefined }
}

/** Plans the query after a repeated send was answered. */
export function planAsk(entry: WatchEntry, settings: WatchSettings, nowMs: number): void {
  entry.askDelayMs = settings.pollMs
  entry.askAt = Math.min(entry.askAt, nowMs + (settings.askAfterMs[0] ?? settings.pollMs))
}

/** Plans the first queries: they begin when the first send is answered, and again when a landing is notified. */
export function planFirstAsks(entry: WatchEntry, settings: WatchSettings, nowMs: number): void {
  planAsk(entry, settings, nowMs)
  entry.askedFrom = nowMs
  entry.askDelayMs = settings.pollMs / GROWTH
}

/**
 * Plans the next query after one without news: at first according to `askAfterMs`; then the interval grows while the
 * transaction is unseen, and is constant once it was seen.
 */
export function planNextAsk(entry: WatchEntry, settings: WatchSettings, askedAt: number, nowMs: number): void {
  const commitment = entry.view.seen?.commitment
  const afterMs = settings.askAfterMs.find((each) => entry.askedFrom + each > askedAt)
  if (afterMs !== undefined && (commitment === undefined || commitment === 'processed')) {
    entry.askAt = entry.askedFrom + afterMs
    return
  }
  if (entry.view.seen === null) {
    entry.askDelayMs = Math.min(entry.askDelayMs * GROWTH, settings.slowestPollMs)
  } else {
    entry.askDelayMs = commitment === 'processed' ? settings.pollMs : settings.progressMs
  }
  entry.askAt = nowMs + entry.askDelayMs
}

/**
 * After a send: the next resend follows after the delay plus up to a quarter of it at random; the delay then doubles.
 */
export function planNextSend(entry: WatchEntry, settings: WatchSettings, clock: Clock): void {
  entry.sendAt = clock.elapsed() + entry.sendDelayMs * (1 + clock.random() / 4)
  const slowest = entry.submission.lastValidBlockHeight === null ? settings.nonceResendMs : settings.slowestResendMs
  entry.sendDelayMs = Math.min(entry.sendDelayMs * 2, slowest)
}

/** Plans the next proof after a failed one. */
export function planNextProof(entry: WatchEntry, settings: WatchSettings, nowMs: number): void {
  entry.proveAt = nowMs + entry.proofDelayMs
  entry.proofDelayMs = Math.min(entry.proofDelayMs * 2, settings.slowestProofMs)
}

/** True if the transaction may be sent now: it is unseen, the history was queried, and its blockhash is still valid. */
export function sendDue(entry: WatchEntry, nowMs: number, blockHeight: number | null): boolean {
  if (entry.sendAt > nowMs || entry.sending || entry.deep || entry.view.seen !== null || blockHeight === null)
    return false
  const last = entry.submission.lastValidBlockHeight
  return last === null || blockHeight <= last
}

/**
 * True if a proof may succeed now.
 * @param proofHeight Finalized height that must be exceeded first; null with a durable nonce.
 */
export function proofDue(
  entry: WatchEntry,
  nowMs: number,
  finalizedHeight: number | null,
  proofHeight: number | null,
): boolean {
  if (entry.proveAt > nowMs || entry.proving || entry.view.seen !== null || finalizedHeight === null) return false
  return proofHeight === null || finalizedHeight > proofHeight
}
