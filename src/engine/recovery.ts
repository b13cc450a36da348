// After a start every transaction that may have been sent counts as sent: the chain is asked before anything goes out again.
import type { ClusterLink, Submission } from '../chain/submission.ts'
import { mayLand, type TransactionState } from '../../machines/transaction-record.ts'
import type { Engine } from './engine.ts'
import { ofKind, type RecordState } from './record.ts'

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
    link.watch(submissionOf(engine, transaction), seen === null || slot === null ? undefined : { commitment: seen, slot })
    resumed += 1
  }
  return resumed
}

/** A submission from what is stored: the same bytes that were signed, never others. */
export function submissionOf(engine: Engine, transaction: RecordState<'transaction'>): Submission {
  const { fixed, signature } = transaction.context
  const { signedBytes, held } = engine.payload(transaction)
  return {
    transactionId: transaction.id,
    tenant: transaction.tenant,
    lane: fixed.nonceAccount?.address ?? fixed.feePayer.address,
    signature,
    bytes: signedBytes === null || held === true ? null : Buffer.from(signedBytes, 'base64'),
    blockhash: fixed.blockhash,
    blockhashSlot: fixed.blockhashSlot,
    lastValidBlockHeight: fixed.lastValidBlockHeight,
  }
}
