// The readers of account data compared with the libraries, which write and read the accounts.
import {
  AccountLayout,
  AccountState,
  DefaultAccountStateLayout,
  ExtensionType,
  getDefaultAccountState,
  getExtensionTypes,
  getMetadataPointerState,
  getMintCloseAuthority,
  getPausableConfig,
  getPermanentDelegate,
  getScaledUiAmountConfig,
  getTransferHook,
  MetadataPointerLayout,
  MintCloseAuthorityLayout,
  MintLayout,
  PausableConfigLayout,
  PermanentDelegateLayout,
  ScaledUiAmountConfigLayout,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  TransferHookLayout,
  unpackAccount,
  unpackMint,
  type Mint as StockMint,
} from '@solana/spl-token'
import { pack, unpack } from '@solana/spl-token-metadata'
import { AddressLookupTableAccount, NonceAccount, PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../src/solana/address.ts'
import { decodeMetadataAccount } from '../../src/solana/metadata-account.ts'
import { decodeMint } from '../../src/solana/mint-layout.ts'
import { decodeLookupTable, decodeNonce } from '../../src/solana/system-layout.ts'
import { decodeTokenAccount, newTokenAccount } from '../../src/solana/token-layout.ts'
import { amount, anyAddress, bytes32, key } from './arbitraries.ts'

const PLACE = new PublicKey('4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM')
const optional = fc.option(anyAddress, { nil: null })
const text = fc.string({ unit: 'grapheme', maxLength: 40 })
const orZero = (address: string | null): PublicKey => (address === null ? PublicKey.default : key(address))
const orNull = (address: PublicKey): string | null => (address.equals(PublicKey.default) ? null : address.toBase58())
const info = (data: Uint8Array, owner: PublicKey) => ({
  data: Buffer.from(data),
  owner,
  lamports: 1,
  executable: false,
})

interface Layout {
  readonly span: number
  encode(value: object, buffer: Buffer): number
}

function encode(layout: unknown, value: object): Buffer {
  const buffer = Buffer.alloc((layout as Layout).span)
  ;(layout as Layout).encode(value, buffer)
  return buffer
}

/** The account with its extensions, as the program lays them out. */
function extend(base: Buffer, kind: 1 | 2, extensions: readonly (readonly [ExtensionType, Buffer])[]): Buffer {
  const entries = extensions.map(([type, value]) => {
    const header = Buffer.alloc(4)
    header.writeUInt16LE(type, 0)
    header.writeUInt16LE(value.length, 2)
    return Buffer.concat([header, value])
  })
  return Buffer.concat([base, Buffer.alloc(165 - base.length), Buffer.of(kind), ...entries])
}

const mintBase = fc
  .record({ authority: optional, supply: amount, decimals: fc.nat(255), freeze: optional })
  .map(({ authority, supply, decimals, freeze }) =>
    encode(MintLayout, {
      mintAuthorityOption: authority === null ? 0 : 1,
      mintAuthority: orZero(authority),
      supply,
      decimals,
      isInitialized: true,
      freezeAuthorityOption: freeze === null ? 0 : 1,
      freezeAuthority: orZero(freeze),
    }),
  )

const metadata = fc.record({
  updateAuthority: optional,
  mint: anyAddress,
  name: text,
  symbol: text,
  uri: text,
  additional: fc.array(fc.tuple(text, text), { maxLength: 3 }),
})
const packed = fc.tuple(metadata).map(([{ updateAuthority, mint, additional, ...texts }]) =>
  Buffer.from(
    pack({
      ...(updateAuthority === null ? {} : { updateAuthority: key(updateAuthority) }),
      mint: key(mint),
      ...texts,
      additionalMetadata: additional,
    }),
  ),
)

const two = fc.tuple(optional, optional)
const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null })
const extensions = fc.record({
  pointer: some(
    two.map(([a, b]) => encode(MetadataPointerLayout, { authority: orZero(a), metadataAddress: orZero(b) })),
  ),
  close: some(optional.map((a) => encode(MintCloseAuthorityLayout, { closeAuthority: orZero(a) }))),
  state: some(
    fc
      .constantFrom(AccountState.Initialized, AccountState.Frozen)
      .map((state) => encode(DefaultAccountStateLayout, { state })),
  ),
  delegate: some(optional.map((a) => encode(PermanentDelegateLayout, { delegate: orZero(a) }))),
  pausable: some(
    fc
      .tuple(optional, fc.boolean())
      .map(([a, paused]) => encode(PausableConfigLayout, { authority: orZero(a), paused })),
  ),
  scaled: some(
    fc
      .record({
        authority: optional.map(orZero),
        multiplier: fc.double({ noNaN: true, min: 1e-9, max: 1e9 }),
        newMultiplierEffectiveTimestamp: fc.bigInt({ min: 0n, max: 1n << 62n }),
        newMultiplier: fc.double({ noNaN: true, min: 1e-9, max: 1e9 }),
      })
      .map((value) => encode(ScaledUiAmountConfigLayout, value)),
  ),
  hook: some(two.map(([a, b]) => encode(TransferHookLayout, { authority: orZero(a), programId: orZero(b) }))),
  metadata: some(packed),
})
const TYPES = {
  pointer: ExtensionType.MetadataPointer,
  close: ExtensionType.MintCloseAuthority,
  state: ExtensionType.DefaultAccountState,
  delegate: ExtensionType.PermanentDelegate,
  pausable: ExtensionType.PausableConfig,
  scaled: ExtensionType.ScaledUiAmountConfig,
  hook: ExtensionType.TransferHook,
  metadata: ExtensionType.TokenMetadata,
} as const

