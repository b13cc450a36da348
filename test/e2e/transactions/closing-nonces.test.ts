// Inactivation of durable nonce accounts: everything is withdrawn, the chain no longer has the account, and no
// transaction loses the nonce that it is valid under.
import { Keypair, VersionedTransaction } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newParty } from '../../trust/fixtures/parties.ts'
import { once } from '../client.ts'
import { ALWAYS, setFaults } from '../../chain-faults.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import type { DryRun, Ids, Problem, Result } from '../models.ts'
import { DURABLE, NONCES, NonceFixture, PAY, type CreatedNonces } from './nonce-fixture.ts'

const INACTIVATE = '/accounts/inactivate'
/** Of a nonce account, in lamports. */
const RENT = 1_447_680n

interface Closed {
  readonly inactivatedAccount: Ids
  readonly chainTransaction?: Result
}

let world: World

beforeAll(async () => {
  world = await startWorld({ HOLDFAST_EMBEDDED_FAULTS: 'on' })
})
afterAll(() => world.stop())

const close = ({ api }: NonceFixture, itemData: object, options: object = {}): Promise<Closed> =>
  api.ok<Closed>(200, 'PATCH', INACTIVATE, itemData, options)
const refuses = ({ api }: NonceFixture, code: string, itemData: object): Promise<Problem> =>
  api.refuses(400, code, 'PATCH', INACTIVATE, itemData)
const statusOf = async ({ records }: NonceFixture, account: Ids): Promise<unknown> =>
  (await records.accountRecord(account)).status

describe('a free nonce account', () => {
  it('is emptied to the last lamport, is gone from the chain, and its record is closed', async () => {
    const fixture = await NonceFixture.open(world, 'CLOSING', 2)
    const [nonce, other] = fixture.nonces as [Ids, Ids]
    const to = fixture.destination
    const [held, before] = [await world.chain.lamports(nonce.onchainId), await world.chain.lamports(to.onchainId)]
    expect(held).toBe(RENT)
    const missing = await refuses(fixture, 'REFUND_DESTINATION_REQUIRED', { account: nonce })
    expect(missing.pointer).toBe('/itemData/refundDestination')
    const itself = await refuses(fixture, 'SAME_ACCOUNT', { account: nonce, refundDestination: nonce })
    expect(itself.pointer).toBe('/itemData/refundDestination')

    const itemData = { account: nonce, refundDestination: to }
    const dry = await fixture.api.ok<DryRun>(200, 'PATCH', INACTIVATE, itemData, {
      headers: { 'Holdfast-Dry-Run': 'true' },
    })
    expect(dry.dryRun.simulation.error).toBeNull()
    expect([await world.chain.lamports(nonce.onchainId), await statusOf(fixture, nonce)]).toEqual([held, 'ACTIVE'])

    const answer = await close(fixture, itemData, { headers: once('closing') })
    expect(answer).toMatchObject({ inactivatedAccount: nonce, chainTransaction: { success: true } })
    expect(await world.chain.exists(nonce.onchainId)).toBe(false)
    expect(await world.chain.lamports(to.onchainId)).toBe(before + held)
    expect(await fixture.records.accountRecord(nonce)).toMatchObject({
      status: 'CLOSED',
      offchain: { lamportsBalance: 0 },
    })
    await fixture.records.accountsEqualChain(to, fixture.feePayer)
    expect((await fixture.query()).items.map(({ nonceAccount }) => nonceAccount.onchain.id)).toEqual([other.onchainId])
    expect(await close(fixture, itemData, { headers: once('closing') })).toMatchObject({ inactivatedAccount: nonce })
    await refuses(fixture, 'CLOSED', { account: { offchainId: nonce.offchainId }, refundDestination: to })
    expect(await world.chain.lamports(to.onchainId)).toBe(before + held)
    // The other nonce works on.
    await fixture.paySuccessfully()
  })

  it('is emptied under the limits of its authority', async () => {
    const fixture = await NonceFixture.open(world, 'LIMITED', 1)
    const [nonce] = fixture.nonces as [Ids]
    const stranger = Keypair.generate().publicKey.toBase58()
    const itemData = { account: nonce, refundDestination: { onchainId: stranger, offPlatform: true } }
    await fixture.api.ok(200, 'PATCH', '/accounts', {
      account: fixture.authority,
      networkCurrencyDebitLimits: [
        { destination: 'ANY', maxAllowedDebit: { limitType: 'PER_TRANSACTION', limitAmount: 0.001 } },
      ],
    })
    await refuses(fixture, 'DEBIT_LIMIT_EXCEEDED', itemData)
    expect([await world.chain.lamports(nonce.onchainId), await world.chain.exists(stranger)]).toEqual([RENT, false])
    await fixture.api.ok(200, 'PATCH', '/accounts', { account: fixture.authority, networkCurrencyDebitLimits: [] })
    await close(fixture, itemData)
    expect([await world.chain.exists(nonce.onchainId), await world.chain.lamports(stranger)]).toEqual([false, RENT])
  })

  it('is emptied by a transaction that is valid under another nonce', async () => {
    const fixture = await NonceFixture.open(world, 'UNDER', 2)
    const [nonce, other] = fixture.nonces as [Ids, Ids]
    const itemData = { account: nonce, refundDestination: fixture.destination }
    const { chainTransaction } = await close(fixture, itemData, { config: DURABLE })
    expect((await fixture.details(chainTransaction!)).nonceAccount).toEqual(other)
    expect(await world.chain.exists(nonce.onchainId)).toBe(false)
    await fixture.free(other)
    const last = { account: other, refundDestination: fixture.destination }
    await fixture.api.refuses(400, 'NONCE_UNAVAILABLE', 'PATCH', INACTIVATE, last, { config: DURABLE })
    await close(fixture, last)
  })

  it('waits for the signature of an authority whose key is kept elsewhere', async () => {
    const fixture = await NonceFixture.open(world, 'OUTSIDE', 1, false)
    const [nonce] = fixture.nonces as [Ids]
    const { chainTransaction } = await close(fixture, { account: nonce, refundDestination: fixture.destination })
    expect(chainTransaction).toMatchObject({ success: false, status: 'PREPARED' })
    const { serializedTransaction } = await fixture.sign(chainTransaction!, { returnSerialized: true })
    expect(await statusOf(fixture, nonce)).toBe('ACTIVE')
    expect(await world.chain.lamports(nonce.onchainId)).toBe(RENT)
    const transaction = VersionedTransaction.deserialize(Buffer.from(serializedTransaction!, 'base64'))
    transaction.sign([fixture.authorityKey])
    const given = { serializedTransaction: Buffer.from(transaction.serialize()).toString('base64') }
    const signed = await fixture.api.ok<Result>(200, 'POST', '/transactions/sign', given)
    expect(signed).toMatchObject({ offchainId: chainTransaction!.offchainId, status: 'SIGNED' })
    await fixture.api.ok(200, 'POST', '/transactions/submit', { transaction: { offchainId: signed.offchainId } })
    expect([await world.chain.exists(nonce.onchainId), await statusOf(fixture, nonce)]).toEqual([false, 'CLOSED'])
  })
})

