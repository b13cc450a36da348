// Schema of a new account: body of Create Account, and the mintAccount and position members of other
// bodies.
import { z } from 'zod'
import { KEY_LOCATIONS } from '../holding-types.ts'
import { withAliases } from '../values/aliases.ts'
import { amount, lamports } from '../values/amount.ts'
import { destinationPolicy } from './counterparty.ts'
import { networkCurrencyDebitLimits, tokenDebitLimits } from './debit-limit.ts'
import { address, privateKey } from '../values/identity.ts'
import { offchainReferences } from '../values/lookup.ts'
import { acrossMembers } from '../values/rule.ts'
import { comment, name } from '../values/text.ts'
import type { OutputOf } from '../values/validated.ts'

const MAX_NAMES = 1000
/** The maximum size of an account on chain, bytes. */
const MAX_DATA_LENGTH = 10 * 1024 * 1024

const dkgKey = z.strictObject({
  keyUsage: name.optional(),
  useBackendPlayersCodes: z
    .array(z.string().regex(/^[A-Z0-9]{1,32}$/))
    .max(32)
    .optional(),
  isDefault: z.boolean().optional(),
  session: z.strictObject({ threshold: z.int().min(1).max(32).optional() }).optional(),
})

interface KeyPlaces {
  readonly location?: unknown
  readonly dkgKeys?: unknown
  readonly signer?: unknown
}

/** A key has one location; `dkgKeys` implies DKG. */
const onePlace = acrossMembers<KeyPlaces>(({ location, dkgKeys }) => {
  const places = new Set<unknown>(Array.isArray(location) ? location : [])
  if (Array.isArray(dkgKeys) && dkgKeys.length > 0) places.add('DKG')
  return places.size > 1
    ? {
        code: 'MUTUALLY_EXCLUSIVE',
        message: 'a key is kept in one place: name DATABASE, SECRETS, DKG or REMOTE',
        path: ['location'],
      }
    : undefined
})

/** `signer` names the custodian of a key of location REMOTE, and of no other. */
const signerOfRemote = acrossMembers<KeyPlaces>(({ location, signer }) => {
  const isRemote = Array.isArray(location) && location.includes('REMOTE')
  if (isRemote === (signer !== undefined)) return undefined
  return isRemote
    ? { code: 'REQUIRED', message: 'a key of location REMOTE needs the code of its signer', path: ['signer'] }
    : { code: 'MUTUALLY_EXCLUSIVE', message: 'signer is allowed only with location REMOTE', path: ['signer'] }
})

const privateKeyDetails = withAliases(
  {
    location: z.array(z.enum(KEY_LOCATIONS)).max(4).optional(),
    signer: z
      .string()
      .regex(/^[A-Z0-9_]{1,32}$/)
      .optional(),
    publickKey: address.optional(),
    privateKey: privateKey.optional(),
    dkgKeys: z.array(dkgKey).max(8).optional(),
  },
  { publicKey: 'publickKey' },
)
  .check(onePlace)
  .check(signerOfRemote)
  .meta({ id: 'PrivateKeyDetails' })
export type PrivateKeyDetailsInput = OutputOf<typeof privateKeyDetails>

export const organizations = z.array(name).max(MAX_NAMES)
/** Key ids. Their form is not checked here: a caller without the role for the list is refused for that first. */
export const debitKeys = z.array(name).max(MAX_NAMES)
export const tokenVersion = z.enum(['SPL', 'TOKEN_2022'])

export const newAccount = withAliases(
  {
    managed: z.boolean().optional(),
    alreadyOnchain: z.boolean().optional(),
    onchainId: address.optional(),
    offchainReferences: offchainReferences.optional(),
    privateKeyDetails: privateKeyDetails.optional(),
    solDebitApiKeys: debitKeys.optional(),
    tokenDebitApiKeys: debitKeys.optional(),
    networkCurrencyDebitLimits: networkCurrencyDebitLimits.optional(),
    tokenDebitLimits: tokenDebitLimits.optional(),
    destinationPolicy: destinationPolicy.optional(),
    dataLength: z.int().min(0).max(MAX_DATA_LENGTH).meta({ description: 'Bytes reserved on chain.' }).optional(),
    seedAmount: amount.optional(),
    seedLamports: lamports.optional(),
    subscribeToNetworkEvents: z.boolean().optional(),
    canPayFees: z.boolean().optional(),
    globalFeePayerForOrgs: organizations.optional(),
    orgsAllowedToSignWithPrivateKey: organizations.optional(),
    shareAcrossTenants: z.boolean().optional(),
    tokenVersion: tokenVersion.optional(),
    comments: comment.optional(),
    isDerived: z.boolean().optional(),
    isGenesis: z.boolean().optional(),
    domain: name.optional(),
    skipBlockchainExistenceVerification: z.boolean().optional(),
  },
  { alreadyOnChain: 'alreadyOnchain', networkCurrencyDebitApiKeys: 'solDebitApiKeys' },
).meta({ id: 'NewAccount' })
export type NewAccountInput = OutputOf<typeof newAccount>

/** Body of Create Account. */
export const accountToCreate = newAccount.meta({ id: 'CreateAccount' })
