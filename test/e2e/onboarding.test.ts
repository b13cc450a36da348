// Create Account with `alreadyOnchain`: the state of the chain is read, and determines the kind of the record. All
// kinds are listed as accounts.
import {
  createAccount,
  createMintToInstruction,
  createFreezeAccountInstruction,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  PublicKey,
  SystemProgram,
} from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startWorld, type World } from './harness.ts'
import { MintFixture, type OutsideMint } from './instruments/mint-fixture.ts'
import type { Account, Balance, Ids, Position } from './models.ts'
import { SOL } from './records.ts'

let world: World
let fixture: MintFixture
let mint: OutsideMint
const owner = Keypair.generate()
const newKey = (): string => Keypair.generate().publicKey.toBase58()

beforeAll(async () => {
  world = await startWorld()
  fixture = await MintFixture.open(world)
  mint = await fixture.spl(3)
})
afterAll(() => world.stop())

const onboard = (onchainId: string, type: string, more: object = {}): Promise<Ids> =>
  world.records.account({
    onchainId,
    alreadyOnchain: true,
    offchainReferences: { type, code: `${type} ${onchainId.slice(0, 8)}` },
    ...more,
  })
const refuses = (code: string, onchainId: string, type: string) =>
  world.api.refuses(400, code, 'POST', '/accounts', { onchainId, alreadyOnchain: true, offchainReferences: { type } })

async function tokenAccount(raw: bigint): Promise<string> {
  const address = await createAccount(
    world.chain.connection,
    fixture.payer,
    mint.key.publicKey,
    owner.publicKey,
    Keypair.generate(),
    { commitment: 'confirmed' },
    TOKEN_PROGRAM_ID,
  )
  await fixture.send([createMintToInstruction(mint.key.publicKey, address, fixture.payer.publicKey, raw)])
  return address.toBase58()
}

/** As an account: single, bulk at each level, and its balance. */
async function appears(ids: Ids, type: string): Promise<Account> {
  const single = await world.api.read<Account>('/accounts/single', { onchainId: ids.onchainId })
  expect(single).toMatchObject({
    onchain: { id: ids.onchainId },
    offchain: { id: ids.offchainId, type },
    status: 'ACTIVE',
    wasOnchainAlready: true,
  })
  const filter = [{ fieldName: 'type', filterValues: [{ filterType: 'EQUALS', valueString: type }] }]
  for (const level of ['detailed', 'compact', 'identifiers']) {
    const { items } = (await world.api.bulk(`/accounts/bulk/${level}`, { filter })) as { items: Account[] }
    const [item] = items.filter(({ offchain }) => offchain.id === ids.offchainId)
    expect(single).toMatchObject(item!)
    if (level === 'identifiers')
      expect(Object.keys(item!).sort()).toEqual(['managed', 'offchain', 'onchain', 'tenantOrganizationId'])
  }
  const balance = await world.api.read<Balance>('/accounts/single/balance', { offchainId: ids.offchainId })
  const lamports = await world.chain.lamports(ids.onchainId)
  expect(balance).toMatchObject({
    onchain: { lamports: Number(lamports) },
    offchain: { lamports: Number(lamports) },
    outOfBalance: false,
  })
  expect(BigInt(single.offchain.lamportsBalance)).toBe(lamports)
  return single
}

