// One attempt of a schedule. The unit of work that makes the transaction also creates the occurrence and advances the
// schedule: either all three are on disk or none is.
import { hash } from 'node:crypto'
import type { OccurrenceContext, OccurrenceState } from '../../../machines/occurrence.ts'
import type { ItemProblem } from '../../../machines/batch-item.ts'
import type { PlannedOccurrence } from '../../../machines/recurrence.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Caller, Outcome } from '../../contract/call.ts'
import { forbidden } from '../../contract/refusal.ts'
import { Access } from '../admin/authenticate.ts'
import { OPERATIONS, requireOperationRole } from '../batches/operations.ts'
import type { Platform } from '../context/platform.ts'
import { runAttempts } from '../transactions/attempt.ts'
import { isSubject, isSubjectDisabled } from '../lookup/subjects.ts'
import { isRetryable, problemOf, operationResult } from '../context/as-refusal.ts'
import { callerOf } from '../transactions/plans/requester.ts'
import type { SharedCall } from '../transactions/shared-call.ts'
import { isSendingSuspended } from '../views/read-models/switches.ts'
import { dueAt, type Due } from './recurrence.ts'
import { sendToSchedule } from './record.ts'

/** An occurrence that is late by more than this is recorded as missed. */
const MISSED_AFTER_MS = 60_000

type Schedule = RecordState<'schedule'>

/** Resolves to false if nothing was recorded and a later attempt may succeed. */
export async function recordOccurrence(platform: Platform, entry: Entry): Promise<boolean> {
  const schedule = ofKind(entry.head, 'schedule')
  const now = platform.clock.now()
  const { next = null } = schedule?.context ?? {}
  if (schedule?.value !== 'active' || next === null) return true
  const due = dueAt(schedule.context, next, now)
  if (due === null) return true
  if (schedule.context.onMissed === 'SKIP' && now - Date.parse(due.latest.at) > MISSED_AFTER_MS) {
    await skip(platform, entry, { next, due })
    return true
  }
  // A transaction made now would expire unsent, and the occurrence would fail.
  if (isSendingSuspended(platform, schedule, schedule.context.organization)) return false
  const made = await operationResult(make(platform, entry, schedule, { next, due }))
  if (made.ok) return true
  if (isRetryable(made)) return false
  if (made.refusal === null)
    platform.log?.warn({ err: made.error, scheduleId: schedule.id }, 'occurrence of a schedule failed')
  await fail(platform, entry, { next, due }, problemOf(made))
  return true
}

interface Plan {
  readonly next: PlannedOccurrence
  readonly due: Due
}

async function make(platform: Platform, entry: Entry, schedule: Schedule, { next, due }: Plan): Promise<void> {
  const { operation, data, config } = schedule.context
  const call: SharedCall = {
    ...callFor(platform, schedule, due.latest.number),
    within: (unit, outcome) => {
      advance(platform, unit, entry, { next, due, problem: null, outcome })
    },
  }
  requireOperationRole(call, operation)
  const body = { itemData: data, ...(config === null ? {} : { chainTransactionConfig: config }) }
  await runAttempts(platform, call, () => OPERATIONS[operation].write({ platform, call }, body as never))
}

async function fail(platform: Platform, entry: Entry, { next, due }: Plan, problem: ItemProblem): Promise<void> {
  const { durable } = platform.engine.transact((unit) => {
    unit.openFor(entry.head.tenant)
    advance(platform, unit, entry, { next, due, problem, outcome: null })
  })
  await durable
}

async function skip(platform: Platform, entry: Entry, { next, due: { latest, following } }: Plan): Promise<void> {
  const at = new Date(platform.clock.now()).toISOString()
  const { durable } = platform.engine.transact((unit) => {
    unit.openFor(entry.head.tenant)
    // This is still the turn in which the schedule was read, so it is active and `next` is its next occurrence.
    sendToSchedule(unit, entry, { type: 'clock.missed', missed: latest.number - next.number + 1, next: following, at })
    recordMissed(platform, unit, entry, { from: next, until: latest, at })
  })
  await durable
}

interface MissedRange {
  readonly from: PlannedOccurrence
  readonly until: PlannedOccurrence
  readonly at: string
}

