/**
 * Addresses: base58 text everywhere in the service, 32 bytes only in messages and account data. Both directions are
 * cached. Guarantees one spelling per address: text that is not the canonical base58 of exactly 32 bytes is rejected.
 */
import { decodeBase58, encodeBase58 } from './base58.ts'
import { BoundedCache } from './bounded-cache.ts'
import { FormatError } from './format-error.ts'

export const SYSTEM_PROGRAM = '11111111111111111111111111111111'
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111'
export const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111'
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
export const MEMO_V1_PROGRAM = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'
export const MEMO_V4_PROGRAM = 'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH'
export const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111'
export const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111'
export const SLOT_HASHES_SYSVAR = 'SysvarS1otHashes111111111111111111111111111'
export const RECENT_BLOCKHASHES_SYSVAR = 'SysvarRecentB1ockHashes11111111111111111111'

/** Mints of wrapped network currency: the tokens of such an account are lamports that it holds. */
export const NATIVE_MINTS: ReadonlySet<string> = new Set([
  'So11111111111111111111111111111111111111112',
  '9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9',
])

/** 32 zero bytes as text, which several layouts use for "none". */
export const ZERO_ADDRESS = SYSTEM_PROGRAM

const ADDRESS_BYTES = 32
const SIGNATURE_BYTES = 64
const CACHED_ADDRESSES = 65_536
const TEXT_SLOTS = 16_384

const bytesByText = new BoundedCache<Uint8Array>(CACHED_ADDRESSES)

function decode(address: string): Uint8Array | null {
  const cached = bytesByText.get(address)
  if (cached) return cached
  const bytes = address.length <= 44 ? decodeBase58(address, ADDRESS_BYTES) : null
  if (bytes) bytesByText.set(address, bytes)
  return bytes
}

/**
 * The 32 bytes of an address (or of a blockhash). The array is shared with other callers: copy it before changing it.
 * @throws FormatError ADDRESS_MALFORMED
 */
export function addressBytes(address: string): Uint8Array {
  const bytes = decode(address)
  if (!bytes) throw new FormatError('ADDRESS_MALFORMED', 'not the base58 text of a 32-byte address')
  return bytes
}

/** Whether the text is the base58 of exactly 32 bytes. Does not check the curve or the chain. */
export function isAddress(text: string): boolean {
  return decode(text) !== null
}

// Direct-mapped by four bytes of the key: a hit returns an existing string, whose hash the JavaScript engine has
// already computed.
const slotBytes: (Uint8Array | undefined)[] = new Array<undefined>(TEXT_SLOTS)
const slotText: string[] = new Array<string>(TEXT_SLOTS)

function sameBytes(a: Uint8Array, b: Uint8Array, offset: number): boolean {
  for (let i = 0; i < ADDRESS_BYTES; i++) if (a[i] !== b[offset + i]) return false
  return true
}

/**
 * The base58 text of the 32 bytes at `offset`.
 * @throws FormatError ADDRESS_MALFORMED when fewer than 32 bytes follow
 */
export function addressOf(bytes: Uint8Array, offset = 0): string {
  if (offset < 0 || offset + ADDRESS_BYTES > bytes.length)
    throw new FormatError('ADDRESS_MALFORMED', 'an address has 32 bytes')
  const slot = (bytes[offset]! | (bytes[offset + 9]! << 8) | (bytes[offset + 31]! << 5)) & (TEXT_SLOTS - 1)
  const held = slotBytes[slot]
  if (held && sameBytes(held, bytes, offset)) return slotText[slot]!
  const copy = bytes.slice(offset, offset + ADDRESS_BYTES)
  const text = encodeBase58(copy)
  slotBytes[slot] = copy
  slotText[slot] = text
  return text
}

/**
 * The base58 text of a 64-byte signature. The first signature of a transaction is also its id.
 * @throws FormatError MALFORMED
 */
export function signatureText(signature: Uint8Array): string {
  if (signature.length !== SIGNATURE_BYTES) throw new FormatError('MALFORMED', 'a signature has 64 bytes')
  return encodeBase58(signature)
}

/**
 * The 64 bytes of a base58 signature.
 * @throws FormatError MALFORMED
 */
export function signatureBytes(text: string): Uint8Array {
  const bytes = decodeBase58(text, SIGNATURE_BYTES)
  if (!bytes) throw new FormatError('MALFORMED', 'not the base58 text of a 64-byte signature')
  return bytes
}
