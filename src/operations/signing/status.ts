// POST /transactions/status: looks up a transaction by record id or signature; the lookup also serves
// /transactions/single and /explain.
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { TransactionReference } from '../../contract/schemas/transaction.ts'
import type { Read, Context } from '../context/platform.ts'
import { resultOf, seenByTenant } from '../views/read-models/transaction.ts'
import { badRequest } from '../../contract/refusal.ts'
import { requestOfOtherCell, type RequestName } from '../lookup/requests-of-other-cells.ts'
import { maySeeTransaction } from '../transactions/signing/named.ts'
import type { TransactionResultModel } from '../../contract/schemas/answers.ts'

export const transactionStatus: Read<ItemBody<TransactionReference>, TransactionResultModel> = (
  context,
  { itemData },
) => resultOf(seenByTenant(context.call, transactionNamed(context, itemData, '/itemData')))

/**
 * A transaction that the caller may read (`maySeeTransaction`). Throws 400 `TRANSACTION_NOT_FOUND`,
 * `LOOKUP_MISMATCH`.
 */
export function transactionNamed(
  context: Context,
  reference: TransactionReference,
  pointer: string,
): RecordState<'transaction'> {
  const { platform, call } = context
  const { directory } = platform.engine
  const { offchainId, onchainId } = reference
  // A transaction of another tenant counts as not found: otherwise a signature seen on chain would reveal that it was
  // made here.
  const visible = (entry: Entry | undefined): RecordState<'transaction'> | undefined => {
    const state = ofKind(entry?.committed, 'transaction')
    return state?.cluster === call.cluster && maySeeTransaction(context, state) ? state : undefined
  }
  // The directory may also hold a cold record of another cell, in the state in which it was first read.
  const resolve = (entry: Entry | undefined, name: RequestName): RecordState<'transaction'> | undefined =>
    entry !== undefined && platform.engine.owns(entry.head.tenant)
      ? visible(entry)
      : (requestOfOtherCell(context, name) ?? visible(entry))
  const byId = offchainId === undefined ? undefined : resolve(directory.byId(offchainId), { id: offchainId })
  const bySignature =
    onchainId === undefined
      ? undefined
      : resolve(directory.bySignature(call.cluster, onchainId), { signature: onchainId })
  if (offchainId !== undefined && onchainId !== undefined && byId?.id !== bySignature?.id) {
    throw badRequest('LOOKUP_MISMATCH', 'offchainId and onchainId refer to different transactions', pointer)
  }
  const state = byId ?? bySignature
  if (state === undefined)
    throw badRequest('TRANSACTION_NOT_FOUND', 'no such transaction of this organization', pointer)
  return state
}
