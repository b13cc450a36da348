// Reads transactions for display: ids, the keys of a message, writable accounts. Parsing is done by `wire.ts`.

import type { Bank } from '../contract.ts'
import { isWritable, parseTransaction } from '../wire.ts'
import type { WireMessage, WireTransaction } from '../wire.ts'
import { encodeBase58 } from '../base58.ts'

const LOOKUP_TABLE_META_LENGTH = 56
const SIGNATURE_LENGTH = 64

/** @throws RangeError for bytes that are not a transaction; those of the ledger always are */
export function readTransaction(bytes: Uint8Array): WireTransaction {
  const transaction = parseTransaction(bytes)
  if ('malformed' in transaction) throw new RangeError(transaction.malformed)
  return transaction
}

/** The signatures of a transaction, base58. */
export function signaturesOf(transaction: WireTransaction): string[] {
  return Array.from({ length: transaction.signatureCount }, (_, index) => {
    const start = 1 + index * SIGNATURE_LENGTH
    return encodeBase58(transaction.bytes.subarray(start, start + SIGNATURE_LENGTH))
  })
}

/** The id of a transaction: its first signature, base58; null when there is none. */
export function firstSignature(bytes: Uint8Array): string | null {
  const count = bytes[0] ?? 0
  const end = 1 + SIGNATURE_LENGTH
  return count >= 1 && count < 0x80 && bytes.length >= end ? encodeBase58(bytes.subarray(1, end)) : null
}

/** A key of a parsed message, base58. */
export function keyText(key: string): string {
  return encodeBase58(Buffer.from(key, 'latin1'))
}

/** All account keys in index order, base58: static, looked-up writable, looked-up readonly, by the current tables. */
export function resolvedKeys(bank: Bank, message: WireMessage): string[] {
  const writable: string[] = []
  const readonly: string[] = []
  for (const lookup of message.lookups) {
    const data = bank.account(lookup.table)?.data ?? new Uint8Array()
    const at = (index: number): string => {
      const start = LOOKUP_TABLE_META_LENGTH + index * 32
      return start + 32 <= data.length ? encodeBase58(data.subarray(start, start + 32)) : ''
    }
    for (const index of lookup.writable) writable.push(at(index))
    for (const index of lookup.readonly) readonly.push(at(index))
  }
  return [...message.keys.map(keyText), ...writable, ...readonly]
}

/** Every account of a transaction with its role, as in jsonParsed and in the `accounts` detail of a block. */
export function keyRoles(message: WireMessage, accountKeys: readonly string[], loadedWritable: number): unknown[] {
  const statics = message.keys.length
  return accountKeys.map((pubkey, index) => ({
    pubkey,
    signer: index < message.requiredSignatures,
    source: index < statics ? 'transaction' : 'lookupTable',
    writable: index < statics ? isWritable(message, index) : index < statics + loadedWritable,
  }))
}
