// The instrument machine: a mint, its authorities and metadata, and its circulating supply. `paused` is a fact of the
// chain: facts and plans continue, but no tokens move until it is resumed.
import { recordSetup } from './record-setup.ts'
import { change, changeTo, rejectAlways, rule, type GuardArgs } from './answer.ts'
import type { HoldingEvent } from './holding.ts'
import { anyHolding, closedHolding, holdingAccepted, liveHolding, pendingHolding } from './holding-states.ts'
import type { Configuration, Description, InstrumentContext } from './instrument-record.ts'
import { configureRule, describeRule, limitRule } from './instrument-rules.ts'
import type { Raw, Touch } from './protocol.ts'
import { startStates } from './start.ts'

export type InstrumentEvent =
  | HoldingEvent
  | { readonly type: 'command.describe'; readonly changes: Description }
  /** null removes the limit. */
  | { readonly type: 'command.limit'; readonly maxSupply: Raw | null }
  /**
   * Authorities, metadata, default state or multiplier changed on chain. Undone by an event with the previous values.
   */
  | { readonly type: 'chain.configured'; readonly changes: Configuration; readonly touch?: Touch }
  | { readonly type: 'chain.paused'; readonly touch?: Touch }
  | { readonly type: 'chain.resumed'; readonly touch?: Touch }

export interface InstrumentInput {
  readonly holding: InstrumentContext
  readonly state: 'pending' | 'active' | 'paused'
}

type Switched = GuardArgs<InstrumentContext, { readonly touch?: Touch }>

const paused = ({ event }: Switched) => ({ paused: true, ...(event.touch === undefined ? {} : { last: event.touch }) })
const resumed = ({ event }: Switched) => ({
  paused: false,
  ...(event.touch === undefined ? {} : { last: event.touch }),
})
const pending = rejectAlways('PENDING', 'the mint does not exist yet')
const closed = rejectAlways('CLOSED', 'the mint is gone')
const described = {
  'command.describe': rule(describeRule),
  'command.limit': rule(limitRule),
  'chain.configured': rule(configureRule),
} as const

export const instrumentMachine = recordSetup<InstrumentContext, InstrumentEvent, InstrumentInput, 'live' | 'gone'>(
  holdingAccepted,
).createMachine({
  id: 'instrument',
  description: 'A token: its mint, its authorities and metadata, and a book of its circulating supply.',
  context: ({ input }) => ({ ...input.holding }),
  on: anyHolding,
  initial: 'arriving',
  states: {
    arriving: startStates('pending', 'active', 'paused'),
    pending: {
      description: 'A transaction that creates the mint is pending.',
      on: { ...pendingHolding('active'), ...described, 'chain.paused': pending, 'chain.resumed': pending },
    },
    active: {
      description: 'The mint exists, and its tokens can move.',
      tags: 'live',
      on: {
        ...liveHolding,
        ...described,
        'chain.paused': changeTo('paused', paused),
        'chain.resumed': change(resumed),
      },
    },
    paused: {
      description: 'Paused on chain by its pause authority: nothing of it moves until it is resumed.',
      tags: 'live',
      on: {
        ...liveHolding,
        ...described,
        'chain.paused': change(paused),
        'chain.resumed': changeTo('active', resumed),
      },
    },
    closed: {
      description: 'The mint is gone from the chain or was never created; its record is kept for ever.',
      tags: 'gone',
      on: {
        ...closedHolding('active', 'paused'),
        'command.describe': closed,
        'command.limit': closed,
        'chain.configured': closed,
        'chain.paused': closed,
        'chain.resumed': closed,
      },
    },
  },
})
