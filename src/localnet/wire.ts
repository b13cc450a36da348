// Parses wire transactions, legacy and version 0. Accepts exactly the bytes that a serializer would produce (canonical
// lengths, nothing left over), because the engine aborts the whole process on anything else.

/** Maximum transaction size of a cluster, bytes. */
const PACKET_BYTES = 1232

export interface WireInstruction {
  readonly programIdIndex: number
  readonly accounts: Uint8Array
  readonly data: Uint8Array
}

export interface WireLookup {
  readonly table: Uint8Array
  readonly writable: Uint8Array
  readonly readonly: Uint8Array
}

export interface WireMessage {
  readonly version: 'legacy' | 0
  /** The message bytes, which signatures cover. */
  readonly bytes: Buffer
  readonly requiredSignatures: number
  readonly readonlySigned: number
  readonly readonlyUnsigned: number
  /** Static account keys as latin1 strings of 32 bytes, the key form of every map in the bank. */
  readonly keys: readonly string[]
  readonly blockhash: string
  readonly instructions: readonly WireInstruction[]
  readonly lookups: readonly WireLookup[]
}

export interface WireTransaction {
  readonly bytes: Buffer
  readonly signatureCount: number
  readonly message: WireMessage
}

class Malformed extends Error {}

class Cursor {
  readonly bytes: Buffer
  at: number

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes
    this.at = at
  }

  byte(): number {
    const value = this.bytes[this.at]
    if (value === undefined) throw new Malformed('ends too early')
    this.at += 1
    return value
  }

  take(length: number): Buffer {
    const end = this.at + length
    if (end > this.bytes.length) throw new Malformed('ends too early')
    const slice = this.bytes.subarray(this.at, end)
    this.at = end
    return slice
  }

  key(): string {
    const end = this.at + 32
    if (end > this.bytes.length) throw new Malformed('ends too early')
    const key = this.bytes.toString('latin1', this.at, end)
    this.at = end
    return key
  }

  /** A length of one to three bytes, shortest form only. */
  length(): number {
    const first = this.byte()
    if (first < 0x80) return first
    const second = this.byte()
    if (second < 0x80) {
      if (second === 0) throw new Malformed('a length is not in its shortest form')
      return (first & 0x7f) | (second << 7)
    }
    const third = this.byte()
    if (third === 0) throw new Malformed('a length is not in its shortest form')
    if (third > 3) throw new Malformed('a length is over 65535')
    return (first & 0x7f) | ((second & 0x7f) << 7) | (third << 14)
  }
}

function readMessage(cursor: Cursor): WireMessage {
  const start = cursor.at
  const prefix = cursor.byte()
  let version: 'legacy' | 0 = 'legacy'
  let requiredSignatures = prefix
  if (prefix >= 0x80) {
    if (prefix !== 0x80) throw new Malformed(`version ${prefix & 0x7f} is not supported`)
    version = 0
    requiredSignatures = cursor.byte()
  }
  const readonlySigned = cursor.byte()
  const readonlyUnsigned = cursor.byte()
  const keyCount = cursor.length()
  const keys: string[] = []
  for (let i = 0; i < keyCount; i += 1) keys.push(cursor.key())
  const blockhash = cursor.key()
  const instructionCount = cursor.length()
  const instructions: WireInstruction[] = []
  for (let i = 0; i < instructionCount; i += 1) {
    const programIdIndex = cursor.byte()
    const accounts = cursor.take(cursor.length())
    instructions.push({ programIdIndex, accounts, data: cursor.take(cursor.length()) })
  }
  const lookups: WireLookup[] = []
  if (version === 0) {
    const lookupCount = cursor.length()
    for (let i = 0; i < lookupCount; i += 1) {
      const table = cursor.take(32)
      const writable = cursor.take(cursor.length())
      lookups.push({ table, writable, readonly: cursor.take(cursor.length()) })
    }
  }
  if (cursor.at !== cursor.bytes.length) throw new Malformed('has bytes left over')
  const bytes = cursor.bytes.subarray(start)
  return {
    version,
    bytes,
    requiredSignatures,
    readonlySigned,
    readonlyUnsigned,
    keys,
    blockhash,
    instructions,
    lookups,
  }
}

function attempt<T>(read: () => T): T | { readonly malformed: string } {
  try {
    return read()
  } catch (error) {
    if (error instanceof Malformed) return { malformed: `transaction ${error.message}` }
    throw error
  }
}

/** A parsed transaction, or the reason why it is malformed. The result shares memory with `input`. */
export function parseTransaction(input: Uint8Array): WireTransaction | { readonly malformed: string } {
  if (input.length > PACKET_BYTES)
    return { malformed: `transaction too large: ${input.length} bytes (max: ${PACKET_BYTES} bytes)` }
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.length)
  return attempt(() => {
    const cursor = new Cursor(bytes, 0)
    const signatureCount = cursor.length()
    cursor.take(signatureCount * 64)
    return { bytes, signatureCount, message: readMessage(cursor) }
  })
}

/** A parsed message without signatures (for `getFeeForMessage`), or the reason why it is malformed. */
export function parseMessage(input: Uint8Array): WireMessage | { readonly malformed: string } {
  if (input.length > PACKET_BYTES) return { malformed: 'message too large' }
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.length)
  return attempt(() => readMessage(new Cursor(bytes, 0)))
}

/** Whether header counts and indexes are consistent, by the sanitization rules of a cluster. */
export function isSaneMessage(message: WireMessage): boolean {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, keys, lookups } = message
  if (requiredSignatures === 0 || requiredSignatures + readonlyUnsigned > keys.length) return false
  if (readonlySigned >= requiredSignatures) return false
  let total = keys.length
  for (const lookup of lookups) {
    const count = lookup.writable.length + lookup.readonly.length
    if (count === 0) return false
    total += count
  }
  if (total > 256) return false
  for (const instruction of message.instructions) {
    // The program is a static key and never the fee payer.
    if (instruction.programIdIndex === 0 || instruction.programIdIndex >= keys.length) return false
    for (const index of instruction.accounts) if (index >= total) return false
  }
  return true
}

/** The same for a whole transaction: exactly one signature per required signer. */
export function isSane(transaction: WireTransaction): boolean {
  return transaction.signatureCount === transaction.message.requiredSignatures && isSaneMessage(transaction.message)
}

/** Bytes of signature `index`. */
export function signatureAt(transaction: WireTransaction, index: number): Buffer {
  // Sane transactions have at most 38 signatures, so their count is one byte long.
  return transaction.bytes.subarray(1 + index * 64, 65 + index * 64)
}

/** Whether the static key at `index` is writable by the header. */
export function isWritable(message: WireMessage, index: number): boolean {
  const signed = message.requiredSignatures
  return index < signed
    ? index < signed - message.readonlySigned
    : index < message.keys.length - message.readonlyUnsigned
}
