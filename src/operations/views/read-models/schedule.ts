// Read models of schedules and their occurrences.
import type { OccurrenceState } from '../../../../machines/occurrence.ts'
import type { ScheduleState } from '../../../../machines/schedule.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import type { Platform } from '../../context/platform.ts'
import { carrierOf } from './batch.ts'
import { shownObject } from './item-data.ts'
import type { OccurrenceModel, ScheduleModel } from '../../../contract/schemas/schedule.ts'

export const SCHEDULE_STATUS: Readonly<Record<ScheduleState, ScheduleModel['status']>> = {
  active: 'ACTIVE',
  paused: 'PAUSED',
  ended: 'ENDED',
  cancelled: 'CANCELLED',
}

export const OCCURRENCE_STATUS: Readonly<Record<OccurrenceState, OccurrenceModel['status']>> = {
  underWay: 'UNDER_WAY',
  done: 'DONE',
  failed: 'FAILED',
  missed: 'MISSED',
}

export function scheduleModel({ id, value, context }: RecordState<'schedule'>): ScheduleModel {
  const { operation, data, itemReference, externalReference, startAt, every, at, endAt, maxRuns, onMissed, next } =
    context
  const {
    runs,
    missed,
    failuresInARow,
    lastProblem,
    lastRunAt,
    pausedBecause,
    requester,
    organization,
    createdAt,
    endedAt,
  } = context
  return {
    offchainId: id,
    status: SCHEDULE_STATUS[value as ScheduleState],
    operation,
    itemData: {
      ...shownObject(data),
      ...(itemReference === null ? {} : { externalReference: itemReference }),
    },
    externalReference,
    startAt,
    ...(every === null ? {} : { every: { ...every } }),
    ...(at === null
      ? {}
      : { at: { ...(at.dayOfMonth === null ? {} : { dayOfMonth: at.dayOfMonth }), time: at.time, zone: at.zone } }),
    endAt,
    maxRuns,
    onMissed,
    nextNumber: next?.number ?? null,
    nextAt: value === 'active' ? (next?.at ?? null) : null,
    runsCount: runs,
    missedCount: missed,
    failuresInARow,
    lastRunAt,
    ...(lastProblem === null ? {} : { errorCode: lastProblem.code, errorMessage: lastProblem.message }),
    ...(pausedBecause === null ? {} : { pausedBecause }),
    createdBy: requester.keyId,
    tenantOrganizationId: organization,
    createdAt,
    endedAt,
  }
}

export function occurrenceModel(
  platform: Platform,
  { id, value, context }: RecordState<'occurrence'>,
): OccurrenceModel {
  const { scheduleId, number, dueAt, missedUntil, transactionId, members, problem, organization, startedAt, endedAt } =
    context
  return {
    offchainId: id,
    scheduleOffchainId: scheduleId,
    number,
    dueAt,
    ...(missedUntil === null ? {} : { missedUntil: { ...missedUntil } }),
    status: OCCURRENCE_STATUS[value as OccurrenceState],
    chainTransaction: transactionId === null ? null : carrierOf(platform, transactionId),
    ...(members as Pick<OccurrenceModel, 'newAccount' | 'newPosition'> | null),
    ...(problem === null ? {} : { errorCode: problem.code, errorMessage: problem.message }),
    tenantOrganizationId: organization,
    startedAt,
    endedAt,
  }
}
