// The position machine: a token account of one owner in one instrument, with a balance of tokens and one of lamports.
// `frozen` is the state of the token account on chain; a freeze by an operator is `frozenByOperator`, as on every
// holding.
import { recordSetup } from './record-setup.ts'
import { change, changeTo, rejectAlways, refuse, rule, type GuardArgs, type Decide } from './answer.ts'
import type { BooksPatch } from './books.ts'
import type { AccountRef, Book, Holding, HoldingEvent } from './holding.ts'
import { reserveRule, type On } from './holding-rules.ts'
import {
  anyHolding,
  closedHolding,
  holdingAccepted,
  creationPatch,
  existedBefore,
  liveHolding,
  pendingHolding,
} from './holding-states.ts'
import type { Touch } from './protocol.ts'
import { startStates } from './start.ts'

/** Rights over a token account besides its owner's; null: nobody, or the owner. */
export interface OtherAuthorities {
  readonly closeAuthority: AccountRef | null
  readonly delegate: AccountRef | null
}

export interface PositionContext extends Holding {
  readonly owner: AccountRef
  /** null: the owner only. Absent in rows older than this member: unknown. */
  readonly otherAuthorities?: OtherAuthorities | null
  readonly mint: AccountRef
  readonly program: 'SPL' | 'TOKEN_2022'
  /** Decimals of the mint. */
  readonly decimals: number
  readonly tokens: Book
}

export type PositionEvent =
  | Exclude<HoldingEvent, { readonly type: 'command.reserve' }>
  /** `thawing`: the same transaction thaws the account first, so that the frozen state does not matter. */
  | (On<'command.reserve'> & { readonly thawing?: boolean })
  /** The token account exists (pending -> initialized or frozen); for a live one: its present state. */
  | { readonly type: 'chain.initialized'; readonly touch: Touch; readonly frozen: boolean }
  | { readonly type: 'chain.frozen'; readonly touch?: Touch }
  | { readonly type: 'chain.thawed'; readonly touch?: Touch }
  /** The chain shows another owner, close authority or delegate. Without `others`: the known authorities stay. */
  | { readonly type: 'chain.ownerChanged'; readonly owner: AccountRef; readonly others?: OtherAuthorities | null }

export interface PositionInput {
  readonly holding: PositionContext
  readonly state: 'pending' | 'initialized' | 'frozen'
}

type Reserve = Extract<PositionEvent, { readonly type: 'command.reserve' }>
type Initialized = Extract<PositionEvent, { readonly type: 'chain.initialized' }>
type OwnerChanged = Extract<PositionEvent, { readonly type: 'chain.ownerChanged' }>

const reserveFrozenRule: Decide<PositionContext, Reserve, BooksPatch> = ({ context, event }) =>
  event.asset === 'tokens' && event.thawing !== true
    ? refuse('POSITION_FROZEN', `${context.address} is frozen on chain`)
    : reserveRule({ context, event })

const isFrozen = ({ event }: GuardArgs<PositionContext, Initialized>) => event.frozen

const initialized = [
  { guard: { type: 'holds', params: isFrozen }, ...changeTo('frozen', creationPatch) },
  changeTo('initialized', creationPatch),
] as const

function touch({ event }: GuardArgs<PositionContext, { readonly touch?: Touch }>) {
  return event.touch === undefined ? {} : { last: event.touch }
}

const owned = change(({ event }: GuardArgs<PositionContext, OwnerChanged>) => ({
  owner: event.owner,
  ...(event.others === undefined ? {} : { otherAuthorities: event.others }),
}))

const pending = rejectAlways('PENDING', 'the token account does not exist yet')
const closed = rejectAlways('CLOSED', 'the token account is gone')

export const positionMachine = recordSetup<PositionContext, PositionEvent, PositionInput, 'live' | 'gone'>(
  holdingAccepted,
).createMachine({
  id: 'position',
  description:
    'A token account of one owner in one instrument, with a book of its tokens beside that of its network currency.',
  context: ({ input }) => ({ ...input.holding }),
  on: anyHolding,
  initial: 'arriving',
  states: {
    arriving: startStates('pending', 'initialized', 'frozen'),
    pending: {
      description: 'A transaction that opens it is pending.',
      on: {
        ...pendingHolding('initialized'),
        'chain.initialized': initialized,
        'chain.frozen': pending,
        'chain.thawed': pending,
        'chain.ownerChanged': pending,
      },
    },
    initialized: {
      description: 'It is open: tokens can be received, and moved as far as rights and limits allow.',
      tags: 'live',
      on: {
        ...liveHolding,
        'chain.initialized': initialized,
        'chain.frozen': changeTo('frozen', touch),
        'chain.thawed': change(touch),
        'chain.ownerChanged': owned,
      },
    },
    frozen: {
      description: 'Frozen on chain by the freeze authority of its instrument: no tokens move in or out.',
      tags: 'live',
      on: {
        ...liveHolding,
        'command.reserve': rule(reserveFrozenRule),
        'chain.initialized': initialized,
        'chain.frozen': change(touch),
        'chain.thawed': changeTo('initialized', touch),
        'chain.ownerChanged': owned,
      },
    },
    closed: {
      description: 'It is gone from the chain or was never opened; its record is kept for ever.',
      tags: 'gone',
      on: {
        ...closedHolding('initialized', 'frozen'),
        'chain.initialized': [existedBefore, ...initialized],
        'chain.frozen': closed,
        'chain.thawed': closed,
        'chain.ownerChanged': closed,
      },
    },
  },
})
