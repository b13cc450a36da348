// Schemas of responses, for the API document only (nothing is validated). Members without a value are null or absent.
import { z } from 'zod'
import { approval } from './approval-answers.ts'
import { authorities } from './authorities.ts'
import { counterpartyName, destinationPolicy } from './counterparty.ts'
import { defaultDebitLimits, limit, limitVerdict, tokenLimit } from './limit-answers.ts'
import { ACCOUNT_TYPES } from '../values/lookup.ts'
import type { ModelOf } from '../values/validated.ts'

export const text = z.string().nullable()
const texts = z.array(z.string())
export const number = z.union([z.number(), z.string()])
export const time = z.iso.datetime().nullable()
export const pair = z
  .object({ amount: number, lamports: number })
  .meta({ id: 'AmountPair', description: 'Display units, and raw integer units.' })
export type AmountsModel = ModelOf<typeof pair>
const pairOrNulls = z.object({ amount: number.nullable(), lamports: number.nullable() })
export type AmountsOrNulls = ModelOf<typeof pairOrNulls>
const ofTheClient = z.record(z.string(), z.unknown()).nullable()

export const ids = z.object({ onchainId: z.string(), offchainId: z.uuid() }).meta({ id: 'Ids' })
export type IdsModel = ModelOf<typeof ids>

export const transactionResult = z
  .object({
    success: z.boolean(),
    offchainId: z.uuid(),
    status: z.enum([
      'PREPARED',
      'PARTIALLY_SIGNED',
      'SIGNED',
      'SUBMITTED',
      'PROCESSED',
      'CONFIRMED',
      'FINALIZED',
      'BLOCKCHAIN_ERROR',
      'NON_BLOCKCHAIN_ERROR',
      'CANCELLED',
      'EXPIRED',
    ]),
    onchainId: text.meta({ description: 'The first signature; null while there is none.' }),
    confirmationsCount: z.int().nullable(),
    serializedMessage: text.meta({ description: 'Base64 of the message.' }),
    errorMessage: z.string().optional(),
    approval: approval
      .optional()
      .meta({ description: 'The transaction is signed and sent only once others have approved it.' }),
    txnTimestamp: z.iso.datetime().meta({ description: 'With microseconds.' }),
  })
  .meta({ id: 'ChainTransactionResult' })
export type TransactionResultModel = ModelOf<typeof transactionResult>

export const chainPlan = z
  .object({
    offchainId: z.uuid(),
    status: z.enum(['RUNNING', 'FINISHED', 'FAILED']),
    steps: z.int().meta({ description: 'Transactions in all.' }),
    confirmed: z.int(),
    errorMessage: z.string().optional().meta({ description: 'Why the rest was not sent.' }),
  })
  .meta({
    id: 'ChainPlan',
    description:
      'Of a request that takes more than one transaction: each is made, or sent, when the one before is settled.',
  })
export type PlanModel = ModelOf<typeof chainPlan>

export const idsOrNull = z.object({ onchainId: z.string(), offchainId: z.uuid().nullable() })
export type IdsOrNull = ModelOf<typeof idsOrNull>

/** One page of a bulk query; the two lower levels of detail omit members. */
export function page<Item extends z.ZodType>(item: Item) {
  return z.object({ count: z.int(), items: z.array(item) })
}
export interface PageOf<Item> {
  /** Of all pages. */
  readonly count: number
  readonly items: readonly Item[]
}

const LIMITS =
  'Empty: the default limits apply if defaultDebitLimits names the list, otherwise there are no limits. Always empty in a record of another tenant.'

export const account = z
  .object({
    onchain: z.object({
      id: z.string(),
      lastTransactionId: text,
      lastTransactionAt: time,
      creationTransactionId: text,
      creationTransactionAt: time,
    }),
    offchain: z.object({
      id: z.uuid(),
      type: z.enum(ACCOUNT_TYPES),
      code: text,
      alId: text,
      organizationExternalId: z.string(),
      accountNumber: text,
      name: text,
      lamportsBalance: number.nullable(),
      tokenBalance: number.nullable(),
      tokenDecimals: z.int().nullable(),
      lastTransactionId: text,
      creationTransactionId: text,
    }),
    managed: z.boolean(),
    status: z.enum(['ACTIVE', 'CLOSED']),
    privateKeyLocation: z.array(z.string()),
    isDerived: z.boolean().nullable(),
    subscribeToNetworkEvents: z.boolean().nullable(),
    sharedAcrossTenants: z.boolean(),
    wasOnchainAlready: z.boolean().nullable(),
    canPayFees: z.boolean(),
    comments: text,
    domain: text,
    tenantOrganizationId: z.string(),
    globalFeePayerForOrgs: texts,
    orgsAllowedToSignWithPrivateKey: texts,
    solDebitApiKeys: texts,
    tokenDebitApiKeys: texts,
    networkCurrencyDebitLimits: z.array(limit).meta({ description: LIMITS }),
    tokenDebitLimits: z.array(tokenLimit).meta({ description: LIMITS }),
    defaultDebitLimits,
    destinationPolicy: destinationPolicy.nullable(),
    frozenByOperator: z.boolean().nullable(),
    laneSuspended: z.boolean().nullable(),
    symbol: text,
  })
  .meta({
    id: 'Account',
    description:
      'Of an account that another tenant shares only the ids, type, code, managed, status and canPayFees are shown, and the own organizations ' +
      'among its lists; all other members are null, empty lists or absent.',
  })
