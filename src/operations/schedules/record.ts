// Finds the records of schedules, and sends events to them.
import type { ScheduleEvent } from '../../../machines/schedule.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Context } from '../context/platform.ts'

export interface NamedSchedule {
  readonly entry: Entry
  readonly schedule: RecordState<'schedule'>
}

/** A schedule of the organization and cluster of the request. Throws 400 `SCHEDULE_NOT_FOUND`. */
export function scheduleNamed(
  { platform: { engine }, call: { tenant, organization, cluster } }: Context,
  offchainId: string,
): NamedSchedule {
  const entry = engine.directory.byId(offchainId)
  const schedule = ofKind(entry?.committed, 'schedule')
  const isOwn =
    schedule?.tenant === tenant && schedule.cluster === cluster && schedule.context.organization === organization
  if (entry !== undefined && schedule !== undefined && isOwn) return { entry, schedule }
  throw badRequest('SCHEDULE_NOT_FOUND', 'the organization has no schedule with this id', '/itemData/offchainId')
}

export function sendToSchedule(unit: UnitOfWork, entry: Entry, event: ScheduleEvent): void {
  unit.send<'schedule'>(entry, event)
}
