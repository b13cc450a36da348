// All problems of a body are reported at once: instruments, loans, administration and the other resources.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  account,
  held,
  instrument,
  key,
  listed,
  organization,
  PAST,
  position,
  unknown,
  RefusingWorld,
  type Case,
} from './refusing-world.ts'

let refusing: RefusingWorld

beforeAll(async () => {
  refusing = await RefusingWorld.start()
})
afterAll(() => refusing.world.stop())

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
    body: ({ mint }) => ({ financialInstrument: mint, authorities: { mint: unknown('a'), freeze: unknown('b') } }),
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
    body: ({ spl }) => ({
      financialInstrumentToClose: spl,
      closeAuthority: unknown('a'),
      refundDestination: unknown('b'),
    }),
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
    body: ({ mint }) => ({
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
    body: ({ wallet }) => ({ authority: unknown('a'), componentAddresses: [unknown('b'), wallet, unknown('c')] }),
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
    body: ({ wallet }) => ({
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
    body: ({ wallet, mint }) => ({
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
    body: ({ wallet }) => ({
      operation: 'TRANSFER_NETWORK_CURRENCY',
      items: [
        { source: unknown('a'), destination: unknown('b'), amount: '1' },
        { source: wallet, destination: unknown('c'), amount: '1' },
      ],
    }),
    expected: [account('items/0/source'), account('items/0/destination'), account('items/1/destination')],
  },
]

function terms(financialInstrument: object): object {
  const price = { apy: 5, loanToValueRatio: 50, liquidationRatio: 80, maxPriceAgeSeconds: 600 }
  return { financialInstrument, ...price }
}

describe.each([
  ['instruments', INSTRUMENTS],
  ['other resources', OTHERS],
] as const)('%s', (_group, cases) => {
  it.each(cases)('$path reports $name', async (one) => {
    expect(await refusing.refusals(one)).toEqual(one.expected)
  })
})
