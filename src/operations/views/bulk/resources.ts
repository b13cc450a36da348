// The bulk query fields of each resource, and its default order.
import { isSuccess, STATUS, type TransactionState } from '../../../../machines/transactions/transaction-record.ts'
import type { AuthorityName } from '../../../../machines/instrument-record.ts'
import type { Field, Resource } from '../../../engine/query/field.ts'
import type { HoldingState, RecordState } from '../../../engine/records/record.ts'
import { formatAmount } from '../../../../machines/amount.ts'
import { NETWORK_DECIMALS } from '../read-models/amounts.ts'
import { AUTHORITIES } from '../read-models/instrument.ts'
import { memosOf } from '../read-models/memos.ts'
import { tableStateOf } from '../read-models/lookup-table.ts'
import { stateOf } from '../read-models/position.ts'
import { AWAITS_APPROVAL_BY, AWAITS_OUR_SIGNATURE } from './awaiting.ts'
import { COMMON_FIELDS } from './holding-fields.ts'
import { visibleOutside } from './outside.ts'

const idOf = ({ id }: RecordState): string => id
/** Restricts the queries of administrators. */
const TENANT: Field<RecordState> = { name: 'tenant', type: 'TEXT', read: ({ tenant }) => tenant }

export const ACCOUNTS: Resource<HoldingState> = {
  fields: [
    ...COMMON_FIELDS,
    ...visibleOutside<HoldingState>(
      [{ name: 'lamportsBalance', type: 'NUMBER', read: ({ context }) => context.lamports.balance }],
      [],
    ),
  ],
  defaultSort: [{ fieldName: 'managed', sortDirection: 'DESC' }],
  id: idOf,
}

type Position = RecordState<'position'>

export const POSITIONS: Resource<Position> = {
  fields: [
    ...(COMMON_FIELDS as readonly Field<Position>[]),
    ...visibleOutside<Position>(
      [
        { name: 'state', type: 'TEXT', values: ['INITIALIZED', 'FROZEN', 'CLOSED'], read: stateOf },
        { name: 'tokenBalance', type: 'NUMBER', read: ({ context }) => context.tokens.balance },
        { name: 'ownerOnchainId', type: 'ONCHAIN_ADDRESS_ID', read: ({ context }) => context.owner.address },
        { name: 'ownerOffchainId', type: 'OFFCHAIN_ID', nullable: true, read: ({ context }) => context.owner.id },
        {
          name: 'financialInstrumentOnchainId',
          type: 'ONCHAIN_ADDRESS_ID',
          read: ({ context }) => context.mint.address,
        },
        {
          name: 'financialInstrumentOffchainId',
          type: 'OFFCHAIN_ID',
          nullable: true,
          read: ({ context }) => context.mint.id,
        },
      ],
      ['state', 'ownerOnchainId', 'financialInstrumentOnchainId'],
    ),
  ],
  defaultSort: [{ fieldName: 'tokenBalance', sortDirection: 'DESC' }],
  id: idOf,
}

type LookupTable = RecordState<'lookupTable'>

export const LOOKUP_TABLES: Resource<LookupTable> = {
  fields: [
    ...(ACCOUNTS.fields as readonly Field<LookupTable>[]),
    {
      name: 'authorityOnchainId',
      type: 'ONCHAIN_ADDRESS_ID',
      nullable: true,
      read: ({ context }) => context.authority?.address ?? null,
    },
    ...visibleOutside<LookupTable>(
      [
        {
          name: 'authorityOffchainId',
          type: 'OFFCHAIN_ID',
          nullable: true,
          read: ({ context }) => context.authority?.id ?? null,
        },
      ],
      [],
    ),
    { name: 'state', type: 'TEXT', values: ['ACTIVE', 'DEACTIVATING', 'CLOSED', 'FROZEN'], read: tableStateOf },
    { name: 'addressCount', type: 'NUMBER', read: ({ context }) => String(context.addresses.length) },
  ],
  defaultSort: [{ fieldName: 'managed', sortDirection: 'DESC' }],
  id: idOf,
}

type Instrument = RecordState<'instrument'>

const INSTRUMENT_FIELDS = new Set([
  'managed',
  'alId',
  'offchainReferenceName',
  'comments',
  'tenantOrganizationId',
  'lastTransactionAt',
  'creationTransactionAt',
  'wasAlreadyOnchain',
  'sharedAccrossTenants',
])

export const INSTRUMENTS: Resource<Instrument> = {
  fields: [
    ...(COMMON_FIELDS as readonly Field<Instrument>[]).filter(({ name }) => INSTRUMENT_FIELDS.has(name)),
    { name: 'version', type: 'TEXT', values: ['SPL', 'TOKEN_2022'], read: ({ context }) => context.version },
    {
      name: 'defaultPositionState',
      type: 'TEXT',
      nullable: true,
      values: ['INITIALIZED', 'FROZEN'],
      read: ({ context }) => context.defaultPositionState,
    },
    { name: 'paused', type: 'BOOLEAN', nullable: true, read: ({ context }) => context.paused },
    ...AUTHORITIES.flatMap(authorityFields),
  ],
  defaultSort: [
    { fieldName: 'managed', sortDirection: 'DESC' },
    { fieldName: 'version', sortDirection: 'DESC' },
  ],
  id: idOf,
}

