// A record that an operator froze is not ended, replaced or changed, and a new record of its address starts frozen.
import { createCloseAccountInstruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { createUpdateFieldInstruction, Field } from '@solana/spl-token-metadata'
import { Keypair, PublicKey, sendAndConfirmTransaction, Transaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, Method } from './client.ts'
import { eventually, startWorld, type World } from './harness.ts'
import { LimitFixture, PAY } from './limits/limit-fixture.ts'
import type { Account, Ids, NewAccount, NewPosition, Result, WithTransaction } from './models.ts'
import { SOL, type Records } from './records.ts'

let world: World
let api: Client
let records: Records
let owner: Ids
let payer: Ids
let other: Ids

beforeAll(async () => {
  world = await startWorld()
  const fixture = new LimitFixture(world)
  const person = await fixture.person(await fixture.organization(), 'ADMIN')
  api = person.api
  records = world.records.with(api)
  payer = await records.feePayer()
  owner = await records.funded()
  other = await records.account()
})
afterAll(() => world.stop())

const turn = (to: 'freeze' | 'unfreeze', account: object) => world.api.ok(200, 'PATCH', `/admin/${to}`, { account })
const refuses = (method: Method, path: string, itemData: object) => api.refuses(403, 'FROZEN', method, path, itemData)
const key = (pair: Keypair): object => ({
  managed: true,
  privateKeyDetails: { privateKey: bs58.encode(pair.secretKey) },
})
const inactivate = (account: object, to: object = {}) => refuses('PATCH', '/accounts/inactivate', { account, ...to })

async function frozenAccount(itemData: object, lamports = 0n): Promise<Ids> {
  const account = lamports === 0n ? await records.account(itemData) : await records.funded(itemData, lamports)
  await turn('freeze', account)
  return account
}

describe('a frozen account', () => {
  it.each([
    ['without funds', 0n],
    ['with funds', SOL],
  ])('%s is not inactivated, so that no new record of its key can take its place', async (_, lamports) => {
    const pair = Keypair.generate()
    const account = await frozenAccount(key(pair), lamports)
    await inactivate(account, { refundDestination: other })
    await inactivate({ onchainId: account.onchainId }, { refundDestination: other })
    await api.refuses(409, 'ALREADY_EXISTS', 'POST', '/accounts', key(pair))
    await turn('unfreeze', account)
    await api.ok(200, 'PATCH', '/accounts/inactivate', { account, refundDestination: other })
  })

  it('is not inactivated if its key is kept elsewhere, or if only its organization is frozen', async () => {
    const onchainId = Keypair.generate().publicKey.toBase58()
    await inactivate(await frozenAccount({ managed: false, onchainId }))
    const account = await records.account()
    const { tenantOrganizationId: organizationExternalId } = await records.accountRecord(account)
    await world.api.ok(200, 'PATCH', '/admin/freeze', { organizationExternalId })
    await inactivate(account)
    await world.api.ok(200, 'PATCH', '/admin/unfreeze', { organizationExternalId })
  })

  it('does not become a mint', async () => {
    const space = await frozenAccount({ dataLength: 82 })
    const mint = { existingMintAccount: space, version: 'SPL', mintAuthority: owner }
    await refuses('POST', '/financial-instruments', mint)
    await world.records.feePayer()
    const token = await world.records.instrument('SPL', await world.records.account())
    const onboarded = { onchainId: token.onchainId, managed: false, alreadyOnchain: true }
    const account = await frozenAccount({ ...onboarded, offchainReferences: { type: 'ASSET_TOKEN' } })
    await refuses('POST', '/financial-instruments', { existingMintAccount: account, alreadyOnchain: true })
  })

  it('is frozen in its next record, if its creation was given up meanwhile', async () => {
    const pair = Keypair.generate()
    const { newAccount: first, chainTransaction } = await api.ok<NewAccount>(201, 'POST', '/accounts', key(pair), {
      config: { feePayer: { ...payer, autoSign: false } },
    })
    expect(chainTransaction).toMatchObject({ status: 'PREPARED' })
    await turn('freeze', first)
    await api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: chainTransaction!.offchainId })
    expect(await records.accountRecord(first)).toMatchObject({ status: 'CLOSED', frozenByOperator: true })

    await refuses('POST', '/accounts', { ...key(pair), dataLength: 10 })
    const second = await records.funded(key(pair))
    expect(await records.accountRecord(second)).toMatchObject({ frozenByOperator: true })
    const pay = { source: second, destination: other, lamports: '1000000' }
    await refuses('POST', PAY, pay)
    // Unfrozen once, it is not frozen again by the record before it.
    await turn('unfreeze', second)
    expect(await api.ok(201, 'POST', PAY, pay)).toMatchObject({ success: true })
    await api.ok(200, 'PATCH', '/accounts/inactivate', { account: second, refundDestination: other })
    const third = await records.account(key(pair))
    expect(await records.accountRecord(third)).toMatchObject({ frozenByOperator: false })
  })
})

