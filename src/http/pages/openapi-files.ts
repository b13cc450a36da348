// OpenAPI description of the endpoints that return a file.
import { rightsDocument } from './openapi-rights.ts'

const picture = { schema: { type: 'string', format: 'binary' } }

export const LOGO = {
  operationId: 'getFinancialInstrumentLogo',
  summary: 'Fetch the logo of a financial instrument',
  ...rightsDocument(['INSTRUMENTS_READ'], 'never'),
  tags: ['Financial instruments'],
  parameters: [
    { name: 'offchainId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
    { $ref: '#/components/parameters/chainClusterId' },
    { $ref: '#/components/parameters/xRequestId' },
  ],
  responses: {
    200: { description: 'The image', content: { 'image/png': picture, 'image/jpeg': picture, 'image/webp': picture } },
    ...Object.fromEntries(
      [400, 401, 403, 404, 429, 500, 503].map((status) => [status, { $ref: `#/components/responses/E${status}` }]),
    ),
  },
}
