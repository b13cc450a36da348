// Supervisor of a tenant's records: counts active records, requests passivation above capacity, and decides what
// happens to a record whose actor throws: restored from its last commit, or quarantined when it throws repeatedly.
import { assign, emit, setup } from 'xstate'
import { acceptance, accept, known, refuse, refused, rejection, rule, unknownEvent, type Decide } from './answer.ts'
import type { EventAnswer } from './protocol.ts'
import { holds } from './start.ts'

/** Failures of one record within `FAILURE_WINDOW_MS` that quarantine it. */
const FAILURES_TO_QUARANTINE = 3
const FAILURE_WINDOW_MS = 60_000

export interface TenantContext {
  /** Number of active records. */
  readonly live: number
  /** Number of active records above which the least recently used ones passivate. */
  readonly capacity: number
  /** Times of the failures within the window, in Unix milliseconds, by record id. */
  readonly failures: Readonly<Record<string, readonly number[]>>
  /** Ids of records that accept no event until the process restarts. */
  readonly quarantined: readonly string[]
}

export type TenantEvent =
  /** Activates a record, or `count` of them. */
  | { readonly type: 'command.activate'; readonly count?: number }
  | { readonly type: 'command.passivate'; readonly count?: number }
  /** The actor of a record threw. */
  | { readonly type: 'actor.threw'; readonly id: string; readonly atMs: number }

/** Emitted after the answer when the capacity is exceeded: passivate the `excess` least recently used records. */
export interface PassivateOldest {
  readonly type: 'passivate.oldest'
  readonly excess: number
}

/** Emitted after the answer: the record must reject all events. */
export interface QuarantineRecord {
  readonly type: 'quarantine.record'
  readonly id: string
}

export interface TenantInput {
  readonly capacity: number
}

type On<K extends TenantEvent['type']> = Extract<TenantEvent, { readonly type: K }>

const passivateRule: Decide<TenantContext, On<'command.passivate'>, Partial<TenantContext>> = ({ context, event }) =>
  context.live < (event.count ?? 1)
    ? refuse('NONE_ACTIVE', 'fewer records are active')
    : accept({ live: context.live - (event.count ?? 1) })

interface Activation {
  readonly context: TenantContext
  readonly event: On<'command.activate'>
}

const activatePatch = ({ context, event }: Activation) => ({ live: context.live + (event.count ?? 1) })
const isOverfull = ({ context, event }: Activation) => context.live + (event.count ?? 1) > context.capacity

const activate = [{ type: 'change', params: activatePatch }, { type: 'accept' }] as const

interface Failure {
  readonly context: TenantContext
  readonly event: On<'actor.threw'>
}

/** Failures of the record within the window, this one included. */
function recentFailures({ context, event }: Failure): readonly number[] {
  const earlier = context.failures[event.id] ?? []
  return [...earlier.filter((atMs) => event.atMs - atMs < FAILURE_WINDOW_MS), event.atMs]
}

/** Failures of all records within the window: older ones are dropped, so that the map stays small. */
function counted(failure: Failure): Partial<TenantContext> {
  const { context, event } = failure
  const recent = Object.entries(context.failures).filter(([, times]) => event.atMs - times.at(-1)! < FAILURE_WINDOW_MS)
  return { failures: { ...Object.fromEntries(recent), [event.id]: recentFailures(failure) } }
}

function quarantining({ context, event }: Failure): Partial<TenantContext> {
  const failures = Object.fromEntries(Object.entries(context.failures).filter(([id]) => id !== event.id))
  return { failures, quarantined: [...context.quarantined, event.id] }
}

const isKnown = ({ context, event }: Failure) => context.quarantined.includes(event.id)
const isRepeated = (failure: Failure) => recentFailures(failure).length >= FAILURES_TO_QUARANTINE

export const tenantMachine = setup({
  types: {
    context: {} as TenantContext,
    events: {} as TenantEvent,
    input: {} as TenantInput,
    emitted: {} as EventAnswer | PassivateOldest | QuarantineRecord,
  },
  guards: { refused, holds },
  actions: {
    change: assign((_, patch: Partial<TenantContext>) => patch),
    accept: emit(acceptance),
    reject: emit(rejection),
    relieve: emit(({ context }) => ({ type: 'passivate.oldest', excess: context.live - context.capacity }) as const),
    quarantine: emit((_, id: string) => ({ type: 'quarantine.record', id }) as const),
  },
}).createMachine({
  id: 'tenant',
  context: ({ input }) => ({ live: 0, capacity: input.capacity, failures: {}, quarantined: [] }),
  on: {
    'command.activate': [
      { guard: { type: 'holds', params: isOverfull }, actions: [...activate, { type: 'relieve' }] },
      { actions: activate },
    ],
    'command.passivate': rule(passivateRule),
    'actor.threw': [
      { guard: { type: 'holds', params: isKnown }, ...known },
      {
        guard: { type: 'holds', params: isRepeated },
        target: '.impaired',
        actions: [
          { type: 'change', params: quarantining },
          { type: 'accept' },
          { type: 'quarantine', params: ({ event }) => event.id },
        ],
      },
      { actions: [{ type: 'change', params: counted }, { type: 'accept' }] },
    ],
    '*': unknownEvent,
  },
  initial: 'healthy',
  states: {
    healthy: {},
    /** At least one record is quarantined. Ends with the process: a restart restores all records. */
    impaired: {},
  },
})
