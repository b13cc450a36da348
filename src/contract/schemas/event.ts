// Events, as they are read, streamed and delivered to webhooks.
import { z } from 'zod'
import type { ModelOf } from '../values/validated.ts'

const event = z
  .object({
    id: z.uuid().meta({ description: 'Identifies the event in every read and delivery.' }),
    sequence: z.int().meta({ description: 'Number of the event in its tenant, from 1, without gaps.' }),
    type: z
      .string()
      .meta({ examples: ['account.created', 'position.updated', 'transaction.confirmed', 'account.network_activity'] }),
    at: z.iso.datetime(),
    tenantOrganizationId: z.string(),
    chainClusterId: z.string(),
    resource: z.object({ kind: z.string(), onchainId: z.string().nullable(), offchainId: z.uuid() }),
    data: z.looseObject({}).meta({ description: 'The changed members, in the form of the read model of the record.' }),
  })
  .meta({ id: 'Event' })
/**
 * A committed change of a record, as delivered to clients. `data` has the changed members, as in the read model; never
 * signatures, signed bytes or secrets.
 */
export type EventRecord = ModelOf<typeof event>

export const eventPage = z.object({
  items: z.array(event),
  lastSequence: z
    .int()
    .meta({ description: 'Last sequence covered by this page; use it as `after` of the next request.' }),
})
export type EventPage = ModelOf<typeof eventPage>

export const delivered = event
  .extend({ timestamp: z.iso.datetime().meta({ description: 'Time of the event, the same in every attempt.' }) })
  .meta({ id: 'DeliveredEvent' })
