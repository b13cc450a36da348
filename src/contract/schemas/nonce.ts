// Schemas of durable nonce accounts.
import { z } from 'zod'
import type { Resource } from '../../engine/query/field.ts'
import { withAliases } from '../values/aliases.ts'
import { defaultToAll, queryOf } from '../values/bulk.ts'
import { tenancyConfig } from '../values/chain-config.ts'
import { accountLookup } from '../values/lookup.ts'
import { newAccount } from './new-account.ts'
import { exactlyOne } from '../values/rule.ts'
import type { OutputOf } from '../values/validated.ts'

const MAX_AT_ONCE = 100

export const newNonces = z
  .strictObject({
    nonceAuthority: accountLookup,
    nonceAccounts: z.array(newAccount).min(1).max(MAX_AT_ONCE).optional(),
    count: z.int().min(1).max(MAX_AT_ONCE).optional(),
  })
  .check(exactlyOne(['nonceAccounts', 'count']))
  .meta({ id: 'NewNonces' })
/** Exactly one of `nonceAccounts` and `count`. */
export type NewNoncesInput = OutputOf<typeof newNonces>

/** The details are a bulk query as well. */
export function nonceDetailsBody<Record>(resource: Resource<Record>) {
  const members = {
    itemQuery: queryOf(resource).optional(),
    outputConfig: z
      .strictObject({ excludePrivateKeyDetails: z.boolean().meta({ default: true }).optional() })
      .optional(),
    tenancyConfig: tenancyConfig.optional(),
  }
  return withAliases(members, { itemsQuery: 'itemQuery' }).transform(defaultToAll)
}
