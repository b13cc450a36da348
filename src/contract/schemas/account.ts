// Schemas for changing and inactivating an account. Absent members keep their value, null clears.
import { z } from 'zod'
import { withAliases } from '../values/aliases.ts'
import { destinationPolicy } from './counterparty.ts'
import { networkCurrencyDebitLimits, tokenDebitLimits } from './debit-limit.ts'
import { accountLookup, referenceChanges } from '../values/lookup.ts'
import { debitKeys, organizations } from './new-account.ts'
import { changesSomething } from '../values/rule.ts'
import { comment, name } from '../values/text.ts'
import type { OutputOf } from '../values/validated.ts'

const changes = {
  offchainReferences: referenceChanges.nullable().optional(),
  comments: comment.nullable().optional(),
  domain: name.nullable().optional(),
  canPayFees: z.boolean().nullable().optional(),
  globalFeePayerForOrgs: organizations.nullable().optional(),
  orgsAllowedToSignWithPrivateKey: organizations.nullable().optional(),
  solDebitApiKeys: debitKeys.nullable().optional(),
  tokenDebitApiKeys: debitKeys.nullable().optional(),
  networkCurrencyDebitLimits: networkCurrencyDebitLimits.optional(),
  tokenDebitLimits: tokenDebitLimits.optional(),
  destinationPolicy: destinationPolicy.nullable().optional(),
  subscribeToNetworkEvents: z.boolean().nullable().optional(),
}

export const accountChanges = withAliases(
  { account: accountLookup, ...changes },
  { networkCurrencyDebitApiKeys: 'solDebitApiKeys' },
)
  .check(changesSomething(Object.keys(changes)))
  .meta({ id: 'AccountChanges' })
/** Absent members keep their value, null clears. */
export type AccountChangesInput = OutputOf<typeof accountChanges>

export const inactivateAccount = withAliases(
  { account: accountLookup, refundDestination: accountLookup.optional() },
  { refundSolDestination: 'refundDestination' },
).meta({ id: 'InactivateAccount' })
export type InactivateAccountInput = OutputOf<typeof inactivateAccount>
