// The durable nonce machine: the value that a message may carry instead of a blockhash, and the transaction it is
// leased to. Guarantees: one lease at a time; a lease ends only when the chain shows another value, finalized, and
// never by an older read. Nothing is taken from a leased nonce, and a nonce from which something is taken is not
// leased: a withdrawal may end the account, and a transaction under its value could then neither land nor be proven
// void.
import {
  change,
  changeTo,
  accept,
  known,
  rejectAlways,
  refuse,
  rule,
  ruleTo,
  type GuardArgs,
  type Decide,
} from './answer.ts'
import type { AccountRef, Holding, HoldingEvent } from './holding.ts'
import { reserveRule } from './holding-rules.ts'
import {
  anyHolding,
  closedHolding,
  holdingAccepted,
  creationPatch,
  existedBefore,
  liveHolding,
  pendingHolding,
} from './holding-states.ts'
import { recordSetup } from './record-setup.ts'
import { startStates } from './start.ts'

export interface NonceLease {
  readonly transactionId: string
  /** The nonce value in the leased transaction. */
  readonly value: string
  readonly at: string
  /** The transaction of this service that advances the nonce to void the leased one. */
  readonly voidedBy: string | null
}

export interface NonceContext extends Holding {
  /** The account that signs the advance. */
  readonly authority: AccountRef
  /** Last value read from the chain, finalized; null before the first read. */
  readonly value: string | null
  /** Slot of that read; reads of earlier slots are ignored. */
  readonly valueSlot: number | null
  readonly lease: NonceLease | null
}

export type NonceEvent =
  | HoldingEvent
  /**
   * Rejected with NONCE_UNAVAILABLE unless the nonce is free and holds `value`. Repeating the same lease changes
   * nothing.
   */
  | { readonly type: 'command.lease'; readonly transactionId: string; readonly value: string; readonly at: string }
  /** Transaction `by` will advance the nonce, so that the leased transaction `transactionId` never lands. */
  | { readonly type: 'command.void'; readonly transactionId: string; readonly by: string }
  /** The value on chain, finalized, as of `slot`. Any value other than the leased one ends the lease. */
  | { readonly type: 'chain.advanced'; readonly value: string; readonly slot: number; readonly authority?: AccountRef }

export interface NonceInput {
  readonly holding: NonceContext
  readonly state: 'pending' | 'active'
}

type On<K extends NonceEvent['type']> = Extract<NonceEvent, { readonly type: K }>
type Rule<K extends NonceEvent['type']> = Decide<NonceContext, On<K>, Partial<NonceContext>>
type Shown = GuardArgs<NonceContext, On<'chain.advanced'>>

const leaseRule: Rule<'command.lease'> = ({ context, event }) => {
  if (context.frozenByOperator) return refuse('FROZEN', `${context.address} is frozen by an operator`)
  if (context.lamports.reserved !== '0')
    return refuse('NONCE_UNAVAILABLE', `an open transaction takes from ${context.address}`)
  if (context.value === null) return refuse('NONCE_UNAVAILABLE', `the value of ${context.address} is not known yet`)
  if (context.value !== event.value)
    return refuse('NONCE_UNAVAILABLE', `${context.address} has moved on to another value`)
  const { transactionId, value, at } = event
  return accept({ lease: { transactionId, value, at, voidedBy: null } })
}

const takeRule: Rule<'command.reserve'> = ({ context, event }) =>
  context.lease === null
    ? reserveRule({ context, event })
    : refuse('NONCE_LEASED', `${context.address} is leased to transaction ${context.lease.transactionId}`)

/** A second signature of the same transaction, or the advance that voids it: the lease continues. */
const repeatLeaseRule: Rule<'command.lease'> = ({ context, event }) => {
  const { lease } = context
  const same =
    lease?.value === event.value &&
    (lease.transactionId === event.transactionId || lease.voidedBy === event.transactionId)
  return same ? accept({}) : refuse('NONCE_UNAVAILABLE', `${context.address} is in use`)
}

const voidRule: Rule<'command.void'> = ({ context, event }) =>
  context.lease?.transactionId === event.transactionId
    ? accept({ lease: { ...context.lease, voidedBy: event.by } })
    : refuse('NOT_LEASED', `${context.address} is leased to another transaction`)

const isOlder = ({ context, event }: Shown): boolean => context.valueSlot !== null && event.slot < context.valueSlot
const isLeasedValue = ({ context, event }: Shown): boolean => context.lease?.value === event.value

function shown({ context, event }: Shown): Partial<NonceContext> {
  return { value: event.value, valueSlot: event.slot, authority: event.authority ?? context.authority }
}

const unleased = (reading: Shown): Partial<NonceContext> => ({ ...shown(reading), lease: null })
const isLeased = ({ context }: GuardArgs<NonceContext, unknown>): boolean => context.lease !== null

const older = { guard: { type: 'holds', params: isOlder }, ...known } as const
/** The fork that created the account was dropped during a lease, and it is created again. */
const madeAgain = { guard: { type: 'holds', params: isLeased }, ...changeTo('leased', creationPatch) } as const
const pending = rejectAlways('NONCE_UNAVAILABLE', 'the nonce account does not exist yet')
const closed = rejectAlways('CLOSED', 'the nonce account is gone')
const notLeased = rejectAlways('NOT_LEASED', 'it is leased to no transaction')

export const nonceMachine = recordSetup<NonceContext, NonceEvent, NonceInput, 'live' | 'gone'>(
  holdingAccepted,
).createMachine({
  id: 'nonce',
  description:
    'A durable nonce: a value on chain that keeps a transaction valid until it is used, however long its signatures take.',
  context: ({ input }) => ({ ...input.holding }),
  on: anyHolding,
  initial: 'arriving',
  states: {
    arriving: startStates('pending', 'active'),
    pending: {
      description: 'A transaction that creates the nonce account is pending.',
      on: {
        ...pendingHolding('active'),
        'chain.created': [madeAgain, changeTo('active', creationPatch)],
        'command.reserve': rule(takeRule),
        'command.lease': pending,
        'command.void': rule(voidRule),
        'chain.advanced': [older, change(shown)],
      },
    },
    active: {
      description: 'Free: its value can be leased to one transaction.',
      tags: 'live',
      on: {
        ...liveHolding,
        'command.lease': ruleTo('leased', leaseRule),
        'command.void': notLeased,
        'chain.advanced': [older, change(shown)],
      },
    },
    leased: {
      description: 'Its value belongs to a transaction that may still land; nobody else gets it.',
      tags: 'live',
      on: {
        ...liveHolding,
        'command.inactivate': rejectAlways('NONCE_LEASED', 'a transaction that may land uses it'),
        'command.reserve': rule(takeRule),
        'command.lease': rule(repeatLeaseRule),
        'command.void': rule(voidRule),
        'chain.advanced': [
          older,
          { guard: { type: 'holds', params: isLeasedValue }, ...change(shown) },
          changeTo('active', unleased),
        ],
      },
    },
    closed: {
      description: 'The nonce account is gone from the chain or was never created; its record is kept for ever.',
      tags: 'gone',
      on: {
        ...closedHolding('active', 'leased'),
        'chain.created': [existedBefore, madeAgain, changeTo('active', creationPatch)],
        'command.lease': closed,
        'command.void': closed,
        'chain.advanced': closed,
      },
    },
  },
})
