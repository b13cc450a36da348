// The reference that a client gives a transaction: stored and found for every endpoint that creates a transaction, over
// HTTP.
import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../harness.ts'
import { LoanFixture, terms, type Feed, type LoanCreation } from '../loans/loan-fixture.ts'
import type { Ids, Result, TransactionRecord } from '../models.ts'
import { Records, SOL } from '../records.ts'
import { MAKERS, ReferringClient, type Referred } from '../referring-client.ts'

const UNIT = 1_000_000n

type Referenced = TransactionRecord & { readonly externalReference: string | null }

interface Page {
  readonly count: number
  readonly items: readonly Referenced[]
}

let fixture: LoanFixture
let api: ReferringClient
let records: Records
let feePayer: Ids
let issuer: Ids

beforeAll(async () => {
  fixture = await LoanFixture.open()
  const { world } = fixture
  api = new ReferringClient(world.url, world.api.bearer.slice('Bearer '.length))
  records = new Records(api, world.chain)
  feePayer = await records.feePayer()
  issuer = await records.account()
})
afterAll(() => fixture.world.stop())

const single = (offchainId: string): Promise<Referenced> => api.read('/transactions/single', { offchainId })
const findTransactions = async (filterValue: object, level = 'detailed'): Promise<Page> => {
  const itemQuery = { filter: [{ fieldName: 'externalReference', filterValues: [filterValue] }], limit: 100 }
  return (await api.bulk(`/transactions/bulk/${level}`, itemQuery)) as Page
}

/** A transaction of another party for which one of our accounts pays. */
async function broughtAlong(signed: boolean): Promise<string> {
  const from = Keypair.generate()
  await fixture.world.chain.airdrop(from.publicKey.toBase58(), SOL)
  const payer = signed ? from.publicKey : new PublicKey(feePayer.onchainId)
  const transfer = SystemProgram.transfer({
    fromPubkey: from.publicKey,
    toPubkey: new PublicKey(feePayer.onchainId),
    lamports: 1_000_000,
  })
  const { blockhash } = await fixture.world.chain.connection.getLatestBlockhash('confirmed')
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: blockhash,
    instructions: [transfer],
  }).compileToV0Message()
  const transaction = new VersionedTransaction(message)
  transaction.sign([from])
  return Buffer.from(transaction.serialize()).toString('base64')
}

async function moveTokens(): Promise<void> {
  const instrument = await records.instrument('TOKEN_2022', issuer, {
    pausableAuthority: issuer,
    freezeAuthority: issuer,
    closingAuthority: issuer,
    updateAuthority: issuer,
    onchainData: { name: 'One', symbol: 'ONE', uri: '' },
  })
  const [one, two] = await Promise.all([records.funded({}, SOL), records.funded({}, SOL)])
  const [position, other] = await Promise.all([
    records.position(one, instrument, 100n),
    records.position(two, instrument, 100n),
  ])
  await api.ok(200, 'PATCH', '/positions/freeze', { position: { position } })
  await api.ok(200, 'PATCH', '/positions/unfreeze', { position: { position } })
  await api.ok(201, 'POST', '/positions/transfer', {
    source: { position },
    destination: { position: other },
    lamports: 10,
  })
  await api.ok(201, 'POST', '/positions/transfer-network-currency', { source: one, destination: two, lamports: 10_000 })
  await api.ok(201, 'POST', '/positions/trade', {
    legs: [
      { source: { position }, destination: { position: other }, lamports: 10 },
      { source: two, destination: one, lamports: 10 },
    ],
  })
  await api.ok(201, 'POST', '/positions/burn', { source: { position }, burnEntireBalance: true })
  await api.ok(201, 'POST', '/positions/burn', { source: { position: other }, burnEntireBalance: true })
  await api.ok(200, 'PATCH', '/positions/close', { position: { position } })
  await api.ok(200, 'PATCH', '/financial-instruments/pause', { financialInstrument: instrument })
  await api.ok(200, 'PATCH', '/financial-instruments/unpause', { financialInstrument: instrument })
  await api.ok(200, 'PATCH', '/financial-instruments', { mintAccount: instrument, onchainData: { name: 'Another' } })
  await api.ok(200, 'PATCH', '/financial-instruments/authorities', {
    financialInstrument: instrument,
    authorities: { pausable: one },
  })
  await api.ok(200, 'PATCH', '/financial-instruments/close', { financialInstrumentToClose: instrument })
  await api.ok(201, 'POST', '/accounts', { seedAmount: '0.5' })
  await api.ok(200, 'PATCH', '/accounts/inactivate', { account: one, refundDestination: two })
}

const sourceOf = ({ onchainId, offchainId }: Feed): Ids => ({ onchainId, offchainId })

