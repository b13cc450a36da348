// The schedule machine: one operation, repeated at planned instants. The next planned occurrence is part of the record,
// and the unit of work that makes an occurrence also advances the schedule. Each occurrence is therefore attempted at
// most once, even if the process fails.
import { recordSetup } from './record-setup.ts'
import {
  changeTo,
  accept,
  rejectAlways,
  refuse,
  rule,
  ruleTo,
  unknownEvent,
  type GuardArgs,
  type Decide,
  type RuleOutcome,
} from './answer.ts'
import type { BatchOperation } from './batch.ts'
import type { ItemProblem } from './batch-item.ts'
import type { PlanRequester } from './transactions/plan.ts'
import type { CalendarTime, Every, PlannedOccurrence } from './recurrence.ts'

/** Number of consecutive failures after which the schedule is paused. */
export const MAX_FAILURES = 10

export const ON_MISSED = ['RUN_ONCE', 'SKIP'] as const

export interface ScheduleContext {
  readonly organization: string
  readonly endpoint: string
  readonly requestId: string
  /** The key or token subject that created the schedule. Its rights are evaluated again for every occurrence. */
  readonly requester: PlanRequester
  readonly operation: BatchOperation
  /** The validated item data without its reference. JSON. */
  readonly data: unknown
  /** External reference of the transactions. */
  readonly itemReference: string | null
  /** The request's `chainTransactionConfig`. JSON. */
  readonly config: unknown
  readonly externalReference: string | null
  readonly startAt: string
  /** Exactly one of `every` and `at`. */
  readonly every: Every | null
  readonly at: CalendarTime | null
  /** The last instant at which it may occur. */
  readonly endAt: string | null
  /** Maximum number of attempted occurrences; missed ones do not count. */
  readonly maxRuns: number | null
  readonly onMissed: (typeof ON_MISSED)[number]
  /** null: there is none. */
  readonly next: PlannedOccurrence | null
  /** Occurrences attempted. */
  readonly runs: number
  readonly missed: number
  /** Number of failed attempts since the last successful one. */
  readonly failuresInARow: number
  /** Reason of the latest failure; null after a success. */
  readonly lastProblem: ItemProblem | null
  readonly lastRunAt: string | null
  readonly pausedBecause: 'REQUESTED' | 'FAILURES' | null
  readonly createdAt: string
  readonly endedAt: string | null
}

export type ScheduleState = 'active' | 'paused' | 'ended' | 'cancelled'

export type ScheduleEvent =
  /** An occurrence is attempted; those before it since `next` were missed. `problem`: why it has no transaction. */
  | {
      readonly type: 'command.run'
      readonly number: number
      readonly at: string
      readonly isOver: boolean
      readonly problem: ItemProblem | null
      readonly next: PlannedOccurrence | null
    }
  /** Occurrences from `next` on were due and are skipped. */
  | {
      readonly type: 'clock.missed'
      readonly missed: number
      readonly next: PlannedOccurrence | null
      readonly at: string
    }
  | { readonly type: 'command.pause' }
  | { readonly type: 'command.resume'; readonly next: PlannedOccurrence | null; readonly at: string }
  | { readonly type: 'command.cancel'; readonly at: string }
  /** The transaction of an occurrence is final, or provably had no effect. */
  | { readonly type: 'chain.done' }
  | { readonly type: 'chain.failed'; readonly problem: ItemProblem }

export interface ScheduleInput {
  readonly schedule: ScheduleContext
}

type On<K extends ScheduleEvent['type']> = Extract<ScheduleEvent, { readonly type: K }>
type Patch = Partial<ScheduleContext>
type Rule<K extends ScheduleEvent['type']> = Decide<ScheduleContext, On<K>, Patch>

const SUCCESS_PATCH: Patch = { failuresInARow: 0, lastProblem: null }

const failedPatch = (context: ScheduleContext, problem: ItemProblem): Patch => ({
  failuresInARow: context.failuresInARow + 1,
  lastProblem: problem,
})

/** The successor has a later number and a later instant. */
function isAfter(next: PlannedOccurrence | null, number: number, at: string): boolean {
  return next === null || (next.number > number && Date.parse(next.at) > Date.parse(at))
}

