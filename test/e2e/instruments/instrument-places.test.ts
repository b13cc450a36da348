// Origins of a mint other than a new address: an account created beforehand, and a token that exists on chain. Mints of
// outside parties are created, and all are read, with the standard libraries.
import {
  createMintToInstruction,
  createPauseInstruction,
  createSetAuthorityInstruction,
  AuthorityType,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { once } from '../client.ts'
import { startWorld, type World } from '../harness.ts'
import { MintFixture } from './mint-fixture.ts'
import type { Account, Ids, Instrument, NewInstrument, Result } from '../models.ts'

let world: World
let fixture: MintFixture
let authority: Ids
let feePayer: Ids

beforeAll(async () => {
  world = await startWorld()
  fixture = await MintFixture.open(world)
  authority = await world.records.account({ offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } })
  // The future owner of reserved space is unknown, so its rent counts as a debit to strangers.
  feePayer = await world.records.feePayer({ networkCurrencyDebitLimits: [] })
})

afterAll(async () => await world.stop())

const PATH = '/financial-instruments'
const create = (body: object, options = {}): Promise<NewInstrument> =>
  world.api.ok<NewInstrument>(201, 'POST', PATH, body, options)
const refuses = (status: number, code: string, body: object) => world.api.refuses(status, code, 'POST', PATH, body)

async function sizeFor(extensions: readonly string[], metadata?: object): Promise<number> {
  const response = await fetch(`${world.url}/api/v1${PATH}/token-extensions-calculator`, {
    method: 'POST',
    headers: { authorization: world.api.bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ extensions, ...(metadata === undefined ? {} : { metadata }) }),
  })
  return ((await response.json()) as { mintAccountSize: number }).mintAccountSize
}

