// All problems of a body are reported at once: also those that an operation finds when it resolves the members, over all
// groups of resources.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Method } from './client.ts'
import { startWorld, type World } from './harness.ts'
import type { Ids } from './models.ts'

/** Code and pointer of each problem, in order. */
type Expected = readonly (readonly [code: string, pointer: string])[]

interface Refused {
  readonly errors: readonly { readonly code: string; readonly pointer?: string }[]
}

const unknown = (tag: string): object => ({ offchainId: `00000000-0000-4000-8000-0000000000${hex(tag)}` })
const hex = (tag: string): string => tag.charCodeAt(0).toString(16)
const account = (pointer: string): readonly [string, string] => ['ACCOUNT_NOT_FOUND', `/itemData/${pointer}`]
const instrument = (pointer: string): readonly [string, string] => ['INSTRUMENT_NOT_FOUND', `/itemData/${pointer}`]
const position = (pointer: string): readonly [string, string] => ['POSITION_NOT_FOUND', `/itemData/${pointer}`]
const key = (pointer: string): readonly [string, string] => ['API_KEY_NOT_FOUND', `/itemData/${pointer}`]
const organization = (pointer: string): readonly [string, string] => ['ORGANIZATION_NOT_FOUND', `/itemData/${pointer}`]
const held = (tag: string): object => ({ owner: unknown(tag), financialInstrument: unknown(tag) })
const PAST = '2020-01-01T00:00:00Z'

let world: World
let wallet: Ids
let mint: Ids
let spl: Ids

beforeAll(async () => {
  world = await startWorld()
  await world.records.feePayer()
  wallet = await world.records.funded()
  mint = await world.records.instrument('TOKEN_2022', wallet, { freezeAuthority: wallet, closingAuthority: wallet })
  spl = await world.records.instrument('SPL', wallet, { mintAccount: { offchainReferences: { code: 'spl' } } })
  await world.records.position(wallet, mint, 1_000n)
  await world.records.position(wallet, spl, 1_000n)
  const first = {
    externalReference: 'first',
    name: 'First',
    status: 'ALLOWED',
    addresses: [listed(wallet), listed(mint)],
  }
  await world.api.ok(201, 'POST', '/counterparties', first)
})
afterAll(() => world.stop())

interface Case {
  readonly name: string
  readonly path: string
  readonly body: () => object
  readonly expected: Expected
  readonly method?: Method
  readonly status?: number
  readonly config?: object
}

async function refusedWith({ method = 'POST', path, body, config, status = 400 }: Case): Promise<Expected> {
  const options = config === undefined ? {} : { config }
  const answer = await world.api.send<Refused>(method, path, body(), options)
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  return answer.body.errors.map(({ code, pointer = '' }) => [code, pointer] as const)
}

