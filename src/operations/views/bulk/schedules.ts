// Fields of bulk queries over schedules and their occurrences.
import { BATCH_OPERATIONS } from '../../../../machines/batch.ts'
import type { OccurrenceState } from '../../../../machines/occurrence.ts'
import type { ScheduleState } from '../../../../machines/schedule.ts'
import type { Resource } from '../../../engine/query/field.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import { OCCURRENCE_STATUS, SCHEDULE_STATUS } from '../read-models/schedule.ts'
import { ownRecords } from './own-records.ts'
import { shortRows } from './short-rows.ts'

/** The list rows of schedules that an earlier release evicted have no start. */
interface Listed {
  readonly context: { readonly startAt?: string }
}

export const SCHEDULES: Resource<RecordState<'schedule'>> = {
  fields: [
    { name: 'offchainId', type: 'OFFCHAIN_ID', read: ({ id }) => id },
    { name: 'operation', type: 'TEXT', values: BATCH_OPERATIONS, read: ({ context }) => context.operation },
    {
      name: 'status',
      type: 'TEXT',
      values: Object.values(SCHEDULE_STATUS),
      read: ({ value }) => SCHEDULE_STATUS[value as ScheduleState],
    },
    { name: 'externalReference', type: 'TEXT', nullable: true, read: ({ context }) => context.externalReference },
    {
      name: 'startAt',
      type: 'TIMESTAMP',
      nullable: true,
      nullWhereHidden: true,
      read: ({ context }: Listed) => context.startAt ?? null,
    },
    {
      name: 'nextAt',
      type: 'TIMESTAMP',
      nullable: true,
      read: ({ value, context }) => (value === 'active' ? (context.next?.at ?? null) : null),
    },
    { name: 'runsCount', type: 'NUMBER', read: ({ context }) => context.runs },
    { name: 'missedCount', type: 'NUMBER', read: ({ context }) => context.missed },
    { name: 'errorCode', type: 'TEXT', nullable: true, read: ({ context }) => context.lastProblem?.code ?? null },
    { name: 'createdAt', type: 'TIMESTAMP', read: ({ context }) => context.createdAt },
    { name: 'endedAt', type: 'TIMESTAMP', nullable: true, read: ({ context }) => context.endedAt },
  ],
  defaultSort: [{ fieldName: 'createdAt', sortDirection: 'DESC' }],
  id: ({ id }) => id,
}

export const OCCURRENCES: Resource<RecordState<'occurrence'>> = {
  fields: [
    { name: 'offchainId', type: 'OFFCHAIN_ID', read: ({ id }) => id },
    { name: 'scheduleOffchainId', type: 'OFFCHAIN_ID', read: ({ context }) => context.scheduleId },
    { name: 'number', type: 'NUMBER', read: ({ context }) => context.number },
    { name: 'dueAt', type: 'TIMESTAMP', read: ({ context }) => context.dueAt },
    {
      name: 'status',
      type: 'TEXT',
      values: Object.values(OCCURRENCE_STATUS),
      read: ({ value }) => OCCURRENCE_STATUS[value as OccurrenceState],
    },
    {
      name: 'transactionOffchainId',
      type: 'OFFCHAIN_ID',
      nullable: true,
      read: ({ context }) => context.transactionId,
    },
    { name: 'errorCode', type: 'TEXT', nullable: true, read: ({ context }) => context.problem?.code ?? null },
    { name: 'endedAt', type: 'TIMESTAMP', nullable: true, read: ({ context }) => context.endedAt },
  ],
  defaultSort: [
    { fieldName: 'scheduleOffchainId', sortDirection: 'ASC' },
    { fieldName: 'number', sortDirection: 'ASC' },
  ],
  id: ({ id }) => id,
}

export const SCHEDULE_SOURCE = ownRecords(
  'schedule',
  SCHEDULES,
  shortRows('schedule', 'createdAt', [
    'operation',
    'externalReference',
    'startAt',
    'next',
    'runs',
    'missed',
    'lastProblem',
    'createdAt',
    'endedAt',
  ]),
)

export const OCCURRENCE_SOURCE = ownRecords(
  'occurrence',
  OCCURRENCES,
  shortRows('occurrence', 'dueAt', ['scheduleId', 'number', 'dueAt', 'transactionId', 'problem', 'endedAt']),
)
