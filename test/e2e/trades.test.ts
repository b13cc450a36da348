// Delivery versus payment: all movements in one transaction or none of them, between owners of one tenant, of two
// tenants, and outside.
import { createPrivateKey, sign as ed25519 } from 'node:crypto'
import { freezeAccount, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { Keypair, PublicKey, VersionedMessage } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from './client.ts'
import { eventually, startWorld, unwatched, type World } from './harness.ts'
import type { Balance, Ids, Position, Result, TransactionRecord } from './models.ts'
import { Records, SOL } from './records.ts'

const PATH = '/positions/trade'

let world: World
let feePayer: Ids
let authority: Ids
let bond: Ids
let cash: Ids

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  feePayer = await world.records.feePayer()
  authority = await world.records.account()
  ;[bond, cash] = await Promise.all([
    world.records.instrument('TOKEN_2022', authority),
    world.records.instrument('SPL', authority),
  ])
})
afterAll(() => world.stop())

const at = (owner: Ids, financialInstrument: Ids) => ({ owner, financialInstrument })
const refuses = (code: string, legs: readonly object[]) => world.api.refuses(400, code, 'POST', PATH, { legs })

async function trades(legs: readonly object[], more: object = {}, api: Client = world.api): Promise<Result> {
  const result = await api.ok<Result>(201, 'POST', PATH, { legs, ...more })
  expect(result.success, JSON.stringify(result)).toBe(true)
  return result
}

/** An owner with network currency, and positions in both instruments. */
async function trader(bonds: bigint, coins: bigint): Promise<{ wallet: Ids; bonds: Ids; coins: Ids }> {
  // Some of the owners trade with strangers.
  const wallet = await world.records.funded({ networkCurrencyDebitLimits: [], tokenDebitLimits: [] }, SOL)
  const positions = await Promise.all([
    world.records.position(wallet, bond, bonds),
    world.records.position(wallet, cash, coins),
  ])
  return { wallet, bonds: positions[0], coins: positions[1] }
}

const readBalances = (...positions: readonly Ids[]): Promise<bigint[]> =>
  Promise.all(positions.map(({ onchainId }) => world.chain.tokens(onchainId)))

