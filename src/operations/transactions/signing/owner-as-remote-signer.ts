// Treats the owner of a key in another cell as a remote signer: the service requests its signature after the
// transaction is durable, and repeats the request until the owner answers.
import { signatureBytes } from '../../../solana/address.ts'
import type { Entry } from '../../../engine/records/entry.ts'
import { Refusal } from '../../../contract/refusal.ts'
import type { SignerAnswer } from '../../../keys/signer.ts'
import type { Platform, RemoteSigner } from '../../context/platform.ts'
import { questionAbout, type LentSignature } from '../countersign/question.ts'
import { transactionOf } from '../submit.ts'
import type { AskedPlace } from './question.ts'

/** null: the owner cannot be asked. */
export function ownerAsRemoteSigner(
  { engine, otherCellOwners: ownersElsewhere }: Platform,
  entry: Entry,
  { tenant: owner, address, by }: AskedPlace,
): RemoteSigner | null {
  if (ownersElsewhere === undefined || by === undefined) return null
  const transaction = transactionOf(entry)
  const { asked = [] } = engine.payload(transaction)
  // One request for all addresses, because an owner decides about the message as a whole.
  const addresses = asked.filter(({ tenant }) => tenant === owner).map((each) => each.address)
  const question = questionAbout(transaction, by, { owner, addresses })
  const sign = async (): Promise<SignerAnswer> => {
    try {
      const given = await ownersElsewhere.countersign(question)
      return answerAbout(given, address)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return answerOfRefusal(error)
    }
  }
  return { address, remote: true, sign }
}

/**
 * If the owner's key is kept by a remote signer, the answer counts as that of a countersigner: a refusal proves
 * nothing, because the owner has already reserved the amounts.
 */
function answerAbout(given: readonly LentSignature[], address: string): SignerAnswer {
  const found = given.find((each) => each.address === address)
  if (found === undefined) throw new Error(`the owner gave no signature of ${address}`)
  const { signature, refused, pendingMs = null } = found
  if (signature !== null) return { kind: 'signed', signature: signatureBytes(signature) }
  return refused === undefined ? { kind: 'pending', retryMs: pendingMs } : { kind: 'refused', reason: refused }
}

/**
 * A refusal has changed nothing; any other failure may have happened after the owner's commit. While no node owns the
 * cell, the pauses do not grow, because the next owner will claim it soon.
 */
function answerOfRefusal({ status, problems, retryAfterSeconds }: Refusal): SignerAnswer {
  if (status === 503 && retryAfterSeconds !== undefined) return { kind: 'pending', retryMs: retryAfterSeconds * 1_000 }
  const reason = problems.map(({ message }) => message).join('; ')
  return status < 500 && status !== 429 ? { kind: 'refused', reason, neverSigned: true } : { kind: 'unreached', reason }
}
