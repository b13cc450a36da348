// Accounts over HTTP: creation, import, onboarding, refusals, and lookups of a record.
import { Keypair, SystemProgram } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, unwatched, type World } from '../harness.ts'
import type { Balance, Ids, NewAccount } from '../models.ts'
import { SOL } from '../records.ts'

let world: World
let feePayer: Ids

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  feePayer = await world.records.feePayer({ offchainReferences: { code: 'FEES' }, networkCurrencyDebitLimits: [] })
})
afterAll(() => world.stop())

const create = (itemData: object, options = {}): Promise<NewAccount> =>
  world.api.ok<NewAccount>(201, 'POST', '/accounts', itemData, options)

describe('creation', () => {
  it('creates a managed wallet without a transaction if nothing requires one', async () => {
    const { newAccount, chainTransaction } = await create({
      offchainReferences: { code: 'plain', alId: 'AL-1', accountNumber: '4711', name: 'Plain wallet' },
      comments: 'two\nlines',
      domain: 'desk',
    })
    expect(chainTransaction).toBeUndefined()
    expect(await world.chain.exists(newAccount.onchainId)).toBe(false)
    expect(await world.records.accountRecord(newAccount)).toMatchObject({
      onchain: { id: newAccount.onchainId, lastTransactionId: null, creationTransactionId: null },
      offchain: {
        id: newAccount.offchainId,
        type: 'WALLET',
        code: 'plain',
        alId: 'AL-1',
        accountNumber: '4711',
        name: 'Plain wallet',
        organizationExternalId: 'SYSTEM',
        lamportsBalance: 0,
        tokenBalance: null,
        tokenDecimals: null,
      },
      managed: true,
      status: 'ACTIVE',
      privateKeyLocation: ['DATABASE'],
      wasOnchainAlready: false,
      canPayFees: false,
      comments: 'two\nlines',
      domain: 'desk',
      tenantOrganizationId: 'SYSTEM',
      sharedAcrossTenants: false,
    })
  })

  it.each([
    ['seedAmount as a number', { seedAmount: 0.25 }, SOL / 4n],
    ['seedAmount as text', { seedAmount: '1.000000001' }, SOL + 1n],
    ['seedLamports', { seedLamports: 5_000_000 }, 5_000_000n],
  ])('seeds the account with %s', async (_name, seed, lamports) => {
    const { newAccount, chainTransaction } = await create(seed)
    expect(chainTransaction?.success).toBe(true)
    expect(['CONFIRMED', 'FINALIZED']).toContain(chainTransaction?.status)
    expect(await world.chain.lamports(newAccount.onchainId)).toBe(lamports)
    const record = await world.records.accountRecord(newAccount)
    expect(record.onchain.creationTransactionId).toBe(chainTransaction?.onchainId)
    expect(record.offchain.creationTransactionId).toBe(chainTransaction?.offchainId)
    await world.records.accountsEqualChain(newAccount, feePayer)
  })

  it('raises a smaller seed to the rent-exempt minimum, which is the default', async () => {
    const least = await world.chain.rent(0)
    const seeded = await create({ seedLamports: 1 })
    const configured = await create({}, { config: {} })
    expect(await world.chain.lamports(seeded.newAccount.onchainId)).toBe(least)
    expect(await world.chain.lamports(configured.newAccount.onchainId)).toBe(least)
    await world.records.accountsEqualChain(seeded.newAccount, configured.newAccount, feePayer)
  })

  it('allocates space on chain, whose lamports cannot be transferred out', async () => {
    const { newAccount } = await create({ dataLength: 100, seedAmount: '0.5' })
    const onchain = await world.chain.account(newAccount.onchainId)
    expect(onchain).toMatchObject({ lamports: 500_000_000, owner: SystemProgram.programId })
    expect(onchain?.data).toHaveLength(100)
    const bare = await create({ dataLength: 8 })
    expect(await world.chain.lamports(bare.newAccount.onchainId)).toBe(await world.chain.rent(8))
    await world.api.refuses(400, 'ACCOUNT_HAS_DATA', 'POST', '/positions/transfer-network-currency', {
      source: newAccount,
      destination: feePayer,
      lamports: 1,
    })
    await world.api.refuses(
      400,
      'FEE_PAYER_INVALID',
      'POST',
      '/accounts',
      { seedAmount: 1 },
      { config: { feePayer: newAccount } },
    )
    await world.api.refuses(400, 'FEE_PAYER_INVALID', 'POST', '/accounts', { dataLength: 8, canPayFees: true })
    await world.records.accountsEqualChain(newAccount, bare.newAccount, feePayer)
  })

  it('refuses a seed beyond the balance of the fee payer, and stores nothing', async () => {
    const before = await world.chain.lamports(feePayer.onchainId)
    await world.api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', '/accounts', {
      seedAmount: 1_000_000,
      offchainReferences: { code: 'rich' },
    })
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(before)
    await world.api.refuses(404, 'ACCOUNT_NOT_FOUND', 'POST', '/accounts/single', {
      offchainReferences: { code: 'rich' },
    })
    await world.records.accountsEqualChain(feePayer)
  })
})