describe('a trade', () => {
  it('settles delivery versus payment in one transaction that both owners sign', async () => {
    const [seller, buyer] = [await trader(10n, 0n), await trader(0n, 500n)]
    const result = await trades(
      [
        { source: { position: seller.bonds }, destination: { position: buyer.bonds }, lamports: 10 },
        { source: { position: buyer.coins }, destination: { position: seller.coins }, lamports: 450 },
        { source: buyer.wallet, destination: seller.wallet, lamports: 7_000 },
        { source: { owner: buyer.wallet }, destination: { owner: seller.wallet }, amount: '0.000001' },
      ],
      { memo: 'DvP 1' },
    )
    expect(await readBalances(seller.bonds, buyer.bonds, seller.coins, buyer.coins)).toEqual([0n, 10n, 450n, 50n])
    expect(await world.chain.lamports(seller.wallet.onchainId)).toBe(SOL + 8_000n)
    expect(await world.chain.memos(result.onchainId!)).toEqual(['DvP 1'])
    const { message } = (await world.chain.transaction(result.onchainId!)).transaction
    const signers = message.staticAccountKeys
      .slice(0, message.header.numRequiredSignatures)
      .map((key) => key.toBase58())
    expect(new Set(signers)).toEqual(new Set([feePayer, seller.wallet, buyer.wallet].map(({ onchainId }) => onchainId)))
    const record = await world.api.read<TransactionRecord>('/transactions/single', { offchainId: result.offchainId })
    expect(record.instructions.map(({ type }) => type)).toEqual([
      'SET_COMPUTE_UNIT_LIMIT',
      'TRANSFER_CHECKED',
      'TRANSFER_CHECKED',
      'TRANSFER',
      'TRANSFER',
      'MEMO',
    ])
    await world.records.positionsEqualChain(seller.bonds, buyer.bonds, seller.coins, buyer.coins)
    await world.records.accountsEqualChain(feePayer, seller.wallet, buyer.wallet)
  })

  it('opens missing positions once, and spends from them in a later leg', async () => {
    const seller = await trader(10n, 0n)
    const [broker, buyer] = await Promise.all([world.records.funded({}, SOL), world.records.funded({}, SOL)])
    const open = { initializeDestinationPositionIfNeeded: true }
    const legs = [
      { source: { position: seller.bonds }, destination: at(broker, bond), lamports: 4, ...open },
      { source: { position: seller.bonds }, destination: at(broker, bond), lamports: 6 },
      { source: at(broker, bond), destination: at(buyer, bond), lamports: 9, ...open },
      { source: buyer, destination: broker, lamports: 1_000 },
    ]
    await refuses(
      'POSITION_NOT_FOUND',
      legs.map(({ source, destination, lamports }) => ({ source, destination, lamports })),
    )
    await trades(legs)
    const [first, second] = (await Promise.all(
      [broker, buyer].map(async (owner) => {
        const { onchain, offchain } = await world.api.read<Position>('/positions/single', at(owner, bond))
        return { onchainId: onchain.id, offchainId: offchain.id }
      }),
    )) as [Ids, Ids]
    expect(await readBalances(first, second)).toEqual([1n, 9n])
    await world.records.positionsEqualChain(seller.bonds, first, second)
    await world.records.accountsEqualChain(feePayer, broker, buyer)
  })

  it('evaluates balances in the order of the legs', async () => {
    const [one, other, third] = [await trader(10n, 0n), await trader(0n, 0n), await trader(0n, 0n)]
    const through = [
      { source: { position: one.bonds }, destination: { position: other.bonds }, lamports: 10 },
      { source: { position: other.bonds }, destination: { position: third.bonds }, lamports: 8 },
    ]
    await refuses('INSUFFICIENT_BALANCE', [...through].reverse())
    expect(await readBalances(one.bonds, other.bonds, third.bonds)).toEqual([10n, 0n, 0n])
    await trades(through)
    expect(await readBalances(one.bonds, other.bonds, third.bonds)).toEqual([0n, 2n, 8n])
    // In a circle, funded only by the first leg.
    const circle = [
      { source: { position: third.bonds }, destination: { position: one.bonds }, lamports: 8 },
      { source: { position: one.bonds }, destination: { position: third.bonds }, lamports: 8 },
      { source: other.wallet, destination: one.wallet, lamports: Number(SOL) },
      { source: one.wallet, destination: third.wallet, lamports: Number(2n * SOL) },
    ]
    await trades(circle)
    expect(await readBalances(one.bonds, third.bonds)).toEqual([0n, 8n])
    expect(await world.chain.lamports(third.wallet.onchainId)).toBe(3n * SOL)
    await world.records.positionsEqualChain(one.bonds, other.bonds, third.bonds)
  })

  it('moves nothing if one leg is impossible', async () => {
    const [seller, buyer] = [await trader(5n, 0n), await trader(0n, 5n)]
    const elsewhere = await world.records.position(buyer.wallet, await world.records.instrument('SPL', authority))
    const good = { source: { position: seller.bonds }, destination: { position: buyer.bonds }, lamports: 5 }
    const refusesLeg = async (code: string, second: object, member: string) =>
      expect((await refuses(code, [good, second])).pointer).toBe(`/itemData${member}`)
    await refusesLeg(
      'INSUFFICIENT_BALANCE',
      { source: { position: buyer.coins }, destination: { position: seller.coins }, lamports: 6 },
      '',
    )
    await refusesLeg('INSUFFICIENT_BALANCE', { source: buyer.wallet, destination: seller.wallet, amount: 2 }, '')
    const leg = '/legs/1'
    const to = `${leg}/destination`
    await refusesLeg(
      'INSTRUMENT_MISMATCH',
      { source: { position: buyer.coins }, destination: { position: seller.bonds }, lamports: 1 },
      to,
    )
    await refusesLeg(
      'INSTRUMENT_MISMATCH',
      { source: { position: buyer.coins }, destination: { position: elsewhere }, lamports: 1 },
      to,
    )
    await refusesLeg(
      'INSTRUMENT_MISMATCH',
      { source: { position: buyer.coins }, destination: seller.wallet, lamports: 1 },
      to,
    )
    await refusesLeg(
      'SAME_POSITION',
      { source: { position: buyer.coins }, destination: { position: buyer.coins }, lamports: 1 },
      to,
    )
    await refusesLeg('SAME_ACCOUNT', { source: buyer.wallet, destination: buyer.wallet, lamports: 1 }, to)
    await refusesLeg(
      'TOO_PRECISE',
      { source: buyer.wallet, destination: seller.wallet, amount: '0.0000000001' },
      `${leg}/amount`,
    )
    await refusesLeg(
      'ACCOUNT_NOT_FOUND',
      { source: buyer.bonds, destination: seller.wallet, lamports: 1 },
      `${leg}/source`,
    )
    await refusesLeg(
      'LOOKUP_MISMATCH',
      { source: { ...buyer.wallet, owner: buyer.wallet }, destination: seller.wallet, lamports: 1 },
      `${leg}/source`,
    )
    for (const member of [{ autoSign: false }, { otherTenantOrganizationExternalId: 'SYSTEM' }])
      await refusesLeg(
        'UNKNOWN_MEMBER',
        { source: { position: buyer.coins, ...member }, destination: { owner: seller.wallet }, lamports: 1 },
        `${leg}/source/${Object.keys(member)[0]}`,
      )
    await refuses('REQUIRED', [good, { source: buyer.wallet, destination: seller.wallet }])
    await refuses('TOO_SHORT', [good])
    await refuses(
      'TOO_LONG',
      Array.from({ length: 9 }, () => good),
    )
    expect(await readBalances(seller.bonds, buyer.coins)).toEqual([5n, 5n])
    await world.records.positionsEqualChain(seller.bonds, buyer.bonds, seller.coins, buyer.coins)
    await world.records.accountsEqualChain(seller.wallet, buyer.wallet, feePayer)
  })

  it('moves nothing if a leg fails on chain, and costs only the fee', async () => {
    const freezer = Keypair.generate()
    await world.chain.airdrop(freezer.publicKey.toBase58(), SOL)
    const freezeAuthority = { onchainId: freezer.publicKey.toBase58(), offPlatform: true }
    const stock = await world.records.instrument('TOKEN_2022', authority, { freezeAuthority })
    const [seller, buyer] = [await trader(0n, 0n), await trader(0n, 100n)]
    const [from, to] = [
      await world.records.position(seller.wallet, stock, 5n),
      await world.records.position(buyer.wallet, stock),
    ]
    const legs = [
      { source: { position: buyer.coins }, destination: { position: seller.coins }, lamports: 100 },
      { source: { position: from }, destination: { position: to }, lamports: 5 },
    ]
    // The service has not observed this.
    const [account, mint] = [new PublicKey(to.onchainId), new PublicKey(stock.onchainId)]
    await freezeAccount(world.chain.connection, freezer, account, mint, freezer, [], undefined, TOKEN_2022_PROGRAM_ID)
    const before = await world.chain.lamports(feePayer.onchainId)
    const result = await world.api.ok<Result>(201, 'POST', PATH, { legs })
    expect(result.success).toBe(false)
    await eventually(async () => {
      const { status } = await world.api.read<Result>('/transactions/status', { offchainId: result.offchainId })
      expect(status).toBe('BLOCKCHAIN_ERROR')
    })
    expect(await readBalances(buyer.coins, seller.coins, from, to)).toEqual([100n, 0n, 5n, 0n])
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(before - (await world.chain.fee(result.onchainId!)))
    await world.records.positionsEqualChain(seller.coins, buyer.coins, from)
    await world.records.accountsEqualChain(feePayer)
    // Once the service has observed it, no fee is paid any more.
    await world.api.read('/positions/single/balance', { position: to })
    expect((await refuses('POSITION_FROZEN', legs)).pointer).toBe('/itemData/legs/1/destination')
    await world.records.positionsEqualChain(to)
  })

  it('completes a side that names only the owner from the other side', async () => {
    const [seller, buyer] = [await trader(5n, 0n), await trader(0n, 0n)]
    await trades([
      { source: { position: seller.bonds }, destination: { owner: buyer.wallet }, lamports: 3 },
      { source: { owner: seller.wallet }, destination: at(buyer.wallet, bond), lamports: 2 },
    ])
    expect(await readBalances(seller.bonds, buyer.bonds)).toEqual([0n, 5n])
    await world.records.positionsEqualChain(seller.bonds, buyer.bonds)
  })

  it('is executed once for repeated requests', async () => {
    const [seller, buyer] = [await trader(10n, 0n), await trader(0n, 10n)]
    const body = {
      legs: [
        { source: { position: seller.bonds }, destination: { position: buyer.bonds }, lamports: 5 },
        { source: { position: buyer.coins }, destination: { position: seller.coins }, lamports: 5 },
      ],
      idempotencyId: 'c0b1cb33-0f4f-4a2b-9d56-5a0a2f6f7a01',
    }
    const answers = await Promise.all(Array.from({ length: 4 }, () => world.api.ok<Result>(201, 'POST', PATH, body)))
    expect(new Set(answers.map(({ offchainId }) => offchainId)).size).toBe(1)
    expect(await readBalances(seller.bonds, buyer.bonds, seller.coins, buyer.coins)).toEqual([5n, 5n, 5n, 5n])
  })

  it('with eight legs fits if they share accounts, and reports an excess otherwise', async () => {
    const [one, other] = [await trader(100n, 0n), await trader(0n, 100n)]
    const pair = [
      { source: { position: one.bonds }, destination: { position: other.bonds }, lamports: 1 },
      { source: { position: other.coins }, destination: { position: one.coins }, lamports: 1 },
    ]
    await trades([...pair, ...pair, ...pair, ...pair])
    expect(await readBalances(one.bonds, other.bonds, one.coins, other.coins)).toEqual([96n, 4n, 4n, 96n])
    const many = await Promise.all(Array.from({ length: 8 }, () => trader(1n, 0n)))
    const around = many.map((each, index) => ({
      source: { position: each.bonds },
      destination: { position: many[(index + 1) % 8]!.bonds },
      lamports: 1,
    }))
    await refuses('TRANSACTION_TOO_LARGE', around)
    await world.records.positionsEqualChain(one.bonds, other.bonds, ...many.map(({ bonds }) => bonds))
  })
})

