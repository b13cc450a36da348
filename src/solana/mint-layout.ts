/**
 * Decodes mints of both token programs with every extension the service offers; other extensions are listed by number.
 */
import { AccountBytes } from './account-bytes.ts'
import { FormatError } from './format-error.ts'
import { MINT_EXTENSIONS } from './mint-extensions.ts'
import type { MintExtension } from './mint-extensions.ts'
import { readExtensions, tokenVersionOf } from './token-layout.ts'
import type { TokenVersion } from './token-layout.ts'

const MINT_BYTES = 82
const MINT_TYPE = 1

export interface Mint {
  readonly version: TokenVersion
  readonly mintAuthority: string | null
  /** Raw units. */
  readonly supply: bigint
  readonly decimals: number
  readonly freezeAuthority: string | null
  /** Numbers of every extension on the mint; they determine the size of its token accounts. */
  readonly extensionTypes: readonly number[]
  readonly extensions: MintExtensions
}

/** Absent members are extensions that the mint does not have. A null authority was removed, or never set. */
export interface MintExtensions {
  readonly metadataPointer?: { readonly authority: string | null; readonly metadata: string | null }
  readonly metadata?: TokenMetadata
  readonly defaultState?: 'INITIALIZED' | 'FROZEN'
  readonly permanentDelegate?: { readonly delegate: string | null }
  readonly close?: { readonly authority: string | null }
  readonly pausable?: { readonly authority: string | null; readonly paused: boolean }
  readonly scaledUiAmount?: ScaledUiAmount
  readonly transferHook?: { readonly authority: string | null; readonly program: string | null }
  readonly confidentialTransfer?: { readonly authority: string | null }
}

export interface TokenMetadata {
  readonly updateAuthority: string | null
  readonly mint: string
  readonly name: string
  readonly symbol: string
  readonly uri: string
  readonly additional: readonly (readonly [key: string, value: string])[]
}

/** The multipliers are the doubles stored on chain: use them as exact rationals, never multiply amounts with them. */
export interface ScaledUiAmount {
  readonly authority: string | null
  readonly multiplier: number
  /** Replaces `multiplier` from this Unix second on. */
  readonly newMultiplierEffectiveAt: bigint
  readonly newMultiplier: number
}

/**
 * Decodes the value of the extension, which has the same layout wherever the token-metadata interface stores it.
 * @throws FormatError LAYOUT_MALFORMED
 */
export function readMetadata(value: AccountBytes): TokenMetadata {
  let at = 64
  const next = (): string => {
    const length = value.u32(at)
    const text = value.text(at + 4, length)
    at += 4 + length
    return text
  }
  const [name, symbol, uri] = [next(), next(), next()]
  const count = value.u32(at)
  at += 4
  if (count * 8 > value.length - at) throw new FormatError('LAYOUT_MALFORMED', 'the metadata names more pairs than fit')
  const additional: [string, string][] = []
  for (let i = 0; i < count; i++) additional.push([next(), next()])
  return { updateAuthority: value.optionalAddress(0), mint: value.address(32), name, symbol, uri, additional }
}

function readScaledUiAmount(value: AccountBytes): ScaledUiAmount {
  return {
    authority: value.optionalAddress(0),
    multiplier: value.f64(32),
    newMultiplierEffectiveAt: value.i64(40),
    newMultiplier: value.f64(48),
  }
}

const READERS: { readonly [K in MintExtension]: (value: AccountBytes) => MintExtensions } = {
  METADATA_POINTER: (value) => ({
    metadataPointer: { authority: value.optionalAddress(0), metadata: value.optionalAddress(32) },
  }),
  TOKEN_METADATA: (value) => ({ metadata: readMetadata(value) }),
  DEFAULT_ACCOUNT_STATE: (value) => ({ defaultState: value.u8(0) === 2 ? 'FROZEN' : 'INITIALIZED' }),
  PERMANENT_DELEGATE: (value) => ({ permanentDelegate: { delegate: value.optionalAddress(0) } }),
  MINT_CLOSE: (value) => ({ close: { authority: value.optionalAddress(0) } }),
  PAUSABLE: (value) => ({ pausable: { authority: value.optionalAddress(0), paused: value.flag(32) } }),
  SCALED_UI_AMOUNT: (value) => ({ scaledUiAmount: readScaledUiAmount(value) }),
  TRANSFER_HOOK: (value) => ({
    transferHook: { authority: value.optionalAddress(0), program: value.optionalAddress(32) },
  }),
  CONFIDENTIAL_TRANSFER: (value) => ({ confidentialTransfer: { authority: value.optionalAddress(0) } }),
  // Nothing that the service uses.
  CONFIDENTIAL_MINT_BURN: () => ({}),
}

/** The names of a mint's extensions, in the order of `MINT_EXTENSIONS`. */
export function extensionNames(mint: Mint): MintExtension[] {
  const types = new Set(mint.extensionTypes)
  return (Object.keys(MINT_EXTENSIONS) as MintExtension[]).filter((name) => types.has(MINT_EXTENSIONS[name].type))
}

/** The multiplier in effect at this time. */
export function multiplierAt(scaled: ScaledUiAmount, unixSeconds: bigint): number {
  return unixSeconds >= scaled.newMultiplierEffectiveAt ? scaled.newMultiplier : scaled.multiplier
}

/**
 * Decodes an initialized mint.
 * @param data the account's data
 * @param owner the program that owns the account
 * @throws FormatError LAYOUT_MALFORMED for anything else
 */
export function decodeMint(data: Uint8Array, owner: string): Mint {
  const version = tokenVersionOf(owner)
  const bytes = new AccountBytes(data)
  if (data.length < MINT_BYTES || (version === 'SPL' && data.length !== MINT_BYTES)) {
    throw new FormatError('LAYOUT_MALFORMED', 'the account is no mint')
  }
  const found = readExtensions(bytes, MINT_BYTES, MINT_TYPE)
  if (!bytes.flag(45)) throw new FormatError('LAYOUT_MALFORMED', 'the mint is not initialised')
  const parts = (Object.keys(MINT_EXTENSIONS) as MintExtension[]).map((name) => {
    const value = found.get(MINT_EXTENSIONS[name].type)
    return value ? READERS[name](value) : {}
  })
  return {
    version,
    mintAuthority: bytes.taggedAddress(0),
    supply: bytes.u64(36),
    decimals: bytes.u8(44),
    freezeAuthority: bytes.taggedAddress(46),
    extensionTypes: [...found.keys()],
    extensions: Object.assign({}, ...parts) as MintExtensions,
  }
}
