// Schemas of organizations and API keys.
import { z } from 'zod'
import { ROLES } from '../roles.ts'
import { address, keyId, keyOrSubjectId } from '../values/identity.ts'
import { destinationRules } from './counterparty.ts'
import { accountLookup } from '../values/lookup.ts'
import { exactlyOne } from '../values/rule.ts'
import { name, timestamp } from '../values/text.ts'
import type { OutputOf } from '../values/validated.ts'

const MAX_PROGRAMS = 100
const MAX_FEE_PAYERS = 100
/** Thirty days. */
const MAX_GRACE_SECONDS = 2_592_000

const CLUSTERS = [
  'CHAIN_DEVNET',
  'CHAIN_DEVNET_1',
  'CHAIN_MAINNET_TESTING',
  'CHAIN_MAINNET',
  'CHAIN_PERMISSIONED',
] as const

export const newOrganization = z
  .strictObject({
    externalId: name,
    name,
    parentExternalId: name.optional(),
  })
  .meta({ id: 'NewOrganization' })
export type NewOrganizationInput = OutputOf<typeof newOrganization>

export const organizationChanges = z
  .strictObject({
    externalId: name,
    name: name.optional(),
    // null restores the default of a rule.
    allowedPrograms: z.array(address).max(MAX_PROGRAMS).nullable().optional(),
    acceptedFeePayers: z
      .array(address)
      .max(MAX_FEE_PAYERS)
      .nullable()
      .optional()
      .meta({
        description:
          "Accounts of other tenants that may pay fees of this organization; the system tenant's need not be listed." +
          ' null: none.',
      }),
    acceptsSigningRequests: z.boolean().nullable().optional(),
    ...destinationRules,
  })
  .meta({ id: 'OrganizationChanges' })
export type OrganizationChangesInput = OutputOf<typeof organizationChanges>

export const newApiKey = z
  .strictObject({
    organizationExternalId: name,
    name,
    roles: z.array(z.enum(ROLES)).min(1).max(ROLES.length).optional(),
    bundle: z.enum(['OPERATOR', 'VIEWER', 'ADMIN']).optional(),
    expiresAt: timestamp.optional(),
    clusters: z.array(z.enum(CLUSTERS)).min(1).max(CLUSTERS.length).optional(),
  })
  .check(exactlyOne(['roles', 'bundle']))
  .meta({ id: 'NewApiKey' })
export type NewApiKeyInput = OutputOf<typeof newApiKey>

export const rotateApiKey = z
  .strictObject({
    keyId,
    graceSeconds: z.int().min(0).max(MAX_GRACE_SECONDS).optional(),
  })
  .meta({ id: 'RotateApiKey' })
export type RotateApiKeyInput = OutputOf<typeof rotateApiKey>

export const disableApiKey = z
  .strictObject({ keyId: keyOrSubjectId, graceSeconds: z.int().min(0).max(MAX_GRACE_SECONDS).optional() })
  .meta({ id: 'DisableApiKey' })
export type DisableApiKeyInput = OutputOf<typeof disableApiKey>

export const laneTarget = z
  .strictObject({
    organizationExternalId: name.optional(),
    account: accountLookup.optional(),
  })
  .meta({
    id: 'LaneTarget',
    description: 'An organization, or the account of a fee payer or nonce; neither: the whole cluster.',
  })
export type LaneInput = OutputOf<typeof laneTarget>

export const freezeTarget = z
  .strictObject({
    organizationExternalId: name.optional(),
    account: accountLookup.optional(),
  })
  .meta({ id: 'FreezeTarget', description: 'An organization or an account; neither: everything.' })
export type FreezeInput = OutputOf<typeof freezeTarget>
