// Accounts and tokens as ordinary clients see them: @solana/web3.js and @solana/spl-token against the served chain.

import {
  AccountState,
  approve,
  createInitializeDefaultAccountStateInstruction,
  createInitializeMetadataPointerInstruction,
  createInitializeMint2Instruction,
  createInitializeMintCloseAuthorityInstruction,
  createInitializePausableConfigInstruction,
  createInitializePermanentDelegateInstruction,
  createInitializeScaledUiAmountConfigInstruction,
  createInitializeTransferFeeConfigInstruction,
  createInitializeTransferHookInstruction,
  createMint,
  ExtensionType,
  getAccount,
  getMint,
  getMintLen,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  transferChecked,
} from '@solana/spl-token'
import { createInitializeInstruction, pack } from '@solana/spl-token-metadata'
import {
  AddressLookupTableProgram,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  PublicKey,
  sendAndConfirmTransaction,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js'
import type { Connection } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, eventually, serveChain } from './rpc-chain.ts'
import type { ServedChain } from './rpc-chain.ts'

let chain: ServedChain
let connection: Connection
let payer: Keypair

beforeAll(async () => {
  chain = await serveChain()
  connection = chain.connection()
  payer = await chain.payer()
})
afterAll(async () => {
  expect(chain.unexpected).toEqual([])
  await chain.close()
})

const address = (): PublicKey => Keypair.generate().publicKey

describe('plain accounts', () => {
  it('answers null and zero for what does not exist, and the account once it does', async () => {
    const nobody = address()
    expect(await connection.getAccountInfo(nobody)).toBeNull()
    expect(await connection.getBalance(nobody)).toBe(0)
    await connection.requestAirdrop(nobody, 2_000_000_000)
    const account = await connection.getAccountInfo(nobody)
    expect(account).toMatchObject({ lamports: 2_000_000_000, executable: false, data: Buffer.alloc(0) })
    expect(account?.owner.equals(SystemProgram.programId)).toBe(true)
    const many = await connection.getMultipleAccountsInfo([nobody, address()])
    expect(many.map((found) => found?.lamports)).toEqual([2_000_000_000, undefined])
  })

  it('knows every encoding and slices data', async () => {
    const sysvar = 'SysvarC1ock11111111111111111111111111111111'
    const data = async (config: unknown): Promise<unknown> =>
      at(await chain.result('getAccountInfo', [sysvar, config]), 'value', 'data')
    const whole = Buffer.from(String(at(await data({ encoding: 'base64' }), 0)), 'base64')
    expect(whole).toHaveLength(40)
    const [slice, encoding] = (await data({ encoding: 'base64', dataSlice: { offset: 8, length: 8 } })) as [
      string,
      string,
    ]
    expect(encoding).toBe('base64')
    expect(Buffer.from(slice, 'base64')).toHaveLength(8)
    expect(await data({ encoding: 'base64', dataSlice: { offset: 100, length: 8 } })).toEqual(['', 'base64'])
    expect(await data({ encoding: 'base58' })).toEqual([expect.any(String), 'base58'])
    expect(await data({})).toEqual(expect.any(String))
  })

  it('refuses base58 of more than 128 bytes', async () => {
    const mint = await createMint(connection, payer, payer.publicKey, null, 0)
    const holder = await getOrCreateAssociatedTokenAccount(connection, payer, mint, payer.publicKey)
    const answer = await chain.call('getAccountInfo', [holder.address.toBase58()])
    expect(answer.error).toMatchObject({
      code: -32600,
      message: expect.stringContaining('less than 128 bytes') as string,
    })
  })

  it('prints lamports exactly beyond 2^53', async () => {
    const rich = address().toBase58()
    const lamports = 9_007_199_254_740_993n
    const body = `{"jsonrpc":"2.0","id":1,"method":"requestAirdrop","params":["${rich}",${lamports}]}`
    const { text } = await chain.post(body)
    expect(text).toContain('"result":"')
    const textOf = async (method: string): Promise<string> =>
      (await chain.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [rich, { commitment: 'confirmed' }] })))
        .text
    expect(await textOf('getBalance')).toContain(`"value":${lamports}`)
    expect(await textOf('getAccountInfo')).toContain(`"lamports":${lamports}`)
    expect(await textOf('getAccountInfo')).toContain('"rentEpoch":18446744073709551615')
  })
})

