// OpenAPI description of POST /remote-signers/answers.
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { signerAnswer, signerAnswered } from '../../contract/schemas/remote-signer.ts'
import { rightsDocument } from './openapi-rights.ts'

type ToSchema = (schema: z.ZodType, io: 'input' | 'output') => object

const SIGNATURE_HEADERS = [
  ['webhook-id', 'Id of the request, part of what is signed.'],
  ['webhook-timestamp', 'Unix seconds, at most 300 seconds off.'],
  ['webhook-signature', '`v1,` and the base64 of HMAC-SHA256 over id, timestamp and body, joined by periods.'],
] as const

const ID = createHash('sha256').update('request').digest('hex')
const ANSWER = { signer: 'ACME_CUSTODY', id: ID, status: 'REFUSED', reason: 'the destination is not approved' }
const ANSWERED = { id: ID, used: true }

export function signerAnswersDocument(toSchema: ToSchema): object {
  return {
    operationId: 'postRemoteSignersAnswers',
    summary: 'Deliver the answer of a custodian to a request for a signature',
    ...rightsDocument([], 'never'),
    description:
      'Signed by the custodian with its secret of HOLDFAST_SIGNERS; requires no API key. Creates a transaction: never.',
    tags: ['Transactions'],
    security: [],
    parameters: [
      { $ref: '#/components/parameters/xRequestId' },
      ...SIGNATURE_HEADERS.map(([name, description]) => ({
        name,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
      })),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: toSchema(signerAnswer, 'input'), example: ANSWER } },
    },
    responses: {
      200: {
        description: 'Done',
        content: { 'application/json': { schema: toSchema(signerAnswered, 'output'), example: ANSWERED } },
      },
      ...Object.fromEntries(
        [400, 401, 413, 415, 500, 503].map((status) => [status, { $ref: `#/components/responses/E${status}` }]),
      ),
    },
  }
}
