// OpenAPI description of GET /whoami.
import type { z } from 'zod'
import { identity } from '../../contract/schemas/identity-answer.ts'
import { rightsDocument } from './openapi-rights.ts'

type ToSchema = (schema: z.ZodType, io: 'output') => object

export function whoamiDocument(toSchema: ToSchema): object {
  return {
    operationId: 'getWhoami',
    summary: 'Fetch the organization and the roles of the API key',
    ...rightsDocument([], 'never'),
    tags: ['Administration'],
    parameters: [{ $ref: '#/components/parameters/chainClusterId' }, { $ref: '#/components/parameters/xRequestId' }],
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: toSchema(identity, 'output') } } },
      ...Object.fromEntries(
        [400, 401, 429, 500, 503].map((status) => [status, { $ref: `#/components/responses/E${status}` }]),
      ),
    },
  }
}