describe('an account made beforehand', () => {
  const metadata = { name: 'Prepared', symbol: 'PRE', simpleCustomMetadata: { a: 'b' } }
  const body = () => ({
    version: 'TOKEN_2022',
    mintAuthority: authority,
    closingAuthority: authority,
    onchainData: metadata,
  })

  it('becomes the mint in the second transaction, and its record and key pass to the instrument', async () => {
    const dataLength = await sizeFor(['MINT_CLOSE'], metadata)
    const prepared = await world.records.account({
      dataLength,
      offchainReferences: { code: 'prepared', alId: 'AL-1', type: 'FUNDS_TOKEN' },
    })
    const { newFinancialInstrument: ids, chainTransaction } = await create({ existingMintAccount: prepared, ...body() })
    expect(chainTransaction).toMatchObject({ success: true })
    expect(ids).toMatchObject({ onchainId: prepared.onchainId, alId: 'AL-1' })
    expect(ids.offchainId).not.toBe(prepared.offchainId)
    const info = await world.chain.account(ids.onchainId)
    expect(info?.owner.equals(TOKEN_2022_PROGRAM_ID)).toBe(true)
    expect(BigInt(info?.lamports ?? 0)).toBe(await world.chain.rent(info?.data.length ?? 0))
    await world.records.instrumentEqualsChain(ids)
    await world.records.accountsEqualChain(feePayer)

    const old = await world.api.read<Account>('/accounts/single', { offchainId: prepared.offchainId })
    expect(old).toMatchObject({ status: 'CLOSED', offchain: { lamportsBalance: 0 } })
    const record = await world.api.read<Instrument>(`${PATH}/single`, { offchainReferences: { code: 'prepared' } })
    expect(record.mintAccount).toMatchObject({
      managed: true,
      status: 'ACTIVE',
      offchain: { id: ids.offchainId, type: 'FUNDS_TOKEN' },
    })
    const exported = await world.api.read<{ privateKeyDetails: { privateKey: string } }>(
      '/accounts/single/private-key',
      { offchainId: ids.offchainId },
    )
    expect(Keypair.fromSecretKey(bs58.decode(exported.privateKeyDetails.privateKey)).publicKey.toBase58()).toBe(
      ids.onchainId,
    )
    // The instrument works like any other.
    const closing = await world.api.ok<{ chainTransaction: Result }>(200, 'PATCH', `${PATH}/close`, {
      financialInstrumentToClose: { offchainId: ids.offchainId },
    })
    expect(closing.chainTransaction.success).toBe(true)
    await world.records.accountsEqualChain(feePayer)
  })

  it('needs exactly the right size; a refusal names both sizes', async () => {
    const dataLength = await sizeFor(['MINT_CLOSE'], metadata)
    for (const wrong of [dataLength - 1, dataLength + 1]) {
      const prepared = await world.records.account({ dataLength: wrong })
      const { message } = await refuses(400, 'MINT_SIZE_MISMATCH', { existingMintAccount: prepared, ...body() })
      expect(message).toContain(`${wrong} bytes`)
      expect(message).toContain(`exactly ${dataLength}`)
      expect(await world.api.read<Account>('/accounts/single', prepared)).toMatchObject({ status: 'ACTIVE' })
    }
    await refuses(400, 'MINT_SIZE_MISMATCH', { existingMintAccount: await world.records.funded(), ...body() })
  })

  it('can become an SPL mint, and is used once', async () => {
    const prepared = await world.records.account({ dataLength: await sizeFor([]) })
    const request = { existingMintAccount: prepared, version: 'SPL', mintAuthority: authority }
    const creation = await create(request, { headers: once('prepared once') })
    expect(creation.chainTransaction).toMatchObject({ success: true })
    await world.records.instrumentEqualsChain(creation.newFinancialInstrument)
    expect(await create(request, { headers: once('prepared once') })).toMatchObject({
      newFinancialInstrument: creation.newFinancialInstrument,
    })
    await refuses(409, 'ALREADY_EXISTS', request)
    for (const existingMintAccount of [{ onchainId: prepared.onchainId }, { offchainId: prepared.offchainId }])
      await refuses(409, 'ALREADY_EXISTS', { ...request, existingMintAccount })
  })

  it('is named as an instrument by the id that it had as an account', async () => {
    const prepared = await world.records.account({ dataLength: await sizeFor([]) })
    const { offchainId } = prepared
    const ids = (await create({ existingMintAccount: prepared, version: 'SPL', mintAuthority: authority }))
      .newFinancialInstrument
    expect(await world.api.read<Instrument>(`${PATH}/single`, { offchainId })).toMatchObject({
      mintAccount: { offchain: { id: ids.offchainId }, status: 'ACTIVE' },
    })
    const supply = await world.api.read(`${PATH}/single/circulating-supply`, { financialInstrument: { offchainId } })
    expect(supply).toMatchObject({ onchainCirculatingSupply: { lamports: 0 } })
    const owner = await world.records.account()
    const destination = { owner, financialInstrument: { offchainId } }
    const minting = { destination, lamports: 5, initializeDestinationPositionIfNeeded: true }
    expect(await world.api.ok<Result>(201, 'POST', '/positions/mint', minting)).toMatchObject({ success: true })
    await world.api.ok(200, 'PATCH', PATH, { mintAccount: { offchainId }, offchainData: { description: 'named' } })
    expect(await world.api.read<Account>('/accounts/single', { offchainId })).toMatchObject({
      offchain: { id: offchainId },
      status: 'CLOSED',
    })
    // As an account it is closed: money for it does not go to the mint.
    const pay = { source: await world.records.funded(), destination: { offchainId }, lamports: 1 }
    await world.api.refuses(400, 'ACCOUNT_NOT_FOUND', 'POST', '/positions/transfer-network-currency', pay)
    const owned = { ...minting, destination: { owner: { offchainId }, financialInstrument: ids } }
    await world.api.refuses(400, 'ACCOUNT_NOT_FOUND', 'POST', '/positions/mint', owned)
  })

  it('does not lead to the instrument of a sibling at the same address', async () => {
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'SIBLING', name: 'Sibling' })
    const key = { organizationExternalId: 'SIBLING', name: 'sibling', bundle: 'ADMIN' }
    const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', key)
    const { address } = await fixture.spl(0)
    const noted = await world.records.account({ managed: false, onchainId: address, alreadyOnchain: true })
    await world.api.ok(200, 'PATCH', '/accounts/inactivate', { account: noted })
    const onboarding = { mintAccount: { onchainId: address }, alreadyOnChain: true }
    await world.api.as(apiKey).ok(201, 'POST', PATH, onboarding)
    for (const lookup of [{ offchainId: noted.offchainId }, { onchainId: address }])
      await world.api.refuses(404, 'INSTRUMENT_NOT_FOUND', 'POST', `${PATH}/single`, lookup)
  })

  it('gets the version that was stated when it was created', async () => {
    const prepared = await world.records.account({ dataLength: await sizeFor([]), tokenVersion: 'TOKEN_2022' })
    const request = { existingMintAccount: prepared, mintAuthority: authority }
    const { pointer } = await refuses(400, 'ALIAS_CONFLICT', { ...request, version: 'SPL' })
    expect(pointer).toBe('/itemData/version')
    const { newFinancialInstrument: ids } = await create(request)
    expect((await world.records.instrumentRecord(ids)).version).toBe('TOKEN_2022')
    await world.records.instrumentEqualsChain(ids)

    const onboarded = { onchainId: Keypair.generate().publicKey.toBase58(), alreadyOnchain: true }
    const noted = await world.records.account({
      ...onboarded,
      skipBlockchainExistenceVerification: true,
      tokenVersion: 'TOKEN_2022',
    })
    await refuses(400, 'ALIAS_CONFLICT', { ...request, existingMintAccount: noted, version: 'SPL' })
  })

  it('answers 409 where the account is a token already, on record or only on chain', async () => {
    const prepared = await world.records.account({ dataLength: await sizeFor([]) })
    const request = { existingMintAccount: prepared, version: 'SPL', mintAuthority: authority }
    const { newFinancialInstrument: ids } = await create(request)
    await refuses(409, 'ALREADY_EXISTS', { ...request, existingMintAccount: { offchainId: ids.offchainId } })
    const { address } = await fixture.spl(0)
    const stranger = { onchainId: address, offPlatform: true }
    await refuses(409, 'ALREADY_EXISTS', { ...request, existingMintAccount: stranger })
  })

  it('stays an account if the transaction for its creation is never signed', async () => {
    const prepared = await world.records.account({ dataLength: await sizeFor([]) })
    const { newFinancialInstrument: ids, chainTransaction } = await create({
      existingMintAccount: { ...prepared, autoSign: false },
      version: 'SPL',
      mintAuthority: authority,
    })
    expect(chainTransaction).toMatchObject({ status: 'PREPARED' })
    await world.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: chainTransaction?.offchainId })
    expect(await world.api.read<Account>('/accounts/single', { offchainId: prepared.offchainId })).toMatchObject({
      status: 'ACTIVE',
    })
    expect((await world.records.instrumentRecord(ids)).status).toBe('CLOSED')
    await world.records.accountsEqualChain(prepared)
    expect(
      (await create({ existingMintAccount: prepared, version: 'SPL', mintAuthority: authority })).chainTransaction,
    ).toMatchObject({ success: true })
  })
})

