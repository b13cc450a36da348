// Builds the submission of a transaction: bytes, lifetime, and how to find the transaction on chain. Used for new sends
// and for transactions that are open at a start.
import type { Submission } from '../../submission/submission.ts'
import type { TransactionFixed } from '../../../machines/transactions/transaction-record.ts'
import type { RecordState } from '../records/record.ts'

/** @param bytes null: only watch the transaction, because a signature is missing or sending was not requested */
export function submissionOf(transaction: RecordState<'transaction'>, bytes: Uint8Array | null): Submission {
  const { fixed, signature } = transaction.context
  const { blockhash, blockhashSlot, lastValidBlockHeight, nonceAccount, messageHash } = fixed
  return {
    transactionId: transaction.id,
    tenant: transaction.tenant,
    organization: fixed.organization,
    lane: laneOf(fixed),
    signature,
    bytes,
    blockhash,
    blockhashSlot,
    lastValidBlockHeight,
    ...(nonceAccount === null ? {} : { nonce: { account: nonceAccount.address, value: blockhash } }),
    // The fee payer signs remotely: the transaction is found by its message, in the history of the nonce account or the
    // fee payer.
    ...(signature === null ? { unknownSignature: { messageHash, address: laneOf(fixed) } } : {}),
  }
}

/**
 * Watches a countersigned transaction for the countersigner: by the fee payer's signature if known, else by the
 * message.
 */
export function countersignedSubmission({ id, tenant, context }: RecordState<'countersignature'>): Submission {
  const { feePayer, signature, blockhash, blockhashSlot, lastValidBlockHeight, nonceAccount, messageHash } = context
  return {
    transactionId: id,
    tenant,
    lane: nonceAccount ?? feePayer,
    signature,
    bytes: null,
    blockhash,
    blockhashSlot,
    lastValidBlockHeight,
    ...(nonceAccount === null ? {} : { nonce: { account: nonceAccount, value: blockhash } }),
    ...(signature === null ? { unknownSignature: { messageHash, address: nonceAccount ?? feePayer } } : {}),
  }
}

/**
 * The submission lane. Transactions of one lane are sent in order: by nonce account if there is one, else by fee payer.
 */
export function laneOf({ nonceAccount, feePayer }: Pick<TransactionFixed, 'nonceAccount' | 'feePayer'>): string {
  return nonceAccount?.address ?? feePayer.address
}