it('a frozen nonce account is not closed, and named as frozen where one is needed', async () => {
  const { newDurableNonceAccounts: nonces } = await api.ok<{ newDurableNonceAccounts: [Ids] }>(
    201,
    'POST',
    '/durable-nonce-accounts',
    { nonceAuthority: owner, count: 1 },
  )
  const [nonce] = nonces
  await turn('freeze', nonce)
  await inactivate(nonce, { refundDestination: other })
  expect(await records.accountRecord(nonce)).toMatchObject({ status: 'ACTIVE' })
  const config = { messageLifetimeStrategy: 'DURABLE_NONCE' }
  const pay = { source: owner, destination: other, lamports: '1000000' }
  const { message } = await api.refuses(400, 'NONCE_UNAVAILABLE', 'POST', PAY, pay, { config })
  expect(message).toContain('is free: 0 in use, 0 being created, 1 frozen by an operator')
})

it('a frozen position that its owner closes outside of the service is frozen in its next record', async () => {
  const pair = Keypair.generate()
  const holder = await records.funded(key(pair))
  const mint = await records.instrument('TOKEN_2022', owner)
  const position = await records.position(holder, mint)
  await turn('freeze', position)
  const [account, wallet] = [new PublicKey(position.onchainId), pair.publicKey]
  const closing = createCloseAccountInstruction(account, wallet, wallet, [], TOKEN_2022_PROGRAM_ID)
  await sendAndConfirmTransaction(world.chain.connection, new Transaction().add(closing), [pair])
  await eventually(async () => {
    await api.send('POST', '/positions/single/balance', { position })
    expect(await api.read<Account>('/positions/single', { position })).toMatchObject({ status: 'CLOSED' })
  })
  const { newPosition } = await api.ok<NewPosition>(201, 'POST', '/positions', {
    owner: holder,
    financialInstrument: mint,
  })
  expect(newPosition.offchainId).not.toBe(position.offchainId)
  await records.mint(newPosition, 5n)
  await refuses('POST', '/positions/burn', { source: { position: newPosition }, lamports: '1' })
})

