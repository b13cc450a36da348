// A distribution: an amount paid pro rata to the holders of an instrument as of its record instant. Its parts are
// computed once, when nothing before the instant can change any more, and stored with the decision; the unit of work
// that starts a batch of payments also records the batch here, so every part is paid at most once.
import { recordSetup } from './record-setup.ts'
import { changeTo, rejectAlways, refuse, accept, rule, unknownEvent, type GuardArgs, type Decide } from './answer.ts'
import type { AccountRef } from './holding.ts'
import type { PlanRequester } from './transactions/plan.ts'
import type { Raw } from './protocol.ts'

export interface DistributionProblem {
  readonly code: string
  readonly message: string
}

/** What is paid. Amounts are display units as requested; exactly one is given. */
export interface DistributionPayout {
  /** null: network currency. */
  readonly instrument: AccountRef | null
  readonly total: string | null
  readonly perUnit: string | null
}

export interface DistributionParts {
  readonly holders: number
  readonly paid: number
  readonly total: Raw
  /** The amount that is not paid and stays at the source. */
  readonly remainder: Raw
  readonly computedAt: string
}

export interface DistributionContext {
  readonly organization: string
  readonly endpoint: string
  readonly requestId: string
  /** The rights used to pay the parts: those of the request, at the time it was accepted. */
  readonly requester: PlanRequester
  readonly instrument: AccountRef
  readonly recordAt: string
  /** Lookup of the paying position, or of the wallet for network currency. JSON. */
  readonly source: unknown
  readonly payout: DistributionPayout
  /** Addresses of owners that get nothing. */
  readonly excluded: readonly string[]
  /** Minimum part in display units; smaller parts are not paid. */
  readonly minimum: string | null
  /** The request's `chainTransactionConfig`. JSON. */
  readonly config: unknown
  readonly externalReference: string | null
  /** null: not computed yet. */
  readonly parts: DistributionParts | null
  /** Batches that were started, in the order of the parts. */
  readonly batches: readonly string[]
  readonly problem: DistributionProblem | null
  readonly createdAt: string
  readonly endedAt: string | null
}

export type DistributionState = 'waiting' | 'paying' | 'done' | 'failed' | 'cancelled'

export type DistributionEvent =
  /** The parts are computed and stored. If there are none, `command.fail` follows in the same unit of work. */
  | { readonly type: 'command.compute'; readonly parts: DistributionParts }
  /** A batch of the next parts is started. */
  | { readonly type: 'command.pay'; readonly batchId: string; readonly place: number }
  /** No part, or no further part, can be paid. */
  | { readonly type: 'command.fail'; readonly problem: DistributionProblem; readonly at: string }
  /** Every batch has ended. */
  | { readonly type: 'command.finish'; readonly outcome: 'done' | 'failed' | 'cancelled'; readonly at: string }
  | { readonly type: 'command.cancel'; readonly at: string }

export interface DistributionInput {
  readonly distribution: DistributionContext
}

type On<K extends DistributionEvent['type']> = Extract<DistributionEvent, { readonly type: K }>
type Patch = Partial<DistributionContext>
type Rule<K extends DistributionEvent['type']> = Decide<DistributionContext, On<K>, Patch>

const computePatch = ({ event }: GuardArgs<DistributionContext, On<'command.compute'>>): Patch => ({
  parts: event.parts,
})
const payRule: Rule<'command.pay'> = ({ context, event }) =>
  event.place === context.batches.length
    ? accept({ batches: [...context.batches, event.batchId] })
    : refuse('NOT_ITS_TURN', `${context.batches.length} batches are started`)
const failPatch = ({ event }: GuardArgs<DistributionContext, On<'command.fail'>>): Patch => ({
  problem: event.problem,
  endedAt: event.at,
})
const endPatch = ({ event }: GuardArgs<DistributionContext, { readonly at: string }>): Patch => ({ endedAt: event.at })
const endsIn =
  (outcome: string) =>
  ({ event }: GuardArgs<DistributionContext, On<'command.finish'>>): boolean =>
    event.outcome === outcome
const finishTo = <const T extends 'done' | 'failed' | 'cancelled'>(state: T) =>
  ({ guard: { type: 'holds', params: endsIn(state) }, ...changeTo(state, endPatch) }) as const

const hasEnded = rejectAlways('DISTRIBUTION_ENDED', 'the distribution has ended')
const isNotPaying = rejectAlways('NOT_PAYING', 'the parts of the distribution are not computed')

export const distributionMachine = recordSetup<
  DistributionContext,
  DistributionEvent,
  DistributionInput,
  'ended'
>().createMachine({
  id: 'distribution',
  description: 'An amount paid pro rata to the holders of an instrument as of an instant.',
  context: ({ input }) => ({ ...input.distribution }),
  on: {
    'command.compute': hasEnded,
    'command.pay': hasEnded,
    'command.fail': hasEnded,
    'command.finish': hasEnded,
    'command.cancel': hasEnded,
    '*': unknownEvent,
  },
  initial: 'waiting',
  states: {
    waiting: {
      description: 'Its record instant has not come, or a fork could still change what was held.',
      on: {
        'command.compute': changeTo('paying', computePatch),
        'command.pay': isNotPaying,
        'command.finish': isNotPaying,
        'command.fail': changeTo('failed', failPatch),
        'command.cancel': changeTo('cancelled', endPatch),
      },
    },
    paying: {
      description: 'Its parts are fixed, and batches pay them.',
      on: {
        'command.compute': rejectAlways('COMPUTED', 'the parts are computed already'),
        'command.pay': rule(payRule),
        'command.fail': changeTo('failed', failPatch),
        'command.finish': [finishTo('done'), finishTo('failed'), finishTo('cancelled')],
        'command.cancel': rejectAlways('DISTRIBUTION_PAYING', 'the distribution is being paid: cancel its batches'),
      },
    },
    done: { description: 'Every part is paid, and every payment is final.', tags: 'ended' },
    failed: { description: 'Nothing is paid, or some parts provably were not.', tags: 'ended' },
    cancelled: { description: 'It was cancelled, or parts of it were.', tags: 'ended' },
  },
})
