// Records of another tenant are invisible. Any request that names one of them, by id or address, at an endpoint for own
// records gets the same answer as for a missing record, and changes nothing. One row for each such endpoint.
import { randomBytes, randomUUID } from 'node:crypto'
import { PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, Method } from './client.ts'
import { startWorld, type World } from './harness.ts'
import type { Ids, Problems, Result } from './models.ts'
import { SOL } from './records.ts'
import { unknownAccounts, type Created } from './transactions/tables.ts'

interface Named {
  readonly offchainId?: string
  readonly onchainId?: string
}

interface Row {
  readonly method: Method
  readonly path: string
  /** The record of the owner that the request names. */
  readonly kind:
    | 'account'
    | 'instrument'
    | 'position'
    | 'table'
    | 'nonce'
    | 'transaction'
    | 'webhook'
    | 'apiKey'
    | 'organization'
    | 'dataSource'
    | 'strategy'
  readonly body: (lookup: Named) => object
}

const row = (method: Method, path: string, kind: Row['kind'], body: Row['body'] = (lookup) => lookup): Row => ({
  method,
  path,
  kind,
  body,
})
const position = (lookup: Named): object => ({ position: lookup })

/** A job without an HTTP request. */
const ONE = { tasks: [{ valueTask: { big: '1' } }] }

const ROWS: readonly Row[] = [
  row('POST', '/accounts/single', 'account'),
  row('POST', '/accounts/single/balance', 'account'),
  row('POST', '/accounts/single/private-key', 'account'),
  row('PATCH', '/accounts', 'account', (account) => ({ account, comments: 'mine now' })),
  row('PATCH', '/accounts/inactivate', 'account', (account) => ({ account })),
  row('POST', '/financial-instruments/single', 'instrument'),
  row('POST', '/financial-instruments/single/circulating-supply', 'instrument', (financialInstrument) => ({
    financialInstrument,
  })),
  row('PATCH', '/financial-instruments', 'instrument', (mintAccount) => ({
    mintAccount,
    offchainData: { description: 'mine now' },
  })),
  row('PATCH', '/financial-instruments/pause', 'instrument', (financialInstrument) => ({ financialInstrument })),
  row('PATCH', '/financial-instruments/unpause', 'instrument', (financialInstrument) => ({ financialInstrument })),
  row('PATCH', '/financial-instruments/close', 'instrument', (financialInstrumentToClose) => ({
    financialInstrumentToClose,
  })),
  row('POST', '/positions/single', 'position', position),
  row('POST', '/positions/single/balance', 'position', position),
  row('PATCH', '/positions', 'position', (lookup) => ({ position: position(lookup), comments: 'mine now' })),
  row('POST', '/address-lookup-tables/single', 'table'),
  row('PATCH', '/address-lookup-tables', 'table', (addressLookupTable) => ({
    addressLookupTable,
    comments: 'mine now',
  })),
  row('PATCH', '/address-lookup-tables/extend', 'table', (addressLookupTable) => ({
    addressLookupTable,
    componentAddresses: unknownAccounts(1),
  })),
  row('POST', '/transactions/status', 'transaction'),
  row('POST', '/transactions/single', 'transaction'),
  row('POST', '/transactions/explain', 'transaction', ({ offchainId }) => ({ offchainId })),
  row('POST', '/transactions/submit', 'transaction', ({ offchainId }) => ({ transaction: { offchainId } })),
  row('POST', '/transactions/sign', 'transaction', ({ offchainId }) => ({ transaction: { offchainId } })),
  row('PATCH', '/transactions/cancel', 'transaction', ({ offchainId }) => ({ offchainId })),
  row('PATCH', '/webhooks/rotate', 'webhook', ({ offchainId }) => ({ offchainId })),
  row('PATCH', '/webhooks/disable', 'webhook', ({ offchainId }) => ({ offchainId })),
  row('PATCH', '/webhooks/redeliver', 'webhook', ({ offchainId }) => ({ offchainId, sequence: 0 })),
  row('POST', '/market-data/onchain-data-source/single', 'dataSource', (onchainDataSource) => ({ onchainDataSource })),
  row('PATCH', '/market-data/onchain-data-source/refresh', 'dataSource', (onchainDataSource) => ({
    onchainDataSource,
  })),
  row('PATCH', '/market-data/onchain-data-source', 'dataSource', (onchainDataSource) => ({
    onchainDataSource,
    oracleProviderDetails: { jobDefinition: JSON.stringify(ONE) },
  })),
  row('POST', '/loans/strategies/single', 'strategy', ({ offchainId }) => ({ strategy: { offchainId } })),
  row('PATCH', '/loans/strategies', 'strategy', ({ offchainId }) => ({
    strategy: { offchainId },
    originationsEnabled: false,
  })),
  row('PATCH', '/admin/api-keys/rotate', 'apiKey', ({ offchainId }) => ({ keyId: offchainId })),
  row('PATCH', '/admin/api-keys/disable', 'apiKey', ({ offchainId }) => ({ keyId: offchainId })),
  row('PATCH', '/admin/organizations', 'organization', ({ offchainId }) => ({ externalId: offchainId, name: 'Mine' })),
  row('PATCH', '/admin/freeze', 'organization', ({ offchainId }) => ({ organizationExternalId: offchainId })),
  row('PATCH', '/admin/unfreeze', 'organization', ({ offchainId }) => ({ organizationExternalId: offchainId })),
  row('PATCH', '/admin/freeze', 'account', (account) => ({ account })),
  row('PATCH', '/admin/lanes/suspend', 'organization', ({ offchainId }) => ({ organizationExternalId: offchainId })),
]

