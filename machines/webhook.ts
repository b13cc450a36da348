// A webhook: which events of an organization go where, and how far that has got. Everything up to `cursor` is delivered, but for what
// `waiting` names: of such a resource nothing is delivered from its sequence on until that one is.
// A disabled webhook keeps its place; told to redeliver, it goes on from there.
import { assign, emit, setup } from 'xstate'
import { acceptance, fine, never, refuse, refused, rejection, rule, ruleTo, unknownEvent, type Decide } from './answer.ts'
import type { Answer } from './protocol.ts'

/** A resource whose next event could not be delivered. Instants are ISO 8601 in UTC. */
export interface Waiting {
  /** Offchain id. */
  readonly resource: string
  /** Of the first of its events that is not delivered. */
  readonly sequence: number
  /** Tries of that event that have failed. */
  readonly failures: number
  /** When the next try is due. */
  readonly dueAt: string
}

/** One try to deliver one event. */
export interface Attempt {
  readonly eventId: string
  readonly sequence: number
  readonly type: string
  /** From 1. */
  readonly attempt: number
  readonly at: string
  /** HTTP status; null: there was no answer. */
  readonly status: number | null
  /** Why it counts as failed; null: delivered. */
  readonly error: string | null
}

/** By whom it was disabled: a request, the target's 410, or the end of all tries. */
export type DisabledBecause = 'REQUESTED' | 'GONE' | 'EXHAUSTED'

export interface WebhookContext {
  /** External id. */
  readonly organization: string
  readonly url: string
  /** Types of events, or beginnings of them that end with `*`. */
  readonly eventTypes: readonly string[]
  readonly createdAt: string
  readonly createdBy: string
  /** A sequence of the tenant's events. */
  readonly cursor: number
  readonly waiting: readonly Waiting[]
  /** Counts the redeliveries: progress of before one is not of this one. */
  readonly round: number
  /** The latest tries, newest first. */
  readonly attempts: readonly Attempt[]
  readonly lastDeliveredAt: string | null
  readonly rotatedAt: string | null
  /** Until when the secret before the last rotation signs too. */
  readonly previousSecretUntil: string | null
  readonly disabledAt: string | null
  readonly disabledBecause: DisabledBecause | null
}

export type WebhookState = 'enabled' | 'disabled'

/** How far the deliveries of a round have got. `attempts` are those since it was last told, oldest first. */
interface Progress {
  readonly round: number
  readonly cursor: number
  readonly waiting: readonly Waiting[]
  readonly attempts: readonly Attempt[]
}

export type WebhookEvent =
  | { readonly type: 'command.rotate'; readonly at: string; readonly graceUntil: string | null }
  | { readonly type: 'command.disable'; readonly at: string }
  /** `after`: everything after that sequence is delivered again; null: what waits is tried at once. */
  | { readonly type: 'command.redeliver'; readonly at: string; readonly after: number | null }
  | (Progress & { readonly type: 'clock.progressed' })
  /** It is given up. */
  | (Progress & { readonly type: 'clock.ended'; readonly at: string; readonly because: 'GONE' | 'EXHAUSTED' })

export interface WebhookInput {
  readonly webhook: WebhookContext
}

/** Tries kept in the record. */
export const ATTEMPTS_KEPT = 50
/** Resources that may wait at the same time; until there is room again nothing new is tried. */
export const WAITING_MOST = 32

type On<K extends WebhookEvent['type']> = Extract<WebhookEvent, { readonly type: K }>
type Changes = Partial<WebhookContext>

const rotating: Decide<WebhookContext, On<'command.rotate'>, Changes> = ({ event }) =>
  fine({ rotatedAt: event.at, previousSecretUntil: event.graceUntil })

const disabling: Decide<WebhookContext, On<'command.disable'>, Changes> = ({ event }) =>
  fine({ disabledAt: event.at, disabledBecause: 'REQUESTED' })

/** What waited for longer than `after` goes on waiting, or it would be lost. */
const redelivering: Decide<WebhookContext, On<'command.redeliver'>, Changes> = ({ context, event }) => {
  const after = event.after ?? context.cursor
  if (after > context.cursor) return refuse('NOT_DELIVERED_YET', `deliveries stand at sequence ${context.cursor}`)
  const waiting = context.waiting
    .filter(({ sequence }) => sequence <= after)
    .map((resource) => ({ ...resource, failures: 0, dueAt: event.at }))
  return fine({ round: context.round + 1, cursor: after, waiting, disabledAt: null, disabledBecause: null })
}

const progressing: Decide<WebhookContext, Progress, Changes> = ({ context, event }) => {
  const { round, cursor, waiting, attempts } = event
  if (round !== context.round) return refuse('ROUND_OVER', `this is round ${context.round}, not ${round}`)
  if (cursor < context.cursor) return refuse('CURSOR_BEHIND', `deliveries stand at sequence ${context.cursor} already`)
  if (waiting.length > WAITING_MOST) return refuse('TOO_MANY_WAIT', `at most ${WAITING_MOST} resources wait`)
  const delivered = attempts.findLast(({ error }) => error === null)
  return fine({
    cursor,
    waiting,
    attempts: [...attempts.toReversed(), ...context.attempts].slice(0, ATTEMPTS_KEPT),
    lastDeliveredAt: delivered?.at ?? context.lastDeliveredAt,
  })
}

const ending: Decide<WebhookContext, On<'clock.ended'>, Changes> = (asked) => {
  const progress = progressing(asked)
  const { at, because } = asked.event
  return progress.ok ? fine({ ...progress.value, disabledAt: at, disabledBecause: because }) : progress
}

export const webhookMachine = setup({
  types: {
    context: {} as WebhookContext,
    events: {} as WebhookEvent,
    input: {} as WebhookInput,
    emitted: {} as Answer,
    tags: {} as 'delivering',
  },
  guards: { refused },
  actions: {
    change: assign((_, patch: Changes) => patch),
    accept: emit(acceptance),
    reject: emit(rejection),
  },
}).createMachine({
  id: 'webhook',
  description: 'Where events of an organization are delivered, and how far that has got.',
  context: ({ input }) => ({ ...input.webhook }),
  on: { 'command.rotate': rule(rotating), '*': unknownEvent },
  initial: 'enabled',
  states: {
    enabled: {
      description: 'Events are delivered, and what fails is tried again.',
      tags: 'delivering',
      on: {
        'command.disable': ruleTo('disabled', disabling),
        'command.redeliver': rule(redelivering),
        'clock.progressed': rule(progressing),
        'clock.ended': ruleTo('disabled', ending),
      },
    },
    disabled: {
      description: 'Nothing is delivered; it keeps its place, and goes on from there when told to redeliver.',
      on: {
        'command.disable': never('ALREADY_DISABLED', 'the webhook is disabled already'),
        'command.redeliver': ruleTo('enabled', redelivering),
        'clock.progressed': never('DISABLED', 'the webhook is disabled'),
        'clock.ended': never('DISABLED', 'the webhook is disabled'),
      },
    },
  },
})
