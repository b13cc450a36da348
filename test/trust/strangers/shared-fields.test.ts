// The fields by which another tenant can find and sort shared records of the operator: every field of every list with
// shared records. A field that is added later is hidden until it is named here; a list that is added later must be
// named here.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Field, Resource } from '../../../src/engine/query/field.ts'
import { routes } from '../../../src/http/routes.ts'
import { DATA_SOURCES } from '../../../src/operations/views/bulk/data-sources.ts'
import { NONCES } from '../../../src/operations/views/bulk/nonces.ts'
import { ACCOUNTS, INSTRUMENTS, LOOKUP_TABLES, POSITIONS } from '../../../src/operations/views/bulk/resources.ts'
import type { Client } from '../../e2e/client.ts'
import { startWorld, type World } from '../../e2e/harness.ts'
import type { Ids, NewInstrument } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { keyOf, newParty, type Party } from '../fixtures/parties.ts'

type Kind = 'account' | 'position' | 'instrument' | 'lookupTable' | 'nonce' | 'dataSource'

interface List {
  readonly kind: Kind
  readonly fields: readonly Field<never>[]
  /**
   * Of a record itself: ids, `type`, `code`, `managed`, `status`, `canPayFees`, whose it is, and the reader's
   * organizations in its lists; and what anybody reads on chain.
   */
  readonly shown: readonly string[]
}

const OF_ACCOUNTS = [
  'managed',
  'type',
  'code',
  'status',
  'tenantOrganizationId',
  'canPayFees',
  'sharedAccrossTenants',
  'orgsIsGlobalFeePayerFor',
  'orgsAllowedToSignWithPrivateKey',
]
const list = (kind: Kind, { fields }: Resource<never>, ...shown: readonly string[]): List => ({ kind, fields, shown })

const LISTS: Readonly<Record<string, List>> = {
  '/accounts/bulk/identifiers': list('account', ACCOUNTS, ...OF_ACCOUNTS),
  '/positions/bulk/identifiers': list(
    'position',
    POSITIONS,
    ...OF_ACCOUNTS,
    'state',
    'ownerOnchainId',
    'financialInstrumentOnchainId',
  ),
  '/financial-instruments/bulk/identifiers': list(
    'instrument',
    INSTRUMENTS,
    'managed',
    'tenantOrganizationId',
    'sharedAccrossTenants',
    'version',
    'defaultPositionState',
    'paused',
    ...INSTRUMENTS.fields.map(({ name }) => name).filter((name) => name.endsWith('OnchainId')),
  ),
  '/address-lookup-tables/bulk': list(
    'lookupTable',
    LOOKUP_TABLES,
    ...OF_ACCOUNTS,
    'authorityOnchainId',
    'state',
    'addressCount',
  ),
  '/durable-nonce-accounts/bulk': list(
    'nonce',
    NONCES,
    'nonceAuthorityOnchainId',
    'nonceAccountOnchainId',
    'nonceAccountOffchainId',
    'nonceAccountCode',
    'nonceHash',
  ),
  '/market-data/onchain-data-source/bulk': list(
    'dataSource',
    DATA_SOURCES,
    'defiProtocol',
    'dataType',
    'ratingAgency',
    'onchainDataSourceOffchainId',
    'onchainDataSourceOnchainId',
    'financialInstrumentOnchainId',
    'onchainDataSourceAuthorityOnchainId',
  ),
}
/** Lists of records that are never shared. */
const UNSHARED = [
  '/transactions',
  '/batches',
  '/batches/items',
  '/schedules',
  '/schedules/occurrences',
  '/payment-requests',
  '/approval-policies',
  '/pending-changes',
  '/counterparties',
  '/loans',
  '/loans/strategies',
  '/webhooks',
  '/audit',
  '/admin/organizations',
  '/admin/api-keys',
  '/financial-instruments/holders',
  '/distributions',
]
const cells = Object.entries(LISTS).flatMap(([path, { kind, fields, shown }]) =>
  fields.map((field) => ({ path, kind, field, name: field.name, isShown: shown.includes(field.name) })),
)

