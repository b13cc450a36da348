// Token accounts of both programs: balances in the ledger, indexes by program, holder and mint, extensions with
// metadata.

import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js'
import {
  AuthorityType,
  createAssociatedTokenAccountInstruction,
  createBurnInstruction,
  createCloseAccountInstruction,
  createInitializeMetadataPointerInstruction,
  createInitializeMint2Instruction,
  createInitializePermanentDelegateInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  createTransferCheckedInstruction,
  createInitializeAccount3Instruction,
  ExtensionType,
  getAssociatedTokenAddressSync,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  unpackMint,
  getMetadataPointerState,
  createInitializeMultisigInstruction,
  getExtensionData,
  NATIVE_MINT,
} from '@solana/spl-token'
import { createInitializeInstruction, createUpdateFieldInstruction, pack, unpack } from '@solana/spl-token-metadata'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KeyedAccount } from '../../src/localnet/contract.ts'
import { openTestBank, type TestBank } from './bank-chain.ts'

let test: TestBank
let payer: Keypair
beforeEach(async () => {
  test = await openTestBank()
  payer = await test.funded()
})
afterEach(() => test.remove())

async function newMint(program: PublicKey): Promise<PublicKey> {
  const mint = Keypair.generate()
  const lamports = Number(test.bank.rentExemptLamports(82))
  await test.run(
    [
      SystemProgram.createAccount({
        fromPubkey: payer.publicKey,
        newAccountPubkey: mint.publicKey,
        space: 82,
        lamports,
        programId: program,
      }),
      createInitializeMint2Instruction(mint.publicKey, 6, payer.publicKey, payer.publicKey, program),
    ],
    [payer, mint],
  )
  return mint.publicKey
}

async function position(mint: PublicKey, owner: PublicKey, program: PublicKey, amount = 0n): Promise<PublicKey> {
  const address = getAssociatedTokenAddressSync(mint, owner, true, program)
  await test.run(
    [
      createAssociatedTokenAccountInstruction(payer.publicKey, address, owner, mint, program),
      ...(amount > 0n ? [createMintToInstruction(mint, address, payer.publicKey, amount, [], program)] : []),
    ],
    [payer],
  )
  return address
}

const addresses = (accounts: Iterable<KeyedAccount>): string[] =>
  [...accounts].map(({ address }) => new PublicKey(address).toBase58()).sort()
const texts = (...keys: PublicKey[]): string[] => keys.map((key) => key.toBase58()).sort()

describe.each([
  ['token', TOKEN_PROGRAM_ID],
  ['token 2022', TOKEN_2022_PROGRAM_ID],
])('%s program', (_name, program) => {
  it('records balances before and after, and maintains the indexes', async () => {
    const owner = Keypair.generate()
    const other = Keypair.generate()
    const mint = await newMint(program)
    const from = await position(mint, owner.publicKey, program, 1000n)
    const to = await position(mint, other.publicKey, program)
    const row = await test.run(
      [createTransferCheckedInstruction(from, mint, to, owner.publicKey, 300n, 6, [], program)],
      [payer, owner],
    )
    const summaryOf = (list: typeof row.preTokenBalances): unknown[] =>
      list.map((balance) => [
        row.accountKeys[balance.accountIndex],
        balance.owner,
        balance.amount,
        balance.decimals,
        balance.mint,
        balance.programId,
      ])
    const about = [6, mint.toBase58(), program.toBase58()]
    expect(summaryOf(row.preTokenBalances).sort()).toEqual(
      [
        [from.toBase58(), owner.publicKey.toBase58(), '1000', ...about],
        [to.toBase58(), other.publicKey.toBase58(), '0', ...about],
      ].sort(),
    )
    expect(summaryOf(row.postTokenBalances).sort()).toEqual(
      [
        [from.toBase58(), owner.publicKey.toBase58(), '700', ...about],
        [to.toBase58(), other.publicKey.toBase58(), '300', ...about],
      ].sort(),
    )
    const check = (): void => {
      expect(addresses(test.bank.tokenAccountsByMint(mint.toBytes()))).toEqual(texts(from, to))
      expect(addresses(test.bank.tokenAccountsByOwner(owner.publicKey.toBytes()))).toEqual(texts(from))
      expect(addresses(test.bank.accountsByProgram(program.toBytes()))).toEqual(
        expect.arrayContaining(texts(from, to, mint)),
      )
    }
    check()
    await test.restart()
    check()
    await test.run(
      [
        createBurnInstruction(to, mint, other.publicKey, 300n, [], program),
        createCloseAccountInstruction(to, payer.publicKey, other.publicKey, [], program),
      ],
      [payer, other],
    )
    expect(addresses(test.bank.tokenAccountsByMint(mint.toBytes()))).toEqual(texts(from))
    expect(addresses(test.bank.accountsByProgram(program.toBytes()))).not.toContain(to.toBase58())
    await test.restart()
    expect(addresses(test.bank.tokenAccountsByMint(mint.toBytes()))).toEqual(texts(from))
  })

  it('distinguishes token accounts from mints and multisigs', async () => {
    const mint = await newMint(program)
    const multisig = Keypair.generate()
    await test.run(
      [
        SystemProgram.createAccount({
          fromPubkey: payer.publicKey,
          newAccountPubkey: multisig.publicKey,
          space: 355,
          lamports: Number(test.bank.rentExemptLamports(355)),
          programId: program,
        }),
        createInitializeMultisigInstruction(multisig.publicKey, [payer.publicKey, mint], 1, program),
      ],
      [payer, multisig],
    )
    for (const key of [mint, payer.publicKey, multisig.publicKey]) {
      expect(addresses(test.bank.tokenAccountsByMint(key.toBytes()))).toEqual([])
      expect(addresses(test.bank.tokenAccountsByOwner(key.toBytes()))).toEqual([])
    }
  })
})

