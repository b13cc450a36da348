// PATCH /batches/approve: another key approves a whole batch that exceeds debit limits or that a policy covers. The
// last required approval starts the batch. PATCH /batches/reject: an approver cancels the batch before it has started.
import { approve } from '../../../machines/approval.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { BatchEvent } from '../../../machines/batch.ts'
import type { Outcome } from '../../contract/call.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { BatchReference } from '../../contract/schemas/batch.ts'
import { badRequest, forbidden } from '../../contract/refusal.ts'
import { isGiven } from '../authorization/limits/enforce.ts'
import { checkMayGive, checkNotGiven } from '../authorization/policies/may-give.ts'
import { approverWith, isAnApprover } from '../lookup/approvers.ts'
import type { Write, Context } from '../context/platform.ts'
import { requesterNow } from '../lookup/subjects.ts'
import { changeRecords } from '../transactions/change-records.ts'
import { command } from '../context/command.ts'
import type { NamedBatch } from './record.ts'
import { carryOutSweep } from './sweep.ts'
import type { WithId } from '../../contract/schemas/members.ts'

const POINTER = '/itemData/offchainId'

/**
 * Throws 400 `BATCH_NOT_FOUND`, `NOT_WAITING_FOR_APPROVAL`, `ALREADY_APPROVED`, `APPROVAL_LAPSED`,
 * `REQUESTER_DISABLED`, `REQUESTER_EXPIRED`, 403 `NOT_AN_APPROVER`, `REQUESTER_CANNOT_APPROVE`, `APPROVALS_SUSPENDED`.
 */
export const approveBatch: Write<ItemBody<BatchReference>, WithId<'approvedBatch'>> = async (context, { itemData }) => {
  const { platform, call } = context
  const { keyId } = call.caller
  const { entry, batch } = approvableBatch(context, itemData)
  const { approval } = batch.context
  checkNotGiven(keyId, approval)
  if (approval === null || !isWaiting(batch)) throw notWaiting()
  checkMayGive(platform, keyId, approval)
  const { requester, organization } = batch.context
  requesterNow(platform, { tenant: batch.tenant, organization, keyId: requester.keyId })
  const at = new Date(platform.clock.now()).toISOString()
  const approver = approverWith(platform.engine.directory, keyId)
  return await change(context, entry, 'approvedBatch', () => {
    // Read in the unit of work, because another approval may have been recorded since the request was checked.
    const next = approve((entry.head as typeof batch).context.approval, approver, at)
    return { type: 'command.approve', ...approver, complete: next.ok && isGiven(platform, next.value), at }
  })
}

/** Throws 400 `BATCH_NOT_FOUND`, `NOT_WAITING_FOR_APPROVAL`, `BATCH_BUSY`, 403 `NOT_AN_APPROVER`. */
export const rejectBatch: Write<ItemBody<BatchReference>, WithId<'rejectedBatch'>> = async (context, { itemData }) => {
  const { platform, call } = context
  const { entry, batch } = approvableBatch(context, itemData)
  if (!isWaiting(batch)) throw notWaiting()
  if (!isAnApprover(platform.engine.directory, call.caller.keyId, batch.context.approval))
    throw forbidden('NOT_AN_APPROVER', 'API key is not an approver of the batch')
  const at = new Date(platform.clock.now()).toISOString()
  const outcome = await change(context, entry, 'rejectedBatch', () => ({
    type: 'command.cancel',
    because: 'REJECTED',
    at,
  }))
  await carryOutSweep(platform, entry)
  return outcome
}

async function change<Member extends string>(
  context: Context,
  entry: Entry,
  member: Member,
  event: () => BatchEvent,
): Promise<Outcome<WithId<Member>>> {
  return await changeRecords(context, (unit) => {
    unit.openFor(entry.head.tenant)
    command<'batch'>(unit, entry, event())
    return { members: { [member]: { offchainId: entry.head.id } } as WithId<Member> }
  })
}

/** A batch of the organization, or of any organization of the tenant if the key may approve it. */
function approvableBatch({ platform: { engine }, call }: Context, { offchainId }: BatchReference): NamedBatch {
  const { directory } = engine
  const entry = directory.byId(offchainId)
  const batch = ofKind(entry?.committed, 'batch')
  const isOfTenant = batch?.tenant === call.tenant && batch.cluster === call.cluster
  if (
    entry === undefined ||
    batch === undefined ||
    !isOfTenant ||
    !(
      batch.context.organization === call.organization ||
      isAnApprover(directory, call.caller.keyId, batch.context.approval)
    )
  )
    throw badRequest('BATCH_NOT_FOUND', 'the organization has no batch with this id', POINTER)
  return { entry, batch }
}

function isWaiting({ value, context }: RecordState<'batch'>): boolean {
  return value === 'prepared' && context.sweep === null
}

function notWaiting(): Error {
  return badRequest('NOT_WAITING_FOR_APPROVAL', 'the batch does not wait for approval', POINTER)
}
