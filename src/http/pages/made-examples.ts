// Generates examples from the schemas of the document: of every response, and of bodies without a written example. The
// value of a member is the one listed below for its name, otherwise the first one that the schema allows.
import type { Json } from './openapi.ts'

type Schemas = Readonly<Record<string, Json>>

const ADDRESS = 'E645TckHQnDcavVv92Etc6xSWQaq8zzPtPRGBheviRAk'
const SIGNATURE = '3ba72n7bPLdHxA3RBsr4ePiqYmK9dVP4rCUaHTD3dTpSDvcq9nLtFQkuwU4kQnQqY9tA4ofSVsTkEe7rW1hNJQ8J'
const UUID = '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11'
const ACCOUNT_CODE = 'TREASURY'
const TIME = '2026-03-02T09:30:00.000Z'

/** By the name of a member, or by the name of the schema and the member. */
const VALUES: Readonly<Record<string, unknown>> = {
  accountNumber: '1001',
  action: 'POST /api/v1/positions/transfer',
  alId: 'AL-1001',
  allowedPrograms: [],
  amount: 250.25,
  apiKey: 'hf_abcdef012345_ThisIsTheSecretOfTheKeyAndIsShownOnlyOnce00_000000',
  approvalsSuspendedUntil: null,
  asset: 'LAMPORTS',
  closeAuthority: null,
  closingAuthority: null,
  chainClusterId: 'CHAIN_DEVNET',
  code: ACCOUNT_CODE,
  comments: 'operating funds',
  computeUnitPrice: 0,
  computeUnitsConsumed: 6_200,
  computeUnitsLimit: 200_000,
  confidentialMintBurnAuthority: null,
  confidentialTransferAuthority: null,
  confirmationsCount: 1,
  createdBy: 'abcdef012345',
  debit: 250.25,
  decimals: 2,
  delegate: null,
  detail: null,
  defaultDebitLimits: ['networkCurrencyDebitLimits', 'tokenDebitLimits'],
  defiProtocol: 'ESCROW_VAULT',
  disabled: false,
  disabledAt: null,
  disabledBecause: null,
  domain: null,
  endpoint: 'POST /api/v1/positions/transfer',
  error: null,
  errorMessage: null,
  estimatedRentAmount: 0.00274224,
  estimatedRentLamports: 2_742_240,
  eventTypes: ['account.*', 'transaction.finalized'],
  expiresAt: null,
  externalId: 'ACME',
  externalReference: 'INVOICE-7',
  fee: 0.000005,
  feeLamports: 5_000,
  freezeAuthority: null,
  frozen: false,
  hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  httpStatus: 204,
  isDerived: false,
  keyId: 'abcdef012345',
  kind: 'account',
  lamports: 25_025,
  lamportsBalance: 10_000_000_000,
  lastValidBlockHeight: 4_211,
  limitAmount: 5,
  location: ['DATABASE'],
  managed: true,
  messageLifetimeStrategy: 'RECENT_BLOCKHASH',
  mintAccountSize: 238,
  mintAccountSizeWithMetadata: 331,
  name: 'Acme Capital',
  networkCurrencyDebitLimits: [],
  nextAttemptAt: TIME,
  nonceAccount: null,
  organizationExternalId: 'ACME',
  outOfBalance: false,
  overdue: false,
  owner: ADDRESS,
  parentExternalId: null,
  pausableAuthority: null,
  paused: false,
  permanentDelegateAuthority: null,
  previousHash: '0000000000000000000000000000000000000000000000000000000000000000',
  previousSecretValidUntil: null,
  privateKey: 'the private key in base58',
  privateKeyLocation: ['DATABASE'],
  programId: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  publickKey: ADDRESS,
  recentBlockhash: '7nvsAHRuQ3m6DpBUr6Mz3Y8aGfQAqGnpBrnNNU5TcjwT',
  reserved: { amount: 0, lamports: 0 },
  rotatedAt: null,
  requestId: UUID,
  roles: ['POSITIONS_READ', 'POSITIONS_WRITE'],
  rule: 'DEBIT_LIMITS',
  scaledUiAmountAuthority: null,
  scaledUiAmountMultiplier: null,
  secret: 'whsec_c2hvd24gb25jZSwgc28ga2VlcCBpdCBzb21ld2hlcmU=',
  serializedMessage: 'gAEAAQIDBA==',
  sharedAcrossTenants: false,
  signature: SIGNATURE,
  signers: [{ onchainId: ADDRESS, managed: true }],
  simulation: null,
  sizeBytes: 412,
  slot: 4_060,
  stale: false,
  subscribeToNetworkEvents: false,
  success: true,
  symbol: 'BNDA',
  tenantOrganizationId: 'ACME',
  tokenBalance: null,
  tokenDebitLimits: [],
  tokenDecimals: null,
  transactionVersion: 'V0',
  transferHookAuthority: null,
  transferHookProgram: null,
  txnTimestamp: '2026-03-02T09:30:00.123456Z',
  type: 'WALLET',
  unit: 1,
  uri: '',
  url: 'https://example.org/hooks/holdfast',
  used: 0,
  verdict: 'PASSED',
  version: 'TOKEN_2022',
  wasOnchainAlready: false,
  'ChainTransactionResult.onchainId': SIGNATURE,
  'ChainTransactionResult.status': 'CONFIRMED',
  'Event.kind': 'transaction',
  'Event.type': 'transaction.confirmed',
  'Explanation.detail': 'as the owner of the account allows',
  'Explanation.status': 'CONFIRMED',
  'FinancialInstrument.status': 'ACTIVE',
  'Webhook.type': 'account.created',
  'Problem.type': '/docs/errors#NOT_POSITIVE',
  'Transaction.onchainId': SIGNATURE,
  'Transaction.status': 'CONFIRMED',
  'Transaction.type': 'TRANSFER_CHECKED',
}

