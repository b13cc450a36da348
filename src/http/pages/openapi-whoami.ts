// OpenAPI description of GET /whoami.
import { z } from 'zod'

export const identity = z
  .object({
    keyId: z.string(),
    organizationExternalId: z.string(),
    tenantOrganizationId: z.string().meta({ description: 'The root organization above it.' }),
    roles: z.array(z.string()),
    clusters: z.array(z.string()).nullable().meta({ description: 'null: all.' }),
  })
  .meta({ id: 'Identity', description: 'Whose the key is, and what it may do.' })

type ToSchema = (schema: z.ZodType, io: 'output') => object

export function whoamiDocument(toSchema: ToSchema): object {
  return {
    operationId: 'getWhoami',
    summary: 'Fetch whose key this is, and its roles',
    description: 'Needs a valid key, and no role.',
    tags: ['Administration'],
    'x-required-role': [],
    parameters: [{ $ref: '#/components/parameters/xRequestId' }],
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: toSchema(identity, 'output') } } },
      ...Object.fromEntries([401, 429, 500, 503].map((status) => [status, { $ref: `#/components/responses/E${status}` }])),
    },
  }
}