it('a nonce account none of whose keys are kept here stays on chain, and its record is closed', async () => {
  const { nonces, authority } = await NonceFixture.open(world, 'HOLDING', 1)
  const fixture = await NonceFixture.open(world, 'NOTING', 1)
  const { onchainId } = nonces[0]!
  const { newDurableNonceAccounts } = await fixture.api.ok<CreatedNonces>(201, 'POST', NONCES, {
    nonceAuthority: { onchainId: authority.onchainId, offPlatform: true },
    nonceAccounts: [{ onchainId, alreadyOnchain: true }],
  })
  const [account] = newDurableNonceAccounts as [Ids]
  const answer = await close(fixture, { account })
  expect([answer.chainTransaction, await statusOf(fixture, account)]).toEqual([undefined, 'CLOSED'])
  expect(await world.chain.lamports(onchainId)).toBe(RENT)
})

describe('a nonce account in use', () => {
  it('is not closed while a transaction may land under it', async () => {
    const fixture = await NonceFixture.open(world, 'LEASED', 1)
    const [nonce] = fixture.nonces as [Ids]
    const payment = await fixture.signedAndUnsent()
    const itemData = { account: nonce, refundDestination: fixture.destination }
    const { message, pointer } = await refuses(fixture, 'NONCE_LEASED', itemData)
    expect([message.includes(payment.offchainId), pointer]).toEqual([true, '/itemData/account'])
    await fixture.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: payment.offchainId })
    await fixture.free(nonce)
    await close(fixture, itemData)
    expect(await world.chain.exists(nonce.onchainId)).toBe(false)
  })

  it('is not closed while the end of its last transaction is not proven', async () => {
    const fixture = await NonceFixture.open(world, 'UNPROVEN', 1)
    const [nonce] = fixture.nonces as [Ids]
    const payment = await fixture.signedAndUnsent(true)
    await setFaults(world.rpcUrl, { dropRequests: { getGenesisHash: ALWAYS } })
    try {
      await fixture.advanceOutside(nonce)
      const itemData = { account: nonce, refundDestination: fixture.destination }
      await eventually(async () => {
        const { message } = await refuses(fixture, 'NONCE_LEASED', itemData)
        expect([message, (await fixture.nonce(nonce)).inUse]).toEqual([
          expect.stringContaining(payment.offchainId),
          null,
        ])
      })
      await refuses(fixture, 'NONCE_LEASED', itemData)
      await setFaults(world.rpcUrl, {})
      await eventually(async () => expect((await fixture.details(payment)).status).toBe('EXPIRED'))
      await close(fixture, itemData)
    } finally {
      await setFaults(world.rpcUrl, {})
    }
  })

  it('is not emptied by a transaction that waited until it was leased', async () => {
    const fixture = await NonceFixture.open(world, 'LATER', 1)
    const [nonce] = fixture.nonces as [Ids]
    const itemData = { account: { ...nonce, autoSign: false }, refundDestination: fixture.destination }
    const { chainTransaction } = await close(fixture, itemData)
    expect(chainTransaction!.status).toBe('PREPARED')
    const payment = await fixture.signedAndUnsent()
    const transaction = { offchainId: chainTransaction!.offchainId }
    await fixture.api.refuses(400, 'NONCE_LEASED', 'POST', '/transactions/sign', { transaction })
    const { offchainId } = payment
    const sent = await fixture.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction: { offchainId } })
    expect(sent.success).toBe(true)
    await fixture.free(nonce)
    expect(await world.chain.lamports(nonce.onchainId)).toBe(RENT)
  })

  it('is leased to nobody while it is being emptied', async () => {
    const fixture = await NonceFixture.open(world, 'EMPTYING', 1)
    const [nonce] = fixture.nonces as [Ids]
    const itemData = { account: { ...nonce, autoSign: false }, refundDestination: fixture.destination }
    const { chainTransaction } = await close(fixture, itemData)
    const transaction = { offchainId: chainTransaction!.offchainId }
    await fixture.api.ok(200, 'POST', '/transactions/sign', { transaction })
    const payment = { source: fixture.source, destination: fixture.destination, lamports: 1 }
    await fixture.api.refuses(400, 'NONCE_UNAVAILABLE', 'POST', PAY, payment, { config: DURABLE })
    const { message } = await refuses(fixture, 'ACCOUNT_IN_USE', itemData)
    expect(message).toContain(transaction.offchainId)
    const sent = await fixture.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })
    expect(sent.success).toBe(true)
    expect([await world.chain.exists(nonce.onchainId), await statusOf(fixture, nonce)]).toEqual([false, 'CLOSED'])
  })
})