/** Optional members of an answer that its example shows. */
const SHOWN = new Set(['chainTransaction', 'defaultDebitLimits', 'apiKey', 'secret', 'privateKey', 'offchainId'])

/** An example that fits the schema: required members, and those that are usually there. */
export function madeExample(schema: Json, schemas: Schemas): unknown {
  return valueOf(schema, { schemas, of: '', name: '', inside: [] })
}

interface Place {
  readonly schemas: Schemas
  /** Name of the closest named schema, and of the member. */
  readonly of: string
  readonly name: string
  /** Named schemas around it: a schema that contains itself ends. */
  readonly inside: readonly string[]
}

function valueOf(schema: Json, place: Place): unknown {
  const { $ref, anyOf, allOf } = schema as { $ref?: string; anyOf?: readonly Json[]; allOf?: readonly Json[] }
  if ($ref !== undefined) {
    const of = $ref.slice($ref.lastIndexOf('/') + 1)
    if (place.inside.includes(of)) return null
    return valueOf(place.schemas[of]!, { ...place, of, inside: [...place.inside, of] })
  }
  const known = VALUES[`${place.of}.${place.name}`] ?? VALUES[place.name]
  if (known !== undefined && fits(known, schema, place.schemas)) return known
  if ('const' in schema) return schema['const']
  const [example] = (schema['examples'] as readonly unknown[] | undefined) ?? []
  if (example !== undefined) return example
  if (VALUES[place.name] === null && fits(null, schema, place.schemas)) return null
  const variants = (anyOf ?? allOf)?.filter(({ type }) => type !== 'null')
  if (variants?.[0] !== undefined) return valueOf(variants[0], place)
  return plainValue(schema, place)
}

function plainValue(schema: Json, place: Place): unknown {
  const values = schema['enum'] as readonly unknown[] | undefined
  if (values !== undefined) return values[0]
  const [type] = [schema['type']].flat().filter((each) => each !== 'null')
  switch (type) {
    case 'object':
      return membersOf(schema, place)
    case 'array': {
      const items = schema['items'] as Json | undefined
      return items === undefined || isBareText(items) ? [] : [valueOf(items, place)]
    }
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return Math.max(Number(schema['minimum'] ?? 1), 1)
    case 'string':
      return textOf(schema, place.name)
    default:
      return null
  }
}

function membersOf(schema: Json, place: Place): Json {
  const required = new Set(schema['required'] as readonly string[] | undefined)
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Json>>
  const shown = Object.entries(properties).filter(([name]) => required.has(name) || SHOWN.has(name))
  return Object.fromEntries(shown.map(([name, member]) => [name, valueOf(member, { ...place, name })]))
}

/** Shows a list of ids or names as empty, because its content would not explain its form. */
function isBareText({ type, format }: Json): boolean {
  return type === 'string' && format === undefined
}

function textOf(schema: Json, name: string): string {
  if (schema['format'] === 'uuid') return UUID
  if (schema['format'] === 'date-time') return TIME
  if (/transactionId$|^signature$/i.test(name)) return SIGNATURE
  if (/^(?:onchainId|id)$|address|account$|authority$/i.test(name))
    return schema['minLength'] === 64 ? SIGNATURE : ADDRESS
  return name === '' ? 'text' : name
}

/**
 * Whether a value has a type that the schema allows; the value itself is checked by
 * `test/http/pages/examples.test.ts`.
 */
function fits(value: unknown, schema: Json, schemas: Schemas): boolean {
  const { $ref, anyOf } = schema as { $ref?: string; anyOf?: readonly Json[] }
  if ($ref !== undefined) return fits(value, schemas[$ref.slice($ref.lastIndexOf('/') + 1)]!, schemas)
  if (anyOf !== undefined) return anyOf.some((variant) => fits(value, variant, schemas))
  const values = schema['enum'] as readonly unknown[] | undefined
  if (values !== undefined) return values.includes(value)
  const types = [(schema['type'] ?? []) as string | string[]].flat()
  if (value === null) return types.includes('null')
  if (Array.isArray(value)) return types.includes('array')
  if (typeof value === 'number')
    return types.includes('number') || (Number.isInteger(value) && types.includes('integer'))
  if (typeof value === 'string' && schema['format'] === 'uuid') return false
  if (typeof value === 'string' && schema['format'] === 'date-time' && Number.isNaN(Date.parse(value))) return false
  return types.includes(typeof value)
}
