// Every builder returns the same as the stock libraries, for any values.
import fc from 'fast-check'
import * as token from '@solana/spl-token'
import * as stockMetadata from '@solana/spl-token-metadata'
import { AddressLookupTableProgram, ComputeBudgetProgram, PublicKey, SystemProgram } from '@solana/web3.js'
import type { TransactionInstruction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../src/solana/address.ts'
import * as associated from '../../src/solana/instructions/associated-token.ts'
import { computeUnitLimit, computeUnitPrice, loadedBytesLimit } from '../../src/solana/instructions/compute-budget.ts'
import * as table from '../../src/solana/instructions/lookup-table.ts'
import { memo } from '../../src/solana/instructions/memo.ts'
import * as metadata from '../../src/solana/instructions/metadata.ts'
import * as extension from '../../src/solana/instructions/mint-extensions.ts'
import * as update from '../../src/solana/instructions/mint-updates.ts'
import * as nonce from '../../src/solana/instructions/nonce.ts'
import * as system from '../../src/solana/instructions/system.ts'
import * as life from '../../src/solana/instructions/token-account.ts'
import * as moving from '../../src/solana/instructions/token.ts'
import type { Instruction } from '../../src/solana/message.ts'
import { amount, anyAddress, fromWeb3, key } from './arbitraries.ts'

const decimals = fc.nat(255)
const optional = fc.option(anyAddress, { nil: null })
const program = fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM)
const text = fc.string({ unit: 'grapheme', maxLength: 30 })
const u32 = fc.nat(1_000_000)
const positive = fc.double({ min: 0.001, noNaN: true })
const maybeKey = (address: string | null) => (address === null ? null : key(address))
/** Where the library treats the zero address as none. */
const orZero = (address: string | null) => (address === null ? PublicKey.default : key(address))
const stockAuthorities = Object.values(token.AuthorityType).filter((value) => typeof value === 'number')
const T22 = key(TOKEN_2022_PROGRAM)

function same(actual: Instruction, expected: TransactionInstruction): void {
  expect({ ...actual, data: Buffer.from(actual.data).toString('hex') }).toEqual({
    ...fromWeb3(expected),
    data: expected.data.toString('hex'),
  })
}

const run = { numRuns: 60 }

describe('system', () => {
  it('transfers and creates accounts', () => {
    fc.assert(
      fc.property(anyAddress, anyAddress, anyAddress, amount, u32, (a, b, c, lamports, space) => {
        same(
          system.transferLamports(a, b, lamports),
          SystemProgram.transfer({ fromPubkey: key(a), toPubkey: key(b), lamports }),
        )
        const options = { fromPubkey: key(a), newAccountPubkey: key(b), lamports: space + 1, space, programId: key(c) }
        const request = { payer: a, account: b, lamports: BigInt(space + 1), space, owner: c }
        same(system.createAccountInstruction(request), SystemProgram.createAccount(options))
        same(system.assign(a, b), SystemProgram.assign({ accountPubkey: key(a), programId: key(b) }))
      }),
      run,
    )
  })

  it('creates, advances and empties nonces', () => {
    fc.assert(
      fc.property(anyAddress, anyAddress, anyAddress, u32, (a, b, c, lamports) => {
        const [noncePubkey, authorizedPubkey] = [key(a), key(b)]
        same(nonce.advanceNonce(a, b), SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey }))
        const initial = SystemProgram.createNonceAccount({
          fromPubkey: key(c),
          noncePubkey,
          authorizedPubkey,
          lamports,
        })
        same(nonce.initializeNonce(a, b), initial.instructions[1]!)
        const withdrawal = { noncePubkey, authorizedPubkey, toPubkey: key(c), lamports }
        same(nonce.withdrawNonce(a, b, c, BigInt(lamports)), SystemProgram.nonceWithdraw(withdrawal))
      }),
      run,
    )
  })
})

