// Accounts and tokens for ordinary clients: @solana/web3.js and @solana/spl-token against the served chain.
import {
  approve,
  createMint,
  getAccount,
  getMint,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  transferChecked,
} from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  PublicKey,
  sendAndConfirmTransaction,
  SystemProgram,
  Transaction,
} from '@solana/web3.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, eventually } from './rpc-chain.ts'
import { withConnection, chain, connection, payer, address } from './rpc-connection.ts'

withConnection()

describe('plain accounts', () => {
  it('answers null and zero for a missing account, and the account once it exists', async () => {
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

  it('supports every encoding and data slices', async () => {
    const sysvar = 'SysvarC1ock11111111111111111111111111111111'
    const data = async (config: unknown): Promise<unknown> =>
      at(await chain.result('getAccountInfo', [sysvar, config]), 'value', 'data')
    const fullData = Buffer.from(String(at(await data({ encoding: 'base64' }), 0)), 'base64')
    expect(fullData).toHaveLength(40)
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

  it('returns balances and supply', async () => {
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
    const nonceAccount = await connection.getNonce(nonce.publicKey)
    expect((await connection.getParsedAccountInfo(nonce.publicKey)).value?.data).toMatchObject({
      program: 'nonce',
      space: 80,
      parsed: {
        type: 'initialized',
        info: {
          authority: payer.publicKey.toBase58(),
          blockhash: nonceAccount?.nonce,
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
