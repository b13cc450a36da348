/** Little-endian fields of instruction data, and the four ways an instruction can use an account. */
import { addressBytes } from '../address.ts'
import type { AccountMeta } from '../message.ts'

const U64_MAX = (1n << 64n) - 1n
const WORD = 4_294_967_296

export const readonly = (address: string): AccountMeta => ({ address, signer: false, writable: false })
export const writable = (address: string): AccountMeta => ({ address, signer: false, writable: true })
export const signer = (address: string): AccountMeta => ({ address, signer: true, writable: false })
export const payer = (address: string): AccountMeta => ({ address, signer: true, writable: true })

/**
 * Writes a u64 at `at`.
 * @throws RangeError when the value is not a u64: callers validate amounts before
 */
export function putU64(bytes: Uint8Array, at: number, value: bigint): void {
  if (value < 0n || value > U64_MAX) throw new RangeError('not a u64')
  const low = Number(value & 0xffff_ffffn)
  putU32(bytes, at, low)
  putU32(bytes, at + 4, value < WORD ? 0 : Number(value >> 32n))
}

/** Writes a u32 at `at`; the caller has validated the value. */
export function putU32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value
  bytes[at + 1] = value >>> 8
  bytes[at + 2] = value >>> 16
  bytes[at + 3] = value >>> 24
}

export function u32(value: number): Uint8Array {
  if (!Number.isInteger(value) || value < 0 || value >= WORD) throw new RangeError('not a u32')
  const bytes = new Uint8Array(4)
  putU32(bytes, 0, value)
  return bytes
}

export function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  putU64(bytes, 0, value)
  return bytes
}

export function f64(value: number): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}

export function i64(value: bigint): Uint8Array {
  return u64(BigInt.asUintN(64, value))
}

/** UTF-8 text prefixed by its byte length, the borsh encoding of a string. */
export function borshText(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  return Buffer.concat([u32(bytes.length), bytes])
}

/** 32 bytes of an address; zeros for none (`OptionalNonZeroPubkey`). */
export function optionalAddress(address: string | null): Uint8Array {
  return address === null ? new Uint8Array(32) : addressBytes(address)
}

/** A tag byte and the address, or one zero byte (`COption` as the token instructions pack it). */
export function taggedAddress(address: string | null): Uint8Array {
  return address === null ? Uint8Array.of(0) : join(Uint8Array.of(1), addressBytes(address))
}

export function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}
