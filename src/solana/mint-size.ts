/**
 * Sizes of Token-2022 mints and token accounts, in bytes. Source: `ExtensionType::try_calculate_account_len` and
 * `adjust_len_for_multisig` of the token-2022 interface. With an extension both kinds are padded to 165 bytes, followed
 * by a type byte and the list of extensions: type u16, length u16, value.
 */
import { MINT_EXTENSIONS } from './mint-extensions.ts'
import type { MintExtension } from './mint-extensions.ts'

const MINT_BYTES = 82
const TOKEN_ACCOUNT_BYTES = 165

/** Size of a token multisig; no other account may have this size. */
const MULTISIG_BYTES = 355
const LIST_OFFSET = 166
const ENTRY_HEADER_BYTES = 4
const EXTENSION_TYPE_BYTES = 2

/** The length of an extension is a u16. */
export const METADATA_LIMIT_BYTES = 65_535

export interface MintMetadata {
  readonly name: string
  readonly symbol: string
  readonly uri: string
  readonly additional: readonly (readonly [key: string, value: string])[]
}

export interface MintSize {
  /** What `createAccount` must allocate: exactly this, without the metadata, or the program rejects the mint. */
  readonly allocationBytes: number
  /**
   * Size of the mint with its metadata. The mint must hold the rent for this size from the start, since no later
   * instruction adds lamports.
   */
  readonly finalBytes: number
}

const textBytes = (text: string): number => 4 + Buffer.byteLength(text)

/**
 * Length of the metadata value: update authority, mint, three texts, and the number of pairs and the pairs. UTF-8
 * bytes, not characters.
 */
export function metadataBytes(metadata: MintMetadata): number {
  const fixed = 32 + 32 + textBytes(metadata.name) + textBytes(metadata.symbol) + textBytes(metadata.uri) + 4
  return metadata.additional.reduce((sum, [key, value]) => sum + textBytes(key) + textBytes(value), fixed)
}

function extendedBytes(base: number, valueBytes: readonly number[]): number {
  if (valueBytes.length === 0) return base
  const length = valueBytes.reduce((sum, bytes) => sum + ENTRY_HEADER_BYTES + bytes, LIST_OFFSET)
  return length === MULTISIG_BYTES ? length + EXTENSION_TYPE_BYTES : length
}

/**
 * @param extensions names, each counted once; `TOKEN_METADATA` without `metadata` counts as empty metadata
 * @param metadata implies `METADATA_POINTER` and `TOKEN_METADATA`
 */
export function mintSize(extensions: Iterable<MintExtension>, metadata?: MintMetadata): MintSize {
  const names = new Set(extensions)
  if (metadata) names.add('TOKEN_METADATA')
  if (names.has('TOKEN_METADATA')) names.add('METADATA_POINTER')
  const fixed: number[] = []
  for (const name of names) {
    const { valueBytes } = MINT_EXTENSIONS[name]
    if (valueBytes !== null) fixed.push(valueBytes)
  }
  const allocationBytes = extendedBytes(MINT_BYTES, fixed)
  if (!names.has('TOKEN_METADATA')) return { allocationBytes, finalBytes: allocationBytes }
  const value = metadataBytes(metadata ?? { name: '', symbol: '', uri: '', additional: [] })
  return { allocationBytes, finalBytes: extendedBytes(MINT_BYTES, [...fixed, value]) }
}

/**
 * Why a mint cannot have these extensions together, or null. Source: `check_for_invalid_mint_extension_combinations`.
 */
export function extensionConflict(extensions: ReadonlySet<MintExtension>): string | null {
  const confidential = extensions.has('CONFIDENTIAL_TRANSFER')
  if (extensions.has('CONFIDENTIAL_MINT_BURN') && !confidential)
    return 'CONFIDENTIAL_MINT_BURN needs CONFIDENTIAL_TRANSFER'
  return null
}

/**
 * Extensions that each extension type of a mint adds to its token accounts: value bytes of every added extension, by
 * the mint's type number.
 */
const REQUIRED_ON_ACCOUNT: ReadonlyMap<number, readonly number[]> = new Map([
  [1, [8]], // transfer fee: the amount withheld
  [9, [0]], // non-transferable, beside the immutable owner
  [14, [1]], // transfer hook: a flag while transferring
  [26, [0]], // pausable
])

/**
 * Size of an associated token account, which on Token-2022 always has an immutable owner.
 * @param mintExtensionTypes type numbers on the mint (`extensionTypes` of a decoded mint), or null for a classic mint
 */
export function associatedAccountBytes(mintExtensionTypes: Iterable<number> | null): number {
  if (mintExtensionTypes === null) return TOKEN_ACCOUNT_BYTES
  const values = [0]
  for (const type of mintExtensionTypes) values.push(...(REQUIRED_ON_ACCOUNT.get(type) ?? []))
  return extendedBytes(TOKEN_ACCOUNT_BYTES, values)
}

/** Size of a token account at an address of its own: without the immutable owner, unless the mint requires one. */
export function plainAccountBytes(mintExtensionTypes: Iterable<number> | null): number {
  if (mintExtensionTypes === null) return TOKEN_ACCOUNT_BYTES
  const types = [...mintExtensionTypes]
  const values = types.flatMap((type) => REQUIRED_ON_ACCOUNT.get(type) ?? [])
  if (types.includes(9)) values.push(0)
  return extendedBytes(TOKEN_ACCOUNT_BYTES, values)
}

/** Type numbers of named extensions. */
export function extensionTypesOf(extensions: Iterable<MintExtension>): number[] {
  return Array.from(extensions, (name) => MINT_EXTENSIONS[name].type)
}