describe('between tenants', () => {
  /** Each is a stranger under the limits of the other. */
  const toStrangers = [
    { destination: 'OFF_PLATFORM', maxAllowedDebit: { limitType: 'PER_TRANSACTION', limitAmount: 1 } },
  ]
  let otherRecords: Records
  let theirApi: Client

  beforeAll(async () => {
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'BUYER', name: 'Buyer' })
    const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
      organizationExternalId: 'BUYER',
      name: 'k',
      bundle: 'ADMIN',
    })
    theirApi = world.api.as(apiKey)
    await theirApi.ok(200, 'PATCH', '/admin/organizations', { externalId: 'BUYER', acceptsSigningRequests: true })
    otherRecords = world.records.with(theirApi)
    await otherRecords.feePayer()
  })

  it('waits for the signature of the other tenant, and is atomic', async () => {
    const seller = await trader(10n, 0n)
    const wallet = await otherRecords.funded({ networkCurrencyDebitLimits: toStrangers }, SOL)
    const position = await otherRecords.position(wallet, bond)
    const legs = [
      { source: { position: seller.bonds }, destination: { position }, lamports: 10 },
      {
        source: { ...wallet, otherTenantOrganizationExternalId: 'BUYER' },
        destination: seller.wallet,
        lamports: 5_000,
      },
    ]
    const prepared = await world.api.ok<Result>(201, 'POST', PATH, { legs })
    expect(prepared).toMatchObject({ success: false, status: 'PREPARED' })
    expect((await world.records.positionRecord(seller.bonds)).reserved.lamports).toBe(0)
    const transaction = { offchainId: prepared.offchainId }
    const signed = await theirApi.ok<Result>(200, 'POST', '/transactions/sign', { transaction, signers: [wallet] })
    expect(signed.status).toBe('PARTIALLY_SIGNED')
    expect((await theirApi.read<Balance>('/accounts/single/balance', wallet)).reserved.lamports).toBe(5_000)
    await world.api.ok<Result>(200, 'POST', '/transactions/sign', { transaction })
    const result = await world.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })
    expect(result.success, JSON.stringify(result)).toBe(true)
    expect(await readBalances(seller.bonds, position)).toEqual([0n, 10n])
    expect(await world.chain.lamports(wallet.onchainId)).toBe(SOL - 5_000n)
    await world.records.positionsEqualChain(seller.bonds)
    await otherRecords.positionsEqualChain(position)
    await otherRecords.accountsEqualChain(wallet)
  })

  it('is executed at once if the other tenant has granted its key', async () => {
    const seller = await trader(10n, 0n)
    const wallet = await otherRecords.funded(
      { orgsAllowedToSignWithPrivateKey: ['SYSTEM'], networkCurrencyDebitLimits: toStrangers },
      SOL,
    )
    const position = await otherRecords.position(wallet, bond)
    await trades([
      { source: { position: seller.bonds }, destination: { position }, lamports: 3 },
      { source: wallet, destination: seller.wallet, lamports: 300 },
    ])
    await otherRecords.positionsEqualChain(position)
    await otherRecords.accountsEqualChain(wallet)
    await world.records.positionsEqualChain(seller.bonds)
  })
})