describe('an existing account on chain', () => {
  it('is onboarded as a wallet with its balance', async () => {
    const address = newKey()
    await world.chain.airdrop(address, 2n * SOL)
    for (const type of ['WALLET', 'TOKEN_MANAGEMENT_AUTHORITY']) {
      if (type !== 'WALLET')
        await world.api.ok(200, 'PATCH', '/accounts/inactivate', { account: { onchainId: address } })
      expect((await appears(await onboard(address, type), type)).offchain).toMatchObject({
        lamportsBalance: 2_000_000_000,
        tokenBalance: null,
      })
    }
    await world.api.refuses(409, 'ALREADY_EXISTS', 'POST', '/accounts', { onchainId: address, alreadyOnchain: true })
    await refuses('ACCOUNT_NOT_ONCHAIN', newKey(), 'WALLET')
  })

  it('is onboarded as a position if it is a token account: owner, mint, balance, decimals and state', async () => {
    const [open, frozenAccount] = [await tokenAccount(1_250n), await tokenAccount(5n)]
    await fixture.send([
      createFreezeAccountInstruction(new PublicKey(frozenAccount), mint.key.publicKey, fixture.payer.publicKey),
    ])
    const ids = await onboard(open, 'ASSET_TOKEN_ACCOUNT')
    expect((await appears(ids, 'ASSET_TOKEN_ACCOUNT')).offchain).toMatchObject({
      tokenBalance: 1_250,
      tokenDecimals: 3,
    })
    await world.records.positionsEqualChain(ids)
    const record = await world.records.positionRecord(ids)
    expect(record).toMatchObject({ state: 'INITIALIZED', balance: { amount: 1.25, lamports: 1_250 }, isDerived: false })
    const other = await onboard(frozenAccount, 'FUNDS_TOKEN_ACCOUNT')
    expect(await world.api.read<Position>('/positions/single', { position: other })).toMatchObject({
      state: 'FROZEN',
      balance: { lamports: 5 },
    })
    await refuses('NOT_A_TOKEN_ACCOUNT', fixture.payer.publicKey.toBase58(), 'ASSET_TOKEN_ACCOUNT')
    await refuses('NOT_A_TOKEN_ACCOUNT', mint.address, 'FUNDS_TOKEN_ACCOUNT')
  })

  it('is onboarded as an account with decimals if it is a mint, until it is onboarded as an instrument', async () => {
    const ids = await onboard(mint.address, 'ASSET_TOKEN')
    expect((await appears(ids, 'ASSET_TOKEN')).offchain).toMatchObject({ tokenBalance: null, tokenDecimals: 3 })
    const body = {
      existingMintAccount: ids,
      alreadyOnChain: true,
      mintAuthority: { onchainId: fixture.payer.publicKey.toBase58(), offPlatform: true },
    }
    const { newFinancialInstrument } = await world.api.ok<{ newFinancialInstrument: Ids }>(
      201,
      'POST',
      '/financial-instruments',
      body,
    )
    await world.records.instrumentEqualsChain(newFinancialInstrument)
    expect((await appears(newFinancialInstrument, 'ASSET_TOKEN')).offchain.tokenDecimals).toBe(3)
    await refuses('NOT_A_MINT', await tokenAccount(1n), 'FUNDS_TOKEN')
  })

  it('is onboarded as a nonce account with authority and value, managed if its key is given', async () => {
    const [nonce, by] = [Keypair.generate(), fixture.payer.publicKey]
    const lamports = Number(await world.chain.rent(NONCE_ACCOUNT_LENGTH))
    await fixture.send(
      [
        SystemProgram.createAccount({
          fromPubkey: by,
          newAccountPubkey: nonce.publicKey,
          lamports,
          space: NONCE_ACCOUNT_LENGTH,
          programId: SystemProgram.programId,
        }),
        SystemProgram.nonceInitialize({ noncePubkey: nonce.publicKey, authorizedPubkey: by }),
      ],
      [nonce],
    )
    const ids = await onboard(nonce.publicKey.toBase58(), 'NONCE', {
      privateKeyDetails: { privateKey: bs58.encode(nonce.secretKey) },
    })
    expect(await appears(ids, 'NONCE')).toMatchObject({ managed: true })
    const value = NonceAccount.fromAccountData((await world.chain.account(ids.onchainId))!.data).nonce
    await eventually(async () => {
      const filter = [
        { fieldName: 'nonceAccountOnchainId', filterValues: [{ filterType: 'EQUALS', valueString: ids.onchainId }] },
      ]
      expect(await world.api.bulk('/durable-nonce-accounts/bulk', { filter })).toMatchObject({
        count: 1,
        items: [{ nonceHash: value, nonceAuthority: { onchain: { id: by.toBase58() } }, inUse: null }],
      })
    })
    await refuses('NOT_A_NONCE_ACCOUNT', fixture.payer.publicKey.toBase58(), 'NONCE')
  })

  it('is onboarded as a lookup table with authority and addresses', async () => {
    const [by, member] = [fixture.payer.publicKey, newKey()]
    const recentSlot = await world.chain.connection.getSlot('finalized')
    const [creation, table] = AddressLookupTableProgram.createLookupTable({ authority: by, payer: by, recentSlot })
    const extension = AddressLookupTableProgram.extendLookupTable({
      lookupTable: table,
      authority: by,
      payer: by,
      addresses: [new PublicKey(member)],
    })
    await fixture.send([creation, extension])
    const ids = await onboard(table.toBase58(), 'ADDRESS_LOOKUP_TABLE')
    expect(await appears(ids, 'ADDRESS_LOOKUP_TABLE')).toMatchObject({ managed: false })
    expect(await world.api.read('/address-lookup-tables/single', ids)).toMatchObject({
      authority: { onchain: { id: by.toBase58() } },
      addresses: [{ onchainId: member }],
      state: 'ACTIVE',
    })
    await refuses('NOT_A_LOOKUP_TABLE', mint.address, 'ADDRESS_LOOKUP_TABLE')
  })
})
