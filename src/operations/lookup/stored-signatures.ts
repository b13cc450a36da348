// The signatures of a transaction that are stored.
import { parseTransaction } from '../../solana/parse.ts'
import type { Engine } from '../../engine/engine.ts'
import type { RecordState } from '../../engine/records/record.ts'

/** One per required signer, in message order; null: not signed yet. */
export function storedSignatures(
  engine: Pick<Engine, 'payload'>,
  transaction: RecordState<'transaction'>,
): readonly (Uint8Array | null)[] {
  const { signatures, signedBytes } = engine.payload(transaction)
  if (signedBytes !== null) return parseTransaction(Buffer.from(signedBytes, 'base64')).signatures
  return transaction.context.fixed.signers.map((_, index) => {
    const held = signatures?.[index] ?? null
    return held === null ? null : Buffer.from(held, 'base64')
  })
}
