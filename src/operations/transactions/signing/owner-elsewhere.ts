// Treats the owner of a key in another cell as a remote signer: the service requests its signature after the
// transaction is durable, and repeats the request until the owner answers.
import { signatureBytes } from '../../../solana/address.ts'
import type { Entry } from '../../../engine/records/entry.ts'
import { Refusal } from '../../../contract/refusal.ts'
import { SignerUnreached, SigningPending, SigningRefused } from '../../../keys/signer.ts'
import type { Platform, RemoteSigner } from '../../context/platform.ts'
import { questionAbout, type LentSignature } from '../countersign/question.ts'
import { transactionOf } from '../submit.ts'
import type { AskedPlace } from './question.ts'

/** null: the owner cannot be asked. */
export function ownerElsewhere(
  { engine, ownersElsewhere }: Platform,
  entry: Entry,
  { tenant: owner, address, by }: AskedPlace,
): RemoteSigner | null {
  if (ownersElsewhere === undefined || by === undefined) return null
  const transaction = transactionOf(entry)
  const { asked = [] } = engine.payload(transaction)
  // One request for all addresses, because an owner decides about the message as a whole.
  const addresses = asked.filter(({ tenant }) => tenant === owner).map((each) => each.address)
  const question = questionAbout(transaction, by, { owner, addresses })
  const sign = async (): Promise<Uint8Array> => {
    try {
      const signatures = await ownersElsewhere.countersign(question)
      return signatureIn(signatures, address)
    } catch (error) {
      throw asSigner(error)
    }
  }
  return { address, remote: true, sign }
}

/**
 * The answer of the owner's remote signer counts as the answer of a countersigner: its refusal is no proof, because the
 * owner has reserved the amounts already. Throws `SigningPending`, `SigningRefused`.
 */
function signatureIn(signatures: readonly LentSignature[], address: string): Uint8Array {
  const lent = signatures.find((each) => each.address === address)
  if (lent === undefined) throw new Error(`the owner gave no signature of ${address}`)
  const { signature, refused, pendingMs = null } = lent
  if (signature !== null) return signatureBytes(signature)
  throw refused === undefined ? new SigningPending(pendingMs) : new SigningRefused(refused)
}

/**
 * A refusal has changed nothing; any other failure may have happened after the owner's commit. While no node owns the
 * cell, the pauses do not grow, because the next owner will claim it soon.
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
