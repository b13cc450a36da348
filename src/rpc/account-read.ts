// Parses accounts from a node's response, with validation and exact integers.
import { TransportError } from './rpc-error.ts'
import { isSlot } from './rpc.ts'
import type { Transport } from './transport.ts'

/** Maximum number of addresses of one `getMultipleAccounts` call. */
const ACCOUNTS_PER_CALL = 100

/** An account as read from the chain. */
export interface ChainAccount {
  readonly lamports: bigint
  /** Base58 address of the owning program. */
  readonly owner: string
  readonly data: Uint8Array
  readonly executable: boolean
}

/**
 * Reads any number of accounts from one endpoint, in the order of `addresses`; `slot` is the oldest context slot of the
 * responses. Rejects with RpcError or TransportError.
 */
export async function readAccounts(
  transport: Transport,
  addresses: readonly string[],
  options: object,
  timeoutMs: number,
): Promise<{ readonly slot: number; readonly accounts: readonly (ChainAccount | null)[] }> {
  const portions: string[][] = []
  for (let at = 0; at < addresses.length; at += ACCOUNTS_PER_CALL)
    portions.push(addresses.slice(at, at + ACCOUNTS_PER_CALL))
  const parts = await Promise.all(
    portions.map(async (portion) => {
      const params = [portion, { encoding: 'base64', ...options }]
      const { slot, value } = readContext(
        await transport.call('getMultipleAccounts', params, { exact: true, timeoutMs }),
      )
      if (!Array.isArray(value) || value.length !== portion.length) throw malformed('accounts')
      return { slot, accounts: value.map(readAccount) }
    }),
  )
  return { slot: Math.min(...parts.map((part) => part.slot)), accounts: parts.flatMap((part) => part.accounts) }
}

/** Null if the account does not exist on the node. Throws TransportError MALFORMED. */
export function readAccount(value: unknown): ChainAccount | null {
  if (value === null) return null
  const { lamports, owner, data, executable } = (value ?? {}) as Record<string, unknown>
  const encoded: unknown = Array.isArray(data) ? data[0] : undefined
  if (typeof owner !== 'string' || typeof encoded !== 'string' || typeof executable !== 'boolean')
    throw malformed('an account')
  return { lamports: readLamports(lamports), owner, data: Buffer.from(encoded, 'base64'), executable }
}

/** A non-negative integer that was parsed exactly. Throws TransportError MALFORMED. */
export function readLamports(value: unknown): bigint {
  if (typeof value === 'bigint' && value >= 0n) return value
  if (isSlot(value)) return BigInt(value)
  throw malformed('an amount')
}

/** Parses `{context: {slot}, value}`. Throws TransportError MALFORMED. */
export function readContext(result: unknown): { readonly slot: number; readonly value: unknown } {
  const { context, value } = (result ?? {}) as { context?: { slot?: unknown } | null; value?: unknown }
  const slot = context?.slot
  if (!isSlot(slot) || value === undefined) throw malformed('a context')
  return { slot, value }
}

export function malformed(what: string): TransportError {
  return new TransportError('MALFORMED', `${what} in the answer is not in the shape of its method`)
}
