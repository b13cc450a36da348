// Instruments over HTTP: the mint that stands on chain afterwards is the one that was asked for, and the read model
// says the same.
import {
  ExtensionType,
  getDefaultAccountState,
  getExtensionData,
  getExtensionTypes,
  getMetadataPointerState,
  getMintCloseAuthority,
  getPausableConfig,
  getPermanentDelegate,
  getScaledUiAmountConfig,
  getTokenMetadata,
  getTransferHook,
  AccountState,
  MINT_SIZE,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from './harness.ts'
import type { Account, Ids, Instrument, NewInstrument } from './models.ts'
import { programOf, type Version } from './onchain.ts'

const VERSIONS: readonly Version[] = ['SPL', 'TOKEN_2022']
/** The library does not know this one. */
const CONFIDENTIAL_MINT_BURN = 24

let world: World
let feePayer: Ids
let authority: Ids

beforeAll(async () => {
  world = await startWorld()
  feePayer = await world.records.feePayer()
  authority = await world.records.account({
    offchainReferences: { code: 'AUTHORITY', type: 'TOKEN_MANAGEMENT_AUTHORITY' },
  })
})
afterAll(() => world.stop())

const create = (itemData: object): Promise<NewInstrument> =>
  world.api.ok<NewInstrument>(201, 'POST', '/financial-instruments', itemData)

const addressOf = (account: Account | null): string | null => account?.onchain.id ?? null

describe.each(VERSIONS)('%s', (version) => {
  it('is created with its authorities and decimals, and read back', async () => {
    const freezer = await world.records.account()
    const mintAccount = {
      offchainReferences: { code: `gold-${version}`, alId: 'AL-GOLD', name: 'Gold', type: 'FUNDS_TOKEN' },
    }
    const offchainData = {
      description: 'Allocated gold',
      simpleCustomMetadata: { purity: 0.999 },
      complexCustomMetadata: { bars: [{ id: 1 }] },
    }
    const { newFinancialInstrument: ids, chainTransaction } = await create({
      mintAccount,
      version,
      mintAuthority: authority,
      freezeAuthority: freezer,
      onchainData: { name: 'Gold', symbol: 'GLD', decimals: 3 },
      offchainData,
    })
    expect(chainTransaction).toMatchObject({ success: true })
    expect(ids.alId).toBe('AL-GOLD')

    const mint = await world.chain.mint(ids.onchainId)
    expect((await world.chain.account(ids.onchainId))?.owner.equals(programOf(version))).toBe(true)
    expect(mint).toMatchObject({ decimals: 3, supply: 0n, isInitialized: true })
    expect(mint.mintAuthority?.toBase58()).toBe(authority.onchainId)
    expect(mint.freezeAuthority?.toBase58()).toBe(freezer.onchainId)

    const record = await world.records.instrumentRecord(ids)
    expect(record).toMatchObject({
      version,
      onchainData: { name: 'Gold', symbol: 'GLD', decimals: 3 },
      offchainData,
      supply: { amount: 0, lamports: 0 },
      status: 'ACTIVE',
      mintAccount: {
        onchain: { id: ids.onchainId, creationTransactionId: chainTransaction?.onchainId },
        offchain: {
          id: ids.offchainId,
          type: 'FUNDS_TOKEN',
          code: `gold-${version}`,
          alId: 'AL-GOLD',
          name: 'Gold',
          tokenDecimals: 3,
        },
      },
    })
    expect(addressOf(record.mintAuthority)).toBe(authority.onchainId)
    expect(addressOf(record.freezeAuthority)).toBe(freezer.onchainId)
    await world.records.instrumentEqualsChain(ids)
    await world.records.accountsEqualChain(feePayer)
  })

  it('has no decimals and no freeze authority unless said, and may stand at an address with a key of the caller', async () => {
    const keypair = Keypair.generate()
    const mintAccount = { privateKeyDetails: { privateKey: bs58.encode(keypair.secretKey) } }
    const { newFinancialInstrument: ids } = await create({
      mintAccount,
      version,
      mintAuthority: { offchainId: authority.offchainId },
    })
    expect(ids.onchainId).toBe(keypair.publicKey.toBase58())
    expect(await world.chain.mint(ids.onchainId)).toMatchObject({ decimals: 0, freezeAuthority: null })
    expect((await world.chain.account(ids.onchainId))?.data).toHaveLength(MINT_SIZE)
    await world.records.instrumentEqualsChain(ids)
  })

  it('may have an authority that is not onboarded', async () => {
    const outside = Keypair.generate().publicKey.toBase58()
    const { newFinancialInstrument: ids, chainTransaction } = await create({
      mintAccount: {},
      version,
      mintAuthority: { onchainId: outside, offPlatform: true },
    })
    expect(chainTransaction?.success).toBe(true)
    expect((await world.chain.mint(ids.onchainId)).mintAuthority?.toBase58()).toBe(outside)
    expect(addressOf((await world.records.instrumentRecord(ids)).mintAuthority)).toBe(outside)
  })

  it('answers 409 to a second one of the same references', async () => {
    const body = {
      mintAccount: { offchainReferences: { code: `twice-${version}` } },
      version,
      mintAuthority: authority,
    }
    await create(body)
    await world.api.refused(409, 'ALREADY_EXISTS', 'POST', '/financial-instruments', body)
  })
})

describe('TOKEN_2022', () => {
  it('carries its metadata on chain', async () => {
    const updater = await world.records.account()
    const simpleCustomMetadata = { isin: 'DE000A0S9GB0', issuer: 'Bank für Gold & Silber', empty: '' }
    const { newFinancialInstrument: ids } = await create({
      mintAccount: {},
      version: 'TOKEN_2022',
      mintAuthority: authority,
      updateAuthority: updater,
      onchainData: {
        name: 'Gold Ω',
        symbol: 'GLD',
        uri: 'https://example.org/gold.json',
        decimals: 9,
        simpleCustomMetadata,
      },
    })
    const metadata = await getTokenMetadata(
      world.chain.connection,
      new PublicKey(ids.onchainId),
      'confirmed',
      TOKEN_2022_PROGRAM_ID,
    )
    expect(metadata).toMatchObject({ name: 'Gold Ω', symbol: 'GLD', uri: 'https://example.org/gold.json' })
    expect(metadata?.updateAuthority?.toBase58()).toBe(updater.onchainId)
    expect(Object.fromEntries(metadata?.additionalMetadata ?? [])).toEqual(simpleCustomMetadata)
    const pointer = getMetadataPointerState(await world.chain.mint(ids.onchainId))
    expect(pointer?.metadataAddress?.toBase58()).toBe(ids.onchainId)
    expect(pointer?.authority?.toBase58()).toBe(updater.onchainId)

    const record = await world.records.instrumentRecord(ids)
    expect(record.onchainData).toEqual({
      name: 'Gold Ω',
      symbol: 'GLD',
      uri: 'https://example.org/gold.json',
      simpleCustomMetadata,
      decimals: 9,
    })
    expect([...record.extensions].sort()).toEqual(['METADATA_POINTER', 'TOKEN_METADATA'])
    expect(addressOf(record.updateAuthority)).toBe(updater.onchainId)
    const info = await world.chain.account(ids.onchainId)
    expect(BigInt(info!.lamports)).toBe(await world.chain.rent(info!.data.length))
    await world.records.instrumentEqualsChain(ids)
  })

  it('gives metadata to the mint authority when nobody else is named', async () => {
    const { newFinancialInstrument: ids } = await create({
      mintAccount: {},
      version: 'TOKEN_2022',
      mintAuthority: authority,
      onchainData: { symbol: 'X' },
    })
    const metadata = await getTokenMetadata(
      world.chain.connection,
      new PublicKey(ids.onchainId),
      'confirmed',
      TOKEN_2022_PROGRAM_ID,
    )
    expect(metadata).toMatchObject({ name: '', symbol: 'X', uri: '', additionalMetadata: [] })
    expect(metadata?.updateAuthority?.toBase58()).toBe(authority.onchainId)
  })

  it('survives the length of metadata at which a mint would look like a multisig', async () => {
    // A name of 34 bytes beside a symbol of 3: pointer (234), header (4) and metadata (117) add up to 355.
    for (const length of [33, 34, 35]) {
      const { newFinancialInstrument: ids, chainTransaction } = await create({
        mintAccount: {},
        version: 'TOKEN_2022',
        mintAuthority: authority,
        onchainData: { name: 'n'.repeat(length), symbol: 'SYM', uri: '' },
      })
      expect(chainTransaction, JSON.stringify(chainTransaction)).toMatchObject({ success: true })
      const info = await world.chain.account(ids.onchainId)
      expect(BigInt(info!.lamports)).toBeGreaterThanOrEqual(await world.chain.rent(info!.data.length))
      await world.records.instrumentEqualsChain(ids)
    }
  })

  it('has every extension that the endpoint can give', async () => {
    const named = await Promise.all(Array.from({ length: 8 }, () => world.records.account()))
    const [
      freezeAuthority,
      permanentDelegateAuthority,
      closingAuthority,
      pausableAuthority,
      scaledUiAmountAuthority,
      transferHookAuthority,
      confidentialTransferAuthority,
      confidentialMintBurnAuthority,
    ] = named as [Ids, Ids, Ids, Ids, Ids, Ids, Ids, Ids]
    const authorities = {
      freezeAuthority,
      permanentDelegateAuthority,
      closingAuthority,
      pausableAuthority,
      scaledUiAmountAuthority,
      transferHookAuthority,
      confidentialTransferAuthority,
      confidentialMintBurnAuthority,
    }
    const hook = Keypair.generate().publicKey.toBase58()
    const { newFinancialInstrument: ids, chainTransaction } = await create({
      mintAccount: {},
      version: 'TOKEN_2022',
      mintAuthority: authority,
      ...authorities,
      transferHookProgram: { onchainId: hook, offPlatform: true },
      defaultPositionState: 'FROZEN',
      scaledUiAmountMultiplier: 2.5,
      onchainData: { name: 'All', symbol: 'ALL', decimals: 2 },
    })
    expect(chainTransaction, JSON.stringify(chainTransaction)).toMatchObject({ success: true })

    const mint = await world.chain.mint(ids.onchainId)
    expect(new Set<number>(getExtensionTypes(mint.tlvData))).toEqual(
      new Set<number>([
        ExtensionType.MetadataPointer,
        ExtensionType.TokenMetadata,
        ExtensionType.DefaultAccountState,
        ExtensionType.PermanentDelegate,
        ExtensionType.MintCloseAuthority,
        ExtensionType.PausableConfig,
        ExtensionType.ScaledUiAmountConfig,
        ExtensionType.TransferHook,
        ExtensionType.ConfidentialTransferMint,
        CONFIDENTIAL_MINT_BURN,
      ]),
    )
    expect(getDefaultAccountState(mint)?.state).toBe(AccountState.Frozen)
    expect(getPermanentDelegate(mint)?.delegate.toBase58()).toBe(permanentDelegateAuthority.onchainId)
    expect(getMintCloseAuthority(mint)?.closeAuthority.toBase58()).toBe(closingAuthority.onchainId)
    expect(getPausableConfig(mint)).toMatchObject({ paused: false })
    expect(getPausableConfig(mint)?.authority.toBase58()).toBe(pausableAuthority.onchainId)
    expect(getScaledUiAmountConfig(mint)).toMatchObject({ multiplier: 2.5 })
    expect(getScaledUiAmountConfig(mint)?.authority.toBase58()).toBe(scaledUiAmountAuthority.onchainId)
    expect(getTransferHook(mint)?.authority.toBase58()).toBe(transferHookAuthority.onchainId)
    expect(getTransferHook(mint)?.programId.toBase58()).toBe(hook)
    const confidential = getExtensionData(ExtensionType.ConfidentialTransferMint, mint.tlvData)
    expect(confidential && new PublicKey(confidential.subarray(0, 32)).toBase58()).toBe(
      confidentialTransferAuthority.onchainId,
    )

    const record = await world.records.instrumentRecord(ids)
    for (const [name, account] of Object.entries(authorities)) {
      expect(addressOf(record[name as keyof typeof authorities]), name).toBe(account.onchainId)
    }
    expect(addressOf(record.transferHookProgram)).toBe(hook)
    expect(record).toMatchObject({ defaultPositionState: 'FROZEN', paused: false, scaledUiAmountMultiplier: 2.5 })
    expect([...record.extensions].sort()).toEqual([
      'CONFIDENTIAL_MINT_BURN',
      'CONFIDENTIAL_TRANSFER',
      'DEFAULT_ACCOUNT_STATE',
      'METADATA_POINTER',
      'MINT_CLOSE',
      'PAUSABLE',
      'PERMANENT_DELEGATE',
      'SCALED_UI_AMOUNT',
      'TOKEN_METADATA',
      'TRANSFER_HOOK',
    ])
    await world.records.instrumentEqualsChain(ids)
  })

  it.each([
    ['permanentDelegateAuthority', 'PERMANENT_DELEGATE'],
    ['closingAuthority', 'MINT_CLOSE'],
    ['pausableAuthority', 'PAUSABLE'],
    ['scaledUiAmountAuthority', 'SCALED_UI_AMOUNT'],
    ['transferHookAuthority', 'TRANSFER_HOOK'],
    ['confidentialTransferAuthority', 'CONFIDENTIAL_TRANSFER'],
  ])('has with %s alone the extension %s alone', async (member, extension) => {
    const { newFinancialInstrument: ids, chainTransaction } = await create({
      mintAccount: {},
      version: 'TOKEN_2022',
      mintAuthority: authority,
      [member]: authority,
    })
    expect(chainTransaction, JSON.stringify(chainTransaction)).toMatchObject({ success: true })
    expect((await world.records.instrumentRecord(ids)).extensions).toEqual([extension])
    expect(getExtensionTypes((await world.chain.mint(ids.onchainId)).tlvData)).toHaveLength(1)
    await world.records.instrumentEqualsChain(ids)
  })

  it('takes INITIALIZED as a default state too', async () => {
    const ids = await world.records.instrument('TOKEN_2022', authority, {
      freezeAuthority: authority,
      defaultPositionState: 'INITIALIZED',
    })
    expect(getDefaultAccountState(await world.chain.mint(ids.onchainId))?.state).toBe(AccountState.Initialized)
    expect(await world.records.instrumentRecord(ids)).toMatchObject({
      defaultPositionState: 'INITIALIZED',
      extensions: ['DEFAULT_ACCOUNT_STATE'],
    })
  })
})

describe('refusals', () => {
  const refused = (code: string, body: object) => world.api.refused(400, code, 'POST', '/financial-instruments', body)

  it('keeps extensions and custom metadata from SPL', async () => {
    const body = { mintAccount: {}, version: 'SPL', mintAuthority: authority }
    const members = {
      permanentDelegateAuthority: authority,
      closingAuthority: authority,
      pausableAuthority: authority,
      scaledUiAmountAuthority: authority,
      transferHookAuthority: authority,
      confidentialTransferAuthority: authority,
    }
    for (const [member, value] of Object.entries(members)) {
      expect(await refused('TOKEN_2022_REQUIRED', { ...body, [member]: value })).toMatchObject({
        pointer: `/itemData/${member}`,
      })
    }
    await refused('TOKEN_2022_REQUIRED', { ...body, onchainData: { simpleCustomMetadata: { a: 'b' } } })
    await refused('TOKEN_2022_REQUIRED', { ...body, freezeAuthority: authority, defaultPositionState: 'FROZEN' })
  })

  it('has the version that its account is asked with, which must be the one asked for', async () => {
    for (const [version, other] of [
      ['SPL', 'TOKEN_2022'],
      ['TOKEN_2022', 'SPL'],
    ] as const) {
      for (const said of [{}, { version }]) {
        const { newFinancialInstrument: made } = await create({
          mintAccount: { tokenVersion: version },
          mintAuthority: authority,
          ...said,
        })
        expect((await world.chain.account(made.onchainId))?.owner.equals(programOf(version))).toBe(true)
        expect(await world.records.instrumentRecord(made)).toMatchObject({ version })
      }
      const problem = await refused('ALIAS_CONFLICT', {
        mintAccount: { tokenVersion: other },
        mintAuthority: authority,
        version,
      })
      expect(problem).toMatchObject({ pointer: '/itemData/mintAccount/tokenVersion' })
    }
    const { newFinancialInstrument: silent } = await create({ mintAccount: {}, mintAuthority: authority })
    expect(await world.records.instrumentRecord(silent)).toMatchObject({ version: 'SPL' })
    const { newFinancialInstrument: paused } = await create({
      mintAccount: { tokenVersion: 'TOKEN_2022' },
      mintAuthority: authority,
      pausableAuthority: authority,
      onchainData: { simpleCustomMetadata: { a: 'b' } },
    })
    expect(await world.records.instrumentRecord(paused)).toMatchObject({ version: 'TOKEN_2022', paused: false })
  })

  it('wants what an extension needs', async () => {
    const body = { mintAccount: {}, version: 'TOKEN_2022', mintAuthority: authority }
    await refused('REQUIRED', { ...body, defaultPositionState: 'FROZEN' })
    await refused('REQUIRED', { ...body, confidentialMintBurnAuthority: authority })
    await refused('REQUIRED', { ...body, scaledUiAmountMultiplier: 2 })
    await refused('REQUIRED', { version: 'SPL', mintAuthority: authority })
    await refused('MUTUALLY_EXCLUSIVE', { ...body, existingMintAccount: authority })
    await refused('ACCOUNT_NOT_FOUND', {
      ...body,
      mintAuthority: { onchainId: Keypair.generate().publicKey.toBase58() },
    })
  })

  it('refuses what does not fit a transaction before anything is signed', async () => {
    const before = await world.chain.lamports(feePayer.onchainId)
    const simpleCustomMetadata = { text: 'x'.repeat(900) }
    const problem = await refused('TRANSACTION_TOO_LARGE', {
      mintAccount: {},
      version: 'TOKEN_2022',
      mintAuthority: authority,
      onchainData: { name: 'Big', symbol: 'BIG', simpleCustomMetadata },
    })
    expect(problem.message).toMatch(/\d{4} bytes/)
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(before)
    await world.records.accountsEqualChain(feePayer)
  })

  it('answers 404 for what is no instrument', async () => {
    const missing = (lookup: object) =>
      world.api.refused(404, 'INSTRUMENT_NOT_FOUND', 'POST', '/financial-instruments/single', lookup)
    await missing({ onchainId: Keypair.generate().publicKey.toBase58() })
    await missing({ offchainId: authority.offchainId })
    const found = await world.api.read<Instrument>('/financial-instruments/single', {
      offchainReferences: { code: 'gold-SPL' },
    })
    expect(found.version).toBe('SPL')
  })
})
