// Distributions.
import { z } from 'zod'
import { amount } from '../values/amount.ts'
import { chainTransactionConfig, tenancyConfig } from '../values/chain-config.ts'
import { externalReference } from '../values/external-reference.ts'
import { uuid } from '../values/identity.ts'
import { accountLookup, tradeSide } from '../values/lookup.ts'
import { exactlyOne } from '../values/rule.ts'
import { timestamp } from '../values/text.ts'
import { limitVerdict } from './limit-answers.ts'
import type { ModelOf, OutputOf } from '../values/validated.ts'

const MAX_EXCLUDED = 1_000

const newDistribution = z
  .strictObject({
    financialInstrument: accountLookup,
    recordAt: timestamp,
    source: tradeSide,
    payout: z
      .strictObject({
        financialInstrument: accountLookup.optional(),
        total: amount.optional(),
        perUnit: amount.optional(),
      })
      .check(exactlyOne(['total', 'perUnit'])),
    excluded: z.array(accountLookup).max(MAX_EXCLUDED).optional(),
    minimum: amount.optional(),
    externalReference: externalReference.optional(),
  })
  .meta({ id: 'NewDistribution' })
export type NewDistributionInput = OutputOf<typeof newDistribution>

export const newDistributionBody = z.strictObject({
  itemData: newDistribution,
  chainTransactionConfig: chainTransactionConfig.optional(),
  tenancyConfig: tenancyConfig.optional(),
})

export const distributionReference = z.strictObject({ offchainId: uuid }).meta({ id: 'DistributionReference' })
export type DistributionReference = OutputOf<typeof distributionReference>

const number = z.union([z.number(), z.string()])
const text = z.string().nullable()
const time = z.iso.datetime().nullable()
const id = z.object({ offchainId: z.uuid() })
const ids = z.object({ onchainId: z.string(), offchainId: z.uuid().nullable() })

export const createdDistribution = z.object({ newDistribution: id })
export const cancelledDistribution = z.object({ cancelledDistribution: id })

export const distribution = z
  .object({
    offchainId: z.uuid(),
    status: z.enum(['WAITING', 'PAYING', 'DONE', 'FAILED', 'CANCELLED']),
    financialInstrument: ids,
    recordAt: z.iso.datetime(),
    source: z.looseObject({}),
    payoutInstrument: ids.nullable(),
    total: number.nullable(),
    perUnit: number.nullable(),
    excludedOnchainIds: z.array(z.string()),
    minimum: number.nullable(),
    externalReference: text,
    holdersCount: z.int().nullable(),
    partsCount: z.int().nullable(),
    totalLamports: number.nullable(),
    remainderLamports: number.nullable(),
    computedAt: time,
    batchOffchainIds: z.array(z.uuid()),
    errorCode: z.string().optional(),
    errorMessage: z.string().optional(),
    tenantOrganizationId: z.string(),
    createdAt: z.iso.datetime(),
    endedAt: time,
  })
  .meta({ id: 'Distribution' })
export type DistributionModel = ModelOf<typeof distribution>

export const distributionDryRun = z
  .object({
    dryRun: z.object({
      holdersCount: z.int(),
      partsCount: z.int(),
      unpaidCount: z.int(),
      totalLamports: number,
      remainderLamports: number,
      parts: z.array(z.object({ ownerOnchainId: z.string(), lamports: number })),
      transactionsCount: z.int(),
      feeLamports: number,
      rentLamports: number,
      limits: z.array(limitVerdict).meta({ description: 'The verdict of each debit limit on all payments together.' }),
    }),
  })
  .meta({ id: 'DistributionDryRun' })
export type DistributionDryRunModel = ModelOf<typeof distributionDryRun>
