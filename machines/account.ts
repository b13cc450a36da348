// The account machine: an address with a balance of network currency, and the rights and limits of its key.
import { goTo, type GuardArgs } from './answer.ts'
import { recordSetup } from './record-setup.ts'
import type { Holding, HoldingEvent } from './holding.ts'
import type { On } from './holding-rules.ts'
import { anyHolding, closedHolding, holdingAccepted, liveHolding, pendingHolding } from './holding-states.ts'
import { startStates } from './start.ts'

export interface AccountContext extends Holding {
  /** Decimals of the mint, if the account is a mint; otherwise null. */
  readonly tokenDecimals: number | null
  /** Of space reserved for a mint: the token program that the mint will have. Absent: not stated. */
  readonly tokenVersion?: 'SPL' | 'TOKEN_2022'
}

export type AccountEvent = HoldingEvent

export interface AccountInput {
  readonly holding: AccountContext
  readonly state: 'pending' | 'active'
}

export const accountMachine = recordSetup<AccountContext, AccountEvent, AccountInput, 'live' | 'gone'>(
  holdingAccepted,
).createMachine({
  id: 'account',
  description:
    'An address whose network currency is kept in the books, with the rights and limits that govern its key.',
  context: ({ input }) => ({ ...input.holding }),
  on: anyHolding,
  initial: 'arriving',
  states: {
    arriving: startStates('pending', 'active'),
    pending: {
      description: 'A transaction that creates it is pending.',
      on: {
        ...pendingHolding('active'),
        'chain.abandoned': [{ guard: { type: 'holds', params: isNeeded }, ...goTo('active') }, goTo('closed')],
      },
    },
    active: {
      description: 'It exists, on chain or as an address that needs no creation.',
      tags: 'live',
      on: liveHolding,
    },
    closed: {
      description: 'It is gone from the chain or was given up; its record is kept for ever.',
      tags: 'gone',
      on: closedHolding('active'),
    },
  },
})

function isNeeded({ event }: GuardArgs<Holding, On<'chain.abandoned'>>): boolean {
  return event.needed === true
}
