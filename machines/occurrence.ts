// One occurrence of a schedule. The unit of work that advances the schedule creates it, together with its transaction
// or with the reason why there is no transaction.
import { recordSetup } from './record-setup.ts'
import { accept, known, rejectAlways, refuse, ruleTo, unknownEvent, type Decide } from './answer.ts'
import type { ItemProblem } from './batch-item.ts'
import { startStates, ARRIVING } from './start.ts'

export interface OccurrenceContext {
  readonly scheduleId: string
  readonly organization: string
  readonly number: number
  /** The planned instant. */
  readonly dueAt: string
  /**
   * Last of the missed occurrences that the record represents; null: it represents one occurrence that was attempted.
   */
  readonly missedUntil: { readonly number: number; readonly dueAt: string } | null
  readonly transactionId: string | null
  /** Members of the operation's response besides the transaction, e.g. `{ newAccount }`. JSON. */
  readonly members: unknown
  readonly problem: ItemProblem | null
  readonly startedAt: string
  readonly endedAt: string | null
}

export type OccurrenceState = 'underWay' | 'done' | 'failed' | 'missed'

export type OccurrenceEvent =
  /** Its transaction is final. */
  | { readonly type: 'chain.done'; readonly transactionId: string; readonly at: string }
  /** Its transaction provably had no effect. */
  | {
      readonly type: 'chain.failed'
      readonly transactionId: string
      readonly problem: ItemProblem
      readonly at: string
    }

export interface OccurrenceInput {
  readonly occurrence: OccurrenceContext
  readonly state: OccurrenceState
}

type On<K extends OccurrenceEvent['type']> = Extract<OccurrenceEvent, { readonly type: K }>
type Patch = Partial<OccurrenceContext>

const ofItsTransaction =
  <E extends OccurrenceEvent>(patch: (event: E) => Patch): Decide<OccurrenceContext, E, Patch> =>
  ({ context, event }) =>
    event.transactionId === context.transactionId
      ? accept(patch(event))
      : refuse('NOT_ITS_TRANSACTION', `transaction ${event.transactionId} is not the one of this occurrence`)

const doneRule = ofItsTransaction<On<'chain.done'>>(({ at }) => ({ endedAt: at }))
const failedRule = ofItsTransaction<On<'chain.failed'>>(({ problem, at }) => ({ problem, endedAt: at }))
const isNotUnderWay = rejectAlways('NOT_UNDER_WAY', 'the occurrence is not under way')

export const occurrenceMachine = recordSetup<
  OccurrenceContext,
  OccurrenceEvent,
  OccurrenceInput,
  'ended'
>().createMachine({
  id: 'occurrence',
  description: 'One occurrence of a schedule.',
  context: ({ input }) => ({ ...input.occurrence }),
  on: { 'chain.done': isNotUnderWay, 'chain.failed': isNotUnderWay, '*': unknownEvent },
  initial: ARRIVING,
  states: {
    [ARRIVING]: startStates('underWay', 'done', 'failed', 'missed'),
    underWay: {
      description: 'Its transaction exists and is not final.',
      on: { 'chain.done': ruleTo('done', doneRule), 'chain.failed': ruleTo('failed', failedRule) },
    },
    done: { description: 'It happened, and its transaction is final.', tags: 'ended', on: { 'chain.done': known } },
    failed: { description: 'It did not happen, and will not.', tags: 'ended', on: { 'chain.failed': known } },
    missed: { description: 'It was due while nothing could be made, and is not made.', tags: 'ended' },
  },
})
