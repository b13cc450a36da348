// POST /transactions/approve: another key approves a transaction or batch that exceeds debit limits or that a policy
// covers. After the last required approval the transaction proceeds with the rights of its requester, and
// every other check is made again.
import type { RecordState } from '../../engine/records/record.ts'
import { requesterNow } from '../lookup/subjects.ts'
import type { Call, Caller } from '../../contract/call.ts'
import type { ApproveTransactionInput } from '../../contract/schemas/transaction.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import { approvableTransaction } from '../authorization/limits/approvable.ts'
import { approveBatch, findApprovableBatch } from '../batches/approve-batch.ts'
import { checkMayGive, checkNotGiven } from '../authorization/policies/may-give.ts'
import type { Write, Context } from '../context/platform.ts'
import { runAttempts } from '../transactions/attempt.ts'
import { checkNotEnded } from '../transactions/ended.ts'
import { badRequest } from '../../contract/refusal.ts'
import { signRecordedTransaction } from './sign-recorded.ts'

/**
 * Throws 400 `TRANSACTION_NOT_FOUND`, `NOT_WAITING_FOR_APPROVAL`, `ALREADY_APPROVED`, `ENDED`, 403 `NOT_AN_APPROVER`,
 * `REQUESTER_CANNOT_APPROVE`, `APPROVALS_SUSPENDED`, and the refusals of `signRecordedTransaction` and `approveBatch`.
 */
export const approveTransaction: Write<ItemBody<ApproveTransactionInput>> = async (context, input) => {
  const { platform, call } = context
  const { offchainId } = input.itemData
  const batch = findApprovableBatch(context, offchainId)?.batch.id
  if (batch !== undefined) return await approveBatch(context, input, { batch })
  const transaction = approvableTransaction(context, offchainId)
  checkMayApprove(context, transaction)
  const request = { offchainId, approver: call, intent: 'sign', pointer: '/itemData' } as const
  return await runAttempts(
    platform,
    call,
    () => signRecordedTransaction({ platform, call: asRequester(context, transaction) }, request),
    {
      funds: true,
    },
  )
}

function checkMayApprove({ platform, call }: Context, transaction: RecordState<'transaction'>): void {
  const { approval } = transaction.context
  if (approval === null)
    throw badRequest('NOT_WAITING_FOR_APPROVAL', 'the transaction does not wait for approval', '/itemData/offchainId')
  const { keyId } = call.caller
  checkNotGiven(keyId, approval)
  checkNotEnded(transaction, '/itemData/offchainId')
  checkMayGive(platform, keyId, approval)
}

/**
 * The call of the original requester: its organization and key decide what may be signed. Throws 400
 * `REQUESTER_DISABLED`, `REQUESTER_EXPIRED`.
 */
function asRequester({ platform, call }: Context, { tenant, context }: RecordState<'transaction'>): Call {
  const { organization, requestedBy } = context.fixed
  const key = requesterNow(platform, { tenant, organization, keyId: requestedBy })
  const caller: Caller = {
    keyId: requestedBy,
    organization,
    tenant,
    system: false,
    roles: new Set(key?.context.roles),
    clusters: null,
  }
  return { ...call, caller, organization, tenant, idempotency: null }
}
