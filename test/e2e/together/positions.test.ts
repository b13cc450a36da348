// All problems of a body are reported at once: movements of money, positions and accounts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  account,
  held,
  instrument,
  key,
  organization,
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
    body: ({ wallet, mint }) => ({
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
    body: ({ wallet, mint, spl }) => ({
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
    body: ({ wallet, mint }) => ({
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

describe.each([
  ['positions', POSITIONS],
  ['accounts', ACCOUNTS],
] as const)('%s', (_group, cases) => {
  it.each(cases)('$path reports $name', async (one) => {
    expect(await refusing.refusals(one)).toEqual(one.expected)
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
    expect(await refusing.refusalsOf('/accounts/bulk/compact', { itemQuery })).toEqual([
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
    expect(await refusing.refusalsOf('/financial-instruments/holders/bulk', { itemData, itemQuery })).toEqual([
      ['UNKNOWN_FIELD', '/itemQuery/filter/0/fieldName'],
      instrument('financialInstrument'),
      ['IN_FUTURE', '/itemData/asOf'],
    ])
  })
})
