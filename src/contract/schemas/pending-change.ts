// Pending changes: requests that approval policies hold back.
import { z } from 'zod'
import { RECORD_OPERATIONS } from '../../../machines/approval-policy.ts'
import { approval } from './approval-answers.ts'
import { uuid } from '../values/identity.ts'
import { comment } from '../values/text.ts'
import type { ModelOf, OutputOf } from '../values/validated.ts'

const text = z.string().nullable()

export const changeReference = z.strictObject({ offchainId: uuid }).meta({ id: 'PendingChangeReference' })
export type ChangeReference = OutputOf<typeof changeReference>
export const changeRejection = z
  .strictObject({ offchainId: uuid, reason: comment.optional() })
  .meta({ id: 'PendingChangeRejection' })
export type RejectInput = OutputOf<typeof changeRejection>

export const pendingChange = z
  .object({
    offchainId: z.uuid(),
    status: z.enum(['PENDING', 'APPLIED', 'REJECTED', 'EXPIRED']),
    operation: z.enum(RECORD_OPERATIONS),
    endpoint: z.string(),
    itemData: z.looseObject({}),
    requestedBy: z.string(),
    approvers: z.array(z.string()),
    approval,
    result: z.looseObject({}).nullable(),
    rejectedBy: text,
    rejectedBecause: text,
    createdAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    tenantOrganizationId: z.string(),
  })
  .meta({ id: 'PendingChange' })
export type PendingChangeModel = ModelOf<typeof pendingChange>

/** Also the answer of a request that an approval policy covers. */
export const heldBack = z
  .object({
    pendingChange,
    keyId: z.string().optional().meta({ description: 'Id of the API key that the change creates.' }),
    apiKey: z
      .string()
      .optional()
      .meta({ description: 'The API key, shown once. It is valid when the change has been applied.' }),
  })
  .meta({ id: 'HeldBack' })
