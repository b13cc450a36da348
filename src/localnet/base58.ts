// Base58 encoding and decoding for the embedded chain. Keys and signatures, which every transaction has, use fast code
// for their two lengths; other lengths, such as whole transactions, use `bs58`.
import bs58 from 'bs58'
import { decodeBase58 as decodeLength, encodeBase58 as encodeShort } from '../solana/base58.ts'

const KEY_BYTES = 32
const SIGNATURE_BYTES = 64

export function encodeBase58(bytes: Uint8Array): string {
  const isShort = bytes.length === KEY_BYTES || bytes.length === SIGNATURE_BYTES
  return isShort ? encodeShort(bytes) : bs58.encode(bytes)
}

/** Bytes of base58 text, or null if the text is not base58. */
export function decodeBase58(text: string): Uint8Array | null {
  return bs58.decodeUnsafe(text) ?? null
}

/** Bytes of a key or hash, or null if the text is not the base58 of 32 bytes. */
export function decodeKey(text: string): Buffer | null {
  return decodeExact(text, KEY_BYTES)
}

/** Bytes of a signature, or null if the text is not the base58 of 64 bytes. */
export function decodeSignature(text: string): Buffer | null {
  return decodeExact(text, SIGNATURE_BYTES)
}

function decodeExact(text: string, length: number): Buffer | null {
  const bytes = decodeLength(text, length)
  return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, length)
}