const POSITIONS: readonly Case[] = [
  {
    name: 'both wallets of a transfer of network currency',
    path: '/positions/transfer-network-currency',
    body: () => ({ source: unknown('a'), destination: unknown('b'), amount: '1' }),
    expected: [account('source'), account('destination')],
  },
  {
    name: 'the wallets and the fee payer',
    path: '/positions/transfer-network-currency',
    body: () => ({ source: unknown('a'), destination: unknown('b'), amount: '1' }),
    config: { feePayer: unknown('c') },
    expected: [['ACCOUNT_NOT_FOUND', '/chainTransactionConfig/feePayer'], account('source'), account('destination')],
  },
  {
    name: 'all of the entire balance',
    path: '/positions/transfer-network-currency',
    body: () => ({ source: unknown('a'), destination: unknown('b'), transferEntireBalance: true }),
    expected: [account('source'), account('destination')],
  },
  {
    name: 'both sides of a transfer, by owner and instrument',
    path: '/positions/transfer',
    body: () => ({ source: held('a'), destination: held('b'), amount: '1' }),
    expected: [
      account('destination/owner'),
      instrument('destination/financialInstrument'),
      account('source/owner'),
      instrument('source/financialInstrument'),
    ],
  },
  {
    name: 'both sides of a transfer, by position, and the fee payer',
    path: '/positions/transfer',
    body: () => ({ source: { position: unknown('a') }, destination: { position: unknown('b') }, amount: '1' }),
    config: { feePayer: unknown('c') },
    expected: [
      position('destination/position'),
      position('source/position'),
      ['ACCOUNT_NOT_FOUND', '/chainTransactionConfig/feePayer'],
    ],
  },
  {
    name: 'every member of a position lookup',
    path: '/positions/transfer',
    body: () => ({
      source: {
        position: unknown('a'),
        owner: unknown('b'),
        financialInstrument: unknown('c'),
        mintAuthority: unknown('d'),
        freezeAuthority: unknown('e'),
      },
      destination: { owner: wallet, financialInstrument: mint },
      amount: '1',
    }),
    expected: [
      account('source/mintAuthority'),
      account('source/freezeAuthority'),
      position('source/position'),
      account('source/owner'),
      instrument('source/financialInstrument'),
    ],
  },
  {
    name: 'what two known sides do not allow',
    path: '/positions/transfer',
    body: () => ({
      source: { owner: wallet, financialInstrument: spl },
      destination: { owner: wallet, financialInstrument: mint },
      amount: '0.0000001',
      unfreezeSource: true,
      permanentDelegate: true,
    }),
    expected: [
      ['INSTRUMENT_MISMATCH', '/itemData/destination'],
      ['NO_AUTHORITY', '/itemData/permanentDelegate'],
      ['TOO_PRECISE', '/itemData/amount'],
      ['TOKEN_2022_REQUIRED', '/itemData/unfreezeSource'],
    ],
  },
  {
    name: 'sides of several legs of a trade',
    path: '/positions/trade',
    body: () => ({
      legs: [
        { source: unknown('a'), destination: unknown('b'), amount: '1' },
        { source: { position: unknown('c') }, destination: { position: unknown('d') }, amount: '1' },
      ],
    }),
    expected: [
      account('legs/0/source'),
      account('legs/0/destination'),
      position('legs/1/source/position'),
      position('legs/1/destination/position'),
    ],
  },
  {
    name: 'owner, instrument and account of a new position',
    path: '/positions',
    body: () => ({ ...held('a'), position: { globalFeePayerForOrgs: ['N1'], seedLamports: '5' } }),
    expected: [
      account('owner'),
      instrument('financialInstrument'),
      ['NOT_APPLICABLE', '/itemData/position/seedLamports'],
      organization('position/globalFeePayerForOrgs/0'),
    ],
  },
  {
    name: 'destination and authority of a mint',
    path: '/positions/mint',
    body: () => ({ destination: { position: unknown('a') }, mintAuthority: unknown('b'), amount: '1' }),
    expected: [position('destination/position'), account('mintAuthority')],
  },
  {
    name: 'authority and amount of a mint',
    path: '/positions/mint',
    body: () => ({
      destination: { owner: wallet, financialInstrument: mint },
      mintAuthority: unknown('b'),
      amount: '0.0000001',
    }),
    expected: [account('mintAuthority'), ['TOO_PRECISE', '/itemData/amount']],
  },
  {
    name: 'owner and instrument of a burn',
    path: '/positions/burn',
    body: () => ({ source: held('a'), amount: '1' }),
    expected: [account('source/owner'), instrument('source/financialInstrument')],
  },
  {
    name: 'position and authority of a freeze',
    method: 'PATCH',
    path: '/positions/freeze',
    body: () => ({ position: { position: unknown('a') }, freezeAuthority: unknown('b') }),
    expected: [position('position/position'), account('freezeAuthority')],
  },
  {
    name: 'position, authority, remainder and refund of a closing',
    method: 'PATCH',
    path: '/positions/close',
    status: 404,
    body: () => ({
      position: { position: unknown('a') },
      freezeAuthority: unknown('b'),
      refundSolDestination: unknown('c'),
      transferRemainingTokenBalanceTo: { position: unknown('d') },
    }),
    expected: [
      position('position/position'),
      position('transferRemainingTokenBalanceTo/position'),
      account('freezeAuthority'),
      account('refundSolDestination'),
    ],
  },
  {
    name: 'a position and its new limits',
    method: 'PATCH',
    path: '/positions',
    body: () => ({ position: { position: unknown('a') }, tokenDebitApiKeys: ['K1', 'K2'] }),
    expected: [position('position/position'), key('tokenDebitApiKeys/0'), key('tokenDebitApiKeys/1')],
  },
]