it('the authority of a nonce account is not closed before it', async () => {
  const fixture = await NonceFixture.open(world, 'NAMING', 2)
  const itemData = { account: fixture.authority }
  const { message, pointer } = await refuses(fixture, 'ACCOUNT_IN_USE', itemData)
  for (const { offchainId } of fixture.nonces) expect(message).toContain(`durable nonce account ${offchainId}`)
  expect(pointer).toBe('/itemData/account')
  for (const account of fixture.nonces) await close(fixture, { account, refundDestination: fixture.destination })
  await close(fixture, itemData)
  expect(await statusOf(fixture, fixture.authority)).toBe('CLOSED')
})

it('nonce accounts of another organization keep no wallet open that they name as their authority', async () => {
  await newParty(world, 'ROOTED')
  const owner = await newParty(world, 'NAMED', 'ROOTED')
  const sibling = await newParty(world, 'NAMES', 'ROOTED')
  await sibling.records.feePayer({ networkCurrencyDebitLimits: [] })
  const wallet = await owner.records.account()
  const nonceAuthority = { onchainId: wallet.onchainId, offPlatform: true }
  await sibling.api.ok(201, 'POST', NONCES, { nonceAuthority, count: 1 })
  await owner.api.ok(200, 'PATCH', INACTIVATE, { account: wallet })
})

it('records of other kinds are closed where the refusal says, if they can be', async () => {
  const { records, api } = world
  await records.feePayer()
  const owner = await records.account()
  const instrument = await records.instrument('SPL', owner)
  const position = await records.position(owner, instrument)
  const source = await api.ok<{ newOnchainDataSource: Ids }>(201, 'POST', '/market-data/onchain-data-source', {
    defiProtocol: 'PUBLISHED_FEED',
    financialInstrument: instrument,
    onchainDataSourceAuthority: owner,
    dataDetails: { kind: 'PRICE' },
    oracleProviderDetails: { kind: 'QUOTES', jobDefinition: '{"tasks":[{"valueTask":{"value":1}}]}' },
  })
  const table = await api.ok<{ newAddressLookupTable: Ids }>(201, 'POST', '/address-lookup-tables', {
    authority: owner,
  })
  const messageFor = async (code: string, account: Ids): Promise<string> =>
    (await api.refuses(400, code, 'PATCH', INACTIVATE, { account })).message
  const specialised = 'USE_SPECIALISED_ENDPOINT'
  expect(await messageFor(specialised, position)).toContain('PATCH /api/v1/positions/close')
  expect(await messageFor(specialised, instrument)).toContain('PATCH /api/v1/financial-instruments/close')
  expect(await messageFor(specialised, table.newAddressLookupTable)).toContain('PATCH /api/v1/address-lookup-tables')
  expect(await messageFor('NOT_CLOSABLE', source.newOnchainDataSource)).toContain('a data source cannot be closed')
})
