// Transitions shared by all holdings: for every state, and for pending, live and closed states. Each state of a holding
// spreads one of these, so that accounts, positions and instruments behave alike.
import { change, changeTo, goTo, known, rejectAlways, rule, ruleTo, unknownEvent, type GuardArgs } from './answer.ts'
import { anyNegative, type Books } from './books.ts'
import type { Holding } from './holding.ts'
import {
  freezeRule,
  inactivateRule,
  observeRule,
  payRentRule,
  releaseRule,
  reserveRule,
  settleRule,
  undoRule,
  unfreezeRule,
  updateRule,
  updateClosedRule,
  type On,
} from './holding-rules.ts'
import type { AcceptedEvent } from './protocol.ts'

const closed = (what: string) => rejectAlways('CLOSED', what)
const pending = (what: string) => rejectAlways('PENDING', what)

/** A closed record that did exist stays closed: a new account at its address is a new record. */
export const existedBefore = {
  guard: { type: 'holds', params: ({ context }: GuardArgs<Holding, unknown>) => context.creation !== null },
  ...closed('it is closed permanently; its address needs a new record'),
} as const

/** Root transitions, the same in every state. Balances accept facts even after the record is closed. */
export const anyHolding = {
  'command.freeze': rule(freezeRule),
  'command.unfreeze': rule(unfreezeRule),
  'chain.settled': rule(settleRule),
  'chain.undone': rule(undoRule),
  'chain.released': rule(releaseRule),
  'chain.observed': rule(observeRule),
  'chain.rentPaid': rule(payRentRule),
  '*': unknownEvent,
} as const

/**
 * Transitions while the creation is in flight.
 *
 * @param live the state of the record once it exists
 */
export function pendingHolding<const Live extends string>(live: Live) {
  return {
    'command.reserve': rule(reserveRule),
    'command.update': rule(updateRule),
    'command.inactivate': pending('its creation is pending'),
    'chain.created': changeTo(live, creationPatch),
    'chain.uncreated': known,
    'chain.abandoned': goTo('closed'),
    // Created and closed by one transaction.
    'chain.closed': changeTo('closed', lastTouch),
    'chain.reopened': rejectAlways('NOT_CLOSED', 'it is not closed'),
  } as const
}

/** Transitions while the account exists, on chain or as an address that needs no creation. */
export const liveHolding = {
  'command.reserve': rule(reserveRule),
  'command.update': rule(updateRule),
  'command.inactivate': ruleTo('closed', inactivateRule),
  'chain.created': change(creationPatch),
  'chain.uncreated': [
    { guard: { type: 'holds', params: createdByAnother }, ...known },
    changeTo('pending', () => ({ creation: null })),
  ],
  // Several transactions would have created it: this one did not land, another did.
  'chain.abandoned': known,
  'chain.closed': changeTo('closed', lastTouch),
  'chain.reopened': rejectAlways('NOT_CLOSED', 'it is not closed'),
} as const

/**
 * Transitions of a closed record.
 *
 * @param lives the states that a dropped fork may restore; the first is also the target when the creation was given up
 * and another transaction created the account after all
 */
export function closedHolding<const Lives extends readonly [string, ...string[]]>(...lives: Lives) {
  return {
    'command.reserve': closed('nothing can be taken from a closed record'),
    'command.update': rule(updateClosedRule),
    'command.inactivate': closed('it is closed already'),
    'chain.created': [existedBefore, changeTo(lives[0] as Lives[0], creationPatch)],
    'chain.uncreated': closed('it is closed'),
    'chain.abandoned': known,
    'chain.closed': known,
    'chain.reopened': [
      ...lives.map((live) => reopening(live as Lives[number])),
      rejectAlways('UNKNOWN_STATE', 'no such state to reopen as'),
    ],
  } as const
}

/** Body of a holding's `accept`: adds the notice BOOK_NEGATIVE when a balance is below zero. */
export function holdingAccepted({
  context,
  event,
}: {
  readonly context: Books
  readonly event: { readonly type: string }
}): AcceptedEvent {
  return anyNegative(context)
    ? { type: 'accepted', event: event.type, notice: 'BOOK_NEGATIVE' }
    : { type: 'accepted', event: event.type }
}

function createdByAnother({ context, event }: GuardArgs<Holding, On<'chain.uncreated'>>): boolean {
  return event.by !== undefined && context.creation?.transactionId !== event.by
}

function reopening<const Live extends string>(live: Live) {
  const params = ({ event }: GuardArgs<unknown, On<'chain.reopened'>>) => event.as === live
  return { guard: { type: 'holds', params }, target: live, actions: { type: 'accept' } } as const
}

function lastTouch({ event }: GuardArgs<Holding, { readonly touch?: NonNullable<Holding['last']> }>) {
  return event.touch === undefined ? {} : { last: event.touch }
}

/** The first creation counts. A further one changes only `last`, which records the tenant's own transactions. */
export function creationPatch({
  context,
  event,
}: GuardArgs<Holding, { readonly touch: NonNullable<Holding['last']> }>) {
  const { touch } = event
  return { creation: context.creation ?? touch, ...(touch.transactionId === null ? {} : { last: touch }) }
}