export type AccountModel = ModelOf<typeof account>

export const balance = z
  .object({ onchain: pair, offchain: pair, reserved: pair, available: pair, outOfBalance: z.boolean() })
  .meta({ id: 'Balance' })
export type BalanceModel = ModelOf<typeof balance>

/** A referenced account: its record, or only its address if it is not onboarded or not visible to the caller. */
export const addressOnly = z
  .object({ onchain: z.object({ id: z.string() }), counterparty: counterpartyName.optional() })
  .meta({ id: 'AddressOnly' })
export type AddressOnly = ModelOf<typeof addressOnly>
export const reference = z.union([account, addressOnly])
const authority = z.union([account, addressOnly, z.null()])

export const instrument = z
  .object({
    mintAccount: account,
    version: z.enum(['SPL', 'TOKEN_2022']),
    ...authorities(authority),
    onchainData: z.object({
      symbol: text,
      name: text,
      uri: text,
      simpleCustomMetadata: ofTheClient,
      decimals: z.int(),
    }),
    offchainData: z.object({
      description: text,
      simpleCustomMetadata: ofTheClient,
      complexCustomMetadata: ofTheClient,
      logo: z.looseObject({}).nullable(),
    }),
    defaultPositionState: text,
    paused: z.boolean().nullable(),
    scaledUiAmountMultiplier: z.number().nullable(),
    supply: pair,
    maxSupply: pair.nullable(),
    extensions: z.array(z.string()),
    status: z.enum(['ACTIVE', 'CLOSED']),
  })
  .meta({ id: 'FinancialInstrument' })
export type InstrumentModel = ModelOf<typeof instrument>

export const circulatingSupplyAnswer = z.object({
  onchainCirculatingSupply: pair,
  offchainCirculatingSupply: pair.meta({ description: 'By the books.' }),
  outOfBalance: z.boolean(),
})
export type CirculatingSupplyModel = ModelOf<typeof circulatingSupplyAnswer>

export const mintSizes = z.object({
  mintAccountSize: z.int().meta({ description: 'Bytes to allocate: the dataLength of an existingMintAccount.' }),
  mintAccountSizeWithMetadata: z.int().meta({ description: 'Bytes once the metadata is in.' }),
  estimatedRentAmount: number.meta({ description: 'Display units; the rent of the size with metadata.' }),
  estimatedRentLamports: number,
})
export type MintSizesModel = ModelOf<typeof mintSizes>

export const position = account
  .extend({
    owner: reference,
    closeAuthority: authority.meta({ description: 'Who may close it, where that is not the owner.' }),
    delegate: authority.meta({ description: 'Who may move tokens of it, where that is not the owner.' }),
    financialInstrument: reference,
    state: z.enum(['INITIALIZED', 'FROZEN', 'CLOSED']),
    balance: pairOrNulls,
    reserved: pairOrNulls,
    available: pairOrNulls,
  })
  .meta({
    id: 'Position',
    description:
      'An account read model and what a position has beside it. The amounts of a shared one are null to other tenants.',
  })
export type PositionModel = ModelOf<typeof position>

export const lookupTable = z
  .object({
    addressLookupTable: account,
    authority: authority.meta({ description: 'null once the table is frozen.' }),
    addresses: z.array(z.object({ onchainId: z.string(), offchainId: z.uuid().optional() })),
    state: z.enum(['ACTIVE', 'DEACTIVATING', 'CLOSED', 'FROZEN']),
  })
  .meta({ id: 'AddressLookupTable' })
export type LookupTableModel = ModelOf<typeof lookupTable>

const partyOrAddress = z.object({
  onchain: z.object({ id: z.string() }),
  offchain: z.object({ id: z.uuid().nullable() }),
  managed: z.boolean(),
  tenantOrganizationId: text,
})
export type NonceAuthorityModel = ModelOf<typeof partyOrAddress>

export const nonce = z
  .object({
    nonceAccount: account,
    nonceAuthority: partyOrAddress,
    nonceHash: text.meta({ description: 'As the chain showed it last, finalized; null before the first look.' }),
    inUse: z.object({ transactionOffchainId: z.uuid(), transactionAt: z.iso.datetime() }).nullable(),
  })
  .meta({ id: 'DurableNonceAccount' })
export type NonceModel = ModelOf<typeof nonce>

export const nonceDetails = nonce.extend({
  privateKeyDetails: z.object({ location: z.array(z.string()), publickKey: z.string() }).optional(),
})
export type NonceDetailsModel = ModelOf<typeof nonceDetails>

export const newNoncesAnswer = z.object({
  newDurableNonceAccounts: z.array(ids),
  chainTransaction: transactionResult.optional(),
  chainTransactions: z.array(transactionResult),
  chainPlan: chainPlan.optional(),
})