/** Hidden fields without a value in any record of this test. */
const UNSET = [
  ...[
    'confidentialMintBurnAuthority',
    'confidentialTransferAuthority',
    'scaledUiAmountAuthority',
    'transferHookAuthority',
    'transferHookProgram',
    'metadataPointerAuthority',
  ].map((name) => `instrument.${name}OffchainId`),
  ...['lookupTable', 'position'].flatMap((kind) =>
    ['privateKeyLocation', 'solDebitApiKeys', 'tokenDebitApiKeys'].map((name) => `${kind}.${name}`),
  ),
  'nonce.inUseByTransactionId',
].toSorted()

let world: World
let other: Party
/** Two of each kind, whose fields differ. */
const sharedIds = new Map<Kind, string[]>()

beforeAll(async () => {
  world = await startWorld()
  other = await newParty(world, 'OTHER')
  const { keyId } = await keyOf(world, 'SYSTEM', { bundle: 'OPERATOR' })
  const wallet = await world.records.feePayer()
  const keep = (kind: Kind, { offchainId }: Ids): void =>
    void sharedIds.set(kind, [...(sharedIds.get(kind) ?? []), offchainId])
  const job = JSON.stringify({ tasks: [{ valueTask: { big: '2' } }] })
  for (const [index, version] of (['SPL', 'TOKEN_2022'] as const).entries()) {
    const members = (kind: Kind): object => {
      const text = (name: string): string => `${name} ${kind} ${index}`
      const offchainReferences = {
        code: text('code'),
        alId: text('al'),
        accountNumber: text('number'),
        name: text('name'),
      }
      const lists = {
        globalFeePayerForOrgs: ['OTHER'],
        orgsAllowedToSignWithPrivateKey: ['OTHER'],
        solDebitApiKeys: [keyId],
        tokenDebitApiKeys: [keyId],
      }
      const isAccount = kind === 'account'
      return {
        shareAcrossTenants: true,
        offchainReferences,
        comments: text('of'),
        ...(isAccount && index === 0 ? lists : {}),
      }
    }
    const { api } = world
    keep(
      'account',
      await world.records.account({ ...members('account'), seedLamports: (BigInt(index + 1) * SOL).toString() }),
    )
    const authorities =
      version === 'SPL'
        ? {}
        : {
            freezeAuthority: wallet,
            permanentDelegateAuthority: wallet,
            closingAuthority: wallet,
            pausableAuthority: wallet,
            defaultPositionState: 'INITIALIZED',
          }
    const { newFinancialInstrument: instrument } = await api.ok<NewInstrument>(201, 'POST', '/financial-instruments', {
      mintAccount: members('instrument'),
      version,
      mintAuthority: wallet,
      updateAuthority: wallet,
      ...authorities,
      onchainData: { decimals: 2 },
    })
    keep('instrument', instrument)
    const financialInstrument = { offchainId: instrument.offchainId }
    const { newPosition } = await api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', {
      owner: wallet,
      financialInstrument,
      position: { isDerived: true, ...members('position') },
    })
    keep('position', newPosition)
    await world.records.mint(newPosition, BigInt(index + 1))
    const { newDurableNonceAccounts } = await api.ok<{ newDurableNonceAccounts: Ids[] }>(
      201,
      'POST',
      '/durable-nonce-accounts',
      {
        nonceAuthority: wallet,
        nonceAccounts: [members('nonce')],
      },
    )
    keep('nonce', newDurableNonceAccounts[0]!)
    const { newAddressLookupTable } = await api.ok<{ newAddressLookupTable: Ids }>(
      201,
      'POST',
      '/address-lookup-tables',
      {
        addressLookupTable: members('lookupTable'),
        authority: wallet,
        componentAddresses: [{ onchainId: wallet.onchainId }],
      },
    )
    keep('lookupTable', newAddressLookupTable)
    const { newOnchainDataSource } = await api.ok<{ newOnchainDataSource: Ids }>(
      201,
      'POST',
      '/market-data/onchain-data-source',
      {
        defiProtocol: 'PUBLISHED_FEED',
        onchainDataSource: members('dataSource'),
        financialInstrument,
        onchainDataSourceAuthority: wallet,
        dataDetails: { kind: 'PRICE' },
        oracleProviderDetails: { kind: 'QUOTES', jobDefinition: job },
      },
    )
    keep('dataSource', newOnchainDataSource)
  }
})
afterAll(() => world.stop())