function base({ mintAuthority, supply, decimals, freezeAuthority }: StockMint): object {
  return {
    mintAuthority: mintAuthority?.toBase58() ?? null,
    supply,
    decimals,
    freezeAuthority: freezeAuthority?.toBase58() ?? null,
  }
}

function stockMetadata(value: Buffer): object {
  const { updateAuthority, mint, name, symbol, uri, additionalMetadata } = unpack(value)
  return {
    updateAuthority: updateAuthority?.toBase58() ?? null,
    mint: mint.toBase58(),
    name,
    symbol,
    uri,
    additional: additionalMetadata,
  }
}

describe('a mint', () => {
  it('of the first program is parsed like in the library', () => {
    fc.assert(
      fc.property(mintBase, (data) => {
        const stock = unpackMint(PLACE, info(data, TOKEN_PROGRAM_ID), TOKEN_PROGRAM_ID)
        expect(decodeMint(data, TOKEN_PROGRAM)).toEqual({
          ...base(stock),
          version: 'SPL',
          extensionTypes: [],
          extensions: {},
        })
      }),
    )
  })

  it('with extensions is parsed like in the library', () => {
    fc.assert(
      fc.property(mintBase, extensions, (start, values) => {
        const entries = Object.entries(values).flatMap(([name, value]) =>
          value === null ? [] : [[TYPES[name as keyof typeof TYPES], value] as const],
        )
        const data = entries.length === 0 ? start : extend(start, 1, entries)
        fc.pre(data.length !== 355)
        const stock = unpackMint(PLACE, info(data, TOKEN_2022_PROGRAM_ID), TOKEN_2022_PROGRAM_ID)
        const read = decodeMint(data, TOKEN_2022_PROGRAM)
        expect(read).toMatchObject({ ...base(stock), version: 'TOKEN_2022' })
        expect(read.extensionTypes).toEqual(getExtensionTypes(stock.tlvData))
        const pointer = getMetadataPointerState(stock)
        const close = getMintCloseAuthority(stock)
        const state = getDefaultAccountState(stock)
        const delegate = getPermanentDelegate(stock)
        const pausable = getPausableConfig(stock)
        const scaled = getScaledUiAmountConfig(stock)
        const hook = getTransferHook(stock)
        expect(read.extensions).toEqual({
          ...(pointer === null
            ? {}
            : {
                metadataPointer: {
                  authority: pointer.authority?.toBase58() ?? null,
                  metadata: pointer.metadataAddress?.toBase58() ?? null,
                },
              }),
          ...(close === null ? {} : { close: { authority: orNull(close.closeAuthority) } }),
          ...(state === null ? {} : { defaultState: state.state === AccountState.Frozen ? 'FROZEN' : 'INITIALIZED' }),
          ...(delegate === null ? {} : { permanentDelegate: { delegate: orNull(delegate.delegate) } }),
          ...(pausable === null
            ? {}
            : { pausable: { authority: orNull(pausable.authority), paused: pausable.paused } }),
          ...(scaled === null
            ? {}
            : {
                scaledUiAmount: {
                  authority: orNull(scaled.authority),
                  multiplier: scaled.multiplier,
                  newMultiplierEffectiveAt: scaled.newMultiplierEffectiveTimestamp,
                  newMultiplier: scaled.newMultiplier,
                },
              }),
          ...(hook === null
            ? {}
            : { transferHook: { authority: orNull(hook.authority), program: orNull(hook.programId) } }),
          ...(values.metadata === null ? {} : { metadata: stockMetadata(values.metadata) }),
        })
        expect(decodeMetadataAccount(data, TOKEN_2022_PROGRAM)).toEqual(
          values.metadata === null ? null : stockMetadata(values.metadata),
        )
      }),
      { numRuns: 300 },
    )
  })
})