describe('token accounts', () => {
  it('change holder in index and balances', async () => {
    const owner = Keypair.generate()
    const heir = Keypair.generate()
    const mint = await newMint(TOKEN_PROGRAM_ID)
    const account = Keypair.generate()
    await test.run(
      [
        SystemProgram.createAccount({
          fromPubkey: payer.publicKey,
          newAccountPubkey: account.publicKey,
          space: 165,
          lamports: Number(test.bank.rentExemptLamports(165)),
          programId: TOKEN_PROGRAM_ID,
        }),
        createInitializeAccount3Instruction(account.publicKey, mint, owner.publicKey),
        createMintToInstruction(mint, account.publicKey, payer.publicKey, 5n),
      ],
      [payer, account],
    )
    const row = await test.run(
      [createSetAuthorityInstruction(account.publicKey, owner.publicKey, AuthorityType.AccountOwner, heir.publicKey)],
      [payer, owner],
    )
    expect(row.preTokenBalances.map(({ owner: holder, amount }) => [holder, amount])).toEqual([
      [owner.publicKey.toBase58(), '5'],
    ])
    expect(row.postTokenBalances.map(({ owner: holder, amount }) => [holder, amount])).toEqual([
      [heir.publicKey.toBase58(), '5'],
    ])
    expect(addresses(test.bank.tokenAccountsByOwner(owner.publicKey.toBytes()))).toEqual([])
    expect(addresses(test.bank.tokenAccountsByOwner(heir.publicKey.toBytes()))).toEqual(texts(account.publicKey))
  })

  it('of the native mint are recognized', () => {
    expect(test.bank.account(NATIVE_MINT.toBytes())?.data.length).toBe(82)
    expect(addresses(test.bank.accountsByProgram(TOKEN_PROGRAM_ID.toBytes()))).toContain(NATIVE_MINT.toBase58())
  })

  it('are indexed as a full scan finds them, after any sequence of changes and a restart', async () => {
    const mints = [await newMint(TOKEN_2022_PROGRAM_ID), await newMint(TOKEN_PROGRAM_ID)]
    const owners = Array.from({ length: 3 }, () => Keypair.generate())
    const programs = [TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID]
    const model = new Map<string, { mint: number; owner: number; amount: bigint }>()
    const step = fc.record({
      mint: fc.nat(1),
      owner: fc.nat(2),
      amount: fc.bigInt(1n, 1000n),
      close: fc.boolean(),
      restart: fc.nat(9),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        for (const { mint, owner, amount, close, restart } of steps) {
          const program = programs[mint]!
          const holder = owners[owner]!
          const address = getAssociatedTokenAddressSync(mints[mint]!, holder.publicKey, true, program)
          const entry = model.get(address.toBase58())
          if (!entry) {
            await position(mints[mint]!, holder.publicKey, program, amount)
            model.set(address.toBase58(), { mint, owner, amount })
          } else if (close) {
            await test.run(
              [
                createBurnInstruction(address, mints[mint]!, holder.publicKey, entry.amount, [], program),
                createCloseAccountInstruction(address, payer.publicKey, holder.publicKey, [], program),
              ],
              [payer, holder],
            )
            model.delete(address.toBase58())
          } else {
            await test.run(
              [createMintToInstruction(mints[mint]!, address, payer.publicKey, amount, [], program)],
              [payer],
            )
            entry.amount += amount
          }
          if (restart === 0) await test.restart()
          await test.bank.advance(1)
        }
        for (const [index, mint] of mints.entries()) {
          const expected = [...model].filter(([, entry]) => entry.mint === index).map(([address]) => address)
          expect(addresses(test.bank.tokenAccountsByMint(mint.toBytes()))).toEqual(expected.sort())
        }
        for (const [index, owner] of owners.entries()) {
          const expected = [...model].filter(([, entry]) => entry.owner === index).map(([address]) => address)
          expect(addresses(test.bank.tokenAccountsByOwner(owner.publicKey.toBytes()))).toEqual(expected.sort())
        }
      }),
      { numRuns: 15 },
    )
  })
})

