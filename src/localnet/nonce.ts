// Durable nonces. The engine derives a new nonce value from the transaction's own blockhash and drops the advance when
// the transaction fails. A cluster derives it from the block's blockhash, rejects a second advance in one block, and
// keeps the advance.

import { hash } from 'node:crypto'
import type { BankAccount } from './contract.ts'
import { isWritable, type WireMessage } from './wire.ts'

const SYSTEM_PROGRAM = '\0'.repeat(32)
const NONCE_BYTES = 80
const VALUE_AT = 40

/** The nonce value for `blockhash` (32 bytes, latin1): sha256("DURABLE_NONCE" + blockhash), latin1. */
export function durableNonce(blockhash: string): string {
  return hash('sha256', Buffer.from(`DURABLE_NONCE${blockhash}`, 'latin1'), 'binary')
}

export interface NonceState {
  /** latin1, 32 bytes each. */
  readonly authority: string
  readonly value: string
}

/**
 * State of an initialized nonce account: version u32, state u32, authority at 8, value at 40, lamports per signature
 * u64 at 72.
 */
export function readNonce(account: BankAccount): NonceState | null {
  if (account.data.length !== NONCE_BYTES) return null
  const data = Buffer.from(account.data.buffer, account.data.byteOffset, NONCE_BYTES)
  if (data.readUInt32LE(0) !== 1 || data.readUInt32LE(4) !== 1) return null
  if (!Buffer.from(account.owner).equals(Buffer.alloc(32))) return null
  return { authority: data.toString('latin1', 8, 40), value: data.toString('latin1', VALUE_AT, 72) }
}

/** A copy of the account's data with `value`. */
export function withNonceValue(data: Uint8Array, value: string): Buffer {
  const copy = Buffer.from(data)
  copy.write(value, VALUE_AT, 'latin1')
  return copy
}

/** Key of the nonce account that instruction 0 advances, or null when instruction 0 is not an advance. */
export function advancedNonce(message: WireMessage): string | null {
  const first = message.instructions[0]
  if (!first || message.keys[first.programIdIndex] !== SYSTEM_PROGRAM) return null
  const { data, accounts } = first
  if (data.length < 4 || data[0] !== 4 || data[1] !== 0 || data[2] !== 0 || data[3] !== 0) return null
  const index = accounts[0]
  // A looked-up nonce account does not count.
  if (index === undefined || index >= message.keys.length || !isWritable(message, index)) return null
  return message.keys[index]!
}

/** Whether instruction 0 has `authority` as a signer. */
export function isSignedBy(message: WireMessage, authority: string): boolean {
  for (const index of message.instructions[0]!.accounts) {
    if (index < message.requiredSignatures && message.keys[index] === authority) return true
  }
  return false
}

/**
 * The nonce value to show to the engine so that its own check (stored value != value derived from the transaction's
 * blockhash) decides like a cluster's (stored value != value derived from the block's). Null: the stored value is
 * suitable.
 */
export function engineNonce(stored: string, ofTransaction: string, ofBlock: string): string | null {
  if (stored === ofBlock) return stored === ofTransaction ? null : ofTransaction
  return stored === ofTransaction ? hash('sha256', Buffer.from(stored, 'latin1'), 'binary') : null
}
