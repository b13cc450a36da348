// A batch: up to 10,000 items of one operation. It counts its items by state; each item is a record of its own. A
// change of many items (a cancellation, a retry) is a sweep: the batch records it first, then it is executed in slices,
// so that a restart continues it.
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
} from './answer.ts'
import { approve, isApproved, type Approval, type Approver } from './approval.ts'
import type { CancelledBecause } from './batch-item.ts'
import type { PlanRequester } from './transactions/plan.ts'

export const MAX_BATCH_ITEMS = 10_000
export const BATCH_OPERATIONS = [
  'TRANSFER',
  'TRANSFER_NETWORK_CURRENCY',
  'MINT',
  'BURN',
  'FREEZE',
  'UNFREEZE',
  'CREATE_ACCOUNT',
  'INITIALIZE_POSITION',
] as const

export type BatchOperation = (typeof BATCH_OPERATIONS)[number]

export interface BatchCounts {
  readonly waiting: number
  readonly underWay: number
  readonly done: number
  readonly failed: number
  readonly cancelled: number
}

export type Sweep = { readonly kind: 'CANCEL'; readonly because: CancelledBecause } | { readonly kind: 'RETRY' }

export interface BatchContext {
  readonly organization: string
  readonly endpoint: string
  readonly requestId: string
  /** The rights used to make the items: those of the request, or of the last retry, at the time it was accepted. */
  readonly requester: PlanRequester
  readonly operation: BatchOperation
  /** The request's `chainTransactionConfig`. JSON. */
  readonly config: unknown
  readonly stopOnFailure: boolean
  readonly externalReference: string | null
  readonly items: number
  readonly counts: BatchCounts
  readonly sweep: Sweep | null
  /**
   * The approval required because the batch as a whole exceeds debit limits: no item is made before it is complete;
   * null: no approval is needed.
   */
  readonly approval: Approval | null
  /** Records whose limits the batch was evaluated against; present only if the batch needs approval. */
  readonly debited?: readonly string[]
  /** A cancellation was requested: items whose shared transaction failed do not wait again. */
  readonly cancelAsked?: boolean
  readonly createdAt: string
  readonly endedAt: string | null
}

export type BatchState = 'preparing' | 'prepared' | 'underWay' | 'done' | 'failed' | 'cancelled'

type Counted<Type extends string> = { readonly type: Type; readonly items: number; readonly at: string }

export type BatchEvent =
  /** Every item is on record. */
  | {
      readonly type: 'command.start'
      readonly approval: Approval | null
      readonly debited?: readonly string[]
      readonly at: string
    }
  /** The service ended before every item was on record: no caller has its id. */
  | { readonly type: 'command.abandon'; readonly at: string }
  /** `complete`: with this approval, the required number of persons who may approve now have approved. */
  | (Approver & { readonly type: 'command.approve'; readonly complete: boolean; readonly at: string })
  | Counted<'command.begin'>
  | Counted<'command.make'>
  | Counted<'command.fail'>
  | Counted<'chain.done'>
  | Counted<'chain.failed'>
  /** A transaction that they shared failed: they wait again, each for a transaction of its own. */
  | Counted<'chain.split'>
  | { readonly type: 'command.cancel'; readonly because: CancelledBecause; readonly at: string }
  | { readonly type: 'command.retry'; readonly requester: PlanRequester }
  /** `items` items were cancelled, or wait again. */
  | (Counted<'command.sweep'> & { readonly from: keyof BatchCounts; readonly to: keyof BatchCounts })
  | { readonly type: 'command.swept'; readonly at: string }

export interface BatchInput {
  readonly batch: BatchContext
}

type On<K extends BatchEvent['type']> = Extract<BatchEvent, { readonly type: K }>
type Patch = Partial<BatchContext>
type Rule<K extends BatchEvent['type']> = Decide<BatchContext, On<K>, Patch>

function moved(counts: BatchCounts, from: keyof BatchCounts, to: keyof BatchCounts, items: number): BatchCounts | null {
  if (items < 0 || counts[from] < items) return null
  return { ...counts, [from]: counts[from] - items, [to]: counts[to] + items }
}

