// Serialized transactions that a caller sends: either of a recorded transaction, to which the bytes add signatures, or
// of one that was made elsewhere.
import { messageHash } from '../../solana/message.ts'
import type { ParsedTransaction } from '../../solana/parse.ts'
import type { Outcome } from '../../contract/call.ts'
import type { SignTransactionInput } from '../../contract/schemas/transaction.ts'
import type { Context } from '../context/platform.ts'
import { adoptForeign, verifiedSignatures, readTransaction } from './foreign.ts'
import { signRecordedTransaction } from './sign-recorded.ts'
import { askOwningCell } from './ask-owning-cell.ts'
import { findSignable, type NamedTransaction } from '../transactions/signing/named.ts'
import { sendRecordedTransaction } from '../transactions/signing/send.ts'
import { transactionsOfMessage } from '../transactions/unique-message.ts'
import type { SignedMembers } from '../../contract/schemas/members.ts'

/** Throws the refusals of `signRecordedTransaction` and `sendRecordedTransaction`, or of `adoptForeign`. */
export async function takeBytes(
  { platform, call }: Context,
  itemData: SignTransactionInput,
  intent: 'sign' | 'submit',
): Promise<Outcome<SignedMembers>> {
  const parsed = readTransaction(itemData.serializedTransaction ?? '')
  const known = recordOf({ platform, call }, parsed)
  const name = { messageHash: messageHash(parsed.message.bytes) }
  const elsewhere =
    known === undefined ? askOwningCell({ platform, call }, name, { operation: intent, itemData }) : undefined
  if (elsewhere !== undefined) return elsewhere
  if (known === undefined) return await adoptForeign({ platform, call }, itemData, parsed, intent)
  const verified = verifiedSignatures(parsed)
  const { id, context } = known.transaction
  if (intent === 'submit' && context.complete) return await sendRecordedTransaction({ platform, call }, id)
  const { signers, signatures, returnSerialized } = itemData
  const pointer = '/itemData/serializedTransaction'
  return await signRecordedTransaction(
    { platform, call },
    {
      offchainId: id,
      verified,
      signers,
      signatures,
      returnSerialized,
      intent,
      pointer,
    },
  )
}

/**
 * undefined also for an earlier message of a transaction that has been rebuilt, and for a transaction that the caller
 * may not sign.
 */
function recordOf(context: Context, { message }: ParsedTransaction): NamedTransaction | undefined {
  const { platform, call } = context
  const hash = messageHash(message.bytes)
  for (const id of transactionsOfMessage(platform.engine, call.cluster, hash)) {
    const named = findSignable(context, id)
    if (named?.transaction.context.fixed.messageHash === hash) return named
  }
  return undefined
}
