// A record that an operator froze is not ended, replaced or changed, and a new record of its address starts frozen.
import { createCloseAccountInstruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { Keypair, PublicKey, sendAndConfirmTransaction, Transaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, Method } from './client.ts'
import { eventually, startWorld, type World } from './harness.ts'
import { LimitFixture, PAY } from './limits/limit-fixture.ts'
import type { Account, Ids, NewAccount, NewPosition } from './models.ts'
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

it('a frozen nonce account is not closed', async () => {
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