describe.each([
  ['spl-token', TOKEN_PROGRAM_ID],
  ['spl-token-2022', TOKEN_2022_PROGRAM_ID],
])('%s', (program, programId) => {
  let mint: PublicKey
  let owner: Keypair
  let source: PublicKey
  let destination: PublicKey

  beforeAll(async () => {
    owner = await chain.payer()
    mint = await createMint(connection, payer, payer.publicKey, payer.publicKey, 6, Keypair.generate(), {}, programId)
    const open = async (holder: PublicKey): Promise<PublicKey> =>
      (await getOrCreateAssociatedTokenAccount(connection, payer, mint, holder, false, 'confirmed', {}, programId))
        .address
    source = await open(owner.publicKey)
    destination = await open(address())
    await mintTo(connection, payer, mint, source, payer, 1_500_000n, [], {}, programId)
    await transferChecked(connection, payer, source, mint, destination, owner, 250_000n, 6, [], {}, programId)
    await approve(connection, payer, source, payer.publicKey, owner, 7n, [], {}, programId)
  })

  it('shows balances and supply', async () => {
    expect((await getAccount(connection, source, 'confirmed', programId)).amount).toBe(1_250_000n)
    expect((await getMint(connection, mint, 'confirmed', programId)).supply).toBe(1_500_000n)
    expect((await connection.getTokenAccountBalance(destination)).value).toEqual({
      amount: '250000',
      decimals: 6,
      uiAmount: 0.25,
      uiAmountString: '0.25',
    })
    expect((await connection.getTokenSupply(mint)).value.uiAmountString).toBe('1.5')
    const largest = (await connection.getTokenLargestAccounts(mint)).value
    expect(largest.map((entry) => [entry.address.toBase58(), entry.amount])).toEqual([
      [source.toBase58(), '1250000'],
      [destination.toBase58(), '250000'],
    ])
  })

  it('parses mints and token accounts', async () => {
    expect((await connection.getParsedAccountInfo(mint)).value?.data).toMatchObject({
      program,
      parsed: {
        type: 'mint',
        info: {
          decimals: 6,
          supply: '1500000',
          isInitialized: true,
          mintAuthority: payer.publicKey.toBase58(),
          freezeAuthority: payer.publicKey.toBase58(),
        },
      },
    })
    expect((await connection.getParsedAccountInfo(source)).value?.data).toMatchObject({
      program,
      parsed: {
        type: 'account',
        info: {
          mint: mint.toBase58(),
          owner: owner.publicKey.toBase58(),
          state: 'initialized',
          isNative: false,
          tokenAmount: { amount: '1250000', uiAmountString: '1.25' },
          delegate: payer.publicKey.toBase58(),
          delegatedAmount: { amount: '7' },
          ...(programId === TOKEN_2022_PROGRAM_ID ? { extensions: [{ extension: 'immutableOwner' }] } : {}),
        },
      },
    })
  })

  it('finds token accounts by owner, by delegate and by filters', async () => {
    const keys = (found: readonly { pubkey: PublicKey }[]): string[] =>
      found.map((entry) => entry.pubkey.toBase58()).sort()
    expect(keys((await connection.getTokenAccountsByOwner(owner.publicKey, { mint })).value)).toEqual([
      source.toBase58(),
    ])
    expect(keys((await connection.getParsedTokenAccountsByOwner(owner.publicKey, { programId })).value)).toEqual([
      source.toBase58(),
    ])
    const delegated = await chain.result('getTokenAccountsByDelegate', [
      payer.publicKey.toBase58(),
      { mint: mint.toBase58() },
      { encoding: 'base64' },
    ])
    expect(at(delegated, 'value', 0, 'pubkey')).toBe(source.toBase58())

    const byMint = [{ memcmp: { offset: 0, bytes: mint.toBase58() } }]
    expect(keys(await connection.getProgramAccounts(programId, { filters: byMint }))).toEqual(
      [source, destination].map(String).sort(),
    )
    const dataSize = programId === TOKEN_PROGRAM_ID ? 165 : 170
    expect(keys(await connection.getProgramAccounts(programId, { filters: [{ dataSize }, ...byMint] }))).toHaveLength(2)
    const inBase64 = [
      { memcmp: { offset: 32, bytes: owner.publicKey.toBuffer().toString('base64'), encoding: 'base64' as const } },
    ]
    const sliced = await connection.getProgramAccounts(programId, {
      filters: inBase64,
      dataSlice: { offset: 64, length: 8 },
    })
    expect(sliced.map((entry) => entry.account.data.readBigUInt64LE())).toEqual([1_250_000n])
    const inContext = await chain.result('getProgramAccounts', [
      programId.toBase58(),
      { encoding: 'base64', withContext: true, filters: ['tokenAccountState', ...byMint] },
    ])
    expect(at(inContext, 'context', 'slot')).toEqual(expect.any(Number))
    expect(at(inContext, 'value')).toHaveLength(2)
  })
})

