// Finds a transaction for its approvers: by id, within their own tenant, whichever organization owns the transaction.
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import type { Call } from '../../../contract/call.ts'
import type { Context } from '../../context/platform.ts'
import { badRequest } from '../../../contract/refusal.ts'

/** Throws 400 `TRANSACTION_NOT_FOUND`, whether the transaction does not exist or the key may not see it. */
export function approvableTransaction({ platform, call }: Context, offchainId: string): RecordState<'transaction'> {
  const transaction = ofKind(platform.engine.directory.byId(offchainId)?.committed, 'transaction')
  if (
    transaction !== undefined &&
    transaction.cluster === call.cluster &&
    (isOwn(call, transaction) || isApproverOf(call, transaction))
  ) {
    return transaction
  }
  throw badRequest('TRANSACTION_NOT_FOUND', 'no such transaction of this organization', '/itemData/offchainId')
}

/** True if a limit that the transaction exceeds, or a policy that covers it, names the caller's key as an approver. */
export function isApproverOf({ caller, tenant }: Call, transaction: RecordState<'transaction'>): boolean {
  const { approval } = transaction.context
  return (
    transaction.tenant === tenant &&
    approval !== null &&
    approval.entries.some(({ approvers }) => approvers.includes(caller.keyId))
  )
}

function isOwn(call: Call, { tenant, context }: RecordState<'transaction'>): boolean {
  return tenant === call.tenant && context.fixed.organization === call.organization
}