const kindOf = (kind: Kind): readonly string[] => sharedIds.get(kind) ?? []

/** Ids of the shared records of the kind that a query finds, in order. */
async function findIds(api: Client, path: string, kind: Kind, query: object): Promise<readonly string[]> {
  const { items } = (await api.bulk(path, query)) as { items: readonly object[] }
  const texts = items.map((item) => JSON.stringify(item))
  return texts.flatMap((text) => kindOf(kind).find((id) => text.includes(id)) ?? [])
}

/** Filters of which one matches any value. */
function anyValue({ type, values }: Field<never>): readonly object[] {
  if (values !== undefined) return [{ filterType: 'IN', valuesString: values }]
  if (type === 'BOOLEAN') return [true, false].map((valueBoolean) => ({ filterType: 'EQUALS', valueBoolean }))
  if (type === 'NUMBER') return [{ filterType: 'GREATER_THAN_OR_EQUAL', valueNumber: '-1' }]
  if (type === 'TIMESTAMP') return [{ filterType: 'GREATER_THAN', valueString: '2000-01-01T00:00:00Z' }]
  return [{ filterType: 'STARTS_WITH', valueString: '' }]
}

async function foundByAnyValue(api: Client, path: string, kind: Kind, field: Field<never>): Promise<readonly string[]> {
  const each = anyValue(field).map((value) =>
    findIds(api, path, kind, { filter: [{ fieldName: field.name, filterValues: [value] }] }),
  )
  return [...new Set((await Promise.all(each)).flat())]
}

describe('14.11: filters and sort orders of other tenants for shared records', () => {
  it('14.11: every list is tested here, or shares nothing', () => {
    const lists = routes
      .filter(({ path }) => path.includes('/bulk'))
      .map(({ path }) => path.replace('/api/v1', '').replace('{detail-level}', 'identifiers'))
    const namedLists = [
      ...Object.keys(LISTS),
      ...UNSHARED.flatMap((path) => [`${path}/bulk`, `${path}/bulk/identifiers`]),
    ]
    expect(lists.filter((path) => !namedLists.includes(path))).toEqual([])
    expect(cells.length).toBeGreaterThan(90)
  })

  it.each(cells)('14.11: $path by $name: $isShown', async ({ path, kind, field, isShown }) => {
    const ownerIds = await foundByAnyValue(world.api, path, kind, field)
    const otherIds = await foundByAnyValue(other.api, path, kind, field)
    // The owner finds those that have a value.
    if (isShown) expect(otherIds.toSorted()).toEqual(ownerIds.toSorted())
    else expect(otherIds).toEqual([])
  })

  it.each(cells.filter(({ isShown }) => !isShown))(
    '14.11: $path sorted by $name is in the same order either way',
    async ({ path, kind, field }) => {
      const order = (sortDirection: 'ASC' | 'DESC'): Promise<readonly string[]> =>
        findIds(other.api, path, kind, { sort: [{ fieldName: field.name, sortDirection }] })
      const [up, down] = [await order('ASC'), await order('DESC')]
      expect(up).toHaveLength(2)
      expect(down).toEqual(up)
    },
  )

  it('14.11 control: the owner finds its records by the hidden fields', async () => {
    const hiddenCells = cells.filter(({ isShown }) => !isShown)
    const unset: string[] = []
    for (const { path, kind, field, name } of hiddenCells)
      if ((await foundByAnyValue(world.api, path, kind, field)).length === 0) unset.push(`${kind}.${name}`)
    expect(unset.toSorted()).toEqual(UNSET)
  })
})