describe('extensions of Token-2022', () => {
  it('shows a mint with many of them as a real node does', async () => {
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

    const shown = await chain.result('getAccountInfo', [mint.publicKey.toBase58(), { encoding: 'jsonParsed' }])
    const extensions = at(shown, 'value', 'data', 'parsed', 'info', 'extensions') as {
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
  it('shows a transfer fee exactly, and what was withheld', async () => {
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

  it('scales what is shown by the multiplier in force', async () => {
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
    const shown = { amount: '33', decimals: 1, uiAmount: 8.2, uiAmountString: '8.2' }
    expect((await connection.getTokenAccountBalance(holder.address)).value).toEqual(shown)
    expect((await connection.getTokenSupply(mint.publicKey)).value).toEqual(shown)
  })
})

describe('other parsed accounts', () => {
  it('parses nonce accounts and lookup tables', async () => {
    const nonce = Keypair.generate()
    const lamports = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH)
    const create = SystemProgram.createNonceAccount({
      fromPubkey: payer.publicKey,
      noncePubkey: nonce.publicKey,
      authorizedPubkey: payer.publicKey,
      lamports,
    })
    await sendAndConfirmTransaction(connection, new Transaction().add(create), [payer, nonce])
    const held = await connection.getNonce(nonce.publicKey)
    expect((await connection.getParsedAccountInfo(nonce.publicKey)).value?.data).toMatchObject({
      program: 'nonce',
      space: 80,
      parsed: {
        type: 'initialized',
        info: {
          authority: payer.publicKey.toBase58(),
          blockhash: held?.nonce,
          feeCalculator: { lamportsPerSignature: '5000' },
        },
      },
    })

    const recentSlot = await eventually(async () => (await connection.getSlot('finalized')) - 1)
    const byPayer = { authority: payer.publicKey, payer: payer.publicKey }
    const [createTable, table] = AddressLookupTableProgram.createLookupTable({ ...byPayer, recentSlot })
    const extend = AddressLookupTableProgram.extendLookupTable({
      ...byPayer,
      lookupTable: table,
      addresses: [nonce.publicKey],
    })
    await sendAndConfirmTransaction(connection, new Transaction().add(createTable, extend), [payer])
    expect((await connection.getParsedAccountInfo(table)).value?.data).toMatchObject({
      program: 'address-lookup-table',
      parsed: {
        type: 'lookupTable',
        info: {
          deactivationSlot: '18446744073709551615',
          authority: payer.publicKey.toBase58(),
          addresses: [nonce.publicKey.toBase58()],
          lastExtendedSlotStartIndex: 0,
        },
      },
    })
    expect((await connection.getAddressLookupTable(table)).value?.state.addresses).toEqual([nonce.publicKey])
    const wallet = (await connection.getParsedAccountInfo(payer.publicKey)).value
    expect(wallet?.data).toEqual(Buffer.alloc(0))
  })
})
