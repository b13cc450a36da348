// Who may be named as the fee payer, for requests beside single transactions: operations of several transactions,
// cancellations, feeds, loans.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../e2e/client.ts'
import { eventually, startWorld, type World } from '../../e2e/harness.ts'
import { LimitFixture } from '../../e2e/limits/limit-fixture.ts'
import type { Ids, Result, TransactionRecord } from '../../e2e/models.ts'
import { NonceFixture } from '../../e2e/transactions/nonce-fixture.ts'
import { SOL, type Records } from '../../e2e/records.ts'
import { addressOf } from '../fixtures/addresses.ts'
import { LendingTenants } from '../fixtures/lending-tenants.ts'

const SOURCES = '/market-data/onchain-data-source'
const FAR_TOO_MANY_FOR_ONE = 30

let world: World
let fixture: LimitFixture
let api: Client
let records: Records
let instrument: Ids
let feed: Ids
/** One account that may not pay fees, and one that may. */
let wallet: Ids
let payer: Ids

beforeAll(async () => {
  world = await startWorld()
  fixture = new LimitFixture(world)
  api = (await fixture.person(await fixture.organization(), 'ADMIN')).api
  records = world.records.with(api)
  payer = await records.feePayer()
  wallet = await records.funded()
  instrument = await records.instrument('TOKEN_2022', wallet, {
    updateAuthority: wallet,
    onchainData: { name: 'N', symbol: 'S' },
  })
  const { newOnchainDataSource } = await api.ok<{ newOnchainDataSource: Ids }>(201, 'POST', SOURCES, source())
  feed = newOnchainDataSource
})
afterAll(() => world.stop())

const job = { kind: 'QUOTES', jobDefinition: JSON.stringify({ tasks: [{ valueTask: { big: '1' } }] }) }
const source = (): object => ({
  defiProtocol: 'PUBLISHED_FEED',
  onchainDataSource: {},
  financialInstrument: instrument,
  onchainDataSourceAuthority: wallet,
  dataDetails: { kind: 'PRICE' },
  oracleProviderDetails: job,
})
const components = (): object[] =>
  Array.from({ length: FAR_TOO_MANY_FOR_ONE }, (_, index) => ({
    onchainId: addressOf(`part ${index}`),
    offPlatform: true,
  }))
const rich = (): object => ({
  mintAccount: instrument,
  onchainData: {
    simpleCustomMetadata: Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`key-${n}`, 'v'.repeat(100)])),
  },
})

interface Several {
  readonly chainTransactions?: readonly Result[]
  readonly chainPlan?: { readonly steps: number }
}

type Request = readonly [
  what: string,
  method: 'POST' | 'PATCH',
  path: string,
  isSeveral: boolean,
  itemData: () => object,
]
/** Requests whose fee could be charged to an account of another party, and whether they need several transactions. */
const REQUESTS: readonly Request[] = [
  [
    'nonce accounts',
    'POST',
    '/durable-nonce-accounts',
    true,
    () => ({ nonceAuthority: wallet, count: FAR_TOO_MANY_FOR_ONE }),
  ],
  [
    'a lookup table with many addresses',
    'POST',
    '/address-lookup-tables',
    true,
    () => ({ authority: wallet, addressLookupTable: {}, componentAddresses: components() }),
  ],
  ['much metadata of an instrument', 'PATCH', '/financial-instruments', true, rich],
  ['a data source', 'POST', SOURCES, false, source],
  ['a refresh', 'PATCH', `${SOURCES}/refresh`, false, () => ({ onchainDataSource: feed })],
  [
    'another authority of a data source',
    'PATCH',
    SOURCES,
    false,
    () => ({ onchainDataSource: feed, onchainDataSourceAuthority: payer }),
  ],
]

