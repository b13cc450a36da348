// PATCH /transactions/cancel: cancels at once while no signature of this service exists or has left it; otherwise the
// cancellation is recorded and takes effect when it is proven that the transaction cannot land. Under a durable nonce
// an advance of the nonce provides the proof. The id of a batch cancels its waiting items.
import { sendWithConsequences } from '../../engine/settlement/settlement.ts'
import type { Outcome } from '../../contract/call.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import type { CancelTransactionInput } from '../../contract/schemas/transaction.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import { cancellation, leaseOf, voidByAdvance, voidsAnother } from '../transactions/nonces/void.ts'
import { approvableTransaction, mayApprove } from '../authorization/limits/approvable.ts'
import type { Write, Context } from '../context/platform.ts'
import { checkNotEnded } from '../transactions/ended.ts'
import { badRequest, forbidden } from '../../contract/refusal.ts'
import type { NamedTransaction } from '../transactions/signing/named.ts'
import { transactionOf } from '../transactions/submit.ts'
import { findApprovableBatch, rejectBatch } from '../batches/approve-batch.ts'
import { cancelBatch } from '../batches/change-batch.ts'
import { isAnApprover } from '../lookup/approvers.ts'
import { clusterOf } from '../transactions/transact.ts'

/**
 * The caller's own transaction, or one that the caller's key may approve. Throws 403 `ROLE_REQUIRED` for an approver
 * key on any other transaction.
 */
function cancellable(context: Context, offchainId: string): NamedTransaction {
  const { platform, call } = context
  const transaction = approvableTransaction(context, offchainId)
  const entry = platform.engine.directory.byId(transaction.id)
  if (entry === undefined) throw new Error(`transaction ${transaction.id} is missing`)
  const { roles } = call.caller
  if (roles.has('DEBIT_LIMIT_APPROVE') && !roles.has('TRANSACTIONS_WRITE') && !mayApprove(context, transaction))
    throw forbidden(
      'ROLE_REQUIRED',
      'role TRANSACTIONS_WRITE is required to cancel a transaction that this key may not approve',
    )
  return { entry, transaction }
}

/**
 * Undefined: the id is not of a batch that the caller may cancel or reject. The organization of the batch cancels it
 * with the role of its operation; an approver rejects it while it waits for approval.
 */
async function cancelledBatch(context: Context, input: ItemBody<CancelTransactionInput>): Promise<Outcome | undefined> {
  const { platform, call } = context
  const batch = findApprovableBatch(context, input.itemData.offchainId)?.batch
  if (batch === undefined) return undefined
  const { organization, approval } = batch.context
  const rejects =
    call.caller.roles.has('DEBIT_LIMIT_APPROVE') && isAnApprover(platform.engine.directory, call.caller.keyId, approval)
  if (organization === call.organization && !(rejects && batch.value === 'prepared'))
    return await cancelBatch(context, input, { batch: batch.id })
  return rejects ? await rejectBatch(context, input, { batch: batch.id }) : undefined
}

export const cancelTransaction: Write<ItemBody<CancelTransactionInput>> = async (context, input) => {
  const ofBatch = await cancelledBatch(context, input)
  if (ofBatch !== undefined) return ofBatch
  const { platform, call } = context
  const { offchainId } = input.itemData
  const at = new Date(platform.clock.now()).toISOString()
  const outcome: Outcome = { members: {}, transactions: [offchainId], shape: 'bare', awaited: 'signed' }
  const { entry, transaction } = cancellable(context, offchainId)
  if (voidsAnother(platform, transaction)) {
    // If the advance were recalled, the end of neither transaction could be proven.
    throw badRequest(
      'VOIDS_ANOTHER',
      'the transaction advances a nonce to void another one and cannot be cancelled',
      '/itemData/offchainId',
    )
  }
  const nonce = leaseOf(platform, transaction)
  const voided = nonce === undefined ? undefined : await voidByAdvance(context, entry, nonce)
  if (voided !== undefined) return voided
  checkNotEnded(transactionOf(entry), '/itemData/offchainId')
  const { result: event, durable } = platform.engine.transact((unit) => {
    const ending = cancellation(platform, entry, at)
    sendWithConsequences(platform.engine, unit, entry, { event: ending, at })
    rememberOutcome(call, unit, outcome)
    return ending.type
  })
  await durable
  if (event === 'command.withdraw') {
    clusterOf(context).recall(offchainId)
    clusterOf(context).checkNow(offchainId)
  }
  // The submission lane would otherwise report an expiry to a transaction that has ended.
  if (transactionOf(entry).context.finalAt !== null) clusterOf(context).forget(offchainId)
  return outcome
}
