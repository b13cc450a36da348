// Token-2022 extensions for ordinary clients: @solana/web3.js and @solana/spl-token against the served chain.
import {
  AccountState,
  createInitializeDefaultAccountStateInstruction,
  createInitializeMetadataPointerInstruction,
  createInitializeMint2Instruction,
  createInitializeMintCloseAuthorityInstruction,
  createInitializePausableConfigInstruction,
  createInitializePermanentDelegateInstruction,
  createInitializeScaledUiAmountConfigInstruction,
  createInitializeTransferFeeConfigInstruction,
  createInitializeTransferHookInstruction,
  ExtensionType,
  getMintLen,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  TOKEN_2022_PROGRAM_ID,
  transferChecked,
} from '@solana/spl-token'
import { createInitializeInstruction, pack } from '@solana/spl-token-metadata'
import {
  Keypair,
  PublicKey,
  sendAndConfirmTransaction,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { at } from './rpc-chain.ts'
import { withConnection, chain, connection, payer, address } from './rpc-connection.ts'

withConnection()

describe('extensions of Token-2022', () => {
  it('returns a mint with many of them like a real node', async () => {
    const mint = Keypair.generate()
    const authority = payer.publicKey
    const key = authority.toBase58()
    const hook = address()
    const metadata = {
      mint: mint.publicKey,
      updateAuthority: authority,
      name: 'Bond',
      symbol: 'BND',
      uri: 'https://a.example/b',
      additionalMetadata: [],
    }
    const length = getMintLen([
      ExtensionType.MetadataPointer,
      ExtensionType.DefaultAccountState,
      ExtensionType.PermanentDelegate,
      ExtensionType.MintCloseAuthority,
      ExtensionType.PausableConfig,
      ExtensionType.ScaledUiAmountConfig,
      ExtensionType.TransferHook,
      ExtensionType.ConfidentialTransferMint,
    ])
    const lamports = await connection.getMinimumBalanceForRentExemption(length + 4 + pack(metadata).length)
    const confidential = new TransactionInstruction({
      programId: TOKEN_2022_PROGRAM_ID,
      keys: [{ pubkey: mint.publicKey, isSigner: false, isWritable: true }],
      data: Buffer.concat([Buffer.from([27, 0]), authority.toBuffer(), Buffer.from([1]), Buffer.alloc(32)]),
    })
    const p = TOKEN_2022_PROGRAM_ID
    const transaction = new Transaction().add(
      SystemProgram.createAccount({
        fromPubkey: authority,
        newAccountPubkey: mint.publicKey,
        lamports,
        space: length,
        programId: p,
      }),
      createInitializeMetadataPointerInstruction(mint.publicKey, authority, mint.publicKey, p),
      createInitializeDefaultAccountStateInstruction(mint.publicKey, AccountState.Frozen, p),
      createInitializePermanentDelegateInstruction(mint.publicKey, authority, p),
      createInitializeMintCloseAuthorityInstruction(mint.publicKey, authority, p),
      createInitializePausableConfigInstruction(mint.publicKey, authority, p),
      createInitializeScaledUiAmountConfigInstruction(mint.publicKey, authority, 1.5, p),
      createInitializeTransferHookInstruction(mint.publicKey, authority, hook, p),
      confidential,
      createInitializeMint2Instruction(mint.publicKey, 2, authority, authority, p),
    )
    await sendAndConfirmTransaction(connection, transaction, [payer, mint])
    const describeIt = createInitializeInstruction({
      programId: p,
      metadata: mint.publicKey,
      updateAuthority: authority,
      mint: mint.publicKey,
      mintAuthority: authority,
      name: metadata.name,
      symbol: metadata.symbol,
      uri: metadata.uri,
    })
    await sendAndConfirmTransaction(connection, new Transaction().add(describeIt), [payer])

    const account = await chain.result('getAccountInfo', [mint.publicKey.toBase58(), { encoding: 'jsonParsed' }])
    const extensions = at(account, 'value', 'data', 'parsed', 'info', 'extensions') as {
      extension: string
      state: unknown
    }[]
    expect(Object.fromEntries(extensions.map((entry) => [entry.extension, entry.state]))).toMatchObject({
      metadataPointer: { authority: key, metadataAddress: mint.publicKey.toBase58() },
      defaultAccountState: { accountState: 'frozen' },
      permanentDelegate: { delegate: key },
      mintCloseAuthority: { closeAuthority: key },
      pausableConfig: { authority: key, paused: false },
      scaledUiAmountConfig: {
        authority: key,
        multiplier: '1.5',
        newMultiplier: '1.5',
        newMultiplierEffectiveTimestamp: expect.any(Number) as number,
      },
      transferHook: { authority: key, programId: hook.toBase58() },
      confidentialTransferMint: { authority: key, autoApproveNewAccounts: true, auditorElgamalPubkey: null },
      tokenMetadata: { ...metadata, updateAuthority: key, mint: mint.publicKey.toBase58() },
    })

    const holder = await getOrCreateAssociatedTokenAccount(
      connection,
      payer,
      mint.publicKey,
      authority,
      false,
      'confirmed',
      {},
      p,
    )
    const parsed = (await connection.getParsedAccountInfo(holder.address)).value?.data
    expect(at(parsed, 'parsed', 'info', 'state')).toBe('frozen')
    const names = (at(parsed, 'parsed', 'info', 'extensions') as { extension: string }[]).map(
      (entry) => entry.extension,
    )
    expect(names.sort()).toEqual(['immutableOwner', 'pausableAccount', 'transferHookAccount'])
  })
})

describe('fees and scaled amounts', () => {
  it('returns a transfer fee exactly, with the withheld amounts', async () => {
    const mint = Keypair.generate()
    const p = TOKEN_2022_PROGRAM_ID
    const length = getMintLen([ExtensionType.TransferFeeConfig])
    const lamports = await connection.getMinimumBalanceForRentExemption(length)
    const authority = payer.publicKey
    const transaction = new Transaction().add(
      SystemProgram.createAccount({
        fromPubkey: authority,
        newAccountPubkey: mint.publicKey,
        lamports,
        space: length,
        programId: p,
      }),
      createInitializeTransferFeeConfigInstruction(mint.publicKey, authority, null, 100, 9_007_199_254_740_993n, p),
      createInitializeMint2Instruction(mint.publicKey, 0, authority, null, p),
    )
    await sendAndConfirmTransaction(connection, transaction, [payer, mint])
    const open = async (holder: PublicKey): Promise<PublicKey> =>
      (await getOrCreateAssociatedTokenAccount(connection, payer, mint.publicKey, holder, false, 'confirmed', {}, p))
        .address
    const [from, to] = [await open(authority), await open(address())]
    await mintTo(connection, payer, mint.publicKey, from, payer, 10_000n, [], {}, p)
    await transferChecked(connection, payer, from, mint.publicKey, to, payer, 1000n, 0, [], {}, p)

    const ask = (key: PublicKey): Promise<{ text: string }> =>
      chain.post(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'getAccountInfo',
          params: [key.toBase58(), { encoding: 'jsonParsed' }],
        }),
      )
    const { text } = await ask(mint.publicKey)
    expect(text).toContain('"withdrawWithheldAuthority":null')
    expect(text).toContain('"maximumFee":9007199254740993,"transferFeeBasisPoints":100')
    expect((await ask(to)).text).toContain('{"extension":"transferFeeAmount","state":{"withheldAmount":10}}')
    expect((await connection.getTokenAccountBalance(to)).value.amount).toBe('990')
  })

  it('scales UI amounts by the multiplier in force', async () => {
    const mint = Keypair.generate()
    const p = TOKEN_2022_PROGRAM_ID
    const length = getMintLen([ExtensionType.ScaledUiAmountConfig])
    const lamports = await connection.getMinimumBalanceForRentExemption(length)
    const transaction = new Transaction().add(
      SystemProgram.createAccount({
        fromPubkey: payer.publicKey,
        newAccountPubkey: mint.publicKey,
        lamports,
        space: length,
        programId: p,
      }),
      createInitializeScaledUiAmountConfigInstruction(mint.publicKey, payer.publicKey, 2.5, p),
      createInitializeMint2Instruction(mint.publicKey, 1, payer.publicKey, null, p),
    )
    await sendAndConfirmTransaction(connection, transaction, [payer, mint])
    const holder = await getOrCreateAssociatedTokenAccount(
      connection,
      payer,
      mint.publicKey,
      payer.publicKey,
      false,
      'confirmed',
      {},
      p,
    )
    await mintTo(connection, payer, mint.publicKey, holder.address, payer, 33n, [], {}, p)
    const uiAmount = { amount: '33', decimals: 1, uiAmount: 8.2, uiAmountString: '8.2' }
    expect((await connection.getTokenAccountBalance(holder.address)).value).toEqual(uiAmount)
    expect((await connection.getTokenSupply(mint.publicKey)).value).toEqual(uiAmount)
  })
})