/** The final state that follows from the counts; null: the batch has not ended. */
function endOf({ counts, sweep }: Pick<BatchContext, 'counts' | 'sweep'>): 'done' | 'failed' | 'cancelled' | null {
  if (sweep !== null || counts.waiting + counts.underWay > 0) return null
  if (counts.failed > 0) return 'failed'
  return counts.cancelled > 0 ? 'cancelled' : 'done'
}

function settled(context: BatchContext, patch: Patch, at: string): Patch {
  return endOf({ ...context, ...patch }) === null ? patch : { ...patch, endedAt: at }
}

const counting =
  <E extends { readonly items: number; readonly at: string }>(
    from: keyof BatchCounts,
    to: keyof BatchCounts,
  ): Decide<BatchContext, E, Patch> =>
  ({ context, event }) => {
    const counts = moved(context.counts, from, to, event.items)
    if (counts === null) return refuse('COUNT_MISMATCH', `not as many items are ${from}`)
    const stops = to === 'failed' && context.stopOnFailure && context.sweep === null && counts.waiting > 0
    const sweep: Sweep | null = stops ? { kind: 'CANCEL', because: 'FAILURE' } : context.sweep
    return accept(settled(context, { counts, sweep }, event.at))
  }

const beginRule: Rule<'command.begin'> = (args) =>
  args.context.sweep === null
    ? counting<On<'command.begin'>>('waiting', 'underWay')(args)
    : refuse('NOT_ITS_TURN', 'the batch is being stopped')

const sweepRule: Rule<'command.sweep'> = (args) =>
  args.context.sweep === null
    ? refuse('NOT_ITS_TURN', 'nothing is being cancelled or retried')
    : counting<On<'command.sweep'>>(args.event.from, args.event.to)(args)

const swept: Rule<'command.swept'> = ({ context, event }) => accept(settled(context, { sweep: null }, event.at))

const cancelRule: Rule<'command.cancel'> = ({ context, event }) => {
  if (context.sweep !== null) return refuse('BATCH_BUSY', 'the batch is being cancelled or retried already')
  return accept({ sweep: { kind: 'CANCEL', because: event.because }, cancelAsked: true })
}

const retryRule: Rule<'command.retry'> = ({ context, event: { requester } }) => {
  if (context.sweep !== null) return refuse('BATCH_BUSY', 'the batch is being cancelled or retried already')
  if (context.counts.failed === 0) return refuse('NOTHING_TO_RETRY', 'no item of the batch has failed')
  return accept({
    sweep: { kind: 'RETRY' },
    requester,
    endedAt: null,
    ...(context.cancelAsked === undefined ? {} : { cancelAsked: false }),
  })
}

const splitRule: Rule<'chain.split'> = (args) =>
  args.context.sweep === null && args.context.cancelAsked !== true
    ? counting<On<'chain.split'>>('underWay', 'waiting')(args)
    : refuse('NOT_ITS_TURN', 'the batch is being stopped')

const startPatch = ({ event }: GuardArgs<BatchContext, On<'command.start'>>): Patch => ({
  approval: event.approval,
  ...(event.debited === undefined ? {} : { debited: event.debited }),
})
const abandonPatch = ({ context, event }: GuardArgs<BatchContext, On<'command.abandon'>>): Patch => ({
  counts: { waiting: 0, underWay: 0, done: 0, failed: 0, cancelled: context.items },
  endedAt: event.at,
})
const approveRule: Rule<'command.approve'> = ({ context, event }) => {
  const outcome = approve(context.approval, event, event.at)
  return outcome.ok ? accept({ approval: outcome.value }) : outcome
}
const isGiven = (args: GuardArgs<BatchContext, On<'command.approve'>>): boolean => {
  const outcome = approveRule(args)
  return args.event.complete && outcome.ok && outcome.value.approval != null && isApproved(outcome.value.approval)
}
const needsApproval = ({ event }: GuardArgs<BatchContext, On<'command.start'>>): boolean => event.approval !== null

