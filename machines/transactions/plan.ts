// The plan machine: one request that needs several transactions, executed one after another. It determines the next
// step, so that no step is executed twice, neither concurrently nor after a restart.
import { recordSetup } from '../record-setup.ts'
import {
  changeTo,
  accept,
  known,
  rejectAlways,
  refuse,
  rule,
  ruleTo,
  unknownEvent,
  type GuardArgs,
  type Decide,
} from '../answer.ts'

export interface PlanStep {
  /** Input for the step's transaction. JSON, interpreted only by the code for the plan's `purpose`. */
  readonly data: unknown
  /** Ids of the records that this step creates; given up if the step never happens. */
  readonly records: readonly string[]
  /** null: not executed yet. */
  readonly transactionId: string | null
  /** The transaction is confirmed. */
  readonly done: boolean
}

/** The rights used for later steps: those of the request when it was accepted. */
export interface PlanRequester {
  readonly keyId: string
  readonly organization: string
  readonly tenant: string
  readonly system: boolean
  readonly roles: readonly string[]
  readonly clusters: readonly string[] | null
}

export interface PlanContext {
  /** External id of the organization the plan acts for. */
  readonly organization: string
  readonly endpoint: string
  readonly requestId: string
  readonly requester: PlanRequester
  /** Selects the code that builds the transactions of the steps. */
  readonly purpose: string
  /** The client's own reference, set on all its transactions; absent: none. */
  readonly externalReference?: string
  /** The request's `chainTransactionConfig`. JSON. */
  readonly config: unknown
  readonly steps: readonly PlanStep[]
  /** Reason of the failure. */
  readonly reason: string | null
  readonly startedAt: string
  readonly endedAt: string | null
}

export type PlanState = 'running' | 'finished' | 'failed'

export type PlanEvent =
  /** The transaction of the next step now exists. */
  | { readonly type: 'command.begin'; readonly step: number; readonly transactionId: string }
  /** A step cannot be executed, or its transaction ended without effect: no further step is executed. */
  | { readonly type: 'command.fail'; readonly reason: string; readonly at: string }
  /** The transaction of a step is confirmed. */
  | { readonly type: 'chain.done'; readonly transactionId: string; readonly at: string }

export interface PlanInput {
  readonly plan: PlanContext
}

type On<K extends PlanEvent['type']> = Extract<PlanEvent, { readonly type: K }>
type Rule<K extends PlanEvent['type']> = Decide<PlanContext, On<K>, Partial<PlanContext>>

/** Index of the first step that is not executed; the number of steps if all are. */
export function nextStep({ steps }: Pick<PlanContext, 'steps'>): number {
  const index = steps.findIndex(({ transactionId }) => transactionId === null)
  return index === -1 ? steps.length : index
}

const beginRule: Rule<'command.begin'> = ({ context, event }) => {
  const { steps } = context
  if (event.step !== nextStep(context) || event.step >= steps.length)
    return refuse('NOT_ITS_TURN', `step ${event.step} is not the next one`)
  if (steps.slice(0, event.step).some(({ done }) => !done))
    return refuse('NOT_ITS_TURN', 'the step before is not confirmed')
  return accept({ steps: steps.with(event.step, { ...steps[event.step]!, transactionId: event.transactionId }) })
}

const doneRule: Rule<'chain.done'> = ({ context, event }) => {
  const index = context.steps.findIndex(({ transactionId }) => transactionId === event.transactionId)
  if (index === -1) return refuse('NOT_OF_THIS_PLAN', `transaction ${event.transactionId} is no step of this plan`)
  const steps = context.steps.with(index, { ...context.steps[index]!, done: true })
  return accept(steps.every(({ done }) => done) ? { steps, endedAt: event.at } : { steps })
}

const isLast = (args: GuardArgs<PlanContext, On<'chain.done'>>): boolean => {
  const outcome = doneRule(args)
  return outcome.ok && outcome.value.endedAt !== undefined
}

const failPatch = ({ event }: GuardArgs<PlanContext, On<'command.fail'>>) => ({
  reason: event.reason,
  endedAt: event.at,
})

const [refuseDone, doneOn] = rule(doneRule)
const [, doneLast] = ruleTo('finished', doneRule)
const over = rejectAlways('ENDED', 'the plan has ended')

export const planMachine = recordSetup<PlanContext, PlanEvent, PlanInput, 'ended'>().createMachine({
  id: 'plan',
  description: 'One request that takes several transactions, made one after another.',
  context: ({ input }) => ({ ...input.plan }),
  on: { 'command.begin': over, 'command.fail': over, 'chain.done': known, '*': unknownEvent },
  initial: 'running',
  states: {
    running: {
      description: 'A step is under way, or the next one is to be made.',
      on: {
        'command.begin': rule(beginRule),
        'command.fail': changeTo('failed', failPatch),
        'chain.done': [refuseDone, { guard: { type: 'holds', params: isLast }, ...doneLast }, doneOn],
      },
    },
    // Only a dropped fork under one of its transactions can change this.
    finished: {
      description: 'Every step has landed.',
      tags: 'ended',
      on: { 'command.fail': changeTo('failed', failPatch) },
    },
    failed: { description: 'A step could not be made or did not land: none follows.', tags: 'ended' },
  },
})
