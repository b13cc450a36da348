// PATCH /schedules/pause, /resume, /cancel. Occurrences that are under way are not affected.
import type { RecordState } from '../../engine/records/record.ts'
import type { ScheduleEvent } from '../../../machines/schedule.ts'
import type { Outcome } from '../../contract/call.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { ScheduleReference } from '../../contract/schemas/schedule.ts'
import { requireOperationRole } from '../batches/operations.ts'
import type { Write, Context } from '../context/platform.ts'
import { changeRecords } from '../transactions/change-records.ts'
import { plannedFrom } from './recurrence.ts'
import { command } from '../context/command.ts'
import { scheduleNamed } from './record.ts'
import type { WithId } from '../../contract/schemas/members.ts'

/** Throws 400 `SCHEDULE_NOT_FOUND`, `NOT_ACTIVE`. */
export const pauseSchedule: Write<ItemBody<ScheduleReference>, WithId<'pausedSchedule'>> = async (
  context,
  { itemData },
) => await change(context, itemData, 'pausedSchedule', () => ({ type: 'command.pause' }))

/** Continues with the first occurrence from now on. Throws 400 `SCHEDULE_NOT_FOUND`, `NOT_PAUSED`. */
export const resumeSchedule: Write<ItemBody<ScheduleReference>, WithId<'resumedSchedule'>> = async (
  { platform, call },
  { itemData },
) =>
  await change({ platform, call }, itemData, 'resumedSchedule', ({ context }, now) => ({
    type: 'command.resume',
    next: plannedFrom(context, context.next?.number ?? 1, now),
    at: new Date(now).toISOString(),
  }))

/** Throws 400 `SCHEDULE_NOT_FOUND`, `SCHEDULE_ENDED`. */
export const cancelSchedule: Write<ItemBody<ScheduleReference>, WithId<'cancelledSchedule'>> = async (
  context,
  { itemData },
) =>
  await change(context, itemData, 'cancelledSchedule', (_, now) => ({
    type: 'command.cancel',
    at: new Date(now).toISOString(),
  }))

async function change<Member extends string>(
  context: Context,
  { offchainId }: ScheduleReference,
  member: Member,
  eventOf: (schedule: RecordState<'schedule'>, now: number) => ScheduleEvent,
): Promise<Outcome<WithId<Member>>> {
  const { platform, call } = context
  const { entry, schedule } = scheduleNamed(context, offchainId)
  requireOperationRole(call, schedule.context.operation)
  return await changeRecords(context, (unit) => {
    command<'schedule'>(unit, entry, eventOf(entry.head as RecordState<'schedule'>, platform.clock.now()))
    return { members: { [member]: { offchainId } } as WithId<Member> }
  })
}
