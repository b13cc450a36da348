// Schemas of debit limits in responses.
import { z } from 'zod'
import type { ModelOf } from '../values/validated.ts'

const number = z.union([z.number(), z.string()])

export const limit = z.object({
  destination: z.enum(['ANY', 'OFF_PLATFORM', 'NON_MANAGED', 'MANAGED', 'FEES', 'PRIORITY_FEES', 'RENT']),
  organizationExternalId: z.string().optional().meta({ description: 'Of fees: the organization they are paid for.' }),
  maxAllowedDebit: z
    .object({
      limitType: z.enum(['PER_TRANSACTION', 'DURATION']),
      limitAmount: number.nullable().meta({ description: 'null: unlimited.' }),
      duration: z.object({ code: z.enum(['MINUTES', 'HOURS', 'DAYS', 'WEEKS']), unit: z.int() }).nullable(),
      approversForOverride: z.array(z.string()),
      requiredApproversCount: z.int(),
    })
    .nullable()
    .meta({ description: 'null: unlimited.' }),
})
/** Absent in records of other tenants. */
export const defaultDebitLimits = z.array(z.enum(['networkCurrencyDebitLimits', 'tokenDebitLimits'])).optional()
export type DebitLimitList = NonNullable<z.infer<typeof defaultDebitLimits>>[number]
export type DebitLimitModel = ModelOf<typeof limit>
export const tokenLimit = limit.extend({
  operationType: z.enum(['ANY', 'TRANSFER', 'BURN']),
  mintAuthority: z.object({ onchainId: z.string(), offchainId: z.uuid().optional() }).optional(),
})
export type TokenDebitLimitModel = ModelOf<typeof tokenLimit>
export const limitVerdict = limit
  .extend({
    account: z.object({ onchainId: z.string(), offchainId: z.uuid() }),
    operationType: z.enum(['ANY', 'TRANSFER', 'BURN']),
    financialInstrument: z.object({ onchainId: z.string() }).optional(),
    debit: number,
    used: number,
    verdict: z.string(),
  })
  .meta({ id: 'DebitLimitVerdict', description: 'debit and used in display units.' })
export type LimitVerdictModel = ModelOf<typeof limitVerdict>
