// The answer of a request that is refused: a problem document (RFC 9457).
import { z } from 'zod'
import { limitVerdict } from './limit-answers.ts'

export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    requestId: z.uuid(),
    errors: z.array(
      z.object({
        code: z.string().meta({ description: 'Stable.' }),
        message: z.string(),
        pointer: z.string().optional().meta({ description: 'JSON Pointer into the request body.' }),
        retryable: z.boolean().meta({ description: 'True only if nothing was signed or sent.' }),
        entries: z.array(limitVerdict).optional().meta({ description: 'The debit limits that are exceeded.' }),
      }),
    ),
    'violated-policies': z
      .array(z.string())
      .optional()
      .meta({ description: 'Of a 429: the exceeded policies of the header `RateLimit-Policy`.' }),
  })
  .meta({ id: 'Problem' })
