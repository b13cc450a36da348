// The members of a shared account of the operator that other tenants see in reads, and that they can filter in lists.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../../e2e/harness.ts'
import type { Account, Ids } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { keyOf, newParty, type Party } from '../fixtures/parties.ts'

// None of them can be part of a random id.
const SECRETS = { alId: 'AL-4711', accountNumber: '99-17-QX', name: 'Escrow of Customer Ltd' }
const CODE = 'SHARED-17'

let world: World
let customer: Party
let other: Party
let keyId: string
let sharedAccount: Ids
let owner: Ids
let position: Ids
let instrument: Ids

beforeAll(async () => {
  world = await startWorld()
  customer = await newParty(world, 'CUSTOMER')
  other = await newParty(world, 'OTHER')
  await newParty(world, 'CUSTOMER-SUB', 'CUSTOMER')
  keyId = (await keyOf(world, 'SYSTEM', { bundle: 'OPERATOR' })).keyId
  await world.records.feePayer()
  owner = await world.records.funded({ offchainReferences: { name: 'owner of the shared position' } })
  instrument = await world.records.instrument('SPL', owner)
  const body = {
    owner,
    financialInstrument: instrument,
    position: { shareAcrossTenants: true, comments: 'owed to Customer Ltd' },
  }
  position = (await world.api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', body)).newPosition
  await world.records.mint(position, 987_654_321n)
  sharedAccount = await world.records.funded(
    {
      shareAcrossTenants: true,
      canPayFees: true,
      comments: 'owed to Customer Ltd',
      domain: 'customer.example',
      offchainReferences: { code: CODE, ...SECRETS },
      globalFeePayerForOrgs: ['CUSTOMER', 'CUSTOMER-SUB', 'OTHER'],
      orgsAllowedToSignWithPrivateKey: ['CUSTOMER'],
      solDebitApiKeys: [keyId],
      tokenDebitApiKeys: [keyId],
      networkCurrencyDebitLimits: [
        { destination: 'ANY', maxAllowedDebit: { limitType: 'PER_TRANSACTION', limitAmount: 7 } },
      ],
    },
    3n * SOL,
  )
})
afterAll(() => world.stop())

const filterOf = (fieldName: string, value: object): object => ({ filter: [{ fieldName, filterValues: [value] }] })
const findIds = async (reader: Party, path: string, query: object): Promise<readonly string[]> => {
  const { items } = (await reader.api.bulk(`${path}/bulk/identifiers`, query)) as {
    items: readonly { offchain: { id: string } }[]
  }
  return items.map(({ offchain }) => offchain.id)
}

describe("attack 15: a shared account does not reveal its owner's data (14.11)", () => {
  it('shows another tenant ids, type, code, managed, status, canPayFees and its own organizations', async () => {
    const view = await other.api.read<Account>('/accounts/single', { onchainId: sharedAccount.onchainId })
    expect(view).toEqual({
      onchain: {
        id: sharedAccount.onchainId,
        lastTransactionId: null,
        lastTransactionAt: null,
        creationTransactionId: null,
        creationTransactionAt: null,
      },
      offchain: {
        id: sharedAccount.offchainId,
        type: 'WALLET',
        code: CODE,
        alId: null,
        organizationExternalId: 'SYSTEM',
        accountNumber: null,
        name: null,
        lamportsBalance: null,
        tokenBalance: null,
        tokenDecimals: null,
        lastTransactionId: null,
        creationTransactionId: null,
      },
      managed: true,
      status: 'ACTIVE',
      privateKeyLocation: [],
      isDerived: null,
      subscribeToNetworkEvents: null,
      sharedAcrossTenants: true,
      wasOnchainAlready: null,
      canPayFees: true,
      comments: null,
      domain: null,
      tenantOrganizationId: 'SYSTEM',
      globalFeePayerForOrgs: ['OTHER'],
      orgsAllowedToSignWithPrivateKey: [],
      solDebitApiKeys: [],
      tokenDebitApiKeys: [],
      networkCurrencyDebitLimits: [],
      tokenDebitLimits: [],
      destinationPolicy: null,
      frozenByOperator: null,
      laneSuspended: null,
      symbol: null,
    })
    // Organizations of the tenant of the reader are its own, whether they make the request or not.
    expect(await customer.api.read('/accounts/single', { offchainId: sharedAccount.offchainId })).toMatchObject({
      globalFeePayerForOrgs: ['CUSTOMER', 'CUSTOMER-SUB'],
      orgsAllowedToSignWithPrivateKey: ['CUSTOMER'],
    })
  })

  it('shows no more in lists and references', async () => {
    const text = JSON.stringify([
      await other.api.bulk('/accounts/bulk/detailed', {}),
      await other.api.bulk('/accounts/bulk/compact', {}),
      await other.api.bulk('/positions/bulk/detailed', {}),
      await other.api.bulk('/positions/bulk/compact', {}),
    ])
    expect(text).toContain(sharedAccount.offchainId)
    expect(text).toContain(position.offchainId)
    for (const secret of [
      'CUSTOMER',
      'Customer',
      keyId,
      owner.offchainId,
      instrument.offchainId,
      ...Object.values(SECRETS),
      '987654321',
      '987,654,321',
    ]) {
      expect([secret, text.includes(secret)]).toEqual([secret, false])
    }
    await other.api.refuses(404, 'ACCOUNT_NOT_FOUND', 'POST', '/accounts/single/balance', {
      offchainId: sharedAccount.offchainId,
    })
    await other.api.refuses(404, 'POSITION_NOT_FOUND', 'POST', '/positions/single/balance', {
      position: { offchainId: position.offchainId },
    })
  })

  it.each([
    ['alId', { filterType: 'EQUALS', valueString: SECRETS.alId }],
    ['accountNumber', { filterType: 'STARTS_WITH', valueString: '99' }],
    ['offchainReferenceName', { filterType: 'CONTAINS', valueString: 'Customer' }],
    ['comments', { filterType: 'CONTAINS', valueString: 'customer' }],
    ['lamportsBalance', { filterType: 'GREATER_THAN', valueNumber: 0 }],
    ['privateKeyLocation', { filterType: 'EQUALS', valueString: 'DATABASE' }],
    ['orgsIsGlobalFeePayerFor', { filterType: 'EQUALS', valueString: 'CUSTOMER' }],
    ['orgsIsGlobalFeePayerFor', { filterType: 'CONTAINS', valueString: 'CUST' }],
    ['orgsAllowedToSignWithPrivateKey', { filterType: 'EQUALS', valueString: 'CUSTOMER' }],
    ['orgsAllowedToSignWithPrivateKey', { filterType: 'IS_NOT_NULL' }],
    ['solDebitApiKeys', { filterType: 'IS_NOT_NULL' }],
    ['tokenDebitApiKeys', { filterType: 'IS_NOT_NULL' }],
    ['wasAlreadyOnchain', { filterType: 'EQUALS', valueBoolean: false }],
  ])('with a filter on %s is found by its owner only', async (fieldName, value) => {
    expect(await findIds(other, '/accounts', filterOf(fieldName, value))).toEqual([])
    expect(await findIds(world as unknown as Party, '/accounts', filterOf(fieldName, value))).toContain(
      sharedAccount.offchainId,
    )
  })

  it('with a filter on a visible member is found by all', async () => {
    for (const [fieldName, value] of [
      ['code', { filterType: 'EQUALS', valueString: CODE }],
      ['canPayFees', { filterType: 'EQUALS', valueBoolean: true }],
      ['sharedAccrossTenants', { filterType: 'EQUALS', valueBoolean: true }],
    ] as const) {
      expect(await findIds(other, '/accounts', filterOf(fieldName, value))).toContain(sharedAccount.offchainId)
    }
  })

  it('is found by the organizations of the reader in its lists, as the reader sees them', async () => {
    const equals = (valueString: string): object => ({ filterType: 'EQUALS', valueString })
    const feePayer = 'orgsIsGlobalFeePayerFor'
    const signing = 'orgsAllowedToSignWithPrivateKey'
    const finds = async (reader: Party, fieldName: string, value: object): Promise<boolean> =>
      (await findIds(reader, '/accounts', filterOf(fieldName, value))).includes(sharedAccount.offchainId)
    for (const [reader, fieldName, value, isFound] of [
      [other, feePayer, equals('OTHER'), true],
      [other, feePayer, { filterType: 'IN', valuesString: ['CUSTOMER', 'OTHER'] }, true],
      [other, feePayer, { filterType: 'IS_NULL' }, false],
      [other, feePayer, { filterType: 'NOT_EQUALS', valueString: 'CUSTOMER' }, true],
      [other, signing, { filterType: 'IS_NULL' }, true],
      [customer, feePayer, equals('CUSTOMER'), true],
      [customer, feePayer, equals('CUSTOMER-SUB'), true],
      [customer, feePayer, equals('OTHER'), false],
      [customer, feePayer, { filterType: 'ENDS_WITH', valueString: 'ther' }, false],
      [customer, signing, equals('CUSTOMER'), true],
    ] as const)
      expect([fieldName, value, await finds(reader, fieldName, value)]).toEqual([fieldName, value, isFound])
    // Other fields stay hidden in the same query.
    const both = {
      filter: [
        { fieldName: feePayer, filterValues: [equals('CUSTOMER')] },
        { fieldName: 'comments', filterValues: [{ filterType: 'CONTAINS', valueString: 'owed' }] },
      ],
    }
    expect(await findIds(customer, '/accounts', both)).toEqual([])
    // Beside its own accounts, each once.
    const own = await customer.records.account({ globalFeePayerForOrgs: ['CUSTOMER'], canPayFees: true })
    const query = {
      filter: [
        { fieldName: feePayer, filterValues: [equals('CUSTOMER')] },
        { fieldName: 'canPayFees', filterValues: [{ filterType: 'EQUALS', valueBoolean: true }] },
      ],
      sort: [{ fieldName: 'tenantOrganizationId', sortDirection: 'DESC' }],
    }
    const page = (await customer.api.bulk('/accounts/bulk/detailed', { ...query, limit: 1 })) as {
      count: number
      items: readonly Account[]
    }
    expect([page.count, page.items[0]!.offchain.id]).toEqual([2, sharedAccount.offchainId])
    expect(page.items[0]).toEqual(await customer.api.read('/accounts/single', { offchainId: sharedAccount.offchainId }))
    expect(await findIds(customer, '/accounts', { ...query, skip: 1 })).toEqual([own.offchainId])
  })

  it('has a place in a list that depends on visible members only', async () => {
    const poor = await world.records.account({ shareAcrossTenants: true, comments: 'zzz' })
    for (const fieldName of ['lamportsBalance', 'comments', 'lastTransactionAt']) {
      const orders = await Promise.all(
        (['ASC', 'DESC'] as const).map((sortDirection) =>
          findIds(other, '/accounts', { sort: [{ fieldName, sortDirection }] }),
        ),
      )
      expect(orders[0]).toEqual([sharedAccount.offchainId, poor.offchainId, position.offchainId].sort())
      expect(orders[1]).toEqual(orders[0])
    }
  })

  it('finds a position by on-chain members, not by its balance', async () => {
    expect(
      await findIds(other, '/positions', filterOf('tokenBalance', { filterType: 'GREATER_THAN', valueNumber: 0 })),
    ).toEqual([])
    expect(
      await findIds(
        other,
        '/positions',
        filterOf('ownerOffchainId', { filterType: 'EQUALS', valueString: owner.offchainId }),
      ),
    ).toEqual([])
    expect(
      await findIds(other, '/positions', filterOf('state', { filterType: 'EQUALS', valueString: 'INITIALIZED' })),
    ).toEqual([position.offchainId])
  })

  it('shows its owner everything, once', async () => {
    const own = await world.api.read<Account>('/accounts/single', { offchainId: sharedAccount.offchainId })
    expect(own).toMatchObject({
      offchain: { ...SECRETS, lamportsBalance: Number(3n * SOL) },
      comments: 'owed to Customer Ltd',
      solDebitApiKeys: [keyId],
      globalFeePayerForOrgs: ['CUSTOMER', 'CUSTOMER-SUB', 'OTHER'],
    })
    const code = filterOf('code', { filterType: 'EQUALS', valueString: CODE })
    expect(await findIds(world as unknown as Party, '/accounts', code)).toEqual([sharedAccount.offchainId])
  })

  it('shows of a shared instrument what the chain shows, and not its offchain data and supply limit', async () => {
    const secret = 'Customer Ltd only'
    const { newFinancialInstrument } = await world.api.ok<{ newFinancialInstrument: Ids }>(
      201,
      'POST',
      '/financial-instruments',
      {
        mintAccount: { shareAcrossTenants: true, offchainReferences: { code: 'SHARED-COIN' } },
        version: 'SPL',
        mintAuthority: owner,
        maxSupply: 4711,
        onchainData: { decimals: 2 },
        offchainData: {
          description: secret,
          simpleCustomMetadata: { note: secret },
          complexCustomMetadata: { deep: { note: secret } },
          logo: { fileName: secret, type: 'LOGO' },
        },
      },
    )
    const { offchainId } = newFinancialInstrument
    const read = (party: Pick<Party, 'api'>): Promise<object> =>
      party.api.read('/financial-instruments/single', { offchainId })
    expect(JSON.stringify(await read(world))).toContain(secret)
    expect(await read(other)).toMatchObject({
      offchainData: { description: null, simpleCustomMetadata: null, complexCustomMetadata: null, logo: null },
      maxSupply: null,
      supply: { lamports: 0 },
    })
    for (const level of ['detailed', 'compact']) {
      const page = JSON.stringify(await other.api.bulk(`/financial-instruments/bulk/${level}`, {}))
      expect(page).toContain(offchainId)
      expect(page).not.toMatch(/Customer|4711/)
    }
  })
})