/** Rejects, changes and stays in the state, or changes and goes to the final state that follows from the counts. */
function toEnd<E>(decide: Decide<BatchContext, E, Patch>) {
  const ends =
    (state: string) =>
    (args: GuardArgs<BatchContext, E>): boolean => {
      const outcome = decide(args)
      return outcome.ok && endOf({ ...args.context, ...outcome.value }) === state
    }
  const [refusing, stay] = rule(decide)
  const to = <const T extends string>(state: T) =>
    ({ guard: { type: 'holds', params: ends(state) }, ...ruleTo(state, decide)[1] }) as const
  return [refusing, to('done'), to('failed'), to('cancelled'), stay] as const
}

const hasEnded = rejectAlways('BATCH_ENDED', 'the batch has ended')
const isNotStarted = rejectAlways('NOT_STARTED', 'the batch has not begun')
const waitsForNothing = rejectAlways('NOT_WAITING_FOR_APPROVAL', 'the batch does not wait for approval')

const counts = {
  'command.begin': rule(beginRule),
  'command.make': toEnd(counting<On<'command.make'>>('waiting', 'done')),
  'command.fail': toEnd(counting<On<'command.fail'>>('waiting', 'failed')),
  'chain.done': toEnd(counting<On<'chain.done'>>('underWay', 'done')),
  'chain.failed': toEnd(counting<On<'chain.failed'>>('underWay', 'failed')),
  'chain.split': rule(splitRule),
} as const

const sweeps = { 'command.sweep': rule(sweepRule), 'command.swept': toEnd(swept) } as const
const [refuseApproval, approveInPart] = rule(approveRule)
const [refuseRetry, retryFrom] = ruleTo('underWay', retryRule)

export const batchMachine = recordSetup<BatchContext, BatchEvent, BatchInput, 'ended'>().createMachine({
  id: 'batch',
  description: 'Up to 10,000 items of one operation, made in as few transactions as fit.',
  context: ({ input }) => ({ ...input.batch }),
  on: {
    'command.start': rejectAlways('STARTED', 'the batch has begun already'),
    'command.abandon': rejectAlways('STARTED', 'the batch has begun already'),
    'command.approve': waitsForNothing,
    'command.begin': isNotStarted,
    'command.make': isNotStarted,
    'command.fail': isNotStarted,
    'chain.done': isNotStarted,
    'chain.failed': isNotStarted,
    'chain.split': isNotStarted,
    'command.cancel': hasEnded,
    'command.retry': rejectAlways('NOTHING_TO_RETRY', 'no item of the batch has failed'),
    'command.sweep': hasEnded,
    'command.swept': hasEnded,
    '*': unknownEvent,
  },
  initial: 'preparing',
  states: {
    preparing: {
      description: 'Its items are being written; it is not acknowledged yet.',
      on: {
        'command.start': [
          {
            guard: { type: 'holds', params: needsApproval },
            target: 'prepared',
            actions: [{ type: 'change', params: startPatch }, { type: 'accept' }],
          },
          { target: 'underWay', actions: [{ type: 'change', params: startPatch }, { type: 'accept' }] },
        ],
        'command.abandon': changeTo('cancelled', abandonPatch),
        'command.cancel': isNotStarted,
      },
    },
    prepared: {
      description: 'As a whole it exceeds debit limits: it waits for approval.',
      on: {
        'command.approve': [
          refuseApproval,
          { guard: { type: 'holds', params: isGiven }, ...ruleTo('underWay', approveRule)[1] },
          approveInPart,
        ],
        'command.cancel': rule(cancelRule),
        ...sweeps,
      },
    },
    underWay: {
      description: 'Items wait or are under way.',
      on: { ...counts, ...sweeps, 'command.cancel': rule(cancelRule), 'command.retry': rule(retryRule) },
    },
    done: { description: 'Every item happened.', tags: 'ended' },
    failed: {
      description: 'Every item has ended, and some failed.',
      tags: 'ended',
      on: { 'command.retry': [refuseRetry, retryFrom] },
    },
    cancelled: { description: 'Every item has ended; some were cancelled and none failed.', tags: 'ended' },
  },
})
