/**
 * Parses messages and transactions made elsewhere. Guarantees: the result serializes to exactly the given bytes, every
 * index is in range, no account appears twice, and only a FormatError is ever thrown, whatever the bytes.
 */
import { addressOf } from './address.ts'
import { serializeMessage } from './compile.ts'
import { FormatError } from './format-error.ts'
import { SIGNATURE_LENGTH } from './message.ts'
import type { CompiledInstruction, CompiledMessage, MessageHeader, MessageLookup } from './message.ts'

const ADDRESS_LENGTH = 32
const MAX_ACCOUNTS = 256

export interface ParsedTransaction {
  readonly message: CompiledMessage
  /** One per signer, in order; null where the 64 bytes are zero, that is, not signed yet. */
  readonly signatures: readonly (Uint8Array | null)[]
}

function malformed(detail: string): FormatError {
  return new FormatError('MALFORMED', detail)
}

class Reader {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes
    this.at = at
  }

  byte(): number {
    const value = this.bytes[this.at]
    if (value === undefined) throw malformed('the bytes end too early')
    this.at++
    return value
  }

  take(length: number): Uint8Array {
    const end = this.at + length
    if (end > this.bytes.length) throw malformed('the bytes end too early')
    const taken = this.bytes.subarray(this.at, end)
    this.at = end
    return taken
  }

  /** A compact-u16 in its shortest encoding, the only one a cluster accepts. */
  compact(): number {
    let value = 0
    for (let i = 0; i < 3; i++) {
      const byte = this.byte()
      value |= (byte & 0x7f) << (7 * i)
      if (byte & 0x80) continue
      if ((byte === 0 && i > 0) || value > 0xffff) break
      return value
    }
    throw malformed('a length is not a canonical compact-u16')
  }

  address(): string {
    const start = this.at
    this.take(ADDRESS_LENGTH)
    return addressOf(this.bytes, start)
  }

  known(address: string | undefined): string {
    if (address === undefined) return this.address()
    this.take(ADDRESS_LENGTH)
    return address
  }

  prefixed(): Uint8Array {
    return this.take(this.compact())
  }
}

/** The count comes from the bytes: checks that the items can be present before reading them. */
function readMany<T>(reader: Reader, itemBytes: number, read: (index: number) => T): T[] {
  const count = reader.compact()
  if (count * itemBytes > reader.bytes.length - reader.at) throw malformed('the bytes end too early')
  const items: T[] = []
  for (let i = 0; i < count; i++) items.push(read(i))
  return items
}

function checkHeader(header: MessageHeader, staticCount: number): void {
  const { requiredSignatures, readonlySigned, readonlyUnsigned } = header
  if (requiredSignatures === 0 || readonlySigned >= requiredSignatures) throw malformed('no account can pay the fee')
  if (requiredSignatures + readonlyUnsigned > staticCount)
    throw malformed('the header counts more accounts than there are')
}

function checkInstruction(instruction: CompiledInstruction, staticCount: number, total: number): void {
  if (instruction.programIndex === 0 || instruction.programIndex >= staticCount)
    throw malformed('an instruction names no program')
  for (const index of instruction.accountIndexes)
    if (index >= total) throw malformed('an instruction names an account that is not there')
}

function readLookup(reader: Reader): MessageLookup {
  const lookup = { table: reader.address(), writableIndexes: reader.prefixed(), readonlyIndexes: reader.prefixed() }
  if (lookup.writableIndexes.length + lookup.readonlyIndexes.length === 0) throw malformed('a lookup looks nothing up')
  return lookup
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

/**
 * Parses a message.
 * @throws FormatError MALFORMED, VERSION_UNSUPPORTED (anything but legacy and 0)
 */
export function parseMessage(bytes: Uint8Array): CompiledMessage {
  const message = parseOwnMessage(bytes)
  if (!sameBytes(serializeMessage(message), bytes)) throw malformed('the bytes do not serialise identically')
  return message
}

/**
 * As `parseMessage`, of bytes that were checked before they were stored: they are not serialized again.
 *
 * @param known addresses of its accounts in order, if they were stored beside it
 */
export function parseOwnMessage(bytes: Uint8Array, known: readonly string[] = []): CompiledMessage {
  const first = bytes[0]
  if (first === undefined) throw malformed('there are no bytes')
  if (first > 0x80) throw new FormatError('VERSION_UNSUPPORTED', `message version ${first & 0x7f} is not supported`)
  const version = first === 0x80 ? 'V0' : 'LEGACY'
  const reader = new Reader(bytes, version === 'V0' ? 1 : 0)
  const header = { requiredSignatures: reader.byte(), readonlySigned: reader.byte(), readonlyUnsigned: reader.byte() }
  const staticKeys = readMany(reader, ADDRESS_LENGTH, (at) => reader.known(known[at]))
  checkHeader(header, staticKeys.length)
  const blockhash = reader.address()
  const instructions = readMany(reader, 3, () => {
    return { programIndex: reader.byte(), accountIndexes: reader.prefixed(), data: reader.prefixed() }
  })
  const lookups = version === 'V0' ? readMany(reader, ADDRESS_LENGTH + 2, () => readLookup(reader)) : []
  let total = staticKeys.length
  for (const lookup of lookups) total += lookup.writableIndexes.length + lookup.readonlyIndexes.length
  if (total > MAX_ACCOUNTS) throw malformed(`a message holds at most ${MAX_ACCOUNTS} accounts`)
  if (new Set(staticKeys).size !== staticKeys.length) throw malformed('an account is listed twice')
  for (const instruction of instructions) checkInstruction(instruction, staticKeys.length, total)
  const signers = staticKeys.slice(0, header.requiredSignatures)
  return { version, header, staticKeys, signers, blockhash, instructions, lookups, bytes }
}

/**
 * Parses a transaction: signatures, then the message.
 * @throws FormatError MALFORMED, VERSION_UNSUPPORTED (version 1 transactions begin with their version)
 */
export function parseTransaction(bytes: Uint8Array): ParsedTransaction {
  const first = bytes[0]
  if (first !== undefined && first > 0x80) {
    throw new FormatError('VERSION_UNSUPPORTED', `transaction version ${first & 0x7f} is not supported`)
  }
  const reader = new Reader(bytes, 0)
  const count = reader.compact()
  const signatures: (Uint8Array | null)[] = []
  for (let i = 0; i < count; i++) {
    const signature = reader.take(SIGNATURE_LENGTH)
    signatures.push(signature.every((byte) => byte === 0) ? null : signature)
  }
  const message = parseMessage(bytes.subarray(reader.at))
  if (count !== message.header.requiredSignatures)
    throw malformed('the number of signatures is not the number of signers')
  return { message, signatures }
}