describe('compute budget, memo, lookup tables, associated accounts', () => {
  it('set limits and price', () => {
    fc.assert(
      fc.property(fc.nat(1_400_000), amount, (units, microLamports) => {
        same(computeUnitLimit(units), ComputeBudgetProgram.setComputeUnitLimit({ units }))
        same(computeUnitPrice(microLamports), ComputeBudgetProgram.setComputeUnitPrice({ microLamports }))
      }),
      run,
    )
    // web3.js has no builder for this one.
    expect(Buffer.from(loadedBytesLimit(0x1020304).data).toString('hex')).toBe('0404030201')
    expect(() => computeUnitLimit(1_400_001)).toThrow(RangeError)
    expect(() => computeUnitPrice(-1n)).toThrow(RangeError)
  })

  it('write memos', () => {
    fc.assert(
      fc.property(text, (words) => {
        const instruction = memo(words)
        expect(Buffer.from(instruction.data).toString()).toBe(words)
        expect(instruction.accounts).toEqual([])
      }),
      run,
    )
  })

  it('create, extend, freeze and close lookup tables', () => {
    const some = fc.array(anyAddress, { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(anyAddress, anyAddress, u32, some, (a, b, slot, addresses) => {
        const [expected, address] = AddressLookupTableProgram.createLookupTable({
          authority: key(a),
          payer: key(b),
          recentSlot: slot,
        })
        const actual = table.createTable({ authority: a, payer: b, recentSlot: BigInt(slot) })
        same(actual.instruction, expected)
        expect(actual.table).toBe(address.toBase58())
        const [lookupTable, authority] = [key(addresses[0]!), key(a)]
        const extended = { lookupTable, authority, payer: key(b), addresses: addresses.map(key) }
        const ourExtension = table.extendTable({ table: addresses[0]!, authority: a, payer: b, addresses })
        same(ourExtension, AddressLookupTableProgram.extendLookupTable(extended))
        same(
          table.freezeTable(addresses[0]!, a),
          AddressLookupTableProgram.freezeLookupTable({ lookupTable, authority }),
        )
        same(
          table.deactivateTable(addresses[0]!, a),
          AddressLookupTableProgram.deactivateLookupTable({ lookupTable, authority }),
        )
        const expectedClose = AddressLookupTableProgram.closeLookupTable({ lookupTable, authority, recipient: key(b) })
        same(table.closeTable(addresses[0]!, a, b), expectedClose)
      }),
      { numRuns: 25 },
    )
  })

  it('create associated accounts', () => {
    fc.assert(
      fc.property(anyAddress, anyAddress, anyAddress, program, (payer, owner, mint, tokenProgram) => {
        const account = token.getAssociatedTokenAddressSync(key(mint), key(owner), true, key(tokenProgram))
        const request = { payer, owner, mint, tokenProgram }
        const accounts = [key(payer), account, key(owner), key(mint)] as const
        const expected = token.createAssociatedTokenAccountIdempotentInstruction(...accounts, key(tokenProgram))
        same(associated.createAssociatedIdempotent(request), expected)
        expect(expected.keys[4]?.pubkey.toBase58()).toBe(SYSTEM_PROGRAM)
      }),
      { numRuns: 25 },
    )
  })
})

describe('token programs', () => {
  it('transfer, mint and burn', () => {
    const any = fc.tuple(anyAddress, anyAddress, anyAddress, anyAddress)
    fc.assert(
      fc.property(any, program, amount, decimals, ([a, b, m, o], id, raw, d) => {
        const common = { program: id, mint: m, amount: raw, decimals: d, authority: o }
        const k = key(id)
        same(
          moving.transferChecked({ ...common, source: a, destination: b }),
          token.createTransferCheckedInstruction(key(a), key(m), key(b), key(o), raw, d, [], k),
        )
        same(
          moving.mintToChecked({ ...common, destination: b }),
          token.createMintToCheckedInstruction(key(m), key(b), key(o), raw, d, [], k),
        )
        same(
          moving.burnChecked({ ...common, source: a }),
          token.createBurnCheckedInstruction(key(a), key(m), key(o), raw, d, [], k),
        )
      }),
      run,
    )
  })

  it('initialize and close accounts', () => {
    const any = fc.tuple(anyAddress, anyAddress, anyAddress, anyAddress)
    fc.assert(
      fc.property(any, program, decimals, optional, ([a, b, m, o], id, d, freeze) => {
        const k = key(id)
        const authority = { program: id, authority: o }
        same(
          life.initializeMint({ program: id, mint: m, decimals: d, mintAuthority: o, freezeAuthority: freeze }),
          token.createInitializeMint2Instruction(key(m), d, key(o), maybeKey(freeze), k),
        )
        same(life.initializeAccount(id, a, m, o), token.createInitializeAccount3Instruction(key(a), key(m), key(o), k))
        same(
          life.closeTokenAccount({ ...authority, account: a, destination: b }),
          token.createCloseAccountInstruction(key(a), key(b), key(o), [], k),
        )
        same(
          life.freezeTokenAccount({ ...authority, account: a, mint: m }),
          token.createFreezeAccountInstruction(key(a), key(m), key(o), [], k),
        )
        same(
          life.thawTokenAccount({ ...authority, account: a, mint: m }),
          token.createThawAccountInstruction(key(a), key(m), key(o), [], k),
        )
        for (const which of Object.keys(life.AUTHORITY_TYPES) as life.AuthorityType[]) {
          const number: number = life.AUTHORITY_TYPES[which]
          const stock = stockAuthorities.find((each) => each.valueOf() === number)!
          same(
            life.setAuthority({ ...authority, account: a, which, next: freeze }),
            token.createSetAuthorityInstruction(key(a), key(o), stock, maybeKey(freeze), [], k),
          )
        }
      }),
      { numRuns: 25 },
    )
  })

  it('initialize extensions', () => {
    fc.assert(
      fc.property(anyAddress, anyAddress, anyAddress, optional, positive, (m, a, b, maybe, multiplier) => {
        const mint = key(m)
        same(
          extension.initializeMetadataPointer(m, maybe, b),
          token.createInitializeMetadataPointerInstruction(mint, maybeKey(maybe), key(b), T22),
        )
        same(
          extension.initializeDefaultAccountState(m, 'FROZEN'),
          token.createInitializeDefaultAccountStateInstruction(mint, token.AccountState.Frozen, T22),
        )
        same(
          extension.initializeDefaultAccountState(m, 'INITIALIZED'),
          token.createInitializeDefaultAccountStateInstruction(mint, token.AccountState.Initialized, T22),
        )
        same(
          extension.initializePermanentDelegate(m, a),
          token.createInitializePermanentDelegateInstruction(mint, key(a), T22),
        )
        same(
          extension.initializeMintCloseAuthority(m, maybe),
          token.createInitializeMintCloseAuthorityInstruction(mint, maybeKey(maybe), T22),
        )
        same(extension.initializePausable(m, a), token.createInitializePausableConfigInstruction(mint, key(a), T22))
        same(
          extension.initializeScaledUiAmount(m, maybe, multiplier),
          token.createInitializeScaledUiAmountConfigInstruction(mint, maybeKey(maybe), multiplier, T22),
        )
        for (const program of [b, null])
          same(
            extension.initializeTransferHook(m, maybe, program),
            token.createInitializeTransferHookInstruction(mint, orZero(maybe), orZero(program), T22),
          )
      }),
      run,
    )
  })

  it('change extensions', () => {
    fc.assert(
      fc.property(anyAddress, anyAddress, anyAddress, positive, u32, (m, a, b, x, at) => {
        const mint = key(m)
        const request = { mint: m, authority: a }
        same(update.pauseMint(request), token.createPauseInstruction(mint, key(a), [], T22))
        same(update.resumeMint(request), token.createResumeInstruction(mint, key(a), [], T22))
        same(
          update.updateDefaultAccountState({ ...request, state: 'FROZEN' }),
          token.createUpdateDefaultAccountStateInstruction(mint, token.AccountState.Frozen, key(a), [], T22),
        )
        same(
          update.updateMultiplier({ ...request, multiplier: x, effectiveAt: BigInt(at) }),
          token.createUpdateMultiplierDataInstruction(mint, key(a), x, BigInt(at), [], T22),
        )
        for (const next of [b, null]) {
          same(
            update.updateTransferHook({ ...request, hookProgram: next }),
            token.createUpdateTransferHookInstruction(mint, key(a), orZero(next), [], T22),
          )
        }
        same(
          update.updateDefaultAccountState({ ...request, state: 'INITIALIZED' }),
          token.createUpdateDefaultAccountStateInstruction(mint, token.AccountState.Initialized, key(a), [], T22),
        )
      }),
      run,
    )
  })

  it('write metadata', () => {
    fc.assert(
      fc.property(
        anyAddress,
        anyAddress,
        anyAddress,
        text,
        text,
        fc.boolean(),
        optional,
        (m, a, b, one, two, flag, next) => {
          const common = { programId: T22, metadata: key(m), updateAuthority: key(a) }
          same(
            metadata.initializeMetadata({
              mint: m,
              mintAuthority: b,
              updateAuthority: a,
              name: one,
              symbol: two,
              uri: one,
            }),
            stockMetadata.createInitializeInstruction({
              ...common,
              mint: key(m),
              mintAuthority: key(b),
              name: one,
              symbol: two,
              uri: one,
            }),
          )
          for (const field of ['name', 'symbol', 'uri'] as const) {
            const stock = {
              name: stockMetadata.Field.Name,
              symbol: stockMetadata.Field.Symbol,
              uri: stockMetadata.Field.Uri,
            }[field]
            same(
              metadata.updateMetadataField(m, a, { field }, two),
              stockMetadata.createUpdateFieldInstruction({ ...common, field: stock, value: two }),
            )
          }
          const custom = `key ${one}`
          same(
            metadata.updateMetadataField(m, a, { key: custom }, two),
            stockMetadata.createUpdateFieldInstruction({ ...common, field: custom, value: two }),
          )
          same(
            metadata.removeMetadataKey(m, a, custom, flag),
            stockMetadata.createRemoveKeyInstruction({ ...common, key: custom, idempotent: flag }),
          )
          same(
            metadata.updateMetadataAuthority(m, a, next),
            stockMetadata.createUpdateAuthorityInstruction({
              programId: T22,
              metadata: key(m),
              oldAuthority: key(a),
              newAuthority: maybeKey(next),
            }),
          )
        },
      ),
      run,
    )
  })
})