async function lend(): Promise<void> {
  const [cash, share] = await Promise.all([records.instrument('SPL', issuer), records.instrument('SPL', issuer)])
  const feeds: Feed[] = [await fixture.feed(cash, '1', api), await fixture.feed(share, '1', api)]
  for (const feed of feeds) await fixture.price(feed, '1')
  const [vault, second, wallet] = await Promise.all([
    records.account(),
    records.account(),
    records.funded({ canPayFees: true }, SOL),
  ])
  for (const lender of [vault, second]) {
    await records.position(lender, cash, 1_000n * UNIT)
    await api.ok(201, 'POST', '/loans/strategies', {
      strategyAccount: lender,
      financialInstrument: cash,
      originationsEnabled: true,
      collateral: [terms(share)],
      duration: { code: 'DAYS', unit: 30 },
    })
  }
  await records.position(wallet, share, 1_000n * UNIT)
  await records.position(wallet, cash, 100n * UNIT)
  const at = (financialInstrument: Ids) => ({ owner: wallet, financialInstrument })
  const borrow = async (): Promise<object> => {
    const creation = await api.ok<LoanCreation>(201, 'POST', '/loans', {
      defiProtocol: 'ESCROW_VAULT',
      lendingDetails: { loanStrategyAddress: vault.onchainId },
      itemsToBorrow: [{ positionLookup: at(cash), amount: 50 }],
      itemsToPledge: [{ positionLookup: at(share), amount: 150 }],
    })
    return { defiProtocol: 'ESCROW_VAULT', escrow: creation.newLoan }
  }
  const loan = await borrow()
  await api.ok(200, 'PATCH', '/loans/swap-collateral', {
    ...loan,
    itemsToDeposit: [{ positionLookup: at(share), amount: 1 }],
  })
  await api.ok(200, 'PATCH', '/loans/refinance', { ...loan, lendingDetails: { loanStrategyAddress: second.onchainId } })
  await api.ok(200, 'PATCH', '/loans/repay', {
    ...loan,
    itemsToRepay: [{ positionLookup: at(cash), repayAll: true }],
    itemsToRelease: [{ positionLookup: at(share), amount: 151 }],
  })
  await api.ok(200, 'PATCH', '/loans/close', loan)
  const poor = await borrow()
  await fixture.price(feeds[1]!, '0.3')
  await api.ok(200, 'PATCH', '/loans/liquidate', poor)
  await api.ok(200, 'PATCH', '/market-data/onchain-data-source', {
    onchainDataSource: sourceOf(feeds[1]!),
    onchainDataSourceAuthority: issuer,
  })
}

async function makeTheRest(): Promise<void> {
  await api.ok(201, 'POST', '/durable-nonce-accounts', { nonceAuthority: issuer, count: 9 })
  const stranger = () => ({ onchainId: Keypair.generate().publicKey.toBase58(), offPlatform: true })
  const { newAddressLookupTable: table } = await api.ok<{ newAddressLookupTable: Ids }>(
    201,
    'POST',
    '/address-lookup-tables',
    {
      addressLookupTable: {},
      authority: issuer,
      componentAddresses: Array.from({ length: 60 }, stranger),
    },
  )
  await api.ok(200, 'PATCH', '/address-lookup-tables/extend', {
    addressLookupTable: table,
    componentAddresses: [stranger()],
  })
  await api.ok(200, 'PATCH', '/address-lookup-tables', { addressLookupTable: table, action: 'FREEZE' })
  await api.ok(200, 'POST', '/transactions/sign', { serializedTransaction: await broughtAlong(false) })
  await api.ok(200, 'POST', '/transactions/submit', { serializedTransaction: await broughtAlong(true) })
}

describe('every endpoint that creates a transaction', () => {
  const referred = new Map<string, Referred>()
  beforeAll(async () => {
    await moveTokens()
    await lend()
    await makeTheRest()
    for (const each of api.made) referred.set(each.endpoint, each)
  })

  it.each(MAKERS)('%s stores the reference on each of its transactions, and finds them by it', async (endpoint) => {
    const { reference, transactions } = referred.get(endpoint)!
    for (const id of transactions) {
      expect((await single(id)).externalReference).toBe(reference)
      const { transaction } = await api.read<{ transaction: Referenced }>('/transactions/explain', { offchainId: id })
      expect(transaction.externalReference).toBe(reference)
    }
    for (const level of ['detailed', 'compact']) {
      const { items } = await findTransactions({ filterType: 'EQUALS', valueString: reference }, level)
      expect(items.map((item) => [item.offchainId, item.externalReference]).sort()).toEqual(
        transactions.map((id) => [id, reference]).sort(),
      )
    }
  })

  it('includes the reference in every event of these transactions', async () => {
    const references = new Map(
      api.made.flatMap(({ reference, transactions }) => transactions.map((id) => [id, reference])),
    )
    const referencesById = new Map<string, unknown>()
    for (let after = 0; ;) {
      const { body } = await api.get<{
        items: readonly { type: string; resource: { offchainId: string }; data: object }[]
        lastSequence: number
      }>(`/events?after=${after}`)
      for (const { type, resource, data } of body.items) {
        if (!type.startsWith('transaction.') || !references.has(resource.offchainId)) continue
        referencesById.set(resource.offchainId, 'externalReference' in data ? data.externalReference : undefined)
        expect(data).toMatchObject({ externalReference: references.get(resource.offchainId) })
      }
      if (body.lastSequence === after) break
      after = body.lastSequence
    }
    expect(referencesById).toEqual(references)
  })
})

