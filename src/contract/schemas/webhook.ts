// Schemas of webhooks.
import { z } from 'zod'
import { EVENT_TYPES, isEventPattern } from '../event-types.ts'
import { uuid } from '../values/identity.ts'
import { atMostOne, rule } from '../values/rule.ts'
import { calledUrl, line } from '../values/text.ts'
import type { ModelOf, OutputOf } from '../values/validated.ts'

const PATTERNS_MOST = 100
/** Thirty days. */
const GRACE_SECONDS_MOST = 2_592_000

const eventType = line(100)
  .check(
    rule((text) =>
      isEventPattern(text)
        ? undefined
        : {
            code: 'UNKNOWN_EVENT_TYPE',
            message: 'must be a type of event, or the beginning of one and *',
          },
    ),
  )
  .meta({ examples: ['*', 'account.*', ...EVENT_TYPES] })

export const newWebhook = z
  .strictObject({
    url: calledUrl.meta({ examples: ['https://example.org/hooks/holdfast'] }),
    eventTypes: z.array(eventType).min(1).max(PATTERNS_MOST).optional(),
  })
  .meta({ id: 'NewWebhook' })
export type NewWebhookInput = OutputOf<typeof newWebhook>

export const rotateWebhook = z
  .strictObject({
    offchainId: uuid,
    graceSeconds: z.int().min(0).max(GRACE_SECONDS_MOST).meta({ default: 86_400 }).optional(),
  })
  .meta({ id: 'RotateWebhook' })
export type RotateWebhookInput = OutputOf<typeof rotateWebhook>

export const disableWebhook = z.strictObject({ offchainId: uuid }).meta({ id: 'DisableWebhook' })
export type NamedWebhook = OutputOf<typeof disableWebhook>

export const redeliverWebhook = z
  .strictObject({
    offchainId: uuid,
    eventId: uuid.optional(),
    sequence: z.int().min(1).optional(),
  })
  .check(atMostOne(['eventId', 'sequence']))
  .meta({
    id: 'RedeliverWebhook',
    description: 'The event from which on everything is delivered again; neither: what failed is tried at once.',
  })
/** At most one of the two members names the first event to deliver. */
export type RedeliverWebhookInput = OutputOf<typeof redeliverWebhook>

const named = z.object({ offchainId: z.uuid() })
const secret = z.string().optional().meta({ description: 'Shown once; absent in a replay.' })

/** Schemas of responses. */
export const createdWebhook = z.object({ newWebhook: named, secret }).meta({ id: 'CreatedWebhook' })
export const rotated = z
  .object({ rotatedWebhook: named, previousSecretValidUntil: z.iso.datetime().nullable(), secret })
  .meta({ id: 'RotatedWebhook' })
export const disabled = z.object({ disabledWebhook: named })
export const redelivered = z.object({ redeliveredWebhook: named.extend({ fromSequence: z.int().optional() }) })

const instant = z.iso.datetime().nullable()

export const record = z
  .object({
    offchainId: z.uuid(),
    tenantOrganizationId: z.string(),
    url: z.string(),
    eventTypes: z.array(z.string()),
    status: z.enum(['ENABLED', 'DISABLED']),
    disabled: z.boolean(),
    disabledAt: instant,
    disabledBecause: z.enum(['REQUESTED', 'GONE', 'EXHAUSTED']).nullable(),
    createdAt: z.iso.datetime(),
    createdBy: z.string(),
    rotatedAt: instant,
    previousSecretValidUntil: instant,
    lastSequence: z.int().meta({ description: 'Events up to this one are delivered, but for those of what waits.' }),
    lastDeliveredAt: instant,
    waiting: z.array(
      z.object({
        resourceOffchainId: z.uuid(),
        sequence: z.int(),
        failures: z.int(),
        nextAttemptAt: z.iso.datetime(),
      }),
    ),
    deliveries: z
      .array(
        z.object({
          eventId: z.uuid(),
          sequence: z.int(),
          type: z.string(),
          attempt: z.int(),
          at: z.iso.datetime(),
          httpStatus: z.int().nullable(),
          delivered: z.boolean(),
          errorMessage: z.string().nullable(),
        }),
      )
      .meta({ description: 'The latest tries, newest first.' }),
  })
  .meta({ id: 'Webhook', description: 'Never holds a secret.' })
export type WebhookModel = ModelOf<typeof record>