describe('a creation that exceeds the transaction size', () => {
  it('is refused with the sizes and two alternatives, both of which work', async () => {
    const simpleCustomMetadata = { text: 'x'.repeat(700), more: 'y'.repeat(300) }
    const onchainData = { name: 'Big', symbol: 'BIG', simpleCustomMetadata }
    const body = { version: 'TOKEN_2022', mintAuthority: authority, onchainData }
    const { message } = await refuses(400, 'TRANSACTION_TOO_LARGE', { mintAccount: {}, ...body })
    const dataLength = await sizeFor([], onchainData)
    expect(message).toContain('the limit is 1232')
    expect(message).toContain(`Create Account and a dataLength of ${dataLength}`)
    expect(message).toContain('existingMintAccount')
    const [, without = ''] = /Update Financial Instrument: (\d+) bytes/.exec(message) ?? []
    expect(Number(without)).toBeLessThan(1232)

    const lean = { ...body, onchainData: { name: 'Big', symbol: 'BIG' } }
    const prepared = await world.records.account({ dataLength })
    const [, both = ''] = /With both: (\d+) bytes/.exec(message) ?? []
    const creation = await create({ existingMintAccount: prepared, ...lean })
    const signed = await world.chain.transaction(creation.chainTransaction!.onchainId!)
    const wireBytes = 1 + 64 * signed.transaction.signatures.length + signed.transaction.message.serialize().length
    // The rent of the metadata is added by a transfer.
    expect(wireBytes - Number(both)).toBeLessThan(60)
    await world.api.ok(200, 'PATCH', PATH, {
      mintAccount: creation.newFinancialInstrument,
      onchainData: { simpleCustomMetadata },
    })
    expect(
      (await world.records.instrumentRecord(creation.newFinancialInstrument)).onchainData.simpleCustomMetadata,
    ).toEqual(simpleCustomMetadata)
    await world.records.instrumentEqualsChain(creation.newFinancialInstrument)
  })
})