const BULK = ['/accounts', '/positions', '/financial-instruments', '/transactions'].map(
  (path) => `${path}/bulk/detailed`,
)
const FLAT_BULK = [
  '/address-lookup-tables/bulk',
  '/durable-nonce-accounts/bulk',
  '/webhooks/bulk',
  '/market-data/onchain-data-source/bulk',
  '/loans/strategies/bulk',
  '/loans/bulk',
]

let world: World
let owner: Client
let stranger: Client
const owned = new Map<Row['kind'], { readonly offchainId: string; readonly onchainId: string }>()

beforeAll(async () => {
  world = await startWorld({ HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1:9' })
  const keyOf = async (organizationExternalId: string): Promise<{ keyId: string; apiKey: string }> => {
    await world.api.ok(201, 'POST', '/admin/organizations', {
      externalId: organizationExternalId,
      name: organizationExternalId,
    })
    return await world.api.ok(201, 'POST', '/admin/api-keys', { organizationExternalId, name: 'all', bundle: 'ADMIN' })
  }
  const { keyId, apiKey } = await keyOf('OWNER')
  owner = world.api.as(apiKey)
  stranger = world.api.as((await keyOf('STRANGER')).apiKey)
  const records = world.records.with(owner)
  const [wallet] = [await records.feePayer(), await world.records.with(stranger).feePayer()]
  const instrument = await records.instrument('TOKEN_2022', wallet, {
    pausableAuthority: wallet,
    closingAuthority: wallet,
  })
  const heldPosition = await records.position(wallet, instrument)
  const { offchainId, onchainId } = await records.mint(heldPosition, 1n)
  const tables = await owner.ok<Created>(201, 'POST', '/address-lookup-tables', {
    addressLookupTable: {},
    authority: wallet,
    componentAddresses: unknownAccounts(1),
  })
  const { newDurableNonceAccounts } = await owner.ok<{ newDurableNonceAccounts: Ids[] }>(
    201,
    'POST',
    '/durable-nonce-accounts',
    {
      nonceAuthority: wallet,
      count: 1,
    },
  )
  const { newWebhook } = await owner.ok<{ newWebhook: { offchainId: string } }>(201, 'POST', '/webhooks', {
    url: 'http://127.0.0.1:9/',
    eventTypes: ['loan.created'],
  })
  const feedOf = async (financialInstrument: Ids): Promise<Ids> => {
    const creation = await owner.ok<{ newOnchainDataSource: Ids }>(201, 'POST', '/market-data/onchain-data-source', {
      defiProtocol: 'PUBLISHED_FEED',
      onchainDataSource: {},
      financialInstrument,
      onchainDataSourceAuthority: wallet,
      dataDetails: { kind: 'PRICE' },
      oracleProviderDetails: { kind: 'QUOTES', jobDefinition: JSON.stringify(ONE) },
    })
    return creation.newOnchainDataSource
  }
  const collateral = await records.instrument('SPL', wallet)
  owned.set('dataSource', await feedOf(instrument))
  await feedOf(collateral)
  const { newStrategy } = await owner.ok<{ newStrategy: Ids }>(201, 'POST', '/loans/strategies', {
    strategyAccount: wallet,
    financialInstrument: instrument,
    originationsEnabled: true,
    duration: { code: 'DAYS', unit: 30 },
    collateral: [
      {
        financialInstrument: collateral,
        apy: 50_000,
        loanToValueRatio: 500_000,
        liquidationRatio: 800_000,
        maxPriceAgeSeconds: 3_600,
      },
    ],
  })
  owned.set('strategy', { offchainId: newStrategy.offchainId, onchainId: '' })
  owned.set('account', wallet)
  owned.set('instrument', instrument)
  owned.set('position', heldPosition)
  owned.set('table', tables.newAddressLookupTable)
  owned.set('nonce', newDurableNonceAccounts[0]!)
  owned.set('transaction', { offchainId, onchainId: onchainId! })
  owned.set('webhook', { ...newWebhook, onchainId: '' })
  owned.set('apiKey', { offchainId: keyId, onchainId: '' })
  owned.set('organization', { offchainId: 'OWNER', onchainId: '' })
})
afterAll(() => world.stop())

/** Status and errors without the parts that differ in any two requests: the request id, and the named record. */
async function answerTo({ method, path, body }: Row, lookup: Named): Promise<unknown> {
  const answer = await stranger.send<Problems>(method, path, body(lookup))
  const { requestId: _id, ...rest } = answer.body
  return JSON.parse(
    JSON.stringify({ ...rest, status: answer.status }).replaceAll(lookup.offchainId ?? lookup.onchainId ?? '', 'NAMED'),
  )
}

/** An id or address of the same form that names nothing. */
function absent(kind: Row['kind'], { offchainId }: Named): Named {
  if (kind === 'apiKey') return { offchainId: 'zzzzzzzzzzzz' }
  if (kind === 'organization') return { offchainId: 'NOBODY' }
  return offchainId === undefined
    ? { onchainId: kind === 'transaction' ? '5'.repeat(88) : new PublicKey(randomBytes(32)).toBase58() }
    : { offchainId: randomUUID() }
}

describe.each(ROWS)('$method $path of another tenant', (each) => {
  it('answers for an existing record exactly as for a missing one', async () => {
    const { offchainId, onchainId } = owned.get(each.kind)!
    const takesAddresses = onchainId !== '' && JSON.stringify(each.body({ onchainId: 'x' })).includes('onchainId')
    for (const lookup of [{ offchainId }, ...(takesAddresses ? [{ onchainId }] : [])]) {
      const answer = await answerTo(each, lookup)
      expect(answer).toEqual(await answerTo(each, absent(each.kind, lookup)))
      expect((answer as { status: number }).status).toBeGreaterThanOrEqual(400)
    }
  })
})

it('no list counts records that the key may not read', async () => {
  const text = JSON.stringify([
    await Promise.all(BULK.map((path) => stranger.bulk(path, { limit: 1000 }))),
    await Promise.all(FLAT_BULK.map((path) => stranger.bulk(path, { limit: 1000 }))),
    await stranger.bulk('/admin/organizations/bulk', {}),
    await stranger.bulk('/admin/api-keys/bulk', {}),
  ])
  for (const [kind, { offchainId, onchainId }] of owned) {
    expect([kind, text.includes(`"${offchainId}"`)]).toEqual([kind, false])
    if (onchainId !== '') expect([kind, text.includes(onchainId)]).toEqual([kind, false])
  }
  for (const path of BULK) {
    const filter = [
      { fieldName: 'tenantOrganizationId', filterValues: [{ filterType: 'EQUALS', valueString: 'OWNER' }] },
    ]
    if (!path.startsWith('/transactions'))
      expect(await stranger.bulk(path, { filter })).toEqual({ count: 0, items: [] })
  }
})

it('none of these requests changes anything', async () => {
  const wallet = owned.get('account')!
  expect(await owner.read('/accounts/single', { offchainId: wallet.offchainId })).toMatchObject({ status: 'ACTIVE' })
  expect(
    await owner.read('/financial-instruments/single', { offchainId: owned.get('instrument')!.offchainId }),
  ).toMatchObject({
    status: 'ACTIVE',
    paused: false,
  })
  const payment = await owner.ok<Result>(201, 'POST', '/positions/transfer-network-currency', {
    source: wallet,
    destination: await world.records.with(owner).account(),
    lamports: Number(SOL / 100n),
  })
  expect(payment.success, JSON.stringify(payment)).toBe(true)
})