describe('a token account', () => {
  const account = fc.record({
    mint: anyAddress,
    owner: anyAddress,
    amount,
    delegate: optional,
    state: fc.constantFrom(AccountState.Initialized, AccountState.Frozen),
    reserve: fc.option(amount, { nil: null }),
    delegatedAmount: amount,
    close: optional,
  })
  const accountExtensions = fc.record({
    owner: fc.boolean(),
    memo: fc.option(fc.boolean(), { nil: null }),
    withheld: fc.option(amount, { nil: null }),
  })

  it('is parsed like in the library', () => {
    fc.assert(
      fc.property(account, accountExtensions, (fields, { owner, memo, withheld }) => {
        const start = encode(AccountLayout, {
          mint: key(fields.mint),
          owner: key(fields.owner),
          amount: fields.amount,
          delegateOption: fields.delegate === null ? 0 : 1,
          delegate: orZero(fields.delegate),
          state: fields.state,
          isNativeOption: fields.reserve === null ? 0 : 1,
          isNative: fields.reserve ?? 0n,
          delegatedAmount: fields.delegatedAmount,
          closeAuthorityOption: fields.close === null ? 0 : 1,
          closeAuthority: orZero(fields.close),
        })
        const fee = Buffer.alloc(8)
        fee.writeBigUInt64LE(withheld ?? 0n)
        const entries = [
          ...(owner ? [[ExtensionType.ImmutableOwner, Buffer.alloc(0)] as const] : []),
          ...(memo === null ? [] : [[ExtensionType.MemoTransfer, Buffer.of(memo ? 1 : 0)] as const]),
          ...(withheld === null ? [] : [[ExtensionType.TransferFeeAmount, fee] as const]),
        ]
        const data = entries.length === 0 ? start : extend(start, 2, entries)
        const stock = unpackAccount(PLACE, info(data, TOKEN_2022_PROGRAM_ID), TOKEN_2022_PROGRAM_ID)
        const read = decodeTokenAccount(data, TOKEN_2022_PROGRAM)
        expect(read).toEqual({
          version: 'TOKEN_2022',
          mint: stock.mint.toBase58(),
          owner: stock.owner.toBase58(),
          amount: stock.amount,
          state: stock.isFrozen ? 'FROZEN' : 'INITIALIZED',
          delegate: stock.delegate?.toBase58() ?? null,
          closeAuthority: stock.closeAuthority?.toBase58() ?? null,
        })
        if (entries.length === 0) expect(decodeTokenAccount(data, TOKEN_PROGRAM)).toEqual({ ...read, version: 'SPL' })
      }),
    )
  })

  it('that is new has the owner and the mint that the library parses', () => {
    fc.assert(
      fc.property(anyAddress, anyAddress, (mint, owner) => {
        const stock = unpackAccount(PLACE, info(newTokenAccount(mint, owner), TOKEN_PROGRAM_ID), TOKEN_PROGRAM_ID)
        expect([stock.mint.toBase58(), stock.owner.toBase58()]).toEqual([mint, owner])
        expect([stock.amount, stock.isInitialized, stock.delegate]).toEqual([0n, true, null])
      }),
    )
  })
})

describe('system accounts', () => {
  it('a nonce is parsed like in the library', () => {
    fc.assert(
      fc.property(bytes32, bytes32, fc.nat(), (authority, value, fee) => {
        const data = Buffer.alloc(80)
        data.writeUInt32LE(1, 0)
        data.writeUInt32LE(1, 4)
        data.set(authority, 8)
        data.set(value, 40)
        data.writeBigUInt64LE(BigInt(fee), 72)
        const stock = NonceAccount.fromAccountData(data)
        expect(decodeNonce(data, SYSTEM_PROGRAM)).toEqual({
          authority: stock.authorizedPubkey.toBase58(),
          value: stock.nonce,
        })
      }),
    )
  })

  it('a lookup table is parsed like in the library', () => {
    const slot = fc.bigInt({ min: 0n, max: 1n << 52n })
    const table = fc.record({
      deactivation: fc.option(slot, { nil: null }),
      extended: slot,
      start: fc.nat(255),
      authority: optional,
      addresses: fc.array(anyAddress, { maxLength: 20 }),
    })
    fc.assert(
      fc.property(table, ({ deactivation, extended: slotExtended, start, authority, addresses }) => {
        const data = Buffer.alloc(56 + 32 * addresses.length)
        data.writeUInt32LE(1, 0)
        data.writeBigUInt64LE(deactivation ?? (1n << 64n) - 1n, 4)
        data.writeBigUInt64LE(slotExtended, 12)
        data.writeUInt8(start, 20)
        data.writeUInt8(authority === null ? 0 : 1, 21)
        data.set(orZero(authority).toBytes(), 22)
        for (const [index, address] of addresses.entries()) data.set(key(address).toBytes(), 56 + 32 * index)
        const stock = AddressLookupTableAccount.deserialize(data)
        expect(decodeLookupTable(data, LOOKUP_TABLE_PROGRAM)).toEqual({
          authority: stock.authority?.toBase58() ?? null,
          deactivationSlot: deactivation,
          lastExtendedSlot: BigInt(stock.lastExtendedSlot),
          lastExtendedStart: stock.lastExtendedSlotStartIndex,
          addresses: stock.addresses.map((each) => each.toBase58()),
        })
        expect(new AddressLookupTableAccount({ key: PLACE, state: stock }).isActive()).toBe(deactivation === null)
      }),
    )
  })
})
