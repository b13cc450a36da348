// Forced transfers and burns: the permanent delegate signs instead of the owner, for positions of any owner, with its
// own rights.
import { createAssociatedTokenAccount, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import type { Ids, Result } from '../models.ts'
import { Records, SOL } from '../records.ts'

const [TRANSFER, BURN] = ['/positions/transfer', '/positions/burn']

let world: World
let authority: Ids
let delegate: Ids
let instrument: Ids
let treasury: Ids

beforeAll(async () => {
  world = await startWorld()
  await world.records.feePayer()
  authority = await world.records.account()
  delegate = await world.records.account()
  instrument = await world.records.instrument('TOKEN_2022', authority, {
    permanentDelegateAuthority: delegate,
    freezeAuthority: authority,
  })
  treasury = await world.records.position(await world.records.account(), instrument)
})
afterAll(() => world.stop())

async function succeeds(path: string, itemData: object, api: Client = world.api): Promise<Result> {
  const result = await api.ok<Result>(201, 'POST', path, itemData)
  expect(result.success, JSON.stringify(result)).toBe(true)
  return result
}

const seize = (source: object, more: object): Promise<Result> =>
  succeeds(TRANSFER, { source, destination: { position: treasury }, permanentDelegate: true, ...more })

async function signersOf({ onchainId }: Result): Promise<string[]> {
  const { message } = (await world.chain.transaction(onchainId!)).transaction
  return message.staticAccountKeys.slice(0, message.header.numRequiredSignatures).map((key) => key.toBase58())
}

/** An owner with tokens who is not onboarded. */
async function outsider(
  lamports: bigint,
): Promise<{ wallet: { onchainId: string; offPlatform: true }; account: { onchainId: string; offPlatform: true } }> {
  const keypair = Keypair.generate()
  await world.chain.airdrop(keypair.publicKey.toBase58(), SOL)
  const mint = new PublicKey(instrument.onchainId)
  const account = await createAssociatedTokenAccount(
    world.chain.connection,
    keypair,
    mint,
    keypair.publicKey,
    undefined,
    TOKEN_2022_PROGRAM_ID,
  )
  const lookup = { onchainId: account.toBase58(), offPlatform: true } as const
  await succeeds('/positions/mint', { destination: { position: lookup }, lamports: lamports.toString() })
  return { wallet: { onchainId: keypair.publicKey.toBase58(), offPlatform: true }, account: lookup }
}

describe('a permanent delegate debits an unknown owner', () => {
  it('by the address of the token account, or by owner and instrument', async () => {
    const { wallet, account } = await outsider(100n)
    const before = await world.chain.tokens(treasury.onchainId)
    const forced = await seize({ position: account }, { lamports: 30 })
    expect(await signersOf(forced)).toContain(delegate.onchainId)
    expect(await signersOf(forced)).not.toContain(wallet.onchainId)
    await seize({ owner: wallet, financialInstrument: instrument }, { lamports: 20 })
    await succeeds(BURN, {
      source: { position: account, financialInstrument: instrument },
      lamports: 10,
      permanentDelegate: true,
    })
    expect(await world.chain.tokens(account.onchainId)).toBe(40n)
    await world.api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', TRANSFER, {
      source: { position: account },
      destination: { position: treasury },
      lamports: 41,
      permanentDelegate: true,
    })
    await seize({ position: account }, { transferEntireBalance: true })
    expect(await world.chain.tokens(account.onchainId)).toBe(0n)
    expect(await world.chain.tokens(treasury.onchainId)).toBe(before + 90n)
    await world.api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', BURN, {
      source: { position: account },
      burnEntireBalance: true,
      permanentDelegate: true,
    })
    await world.records.positionsEqualChain(treasury)
    await world.records.instrumentEqualsChain(instrument)
  })

  it('thaws frozen accounts, and reports contradictions', async () => {
    const { wallet, account } = await outsider(10n)
    await world.api.ok(200, 'PATCH', '/positions/freeze', { position: { position: account } })
    const body = {
      source: { position: account },
      destination: { position: treasury },
      lamports: 4,
      permanentDelegate: true,
    }
    await world.api.refuses(400, 'POSITION_FROZEN', 'POST', TRANSFER, body)
    await succeeds(TRANSFER, { ...body, unfreezeSource: true, freezeSource: true })
    expect((await world.chain.token(account.onchainId)).isFrozen).toBe(true)
    await world.api.refuses(400, 'LOOKUP_MISMATCH', 'POST', TRANSFER, {
      ...body,
      source: { position: account, owner: delegate },
    })
    const nowhere = { onchainId: Keypair.generate().publicKey.toBase58(), offPlatform: true }
    await world.api.refuses(400, 'POSITION_NOT_FOUND', 'POST', TRANSFER, { ...body, source: { position: nowhere } })
    await world.api.refuses(400, 'POSITION_NOT_FOUND', 'POST', TRANSFER, {
      ...body,
      source: { owner: nowhere, financialInstrument: instrument },
    })
    await world.api.refuses(400, 'POSITION_NOT_FOUND', 'POST', TRANSFER, { ...body, source: { position: instrument } })
    // The service cannot sign for the owner.
    const prepared = await world.api.ok<Result>(201, 'POST', TRANSFER, {
      source: { owner: wallet, financialInstrument: instrument },
      destination: { position: treasury },
      lamports: 1,
      unfreezeSource: true,
    })
    expect(prepared.status).toBe('PREPARED')
    await world.records.positionsEqualChain(treasury)
  })
})

