// What a transaction is to the chain floor: its bytes, how long it may land, and what to look for. The one place that says so, for what is
// sent now and for what is found open at a start.
import type { Submission } from '../../submission/submission.ts'
import type { TransactionFixed } from '../../../machines/transaction-record.ts'
import type { RecordState } from '../records/record.ts'

/** `bytes` null: it is only watched, because a signature is missing or nobody has asked for it to be sent. */
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
    // The fee payer signs elsewhere: on chain it is found by its message, in the history of the nonce, or of the account that pays.
    ...(signature === null ? { unknownSignature: { messageHash, address: laneOf(fixed) } } : {}),
  }
}

/** A countersigned transaction as its owner looks for it: by the fee payer's signature if that is known, else by the message. */
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

/** Transactions of one lane go out in order: those of a nonce account, else those of a fee payer. */
export function laneOf({ nonceAccount, feePayer }: Pick<TransactionFixed, 'nonceAccount' | 'feePayer'>): string {
  return nonceAccount?.address ?? feePayer.address
}
