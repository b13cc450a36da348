// The webhook machine: the events of an organization to deliver, and the progress. All events up to `cursor` are
// delivered, except those of resources in `waiting`: for such a resource, no event from its `sequence` on is delivered
// until that one is. A disabled webhook keeps its position; redelivery continues from there.
import { recordSetup } from './record-setup.ts'
import { accept, rejectAlways, refuse, rule, ruleTo, unknownEvent, type Decide } from './answer.ts'

/** A resource whose next event could not be delivered. Times are ISO 8601 in UTC. */
export interface WaitingResource {
  /** Offchain id. */
  readonly resource: string
  /** Sequence of its first undelivered event. */
  readonly sequence: number
  /** Failed attempts for this event. */
  readonly failures: number
  /** Time of the next attempt. */
  readonly dueAt: string
}

/** One attempt to deliver one event. */
export interface DeliveryAttempt {
  readonly eventId: string
  readonly sequence: number
  readonly type: string
  /** From 1. */
  readonly attempt: number
  readonly at: string
  /** HTTP status; null: no response. */
  readonly status: number | null
  /** Reason of the failure; null: delivered. */
  readonly error: string | null
}

/** Cause: a request, status 410 from the target, or exhausted retries. */
export type DisabledBecause = 'REQUESTED' | 'GONE' | 'EXHAUSTED'

export interface WebhookContext {
  /** External id. */
  readonly organization: string
  readonly url: string
  /** Event types, or prefixes that end with `*`. */
  readonly eventTypes: readonly string[]
  readonly createdAt: string
  readonly createdBy: string
  /** A sequence of the tenant's events. */
  readonly cursor: number
  readonly waiting: readonly WaitingResource[]
  /** Number of redeliveries: progress of an earlier round is rejected. */
  readonly round: number
  /** Latest attempts, newest first. */
  readonly attempts: readonly DeliveryAttempt[]
  readonly lastDeliveredAt: string | null
  readonly rotatedAt: string | null
  /** End of the period in which the previous secret signs too. */
  readonly previousSecretUntil: string | null
  readonly disabledAt: string | null
  readonly disabledBecause: DisabledBecause | null
}

/** Delivery progress of a round. `attempts`: those since the last report, oldest first. */
interface Progress {
  readonly round: number
  readonly cursor: number
  readonly waiting: readonly WaitingResource[]
  readonly attempts: readonly DeliveryAttempt[]
}

export type WebhookEvent =
  | { readonly type: 'command.rotate'; readonly at: string; readonly graceUntil: string | null }
  | { readonly type: 'command.disable'; readonly at: string }
  /** `after`: delivers all events after this sequence again; null: retries the waiting ones at once. */
  | { readonly type: 'command.redeliver'; readonly at: string; readonly after: number | null }
  | (Progress & { readonly type: 'clock.progressed' })
  /** Delivery is given up. */
  | (Progress & { readonly type: 'clock.ended'; readonly at: string; readonly because: 'GONE' | 'EXHAUSTED' })

export interface WebhookInput {
  readonly webhook: WebhookContext
}

/** Number of attempts kept in the record. */
export const ATTEMPTS_KEPT = 50
/** Maximum number of waiting resources; at the limit, no further events are tried. */
export const MAX_WAITING_RESOURCES = 32

type On<K extends WebhookEvent['type']> = Extract<WebhookEvent, { readonly type: K }>
type Changes = Partial<WebhookContext>

const rotateRule: Decide<WebhookContext, On<'command.rotate'>, Changes> = ({ event }) =>
  accept({ rotatedAt: event.at, previousSecretUntil: event.graceUntil })

const disableRule: Decide<WebhookContext, On<'command.disable'>, Changes> = ({ event }) =>
  accept({ disabledAt: event.at, disabledBecause: 'REQUESTED' })

/** Resources that have waited since before `after` keep waiting; otherwise their events would be lost. */
const redeliverRule: Decide<WebhookContext, On<'command.redeliver'>, Changes> = ({ context, event }) => {
  const after = event.after ?? context.cursor
  if (after > context.cursor) return refuse('NOT_DELIVERED_YET', `deliveries stand at sequence ${context.cursor}`)
  const waiting = context.waiting
    .filter(({ sequence }) => sequence <= after)
    .map((resource) => ({ ...resource, failures: 0, dueAt: event.at }))
  return accept({ round: context.round + 1, cursor: after, waiting, disabledAt: null, disabledBecause: null })
}

const progressRule: Decide<WebhookContext, Progress, Changes> = ({ context, event }) => {
  const { round, cursor, waiting, attempts } = event
  if (round !== context.round) return refuse('ROUND_OVER', `this is round ${context.round}, not ${round}`)
  if (cursor < context.cursor) return refuse('CURSOR_BEHIND', `deliveries stand at sequence ${context.cursor} already`)
  if (waiting.length > MAX_WAITING_RESOURCES)
    return refuse('TOO_MANY_WAIT', `at most ${MAX_WAITING_RESOURCES} resources wait`)
  const delivered = attempts.findLast(({ error }) => error === null)
  return accept({
    cursor,
    waiting,
    attempts: [...attempts.toReversed(), ...context.attempts].slice(0, ATTEMPTS_KEPT),
    lastDeliveredAt: delivered?.at ?? context.lastDeliveredAt,
  })
}

const endRule: Decide<WebhookContext, On<'clock.ended'>, Changes> = (args) => {
  const progress = progressRule(args)
  const { at, because } = args.event
  return progress.ok ? accept({ ...progress.value, disabledAt: at, disabledBecause: because }) : progress
}

export const webhookMachine = recordSetup<WebhookContext, WebhookEvent, WebhookInput, 'delivering'>().createMachine({
  id: 'webhook',
  description: 'Where events of an organization are delivered, and how far that has got.',
  context: ({ input }) => ({ ...input.webhook }),
  on: { 'command.rotate': rule(rotateRule), '*': unknownEvent },
  initial: 'enabled',
  states: {
    enabled: {
      description: 'Events are delivered, and what fails is tried again.',
      tags: 'delivering',
      on: {
        'command.disable': ruleTo('disabled', disableRule),
        'command.redeliver': rule(redeliverRule),
        'clock.progressed': rule(progressRule),
        'clock.ended': ruleTo('disabled', endRule),
      },
    },
    disabled: {
      description: 'Nothing is delivered; it keeps its place, and continues there on a redelivery request.',
      on: {
        'command.disable': rejectAlways('ALREADY_DISABLED', 'the webhook is disabled already'),
        'command.redeliver': ruleTo('enabled', redeliverRule),
        'clock.progressed': rejectAlways('DISABLED', 'the webhook is disabled'),
        'clock.ended': rejectAlways('DISABLED', 'the webhook is disabled'),
      },
    },
  },
})