const runRule: Rule<'command.run'> = ({ context, event }) => {
  const { next: planned, runs, missed, maxRuns } = context
  const skipped = planned === null ? -1 : event.number - planned.number
  if (planned === null || skipped < 0) return refuse('NOT_ITS_TURN', `occurrence ${event.number} is not the next one`)
  if (!isAfter(event.next, event.number, planned.at))
    return refuse('NOT_ITS_TURN', 'the next occurrence is not after this one')
  const next = maxRuns !== null && runs + 1 >= maxRuns ? null : event.next
  const outcome = event.problem !== null ? failedPatch(context, event.problem) : event.isOver ? SUCCESS_PATCH : {}
  return accept(
    settled(context, { ...outcome, next, runs: runs + 1, missed: missed + skipped, lastRunAt: event.at }, event.at),
  )
}

const missedRule: Rule<'clock.missed'> = ({ context, event }) => {
  const { next: planned, missed } = context
  if (planned === null || event.missed < 1 || !isAfter(event.next, planned.number + event.missed - 1, planned.at))
    return refuse('NOT_ITS_TURN', 'these occurrences are not the next ones')
  return accept(settled(context, { next: event.next, missed: missed + event.missed }, event.at))
}

const resumeRule: Rule<'command.resume'> = ({ context, event }) =>
  accept(settled(context, { next: event.next, pausedBecause: null, failuresInARow: 0 }, event.at))

const failRule: Rule<'chain.failed'> = ({ context, event }) =>
  accept(settled(context, failedPatch(context, event.problem), null))
const failedRule: Rule<'chain.failed'> = ({ context, event }) => accept(failedPatch(context, event.problem))
const doneRule: Rule<'chain.done'> = () => accept(SUCCESS_PATCH)
const pausePatch = (): Patch => ({ pausedBecause: 'REQUESTED' })
const cancelPatch = ({ event }: GuardArgs<ScheduleContext, On<'command.cancel'>>): Patch => ({
  next: null,
  pausedBecause: null,
  endedAt: event.at,
})

/** The state that follows from the context of an active schedule. */
function stateOf({ next, failuresInARow }: ScheduleContext): 'active' | 'paused' | 'ended' {
  if (next === null) return 'ended'
  return failuresInARow >= MAX_FAILURES ? 'paused' : 'active'
}

function settled(context: ScheduleContext, patch: Patch, at: string | null): Patch {
  const state = stateOf({ ...context, ...patch })
  if (state === 'ended') return { ...patch, endedAt: at }
  return state === 'paused' ? { ...patch, pausedBecause: 'FAILURES' } : patch
}

/** Rejects, or changes the context and goes to the state that follows from it. */
function settling<E>(decide: Decide<ScheduleContext, E, Patch>) {
  const leadsTo =
    (state: string) =>
    (args: GuardArgs<ScheduleContext, E>): boolean => {
      const outcome: RuleOutcome<Patch> = decide(args)
      return outcome.ok && stateOf({ ...args.context, ...outcome.value }) === state
    }
  const [refusing, change] = ruleTo('active', decide)
  const to = <const T extends string>(state: T) =>
    ({ guard: { type: 'holds', params: leadsTo(state) }, ...ruleTo(state, decide)[1] }) as const
  return [refusing, to('ended'), to('paused'), change] as const
}

const isNotActive = rejectAlways('NOT_ACTIVE', 'the schedule is not active')
const hasEnded = rejectAlways('SCHEDULE_ENDED', 'the schedule has ended')

export const scheduleMachine = recordSetup<ScheduleContext, ScheduleEvent, ScheduleInput, 'ended'>().createMachine({
  id: 'schedule',
  description: 'One operation, made again at planned instants.',
  context: ({ input }) => ({ ...input.schedule }),
  on: {
    'command.run': isNotActive,
    'clock.missed': isNotActive,
    'command.pause': isNotActive,
    'command.resume': rejectAlways('NOT_PAUSED', 'the schedule is not paused'),
    'command.cancel': hasEnded,
    // Occurrences under way may end after the schedule was paused or cancelled, or has ended.
    'chain.done': rule(doneRule),
    'chain.failed': rule(failedRule),
    '*': unknownEvent,
  },
  initial: 'active',
  states: {
    active: {
      description: 'The next occurrence is planned.',
      on: {
        'command.run': settling(runRule),
        'clock.missed': settling(missedRule),
        'command.pause': changeTo('paused', pausePatch),
        'command.cancel': changeTo('cancelled', cancelPatch),
        'chain.failed': settling(failRule),
      },
    },
    paused: {
      description: 'Nothing is made until it is resumed: by request, or after too many failures in a row.',
      on: { 'command.resume': settling(resumeRule), 'command.cancel': changeTo('cancelled', cancelPatch) },
    },
    ended: { description: 'No occurrence is left.', tags: 'ended' },
    cancelled: { description: 'It was cancelled: nothing more is made.', tags: 'ended' },
  },
})