const ACCOUNTS: readonly Case[] = [
  {
    name: 'every organization of a list',
    path: '/accounts',
    body: () => ({ managed: true, globalFeePayerForOrgs: ['N1', 'N2'] }),
    expected: [organization('globalFeePayerForOrgs/0'), organization('globalFeePayerForOrgs/1')],
  },
  {
    name: 'keys and organizations of several lists',
    path: '/accounts',
    body: () => ({
      managed: true,
      solDebitApiKeys: ['K1', 'K2'],
      tokenDebitApiKeys: ['K3'],
      orgsAllowedToSignWithPrivateKey: ['N1'],
    }),
    expected: [
      key('solDebitApiKeys/0'),
      key('solDebitApiKeys/1'),
      key('tokenDebitApiKeys/0'),
      organization('orgsAllowedToSignWithPrivateKey/0'),
    ],
  },
  {
    name: 'the address and the organization',
    path: '/accounts',
    body: () => ({ managed: false, offchainReferences: { organizationExternalId: 'NOPE' } }),
    expected: [['REQUIRED', '/itemData/onchainId'], organization('offchainReferences/organizationExternalId')],
  },
  {
    name: 'the account of an update and its new members',
    method: 'PATCH',
    path: '/accounts',
    body: () => ({ account: unknown('a'), globalFeePayerForOrgs: ['N1'], solDebitApiKeys: ['K1'] }),
    expected: [account('account'), key('solDebitApiKeys/0'), organization('globalFeePayerForOrgs/0')],
  },
  {
    name: 'account and refund of an inactivation',
    method: 'PATCH',
    path: '/accounts/inactivate',
    body: () => ({ account: unknown('a'), refundDestination: unknown('b') }),
    expected: [account('account'), account('refundDestination')],
  },
]

const INSTRUMENTS: readonly Case[] = [
  {
    name: 'authorities and account of a new instrument',
    path: '/financial-instruments',
    body: () => ({
      version: 'TOKEN_2022',
      mintAccount: { solDebitApiKeys: ['K1'] },
      mintAuthority: unknown('a'),
      freezeAuthority: unknown('b'),
      pausableAuthority: unknown('c'),
    }),
    expected: [
      key('mintAccount/solDebitApiKeys/0'),
      account('mintAuthority'),
      account('freezeAuthority'),
      account('pausableAuthority'),
    ],
  },
  {
    name: 'authorities and rules of a new SPL instrument',
    path: '/financial-instruments',
    body: () => ({ version: 'SPL', mintAccount: {}, mintAuthority: unknown('a'), paused: true }),
    expected: [account('mintAuthority'), ['TOKEN_2022_REQUIRED', '/itemData/paused']],
  },
  {
    name: 'next holders of authorities',
    method: 'PATCH',
    path: '/financial-instruments/authorities',
    body: () => ({ financialInstrument: mint, authorities: { mint: unknown('a'), freeze: unknown('b') } }),
    expected: [account('authorities/mint'), account('authorities/freeze')],
  },
  {
    name: 'instrument and next holders of authorities',
    method: 'PATCH',
    path: '/financial-instruments/authorities',
    body: () => ({ financialInstrument: unknown('i'), authorities: { mint: unknown('a'), freeze: unknown('b') } }),
    expected: [instrument('financialInstrument'), account('authorities/mint'), account('authorities/freeze')],
  },
  {
    name: 'authority and refund of a closing',
    method: 'PATCH',
    path: '/financial-instruments/close',
    body: () => ({ financialInstrumentToClose: spl, closeAuthority: unknown('a'), refundDestination: unknown('b') }),
    expected: [
      ['EXTENSION_MISSING', '/itemData/financialInstrumentToClose'],
      account('closeAuthority'),
      account('refundDestination'),
    ],
  },
  {
    name: 'signers and next authorities of an update',
    method: 'PATCH',
    path: '/financial-instruments',
    body: () => ({
      mintAccount: mint,
      newClosingAuthority: unknown('a'),
      currentClosingAuthority: unknown('b'),
      freezeAuthority: unknown('c'),
    }),
    expected: [account('newClosingAuthority'), account('freezeAuthority'), account('currentClosingAuthority')],
  },
]

