// Answers requests of other cells for countersignatures, by the same rules as within one cell. The unit of work belongs
// to the owner alone and is durable before the answer.
import type { UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import { signatureText } from '../../../solana/address.ts'
import { countersignedSubmission } from '../../../engine/settlement/submission.ts'
import { ofKind } from '../../../engine/records/record.ts'
import { credentialsInvalid } from '../../../contract/refusal.ts'
import { requireMayAct } from '../../context/may-act.ts'
import type { KeyPlace, Platform } from '../../context/platform.ts'
import { asRefusal } from '../../context/as-refusal.ts'
import { requesterStatus } from '../../lookup/subjects.ts'
import { runAttempts, type Attempt } from '../attempt.ts'
import { authorizeShare, countersign, screen } from './countersign.ts'
import { evaluateRecordedMessage, notAllowed } from './evaluate-share.ts'
import { requestOf, type CountersignQuestion, type LentSignature } from './question.ts'
import { countersignatureId, type CountersignRequest } from './request.ts'

/** Rejects with the Refusal of the rule that the message does not meet. Changes nothing. */
export async function consentForOtherCell(platform: Platform, question: CountersignQuestion): Promise<void> {
  const consented = new Error('the owner consents')
  try {
    await forOwner(platform, question, (unit, request) => {
      const { owner, addresses } = question
      requireEnabledAsker(platform, question)
      const { signing } = authorizeShare(platform, unit, owner, { addresses, request })
      screen(platform, owner, request)
      for (const { tenant, cluster, id, context } of signing) {
        const { address } = context
        const signer = platform.keys.signerFor({ tenant, cluster, id, address })
        if (signer === null) throw notAllowed(address)
      }
      throw consented
    })
  } catch (error) {
    if (error !== consented) throw error
  }
}

/**
 * The owner's own credentials may have been disabled while its request waited, here or in the cell of the transaction,
 * which does not know them. Throws 401 `CREDENTIALS_INVALID`.
 */
function requireEnabledAsker(
  { engine, clock }: Platform,
  { owner, asker: { tenant, caller } }: CountersignQuestion,
): void {
  if (tenant === owner && requesterStatus(engine.directory, caller, clock.now()) !== 'enabled')
    throw credentialsInvalid()
}

/** Rejects with the Refusal of the rule that the signed message does not meet any more. Changes nothing. */
export async function allowSendingForOtherCell(platform: Platform, question: CountersignQuestion): Promise<void> {
  const { owner, addresses } = question
  try {
    await runAttempts(platform, question, ({ known }) => {
      requireMayAct(platform)
      evaluateRecordedMessage(platform, owner, addresses, requestOf(question, known))
    })
  } catch (error) {
    throw asRefusal(error)
  }
}

/** Resolves once the countersignature is durable; remote signers that keep keys of the owner are asked after that. */
export async function countersignForOtherCell(
  platform: Platform,
  question: CountersignQuestion,
): Promise<readonly LentSignature[]> {
  const { owner, addresses, cluster, transactionId } = question
  const answers = await forOwner(platform, question, (unit, request) => {
    const signatures = countersign(platform, unit, owner, { addresses, request })
    const entry = platform.engine.directory.resident(countersignatureId(transactionId, owner))
    const countersignature = ofKind(entry?.head, 'countersignature')
    // Nothing else in this cell watches the transaction, and its own cell may never report how it ended.
    if (countersignature !== undefined)
      unit.afterCommit(() =>
        platform.clusters.get(cluster)?.watch(countersignedSubmission(platform.engine, countersignature)),
      )
    return signatures
  })
  const signatures: LentSignature[] = []
  const remoteKeys: KeyPlace[] = []
  for (const [address, answer] of answers)
    if (answer instanceof Uint8Array) signatures.push({ address, signature: signatureText(answer) })
    else remoteKeys.push({ ...answer, cluster })
  return [...signatures, ...(await platform.signingQueue.askLent(question, remoteKeys))]
}

async function forOwner<Result>(
  platform: Platform,
  question: CountersignQuestion,
  work: (unit: UnitOfWork, request: CountersignRequest) => Result,
): Promise<Result> {
  const attempt = async ({ known }: Attempt): Promise<Result> => {
    const { result, durable } = platform.engine.transact((unit) => {
      unit.openFor(question.owner)
      requireMayAct(platform)
      return work(unit, requestOf(question, known))
    })
    await durable
    return result
  }
  try {
    return await runAttempts(platform, question, attempt, { funds: true })
  } catch (error) {
    throw asRefusal(error)
  }
}
