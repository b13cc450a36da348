// Records what a remote signer answers: a signature with the transaction (and, for a key of another tenant, with that
// tenant's countersignature), or a refusal in the history. This is the second commit of a transaction that could not
// be completed in the first.
import { signatureText } from '../../../solana/address.ts'
import { parseMessage } from '../../../solana/parse.ts'
import { countersignatureFor } from '../../../engine/settlement/countersigned.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { Entry } from '../../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import { tellWithConsequences } from '../../../engine/settlement/settlement.ts'
import type { UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import type { ClusterAccess, Platform } from '../../context/platform.ts'
import { launch } from '../launch.ts'
import { heldSignatures } from './held.ts'
import type { Question } from './question.ts'

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
  return index >= 0 && heldSignatures(engine, transaction)[index] === null ? transaction : null
}

/** Stores the signature. A transaction that becomes complete is submitted, unless it is held for Submit. */
export function keepAnswer(platform: Platform, { entry, place }: Question, signature: Uint8Array, at: string): void {
  const { engine } = platform
  const transaction = waitsFor(engine, entry, place.address)
  if (transaction === null) return
  const message = parseMessage(Buffer.from(transaction.context.fixed.message, 'base64'))
  const signatures = heldSignatures(engine, transaction).map((held, index) =>
    message.signers[index] === place.address ? signature : held,
  )
  const { held = false, exposed = false, asked = [] } = engine.payload(transaction)
  write(engine, (unit) => {
    launch(platform, clusterOf(platform, transaction), unit, {
      entry,
      message,
      signatures,
      asked,
      ours: true,
      covered: true,
      at,
      held,
      exposed,
    })
    if (place.tenant === transaction.tenant) return
    const given = [{ address: place.address, signature: signatureText(signature) }]
    const { messageHash } = transaction.context.fixed
    const countersignature = countersignatureFor(engine, transaction.id, messageHash, place.tenant)
    if (countersignature === undefined) return
    unit.alongside(place.tenant)
    unit.tell<'countersignature'>(countersignature, { type: 'command.sign', messageHash, signatures: given })
  })
}

/**
 * Records the refusal. A signer that was asked may have signed, so reservations stay until the transaction is proven
 * not to have landed. `neverAsked`: the request did not reach the signer, so nobody can complete the transaction; it
 * fails immediately, unless other tenants have countersigned.
 */
export function keepRefusal(
  platform: Platform,
  { entry, place }: Question,
  reason: string,
  neverAsked: boolean,
  at: string,
): void {
  const { engine } = platform
  const transaction = waitsFor(engine, entry, place.address)
  if (transaction === null) return
  const { id, context } = transaction
  if (neverAsked && (context.countersigners ?? []).length === 0) {
    write(engine, (unit) => {
      const failed = `${place.address} could not be asked to sign: ${reason}`
      tellWithConsequences(engine, unit, entry, { type: 'command.fail', at, reason: failed, neverAsked: true }, at)
      unit.afterCommit(() => clusterOf(platform, transaction).forget(id))
    })
    return
  }
  const signatures = heldSignatures(engine, transaction).filter((held) => held !== null).length
  const detail = `${place.address} refused to sign: ${reason}; it was asked, so only proof ends this`
  const { signature } = context
  write(engine, (unit) =>
    unit.tell<'transaction'>(entry, {
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

function write(engine: Engine, work: (unit: UnitOfWork) => unknown): void {
  // A failed write ends the process; there is no caller to report it to.
  engine.transact(work).durable.catch(() => undefined)
}

function clusterOf({ clusters }: Platform, { cluster }: RecordState<'transaction'>): ClusterAccess {
  const access = clusters.get(cluster)
  if (access === undefined) throw new Error(`cluster ${cluster} is not configured`)
  return access
}