describe('a frozen instrument', () => {
  let mint: Ids
  let position: Ids
  let paused: Ids

  beforeAll(async () => {
    const authorities = {
      freezeAuthority: owner,
      closingAuthority: owner,
      pausableAuthority: owner,
      updateAuthority: owner,
      scaledUiAmountMultiplier: 2,
      scaledUiAmountAuthority: owner,
      defaultPositionState: 'INITIALIZED',
    }
    mint = await records.instrument('TOKEN_2022', owner, { ...authorities, onchainData: { name: 'N', symbol: 'S' } })
    paused = await records.instrument('TOKEN_2022', owner, authorities)
    position = await records.position(owner, mint, 100n)
    await api.ok(200, 'PATCH', '/financial-instruments/pause', { financialInstrument: paused })
    for (const each of [mint, paused]) await turn('freeze', each)
  })

  const CHANGES: Readonly<Record<string, () => readonly [Method, string, object]>> = {
    'an authority of it': () => [
      'PATCH',
      '/financial-instruments/authorities',
      { financialInstrument: mint, authorities: { mint: other } },
    ],
    'its closing authority': () => [
      'PATCH',
      '/financial-instruments',
      { mintAccount: mint, newClosingAuthority: other },
    ],
    'its metadata': () => ['PATCH', '/financial-instruments', { mintAccount: mint, onchainData: { name: 'Other' } }],
    'its multiplier': () => ['PATCH', '/financial-instruments', { mintAccount: mint, scaledUiAmountMultiplier: 3 }],
    'the state of its new positions': () => [
      'PATCH',
      '/financial-instruments',
      { mintAccount: mint, defaultPositionState: 'FROZEN' },
    ],
    'its pause': () => ['PATCH', '/financial-instruments/pause', { financialInstrument: mint }],
    'the end of its pause': () => ['PATCH', '/financial-instruments/unpause', { financialInstrument: paused }],
    'its end': () => ['PATCH', '/financial-instruments/close', { financialInstrumentToClose: paused }],
    'its metadata, by a transaction made elsewhere': () => ['POST', '/transactions/sign', {}],
  }

  it.each<readonly [string, () => Ids, () => readonly [Method, string, object]]>([
    [
      'metadata of it',
      () => mint,
      () => ['PATCH', '/financial-instruments', { mintAccount: mint, onchainData: { name: 'M' } }],
    ],
    [
      'a burn out of a position',
      () => position,
      () => ['POST', '/positions/burn', { source: { position }, lamports: '1' }],
    ],
  ])('%s: is not sent if it was signed before', async (_, frozenLater, request) => {
    const record = frozenLater()
    await turn('unfreeze', mint)
    const [method, path, body] = request()
    const config = { feePayer: { ...payer, autoSign: false } }
    const { body: made } = await api.send<Result & WithTransaction>(method, path, body, { config })
    const { offchainId } = 'chainTransaction' in made ? made.chainTransaction : made
    const transaction = { offchainId }
    expect((await api.ok<Result>(200, 'POST', '/transactions/sign', { transaction })).status).toBe('SIGNED')
    await turn('freeze', record)
    await refuses('POST', '/transactions/submit', { transaction })
    await turn('unfreeze', record)
    expect((await api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })).success).toBe(true)
    await turn('freeze', mint)
  })

  it.each(Object.keys(CHANGES))('keeps %s', async (change) => {
    const [method, path, itemData] = CHANGES[change]!()
    const made = path === '/transactions/sign' ? { serializedTransaction: await renamed() } : itemData
    await refuses(method, path, made)
  })

  const renamed = (): Promise<string> => {
    const [metadata, updateAuthority] = [new PublicKey(mint.onchainId), new PublicKey(owner.onchainId)]
    const field = { programId: TOKEN_2022_PROGRAM_ID, metadata, updateAuthority, field: Field.Name, value: 'Other' }
    return new LimitFixture(world).foreign(payer.onchainId, [createUpdateFieldInstruction(field)])
  }

  it('is minted, moved and burnt: its tokens are not the record', async () => {
    await records.mint(position, 5n)
    const receiving = await records.position(other, mint)
    const moved = { source: { position }, destination: { position: receiving }, lamports: '2' }
    expect(await api.ok(201, 'POST', '/positions/transfer', moved)).toMatchObject({ success: true })
    const burnt = { source: { position }, lamports: '3' }
    expect(await api.ok(201, 'POST', '/positions/burn', burnt)).toMatchObject({ success: true })
  })

  it('is described, and changed again once it is unfrozen', async () => {
    const offchainData = { description: 'under review' }
    await api.ok(200, 'PATCH', '/financial-instruments', { mintAccount: mint, offchainData })
    await turn('unfreeze', mint)
    const renaming = { mintAccount: mint, onchainData: { name: 'Other' } }
    await api.ok(200, 'PATCH', '/financial-instruments', renaming)
    expect(await records.instrumentRecord(mint)).toMatchObject({ onchainData: { name: 'Other' }, offchainData })
  })
})

it('a frozen lookup table is neither extended, deactivated nor frozen for ever', async () => {
  const request = { addressLookupTable: {}, authority: owner, componentAddresses: [other] }
  const { newAddressLookupTable: addressLookupTable } = await api.ok<{ newAddressLookupTable: Ids }>(
    201,
    'POST',
    '/address-lookup-tables',
    request,
  )
  await turn('freeze', addressLookupTable)
  const componentAddresses = [{ onchainId: Keypair.generate().publicKey.toBase58() }]
  await refuses('PATCH', '/address-lookup-tables/extend', { addressLookupTable, componentAddresses })
  for (const action of ['DEACTIVATE', 'FREEZE'])
    await refuses('PATCH', '/address-lookup-tables', { addressLookupTable, action })
  await turn('unfreeze', addressLookupTable)
  await api.ok(200, 'PATCH', '/address-lookup-tables', { addressLookupTable, action: 'DEACTIVATE' })
})
