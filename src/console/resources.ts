// The resources of the console: their endpoints, roles and columns, and how one record of each is found.
import { bulk, read, type Answer } from './api.ts'
import { OPERATOR_RESOURCES } from './operator-resources.ts'
import { column, type Resource } from './resource.ts'
import { APPROVAL_RESOURCES } from './resources-approvals.ts'
import { SCHEDULE_RESOURCES } from './schedule-resources.ts'
import { textAt } from './value.ts'

export type { Column, Resource, Shape } from './resource.ts'

export const RESOURCES: readonly Resource[] = [
  {
    name: 'transactions',
    title: 'Transactions',
    one: 'transaction',
    path: '/transactions/bulk/detailed',
    roles: ['TRANSACTIONS_READ'],
    id: 'offchainId',
    names: [],
    machine: 'transaction',
    moves: false,
    single: { path: '/transactions/single' },
    columns: [
      column('Transaction', 'offchainId', 'id', 'offchainId'),
      column('What', '', 'sentence'),
      column('Status', 'status', 'state', 'status'),
      column('Reference', 'externalReference', 'text', 'externalReference'),
      column('Fee payer', '', 'payer', 'feePayerOnchainId'),
      column('Fee', 'fee', 'currency', 'fee'),
      column('Prepared', 'preparedAt', 'time', 'preparedAt'),
    ],
  },
  {
    name: 'accounts',
    title: 'Accounts',
    one: 'account',
    path: '/accounts/bulk/detailed',
    roles: ['ACCOUNTS_READ'],
    id: 'offchain.id',
    names: ['offchain.name', 'offchain.code'],
    machine: 'account',
    moves: true,
    single: { path: '/accounts/single' },
    columns: [
      column('Account', 'onchain.id', 'id'),
      column('Code', 'offchain.code', 'text', 'code'),
      column('Name', 'offchain.name', 'text', 'offchainReferenceName'),
      column('Type', 'offchain.type', 'word', 'type'),
      column('Status', 'status', 'state', 'status'),
      column('Balance', 'offchain.lamportsBalance', 'lamports', 'lamportsBalance'),
      column('Managed', 'managed', 'flag', 'managed'),
      column('Last transaction', 'onchain.lastTransactionAt', 'time', 'lastTransactionAt'),
    ],
  },
  {
    name: 'positions',
    title: 'Positions',
    one: 'position',
    path: '/positions/bulk/detailed',
    roles: ['POSITIONS_READ'],
    id: 'offchain.id',
    names: ['offchain.name', 'offchain.code'],
    machine: 'position',
    moves: true,
    single: { path: '/positions/single', member: 'position' },
    columns: [
      column('Position', 'onchain.id', 'id'),
      column('Owner', 'owner', 'party', 'ownerOnchainId'),
      column('Instrument', 'financialInstrument', 'instrument', 'financialInstrumentOnchainId'),
      column('State', 'state', 'state', 'state'),
      column('Balance', 'balance.amount', 'amount', 'tokenBalance'),
      column('Reserved', 'reserved.amount', 'amount'),
      column('Last transaction', 'onchain.lastTransactionAt', 'time', 'lastTransactionAt'),
    ],
  },
  {
    name: 'instruments',
    title: 'Instruments',
    one: 'instrument',
    path: '/financial-instruments/bulk/detailed',
    roles: ['INSTRUMENTS_READ'],
    id: 'mintAccount.offchain.id',
    names: ['onchainData.name', 'onchainData.symbol', 'mintAccount.offchain.name'],
    machine: 'instrument',
    moves: true,
    single: { path: '/financial-instruments/single' },
    columns: [
      column('Mint', 'mintAccount.onchain.id', 'id'),
      column('Name', 'onchainData.name', 'text'),
      column('Symbol', 'onchainData.symbol', 'text'),
      column('Version', 'version', 'text', 'version'),
      column('Status', 'status', 'state'),
      column('Supply', 'supply.amount', 'amount'),
      column('Decimals', 'onchainData.decimals', 'count'),
      column('Paused', 'paused', 'flag', 'paused'),
    ],
  },
  {
    name: 'loans',
    title: 'Loans',
    one: 'loan',
    path: '/loans/bulk',
    roles: ['LOANS_READ'],
    id: 'escrow.offchain.id',
    names: ['escrow.offchain.name', 'escrow.offchain.code'],
    machine: 'loan',
    moves: true,
    single: { path: '/loans/single', member: 'escrow' },
    columns: [
      column('Escrow', 'escrow.onchain.id', 'id', 'escrowOnchainId'),
      column('State', 'lifecycleState', 'state', 'status'),
      column('Borrower', 'borrower', 'party', 'borrowerOnchainId'),
      column('Lender', 'lender', 'party', 'lenderOnchainId'),
      { ...column('Principal due', 'borrowedItems', 'sums', 'borrowedItemDueAmount'), of: 'principalDue' },
      { ...column('Pledged', 'pledgedItems', 'sums', 'pledgedItemAmount'), of: 'pledgedAmount' },
      column('Health', 'health', 'percent'),
    ],
  },
  {
    name: 'strategies',
    title: 'Lending strategies',
    one: 'lending strategy',
    path: '/loans/strategies/bulk',
    roles: ['LOANS_READ'],
    id: 'offchainId',
    idField: 'offchainId',
    names: [],
    machine: 'strategy',
    moves: false,
    columns: [
      column('Vault', 'onchainId', 'id', 'strategyAccountOnchainId'),
      column('Lender', 'strategyAccount', 'party'),
      column('Instrument', 'financialInstrument', 'instrument', 'financialInstrumentOnchainId'),
      column('Lends', 'originationsEnabled', 'flag', 'originationsEnabled'),
      column('Cap', 'originationCap', 'amount'),
      column('Updated', 'updatedAt', 'time'),
    ],
  },
  {
    name: 'nonces',
    title: 'Nonces',
    one: 'nonce account',
    path: '/durable-nonce-accounts/bulk',
    roles: ['NONCES_READ'],
    id: 'nonceAccount.offchain.id',
    idField: 'nonceAccountOffchainId',
    names: ['nonceAccount.offchain.code'],
    machine: 'nonce',
    moves: true,
    columns: [
      column('Nonce account', 'nonceAccount.onchain.id', 'id', 'nonceAccountOnchainId'),
      column('Code', 'nonceAccount.offchain.code', 'text', 'nonceAccountCode'),
      column('Status', 'nonceAccount.status', 'state'),
      column('Authority', 'nonceAuthority', 'party', 'nonceAuthorityOnchainId'),
      column('Value', 'nonceHash', 'id', 'nonceHash'),
      column('Held by', 'inUse.transactionOffchainId', 'id', 'inUseByTransactionId'),
      column('Since', 'inUse.transactionAt', 'time'),
    ],
  },
  {
    name: 'batches',
    title: 'Batches',
    one: 'batch',
    path: '/batches/bulk',
    roles: ['TRANSACTIONS_READ'],
    id: 'offchainId',
    names: ['externalReference'],
    machine: 'batch',
    moves: false,
    single: { path: '/batches/single' },
    columns: [
      column('Batch', 'offchainId', 'id'),
      column('Operation', 'operation', 'word'),
      column('Status', 'status', 'state', 'status'),
      column('Reference', 'externalReference', 'text'),
      column('Items', 'itemsCount', 'count'),
      column('Done', 'doneCount', 'count'),
      column('Failed', 'failedCount', 'count'),
      column('Created', 'createdAt', 'time'),
    ],
  },
  {
    name: 'distributions',
    title: 'Distributions',
    one: 'distribution',
    path: '/distributions/bulk',
    roles: ['TRANSACTIONS_READ'],
    id: 'offchainId',
    names: ['externalReference'],
    machine: 'distribution',
    moves: false,
    single: { path: '/distributions/single' },
    columns: [
      column('Distribution', 'offchainId', 'id'),
      column('Instrument', 'financialInstrument', 'instrument'),
      column('Record instant', 'recordAt', 'time'),
      column('Total', 'total', 'amount'),
      column('Pays', 'payoutInstrument', 'asset'),
      column('Status', 'status', 'state', 'status'),
      column('Reference', 'externalReference', 'text'),
      column('Parts', 'partsCount', 'count'),
    ],
  },
  {
    name: 'counterparties',
    title: 'Counterparties',
    one: 'counterparty',
    path: '/counterparties/bulk',
    roles: ['ACCOUNTS_READ', 'COUNTERPARTIES_WRITE'],
    id: 'offchainId',
    names: ['name'],
    machine: 'counterparty',
    moves: false,
    single: { path: '/counterparties/single' },
    columns: [
      column('Counterparty', 'offchainId', 'id'),
      column('Name', 'name', 'text', 'name'),
      column('Status', 'status', 'state', 'status'),
      column('Reference', 'externalReference', 'text', 'externalReference'),
      column('Changed', 'updatedAt', 'time', 'updatedAt'),
    ],
  },
  {
    name: 'items',
    title: 'Batch items',
    one: 'item of a batch',
    path: '/batches/items/bulk',
    roles: ['TRANSACTIONS_READ'],
    id: 'offchainId',
    idField: 'offchainId',
    names: ['externalReference'],
    machine: 'batchItem',
    moves: false,
    columns: [
      column('Item', 'offchainId', 'id'),
      column('From', 'itemData.source', 'lookup'),
      column('To', 'itemData.destination', 'lookup'),
      column('Amount', 'itemData', 'moved'),
      column('Status', 'status', 'state', 'status'),
      column('Reference', 'externalReference', 'text'),
      { ...column('Batch', 'batchOffchainId', 'id'), to: 'batches' },
      { ...column('Transaction', 'chainTransaction.offchainId', 'id'), to: 'transactions' },
      column('Error', 'errorCode', 'text'),
    ],
  },
  ...APPROVAL_RESOURCES,
  ...SCHEDULE_RESOURCES,
  {
    name: 'tables',
    title: 'Lookup tables',
    one: 'lookup table',
    path: '/address-lookup-tables/bulk',
    roles: ['LOOKUP_TABLES_READ'],
    id: 'addressLookupTable.offchain.id',
    names: ['addressLookupTable.offchain.name', 'addressLookupTable.offchain.code'],
    machine: 'lookupTable',
    moves: true,
    single: { path: '/address-lookup-tables/single' },
    columns: [
      column('Table', 'addressLookupTable.onchain.id', 'id'),
      column('Code', 'addressLookupTable.offchain.code', 'text', 'code'),
      column('State', 'state', 'state', 'state'),
      column('Authority', 'authority', 'party', 'authorityOnchainId'),
      column('Addresses', 'addresses', 'list', 'addressCount'),
    ],
  },
  {
    name: 'feeds',
    title: 'Feeds',
    one: 'data source',
    path: '/market-data/onchain-data-source/bulk',
    roles: ['MARKET_DATA_READ'],
    id: 'onchainDataSource.offchain.id',
    names: ['onchainDataSource.offchain.name', 'onchainDataSource.offchain.code'],
    machine: 'dataSource',
    moves: true,
    single: {
      path: '/market-data/onchain-data-source/single',
      member: 'onchainDataSource',
    },
    columns: [
      column('Data source', 'onchainDataSource.onchain.id', 'id', 'onchainDataSourceOnchainId'),
      column('Kind', 'dataDetails.kind', 'text', 'dataType'),
      column('Instrument', 'financialInstrument', 'instrument', 'financialInstrumentOnchainId'),
      column('Value', 'latest.value', 'amount'),
      column('As of', 'latest.asOf', 'time'),
      column('Stale', 'stale', 'flag'),
    ],
  },
  ...OPERATOR_RESOURCES,
]