/** The answer of Sign. */
export const signed = transactionResult
  .extend({
    serializedTransaction: z
      .string()
      .optional()
      .meta({ description: 'Base64 of the transaction with its signatures, if the request asks for it.' }),
  })
  .meta({ id: 'SignedTransaction' })

export const apiKeyRecord = z
  .object({
    keyId: z.string(),
    name: z.string(),
    organizationExternalId: z.string(),
    roles: z.array(z.string()),
    clusters: texts.meta({ description: 'None listed: all.' }),
    disabled: z.boolean(),
    expiresAt: time,
    lastUsedAt: time,
    createdAt: z.iso.datetime(),
    createdBy: z.string(),
    rotatedAt: time,
    previousSecretValidUntil: time,
    approvalsSuspendedUntil: time,
  })
  .meta({ id: 'ApiKeyRecord', description: 'Never holds a secret.' })
export type ApiKeyModel = ModelOf<typeof apiKeyRecord>

export const apiKey = z
  .object({
    keyId: z.string(),
    apiKey: z.string().optional().meta({ description: 'Shown once; absent in a replay.' }),
  })
  .meta({ id: 'ApiKey' })

/** `{ newAccount: { onchainId, offchainId }, chainTransaction? }` and similar. */
export function created<Member extends string>(member: Member) {
  return z.object({ ...withIds(member), chainTransaction: transactionResult.optional() })
}

/** The ids of a changed resource; no transaction was needed. */
export function changed<Member extends string>(member: Member) {
  return z.object(withIds(member))
}

function withIds<Member extends string>(member: Member) {
  return { [member]: ids } as Record<Member, typeof ids>
}

/** As `created`, for operations that may take several transactions. */
export function createdByPlan<Member extends string>(member: Member) {
  return created(member).extend({
    chainTransactions: z.array(transactionResult).optional(),
    chainPlan: chainPlan.optional(),
  })
}

export const createdInstrument = z.object({
  newFinancialInstrument: ids.extend({ alId: z.string().optional() }),
  chainTransaction: transactionResult.optional(),
})

export const updatedOrganization = z.object({ updatedOrganization: z.object({ externalId: z.string() }) })
export const disabledKey = z.looseObject({ keyId: z.string() })

const frozenTarget = z.object({
  onchainId: z.string().optional(),
  offchainId: z.uuid().optional(),
  organizationExternalId: z.string().optional(),
  everything: z.boolean().optional(),
})
export type FrozenTargetModel = ModelOf<typeof frozenTarget>
export const frozen = z.object({ frozen: frozenTarget })
export const unfrozen = z.object({ unfrozen: frozenTarget })

const laneTarget = z.looseObject({ chainClusterId: z.string() })
export const suspended = z.object({ suspended: laneTarget })
export const resumed = z.object({ resumed: laneTarget })

export const privateKeyAnswer = z.object({
  privateKeyDetails: z.looseObject({
    location: z.array(z.string()),
    publickKey: z.string(),
    privateKey: z.string().optional().meta({ description: 'Base58.' }),
    privateKeyJwe: z.string().optional().meta({ description: 'Compact JWE, with encryptTo.' }),
  }),
})
export type PrivateKeyModel = ModelOf<typeof privateKeyAnswer>

export const auditRow = z
  .object({
    sequence: z.int().meta({ description: 'Counts the rows of a tenant, from 1, without gaps.' }),
    at: z.iso.datetime(),
    keyId: z.string(),
    action: z.string().meta({ description: 'The endpoint.', examples: ['POST /api/v1/accounts'] }),
    outcome: z.enum(['DONE', 'REFUSED']),
    resource: z.object({ kind: text, onchainId: text, offchainId: text }),
    requestId: z.string(),
    count: z.int().optional().meta({
      description:
        'Of a row that stands for repeats of a refusal (same key, endpoint and resource, within a minute of the first): how many.',
    }),
    previousHash: z.string().meta({ description: '64 zeros before the first row.' }),
    hash: z.string().meta({ description: 'SHA-256 (hex) of the RFC 8785 canonical JSON of all other members.' }),
  })
  .meta({ id: 'AuditRow' })
export type AuditRowModel = ModelOf<typeof auditRow>

export const dryRun = z
  .object({
    dryRun: z.object({
      transactionsCount: z.int().optional(),
      feeLamports: number,
      sizeBytes: z.int(),
      accounts: z.array(z.string()),
      signers: z.array(z.object({ onchainId: z.string(), managed: z.boolean() })),
      limits: z.array(limitVerdict).meta({
        description:
          'The verdict of each debit limit that applies: PASSED, or EXCEEDED, with which the request is refused or waits for approval.',
      }),
      simulation: z.object({ error: text, computeUnits: z.int().nullable(), logs: z.array(z.string()) }).nullable(),
    }),
  })
  .meta({ id: 'DryRun', description: 'What would happen.' })
export type DryRunModel = ModelOf<typeof dryRun>
