// The chain's record of balance changes: the history of an address, and the balances before and after a transaction.
import { malformed, readLamports } from './account-read.ts'
import { isSlot } from './rpc.ts'

export interface SignatureEntry {
  readonly signature: string
  readonly slot: number
  readonly failed: boolean
  readonly final: boolean
}

export interface ChainMovement {
  /** Unix seconds. */
  readonly blockTime: number | null
  /** Every account of the message, those of lookup tables included. */
  readonly keys: readonly string[]
  /** Lamports added to each account, in the order of `keys`. */
  readonly lamports: readonly bigint[]
  readonly tokens: readonly { readonly account: string; readonly mint: string; readonly amount: bigint }[]
}

/** Entries of a history that are kept, the oldest ones: the others are listed once those were passed. */
export const MAX_HISTORY = 10_000

type Members = Readonly<Record<string, unknown>>

/** Parses the result of `getSignaturesForAddress`. Throws TransportError MALFORMED. */
export function readHistory(result: unknown): SignatureEntry[] {
  return arrayOf(result).map((entry) => {
    const { signature, slot, err, confirmationStatus } = (entry ?? {}) as Members
    const at = typeof slot === 'bigint' ? Number(slot) : slot
    if (typeof signature !== 'string' || !isSlot(at)) throw malformed('a history')
    return { signature, slot: at, failed: err !== null && err !== undefined, final: confirmationStatus === 'finalized' }
  })
}

/** Parses the result of `getTransaction` in JSON; null: not known. Throws TransportError MALFORMED. */
export function readChainMovement(result: unknown): ChainMovement | null {
  if (result === null) return null
  const { blockTime, meta, transaction } = (result ?? {}) as Members
  const { preBalances, postBalances, preTokenBalances, postTokenBalances, loadedAddresses } = (meta ?? {}) as Members
  const { message } = (transaction ?? {}) as { message?: Members }
  const { writable, readonly } = (loadedAddresses ?? { writable: [], readonly: [] }) as Members
  const keys = [message?.['accountKeys'], writable, readonly].flatMap(arrayOf).map(String)
  const before = arrayOf(preBalances)
  const after = arrayOf(postBalances)
  if (before.length !== keys.length || after.length !== keys.length) throw malformed('a transaction')
  const seconds = typeof blockTime === 'bigint' ? Number(blockTime) : blockTime
  return {
    blockTime: isSlot(seconds) ? seconds : null,
    keys,
    lamports: after.map((lamports, index) => readLamports(lamports) - readLamports(before[index])),
    tokens: tokenChanges(keys, arrayOf(preTokenBalances ?? []), arrayOf(postTokenBalances ?? [])),
  }
}

/** By account and mint: either list lacks the accounts that do not exist before, or after, the transaction. */
function tokenChanges(
  keys: readonly string[],
  before: readonly unknown[],
  after: readonly unknown[],
): ChainMovement['tokens'] {
  const changes = new Map<string, { account: string; mint: string; amount: bigint }>()
  const add = (balance: unknown, sign: bigint): void => {
    const { account, mint, amount } = readTokenBalance(keys, balance)
    const key = `${account} ${mint}`
    changes.set(key, { account, mint, amount: (changes.get(key)?.amount ?? 0n) + sign * amount })
  }
  for (const balance of before) add(balance, -1n)
  for (const balance of after) add(balance, 1n)
  return [...changes.values()]
}

function readTokenBalance(keys: readonly string[], balance: unknown): ChainMovement['tokens'][number] {
  const { accountIndex, mint, uiTokenAmount } = (balance ?? {}) as Members
  const account = keys[Number(accountIndex)]
  const raw = ((uiTokenAmount ?? {}) as Members)['amount']
  if (account === undefined || typeof mint !== 'string' || typeof raw !== 'string' || !/^\d+$/.test(raw))
    throw malformed('a token balance')
  return { account, mint, amount: BigInt(raw) }
}

function arrayOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed('a transaction')
  return value as readonly unknown[]
}
