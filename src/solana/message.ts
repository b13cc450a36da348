/**
 * Shapes of messages and transactions, and what can be derived from a message without its accounts. compile.ts compiles
 * messages, parse.ts reads bytes from outside; both produce the same shape, so one table classifies both.
 */
import { hash } from 'node:crypto'
import { FormatError } from './format-error.ts'

/** Maximum size in bytes of a transaction in the legacy and v0 formats. */
export const PACKET_LIMIT_BYTES = 1232
export const SIGNATURE_LENGTH = 64

export type MessageVersion = 'V0' | 'LEGACY'

export interface AccountMeta {
  readonly address: string
  readonly signer: boolean
  readonly writable: boolean
}

/** One instruction before compiling. `data` is immutable. */
export interface Instruction {
  readonly program: string
  readonly accounts: readonly AccountMeta[]
  readonly data: Uint8Array
}

export interface LookupTable {
  readonly address: string
  readonly addresses: readonly string[]
}

export interface MessageHeader {
  readonly requiredSignatures: number
  readonly readonlySigned: number
  readonly readonlyUnsigned: number
}

/**
 * An instruction whose accounts are positions in: static keys, then all writable looked-up keys, then all read-only
 * ones.
 */
export interface CompiledInstruction {
  readonly programIndex: number
  readonly accountIndexes: Uint8Array
  readonly data: Uint8Array
}

export interface MessageLookup {
  readonly table: string
  readonly writableIndexes: Uint8Array
  readonly readonlyIndexes: Uint8Array
}

export interface CompiledMessage {
  /** The bytes that are signed. */
  readonly bytes: Uint8Array
  readonly version: MessageVersion
  readonly header: MessageHeader
  readonly staticKeys: readonly string[]
  /**
   * The accounts that must sign, in the order of their signatures. The first pays the fee, and its signature is the
   * transaction's id.
   */
  readonly signers: readonly string[]
  /** A recent blockhash, or the value of a durable nonce. */
  readonly blockhash: string
  readonly instructions: readonly CompiledInstruction[]
  readonly lookups: readonly MessageLookup[]
}

/** Bytes of a compact-u16, the length prefix of the wire format. */
export function compactLength(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : 3
}

/** Size in bytes of the whole transaction once signed. Compare with PACKET_LIMIT_BYTES. */
export function transactionSize(message: CompiledMessage): number {
  const count = message.header.requiredSignatures
  return compactLength(count) + SIGNATURE_LENGTH * count + message.bytes.length
}

/** SHA-256 of the message in hex. No two requests may have the same message hash. */
export function messageHash(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

/**
 * The bytes to send.
 * @param signatures one per signer, in the order of `message.signers`; `null` leaves 64 zero bytes (a transaction to be
 * signed elsewhere)
 * @throws FormatError MALFORMED when the number or a length is wrong
 */
export function assembleTransaction(message: CompiledMessage, signatures: readonly (Uint8Array | null)[]): Uint8Array {
  const count = message.header.requiredSignatures
  if (signatures.length !== count)
    throw new FormatError('MALFORMED', `${count} signatures are needed, ${signatures.length} given`)
  const prefix = compactLength(count)
  const bytes = new Uint8Array(prefix + count * SIGNATURE_LENGTH + message.bytes.length)
  bytes[0] = prefix === 1 ? count : (count & 0x7f) | 0x80
  if (prefix > 1) bytes[1] = count >> 7
  for (let i = 0; i < count; i++) {
    const signature = signatures[i]
    if (!signature) continue
    if (signature.length !== SIGNATURE_LENGTH) throw new FormatError('MALFORMED', 'a signature has 64 bytes')
    bytes.set(signature, prefix + i * SIGNATURE_LENGTH)
  }
  bytes.set(message.bytes, prefix + count * SIGNATURE_LENGTH)
  return bytes
}

/** Whether the account at this position is writable, by the header and the lookups. */
export function isWritable(message: CompiledMessage, index: number): boolean {
  const { header, staticKeys, lookups } = message
  if (index < header.requiredSignatures) return index < header.requiredSignatures - header.readonlySigned
  if (index < staticKeys.length) return index < staticKeys.length - header.readonlyUnsigned
  let writable = staticKeys.length
  for (const lookup of lookups) writable += lookup.writableIndexes.length
  return index < writable
}

/**
 * Every account of the message in the order of instruction indexes.
 * @param tables contents of the message's tables, as they are on chain now
 * @throws FormatError LOOKUP_UNRESOLVED naming the table that is missing or too short
 */
export function accountKeys(
  message: CompiledMessage,
  tables: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  if (message.lookups.length === 0) return message.staticKeys
  const keys = [...message.staticKeys]
  for (const member of ['writableIndexes', 'readonlyIndexes'] as const) {
    for (const lookup of message.lookups) {
      const addresses = tables.get(lookup.table)
      if (!addresses) throw new FormatError('LOOKUP_UNRESOLVED', `lookup table ${lookup.table} is not known`)
      for (const index of lookup[member]) {
        const address = addresses[index]
        if (address === undefined)
          throw new FormatError('LOOKUP_UNRESOLVED', `lookup table ${lookup.table} has no entry ${index}`)
        keys.push(address)
      }
    }
  }
  return keys
}
