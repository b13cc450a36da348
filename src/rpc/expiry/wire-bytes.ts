// Extracts the message and its blockhash (or nonce value) from the wire bytes of any transaction, for proofs of expiry.
import { addressOf } from '../../solana/address.ts'
import { Unproven } from './doubt.ts'

/** Splits legacy or version 0 wire bytes. Throws Unproven if they are truncated. */
export function splitWire(bytes: Uint8Array): { readonly message: Uint8Array; readonly blockhash: string } {
  const [signatures, start] = compactU16(bytes, 0)
  const message = bytes.subarray(start + 64 * signatures)
  const header = message[0] !== undefined && message[0] >= 0x80 ? 1 : 0
  const [keys, keysAt] = compactU16(message, header + 3)
  const at = keysAt + 32 * keys
  if (message.length < at + 32) throw new Unproven('a transaction of the history is cut short')
  return { message, blockhash: addressOf(message.subarray(at, at + 32)) }
}

/** The value and the offset after it. */
function compactU16(bytes: Uint8Array, at: number): [number, number] {
  let value = 0
  for (let index = 0; index < 3; index += 1) {
    const byte = bytes[at + index]
    if (byte === undefined) throw new Unproven('a transaction of the history is cut short')
    value |= (byte & 0x7f) << (7 * index)
    if (byte < 0x80) return [value, at + index + 1]
  }
  throw new Unproven('a length in a transaction of the history is malformed')
}
