// What a transaction, a batch or a pending change waits for: the exceeded debit limits and the approval policies.
import { z } from 'zod'
import { COVERED_OPERATIONS } from '../../../machines/approval-policy.ts'
import { paymentReview, screeningReview } from './counterparty.ts'
import { limitVerdict } from './limit-answers.ts'
import type { ModelOf } from '../values/validated.ts'

const covering = z
  .object({
    approvalPolicy: z.object({ offchainId: z.uuid() }),
    operations: z.array(z.enum(COVERED_OPERATIONS)),
    target: z.string().optional(),
    covered: z
      .array(
        z.object({
          operation: z.enum(COVERED_OPERATIONS),
          financialInstrument: z.object({ onchainId: z.string() }).optional(),
          amount: z.union([z.number(), z.string()]).optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'CoveringPolicy' })
export type CoveringModel = ModelOf<typeof covering>

export const approval = z.object({
  entries: z.array(limitVerdict).meta({ description: 'The debit limits that are exceeded.' }),
  policies: z.array(covering).meta({ description: 'The approval policies that cover it.' }),
  reviews: z.array(paymentReview).optional(),
  screenings: z.array(screeningReview).optional(),
  required: z.int().meta({ description: 'The fewest keys that can approve it.' }),
  given: z.int(),
  expiresAt: z.iso.datetime(),
})
export type ApprovalModel = ModelOf<typeof approval>
