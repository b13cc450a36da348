// Schemas of debit limits. Absent members get their defaults: ANY, unlimited, no approvers.
import { z } from 'zod'
import { amountOrZero } from '../values/amount.ts'
import { keyId } from '../values/identity.ts'
import { accountLookup } from '../values/lookup.ts'
import { acrossMembers } from '../values/rule.ts'
import { name } from '../values/text.ts'
import type { OutputOf } from '../values/validated.ts'

const MAX_ENTRIES = 100
const MAX_APPROVERS = 100

const duration = z.strictObject({
  code: z.enum(['MINUTES', 'HOURS', 'DAYS', 'WEEKS']),
  unit: z.int().min(1).max(1_000_000),
})

interface Allowance {
  readonly limitType?: unknown
  readonly duration?: unknown
  readonly approversForOverride?: unknown
  readonly requiredApproversCount?: unknown
}

const maxAllowedDebit = z
  .strictObject({
    limitType: z.enum(['PER_TRANSACTION', 'DURATION']),
    limitAmount: amountOrZero.nullable().optional().meta({ description: 'Absent or null: unlimited.' }),
    duration: duration.nullable().optional(),
    approversForOverride: z.array(keyId).max(MAX_APPROVERS).optional(),
    requiredApproversCount: z.int().min(0).max(MAX_APPROVERS).optional(),
  })
  .check(
    acrossMembers((allowance: Allowance) => {
      if (allowance.limitType === 'DURATION' && (allowance.duration ?? null) === null) {
        return { code: 'REQUIRED', message: 'a limit of type DURATION needs a duration', path: ['duration'] }
      }
      if (allowance.limitType === 'PER_TRANSACTION' && (allowance.duration ?? null) !== null) {
        return { code: 'INVALID_VALUE', message: 'a limit of type PER_TRANSACTION has no duration', path: ['duration'] }
      }
      return undefined
    }),
  )
  .check(
    acrossMembers(({ approversForOverride: approvers, requiredApproversCount: required }: Allowance) => {
      const named = Array.isArray(approvers) ? new Set(approvers).size : 0
      return typeof required === 'number' && required > named
        ? {
            code: 'TOO_FEW_APPROVERS',
            message: 'more approvers are required than are named',
            path: ['requiredApproversCount'],
          }
        : undefined
    }),
  )
  .transform((value) => {
    const approversForOverride = [...new Set(value.approversForOverride ?? [])]
    return {
      limitType: value.limitType,
      limitAmount: value.limitAmount ?? null,
      duration: value.duration ?? null,
      approversForOverride,
      requiredApproversCount: value.requiredApproversCount ?? Math.min(1, approversForOverride.length),
    }
  })
  .meta({ id: 'MaxAllowedDebit' })

const CONTROLLED = ['ANY', 'OFF_PLATFORM', 'NON_MANAGED', 'MANAGED'] as const
const FEE_CLASSES: readonly unknown[] = ['FEES', 'PRIORITY_FEES']

const networkCurrencyDebitLimit = z
  .strictObject({
    destination: z.enum([...CONTROLLED, 'FEES', 'PRIORITY_FEES', 'RENT']).default('ANY'),
    organizationExternalId: name.optional().meta({
      description:
        'Of FEES and PRIORITY_FEES: the organization that they are paid for; absent: every organization, each by itself.',
    }),
    maxAllowedDebit: maxAllowedDebit.nullable().optional(),
  })
  .check(
    acrossMembers((entry: { readonly destination?: unknown; readonly organizationExternalId?: unknown }) =>
      entry.organizationExternalId === undefined || FEE_CLASSES.includes(entry.destination)
        ? undefined
        : {
            code: 'INVALID_VALUE',
            message: '`organizationExternalId` is taken with `destination` FEES or PRIORITY_FEES only',
            path: ['organizationExternalId'],
          },
    ),
  )
  .transform(({ destination, organizationExternalId, maxAllowedDebit: allowance }) => ({
    operationType: 'ANY' as const,
    destination,
    ...(organizationExternalId === undefined ? {} : { organizationExternalId }),
    maxAllowedDebit: allowance ?? null,
  }))
  .meta({ id: 'NetworkCurrencyDebitLimit', description: 'maxAllowedDebit absent: unlimited.' })

const tokenDebitLimit = z
  .strictObject({
    operationType: z.enum(['ANY', 'TRANSFER', 'BURN']).default('ANY'),
    destination: z.enum(CONTROLLED).default('ANY'),
    mintAuthority: accountLookup.optional(),
    maxAllowedDebit: maxAllowedDebit.nullable().optional(),
  })
  .transform((value) => ({ ...value, maxAllowedDebit: value.maxAllowedDebit ?? null }))
  .meta({ id: 'TokenDebitLimit', description: 'maxAllowedDebit absent: unlimited; mintAuthority absent: all mints.' })

/** An entry of either list, as sent; the operation resolves its lookups. */
export type DebitLimitInput =
  | (OutputOf<typeof networkCurrencyDebitLimit> & { readonly mintAuthority?: undefined })
  | (OutputOf<typeof tokenDebitLimit> & { readonly organizationExternalId?: undefined })

/** An empty list means no limits, null the defaults. */
export const networkCurrencyDebitLimits = z.array(networkCurrencyDebitLimit).max(MAX_ENTRIES).nullable()
export const tokenDebitLimits = z.array(tokenDebitLimit).max(MAX_ENTRIES).nullable()