/** The interface spells one of these fields `udpateAuthorityOffchainId`. */
function authorityFields(name: AuthorityName): Field<Instrument>[] {
  const offchain =
    name === 'updateAuthority'
      ? { name: 'udpateAuthorityOffchainId', aliases: ['updateAuthorityOffchainId'] }
      : { name: `${name}OffchainId` }
  return [
    {
      name: `${name}OnchainId`,
      type: 'ONCHAIN_ADDRESS_ID',
      nullable: true,
      read: ({ context }) => context.authorities[name]?.address ?? null,
    },
    ...visibleOutside<Instrument>(
      [
        {
          ...offchain,
          type: 'OFFCHAIN_ID',
          nullable: true,
          read: ({ context }) => context.authorities[name]?.id ?? null,
        },
      ],
      [],
    ),
  ]
}

type Transaction = RecordState<'transaction'>

export const TRANSACTIONS: Resource<Transaction> = {
  fields: [
    { name: 'offchainId', type: 'OFFCHAIN_ID', read: idOf },
    { name: 'onchainId', type: 'ONCHAIN_ADDRESS_ID', nullable: true, read: ({ context }) => context.signature },
    {
      name: 'status',
      type: 'TEXT',
      values: Object.values(STATUS),
      read: ({ value }) => STATUS[value as TransactionState],
    },
    { name: 'success', type: 'BOOLEAN', read: ({ value, context }) => isSuccess(value as TransactionState, context) },
    {
      name: 'fee',
      type: 'NUMBER',
      nullable: true,
      read: ({ context }) => formatAmount(BigInt(context.fixed.fee), NETWORK_DECIMALS),
    },
    {
      name: 'feePayerOffchainId',
      type: 'OFFCHAIN_ID',
      nullable: true,
      read: ({ context }) => context.fixed.feePayer.id,
    },
    { name: 'feePayerOnchainId', type: 'ONCHAIN_ADDRESS_ID', read: ({ context }) => context.fixed.feePayer.address },
    {
      name: 'accountOffchainId',
      type: 'OFFCHAIN_ID',
      nullable: true,
      read: ({ context }) => context.fixed.accounts.map(({ id }) => id),
    },
    {
      name: 'accountOnchainId',
      type: 'ONCHAIN_ADDRESS_ID',
      nullable: true,
      read: ({ context }) => context.fixed.accounts.map(({ address }) => address),
    },
    {
      name: 'messageLifetimeStrategy',
      type: 'TEXT',
      values: ['RECENT_BLOCKHASH', 'DURABLE_NONCE'],
      read: ({ context }) => context.fixed.lifetime,
    },
    { name: 'recentBlockhash', type: 'TEXT', nullable: true, read: ({ context }) => context.fixed.blockhash },
    {
      name: 'computeUnitsConsumed',
      type: 'NUMBER',
      nullable: true,
      read: ({ context }) => context.computeUnitsConsumed,
    },
    {
      name: 'computeUnitsLimit',
      type: 'NUMBER',
      nullable: true,
      read: ({ context }) => context.fixed.computeUnitsLimit,
    },
    { name: 'computeUnitPrice', type: 'NUMBER', nullable: true, read: ({ context }) => context.fixed.computeUnitPrice },
    {
      name: 'instructionType',
      type: 'TEXT',
      read: ({ context }) => context.fixed.instructions.map(({ type }) => type),
    },
    { name: 'endpoint', type: 'TEXT', nullable: true, read: ({ context }) => context.fixed.endpoint },
    { name: 'externalReference', type: 'TEXT', nullable: true, read: referencesOf },
    { name: 'memo', type: 'TEXT', nullable: true, read: ({ context }) => memosOf(context.fixed) },
    { name: 'blockTime', type: 'TIMESTAMP', nullable: true, read: blockTimeOf },
    { name: 'preparedAt', type: 'TIMESTAMP', read: ({ context }) => context.fixed.preparedAt },
    AWAITS_OUR_SIGNATURE,
    AWAITS_APPROVAL_BY,
  ],
  defaultSort: [{ fieldName: 'preparedAt', sortDirection: 'DESC' }],
  id: idOf,
}

/** The reference of the transaction, and those of the batch items that it carries. */
function referencesOf({ context: { fixed } }: Transaction): readonly string[] {
  const { externalReference, itemReferences = [] } = fixed
  return externalReference === undefined ? itemReferences : [externalReference, ...itemReferences]
}

function blockTimeOf({ context }: Transaction): string | null {
  return context.blockTime === null ? null : new Date(context.blockTime * 1000).toISOString()
}

type Organization = RecordState<'organization'>

export const ORGANIZATIONS: Resource<Organization> = {
  fields: [
    { name: 'externalId', type: 'TEXT', read: ({ context }) => context.externalId },
    { name: 'name', type: 'TEXT', read: ({ context }) => context.name },
    { name: 'parentExternalId', type: 'TEXT', nullable: true, read: ({ context }) => context.parentExternalId },
  ],
  hidden: [TENANT],
  defaultSort: [{ fieldName: 'externalId', sortDirection: 'ASC' }],
  id: idOf,
}

type ApiKey = RecordState<'apiKey'>

export const API_KEYS: Resource<ApiKey> = {
  fields: [
    { name: 'keyId', type: 'TEXT', read: ({ context }) => context.keyId },
    { name: 'name', type: 'TEXT', read: ({ context }) => context.name },
    { name: 'organizationExternalId', type: 'TEXT', read: ({ context }) => context.organization },
    { name: 'disabled', type: 'BOOLEAN', read: ({ value }) => value === 'disabled' },
    { name: 'expiresAt', type: 'TIMESTAMP', nullable: true, read: ({ context }) => context.expiresAt },
    { name: 'lastUsedAt', type: 'TIMESTAMP', nullable: true, read: ({ context }) => context.lastUsedAt },
  ],
  hidden: [TENANT],
  defaultSort: [{ fieldName: 'keyId', sortDirection: 'ASC' }],
  id: idOf,
}