describe('keys', () => {
  it('imports a private key and signs with it', async () => {
    const keypair = Keypair.generate()
    const address = keypair.publicKey.toBase58()
    await world.chain.airdrop(address, SOL)
    const privateKey = bs58.encode(keypair.secretKey)
    const { newAccount } = await create({
      onchainId: address,
      privateKeyDetails: { privateKey, publicKey: address },
      alreadyOnChain: true,
    })
    expect(newAccount.onchainId).toBe(address)
    const record = await world.records.accountRecord(newAccount)
    expect(record).toMatchObject({
      managed: true,
      wasOnchainAlready: true,
      offchain: { lamportsBalance: 1_000_000_000 },
    })
    expect(JSON.stringify(record)).not.toContain(privateKey)
    await world.api.ok(201, 'POST', '/positions/transfer-network-currency', {
      source: newAccount,
      destination: feePayer,
      amount: '0.4',
    })
    expect(await world.chain.lamports(address)).toBe((SOL * 6n) / 10n)
    await world.records.accountsEqualChain(newAccount, feePayer)
  })

  it('imports a 32-byte seed', async () => {
    const keypair = Keypair.generate()
    const { newAccount } = await create({
      privateKeyDetails: { privateKey: bs58.encode(keypair.secretKey.subarray(0, 32)) },
    })
    expect(newAccount.onchainId).toBe(keypair.publicKey.toBase58())
  })

  it('refuses a key of another address, and does not quote it', async () => {
    const privateKey = bs58.encode(Keypair.generate().secretKey)
    const onchainId = Keypair.generate().publicKey.toBase58()
    for (const body of [
      { onchainId, privateKeyDetails: { privateKey } },
      { privateKeyDetails: { privateKey, publickKey: onchainId } },
    ]) {
      const problem = await world.api.refuses(400, 'PRIVATE_KEY_MISMATCH', 'POST', '/accounts', body)
      expect(JSON.stringify(problem)).not.toContain(privateKey.slice(0, 12))
    }
    const forged = Buffer.concat([
      Buffer.from(bs58.decode(privateKey)).subarray(0, 32),
      Keypair.generate().publicKey.toBuffer(),
    ])
    await world.api.refuses(400, 'MALFORMED_PRIVATE_KEY', 'POST', '/accounts', {
      privateKeyDetails: { privateKey: bs58.encode(forged) },
    })
    await world.api.refuses(400, 'REQUIRED', 'POST', '/accounts', { managed: true, onchainId })
    await world.api.refuses(400, 'REQUIRED', 'POST', '/accounts', { managed: false })
    await world.api.refuses(400, 'MUTUALLY_EXCLUSIVE', 'POST', '/accounts', {
      managed: false,
      onchainId,
      privateKeyDetails: { privateKey },
    })
  })

  it('stores a key in one location, and refuses a request for two', async () => {
    const threshold = { dkgKeys: [{}] }
    for (const privateKeyDetails of [
      { location: ['DATABASE', 'SECRETS'] },
      { location: ['SECRETS', 'DATABASE'] },
      { location: ['DATABASE', 'DKG'] },
      { location: ['SECRETS', 'DKG'] },
      { location: ['DATABASE'], ...threshold },
      { location: ['SECRETS'], ...threshold },
    ]) {
      const problem = await world.api.refuses(400, 'MUTUALLY_EXCLUSIVE', 'POST', '/accounts', { privateKeyDetails })
      expect([privateKeyDetails, problem.pointer]).toEqual([privateKeyDetails, '/itemData/privateKeyDetails/location'])
    }
    const address = Keypair.generate().publicKey.toBase58()
    const dkg = { location: ['DKG'] }
    for (const managed of [{}, { managed: true }, { managed: false }])
      for (const [pointer, given] of [
        ['onchainId', { onchainId: address, privateKeyDetails: dkg }],
        ['privateKeyDetails/publickKey', { privateKeyDetails: { ...dkg, publickKey: address } }],
      ] as const) {
        const problem = await world.api.refuses(400, 'MUTUALLY_EXCLUSIVE', 'POST', '/accounts', {
          ...managed,
          ...given,
        })
        expect(problem.pointer).toBe(`/itemData/${pointer}`)
      }
    for (const location of [['DATABASE'], ['DATABASE', 'DATABASE'], []]) {
      const { newAccount } = await create({ privateKeyDetails: { location } })
      expect(await world.records.accountRecord(newAccount)).toMatchObject({ privateKeyLocation: ['DATABASE'] })
    }
  })

  it('onboards an account whose key is held elsewhere', async () => {
    const onchainId = Keypair.generate().publicKey.toBase58()
    const { newAccount } = await create({ managed: false, onchainId, seedAmount: '0.1' })
    expect(newAccount.onchainId).toBe(onchainId)
    expect(await world.chain.lamports(onchainId)).toBe(SOL / 10n)
    expect(await world.records.accountRecord(newAccount)).toMatchObject({ managed: false, privateKeyLocation: [] })
    await world.records.accountsEqualChain(newAccount, feePayer)
  })
})

