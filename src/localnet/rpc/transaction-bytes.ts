// A transaction parameter as a client sends it: base58 (the default, as on a real node) or base64, at most 1232 bytes.

import { decodeBase58 } from '../base58.ts'
import { decodeBase64 } from './bytes.ts'
import { invalidParams } from './error.ts'
import type { RpcError } from './error.ts'
import { textOf } from './params.ts'

const MAX_BASE58_TEXT = 1683
const MAX_BASE64_TEXT = 1644
const MAX_BYTES = 1232
const TYPE = 'solana_transaction::versioned::VersionedTransaction'

/**
 * The bytes of a transaction parameter.
 * @throws -32602 with the message of a real node
 */
export function transactionBytes(value: unknown, encoding: unknown): Uint8Array {
  const text = textOf(value)
  const form = encoding === undefined || encoding === null ? 'base58' : textOf(encoding)
  if (form !== 'base58' && form !== 'base64') {
    throw invalidParams(`unsupported encoding: ${form.slice(0, 64)}. Supported encodings: base58, base64`)
  }
  const longest = form === 'base58' ? MAX_BASE58_TEXT : MAX_BASE64_TEXT
  if (text.length > longest) {
    throw invalidParams(
      `${form} encoded ${TYPE} too large: ${text.length} bytes (max: encoded/raw ${longest}/${MAX_BYTES})`,
    )
  }
  const bytes = form === 'base58' ? decodeBase58(text) : decodeBase64(text)
  if (bytes === null) throw invalidParams(`invalid ${form} encoding`)
  if (bytes.length > MAX_BYTES)
    throw invalidParams(`decoded ${TYPE} too large: ${bytes.length} bytes (max: ${MAX_BYTES} bytes)`)
  return bytes
}

/** The error for bytes that are not a transaction. */
export function malformedTransaction(reason: string): RpcError {
  return invalidParams(`failed to deserialize ${TYPE}: ${reason}`)
}
