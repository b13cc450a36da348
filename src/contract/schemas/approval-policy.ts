// Approval policies: who must approve operations that are not debits.
import { z } from 'zod'
import { COVERED_OPERATIONS } from '../../../machines/approval-policy.ts'
import { idsOrNull } from './answers.ts'
import { alsoAt } from '../values/aliases.ts'
import { amountOrZero } from '../values/amount.ts'
import { keyOrSubjectId, uuid } from '../values/identity.ts'
import { accountLookup } from '../values/lookup.ts'
import { changesSomething, exactlyOne } from '../values/rule.ts'
import { evidence } from '../values/text.ts'
import type { ModelOf, OutputOf } from '../values/validated.ts'

const MAX_APPROVERS = 100

const operations = z.array(z.enum(COVERED_OPERATIONS)).min(1).max(COVERED_OPERATIONS.length)
const approvers = z.array(keyOrSubjectId).min(1).max(MAX_APPROVERS)
const requiredApproversCount = z.int().min(1).max(MAX_APPROVERS)

export const newPolicy = z
  .strictObject({
    operations,
    financialInstrument: accountLookup.optional(),
    above: amountOrZero.optional(),
    approvers,
    requiredApproversCount,
  })
  .meta({ id: 'NewApprovalPolicy' })
export type NewPolicyInput = OutputOf<typeof newPolicy>

const changes = {
  operations: operations.optional(),
  financialInstrument: accountLookup.nullable().optional(),
  above: amountOrZero.nullable().optional(),
  approvers: approvers.optional(),
  requiredApproversCount: requiredApproversCount.optional(),
  removed: z.literal(true).optional(),
}

export const policyReference = z.strictObject({ offchainId: uuid }).meta({ id: 'ApprovalPolicyReference' })
export type PolicyReference = OutputOf<typeof policyReference>

alsoAt('offchainId', 'approvalPolicy/offchainId')
export const policyChanges = z
  .strictObject({ approvalPolicy: policyReference.optional(), offchainId: uuid.optional(), ...changes })
  .check(exactlyOne(['offchainId', 'approvalPolicy']), changesSomething(Object.keys(changes)))
  .transform(({ approvalPolicy, offchainId, ...value }) => ({
    ...value,
    // One of the two is given.
    offchainId: offchainId ?? approvalPolicy!.offchainId,
  }))
  .meta({ id: 'ApprovalPolicyChanges' })
/** Absent members keep their value. */
export type PolicyChangesInput = OutputOf<typeof policyChanges>

export const policyRelease = z
  .strictObject({ offchainId: uuid, reason: evidence })
  .meta({ id: 'ApprovalPolicyRelease' })
export type ReleaseInput = OutputOf<typeof policyRelease>

const id = z.object({ offchainId: z.uuid() })

export const createdPolicy = z.object({ newApprovalPolicy: id })
export const updatedPolicy = z.object({ updatedApprovalPolicy: id })

export const approvalPolicy = z
  .object({
    offchainId: z.uuid(),
    status: z.enum(['ACTIVE', 'REMOVED']),
    operations: z.array(z.enum(COVERED_OPERATIONS)),
    financialInstrument: idsOrNull.nullable(),
    above: z.union([z.number(), z.string()]).nullable(),
    approvers: z.array(z.string()),
    requiredApproversCount: z.int(),
    release: z
      .object({
        requestedBy: z.string(),
        reason: z.string(),
        requestedAt: z.iso.datetime(),
        effectiveAt: z.iso.datetime(),
      })
      .nullable(),
    approversNamedAt: z.iso.datetime(),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    tenantOrganizationId: z.string(),
  })
  .meta({ id: 'ApprovalPolicy' })
export type ApprovalPolicyModel = ModelOf<typeof approvalPolicy>
