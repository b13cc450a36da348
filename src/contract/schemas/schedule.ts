// Schemas of schedules: an operation at planned instants, and its occurrences.
import { z } from 'zod'
import { BATCH_OPERATIONS, type BatchOperation } from '../../../machines/batch.ts'
import { ON_MISSED } from '../../../machines/schedule.ts'
import { isZone } from '../../time/zone.ts'
import { ids } from './answers.ts'
import { chainTransactionConfig, tenancyConfig } from '../values/chain-config.ts'
import { externalReference, withExternalReference } from '../values/external-reference.ts'
import { uuid } from '../values/identity.ts'
import { accountToCreate } from './new-account.ts'
import { membersOfAny } from '../values/of-operation.ts'
import * as positions from './position.ts'
import { acrossMembers, exactlyOne, rule } from '../values/rule.ts'
import { name, timestamp } from '../values/text.ts'
import type { ModelOf, OutputOf } from '../values/validated.ts'

const MAX_UNITS = 1_000_000
const MAX_RUNS = 1_000_000

const every = z
  .strictObject({
    code: z.enum(['MINUTES', 'HOURS', 'DAYS', 'WEEKS']),
    unit: z.int().min(1).max(MAX_UNITS),
  })
  .meta({ id: 'ScheduleInterval', description: 'A fixed interval; a day has 24 hours.' })

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

const at = z
  .strictObject({
    dayOfMonth: z
      .int()
      .min(1)
      .max(31)
      .optional()
      .meta({ description: '1 to 31; in a shorter month its last day. Absent: every day.' }),
    time: z
      .string()
      .check(
        rule((time) =>
          TIME.test(time) ? undefined : { code: 'INVALID_FORMAT', message: 'must be `HH:MM`, such as 09:00' },
        ),
      )
      .meta({ description: 'Local time, `HH:MM`.', examples: ['09:00'], pattern: TIME.source }),
    zone: name
      .check(
        rule((zone) => (isZone(zone) ? undefined : { code: 'UNKNOWN_ZONE', message: 'must be an IANA time zone' })),
      )
      .meta({ description: 'IANA time zone.', examples: ['Europe/Berlin'] }),
  })
  .meta({
    id: 'ScheduleCalendar',
    description:
      'A local time of a zone. If clocks skip it, the occurrence is at the end of the gap; if they show it twice, at the first.',
  })

interface Times {
  readonly startAt?: unknown
  readonly endAt?: unknown
}

const endsAfterStart = acrossMembers(({ startAt, endAt }: Times) =>
  typeof startAt === 'string' && typeof endAt === 'string' && Date.parse(endAt) < Date.parse(startAt)
    ? { code: 'INVALID_VALUE', message: 'must not be before `startAt`', path: ['endAt'] }
    : undefined,
)

const members = {
  startAt: timestamp.meta({
    description:
      'No occurrence is earlier. The first one of an interval; occurrences before the creation are not made.',
  }),
  every: every.optional(),
  at: at.optional(),
  endAt: timestamp.optional().meta({ description: 'No occurrence is later. Absent: no end.' }),
  maxRuns: z
    .int()
    .min(1)
    .max(MAX_RUNS)
    .optional()
    .meta({ description: 'Occurrences attempted at most. Absent: no bound.' }),
  onMissed: z.enum(ON_MISSED).optional().meta({
    default: 'RUN_ONCE',
    description:
      'What happens after occurrences were due while nothing could be made: RUN_ONCE makes the latest one now, SKIP waits for the next.',
  }),
  externalReference: externalReference.optional(),
}

function scheduleOf<Operation extends BatchOperation, Item extends z.ZodType>(operation: Operation, item: Item) {
  return z
    .strictObject({ operation: z.enum([operation]), itemData: withExternalReference(item), ...members })
    .check(exactlyOne(['every', 'at']))
    .check(endsAfterStart)
}

const newSchedule = z
  .discriminatedUnion('operation', [
    scheduleOf('TRANSFER', positions.transfer),
    scheduleOf('TRANSFER_NETWORK_CURRENCY', positions.transferNetworkCurrency),
    scheduleOf('MINT', positions.mint),
    scheduleOf('BURN', positions.burn),
    scheduleOf('FREEZE', positions.switchPosition),
    scheduleOf('UNFREEZE', positions.switchPosition),
    scheduleOf('CREATE_ACCOUNT', accountToCreate),
    scheduleOf('INITIALIZE_POSITION', positions.newPosition),
  ])
  .check(
    membersOfAny(
      BATCH_OPERATIONS,
      z
        .strictObject({ operation: z.unknown().optional(), itemData: z.looseObject({}), ...members })
        .check(exactlyOne(['every', 'at']))
        .check(endsAfterStart),
    ),
  )
  .meta({
    id: 'NewSchedule',
    description: 'The `itemData` of the operation has neither an idempotencyId nor a private key.',
  })
export type NewScheduleInput = OutputOf<typeof newSchedule>

export const newScheduleBody = z.strictObject({
  itemData: newSchedule,
  chainTransactionConfig: chainTransactionConfig.optional(),
  tenancyConfig: tenancyConfig.optional(),
})

export const scheduleReference = z.strictObject({ offchainId: uuid }).meta({ id: 'ScheduleReference' })
export type ScheduleReference = OutputOf<typeof scheduleReference>

const text = z.string().nullable()
const time = z.iso.datetime().nullable()
const id = z.object({ offchainId: z.uuid() })

export const createdSchedule = z.object({ newSchedule: id })
export const pausedSchedule = z.object({ pausedSchedule: id })
export const resumedSchedule = z.object({ resumedSchedule: id })
export const cancelledSchedule = z.object({ cancelledSchedule: id })

export const schedule = z
  .object({
    offchainId: z.uuid(),
    status: z.enum(['ACTIVE', 'PAUSED', 'ENDED', 'CANCELLED']),
    operation: z.enum(BATCH_OPERATIONS),
    itemData: z.looseObject({}),
    externalReference: text,
    startAt: z.iso.datetime(),
    every: every.optional(),
    at: at.optional(),
    endAt: time,
    maxRuns: z.int().nullable(),
    onMissed: z.enum(ON_MISSED),
    nextNumber: z.int().nullable(),
    nextAt: time,
    runsCount: z.int(),
    missedCount: z.int(),
    failuresInARow: z.int(),
    lastRunAt: time,
    errorCode: z.string().optional(),
    errorMessage: z.string().optional(),
    pausedBecause: z.enum(['REQUESTED', 'FAILURES']).optional(),
    createdBy: z.string(),
    tenantOrganizationId: z.string(),
    createdAt: z.iso.datetime(),
    endedAt: time,
  })
  .meta({ id: 'Schedule' })
export type ScheduleModel = ModelOf<typeof schedule>

export const occurrence = z
  .object({
    offchainId: z.uuid(),
    scheduleOffchainId: z.uuid(),
    number: z.int(),
    dueAt: z.iso.datetime(),
    missedUntil: z.object({ number: z.int(), dueAt: z.iso.datetime() }).optional(),
    status: z.enum(['UNDER_WAY', 'DONE', 'FAILED', 'MISSED']),
    chainTransaction: z.object({ offchainId: z.uuid(), onchainId: text, status: text }).nullable(),
    newAccount: ids.optional(),
    newPosition: ids.optional(),
    errorCode: z.string().optional(),
    errorMessage: z.string().optional(),
    tenantOrganizationId: z.string(),
    startedAt: z.iso.datetime(),
    endedAt: time,
  })
  .meta({ id: 'ScheduleOccurrence' })
export type OccurrenceModel = ModelOf<typeof occurrence>
