// The owner of a key in another cell, as a remote signer: it is asked by the message, after the transaction is durable,
// and again until it answers.
import { signatureBytes } from '../../../solana/address.ts'
import type { Entry } from '../../../engine/records/entry.ts'
import { Refusal } from '../../../contract/refusal.ts'
import { SignerUnreached, SigningPending, SigningRefused } from '../../../keys/signer.ts'
import type { Platform, RemoteSigner } from '../../context/platform.ts'
import { questionAbout, type LentSignature } from '../countersign/question.ts'
import { transactionOf } from '../submit.ts'
import type { AskedPlace } from './question.ts'

/** null: nobody can be asked. */
export function ownerElsewhere(
  { engine, ownersElsewhere }: Platform,
  entry: Entry,
  { tenant: owner, address, by }: AskedPlace,
): RemoteSigner | null {
  if (ownersElsewhere === undefined || by === undefined) return null
  const transaction = transactionOf(entry)
  const { asked = [] } = engine.payload(transaction)
  // All at once: an owner decides about the message as a whole.
  const addresses = asked.filter(({ tenant }) => tenant === owner).map((each) => each.address)
  const question = questionAbout(transaction, by, { owner, addresses })
  const sign = async (): Promise<Uint8Array> => {
    try {
      const given = await ownersElsewhere.countersign(question)
      return signatureIn(given, address)
    } catch (error) {
      throw asSigner(error)
    }
  }
  return { address, remote: true, sign }
}

/**
 * Of a key that a remote signer keeps, what that one says counts as of a countersigner: its refusal is no proof, for
 * the owner has reserved what it asked for. Throws `SigningPending`, `SigningRefused`.
 */
function signatureIn(given: readonly LentSignature[], address: string): Uint8Array {
  const found = given.find((each) => each.address === address)
  if (found === undefined) throw new Error(`the owner gave no signature of ${address}`)
  const { signature, refused, pendingMs = null } = found
  if (signature !== null) return signatureBytes(signature)
  throw refused === undefined ? new SigningPending(pendingMs) : new SigningRefused(refused)
}

/**
 * A refusal left nothing behind. Any other failure may have come after the owner's commit. While nobody owns the cell,
 * the next owner is soon there: the pauses do not grow.
 */
function asSigner(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  if (error.status === 503 && error.retryAfterSeconds !== undefined)
    return new SigningPending(error.retryAfterSeconds * 1_000)
  const reason = error.problems.map(({ message }) => message).join('; ')
  return error.status < 500 && error.status !== 429
    ? new SigningRefused(reason, { neverSigned: true })
    : new SignerUnreached(reason)
}