describe('a token that exists on chain', () => {
  it('is onboarded with its extensions, authorities, metadata and supply', async () => {
    const { address } = await fixture.rich(3, 'Outside', ['isin', 'DE0002'])
    const creation = await create({
      mintAccount: { onchainId: address, offchainReferences: { code: 'outside', alId: 'AL-2' } },
      alreadyOnChain: true,
    })
    expect(creation.chainTransaction).toBeUndefined()
    expect(creation.newFinancialInstrument).toMatchObject({ onchainId: address, alId: 'AL-2' })
    const record = await world.records.instrumentRecord(creation.newFinancialInstrument)
    const by = fixture.payer.publicKey.toBase58()
    expect(record).toMatchObject({
      version: 'TOKEN_2022',
      onchainData: {
        name: 'Outside',
        symbol: 'OUT',
        uri: 'https://example.org',
        decimals: 3,
        simpleCustomMetadata: { isin: 'DE0002' },
      },
      defaultPositionState: 'FROZEN',
      paused: false,
      scaledUiAmountMultiplier: 2.5,
      mintAuthority: { onchain: { id: by } },
      updateAuthority: { onchain: { id: by } },
      pausableAuthority: { onchain: { id: by } },
      scaledUiAmountAuthority: { onchain: { id: by } },
      closingAuthority: null,
      mintAccount: { managed: false, wasOnchainAlready: true },
      status: 'ACTIVE',
    })
    expect([...record.extensions].sort()).toEqual([
      'DEFAULT_ACCOUNT_STATE',
      'METADATA_POINTER',
      'PAUSABLE',
      'SCALED_UI_AMOUNT',
      'TOKEN_METADATA',
    ])
    await world.records.instrumentEqualsChain(creation.newFinancialInstrument)
    await refuses(409, 'ALREADY_EXISTS', { mintAccount: { onchainId: address }, alreadyOnChain: true })
  })

  it('is updated: changes by its owner are observed at the next read', async () => {
    const { address } = await fixture.rich(0, 'Changing', ['a', 'b'])
    const { newFinancialInstrument: ids } = await create({ mintAccount: { onchainId: address }, alreadyOnChain: true })
    await fixture.send([
      createPauseInstruction(new PublicKey(address), fixture.payer.publicKey, [], TOKEN_2022_PROGRAM_ID),
      createSetAuthorityInstruction(
        new PublicKey(address),
        fixture.payer.publicKey,
        AuthorityType.MintTokens,
        new PublicKey(authority.onchainId),
        [],
        TOKEN_2022_PROGRAM_ID,
      ),
    ])
    await world.api.read(`${PATH}/single/circulating-supply`, { financialInstrument: ids })
    const record = await world.records.instrumentRecord(ids)
    expect(record).toMatchObject({ paused: true, mintAuthority: { offchain: { id: authority.offchainId } } })
  })

  it('can be an SPL token with a supply, whose metadata is kept offchain', async () => {
    const { address } = await fixture.spl(6)
    const payer = fixture.payer.publicKey.toBase58()
    const owner = await world.records.account()
    const body = {
      mintAccount: { onchainId: address },
      alreadyOnChain: true,
      version: 'SPL',
      mintAuthority: { onchainId: payer, offPlatform: true },
    }
    const { newFinancialInstrument: ids } = await create({
      ...body,
      onchainData: { name: 'Dollar', symbol: 'USD', decimals: 6 },
    })
    expect(await world.records.instrumentRecord(ids)).toMatchObject({
      version: 'SPL',
      onchainData: { name: 'Dollar', symbol: 'USD', decimals: 6 },
    })
    const position = await world.records.position(owner, ids)
    await fixture.send([
      createMintToInstruction(new PublicKey(address), new PublicKey(position.onchainId), fixture.payer.publicKey, 55n),
    ])
    const supply = await world.api.read<object>(`${PATH}/single/circulating-supply`, { financialInstrument: ids })
    expect(supply).toEqual({
      onchainCirculatingSupply: { amount: 0.000055, lamports: 55 },
      offchainCirculatingSupply: { amount: 0.000055, lamports: 55 },
      outOfBalance: false,
    })
    await world.records.instrumentEqualsChain(ids)
  })

  it('can have its metadata in another account', async () => {
    const target = await fixture.rich(0, 'Over there', ['k', 'v'])
    const { address } = await fixture.pointing(target.address)
    const { newFinancialInstrument: ids } = await create({ mintAccount: { onchainId: address }, alreadyOnChain: true })
    const record = await world.records.instrumentRecord(ids)
    expect(record.onchainData).toMatchObject({ name: 'Over there', symbol: 'OUT', simpleCustomMetadata: { k: 'v' } })
    expect(record.extensions).toEqual(['METADATA_POINTER'])
    const change = { mintAccount: ids, onchainData: { name: 'Here' } }
    await world.api.refuses(400, 'EXTENSION_MISSING', 'PATCH', PATH, change)
    const nowhere = await fixture.pointing(Keypair.generate().publicKey.toBase58())
    const other = await create({ mintAccount: { onchainId: nowhere.address }, alreadyOnChain: true })
    expect((await world.records.instrumentRecord(other.newFinancialInstrument)).onchainData.name).toBeNull()
  })

  it('becomes an instrument if it was on record as an account', async () => {
    const { address, key } = await fixture.rich(2, 'Noted', ['a', 'b'])
    const privateKeyDetails = { privateKey: bs58.encode(key.secretKey) }
    const account = await world.records.account({
      onchainId: address,
      alreadyOnchain: true,
      privateKeyDetails,
      offchainReferences: { type: 'FUNDS_TOKEN', code: 'noted' },
    })
    await refuses(409, 'ALREADY_EXISTS', { mintAccount: { onchainId: address }, alreadyOnChain: true })
    const { newFinancialInstrument: ids } = await create({ existingMintAccount: account, alreadyOnChain: true })
    const record = await world.records.instrumentRecord(ids)
    expect(record.mintAccount).toMatchObject({ managed: true, offchain: { code: 'noted', type: 'FUNDS_TOKEN' } })
    expect(await world.api.read<Account>('/accounts/single', { offchainId: account.offchainId })).toMatchObject({
      status: 'CLOSED',
    })
    await world.records.instrumentEqualsChain(ids)
  })

  it('is refused if it differs from the request, or uses unsupported features', async () => {
    const { address } = await fixture.rich(3, 'Strict', ['isin', 'DE0002'])
    const mintAccount = { onchainId: address }
    const differs = async (members: object, pointer: string) => {
      expect((await refuses(400, 'LOOKUP_MISMATCH', { mintAccount, alreadyOnChain: true, ...members })).pointer).toBe(
        `/itemData/${pointer}`,
      )
    }
    await differs({ version: 'SPL' }, 'version')
    await differs({ onchainData: { decimals: 2 } }, 'onchainData/decimals')
    await differs({ onchainData: { name: 'Loose' } }, 'onchainData/name')
    await differs({ onchainData: { simpleCustomMetadata: { isin: 'DE0003' } } }, 'onchainData/simpleCustomMetadata')
    await differs({ mintAuthority: authority }, 'mintAuthority')
    await differs({ paused: true }, 'paused')
    await differs({ scaledUiAmountMultiplier: 2 }, 'scaledUiAmountMultiplier')
    await differs({ defaultPositionState: 'INITIALIZED' }, 'defaultPositionState')
    const foreign = await fixture.foreign()
    const { message } = await refuses(400, 'UNSUPPORTED_EXTENSION', {
      mintAccount: { onchainId: foreign.address },
      alreadyOnChain: true,
    })
    expect(message).toContain('TRANSFER_FEE')
    expect(message).toContain('NON_TRANSFERABLE')
    await refuses(400, 'NOT_A_MINT', { mintAccount: { onchainId: feePayer.onchainId }, alreadyOnChain: true })
    await refuses(400, 'ACCOUNT_NOT_ONCHAIN', {
      mintAccount: { onchainId: Keypair.generate().publicKey.toBase58() },
      alreadyOnChain: true,
    })
    await refuses(400, 'REQUIRED', { mintAccount: {}, alreadyOnChain: true })
    await refuses(400, 'REQUIRED', { mintAccount: {} })
  })
})