export function resourceNamed(name: string): Resource | undefined {
  return RESOURCES.find((resource) => resource.name === name)
}

/** What an account of that type has a page of its own for. */
export const PAGES_OF_TYPES: Readonly<Record<string, string>> = {
  FUNDS_TOKEN_ACCOUNT: 'positions',
  ASSET_TOKEN_ACCOUNT: 'positions',
  FUNDS_TOKEN: 'instruments',
  ASSET_TOKEN: 'instruments',
  ADDRESS_LOOKUP_TABLE: 'tables',
  NONCE: 'nonces',
}

export function nameOf({ names }: Resource, item: Answer): string | null {
  for (const path of names) {
    const found = textAt(item, path)
    if (found !== null && found !== '') return found
  }
  return null
}

/** Rejects with Refused if there is no such record, or not for this key. */
export async function fetchNamed(
  { path, member }: NonNullable<Resource['single']>,
  lookup: { readonly offchainId: string } | { readonly onchainId: string },
  signal?: AbortSignal,
): Promise<Answer> {
  return await read(path, member === undefined ? lookup : { [member]: lookup }, signal)
}

/** null: there is no such record, or not for this key. */
export async function fetchOne(
  { single, path, id, idField = id }: Resource,
  value: string,
  signal: AbortSignal,
): Promise<Answer | null> {
  if (single !== undefined) return await fetchNamed(single, { offchainId: value }, signal)
  const wanted = id === 'sequence' ? { valueNumber: value } : { valueString: value }
  const { items } = await bulk(
    path,
    { filter: [{ fieldName: idField, filterValues: [{ filterType: 'EQUALS', ...wanted }] }], limit: 1 },
    signal,
  )
  return items[0] ?? null
}
