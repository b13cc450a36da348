// The two things a proof needs from a stranger's transaction: its message and the blockhash (or nonce value) in it.
import { addressOf } from '../../solana/address.ts'
import { Unproven } from './doubt.ts'

/** Splits legacy or version 0 wire bytes. Throws Unproven where they end too early. */
export function splitWire(bytes: Uint8Array): { readonly message: Uint8Array; readonly blockhash: string } {
  const [signatures, start] = compactU16(bytes, 0)
  const message = bytes.subarray(start + 64 * signatures)
  const header = message[0] !== undefined && message[0] >= 0x80 ? 1 : 0
  const [keys, keysAt] = compactU16(message, header + 3)
  const at = keysAt + 32 * keys
  if (message.length < at + 32) throw new Unproven('a transaction of the history is cut short')
  return { message, blockhash: addressOf(message.subarray(at, at + 32)) }
}

/** Value and the offset after it. */
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