describe('a permanent delegate debits a position of another tenant', () => {
  let theirApi: Client
  let otherRecords: Records

  beforeAll(async () => {
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'HOLDER', name: 'Holder' })
    const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
      organizationExternalId: 'HOLDER',
      name: 'k',
      bundle: 'ADMIN',
    })
    theirApi = world.api.as(apiKey)
    otherRecords = world.records.with(theirApi)
    await otherRecords.feePayer()
  })

  it('without consent of the owner, whose books follow', async () => {
    const owner = await otherRecords.account()
    const position = await otherRecords.position(owner, instrument)
    await succeeds('/positions/mint', { destination: { position }, lamports: 50 })
    await seize({ position }, { lamports: 20 })
    await succeeds(BURN, { source: { owner, financialInstrument: instrument }, lamports: 10, permanentDelegate: true })
    await otherRecords.positionsEqualChain(position)
    await world.api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', TRANSFER, {
      source: { position },
      destination: { position: treasury },
      lamports: 21,
      permanentDelegate: true,
    })
    await world.records.positionsEqualChain(treasury)
    await otherRecords.positionsEqualChain(position)
  })

  it('up to the balance on chain, including reservations of the owner', async () => {
    // A permanent delegate elsewhere can take tokens of its instrument from any account.
    const owner = await otherRecords.account({ tokenDebitLimits: [] })
    const [position, other] = [
      await otherRecords.position(owner, instrument),
      await otherRecords.position(await otherRecords.account(), instrument),
    ]
    await succeeds('/positions/mint', { destination: { position }, lamports: 50 })
    const { offchainId } = await theirApi.ok<Result>(201, 'POST', TRANSFER, {
      source: { position, owner: { ...owner, autoSign: false } },
      destination: { position: other },
      lamports: 15,
    })
    await theirApi.ok<Result>(200, 'POST', '/transactions/sign', { transaction: { offchainId }, signers: [owner] })
    expect((await otherRecords.positionRecord(position)).reserved.lamports).toBe(15)
    await seize({ position }, { transferEntireBalance: true })
    expect(await world.chain.tokens(position.onchainId)).toBe(0n)
    await theirApi.ok<Result>(200, 'PATCH', '/transactions/cancel', { offchainId })
    await eventually(async () => expect((await otherRecords.positionRecord(position)).reserved.lamports).toBe(0))
    await otherRecords.positionsEqualChain(position, other)
    await world.records.positionsEqualChain(treasury)
  })

  it('only with the key of the delegate', async () => {
    const position = await world.records.position(await world.records.account(), instrument, 5n)
    const target = await otherRecords.position(await otherRecords.account(), instrument)
    const transfer = await theirApi.ok<Result>(201, 'POST', TRANSFER, {
      source: { position },
      destination: { position: target },
      lamports: 1,
      permanentDelegate: true,
    })
    expect(transfer.status).toBe('PREPARED')
    await theirApi.ok<Result>(200, 'POST', '/transactions/sign', { transaction: { offchainId: transfer.offchainId } })
    expect(await world.chain.tokens(position.onchainId)).toBe(5n)
    await world.records.positionsEqualChain(position)
  })
})

describe('rights', () => {
  it('of the delegate apply, those of the owner and of the position do not', async () => {
    const key = async (name: string) => {
      const newKey = await world.api.ok<{ keyId: string; apiKey: string }>(201, 'POST', '/admin/api-keys', {
        organizationExternalId: 'SYSTEM',
        name,
        bundle: 'ADMIN',
      })
      return { ...newKey, api: world.api.as(newKey.apiKey) }
    }
    const [listedKey, otherKey] = [await key('listed'), await key('other')]
    const owner = await world.records.account({ tokenDebitApiKeys: [otherKey.keyId] })
    const position = await world.records.position(owner, instrument, 50n)
    await world.api.ok(200, 'PATCH', '/positions', { position: { position }, tokenDebitApiKeys: [otherKey.keyId] })
    await world.api.ok(200, 'PATCH', '/accounts', { account: delegate, tokenDebitApiKeys: [listedKey.keyId] })
    const body = { source: { position }, destination: { position: treasury }, lamports: 1, permanentDelegate: true }
    await succeeds(TRANSFER, body, listedKey.api)
    await succeeds(BURN, { source: { position }, lamports: 1, permanentDelegate: true }, listedKey.api)
    await otherKey.api.refuses(403, 'DEBIT_KEY_REQUIRED', 'POST', TRANSFER, body)
    await listedKey.api.refuses(403, 'DEBIT_KEY_REQUIRED', 'POST', TRANSFER, { ...body, permanentDelegate: false })
    await succeeds(TRANSFER, { ...body, permanentDelegate: false }, otherKey.api)
    await world.api.ok(200, 'PATCH', '/accounts', { account: delegate, tokenDebitApiKeys: null })
    await world.records.positionsEqualChain(position, treasury)
  })
})