it('with an outside party waits for an outside signature', async () => {
  const seller = await trader(10n, 0n)
  const keypair = Keypair.generate()
  await world.chain.airdrop(keypair.publicKey.toBase58(), SOL)
  const outside = { onchainId: keypair.publicKey.toBase58(), offPlatform: true }
  const prepared = await world.api.ok<Result>(201, 'POST', PATH, {
    legs: [
      {
        source: { position: seller.bonds },
        destination: { owner: outside, financialInstrument: bond },
        lamports: 4,
        initializeDestinationPositionIfNeeded: true,
      },
      { source: outside, destination: seller.wallet, lamports: 400 },
    ],
  })
  expect(prepared).toMatchObject({ success: false, status: 'PREPARED' })
  const message = Buffer.from(prepared.serializedMessage, 'base64')
  expect(VersionedMessage.deserialize(message).header.numRequiredSignatures).toBe(3)
  const pkcs8 = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.from(keypair.secretKey.subarray(0, 32)),
  ])
  const signature = ed25519(null, message, createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }))
  const transaction = { offchainId: prepared.offchainId }
  const signatures = [{ onchainId: outside.onchainId, signature: bs58.encode(signature) }]
  await world.api.ok(200, 'POST', '/transactions/sign', { transaction, signatures })
  const result = await world.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })
  expect(result.success, JSON.stringify(result)).toBe(true)
  expect(await world.chain.tokens(world.records.associated({ ...outside, offchainId: '' }, bond, 'TOKEN_2022'))).toBe(
    4n,
  )
  expect(await world.chain.lamports(outside.onchainId)).toBe(SOL - 400n)
  await world.records.positionsEqualChain(seller.bonds)
})