describe('extensions', () => {
  it('store metadata in the mint, which grows, and keep it over a restart', async () => {
    const mint = Keypair.generate()
    const program = TOKEN_2022_PROGRAM_ID
    const space = getMintLen([ExtensionType.MetadataPointer, ExtensionType.PermanentDelegate])
    const metadata = {
      mint: mint.publicKey,
      name: 'Bond',
      symbol: 'BND',
      uri: 'https://example.org/bond',
      additionalMetadata: [] as [string, string][],
    }
    const lamports = Number(
      test.bank.rentExemptLamports(space + 4 + pack({ ...metadata, updateAuthority: payer.publicKey }).length + 200),
    )
    const row = await test.run(
      [
        SystemProgram.createAccount({
          fromPubkey: payer.publicKey,
          newAccountPubkey: mint.publicKey,
          space,
          lamports,
          programId: program,
        }),
        createInitializeMetadataPointerInstruction(mint.publicKey, payer.publicKey, mint.publicKey, program),
        createInitializePermanentDelegateInstruction(mint.publicKey, payer.publicKey, program),
        createInitializeMint2Instruction(mint.publicKey, 2, payer.publicKey, payer.publicKey, program),
        createInitializeInstruction({
          programId: program,
          metadata: mint.publicKey,
          updateAuthority: payer.publicKey,
          mint: mint.publicKey,
          mintAuthority: payer.publicKey,
          name: metadata.name,
          symbol: metadata.symbol,
          uri: metadata.uri,
        }),
        createUpdateFieldInstruction({
          programId: program,
          metadata: mint.publicKey,
          updateAuthority: payer.publicKey,
          field: 'isin',
          value: 'XS0000000009',
        }),
      ],
      [payer, mint],
    )
    expect(row.error).toBeNull()
    for (const restart of [false, true]) {
      if (restart) await test.restart()
      const account = test.bank.account(mint.publicKey.toBytes())!
      const info = { ...account, data: Buffer.from(account.data), owner: program, lamports: Number(account.lamports) }
      const unpacked = unpackMint(mint.publicKey, info, program)
      expect(getMetadataPointerState(unpacked)?.metadataAddress?.toBase58()).toBe(mint.publicKey.toBase58())
      const tokenMetadata = unpack(getExtensionData(ExtensionType.TokenMetadata, unpacked.tlvData)!)
      expect(tokenMetadata).toMatchObject({
        name: 'Bond',
        symbol: 'BND',
        additionalMetadata: [['isin', 'XS0000000009']],
      })
    }
    const holder = await position(mint.publicKey, Keypair.generate().publicKey, program, 5n)
    expect(addresses(test.bank.tokenAccountsByMint(mint.publicKey.toBytes()))).toEqual([holder.toBase58()])
  })
})