/** Creates one record for the whole range: after a long downtime many occurrences are missed. */
function recordMissed(platform: Platform, unit: UnitOfWork, entry: Entry, { from, until, at }: MissedRange): void {
  record(platform, unit, entry, {
    ...NOTHING_MADE,
    state: 'missed',
    number: from.number,
    dueAt: from.at,
    missedUntil: { number: until.number, dueAt: until.at },
    startedAt: at,
    endedAt: at,
  })
}

interface Attempt extends Plan {
  readonly problem: ItemProblem | null
  /** null: no transaction was made. */
  readonly outcome: Outcome | null
}

/**
 * Discards the unit if the schedule was paused, cancelled or advanced in the meantime: the index has its next instant,
 * if any.
 */
function advance(platform: Platform, unit: UnitOfWork, entry: Entry, { next, due, problem, outcome }: Attempt): void {
  const { latest, preceding, following } = due
  const at = new Date(platform.clock.now()).toISOString()
  const transactionId = outcome?.transactions.at(-1) ?? null
  const isOver = problem !== null || transactionId === null
  const schedule = ofKind(entry.head, 'schedule')
  if (schedule?.value !== 'active' || schedule.context.next?.number !== next.number) {
    unit.discard()
    return
  }
  sendToSchedule(unit, entry, { type: 'command.run', number: latest.number, at, isOver, problem, next: following })
  if (preceding !== null) recordMissed(platform, unit, entry, { from: next, until: preceding, at })
  record(platform, unit, entry, {
    missedUntil: null,
    state: problem !== null ? 'failed' : isOver ? 'done' : 'underWay',
    number: latest.number,
    dueAt: latest.at,
    transactionId,
    members: outcome?.members ?? null,
    problem,
    startedAt: at,
    endedAt: isOver ? at : null,
  })
}

const NOTHING_MADE = { transactionId: null, members: null, problem: null } as const

type NewOccurrence = Omit<OccurrenceContext, 'scheduleId' | 'organization'> & { readonly state: OccurrenceState }

function record(platform: Platform, unit: UnitOfWork, { head }: Entry, { state, ...occurrence }: NewOccurrence): void {
  const { tenant, cluster, id, context } = head as Schedule
  unit.create(
    'occurrence',
    { tenant, cluster, id: platform.ids() },
    {
      occurrence: { scheduleId: id, organization: context.organization, ...occurrence },
      state,
    },
  )
}

/** The call that the schedule's creator would make now, with an idempotency key of this occurrence. */
function callFor(platform: Platform, schedule: Schedule, number: number): SharedCall {
  const { tenant, cluster, id, context } = schedule
  const { organization, endpoint, requestId, itemReference, externalReference } = context
  const caller = creatorNow(platform, schedule)
  const reference = externalReference ?? itemReference
  const key = `schedule:${id}:${number}`
  return {
    caller,
    organization,
    tenant,
    cluster,
    requestId,
    endpoint,
    idempotency: { key, digest: hash('sha256', key, 'hex') },
    waitMs: 0,
    dryRun: false,
    ...(reference === null ? {} : { externalReference: reference }),
    ...(itemReference === null ? {} : { itemReferences: [itemReference] }),
  }
}

/**
 * The creator with the rights that it has now. Roles of a token subject are those of the token that created the
 * schedule. Throws 403 `CREATOR_DISABLED`, `CREATOR_EXPIRED`, `CLUSTER_NOT_ALLOWED`, `OVERRIDE_NOT_ALLOWED`.
 */
function creatorNow({ engine, clock }: Platform, { cluster, context }: Schedule): Caller {
  const { requester, organization } = context
  const access = new Access(engine, clock)
  const caller = isSubject(requester.keyId)
    ? isSubjectDisabled(engine.directory, requester.keyId, requester)
      ? 'disabled'
      : callerOf(requester)
    : access.callerOf(requester.keyId)
  if (caller === 'disabled')
    throw forbidden('CREATOR_DISABLED', 'the key or the subject that created the schedule is disabled', '/itemData')
  if (caller === 'expired')
    throw forbidden('CREATOR_EXPIRED', 'the key that created the schedule has expired', '/itemData')
  access.callContext(caller, { cluster, overrideOrganizationExternalId: organization })
  return caller
}
