// The stored signatures of a transaction, and signatures that callers send.
import { FormatError } from '../../../solana/format-error.ts'
import { signatureBytes } from '../../../solana/address.ts'
import { assembleTransaction, type CompiledMessage } from '../../../solana/message.ts'
import { parseTransaction } from '../../../solana/parse.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import { verifySignature } from '../../../keys/keypair.ts'
import { badRequest } from '../../../contract/refusal.ts'
import type { Signatures } from '../submit.ts'

export interface CallerSignature {
  readonly onchainId: string
  /** Base58 of 64 bytes. */
  readonly signature: string
}

/** One per required signer, in message order; null: not signed yet. */
export function storedSignatures(engine: Engine, transaction: RecordState<'transaction'>): Signatures {
  const { signatures, signedBytes } = engine.payload(transaction)
  if (signedBytes !== null) return parseTransaction(Buffer.from(signedBytes, 'base64')).signatures
  return transaction.context.fixed.signers.map((_, index) => {
    const held = signatures?.[index] ?? null
    return held === null ? null : Buffer.from(held, 'base64')
  })
}

/**
 * Adds signatures that the caller sends, each verified against the message.
 *
 * Throws 400 `SIGNER_UNKNOWN`, `SIGNATURE_INVALID`.
 */
export function addSignatures(
  message: CompiledMessage,
  held: Signatures,
  added: readonly CallerSignature[],
  pointer: string,
): Signatures {
  const signatures = [...held]
  for (const [index, { onchainId, signature }] of added.entries()) {
    const at = message.signers.indexOf(onchainId)
    if (at < 0)
      throw badRequest(
        'SIGNER_UNKNOWN',
        `${onchainId} is not a signer of this transaction`,
        `${pointer}/${index}/onchainId`,
      )
    const bytes = bytesOf(signature, `${pointer}/${index}/signature`)
    if (!verifySignature(message.bytes, bytes, onchainId)) {
      throw badRequest(
        'SIGNATURE_INVALID',
        'the signature does not verify for this message and account',
        `${pointer}/${index}/signature`,
      )
    }
    signatures[at] = bytes
  }
  return signatures
}

/** Base64 of the transaction, with zeros for missing signatures. */
export function serializeTransaction(message: CompiledMessage, signatures: Signatures): string {
  return Buffer.from(assembleTransaction(message, signatures)).toString('base64')
}

function bytesOf(signature: string, pointer: string): Uint8Array {
  try {
    return signatureBytes(signature)
  } catch (error) {
    if (error instanceof FormatError)
      throw badRequest('SIGNATURE_INVALID', 'must be the base58 text of a 64-byte signature', pointer)
    throw error
  }
}
