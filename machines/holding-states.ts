// Where the shared rules of a holding apply: the transitions of every state, of a pending, a live and a closed one.
// Each state of a holding spreads one of these, so that an account, a position and an instrument answer alike.
import { change, changeTo, go, known, never, rule, ruleTo, unknownEvent, type Asked } from './answer.ts'
import { anyNegative, type Books } from './books.ts'
import type { Holding } from './holding.ts'
import {
  freezing, inactivating, observing, payingRent, releasing, reserving, settling, undoing, unfreezing, updating, updatingClosed, type On,
} from './holding-rules.ts'
import type { Accepted } from './protocol.ts'

const closed = (what: string) => never('CLOSED', what)
const pending = (what: string) => never('PENDING', what)

/** A closed record that did exist stays closed: what is created at its address again is a new record. */
export const existedBefore = {
  guard: { type: 'holds', params: ({ context }: Asked<Holding, unknown>) => context.creation !== null },
  ...closed('it is closed for good; its address needs a new record'),
} as const

/** The root of a holding: what is answered alike in every state. Books take facts even after the record is closed. */
export const anyHolding = {
  'command.freeze': rule(freezing),
  'command.unfreeze': rule(unfreezing),
  'chain.settled': rule(settling),
  'chain.undone': rule(undoing),
  'chain.released': rule(releasing),
  'chain.observed': rule(observing),
  'chain.rentPaid': rule(payingRent),
  '*': unknownEvent,
} as const

/** Its creation is on the way. `live` is the state it has once it exists. */
export function pendingHolding<const Live extends string>(live: Live) {
  return {
    'command.reserve': rule(reserving),
    'command.update': rule(updating),
    'command.inactivate': pending('its creation is on the way'),
    'chain.created': changeTo(live, created),
    'chain.uncreated': known,
    'chain.abandoned': go('closed'),
    // Created and closed by one transaction.
    'chain.closed': changeTo('closed', lastTouch),
    'chain.reopened': never('NOT_CLOSED', 'it is not closed'),
  } as const
}

/** It exists, on chain or as an address that needs no creation. */
export const liveHolding = {
  'command.reserve': rule(reserving),
  'command.update': rule(updating),
  'command.inactivate': ruleTo('closed', inactivating),
  'chain.created': change(created),
  'chain.uncreated': [
    { guard: { type: 'holds', params: createdByAnother }, ...known },
    changeTo('pending', () => ({ creation: null })),
  ],
  // One of several transactions that would have created it did not land; another did.
  'chain.abandoned': known,
  'chain.closed': changeTo('closed', lastTouch),
  'chain.reopened': never('NOT_CLOSED', 'it is not closed'),
} as const

/**
 * Gone, and kept for ever. `lives` are the states a dead fork may bring it back to; the first is what it becomes when it was given up
 * (never created) and a second transaction created it after all.
 */
export function closedHolding<const Lives extends readonly [string, ...string[]]>(...lives: Lives) {
  return {
    'command.reserve': closed('nothing can be taken from a closed record'),
    'command.update': rule(updatingClosed),
    'command.inactivate': closed('it is closed already'),
    'chain.created': [existedBefore, changeTo(lives[0] as Lives[0], created)],
    'chain.uncreated': closed('it is closed'),
    'chain.abandoned': known,
    'chain.closed': known,
    'chain.reopened': [...lives.map((live) => reopening(live as Lives[number])), never('UNKNOWN_STATE', 'no such state to reopen as')],
  } as const
}

/** Body of a holding's `accept`: says so whenever a balance stands below zero afterwards. */
export function counted({ context, event }: { readonly context: Books; readonly event: { readonly type: string } }): Accepted {
  return anyNegative(context) ? { type: 'accepted', event: event.type, notice: 'BOOK_NEGATIVE' } : { type: 'accepted', event: event.type }
}

function createdByAnother({ context, event }: Asked<Holding, On<'chain.uncreated'>>): boolean {
  return event.by !== undefined && context.creation?.transactionId !== event.by
}

function reopening<const Live extends string>(live: Live) {
  const params = ({ event }: Asked<unknown, On<'chain.reopened'>>) => event.as === live
  return { guard: { type: 'holds', params }, target: live, actions: { type: 'accept' } } as const
}

function lastTouch({ event }: Asked<Holding, { readonly touch?: NonNullable<Holding['last']> }>) {
  return event.touch === undefined ? {} : { last: event.touch }
}

/** The first creation is the one that counts; another one changes only the last touch, which is of the tenant's own transactions. */
export function created({ context, event }: Asked<Holding, { readonly touch: NonNullable<Holding['last']> }>) {
  const { touch } = event
  return { creation: context.creation ?? touch, ...(touch.transactionId === null ? {} : { last: touch }) }
}