describe('already on chain', () => {
  it('onboards an account in its present state, without a transaction', async () => {
    const onchainId = Keypair.generate().publicKey.toBase58()
    await world.chain.airdrop(onchainId, 3n * SOL)
    const { newAccount, chainTransaction } = await create({
      managed: false,
      onchainId,
      alreadyOnchain: true,
      seedAmount: 1,
    })
    expect(chainTransaction).toBeUndefined()
    await world.records.accountsEqualChain(newAccount)
    expect(await world.records.accountRecord(newAccount)).toMatchObject({
      wasOnchainAlready: true,
      offchain: { lamportsBalance: 3_000_000_000 },
    })
  })

  it('refuses a missing account, unless the check is switched off', async () => {
    const onchainId = Keypair.generate().publicKey.toBase58()
    const body = { managed: false, onchainId, alreadyOnchain: true }
    await world.api.refuses(400, 'ACCOUNT_NOT_ONCHAIN', 'POST', '/accounts', body)
    await create({ ...body, skipBlockchainExistenceVerification: true })
  })
})

describe('uniqueness and types', () => {
  it('answers 409 to a second record with the same address or the same references', async () => {
    const { newAccount } = await create({ offchainReferences: { code: 'unique', accountNumber: '1' } })
    const problem = await world.api.refuses(409, 'ALREADY_EXISTS', 'POST', '/accounts', {
      managed: false,
      onchainId: newAccount.onchainId,
    })
    expect(problem).toMatchObject({ pointer: '/itemData/onchainId', retryable: false })
    await world.api.refuses(409, 'ALREADY_EXISTS', 'POST', '/accounts', {
      offchainReferences: { code: 'unique', accountNumber: '1' },
    })
    await world.api.refuses(409, 'ALREADY_EXISTS', 'POST', '/accounts', {
      offchainReferences: { code: 'unique', accountNumber: '1' },
      seedAmount: 1,
    })
    await create({ offchainReferences: { code: 'unique', accountNumber: '2' } })
    await create({ offchainReferences: { code: 'unique', accountNumber: '1', type: 'ASSETS_WALLET' } })
  })

  it('creates one of two equal accounts requested at the same time', async () => {
    const body = { offchainReferences: { code: 'raced' }, seedLamports: 5_000_000 }
    const answers = await Promise.all(Array.from({ length: 5 }, () => world.api.send('POST', '/accounts', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    await world.records.accountsEqualChain(feePayer)
  })

  it.each(['FUNDS_TOKEN_ACCOUNT', 'ASSET_TOKEN_ACCOUNT', 'ADDRESS_LOOKUP_TABLE', 'NONCE'])(
    'sends %s to its own endpoint',
    async (type) => {
      const problem = await world.api.refuses(400, 'USE_SPECIALISED_ENDPOINT', 'POST', '/accounts', {
        offchainReferences: { type },
      })
      expect(problem.pointer).toBe('/itemData/offchainReferences/type')
    },
  )

  it('accepts the other types', async () => {
    for (const type of [
      'CURRENCIES_WALLET',
      'DEFI_SETTLEMENT_WALLET',
      'TOKEN_MANAGEMENT_AUTHORITY',
      'ASSET_TOKEN',
      'FUNDS_TOKEN',
    ]) {
      const { newAccount } = await create({ offchainReferences: { type } })
      expect((await world.records.accountRecord(newAccount)).offchain.type).toBe(type)
    }
    const offchainReferences = { type: 'ASSET_TOKEN' }
    const maxAllowedDebit = { limitType: 'PER_TRANSACTION', limitAmount: 1 }
    for (const limits of [
      { networkCurrencyDebitLimits: [{ destination: 'ANY', maxAllowedDebit }] },
      { tokenDebitLimits: [] },
    ])
      await world.api.refuses(400, 'LIMITS_NOT_APPLICABLE', 'POST', '/accounts', { offchainReferences, ...limits })
  })
})

describe('lookup', () => {
  it('finds a record by its ids, by its references, and by both together', async () => {
    const offchainReferences = {
      code: 'found',
      alId: 'AL-7',
      accountNumber: '77',
      type: 'WALLET',
      name: 'Found',
      organizationExternalId: 'SYSTEM',
    }
    const { newAccount } = await create({ offchainReferences })
    const { onchainId, offchainId } = newAccount
    const forms = [
      { offchainId },
      { offchainId: offchainId.toUpperCase() },
      { onchainId },
      { onchainId, offchainId },
      { offchainReferences },
      { offchainReferences: { code: 'found' } },
      { offchainReferences: { alId: 'AL-7' } },
      { offchainReferences: { accountNumber: '77' } },
      { offchainReferences: { name: 'Found' } },
      { ...newAccount, offchainReferences },
      { onchainId, otherTenantOrganizationExternalId: 'SYSTEM' },
      { onchainId, offPlatform: true },
    ]
    for (const form of forms)
      expect(await world.api.read('/accounts/single', form), JSON.stringify(form)).toMatchObject({
        offchain: { id: offchainId },
      })
  })

  it('reports members that disagree, several matches, and no match', async () => {
    const one = await world.records.account({ offchainReferences: { name: 'twin', code: 'twin-1' } })
    const two = await world.records.account({ offchainReferences: { name: 'twin', code: 'twin-2' } })
    const refuses = (status: number, code: string, lookup: object) =>
      world.api.refuses(status, code, 'POST', '/accounts/single', lookup)
    await refuses(400, 'LOOKUP_MISMATCH', { onchainId: one.onchainId, offchainId: two.offchainId })
    await refuses(400, 'LOOKUP_MISMATCH', { offchainId: one.offchainId, offchainReferences: { code: 'twin-2' } })
    await refuses(400, 'LOOKUP_AMBIGUOUS', { offchainReferences: { name: 'twin' } })
    await refuses(404, 'ACCOUNT_NOT_FOUND', { offchainReferences: { name: 'nobody' } })
    await refuses(404, 'ACCOUNT_NOT_FOUND', { offchainReferences: { name: 'twin', code: 'twin-3' } })
    await refuses(404, 'ACCOUNT_NOT_FOUND', { onchainId: Keypair.generate().publicKey.toBase58() })
    await refuses(404, 'ACCOUNT_NOT_FOUND', {
      onchainId: one.onchainId,
      otherTenantOrganizationExternalId: 'ELSEWHERE',
    })
    await refuses(400, 'REQUIRED', {})
    await refuses(400, 'REQUIRED', { offPlatform: true, offchainId: one.offchainId })
  })

  it('answers 400 instead of 404 at endpoints without a 404', async () => {
    const nobody = { onchainId: Keypair.generate().publicKey.toBase58() }
    const transfer = (source: object, destination: object) => ({ source, destination, lamports: 1 })
    const path = '/positions/transfer-network-currency'
    expect(await world.api.refuses(400, 'ACCOUNT_NOT_FOUND', 'POST', path, transfer(nobody, feePayer))).toMatchObject({
      pointer: '/itemData/source',
    })
    expect(await world.api.refuses(400, 'ACCOUNT_NOT_FOUND', 'POST', path, transfer(feePayer, nobody))).toMatchObject({
      pointer: '/itemData/destination',
    })
  })
})

it('books a deposit from outside, and shows it in the balance', async () => {
  const account = await world.records.account()
  await world.chain.airdrop(account.onchainId, 2n * SOL)
  expect((await world.records.accountRecord(account)).offchain.lamportsBalance).toBe(0)
  const balance = await world.api.read<Balance>('/accounts/single/balance', account)
  expect(balance).toEqual({
    onchain: { amount: 2, lamports: 2_000_000_000 },
    offchain: { amount: 2, lamports: 2_000_000_000 },
    reserved: { amount: 0, lamports: 0 },
    available: { amount: 2, lamports: 2_000_000_000 },
    outOfBalance: false,
  })
  await world.records.accountsEqualChain(account)
  await world.api.refuses(404, 'ACCOUNT_NOT_FOUND', 'POST', '/accounts/single/balance', {
    offchainReferences: { code: 'no such' },
  })
})
