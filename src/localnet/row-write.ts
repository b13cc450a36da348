// Binary form of an executed transaction, little endian, written once per transaction on the hot path: head (52 bytes)
// | transaction | looked-up keys | error JSON | per key: pre and post balance u64 each | per key: location of the key's
// previous transaction, f64 | token balances | inner instructions | logs | return data. `row-read.ts` reads it.

import type { InnerInstructionSet, TransactionErrorJson } from './contract.ts'
import { keepRow } from './slab.ts'

export const HEAD_BYTES = 52
export const FLAG_V0 = 1
export const FLAG_ERROR = 2

export interface TokenChange {
  readonly accountIndex: number
  /** latin1, 32 bytes each. */
  readonly mint: string
  readonly holder: string
  readonly program: string
  readonly decimals: number
  /** Amounts as u64; null where the account was not a token account. */
  readonly pre: bigint | null
  readonly post: bigint | null
}

export interface RowParts {
  readonly slot: number
  readonly time: number
  readonly bytes: Uint8Array
  readonly isV0: boolean
  readonly error: TransactionErrorJson | null
  readonly feeLamports: bigint
  readonly computeUnits: bigint
  /** latin1, 32 bytes each. */
  readonly loadedWritable: readonly string[]
  readonly loadedReadonly: readonly string[]
  readonly preBalances: readonly bigint[]
  readonly postBalances: readonly bigint[]
  /** Location of the previous transaction of each key, 0 for none. */
  readonly previous: readonly number[]
  readonly tokens: readonly TokenChange[]
  readonly inner: readonly InnerInstructionSet[]
  readonly logs: readonly string[]
  readonly returnData: { readonly programId: string; readonly data: Uint8Array } | null
}

// One scratch buffer for all rows: writing is synchronous and the result is copied out.
let scratch = Buffer.allocUnsafe(1 << 16)
let at = 0

function room(bytes: number): void {
  if (at + bytes <= scratch.length) return
  const larger = Buffer.allocUnsafe(Math.max(scratch.length * 2, at + bytes))
  scratch.copy(larger, 0, 0, at)
  scratch = larger
}

function u16(value: number): void {
  scratch[at] = value & 0xff
  scratch[at + 1] = value >>> 8
  at += 2
}

function raw(bytes: Uint8Array): void {
  room(bytes.length)
  scratch.set(bytes, at)
  at += bytes.length
}

function latin1(text: string): void {
  room(text.length)
  at += scratch.write(text, at, 'latin1')
}

function writeTokens(tokens: readonly TokenChange[]): void {
  room(2 + tokens.length * 120)
  u16(tokens.length)
  for (const token of tokens) {
    u16(token.accountIndex)
    scratch[at++] = token.decimals
    scratch[at++] = (token.pre === null ? 0 : 1) | (token.post === null ? 0 : 2)
    latin1(token.mint)
    latin1(token.holder)
    latin1(token.program)
    at = scratch.writeBigUInt64LE(token.pre ?? 0n, at)
    at = scratch.writeBigUInt64LE(token.post ?? 0n, at)
  }
}

function writeInner(sets: readonly InnerInstructionSet[]): void {
  room(2)
  u16(sets.length)
  for (const { index, instructions } of sets) {
    room(4)
    u16(index)
    u16(instructions.length)
    for (const { programIdIndex, stackHeight, accounts, data } of instructions) {
      room(10 + accounts.length + data.length)
      u16(programIdIndex)
      u16(stackHeight)
      u16(accounts.length)
      for (const account of accounts) scratch[at++] = account
      at = scratch.writeUInt32LE(data.length, at)
      raw(data)
    }
  }
}

function writeLogs(logs: readonly string[]): void {
  room(2)
  u16(logs.length)
  for (const line of logs) {
    room(4 + line.length * 3)
    const length = scratch.write(line, at + 4)
    scratch.writeUInt32LE(length, at)
    at += 4 + length
  }
}

/** The row of one transaction, in memory of its own. */
export function writeRow(parts: RowParts): Buffer {
  const { bytes, loadedWritable, loadedReadonly, preBalances, postBalances, previous, returnData } = parts
  const keyCount = preBalances.length
  const errorJson = parts.error === null ? null : Buffer.from(JSON.stringify(parts.error))
  at = 0
  room(HEAD_BYTES + bytes.length + keyCount * 56 + 4096)
  scratch[0] = (parts.isV0 ? FLAG_V0 : 0) | (errorJson ? FLAG_ERROR : 0)
  scratch[1] = loadedWritable.length
  scratch[2] = loadedReadonly.length
  scratch[3] = 0
  at = 4
  u16(bytes.length)
  u16(errorJson?.length ?? 0)
  scratch.writeUIntLE(parts.slot, 8, 6)
  scratch.writeUIntLE(parts.time, 14, 6)
  scratch.writeBigUInt64LE(parts.feeLamports, 20)
  scratch.writeBigUInt64LE(parts.computeUnits, 28)
  at = HEAD_BYTES
  raw(bytes)
  for (const key of loadedWritable) latin1(key)
  for (const key of loadedReadonly) latin1(key)
  if (errorJson) raw(errorJson)
  room(keyCount * 24)
  for (let i = 0; i < keyCount; i += 1) {
    at = scratch.writeBigUInt64LE(preBalances[i]!, at)
    at = scratch.writeBigUInt64LE(postBalances[i]!, at)
  }
  for (let i = 0; i < keyCount; i += 1) at = scratch.writeDoubleLE(previous[i]!, at)
  scratch.writeUInt32LE(at, 36)
  writeTokens(parts.tokens)
  scratch.writeUInt32LE(at, 40)
  writeInner(parts.inner)
  scratch.writeUInt32LE(at, 44)
  writeLogs(parts.logs)
  scratch.writeUInt32LE(at, 48)
  if (returnData) {
    room(1 + returnData.programId.length)
    scratch[at++] = returnData.programId.length
    latin1(returnData.programId)
    raw(returnData.data)
  }
  return keepRow(scratch.subarray(0, at))
}
