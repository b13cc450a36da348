/** Decodes durable nonces, lookup tables, and the SlotHashes sysvar with the slots that a table can refer to. */
import { AccountBytes } from './account-bytes.ts'
import { LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from './address.ts'
import { FormatError } from './format-error.ts'

const NONCE_BYTES = 80
const TABLE_META_BYTES = 56
const ACTIVE = 0xffff_ffff_ffff_ffffn

export interface DecodedNonce {
  readonly authority: string
  /** The value that a message carries in place of a blockhash. */
  readonly value: string
}

/**
 * Decodes an initialized nonce account of the current version.
 * @throws FormatError LAYOUT_MALFORMED for anything else
 */
export function decodeNonce(data: Uint8Array, owner: string): DecodedNonce {
  const bytes = new AccountBytes(data)
  const initialised =
    owner === SYSTEM_PROGRAM && data.length === NONCE_BYTES && bytes.u32(0) === 1 && bytes.u32(4) === 1
  if (!initialised) throw new FormatError('LAYOUT_MALFORMED', 'the account is no initialised nonce account')
  return { authority: bytes.address(8), value: bytes.address(40) }
}

export interface DecodedLookupTable {
  /** Null: frozen permanently. */
  readonly authority: string | null
  /** Null while the table is active. */
  readonly deactivationSlot: bigint | null
  readonly lastExtendedSlot: bigint
  /** Entries from this index on were added in the last extended slot, and are usable only after it. */
  readonly lastExtendedStart: number
  readonly addresses: readonly string[]
}

/**
 * Decodes an initialized lookup table.
 * @throws FormatError LAYOUT_MALFORMED for anything else
 */
export function decodeLookupTable(data: Uint8Array, owner: string): DecodedLookupTable {
  const bytes = new AccountBytes(data)
  const whole = data.length >= TABLE_META_BYTES && (data.length - TABLE_META_BYTES) % 32 === 0
  if (owner !== LOOKUP_TABLE_PROGRAM || !whole || bytes.u32(0) !== 1) {
    throw new FormatError('LAYOUT_MALFORMED', 'the account is no lookup table')
  }
  const addresses: string[] = []
  for (let at = TABLE_META_BYTES; at < data.length; at += 32) addresses.push(bytes.address(at))
  const deactivationSlot = bytes.u64(4)
  return {
    authority: bytes.flag(21) ? bytes.address(22) : null,
    deactivationSlot: deactivationSlot === ACTIVE ? null : deactivationSlot,
    lastExtendedSlot: bytes.u64(12),
    lastExtendedStart: bytes.u8(20),
    addresses,
  }
}

const SLOT_HASH_BYTES = 40

/**
 * The slots that have an entry in the SlotHashes sysvar, newest first: at most 512, each of an existing block.
 * @throws FormatError LAYOUT_MALFORMED
 */
export function decodeSlotHashes(data: Uint8Array): bigint[] {
  const bytes = new AccountBytes(data)
  const count = Number(bytes.u64(0))
  if (8 + count * SLOT_HASH_BYTES > data.length) throw new FormatError('LAYOUT_MALFORMED', 'the sysvar ends too early')
  return Array.from({ length: count }, (_, index) => bytes.u64(8 + index * SLOT_HASH_BYTES))
}