const OTHERS: readonly Case[] = [
  {
    name: 'authority and addresses of a lookup table',
    path: '/address-lookup-tables',
    body: () => ({ authority: unknown('a'), componentAddresses: [unknown('b'), wallet, unknown('c')] }),
    expected: [account('authority'), account('componentAddresses/0'), account('componentAddresses/2')],
  },
  {
    name: 'table and addresses of an extension',
    method: 'PATCH',
    path: '/address-lookup-tables/extend',
    body: () => ({ addressLookupTable: unknown('a'), componentAddresses: [unknown('b'), unknown('c')] }),
    expected: [
      ['ADDRESS_LOOKUP_TABLE_NOT_FOUND', '/itemData/addressLookupTable'],
      account('componentAddresses/0'),
      account('componentAddresses/1'),
    ],
  },
  {
    name: 'authority and entries of nonce accounts',
    path: '/durable-nonce-accounts',
    body: () => ({
      nonceAuthority: unknown('a'),
      nonceAccounts: [{ canPayFees: true }, {}, { managed: false }, { offchainReferences: { type: 'WALLET' } }],
    }),
    expected: [
      account('nonceAuthority'),
      ['FEE_PAYER_INVALID', '/itemData/nonceAccounts/0/canPayFees'],
      ['REQUIRED', '/itemData/nonceAccounts/2/onchainId'],
      ['TYPE_MISMATCH', '/itemData/nonceAccounts/3/offchainReferences/type'],
    ],
  },
  {
    name: 'items of a loan',
    path: '/loans',
    body: () => ({
      defiProtocol: 'NONE',
      escrow: { canPayFees: true },
      itemsToBorrow: [{ positionLookup: held('a'), amount: '1' }],
      itemsToPledge: [{ positionLookup: { position: unknown('b') }, amount: '1' }],
      lendingDetails: { loanStrategyAddress: wallet.onchainId },
    }),
    expected: [
      ['PROTOCOL_NOT_SUPPORTED', '/itemData/defiProtocol'],
      ['ESCROW_NOT_ACCEPTED', '/itemData/escrow/canPayFees'],
      account('itemsToBorrow/0/positionLookup/owner'),
      instrument('itemsToBorrow/0/positionLookup/financialInstrument'),
      position('itemsToPledge/0/positionLookup/position'),
    ],
  },
  {
    name: 'escrow and items of a repayment',
    method: 'PATCH',
    path: '/loans/repay',
    body: () => ({
      defiProtocol: 'ESCROW_VAULT',
      escrow: unknown('a'),
      itemsToRepay: [
        { positionLookup: { position: unknown('b') }, amount: '1' },
        { positionLookup: { position: unknown('c') }, transferFrom: { position: unknown('d') }, amount: '1' },
      ],
      itemsToRelease: [{ positionLookup: { position: unknown('e') }, amount: '1' }],
    }),
    expected: [
      ['LOAN_NOT_FOUND', '/itemData/escrow'],
      position('itemsToRepay/0/positionLookup/position'),
      position('itemsToRepay/1/positionLookup/position'),
      position('itemsToRepay/1/transferFrom/position'),
      position('itemsToRelease/0/positionLookup/position'),
    ],
  },
  {
    name: 'strategy, collateral and borrowers of an update',
    method: 'PATCH',
    path: '/loans/strategies',
    body: () => ({ strategy: unknown('a'), collateral: [terms(unknown('b'))], borrowers: ['N1'] }),
    expected: [
      ['STRATEGY_NOT_FOUND', '/itemData/strategy'],
      instrument('collateral/0/financialInstrument'),
      organization('borrowers/0'),
    ],
  },
  {
    name: 'principal, vault and collateral of a strategy',
    path: '/loans/strategies',
    body: () => ({
      strategyAccount: unknown('a'),
      financialInstrument: unknown('b'),
      duration: { code: 'DAYS', unit: 30 },
      collateral: [terms(unknown('c')), terms(unknown('d'))],
      borrowers: ['N1', 'N2'],
    }),
    expected: [
      instrument('financialInstrument'),
      account('strategyAccount'),
      instrument('collateral/0/financialInstrument'),
      instrument('collateral/1/financialInstrument'),
      organization('borrowers/0'),
      organization('borrowers/1'),
    ],
  },
  {
    name: 'instrument, authority and jobs of a data source',
    path: '/market-data/onchain-data-source',
    body: () => ({
      defiProtocol: 'PUBLISHED_FEED',
      onchainDataSource: { canPayFees: true, alreadyOnchain: true },
      financialInstrument: unknown('a'),
      onchainDataSourceAuthority: unknown('b'),
      dataDetails: { kind: 'PRICE', ratingProvider: 'R' },
      oracleProviderDetails: { jobDefinition: 'bad' },
    }),
    expected: [
      ['NOT_APPLICABLE', '/itemData/onchainDataSource/canPayFees'],
      ['NOT_APPLICABLE', '/itemData/onchainDataSource/alreadyOnchain'],
      ['NOT_APPLICABLE', '/itemData/dataDetails/ratingProvider'],
      instrument('financialInstrument'),
      account('onchainDataSourceAuthority'),
      ['JOB_INVALID', '/itemData/oracleProviderDetails/jobDefinition'],
    ],
  },
  {
    name: 'source, instrument and authority of an update',
    method: 'PATCH',
    path: '/market-data/onchain-data-source',
    body: () => ({
      onchainDataSource: unknown('a'),
      financialInstrument: unknown('b'),
      onchainDataSourceAuthority: unknown('c'),
    }),
    expected: [
      ['DATA_SOURCE_NOT_FOUND', '/itemData/onchainDataSource'],
      instrument('financialInstrument'),
      account('onchainDataSourceAuthority'),
    ],
  },
  {
    name: 'organization and end of an API key',
    path: '/admin/api-keys',
    body: () => ({ organizationExternalId: 'NOPE', name: 'k', roles: ['ACCOUNTS_READ'], expiresAt: PAST }),
    expected: [organization('organizationExternalId'), ['EXPIRES_IN_THE_PAST', '/itemData/expiresAt']],
  },
  {
    name: 'end, destination and instrument of a payment request',
    path: '/payment-requests',
    body: () => ({
      destination: unknown('a'),
      financialInstrument: unknown('b'),
      amount: '1',
      externalReference: 'r',
      expiresAt: PAST,
    }),
    expected: [['INVALID_VALUE', '/itemData/expiresAt'], account('destination'), instrument('financialInstrument')],
  },
  {
    name: 'account and period of a statement',
    path: '/statements',
    status: 400,
    body: () => ({ account: unknown('a'), from: '2025-02-01T00:00:00Z', to: '2025-01-01T00:00:00Z', format: 'JSON' }),
    expected: [account('account'), ['INVALID_PERIOD', '/itemData/from']],
  },
  {
    name: 'approvers of a policy',
    path: '/approval-policies',
    body: () => ({
      operations: ['MINT'],
      financialInstrument: unknown('a'),
      approvers: ['AAAAAAAAAAAA', 'BBBBBBBBBBBB'],
      requiredApproversCount: 1,
    }),
    expected: [
      instrument('financialInstrument'),
      ['APPROVER_NOT_FOUND', '/itemData/approvers/0'],
      ['APPROVER_NOT_FOUND', '/itemData/approvers/1'],
    ],
  },
  {
    name: 'instruments, exclusions and source of a distribution',
    path: '/distributions',
    body: () => ({
      financialInstrument: unknown('a'),
      recordAt: '2030-01-01T00:00:00Z',
      source: { owner: unknown('b') },
      payout: { financialInstrument: unknown('c'), total: '1' },
      excluded: [unknown('d')],
    }),
    expected: [
      instrument('financialInstrument'),
      instrument('payout/financialInstrument'),
      account('excluded/0'),
      account('source/owner'),
    ],
  },
  {
    name: 'addresses that other counterparties have',
    path: '/counterparties',
    body: () => ({
      externalReference: 'second',
      name: ' ',
      status: 'ALLOWED',
      addresses: [listed(wallet), listed(mint)],
    }),
    expected: [
      ['NAME_EMPTY', '/itemData/name'],
      ['ALREADY_EXISTS', '/itemData/addresses/0/onchainId'],
      ['ALREADY_EXISTS', '/itemData/addresses/1/onchainId'],
    ],
  },
  {
    name: 'all lookups of all items of a batch',
    path: '/batches',
    body: () => ({
      operation: 'TRANSFER_NETWORK_CURRENCY',
      items: [
        { source: unknown('a'), destination: unknown('b'), amount: '1' },
        { source: wallet, destination: unknown('c'), amount: '1' },
      ],
    }),
    expected: [account('items/0/source'), account('items/0/destination'), account('items/1/destination')],
  },
]

