// OpenAPI description of GET /whoami.
import { z } from 'zod'
import { rightsDocument } from './openapi-rights.ts'

export const identity = z
  .object({
    keyId: z.string(),
    organizationExternalId: z.string(),
    tenantOrganizationId: z.string().meta({ description: 'The root organization of its tenant.' }),
    roles: z.array(z.string()),
    clusters: z.array(z.string()).nullable().meta({ description: 'null: all.' }),
    switches: z
      .object({
        everythingFrozen: z.boolean(),
        tenantFrozen: z.boolean(),
        organizationFrozen: z.boolean(),
        suspendedClusters: z.array(z.string()),
        tenantSuspendedOn: z.array(z.string()),
        organizationSuspendedOn: z.array(z.string()),
      })
      .optional()
      .meta({ id: 'SwitchesInForce' }),
  })
  .meta({ id: 'Identity', description: 'The organization and the rights of the API key.' })

type ToSchema = (schema: z.ZodType, io: 'output') => object

export function whoamiDocument(toSchema: ToSchema): object {
  return {
    operationId: 'getWhoami',
    summary: 'Fetch the organization and the roles of the API key',
    ...rightsDocument([], 'never'),
    tags: ['Administration'],
    parameters: [{ $ref: '#/components/parameters/xRequestId' }],
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: toSchema(identity, 'output') } } },
      ...Object.fromEntries(
        [401, 429, 500, 503].map((status) => [status, { $ref: `#/components/responses/E${status}` }]),
      ),
    },
  }
}
