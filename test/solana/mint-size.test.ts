import { ExtensionType, getAccountLen, getAccountTypeOfMintType, getMintLen } from '@solana/spl-token'
import { pack } from '@solana/spl-token-metadata'
import { PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MINT_EXTENSIONS } from '../../src/solana/mint-extensions.ts'
import type { MintExtension } from '../../src/solana/mint-extensions.ts'
import {
  associatedAccountBytes,
  extensionConflict,
  extensionTypesOf,
  metadataBytes,
  mintSize,
  plainAccountBytes,
} from '../../src/solana/mint-size.ts'

const names = Object.keys(MINT_EXTENSIONS) as MintExtension[]
const stock = Object.values(ExtensionType).filter((value) => typeof value === 'number')
const empty = { name: '', symbol: '', uri: '', additional: [] }

describe('sizes of mints', () => {
  it('agree with the library for extensions that the library supports', () => {
    const knownNames = names.filter((name) => name !== 'CONFIDENTIAL_MINT_BURN' && name !== 'TOKEN_METADATA')
    fc.assert(
      fc.property(fc.subarray(knownNames), (chosen) => {
        const types: readonly number[] = extensionTypesOf(chosen)
        const expected = getMintLen(stock.filter((type) => types.includes(type)))
        expect(mintSize(chosen)).toEqual({ allocationBytes: expected, finalBytes: expected })
      }),
    )
  })

  it('agree with the library about metadata', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 80 })
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.array(fc.tuple(text, text), { maxLength: 4 }),
        (name, symbol, uri, additional) => {
          const metadata = { name, symbol, uri, additional }
          const packed = pack({ name, symbol, uri, mint: PublicKey.default, additionalMetadata: additional })
          expect(metadataBytes(metadata)).toBe(packed.length)
          const pointer = [ExtensionType.MetadataPointer]
          expect(mintSize([], metadata).allocationBytes).toBe(getMintLen(pointer))
          expect(mintSize([], metadata).finalBytes).toBe(
            getMintLen(pointer, { [ExtensionType.TokenMetadata]: metadataBytes(metadata) }),
          )
        },
      ),
    )
  })

  it('equal the measured sizes', () => {
    expect(mintSize([]).allocationBytes).toBe(82)
    expect(mintSize(['CONFIDENTIAL_TRANSFER', 'CONFIDENTIAL_MINT_BURN']).allocationBytes).toBe(435)
    const fixed = names.filter((name) => name !== 'TOKEN_METADATA')
    expect(mintSize(fixed).allocationBytes).toBe(745)
    expect(mintSize(fixed.filter((name) => name !== 'CONFIDENTIAL_MINT_BURN')).allocationBytes).toBe(545)
    expect(mintSize([], { ...empty, name: 'Name', symbol: 'SYM' })).toEqual({ allocationBytes: 234, finalBytes: 325 })
    expect(mintSize(['TOKEN_METADATA'])).toEqual(mintSize([], empty))
  })

  it('skip the size of a multisig', () => {
    const final = (bytes: number): number =>
      mintSize([], { ...empty, uri: 'u'.repeat(bytes - metadataBytes(empty)) }).finalBytes
    expect([final(116), final(117), final(118)]).toEqual([354, 357, 356])
  })

  it('agree with the library about token accounts', () => {
    // The library adds the extension for confidential transfers, which an account has only after its owner set it up.
    const knownTypes = stock.filter(
      (type) =>
        type !== ExtensionType.ConfidentialTransferMint &&
        getAccountTypeOfMintType(type) !== ExtensionType.Uninitialized,
    )
    expect(knownTypes.length).toBeGreaterThan(3)
    const others = stock.filter((type) => getAccountTypeOfMintType(type) === ExtensionType.Uninitialized)
    fc.assert(
      fc.property(fc.subarray(knownTypes), fc.subarray(others), (adding, silent) => {
        const required = adding.map(getAccountTypeOfMintType)
        // A non-transferable token cannot change its owner either.
        const owned = adding.includes(ExtensionType.NonTransferable) ? [ExtensionType.ImmutableOwner] : []
        const types = [...adding, ...silent]
        expect(plainAccountBytes(types)).toBe(getAccountLen([...required, ...owned]))
        expect(associatedAccountBytes(types)).toBe(getAccountLen([...required, ExtensionType.ImmutableOwner]))
      }),
    )
  })

  it('equal the measured sizes of token accounts', () => {
    const associated = (...chosen: MintExtension[]): number => associatedAccountBytes(extensionTypesOf(chosen))
    expect(associatedAccountBytes(null)).toBe(165)
    expect(associated()).toBe(170)
    expect(associated('PERMANENT_DELEGATE', 'DEFAULT_ACCOUNT_STATE', 'CONFIDENTIAL_TRANSFER')).toBe(170)
    expect(associated('PAUSABLE')).toBe(174)
    expect(associated('TRANSFER_HOOK')).toBe(175)
    expect(associated('TRANSFER_HOOK', 'PAUSABLE')).toBe(179)
    expect(plainAccountBytes(null)).toBe(165)
    expect(plainAccountBytes([])).toBe(165)
    expect(plainAccountBytes(extensionTypesOf(['PAUSABLE']))).toBe(170)
    expect(plainAccountBytes([9])).toBe(174)
  })

  it('are refused for extensions that exclude each other', () => {
    expect(extensionConflict(new Set(['CONFIDENTIAL_MINT_BURN']))).toContain('CONFIDENTIAL_TRANSFER')
    expect(extensionConflict(new Set(names))).toBeNull()
  })
})
