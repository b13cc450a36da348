// Schemas of transaction configuration and tenancy (2.14), and the bodies that contain them.
import { z } from 'zod'
import { withExternalReference } from './external-reference.ts'
import { accountLookup } from './lookup.ts'
import { name } from './text.ts'
import type { OutputOf } from './validated.ts'

const MAX_COMPUTE_UNITS = 1_400_000

const computeUnitConfig = z.strictObject({
  enable: z.boolean().optional(),
  limit: z.int().min(1).max(MAX_COMPUTE_UNITS).optional(),
  price: z.int().min(0).meta({ description: 'Micro-lamports per compute unit.' }).optional(),
  priceEstimate: z
    .strictObject({
      provider: z.enum(['NETWORK']).optional(),
      calculationStrategy: z.enum(['DEFAULT']).optional(),
      priorityLevel: z.enum(['MIN', 'LOW', 'MEDIUM', 'RECOMMENDED', 'HIGH', 'VERY_HIGH']).optional(),
    })
    .optional(),
})

export const chainTransactionConfig = z
  .strictObject({
    feePayer: accountLookup.optional(),
    computeUnitConfig: computeUnitConfig.optional(),
    commitmentConfig: z
      .strictObject({
        commitmentLevel: z.enum(['processed', 'confirmed', 'finalized']).meta({ default: 'confirmed' }).optional(),
      })
      .optional(),
    messageLifetimeStrategy: z
      .enum(['RECENT_BLOCKHASH', 'DURABLE_NONCE'])
      .meta({ default: 'RECENT_BLOCKHASH' })
      .optional(),
    transactionVersion: z.enum(['V0', 'LEGACY']).meta({ default: 'V0' }).optional(),
  })
  .meta({ id: 'ChainTransactionConfig' })
export type ChainTransactionConfig = OutputOf<typeof chainTransactionConfig>

export type PriorityLevel = NonNullable<
  NonNullable<NonNullable<ChainTransactionConfig['computeUnitConfig']>['priceEstimate']>['priorityLevel']
>

export const tenancyConfig = z
  .strictObject({ overrideOrganizationExternalId: name.optional() })
  .meta({ id: 'TenancyConfig' })

/** Body of an endpoint that may create a transaction. `tenancyConfig` is already applied to the call. */
export interface TransactionBody<Item> {
  readonly itemData: Item
  readonly chainTransactionConfig?: ChainTransactionConfig | undefined
}

/** Body of an endpoint that creates no transaction. */
export interface ItemBody<Item> {
  readonly itemData: Item
}

/** Body of an endpoint that may make a transaction. */
export function transactionBody<Item extends z.ZodType>(itemData: Item) {
  return z.strictObject({
    itemData: withExternalReference(itemData),
    chainTransactionConfig: chainTransactionConfig.optional(),
    tenancyConfig: tenancyConfig.optional(),
  })
}

/** Body of an endpoint that makes no transaction. */
export function itemBody<Item extends z.ZodType>(itemData: Item) {
  return z.strictObject({ itemData, tenancyConfig: tenancyConfig.optional() })
}
