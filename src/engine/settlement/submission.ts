// Builds the submission of a transaction: bytes, lifetime, and how to find the transaction on chain. Used for new sends
// and for transactions that are open at a start.
//
// A message lands once, with any valid first signature. A signer outside of the service may make several, so unless
// only this service has the key of the fee payer, the message is looked for as well as the signature on record.
import type { MessageInHistory, Submission } from '../../submission/submission.ts'
import type { TransactionFixed } from '../../../machines/transactions/transaction-record.ts'
import { atHand } from '../../../snapshots/at-hand.ts'
import type { Engine } from '../engine.ts'
import { isKeyOnlyHere } from '../records/key-origin.ts'
import type { RecordState } from '../records/record.ts'

/** @param bytes null: only watch the transaction, because a signature is missing or sending was not requested */
export function submissionOf(
  engine: Engine,
  transaction: RecordState<'transaction'>,
  bytes: Uint8Array | null,
): Submission {
  const { fixed, signature } = transaction.context
  const { blockhash, blockhashSlot, lastValidBlockHeight, nonceAccount, feePayer, messageHash } = fixed
  const lane = laneOf(fixed)
  return {
    transactionId: transaction.id,
    tenant: transaction.tenant,
    organization: fixed.organization,
    lane,
    signature,
    bytes,
    blockhash,
    blockhashSlot,
    lastValidBlockHeight,
    ...(nonceAccount === null ? {} : { nonce: { account: nonceAccount.address, value: blockhash } }),
    message: messageIn(engine, transaction.cluster, { feePayer: feePayer.address, signature, messageHash, lane }),
  }
}

/** Watches a countersigned transaction for the countersigner. */
export function countersignedSubmission(
  engine: Engine,
  { id, tenant, cluster, context }: RecordState<'countersignature'>,
): Submission {
  const { feePayer, signature, blockhash, blockhashSlot, lastValidBlockHeight, nonceAccount, messageHash } = context
  const lane = nonceAccount ?? feePayer
  return {
    transactionId: id,
    tenant,
    lane,
    signature,
    bytes: null,
    blockhash,
    blockhashSlot,
    lastValidBlockHeight,
    ...(nonceAccount === null ? {} : { nonce: { account: nonceAccount, value: blockhash } }),
    message: messageIn(engine, cluster, { feePayer, signature, messageHash, lane }),
  }
}

/** The history of the lane, the nonce account or the fee payer, contains the transaction. */
function messageIn(
  engine: Engine,
  cluster: string,
  {
    feePayer,
    signature,
    messageHash,
    lane,
  }: {
    readonly feePayer: string
    readonly signature: string | null
    readonly messageHash: string
    readonly lane: string
  },
): MessageInHistory {
  return {
    messageHash,
    address: lane,
    mayHaveUnknownSignature: async () =>
      signature === null || !isKeyOnlyHere(await atHand(engine, () => engine.directory.atAddress(cluster, feePayer))),
  }
}

/**
 * The submission lane. Transactions of one lane are sent in order: by nonce account if there is one, else by fee payer.
 */
export function laneOf({ nonceAccount, feePayer }: Pick<TransactionFixed, 'nonceAccount' | 'feePayer'>): string {
  return nonceAccount?.address ?? feePayer.address
}
