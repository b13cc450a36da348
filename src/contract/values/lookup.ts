// References to accounts and positions.
import { z } from 'zod'
import { address, uuid } from './identity.ts'
import { acrossMembers, atLeastOne } from './rule.ts'
import { name } from './text.ts'
import type { OutputOf } from './validated.ts'

export const ACCOUNT_TYPES = [
  'WALLET',
  'ASSETS_WALLET',
  'CURRENCIES_WALLET',
  'DEFI_SETTLEMENT_WALLET',
  'FUNDS_TOKEN_ACCOUNT',
  'ASSET_TOKEN_ACCOUNT',
  'FUNDS_TOKEN',
  'ASSET_TOKEN',
  'ADDRESS_LOOKUP_TABLE',
  'NONCE',
  'TOKEN_MANAGEMENT_AUTHORITY',
] as const

export const offchainReferences = z
  .strictObject({
    alId: name.optional(),
    organizationExternalId: name.optional(),
    accountNumber: name.optional(),
    code: name.optional(),
    type: z.enum(ACCOUNT_TYPES).optional(),
    name: name.optional(),
  })
  .meta({ id: 'OffchainReferences' })
export type OffchainReferencesInput = OutputOf<typeof offchainReferences>

/** A change of references: absent members keep their value, null clears. */
export const referenceChanges = z
  .strictObject({
    alId: name.nullable().optional(),
    organizationExternalId: name.optional(),
    accountNumber: name.nullable().optional(),
    code: name.nullable().optional(),
    type: z.enum(ACCOUNT_TYPES).optional(),
    name: name.nullable().optional(),
  })
  .meta({ id: 'ReferenceChanges' })
export type ReferenceChangesInput = OutputOf<typeof referenceChanges>

const lookupMembers = {
  onchainId: address.optional(),
  offchainId: uuid.optional(),
  offchainReferences: offchainReferences.optional(),
  autoSign: z.boolean().meta({ default: true, description: 'false: do not sign with this account now.' }).optional(),
  otherTenantOrganizationExternalId: name.optional(),
  offPlatform: z.boolean().meta({ description: 'The account is not onboarded; needs onchainId.' }).optional(),
}

const REFERENCES = Object.keys(offchainReferences.shape).join(', ')

function isEmpty(references: unknown): boolean {
  if (typeof references !== 'object' || references === null) return false
  return Object.values(references).every((value) => value === undefined || value === null)
}

interface Named {
  readonly onchainId?: unknown
  readonly offchainId?: unknown
  readonly offchainReferences?: unknown
  readonly offPlatform?: unknown
}

const NAMING = ['onchainId', 'offchainId', 'offchainReferences'] as const
const named = atLeastOne<Named>(NAMING)
/** References without a member would match every record. */
const referring = acrossMembers<Named>(({ onchainId, offchainId, offchainReferences: references }) =>
  onchainId === undefined && offchainId === undefined && isEmpty(references)
    ? { code: 'REQUIRED', message: `at least one of ${REFERENCES} is needed`, path: ['offchainReferences'] }
    : undefined,
)
const addressed = acrossMembers<Named>(({ offPlatform, onchainId }) =>
  offPlatform === true && onchainId === undefined
    ? { code: 'REQUIRED', message: 'offPlatform needs onchainId', path: ['onchainId'] }
    : undefined,
)

/** Resolved in the order offchainId, onchainId, offchainReferences; all members given must agree. */
export const accountLookup = z.strictObject(lookupMembers).check(named, referring, addressed).meta({
  id: 'AccountLookup',
  description: 'One of onchainId, offchainId and offchainReferences is needed; all that are given must agree.',
})
export type AccountLookup = OutputOf<typeof accountLookup>

const publicKey = z.strictObject({
  kty: z.enum(['OKP', 'EC']),
  crv: z.enum(['X25519', 'P-256']),
  x: name,
  y: name.optional(),
  kid: name.optional(),
  use: name.optional(),
  alg: name.optional(),
  key_ops: z.array(name).max(10).optional(),
  ext: z.boolean().optional(),
})

/** The account whose private key is exported, and the key to encrypt the response to. */
export const keyLookup = z
  .strictObject({ ...lookupMembers, encryptTo: publicKey.optional() })
  .check(named, referring, addressed)
  .meta({ id: 'PrivateKeyLookup', description: 'encryptTo: a public key as JWK; the answer is then a compact JWE.' })
export type PrivateKeyInput = OutputOf<typeof keyLookup>

const positionMembers = {
  position: accountLookup.optional(),
  owner: accountLookup.optional(),
  financialInstrument: accountLookup.optional(),
  mintAuthority: accountLookup.optional(),
  freezeAuthority: accountLookup.optional(),
}
export const positionLookup = z
  .strictObject(positionMembers)
  .check(atLeastOne(['position', 'owner']))
  .meta({ id: 'PositionLookup', description: 'Found by position, else by owner and financialInstrument.' })
export type PositionLookup = OutputOf<typeof positionLookup>

interface Side extends Named {
  readonly autoSign?: unknown
  readonly otherTenantOrganizationExternalId?: unknown
}

/** How to treat an account stands in the lookup of that account: beside a position lookup it would have no effect. */
const ofNamedAccount = acrossMembers<Side>((side) => {
  if (NAMING.some((member) => side[member] !== undefined)) return undefined
  const stray = TREATING.find((member) => side[member] !== undefined)
  return stray === undefined
    ? undefined
    : { code: 'UNKNOWN_MEMBER', message: `${stray} is a member of account lookups, such as owner`, path: [stray] }
})
const TREATING = ['autoSign', 'otherTenantOrganizationExternalId', 'offPlatform'] as const

/** One side of a trade leg: a position, or the account that pays or receives network currency. */
export const tradeSide = z
  .strictObject({ ...positionMembers, ...lookupMembers })
  .check(atLeastOne(['position', 'owner', ...NAMING]), referring, addressed, ofNamedAccount)
  .meta({
    id: 'TradeSide',
    description: 'A position lookup; or, where the leg moves network currency, an account lookup, or owner alone.',
  })
/** A side of a leg: a position lookup, or the account lookup of the payer or recipient. */
export type TradeSideInput = OutputOf<typeof tradeSide>