function listed({ onchainId }: Ids): object {
  return { onchainId, label: 'x' }
}

function terms(financialInstrument: object): object {
  const price = { apy: 5, loanToValueRatio: 50, liquidationRatio: 80, maxPriceAgeSeconds: 600 }
  return { financialInstrument, ...price }
}

describe.each([
  ['positions', POSITIONS],
  ['accounts', ACCOUNTS],
  ['instruments', INSTRUMENTS],
  ['other resources', OTHERS],
] as const)('%s', (_group, cases) => {
  it.each(cases)('$path reports $name', async (one) => {
    expect(await refusedWith(one)).toEqual(one.expected)
  })
})

describe('queries', () => {
  it('reports unknown fields beside a limit that is too large', async () => {
    const itemQuery = {
      limit: 5_000,
      filter: [
        { fieldName: 'nope', filterValues: [{ filterType: 'IS_NULL' }] },
        { fieldName: 'managed', filterValues: [{ filterType: 'STARTS_WITH', valueString: 'x' }] },
        { fieldName: 'managed', filterValues: [{ filterType: 'EQUALS', valueBoolean: 7 }] },
      ],
      sort: [{ fieldName: 'neither', sortDirection: 'ASC' }],
    }
    const answer = await world.api.post<Refused>('/accounts/bulk/compact', { itemQuery })
    expect(answer.body.errors.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['TOO_LARGE', '/itemQuery/limit'],
      ['UNKNOWN_FIELD', '/itemQuery/filter/0/fieldName'],
      ['OPERATOR_NOT_ALLOWED', '/itemQuery/filter/1/filterValues/0/filterType'],
      ['INVALID_TYPE', '/itemQuery/filter/2/filterValues/0/valueBoolean'],
      ['UNKNOWN_FIELD', '/itemQuery/sort/0/fieldName'],
    ])
  })

  it('reports the instrument, the instant and the query of holders', async () => {
    const itemQuery = { filter: [{ fieldName: 'nope', filterValues: [{ filterType: 'IS_NULL' }] }] }
    const itemData = { financialInstrument: unknown('a'), asOf: '2999-01-01T00:00:00Z' }
    const answer = await world.api.post<Refused>('/financial-instruments/holders/bulk', { itemData, itemQuery })
    expect(answer.body.errors.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['UNKNOWN_FIELD', '/itemQuery/filter/0/fieldName'],
      instrument('financialInstrument'),
      ['IN_FUTURE', '/itemData/asOf'],
    ])
  })
})
