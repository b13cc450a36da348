// Accounts as a node answers them, checked and with exact integers.
import { TransportError } from './rpc-error.ts'
import { isSlot } from './rpc.ts'

export interface ChainAccount {
  readonly lamports: bigint
  /** Program that owns it, base58. */
  readonly owner: string
  readonly data: Uint8Array
  readonly executable: boolean
}

/** Throws TransportError MALFORMED. Null: the node knows no such account. */
export function readAccount(value: unknown): ChainAccount | null {
  if (value === null) return null
  const { lamports, owner, data, executable } = (value ?? {}) as Record<string, unknown>
  const encoded: unknown = Array.isArray(data) ? data[0] : undefined
  if (typeof owner !== 'string' || typeof encoded !== 'string' || typeof executable !== 'boolean') throw malformed('an account')
  return { lamports: readLamports(lamports), owner, data: Buffer.from(encoded, 'base64'), executable }
}

/** A non-negative integer that was parsed exactly. */
export function readLamports(value: unknown): bigint {
  if (typeof value === 'bigint' && value >= 0n) return value
  if (isSlot(value)) return BigInt(value)
  throw malformed('an amount')
}

/** `{context: {slot}, value}` of a result. */
export function readContext(result: unknown): { readonly slot: number; readonly value: unknown } {
  const { context, value } = (result ?? {}) as { context?: { slot?: unknown } | null; value?: unknown }
  const slot = context?.slot
  if (!isSlot(slot) || value === undefined) throw malformed('a context')
  return { slot, value }
}

export function malformed(what: string): TransportError {
  return new TransportError('MALFORMED', `${what} in the answer is not in the shape of its method`)
}
