// PATCH /batches/cancel: cancels the waiting items; transactions under way continue. PATCH /batches/retry: items that
// provably had no effect wait again.
import type { Outcome } from '../../contract/call.ts'
import { changeRecords } from '../transactions/change-records.ts'
import { requesterOf } from '../transactions/plans/requester.ts'
import type { BatchReference } from '../../contract/schemas/batch.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Context } from '../context/platform.ts'
import type { BatchEvent } from '../../../machines/batch.ts'
import { requireOperationRole } from './operations.ts'
import { command } from '../context/command.ts'
import { batchNamed, type BatchShown, type BatchWrite } from './record.ts'
import { carryOutSweep } from './sweep.ts'
import type { WithId } from '../../contract/schemas/members.ts'

/** Throws 400 `BATCH_NOT_FOUND`, `BATCH_ENDED`, `BATCH_BUSY`. */
export const cancelBatch: BatchWrite<'cancelledBatch'> = async (context, { itemData }, shown = {}) => {
  const { platform } = context
  const at = new Date(platform.clock.now()).toISOString()
  const event = { type: 'command.cancel', because: 'REQUESTED', at } as const
  return await change(context, itemData, { member: 'cancelledBatch', event, shown })
}

/**
 * The items are then made with the rights of the caller of this request. Throws 400 `BATCH_NOT_FOUND`, `BATCH_TOO_OLD`,
 * `NOTHING_TO_RETRY`, `BATCH_BUSY`.
 */
export const retryBatch: BatchWrite<'retriedBatch'> = async (context, { itemData }) => {
  const event = { type: 'command.retry', requester: requesterOf(context.call) } as const
  return await change(context, itemData, { member: 'retriedBatch', event, shown: {} })
}

interface Change<Member extends string> {
  readonly member: Member
  readonly event: BatchEvent
  readonly shown: BatchShown
}

async function change<Member extends string>(
  context: Context,
  { offchainId }: BatchReference,
  { member, event, shown }: Change<Member>,
): Promise<Outcome<WithId<Member>>> {
  const { platform, call } = context
  const { entry, batch } = batchNamed(context, offchainId)
  requireOperationRole(call, batch.context.operation)
  if (entry.place !== 'memory' && batch.context.counts.failed > 0 && event.type === 'command.retry') throw tooOld()
  const outcome = await changeRecords(context, (unit) => {
    command<'batch'>(unit, entry, event)
    return { members: { [member]: { offchainId } } as WithId<Member>, ...shown }
  })
  await carryOutSweep(platform, entry)
  return outcome
}

/** The items of an evicted batch are not in memory, and its record no longer changes. */
function tooOld(): Error {
  return badRequest(
    'BATCH_TOO_OLD',
    'the batch ended too long ago to be retried: create a batch of the items that failed',
    '/itemData/offchainId',
  )
}
