// Instruments over HTTP: the mint on chain is the requested one, and the read model is equal to it.
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
import { describe, expect, it } from 'vitest'
import type { Account, Ids } from '../models.ts'
import { programOf, type Version } from '../onchain.ts'
import { withInstrumentWorld, world, feePayer, authority, create, details } from './instrument-world.ts'

withInstrumentWorld()

const VERSIONS: readonly Version[] = ['SPL', 'TOKEN_2022']

/** The library does not know this one. */
const CONFIDENTIAL_MINT_BURN = 24

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

    const record = await details(ids)
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

  it('has no decimals and no freeze authority by default, and can use the address of a given key', async () => {
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
    expect(addressOf((await details(ids)).mintAuthority)).toBe(outside)
  })

  it('answers 409 to a second instrument with the same references', async () => {
    const body = {
      mintAccount: { offchainReferences: { code: `twice-${version}` } },
      version,
      mintAuthority: authority,
    }
    await create(body)
    await world.api.refuses(409, 'ALREADY_EXISTS', 'POST', '/financial-instruments', body)
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

    const record = await details(ids)
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

  it('makes the mint authority the metadata authority by default', async () => {
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

  it('avoids the size at which a mint would be taken for a multisig', async () => {
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

  it('supports every extension of the endpoint', async () => {
    const accounts = await Promise.all(Array.from({ length: 8 }, () => world.records.account()))
    const [
      freezeAuthority,
      permanentDelegateAuthority,
      closingAuthority,
      pausableAuthority,
      scaledUiAmountAuthority,
      transferHookAuthority,
      confidentialTransferAuthority,
      confidentialMintBurnAuthority,
    ] = accounts as [Ids, Ids, Ids, Ids, Ids, Ids, Ids, Ids]
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

    const record = await details(ids)
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
  ])('with %s alone has exactly the extension %s', async (member, extension) => {
    const { newFinancialInstrument: ids, chainTransaction } = await create({
      mintAccount: {},
      version: 'TOKEN_2022',
      mintAuthority: authority,
      [member]: authority,
    })
    expect(chainTransaction, JSON.stringify(chainTransaction)).toMatchObject({ success: true })
    expect((await details(ids)).extensions).toEqual([extension])
    expect(getExtensionTypes((await world.chain.mint(ids.onchainId)).tlvData)).toHaveLength(1)
    await world.records.instrumentEqualsChain(ids)
  })

  it('accepts INITIALIZED as the default state', async () => {
    const ids = await world.records.instrument('TOKEN_2022', authority, {
      freezeAuthority: authority,
      defaultPositionState: 'INITIALIZED',
    })
    expect(getDefaultAccountState(await world.chain.mint(ids.onchainId))?.state).toBe(AccountState.Initialized)
    expect(await details(ids)).toMatchObject({
      defaultPositionState: 'INITIALIZED',
      extensions: ['DEFAULT_ACCOUNT_STATE'],
    })
  })
})
