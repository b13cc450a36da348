// POST /schedules: the item data is checked as the operation itself checks a body, and its amounts as far as they are
// certain. Rights, limits and balances are evaluated at each occurrence.
import { openSchedulesKey } from '../../engine/index/index-keys.ts'
import type { ScheduleContext } from '../../../machines/schedule.ts'
import type { JsonObject } from '../../contract/call.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import { badRequest, Refusal } from '../../contract/refusal.ts'
import { requireOperationRole } from '../batches/operations.ts'
import { unstorableMembers } from '../batches/unstorable.ts'
import type { Write } from '../context/platform.ts'
import { requireRoom } from '../context/room.ts'
import { changeRecords } from '../transactions/change-records.ts'
import { requesterOf } from '../transactions/plans/requester.ts'
import type { NewScheduleInput } from '../../contract/schemas/schedule.ts'
import { checkItemAmounts } from './item-amounts.ts'
import { plannedFrom, type Recurrence } from './recurrence.ts'
import type { WithId } from '../../contract/schemas/members.ts'

type Members = WithId<'newSchedule'>

const MAX_SCHEDULES_OF_TENANT = 1_000

/**
 * Throws 400 `NOT_IN_SCHEDULE`, `NO_OCCURRENCE`, `TOO_MANY_SCHEDULES`, `TOO_PRECISE`, `OVER_U64`,
 * `MUTUALLY_EXCLUSIVE`; 403 `ROLE_REQUIRED`.
 */
export const createSchedule: Write<TransactionBody<NewScheduleInput>, Members> = async (
  context,
  { itemData, chainTransactionConfig },
) => {
  const { platform, call } = context
  const { operation, maxRuns = null, onMissed = 'RUN_ONCE' } = itemData
  requireOperationRole(call, operation)
  const { externalReference, ...data } = itemData.itemData as JsonObject
  const problems = unstorableMembers(data, '/itemData/itemData', 'NOT_IN_SCHEDULE')
  if (problems.length > 0) throw new Refusal(400, problems)
  checkItemAmounts(context, operation, data)
  requireRoom(platform, {
    key: openSchedulesKey(call.tenant),
    most: MAX_SCHEDULES_OF_TENANT,
    code: 'TOO_MANY_SCHEDULES',
    what: 'schedules that have not ended',
  })

  const now = platform.clock.now()
  const recurrence = recurrenceOf(itemData)
  const next = plannedFrom(recurrence, 1, now)
  if (next === null) throw badRequest('NO_OCCURRENCE', 'no occurrence is left until `endAt`', '/itemData/endAt')
  const schedule: ScheduleContext = {
    organization: call.organization,
    endpoint: call.endpoint,
    requestId: call.requestId,
    requester: requesterOf(call),
    operation,
    data,
    itemReference: typeof externalReference === 'string' ? externalReference : null,
    config: chainTransactionConfig ?? null,
    externalReference: call.externalReference ?? null,
    ...recurrence,
    maxRuns,
    onMissed,
    next,
    runs: 0,
    missed: 0,
    failuresInARow: 0,
    lastProblem: null,
    lastRunAt: null,
    pausedBecause: null,
    createdAt: new Date(now).toISOString(),
    endedAt: null,
  }
  const { tenant, cluster } = call
  const id = platform.ids()
  return await changeRecords(context, (unit) => {
    unit.openFor(tenant)
    unit.create('schedule', { tenant, cluster, id }, { schedule })
    return { members: { newSchedule: { offchainId: id } } }
  })
}

function recurrenceOf({ startAt, every, at, endAt }: NewScheduleInput): Recurrence {
  return {
    startAt: utc(startAt),
    every: every ?? null,
    at: at === undefined ? null : { dayOfMonth: at.dayOfMonth ?? null, time: at.time, zone: at.zone },
    endAt: endAt === undefined ? null : utc(endAt),
  }
}

function utc(timestamp: string): string {
  return new Date(timestamp).toISOString()
}
