// Parses the chain's record of a landed transaction, for details that a status does not contain.
import { malformed, readLamports } from './account-read.ts'
import { describeTransactionError } from '../solana/chain-error.ts'
import { isSlot } from './rpc.ts'

export interface LandedTransaction {
  readonly slot: number
  /** Unix seconds. */
  readonly blockTime: number | null
  readonly feeLamports: bigint
  readonly computeUnits: number | null
  readonly error: string | null
  readonly logs: readonly string[]
  /** Wire bytes as stored by the chain. */
  readonly bytes: Uint8Array
}

/** Parses the result of `getTransaction` in base64. Throws TransportError MALFORMED. */
export function readLanded(result: unknown): LandedTransaction | null {
  if (result === null) return null
  const { slot, blockTime, meta, transaction } = (result ?? {}) as Record<string, unknown>
  const { err, fee, computeUnitsConsumed, logMessages } = (meta ?? {}) as Record<string, unknown>
  const encoded: unknown = Array.isArray(transaction) ? transaction[0] : undefined
  if (!isSlot(slot) || err === undefined || typeof encoded !== 'string') throw malformed('a transaction')
  return {
    slot,
    blockTime: isSlot(blockTime) ? blockTime : null,
    feeLamports: readLamports(fee),
    computeUnits: isSlot(computeUnitsConsumed) ? computeUnitsConsumed : null,
    error: err === null ? null : describeTransactionError(err),
    logs: Array.isArray(logMessages) ? logMessages.map(String) : [],
    bytes: Buffer.from(encoded, 'base64'),
  }
}
