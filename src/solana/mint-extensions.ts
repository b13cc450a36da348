/**
 * The Token-2022 mint extensions that the service offers: their names in the API, and their type and length on chain.
 */
export interface ExtensionPlace {
  /** Type number in the TLV list of a mint. */
  readonly type: number
  /** Length of the value in bytes; null if it depends on the content. */
  readonly valueBytes: number | null
}

export const MINT_EXTENSIONS = {
  MINT_CLOSE: { type: 3, valueBytes: 32 },
  CONFIDENTIAL_TRANSFER: { type: 4, valueBytes: 65 },
  DEFAULT_ACCOUNT_STATE: { type: 6, valueBytes: 1 },
  PERMANENT_DELEGATE: { type: 12, valueBytes: 32 },
  TRANSFER_HOOK: { type: 14, valueBytes: 64 },
  METADATA_POINTER: { type: 18, valueBytes: 64 },
  TOKEN_METADATA: { type: 19, valueBytes: null },
  CONFIDENTIAL_MINT_BURN: { type: 24, valueBytes: 196 },
  SCALED_UI_AMOUNT: { type: 25, valueBytes: 56 },
  PAUSABLE: { type: 26, valueBytes: 33 },
} as const satisfies Record<string, ExtensionPlace>

export type MintExtension = keyof typeof MINT_EXTENSIONS

/** Extensions that the service does not offer. */
const OTHERS: Readonly<Record<number, string>> = {
  1: 'TRANSFER_FEE',
  9: 'NON_TRANSFERABLE',
  10: 'INTEREST_BEARING',
  16: 'CONFIDENTIAL_TRANSFER_FEE',
  20: 'GROUP_POINTER',
  21: 'TOKEN_GROUP',
  22: 'GROUP_MEMBER_POINTER',
  23: 'TOKEN_GROUP_MEMBER',
  28: 'PERMISSIONED_BURN',
}

/** Names of the extensions among these types that the service does not offer. */
export function unsupportedExtensions(types: Iterable<number>): string[] {
  const offered = new Set<number>(Object.values(MINT_EXTENSIONS).map(({ type }) => type))
  return Array.from(types)
    .filter((type) => !offered.has(type))
    .map((type) => OTHERS[type] ?? `EXTENSION_${type}`)
}
