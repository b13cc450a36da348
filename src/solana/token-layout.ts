/** Decodes token accounts of both programs. Mints are in mint-layout.ts. */
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, addressBytes } from './address.ts'
import { AccountBytes } from './account-bytes.ts'
import { FormatError } from './format-error.ts'

const ACCOUNT_TYPE_OFFSET = 165
const LIST_OFFSET = 166
const MULTISIG_BYTES = 355
const ACCOUNT_TYPE = 2

export type TokenVersion = 'SPL' | 'TOKEN_2022'

export interface TokenAccount {
  readonly version: TokenVersion
  readonly mint: string
  readonly owner: string
  /** Raw units. */
  readonly amount: bigint
  readonly state: 'INITIALIZED' | 'FROZEN'
  readonly delegate: string | null
  readonly closeAuthority: string | null
}

/**
 * The token version of the program that owns an account.
 * @throws FormatError LAYOUT_MALFORMED when it is neither token program
 */
export function tokenVersionOf(owner: string): TokenVersion {
  if (owner === TOKEN_PROGRAM) return 'SPL'
  if (owner === TOKEN_2022_PROGRAM) return 'TOKEN_2022'
  throw new FormatError('LAYOUT_MALFORMED', 'the account belongs to no token program')
}

/**
 * The extensions after the base layout, by type number. A zero type ends the list; the rest is padding.
 * @param accountType 1 for a mint, 2 for a token account, checked against the byte before the list
 * @throws FormatError LAYOUT_MALFORMED
 */
export function readExtensions(
  bytes: AccountBytes,
  baseBytes: number,
  accountType: 1 | 2,
): ReadonlyMap<number, AccountBytes> {
  const found = new Map<number, AccountBytes>()
  if (bytes.length === baseBytes) return found
  if (
    bytes.length <= ACCOUNT_TYPE_OFFSET ||
    bytes.length === MULTISIG_BYTES ||
    bytes.u8(ACCOUNT_TYPE_OFFSET) !== accountType
  ) {
    throw new FormatError(
      'LAYOUT_MALFORMED',
      accountType === 1 ? 'the account is no mint' : 'the account is no token account',
    )
  }
  let at = LIST_OFFSET
  while (at + 4 <= bytes.length) {
    const type = bytes.u16(at)
    if (type === 0) break
    const length = bytes.u16(at + 2)
    found.set(type, bytes.part(at + 4, length))
    at += 4 + length
  }
  return found
}

/**
 * Decodes an initialized token account.
 * @param data the account's data
 * @param owner the program that owns the account
 * @throws FormatError LAYOUT_MALFORMED for anything else
 */
export function decodeTokenAccount(data: Uint8Array, owner: string): TokenAccount {
  const version = tokenVersionOf(owner)
  const bytes = new AccountBytes(data)
  if (data.length < ACCOUNT_TYPE_OFFSET || (version === 'SPL' && data.length !== ACCOUNT_TYPE_OFFSET)) {
    throw new FormatError('LAYOUT_MALFORMED', 'the account is no token account')
  }
  readExtensions(bytes, ACCOUNT_TYPE_OFFSET, ACCOUNT_TYPE)
  const state = bytes.u8(108)
  if (state !== 1 && state !== 2) throw new FormatError('LAYOUT_MALFORMED', 'the token account is not initialised')
  return {
    version,
    mint: bytes.address(0),
    owner: bytes.address(32),
    amount: bytes.u64(64),
    state: state === 2 ? 'FROZEN' : 'INITIALIZED',
    delegate: bytes.taggedAddress(72),
    closeAuthority: bytes.taggedAddress(129),
  }
}

/** The base layout of a newly created token account, for addresses derived from the account before it exists. */
export function newTokenAccount(mint: string, owner: string): Uint8Array {
  const data = new Uint8Array(ACCOUNT_TYPE_OFFSET)
  data.set(addressBytes(mint), 0)
  data.set(addressBytes(owner), 32)
  data[108] = 1
  return data
}
