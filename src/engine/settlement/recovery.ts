// Resumes open transactions after a start. Every transaction that may have been sent counts as sent: the chain is
// queried before anything is sent again.
import type { ClusterLink } from '../../submission/submission.ts'
import { mayLand, type TransactionState } from '../../../machines/transactions/transaction-record.ts'
import type { Engine } from '../engine.ts'
import type { ReviewHeld } from '../lane-switches.ts'
import { signatureText } from '../../solana/address.ts'
import { atHand } from '../../../snapshots/at-hand.ts'
import { clockResetOf, isDiscarded } from './clock-reset.ts'
import { ofKind, type RecordState } from '../records/record.ts'
import { ResumedLanes } from './resumed-lanes.ts'
import { countersignedSubmission, submissionOf } from './submission.ts'

/**
 * The latest time recorded with any transaction in memory, Unix milliseconds; null if there is none. Times that a reset
 * of the clock discarded do not count.
 */
export function lastInstant(engine: Engine): number | null {
  const reset = clockResetOf(engine.store)
  let last = reset?.atMs ?? null
  for (const { head } of engine.directory.entries('transaction')) {
    const transaction = ofKind(head, 'transaction')
    if (transaction === undefined) continue
    const at = Date.parse(transaction.context.history.at(-1)?.at ?? transaction.context.fixed.preparedAt)
    if ((last === null || at > last) && !isDiscarded(reset, at)) last = at
  }
  return last
}

/**
 * Hands every open transaction to its cluster's link. Returns the number handed over.
 * @param review Reviews the transactions, before they are sent, whose review may not have finished when the last
 * process ended.
 */
export async function resumeOpen(
  engine: Engine,
  links: ReadonlyMap<string, ClusterLink>,
  review: ReviewHeld,
): Promise<number> {
  let resumed = 0
  const resumedLanes = new ResumedLanes(engine)
  for (const entry of engine.directory.entries('transaction', 'countersignature')) {
    const countersignature = ofKind(entry.head, 'countersignature')
    if (countersignature !== undefined) {
      if (resumeAlone(engine, links, countersignature)) resumed += 1
      continue
    }
    const transaction = ofKind(entry.head, 'transaction')
    if (transaction === undefined || !mayLand(transaction.value as TransactionState, transaction.context)) continue
    const link = links.get(transaction.cluster)
    if (link === undefined) continue
    const { slot } = transaction.context
    const seen = transaction.value === 'processed' || transaction.value === 'confirmed' ? transaction.value : null
    const submission = submissionOf(engine, transaction, await atHand(engine, () => storedBytes(engine, transaction)))
    link.watch(submission, seen === null || slot === null ? undefined : { commitment: seen, slot })
    if (submission.bytes !== null && resumedLanes.mayHoldUnsent(transaction)) reviewFirst(link, transaction, review)
    noticeBooks(engine, transaction)
    resumed += 1
  }
  return resumed
}

/** Holds a transaction until its review, unless a suspension holds it: it is then reviewed when the lane is resumed. */
function reviewFirst(link: ClusterLink, { cluster, id }: RecordState<'transaction'>, review: ReviewHeld): void {
  if (link.state(id)?.held === true) return
  link.hold(id)
  review(cluster, [id])
}

/**
 * True if the transaction itself is watched, with the countersigned message. It is not evicted before its
 * countersignatures have ended.
 */
function isFollowed(engine: Engine, { context }: RecordState<'countersignature'>): boolean {
  const transaction = ofKind(engine.directory.resident(context.transactionId)?.head, 'transaction')
  return (
    transaction?.context.fixed.messageHash === context.messageHash &&
    mayLand(transaction.value as TransactionState, transaction.context)
  )
}

/**
 * A countersigned transaction is usually watched through the transaction itself. If the transaction is absent (the
 * requester never wrote it), has another message or has ended, the countersignature is watched on its own.
 */
function resumeAlone(
  engine: Engine,
  links: ReadonlyMap<string, ClusterLink>,
  countersignature: RecordState<'countersignature'>,
): boolean {
  const { value, cluster, context } = countersignature
  if (value !== 'given' && value !== 'landed') return false
  const link = links.get(cluster)
  if (link === undefined || isFollowed(engine, countersignature)) return false
  const { slot } = context
  link.watch(
    countersignedSubmission(engine, countersignature),
    value === 'landed' && slot !== null ? { commitment: 'confirmed', slot } : undefined,
  )
  return true
}

/** Marks all records of the transaction for reconciliation, because `outOfBalance` is not persisted. */
function noticeBooks(engine: Engine, { context }: RecordState<'transaction'>): void {
  for (const { record } of context.fixed.entries) {
    const entry = engine.directory.resident(record)
    if (entry !== undefined) engine.noticed(entry)
  }
}

/**
 * The signed bytes, never others. null: signatures are missing, sending was not requested, cancellation was requested,
 * or the chain has shown the message with another signature.
 */
function storedBytes(engine: Engine, transaction: RecordState<'transaction'>): Uint8Array | null {
  const { signedBytes, held } = engine.payload(transaction)
  if (signedBytes === null || held === true || transaction.context.cancelAskedAt !== null) return null
  const bytes = Buffer.from(signedBytes, 'base64')
  return signatureText(bytes.subarray(1, 65)) === transaction.context.signature ? bytes : null
}
