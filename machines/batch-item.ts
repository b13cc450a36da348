// One item of a batch. The unit of work that makes its transaction also begins the item, and only a waiting item can be
// begun, so it is executed at most once.
import { recordSetup } from './record-setup.ts'
import {
  changeTo,
  known,
  rejectAlways,
  refuse,
  ruleTo,
  accept,
  unknownEvent,
  type GuardArgs,
  type Decide,
} from './answer.ts'

/** A request, a failed item of the batch, or an approval that was refused or not given in time. */
export const CANCELLED_BECAUSE = ['REQUESTED', 'FAILURE', 'REJECTED', 'LAPSED'] as const

export type CancelledBecause = (typeof CANCELLED_BECAUSE)[number]

export interface ItemProblem {
  readonly code: string
  readonly message: string
}

export interface BatchItemContext {
  readonly batchId: string
  readonly organization: string
  /** Place in the request, from 0. */
  readonly index: number
  /** The validated item data without its reference. JSON. */
  readonly data: unknown
  readonly externalReference: string | null
  /** Transaction of the latest attempt; null: no attempt was made. */
  readonly transactionId: string | null
  /** Members of the operation's response besides the transaction, e.g. `{ newAccount }`. JSON. */
  readonly members: unknown
  /** Why it failed. */
  readonly problem: ItemProblem | null
  readonly cancelledBecause: CancelledBecause | null
  /** Transactions of attempts that provably had no effect, oldest first. */
  readonly earlier: readonly string[]
  /** Hash of its instructions, to which an approval of the batch is bound; absent: no approval is needed. */
  readonly intent?: string
  /** A transaction that it shared with other items has failed: its next transaction contains no other item. */
  readonly alone?: boolean
  readonly endedAt: string | null
}

export type BatchItemState = 'waiting' | 'underWay' | 'done' | 'failed' | 'cancelled'

export type BatchItemEvent =
  /** Its transaction exists from now on. */
  | { readonly type: 'command.begin'; readonly transactionId: string; readonly members: unknown }
  /** It is done without a transaction. */
  | { readonly type: 'command.make'; readonly members: unknown; readonly at: string }
  /** No transaction can be made for it. */
  | { readonly type: 'command.fail'; readonly problem: ItemProblem; readonly at: string }
  | { readonly type: 'command.cancel'; readonly because: CancelledBecause; readonly at: string }
  | { readonly type: 'command.retry' }
  /** Its transaction is final. */
  | { readonly type: 'chain.done'; readonly transactionId: string; readonly at: string }
  /** Its transaction provably had no effect. */
  | {
      readonly type: 'chain.failed'
      readonly transactionId: string
      readonly problem: ItemProblem
      readonly at: string
    }
  /** The transaction that it shares provably had no effect: it waits for one of its own. */
  | { readonly type: 'chain.split'; readonly transactionId: string; readonly at: string }

export interface BatchItemInput {
  readonly item: BatchItemContext
}

type On<K extends BatchItemEvent['type']> = Extract<BatchItemEvent, { readonly type: K }>
type Patch = Partial<BatchItemContext>
type OnTransaction = On<'chain.done'> | On<'chain.failed'> | On<'chain.split'>

const ofItsTransaction =
  <E extends OnTransaction>(patch: (event: E) => Patch): Decide<BatchItemContext, E, Patch> =>
  ({ context, event }) =>
    event.transactionId === context.transactionId
      ? accept(patch(event))
      : refuse('NOT_ITS_TRANSACTION', `transaction ${event.transactionId} is not the one of this item`)

const beginPatch = ({ event }: GuardArgs<BatchItemContext, On<'command.begin'>>): Patch => ({
  transactionId: event.transactionId,
  members: event.members,
})
const makePatch = ({ event }: GuardArgs<BatchItemContext, On<'command.make'>>): Patch => ({
  members: event.members,
  endedAt: event.at,
})
const failPatch = ({ event }: GuardArgs<BatchItemContext, On<'command.fail'>>): Patch => ({
  problem: event.problem,
  endedAt: event.at,
})
const cancelPatch = ({ event }: GuardArgs<BatchItemContext, On<'command.cancel'>>): Patch => ({
  cancelledBecause: event.because,
  endedAt: event.at,
})
const retryPatch = ({ context }: GuardArgs<BatchItemContext, On<'command.retry'>>): Patch => ({
  transactionId: null,
  members: null,
  problem: null,
  cancelledBecause: null,
  endedAt: null,
  earlier: context.transactionId === null ? context.earlier : [...context.earlier, context.transactionId],
})
const doneRule = ofItsTransaction<On<'chain.done'>>(({ at }) => ({ endedAt: at }))
const failedRule = ofItsTransaction<On<'chain.failed'>>(({ problem, at }) => ({ problem, endedAt: at }))

const splitRule: Decide<BatchItemContext, On<'chain.split'>, Patch> = (args) =>
  ofItsTransaction<On<'chain.split'>>(({ transactionId }) => ({
    transactionId: null,
    members: null,
    alone: true,
    earlier: [...args.context.earlier, transactionId],
  }))(args)

const isNotWaiting = rejectAlways('NOT_WAITING', 'the item does not wait')

export const batchItemMachine = recordSetup<BatchItemContext, BatchItemEvent, BatchItemInput, 'ended'>().createMachine({
  id: 'batchItem',
  description: 'One item of a batch: at most one transaction that can have an effect.',
  context: ({ input }) => ({ ...input.item }),
  on: {
    'command.begin': isNotWaiting,
    'command.make': isNotWaiting,
    'command.fail': isNotWaiting,
    'command.cancel': isNotWaiting,
    'command.retry': rejectAlways('NOT_RETRYABLE', 'only an item that provably did not happen is retried'),
    'chain.done': rejectAlways('NOT_UNDER_WAY', 'the item is not under way'),
    'chain.failed': rejectAlways('NOT_UNDER_WAY', 'the item is not under way'),
    'chain.split': rejectAlways('NOT_UNDER_WAY', 'the item is not under way'),
    '*': unknownEvent,
  },
  initial: 'waiting',
  states: {
    waiting: {
      description: 'Nothing was made of it.',
      on: {
        'command.begin': changeTo('underWay', beginPatch),
        'command.make': changeTo('done', makePatch),
        'command.fail': changeTo('failed', failPatch),
        'command.cancel': changeTo('cancelled', cancelPatch),
      },
    },
    underWay: {
      description: 'Its transaction exists and is not final.',
      on: {
        'chain.done': ruleTo('done', doneRule),
        'chain.failed': ruleTo('failed', failedRule),
        'chain.split': ruleTo('waiting', splitRule),
      },
    },
    done: { description: 'It happened, and its transaction is final.', tags: 'ended', on: { 'chain.done': known } },
    failed: {
      description: 'It provably did not happen.',
      tags: 'ended',
      on: { 'command.retry': changeTo('waiting', retryPatch), 'chain.failed': known },
    },
    cancelled: {
      description: 'It was not made, and is not.',
      tags: 'ended',
      on: { 'command.retry': changeTo('waiting', retryPatch) },
    },
  },
})
