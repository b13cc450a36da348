// OpenAPI description of the event endpoints, which have no body: parameters and the stream.
import type { z } from 'zod'
import { delivered, eventPage } from '../../contract/schemas/event.ts'
import { EVENTS_ROLE, MAX_EVENTS } from '../events.ts'
import { rightsDocument } from './openapi-rights.ts'

type ToSchema = (schema: z.ZodType, io: 'output') => object

const AFTER = {
  name: 'after',
  in: 'query',
  required: false,
  description: 'Return events with a higher sequence only.',
  schema: { type: 'integer', minimum: 0 },
}
const OVERRIDE = {
  name: 'overrideOrganizationExternalId',
  in: 'query',
  required: false,
  schema: { type: 'string' },
  description: 'As in tenancyConfig: the organization whose events are returned.',
}
const SHARED = [
  OVERRIDE,
  { $ref: '#/components/parameters/chainClusterId' },
  { $ref: '#/components/parameters/xRequestId' },
]
const ERRORS = Object.fromEntries(
  [400, 401, 403, 429, 500, 503].map((status) => [status, { $ref: `#/components/responses/E${status}` }]),
)
const COMMON = { tags: ['Events'] }

export function eventsDocument(toSchema: ToSchema): object {
  return {
    ...COMMON,
    operationId: 'getEvents',
    summary: 'Fetch events after a sequence',
    ...rightsDocument([EVENTS_ROLE], 'never', 'Repeat with after=lastSequence for the next page.'),
    parameters: [
      { ...AFTER, schema: { ...AFTER.schema, default: 0 } },
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: '0 returns the end of the log only.',
        schema: { type: 'integer', minimum: 0, maximum: MAX_EVENTS, default: MAX_EVENTS },
      },
      ...SHARED,
    ],
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: toSchema(eventPage, 'output') } } },
      ...ERRORS,
    },
  }
}

export const STREAM = {
  ...COMMON,
  operationId: 'getEventsStream',
  summary: 'Stream events',
  ...rightsDocument(
    [EVENTS_ROLE],
    'never',
    'Server-sent events: `id` is the sequence, `event` the type, `data` the event. ' +
      'Starts after Last-Event-ID, else after the parameter `after`, else with the next event.',
  ),
  parameters: [
    {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description: 'The last id received.',
      schema: { type: 'integer', minimum: 0 },
    },
    AFTER,
    ...SHARED,
  ],
  responses: {
    200: { description: 'The stream', content: { 'text/event-stream': { schema: { type: 'string' } } } },
    ...ERRORS,
  },
}

const header = (name: string, description: string): object => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

/** The request that is sent to the URL of a webhook. */
export function deliveryDocument(toSchema: ToSchema): object {
  return {
    tags: ['Webhooks'],
    operationId: 'deliverEvent',
    summary: 'Delivery of an event to the URL of a webhook',
    description:
      'After Standard Webhooks 1.0: at least once, in order per resource. A 2xx status within 15 seconds accepts it; 410 disables the webhook.',
    security: [],
    parameters: [
      header('webhook-id', 'Id of the event, the same in every attempt.'),
      header('webhook-timestamp', 'Time of this attempt, in Unix seconds.'),
      header(
        'webhook-signature',
        '`v1,` and the base64 of an HMAC-SHA256; several, separated by spaces, during the grace period of a rotation.',
      ),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: toSchema(delivered, 'output') } } },
    responses: {
      '2XX': { description: 'Accepted' },
      410: { description: 'No further deliveries wanted; disables the webhook' },
      default: { description: 'Retried later' },
    },
  }
}
