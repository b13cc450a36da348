// Records the answers of remote signers: a signature with the transaction (and, for a key of another tenant, with that
// tenant's countersignature), or a refusal in the history. This is the second commit of a transaction that could not
// be completed in the first.
import { signatureText } from '../../../solana/address.ts'
import { parseMessage } from '../../../solana/parse.ts'
import { countersignatureFor } from '../../../engine/settlement/countersigned.ts'
import type { Engine } from '../../../engine/engine.ts'
import { atHand } from '../../../../snapshots/at-hand.ts'
import type { Entry } from '../../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import { sendWithConsequences } from '../../../engine/settlement/settlement.ts'
import type { UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import type { PlatformCluster, Platform } from '../../context/platform.ts'
import { runAttempts } from '../attempt.ts'
import type { KnownAccounts } from '../known-accounts.ts'
import { submit } from '../submit.ts'
import { storedSignatures } from './held.ts'
import type { SignatureQuestion } from './question.ts'
import { reasonNotToSend } from './send.ts'
import { isWithheld } from './withheld.ts'

/**
 * The transaction, while a signature of the address is still of use: it is partially signed, not being cancelled, and
 * lacks this signature.
 */
export function waitsFor(engine: Engine, entry: Entry, address: string): RecordState<'transaction'> | null {
  const transaction = ofKind(entry.head, 'transaction')
  if (transaction === undefined || transaction.value !== 'partiallySigned') return null
  const { ourSignature, cancelAskedAt, fixed } = transaction.context
  if (!ourSignature || cancelAskedAt !== null) return null
  const index = fixed.signers.findIndex((signer) => signer.address === address)
  return index >= 0 && storedSignatures(engine, transaction)[index] === null ? transaction : null
}

/**
 * Stores the signature. A transaction that becomes complete is submitted, unless it is held for Submit. It is held,
 * too, if it may not be sent by now: a signer may have decided long after the question. Resolves once the signature is
 * durable: false if the transaction no longer waits for it.
 */
export async function keepAnswer(
  platform: Platform,
  question: SignatureQuestion,
  signature: Uint8Array,
  at: string,
): Promise<boolean> {
  return await runAttempts(platform, question.place, ({ known }) =>
    storeSignature(platform, question, { signature, at }, known),
  )
}

async function storeSignature(
  platform: Platform,
  { entry, place }: SignatureQuestion,
  { signature, at }: { readonly signature: Uint8Array; readonly at: string },
  chain: Pick<KnownAccounts, 'get' | 'sendable'>,
): Promise<boolean> {
  const { engine } = platform
  const transaction = waitsFor(engine, entry, place.address)
  if (transaction === null) return false
  const message = parseMessage(Buffer.from(transaction.context.fixed.message, 'base64'))
  const signatures = storedSignatures(engine, transaction).map((held, index) =>
    message.signers[index] === place.address ? signature : held,
  )
  const { held = false, exposed = false, asked = [] } = engine.payload(transaction)
  const isComplete = signatures.every((each) => each !== null)
  const reason = isComplete && !held ? reasonNotToSend(platform, transaction, chain) : null
  await write(engine, (unit) => {
    submit(platform, clusterOf(platform, transaction), unit, {
      entry,
      message,
      signatures,
      asked,
      ours: true,
      covered: true,
      at,
      held: held || reason !== null,
      exposed,
      ...(reason === null ? {} : { detail: reason }),
    })
    if (place.tenant === transaction.tenant) return
    const added = [{ address: place.address, signature: signatureText(signature) }]
    const { messageHash } = transaction.context.fixed
    const countersignature = countersignatureFor(engine, transaction.id, messageHash, place.tenant)
    if (countersignature === undefined) return
    unit.alongside(place.tenant)
    unit.send<'countersignature'>(countersignature, { type: 'command.sign', messageHash, signatures: added })
  })
  return true
}

interface RecordedRefusal {
  readonly reason: string
  /** The signer states that it has not signed, and has answered every request. */
  readonly neverSigned: boolean
  readonly at: string
}

/**
 * Records the refusal. A signer that was asked may have signed, or may sign later, so reservations stay until the
 * transaction is proven not to have landed. The transaction fails immediately, unless other tenants have countersigned,
 * if nobody can complete it: the signer states that it has not signed, and a signature that only this service can give
 * has not left it.
 */
export async function keepRefusal(
  platform: Platform,
  question: SignatureQuestion,
  refusal: RecordedRefusal,
): Promise<void> {
  await atHand(platform.engine, () => recordRefusal(platform, question, refusal))
}

async function recordRefusal(
  platform: Platform,
  { entry, place }: SignatureQuestion,
  { reason, neverSigned, at }: RecordedRefusal,
): Promise<void> {
  const { engine } = platform
  const transaction = waitsFor(engine, entry, place.address)
  if (transaction === null) return
  const { id, context } = transaction
  const isOver = neverSigned && isWithheld(platform, transaction)
  // An owner in another cell that refuses has not countersigned.
  const isRefuser = (tenant: string): boolean => tenant === place.tenant && !engine.owns(tenant)
  if (isOver && (context.countersigners ?? []).every(({ tenant }) => isRefuser(tenant))) {
    await write(engine, (unit) => {
      const failed = `${place.address} refused to sign: ${reason}`
      sendWithConsequences(engine, unit, entry, {
        event: { type: 'command.fail', at, reason: failed, withheld: true },
        at,
      })
      unit.afterCommit(() => clusterOf(platform, transaction).forget(id))
    })
    return
  }
  const signatures = storedSignatures(engine, transaction).filter((held) => held !== null).length
  const detail = `${place.address} refused to sign: ${reason}; it was asked, so only proof ends this`
  const { signature } = context
  await write(engine, (unit) =>
    unit.send<'transaction'>(entry, {
      type: 'command.sign',
      signatures,
      complete: false,
      ourSignature: true,
      signature,
      at,
      detail,
    }),
  )
}

async function write(engine: Engine, work: (unit: UnitOfWork) => unknown): Promise<void> {
  await engine.transact(work).durable
}

function clusterOf({ clusters }: Platform, { cluster }: RecordState<'transaction'>): PlatformCluster {
  const access = clusters.get(cluster)
  if (access === undefined) throw new Error(`cluster ${cluster} is not configured`)
  return access
}