describe.each(REQUESTS)('%s', (_what, method, path, isSeveral, itemData) => {
  const dry = { 'Holdfast-Dry-Run': 'true' }

  it('14.4 attack 10: is not paid for by an account without the right to pay, which is not debited', async () => {
    const before = await world.chain.lamports(wallet.onchainId)
    const config = { feePayer: wallet }
    await api.refuses(400, 'FEE_PAYER_NOT_ALLOWED', method, path, itemData(), { config })
    await api.refuses(400, 'FEE_PAYER_NOT_ALLOWED', method, path, itemData(), { config, headers: dry })
    expect(await world.chain.lamports(wallet.onchainId)).toBe(before)
  })

  it('14.4 control: is paid for by one with the right', async () => {
    const before = await world.chain.lamports(payer.onchainId)
    const config = { feePayer: payer }
    const { status, body } = await api.send<Several>(method, path, itemData(), { config })
    expect([status, JSON.stringify(body)]).toEqual([
      method === 'POST' ? 201 : 200,
      expect.stringContaining('"success":true'),
    ])
    expect(await world.chain.lamports(payer.onchainId)).toBeLessThan(before)
    const transactions = Math.max(body.chainPlan?.steps ?? 0, body.chainTransactions?.length ?? 0)
    if (isSeveral) expect(transactions, JSON.stringify(body)).toBeGreaterThan(1)
  })
})

describe('cancelling under a durable nonce', () => {
  it('14.4: the advance is paid by an account that may pay now, not by the former one', async () => {
    const nonces = await NonceFixture.open(world, 'CANCELS', 2)
    const { api: client, feePayer } = nonces
    const signed = await nonces.signedAndUnsent()
    await client.ok(200, 'PATCH', '/accounts', { account: feePayer, canPayFees: false })
    const before = await world.chain.lamports(feePayer.onchainId)
    const cancel = { offchainId: signed.offchainId }
    await client.refuses(400, 'FEE_PAYER_REQUIRED', 'PATCH', '/transactions/cancel', cancel)
    const other = await nonces.records.feePayer()
    expect((await client.ok<TransactionRecord>(200, 'PATCH', '/transactions/cancel', cancel)).status).toBe('CANCELLED')
    await eventually(async () => expect(await world.chain.lamports(other.onchainId)).toBeLessThan(100n * SOL))
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(before)
  })

  it('14.4 control: it is paid by the fee payer of the transaction', async () => {
    const nonces = await NonceFixture.open(world, 'CANCELS-TOO', 1)
    const other = await nonces.records.feePayer()
    const signed = await nonces.signedAndUnsent()
    const { feePayer } = await nonces.details(signed)
    const otherPayer = [nonces.feePayer, other].find(({ onchainId }) => onchainId !== feePayer.onchainId)!
    const before = await Promise.all([feePayer, otherPayer].map(({ onchainId }) => world.chain.lamports(onchainId)))
    await nonces.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: signed.offchainId })
    await eventually(async () => expect(await world.chain.lamports(feePayer.onchainId)).toBeLessThan(before[0]!))
    expect(await world.chain.lamports(otherPayer.onchainId)).toBe(before[1]!)
  })
})

describe('loans', () => {
  let tenants: LendingTenants

  beforeAll(async () => {
    tenants = await LendingTenants.open()
  })
  afterAll(() => tenants.fixture.world.stop())

  it('14.4: require a borrower that may pay fees', async () => {
    const { lender } = tenants
    const vault = await tenants.treasury(1_000n)
    await tenants.makesStrategy(vault, { exemptFromDebitLimits: true })
    const [poor, able] = [await tenants.borrowing(lender, 100n), await tenants.borrowing(lender, 100n)]
    await lender.admin.api.ok(200, 'PATCH', '/accounts', { account: poor, canPayFees: false })
    const { chain } = tenants.fixture.world
    const before = await chain.lamports(poor.onchainId)
    await lender.admin.api.refuses(400, 'FEE_PAYER_NOT_ALLOWED', 'POST', '/loans', tenants.loan(vault, poor, 10, 50))
    expect(await chain.lamports(poor.onchainId)).toBe(before)
    expect(await tenants.balanceOf(vault)).toBe(1_000n * 1_000_000n)
    await lender.admin.api.ok(201, 'POST', '/loans', tenants.loan(vault, able, 10, 50))
    expect(await tenants.balanceOf(able)).toBe(10n * 1_000_000n)
  })
})
