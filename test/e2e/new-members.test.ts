// Members of a new account that do not apply to a kind of account with a fixed size, rent and type (interface 2.5) are
// refused, never ignored.
import { Keypair } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from './harness.ts'
import type { Ids } from './models.ts'

let world: World
let authority: Ids
let instrument: Ids

beforeAll(async () => {
  world = await startWorld()
  await world.records.feePayer()
  authority = await world.records.account()
  instrument = await world.records.instrument('SPL', authority)
})
afterAll(() => world.stop())

const KINDS = {
  position: ['/positions', '/itemData/position', (member: object) => positionOf({ isDerived: false, ...member })],
  'associated account': ['/positions', '/itemData/position', (member: object) => positionOf(member)],
  mint: [
    '/financial-instruments',
    '/itemData/mintAccount',
    (member: object) => ({ mintAccount: member, mintAuthority: authority }),
  ],
  'nonce account': [
    '/durable-nonce-accounts',
    '/itemData/nonceAccounts/0',
    (member: object) => ({ nonceAccounts: [member], nonceAuthority: authority }),
  ],
  'lookup table': [
    '/address-lookup-tables',
    '/itemData/addressLookupTable',
    (member: object) => ({ addressLookupTable: member, authority }),
  ],
  'data source': [
    '/market-data/onchain-data-source',
    '/itemData/onchainDataSource',
    (member: object) => ({
      defiProtocol: 'PUBLISHED_FEED',
      onchainDataSource: member,
      financialInstrument: instrument,
      onchainDataSourceAuthority: authority,
      dataDetails: { kind: 'PRICE' },
      oracleProviderDetails: { kind: 'QUOTES', jobDefinition: '{"tasks":[{"valueTask":{"value":1}}]}' },
    }),
  ],
} as const

function positionOf(member: object): object {
  return { position: member, owner: authority, financialInstrument: instrument }
}

const LIMIT = { limitType: 'PER_TRANSACTION', limitAmount: 1 }

describe.each(Object.entries(KINDS))('a new %s', (name, [path, pointer, body]) => {
  const refuses = (code: string, member: object) => world.api.refuses(400, code, 'POST', path, body(member))

  it('has neither a seed nor a size nor a type of its own', async () => {
    for (const member of [{ seedAmount: 1 }, { seedLamports: 1 }, { dataLength: 10 }])
      expect((await refuses('NOT_APPLICABLE', member)).pointer).toBe(`${pointer}/${Object.keys(member)[0]!}`)
    const { pointer: at } = await refuses('TYPE_MISMATCH', { offchainReferences: { type: 'WALLET' } })
    expect(at).toBe(`${pointer}/offchainReferences/type`)
  })

  it('has no debit limits of network currency, and does not pay fees', async () => {
    const networkCurrencyDebitLimits = [{ destination: 'ANY', maxAllowedDebit: LIMIT }]
    expect((await refuses('LIMITS_NOT_APPLICABLE', { networkCurrencyDebitLimits })).pointer).toBe(
      `${pointer}/networkCurrencyDebitLimits`,
    )
    const { pointer: at } = await refuses('FEE_PAYER_INVALID', { globalFeePayerForOrgs: ['SYSTEM'] })
    expect(at).toBe(`${pointer}/globalFeePayerForOrgs`)
  })

  it('may be given no limits of any class', async () => {
    const headers = { 'holdfast-dry-run': 'true' }
    await world.api.ok(200, 'POST', path, body({ networkCurrencyDebitLimits: [] }), { headers })
  })

  it('has debit limits of tokens only as a token account', async () => {
    const tokenDebitLimits = [{ operationType: 'BURN', destination: 'ANY', maxAllowedDebit: LIMIT }]
    if (path !== '/positions') await refuses('LIMITS_NOT_APPLICABLE', { tokenDebitLimits })
    else expect(name).toMatch(/position|associated/)
  })
})

it('an associated token account has no private key', async () => {
  const privateKey = bs58.encode(Keypair.generate().secretKey)
  const member = { isDerived: true, privateKeyDetails: { privateKey } }
  const { pointer } = await world.api.refuses(400, 'NOT_APPLICABLE', 'POST', '/positions', positionOf(member))
  expect(pointer).toBe('/itemData/position/privateKeyDetails/privateKey')
})

it('an account of such a kind is given no limits of wallets later', async () => {
  const position = await world.records.position(authority, instrument)
  const change = (account: Ids, limits: object) => ({ account, ...limits })
  const limits = [{ destination: 'ANY', maxAllowedDebit: LIMIT }]
  for (const account of [position, instrument]) {
    const given = change(account, { networkCurrencyDebitLimits: limits })
    await world.api.refuses(400, 'LIMITS_NOT_APPLICABLE', 'PATCH', '/accounts', given)
    await world.api.ok(200, 'PATCH', '/accounts', change(account, { networkCurrencyDebitLimits: [] }))
    await world.api.ok(200, 'PATCH', '/accounts', change(account, { networkCurrencyDebitLimits: null }))
  }
  const tokens = { tokenDebitLimits: [] }
  await world.api.refuses(400, 'LIMITS_NOT_APPLICABLE', 'PATCH', '/accounts', change(instrument, tokens))
  await world.api.ok(200, 'PATCH', '/accounts', change(position, tokens))
  await world.api.ok(200, 'PATCH', '/accounts', change(position, { tokenDebitLimits: null }))
})

it('a token has an empty uri on chain if none is given, and in its record', async () => {
  const createInstrument = (version: string) =>
    world.records.instrument(version as 'SPL', authority, { onchainData: { name: 'Bond', decimals: 0 } })
  const uriOf = async (of: Ids) =>
    (await world.api.read<{ onchainData: { uri: string | null } }>('/financial-instruments/single', of)).onchainData.uri
  expect(await uriOf(await createInstrument('TOKEN_2022'))).toBe('')
  expect(await uriOf(await createInstrument('SPL'))).toBeNull()
})

it('an instrument keeps a type of mints', async () => {
  const change = (type: string) => ({ mintAccount: instrument, mintAccountOffchainReferences: { type } })
  for (const type of ['WALLET', 'TOKEN_MANAGEMENT_AUTHORITY'])
    await world.api.refuses(400, 'MEMBER_NOT_CHANGEABLE', 'PATCH', '/financial-instruments', change(type))
  await world.api.ok(200, 'PATCH', '/financial-instruments', change('FUNDS_TOKEN'))
})
