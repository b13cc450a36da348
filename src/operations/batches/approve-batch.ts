// PATCH /batches/approve, and POST /transactions/approve for the id of a batch: another key approves a whole batch
// that exceeds debit limits or that a policy covers. The last required approval starts the batch. PATCH
// /batches/reject: an approver cancels the batch before it has started.
import { approve } from '../../../machines/approval.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { BatchEvent } from '../../../machines/batch.ts'
import type { Outcome } from '../../contract/call.ts'
import type { BatchReference } from '../../contract/schemas/batch.ts'
import { badRequest, forbidden } from '../../contract/refusal.ts'
import { isGiven } from '../authorization/limits/enforce.ts'
import { checkMayGive, checkNotGiven } from '../authorization/policies/may-give.ts'
import { approverWith, isAnApprover } from '../lookup/approvers.ts'
import type { Context } from '../context/platform.ts'
import { requesterNow } from '../lookup/subjects.ts'
import { changeRecords } from '../transactions/change-records.ts'
import { command } from '../context/command.ts'
import type { BatchShown, BatchWrite, NamedBatch } from './record.ts'
import { carryOutSweep } from './sweep.ts'
import type { WithId } from '../../contract/schemas/members.ts'

const POINTER = '/itemData/offchainId'

/**
 * Throws 400 `BATCH_NOT_FOUND`, `NOT_WAITING_FOR_APPROVAL`, `ALREADY_APPROVED`, `APPROVAL_LAPSED`,
 * `REQUESTER_DISABLED`, `REQUESTER_EXPIRED`, 403 `NOT_AN_APPROVER`, `REQUESTER_CANNOT_APPROVE`, `APPROVALS_SUSPENDED`.
 */
export const approveBatch: BatchWrite<'approvedBatch'> = async (context, { itemData }, shown = {}) => {
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
  const event = (): BatchEvent => {
    // Read in the unit of work, because another approval may have been recorded since the request was checked.
    const { approval: given } = (entry.head as typeof batch).context
    checkNotGiven(keyId, given)
    const next = approve(given, approver, at)
    return { type: 'command.approve', ...approver, complete: next.ok && isGiven(platform, next.value), at }
  }
  return await change(context, entry, { member: 'approvedBatch', event, shown })
}

/** Throws 400 `BATCH_NOT_FOUND`, `NOT_WAITING_FOR_APPROVAL`, `BATCH_BUSY`, 403 `NOT_AN_APPROVER`. */
export const rejectBatch: BatchWrite<'rejectedBatch'> = async (context, { itemData }, shown = {}) => {
  const { platform, call } = context
  const { entry, batch } = approvableBatch(context, itemData)
  if (!isWaiting(batch)) throw notWaiting()
  if (!isAnApprover(platform.engine.directory, call.caller.keyId, batch.context.approval))
    throw forbidden('NOT_AN_APPROVER', 'API key is not an approver of the batch')
  const at = new Date(platform.clock.now()).toISOString()
  const event = (): BatchEvent => ({ type: 'command.cancel', because: 'REJECTED', at })
  const outcome = await change(context, entry, { member: 'rejectedBatch', event, shown })
  await carryOutSweep(platform, entry)
  return outcome
}

interface Change<Member extends string> {
  readonly member: Member
  readonly event: () => BatchEvent
  readonly shown: BatchShown
}

async function change<Member extends string>(
  context: Context,
  entry: Entry,
  { member, event, shown }: Change<Member>,
): Promise<Outcome<WithId<Member>>> {
  return await changeRecords(context, (unit) => {
    unit.openFor(entry.head.tenant)
    command<'batch'>(unit, entry, event())
    return { members: { [member]: { offchainId: entry.head.id } } as WithId<Member>, ...shown }
  })
}

/** A batch of the organization, or of any organization of the tenant if the key may approve it. */
function approvableBatch(context: Context, { offchainId }: BatchReference): NamedBatch {
  const named = findApprovableBatch(context, offchainId)
  if (named === undefined) throw badRequest('BATCH_NOT_FOUND', 'the organization has no batch with this id', POINTER)
  return named
}

export function findApprovableBatch({ platform: { engine }, call }: Context, id: string): NamedBatch | undefined {
  const { directory } = engine
  const entry = directory.byId(id)
  const batch = ofKind(entry?.committed, 'batch')
  if (entry === undefined || batch?.tenant !== call.tenant || batch.cluster !== call.cluster) return undefined
  const { organization, approval } = batch.context
  const isOwn = organization === call.organization
  return isOwn || isAnApprover(directory, call.caller.keyId, approval) ? { entry, batch } : undefined
}

function isWaiting({ value, context }: RecordState<'batch'>): boolean {
  return value === 'prepared' && context.sweep === null
}

function notWaiting(): Error {
  return badRequest('NOT_WAITING_FOR_APPROVAL', 'the batch does not wait for approval', POINTER)
}
