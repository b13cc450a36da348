// Finds a transaction for its approvers: by id, within their own tenant, whichever organization owns the transaction.
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import type { Call } from '../../../contract/call.ts'
import type { Context } from '../../context/platform.ts'
import { badRequest } from '../../../contract/refusal.ts'
import { isAnApprover } from '../../lookup/approvers.ts'

/** Throws 400 `TRANSACTION_NOT_FOUND`, whether the transaction does not exist or the key may not see it. */
export function approvableTransaction(context: Context, offchainId: string): RecordState<'transaction'> {
  const { platform, call } = context
  const transaction = ofKind(platform.engine.directory.byId(offchainId)?.committed, 'transaction')
  if (
    transaction !== undefined &&
    transaction.cluster === call.cluster &&
    (isOwn(call, transaction) || mayApprove(context, transaction))
  ) {
    return transaction
  }
  throw badRequest('TRANSACTION_NOT_FOUND', 'no such transaction of this organization', '/itemData/offchainId')
}

/** True if the caller's key is an approver of a limit, a policy or a review that the transaction waits for. */
export function mayApprove(
  { platform, call: { caller, tenant } }: Context,
  transaction: RecordState<'transaction'>,
): boolean {
  const { approval } = transaction.context
  return transaction.tenant === tenant && isAnApprover(platform.engine.directory, caller.keyId, approval)
}

function isOwn(call: Call, { tenant, context }: RecordState<'transaction'>): boolean {
  return tenant === call.tenant && context.fixed.organization === call.organization
}
