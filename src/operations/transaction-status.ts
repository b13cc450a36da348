// POST /transactions/status and /transactions/single: by the record's id or by the signature.
import { ofKind, type RecordState } from '../engine/record.ts'
import type { Call } from './call.ts'
import type { ItemBody, TransactionReference } from './input.ts'
import type { Platform, Read } from './platform.ts'
import { resultOf } from './read-models/transaction.ts'
import { badRequest } from './refusal.ts'
import { maySeeTransaction } from './signing/named.ts'

export const transactionStatus: Read<ItemBody<TransactionReference>> = (platform, call, { itemData }) =>
  resultOf(transactionNamed(platform, call, itemData, '/itemData'))

/** A transaction of the caller's organization, or one that needs a key of it. Throws 400 `TRANSACTION_NOT_FOUND`, `LOOKUP_MISMATCH`. */
export function transactionNamed(
  platform: Platform,
  call: Call,
  reference: TransactionReference,
  pointer: string,
): RecordState<'transaction'> {
  const { directory } = platform.engine
  const { offchainId, onchainId } = reference
  const byId = offchainId === undefined ? undefined : directory.byId(offchainId)
  const bySignature = onchainId === undefined ? undefined : directory.bySignature(call.cluster, onchainId)
  if (offchainId !== undefined && onchainId !== undefined && byId !== bySignature) {
    throw badRequest('LOOKUP_MISMATCH', 'offchainId and onchainId name different transactions', pointer)
  }
  const state = ofKind((byId ?? bySignature)?.committed, 'transaction')
  if (state === undefined || state.cluster !== call.cluster || !maySeeTransaction(platform, call, state)) {
    throw badRequest('TRANSACTION_NOT_FOUND', 'no such transaction of this organization', pointer)
  }
  return state
}