describe('an external reference', () => {
  const PAY = '/positions/transfer-network-currency'
  const pay = (externalReference?: unknown, more: object = {}) =>
    fixture.world.api.send<Result>('POST', PAY, {
      source: feePayer,
      destination: issuer,
      lamports: 2_000_000,
      externalReference,
      ...more,
    })

  it('is optional, not unique, and filtered like any other text', async () => {
    const payments = await Promise.all(
      ['Salary Ä-1', 'Salary Ä-1', 'Salary Ä-2', undefined].map((reference) => pay(reference)),
    )
    const ids = payments.map(({ body }) => body.offchainId)
    expect((await single(ids[3]!)).externalReference).toBeNull()
    const matching = async (filterValue: object) =>
      (await findTransactions(filterValue)).items
        .map(({ offchainId }) => offchainId)
        .filter((id) => ids.includes(id))
        .sort()
    const of = (...indexes: readonly number[]) => indexes.map((index) => ids[index]!).sort()
    expect(await matching({ filterType: 'EQUALS', valueString: 'Salary Ä-1' })).toEqual(of(0, 1))
    expect(await matching({ filterType: 'CONTAINS', valueString: 'ary Ä' })).toEqual(of(0, 1, 2))
    expect(await matching({ filterType: 'STARTS_WITH', valueString: 'Salary' })).toEqual(of(0, 1, 2))
    expect(await matching({ filterType: 'ENDS_WITH', valueString: '-2' })).toEqual(of(2))
    expect(await matching({ filterType: 'IN', valuesString: ['Salary Ä-2', 'other'] })).toEqual(of(2))
    expect(await matching({ filterType: 'IS_NULL' })).toEqual(of(3))
    expect(await matching({ filterType: 'IS_NOT_NULL' })).toEqual(of(0, 1, 2))
  })

  it('finds its transaction after the eviction', async () => {
    const { body } = await pay('kept for good')
    for (let index = 0; index < 6; index += 1) await pay()
    await eventually(async () => {
      expect((await single(body.offchainId)).status).toBe('FINALIZED')
    })
    const { items } = await findTransactions({ filterType: 'EQUALS', valueString: 'kept for good' })
    expect(items.map(({ offchainId, externalReference }) => [offchainId, externalReference])).toEqual([
      [body.offchainId, 'kept for good'],
    ])
  })

  it.each([
    ['x'.repeat(129), 'TOO_LONG'],
    ['', 'TOO_SHORT'],
    ['a\u0000b', 'INVALID_TEXT'],
    [7, 'INVALID_TYPE'],
  ])('of %j is refused', async (reference, code) => {
    const problem = await fixture.world.api.refuses(400, code, 'POST', PAY, {
      source: feePayer,
      destination: issuer,
      lamports: 1,
      externalReference: reference,
    })
    expect(problem.pointer).toBe('/itemData/externalReference')
  })

  it('may have 128 characters, and null means none', async () => {
    const { body } = await pay('ä'.repeat(128))
    expect((await single(body.offchainId)).externalReference).toBe('ä'.repeat(128))
    const without = await pay(null)
    expect((await single(without.body.offchainId)).externalReference).toBeNull()
  })

  it('is part of the fingerprint of an idempotency key', async () => {
    const headers = { 'Idempotency-Key': 'referred' }
    const body = { source: feePayer, destination: issuer, lamports: 2_000_000 }
    await fixture.world.api.ok(201, 'POST', PAY, { ...body, externalReference: 'A' }, { headers })
    await fixture.world.api.refuses(
      400,
      'IDEMPOTENCY_KEY_REUSED',
      'POST',
      PAY,
      { ...body, externalReference: 'B' },
      { headers },
    )
  })

  it('is not added to an existing transaction, and has no other effect', async () => {
    const { body } = await pay()
    const problem = await fixture.world.api.refuses(400, 'MUTUALLY_EXCLUSIVE', 'POST', '/transactions/sign', {
      transaction: { offchainId: body.offchainId },
      externalReference: 'late',
    })
    expect(problem.pointer).toBe('/itemData/externalReference')
    await fixture.world.api.refuses(400, 'REQUIRED', 'PATCH', '/address-lookup-tables', {
      addressLookupTable: issuer,
      externalReference: 'nothing else',
    })
  })
})
