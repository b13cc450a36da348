// After a start every transaction that may have been sent counts as sent: the chain is asked before anything goes out again.
import type { ClusterLink } from '../chain/submission.ts'
import { mayLand, type TransactionState } from '../../machines/transaction-record.ts'
import type { Engine } from './engine.ts'
import { ofKind, type RecordState } from './record.ts'
import { submissionOf } from './submission.ts'

/** Hands every open transaction to its cluster's link. Returns how many. */
export function resumeOpen(engine: Engine, links: ReadonlyMap<string, ClusterLink>): number {
  let resumed = 0
  for (const entry of engine.directory.entries()) {
    const transaction = ofKind(entry.head, 'transaction')
    if (transaction === undefined || !mayLand(transaction.value as TransactionState, transaction.context)) continue
    const link = links.get(transaction.cluster)
    if (link === undefined) continue
    const { slot } = transaction.context
    const seen = transaction.value === 'processed' || transaction.value === 'confirmed' ? transaction.value : null
    const submission = submissionOf(transaction, storedBytes(engine, transaction))
    link.watch(submission, seen === null || slot === null ? undefined : { commitment: seen, slot })
    resumed += 1
  }
  return resumed
}

/** The same bytes that were signed, never others; null while some are missing or nobody has asked for them to be sent. */
function storedBytes(engine: Engine, transaction: RecordState<'transaction'>): Uint8Array | null {
  const { signedBytes, held } = engine.payload(transaction)
  return signedBytes === null || held === true ? null : Buffer.from(signedBytes, 'base64')
}
