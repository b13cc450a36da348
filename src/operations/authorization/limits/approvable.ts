// A transaction as its approvers find it: by its id, in their own tenant, whichever organization of it wants the transaction.
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import type { Call } from '../../../contract/call.ts'
import type { Platform } from '../../context/platform.ts'
import { badRequest } from '../../../contract/refusal.ts'

/** Throws 400 `TRANSACTION_NOT_FOUND`: not there, and not for this key to see, are one answer. */
export function approvableTransaction(platform: Platform, call: Call, offchainId: string): RecordState<'transaction'> {
  const transaction = ofKind(platform.engine.directory.byId(offchainId)?.committed, 'transaction')
  if (transaction !== undefined && transaction.cluster === call.cluster && (isOwn(call, transaction) || isApproverOf(call, transaction))) {
    return transaction
  }
  throw badRequest('TRANSACTION_NOT_FOUND', 'no such transaction of this organization', '/itemData/offchainId')
}

/** A key that a limit it exceeds names as an approver. */
export function isApproverOf({ caller, tenant }: Call, transaction: RecordState<'transaction'>): boolean {
  const { approval } = transaction.context
  return transaction.tenant === tenant && approval !== null && approval.entries.some(({ approvers }) => approvers.includes(caller.keyId))
}

function isOwn(call: Call, { tenant, context }: RecordState<'transaction'>): boolean {
  return tenant === call.tenant && context.fixed.organization === call.organization
}
