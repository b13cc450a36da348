// OpenAPI description of the event endpoints, which have no body: parameters, the schema of an event, and the stream.
import { z } from 'zod'
import { EVENTS_ROLE, MOST_EVENTS } from '../events.ts'

const event = z
  .object({
    id: z.uuid().meta({ description: 'The same however often the event is read or delivered.' }),
    sequence: z.int().meta({ description: 'Counts the events of a tenant, from 1, without gaps.' }),
    type: z.string().meta({ examples: ['account.created', 'position.updated', 'transaction.confirmed', 'account.network_activity'] }),
    at: z.iso.datetime(),
    tenantOrganizationId: z.string(),
    chainClusterId: z.string(),
    resource: z.object({ kind: z.string(), onchainId: z.string().nullable(), offchainId: z.uuid() }),
    data: z.looseObject({}).meta({ description: 'What changed, as the read model of the record shows it.' }),
  })
  .meta({ id: 'Event' })

export const eventPage = z.object({
  items: z.array(event),
  lastSequence: z.int().meta({ description: 'Everything up to it was answered: where to go on.' }),
})

const delivered = event
  .extend({ timestamp: z.iso.datetime().meta({ description: 'That of the event, whichever try this is.' }) })
  .meta({ id: 'DeliveredEvent' })

type ToSchema = (schema: z.ZodType, io: 'output') => object

const AFTER = {
  name: 'after',
  in: 'query',
  required: false,
  description: 'Events with a higher sequence are wanted.',
  schema: { type: 'integer', minimum: 0 },
}
const OVERRIDE = {
  name: 'overrideOrganizationExternalId',
  in: 'query',
  required: false,
  schema: { type: 'string' },
  description: 'As in tenancyConfig: the organization whose events are wanted.',
}
const SHARED = [OVERRIDE, { $ref: '#/components/parameters/chainClusterId' }, { $ref: '#/components/parameters/xRequestId' }]
const ERRORS = Object.fromEntries([400, 401, 403, 429, 500, 503].map((status) => [status, { $ref: `#/components/responses/E${status}` }]))
const COMMON = { tags: ['Events'], 'x-required-role': [EVENTS_ROLE] }

export function eventsDocument(toSchema: ToSchema): object {
  return {
    ...COMMON,
    operationId: 'getEvents',
    summary: 'Fetch events from a sequence on',
    description: `Needs the role ${EVENTS_ROLE}. Ask again with after=lastSequence for those that follow.`,
    parameters: [
      { ...AFTER, schema: { ...AFTER.schema, default: 0 } },
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: '0 answers where the log ends.',
        schema: { type: 'integer', minimum: 0, maximum: MOST_EVENTS, default: MOST_EVENTS },
      },
      ...SHARED,
    ],
    responses: { 200: { description: 'Done', content: { 'application/json': { schema: toSchema(eventPage, 'output') } } }, ...ERRORS },
  }
}

export const STREAM = {
  ...COMMON,
  operationId: 'getEventsStream',
  summary: 'Follow events as they happen',
  description:
    `Needs the role ${EVENTS_ROLE}. Server-sent events: \`id\` is the sequence, \`event\` the type, \`data\` the event. ` +
    'From Last-Event-ID on, else from after, else from now.',
  parameters: [
    {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description: 'The last id that was received.',
      schema: { type: 'integer', minimum: 0 },
    },
    AFTER,
    ...SHARED,
  ],
  responses: { 200: { description: 'The stream', content: { 'text/event-stream': { schema: { type: 'string' } } } }, ...ERRORS },
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
    summary: 'An event is delivered to the URL of a webhook',
    description:
      'After Standard Webhooks 1.0: at least once, in order per resource. Any 2xx within 15 seconds takes it, 410 disables the webhook.',
    security: [],
    parameters: [
      header('webhook-id', 'Id of the event, the same in every try.'),
      header('webhook-timestamp', 'Of this try, Unix seconds.'),
      header(
        'webhook-signature',
        'One or more of `v1,` and the base64 of an HMAC-SHA256, with blanks between, while a rotation has its grace.',
      ),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: toSchema(delivered, 'output') } } },
    responses: {
      '2XX': { description: 'Taken' },
      410: { description: 'Nothing more is wanted' },
      default: { description: 'It is tried again' },
    },
  }
}
