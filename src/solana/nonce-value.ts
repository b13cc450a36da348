// Reads the stored value of a nonce account from an RPC response.
import { addressOf, SYSTEM_PROGRAM } from './address.ts'

/** version u32, state u32, authority 32, value 32, fee u64. */
const NONCE_BYTES = 80
const STATE_OFFSET = 4
const VALUE_OFFSET = 40
const INITIALIZED = 1

/**
 * Base58 value; null if the account is not an initialized nonce account.
 * @param account as answered by `getAccountInfo` in base64
 */
export function readNonceValue(account: unknown): string | null {
  const { owner, data } = (account ?? {}) as { owner?: unknown; data?: unknown }
  if (owner !== SYSTEM_PROGRAM || !Array.isArray(data) || typeof data[0] !== 'string') return null
  const bytes = Buffer.from(data[0], 'base64')
  if (bytes.length !== NONCE_BYTES || bytes.readUInt32LE(STATE_OFFSET) !== INITIALIZED) return null
  return addressOf(bytes.subarray(VALUE_OFFSET, VALUE_OFFSET + 32))
}
