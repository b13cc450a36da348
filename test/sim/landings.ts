// A transaction as it landed on the simulated chain, read without the service: what it asks for is in its memo, what it
// did is in the balances before and after.
import { createHash } from 'node:crypto'
import type { LedgerTransaction } from '../../src/localnet/contract.ts'
import { messageOf } from './message.ts'

export interface Landing {
  readonly signature: string
  readonly slot: number
  /** SHA-256 of the message, hex. */
  readonly hash: string
  readonly feePayer: string
  readonly signatures: number
  /** Number of the request that its memo names. */
  readonly request: number | null
  readonly error: string | null
  readonly feeLamports: bigint
  /** By address: what the transaction changed. */
  readonly lamports: ReadonlyMap<string, bigint>
  readonly tokens: ReadonlyMap<string, bigint>
  readonly transaction: LedgerTransaction
}

export function landingOf(transaction: LedgerTransaction): Landing {
  const { signature, slot, error, feeLamports, accountKeys } = transaction
  const message = messageOf(transaction.bytes)
  const lamports = new Map<string, bigint>()
  accountKeys.forEach((key, index) => {
    const change = transaction.postBalances[index]! - transaction.preBalances[index]!
    if (change !== 0n) lamports.set(key, change)
  })
  const tokens = new Map<string, bigint>()
  const add = (index: number, amount: bigint): void => {
    const key = accountKeys[index]!
    tokens.set(key, (tokens.get(key) ?? 0n) + amount)
  }
  for (const { accountIndex, amount } of transaction.postTokenBalances) add(accountIndex, BigInt(amount))
  for (const { accountIndex, amount } of transaction.preTokenBalances) add(accountIndex, -BigInt(amount))
  return {
    signature,
    slot,
    feeLamports,
    lamports,
    tokens,
    transaction,
    hash: createHash('sha256').update(message.bytes).digest('hex'),
    feePayer: accountKeys[0]!,
    signatures: message.signatures,
    request: requestIn(message.bytes),
    error: error === null ? null : JSON.stringify(error),
  }
}

/** True if a memo names a request, an item of a batch or a schedule. */
export function isAskedFor(message: Uint8Array): boolean {
  const text = Buffer.from(message.buffer, message.byteOffset, message.length).toString('latin1')
  return /#[a-z]\d+(?:\.\d+)?;/.test(text)
}

/** The memo `r<number>;` is looked for in the bytes: nothing else in a message looks like it. */
export function requestIn(message: Uint8Array): number | null {
  const text = Buffer.from(message.buffer, message.byteOffset, message.length).toString('latin1')
  const match = /#r(\d+);/.exec(text)
  return match === null ? null : Number(match[1])
}
