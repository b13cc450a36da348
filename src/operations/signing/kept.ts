// Signatures for a transaction that has its record: brought from outside, given by us, or both. What is complete waits for Submit.
import { parseMessage } from '../../chain/parse.ts'
import { classify } from '../../chain/table/classify.ts'
import type { RecordState } from '../../engine/record.ts'
import type { Call, Outcome } from '../call.ts'
import { rememberOutcome } from '../idempotency.ts'
import type { SignTransactionInput } from '../input.ts'
import { lookBeforeSigning, nonceHasPassed } from '../nonces/renew.ts'
import type { Platform } from '../platform.ts'
import { badRequest } from '../refusal.ts'
import { launch, takePlace, transactionOf, type Signatures } from '../transact/launch.ts'
import { clusterOf } from '../transact/transact.ts'
import { heldSignatures, serialized, withBrought } from './held.ts'
import { isOwn, shownTo, signableTransaction } from './named.ts'
import { nothing, signWithOurs } from './ours.ts'
import { hasPassed, needsOurs, rebuild } from './rebuild.ts'

export interface KeptRequest extends Pick<SignTransactionInput, 'signers' | 'signatures' | 'returnSerialized'> {
  readonly offchainId: string
  /** Checked signatures that came with bytes of this very message, which is not made anew then. */
  readonly given?: Signatures
  /** Submit gives no signature of ours, and sends. */
  readonly intent: 'sign' | 'submit'
  /** The member that names the transaction. */
  readonly pointer: string
}

/** Throws 400 `TRANSACTION_NOT_FOUND`, `BLOCKHASH_EXPIRED`, `NONCE_EXPIRED`, `NOT_SIGNED`, `ALREADY_SIGNED`, `ENDED`, and what ours refuse. */
export async function signKept(platform: Platform, call: Call, request: KeptRequest): Promise<Outcome> {
  const { offchainId, intent, pointer } = request
  const cluster = clusterOf(platform, call)
  const [fresh] = await Promise.all([cluster.freshBlockhash(), lookBeforeSigning(platform, offchainId)])
  const brought = request.signatures ?? []
  const at = new Date(platform.clock.now()).toISOString()
  const { result, durable } = platform.engine.transact((unit) => {
    const { entry, transaction } = signableTransaction(platform, call, offchainId, `${pointer}/offchainId`)
    const { complete, cancelAskedAt } = transaction.context
    if (complete) checkStillOurs(platform, transaction)
    const kept = heldSignatures(platform.engine, transaction)
    const nonceLost = !complete && nonceHasPassed(platform, transaction)
    if (nonceLost || (!complete && hasPassed(cluster, transaction))) {
      const code = nonceLost ? 'NONCE_EXPIRED' : 'BLOCKHASH_EXPIRED'
      if (brought.length > 0)
        throw badRequest(code, 'the message has expired: call Sign without signatures for a new one', '/itemData/signatures')
      if (request.given !== undefined)
        throw badRequest(code, 'the message has expired: name the transaction to Sign for a new one', pointer)
      if (kept.every((signature) => signature === null)) {
        if (!needsOurs(platform, transaction)) throw badRequest(code, 'others can have sent the message: make a new request', pointer)
        rebuild(platform, call, unit, entry, fresh)
      } else if (nonceLost) throw badRequest(code, 'the nonce has moved on: the transaction cannot land any more', pointer)
    }
    const { fixed } = transactionOf(entry).context
    const message = parseMessage(Buffer.from(fixed.message, 'base64'))
    const effects = classify(
      message,
      fixed.accounts.map(({ address }) => address),
    )
    const withGiven = kept.map((signature, index) => signature ?? request.given?.[index] ?? null)
    const held = withBrought(message, withGiven, brought, '/itemData/signatures')
    const payload = platform.engine.payload(transaction)
    const exposed = request.returnSerialized === true || payload.exposed === true
    const admitted = (): void => takePlace(cluster, unit, transactionOf(entry))
    const home = transaction.tenant
    const asking = { transactionId: offchainId, cluster: call.cluster, home, asker: call, message, effects, isMade: nothing, fixed, at }
    const wanted = intent === 'submit' ? [] : request.signers
    const {
      signatures,
      asked: askedNow,
      ours,
    } = signWithOurs(platform, unit, call, asking, held, wanted, isOwn(call, transaction), admitted)
    if (intent === 'submit' && signatures.includes(null)) throw badRequest('NOT_SIGNED', 'signatures are missing', pointer)
    const answered = complete ? kept : signatures
    if (!complete) {
      const before = payload.asked ?? []
      const asked = [...before, ...askedNow.filter((each) => !before.some(({ address }) => address === each.address))]
      const outside = message.signers.filter((_, index) => kept[index] === null && held[index] !== null)
      // What is complete and sent by us is ours to follow, whoever signed.
      const follows = ours || intent === 'submit'
      const waits = intent === 'sign' || cancelAskedAt !== null
      launch(platform, cluster, unit, {
        entry,
        message,
        signatures,
        asked,
        ours: follows,
        covered: true,
        at,
        held: waits,
        exposed,
        outside,
      })
    } else if (exposed && payload.exposed !== true) {
      // Before the caller has it, it is written that it left.
      const { tenant, cluster: clusterId, id } = transaction
      unit.also(tenant, { type: 'payload', tenant, cluster: clusterId, id, payload: { ...payload, exposed } })
    }
    const outcome: Outcome = {
      members:
        request.returnSerialized === true
          ? { serializedTransaction: serialized(message, shownTo(platform, call, transaction, answered)) }
          : {},
      transactions: [offchainId],
      shape: 'bare',
      awaited: intent === 'submit' ? 'confirmed' : 'signed',
    }
    rememberOutcome(call, unit, outcome)
    return outcome
  })
  await durable
  return result
}

/** Signed completely, kept here and wanted: asked again, it is shown as it is. */
function checkStillOurs(platform: Platform, transaction: RecordState<'transaction'>): void {
  const { finalAt, cancelAskedAt } = transaction.context
  if (finalAt !== null) throw badRequest('ENDED', 'the transaction has ended', '/itemData')
  if (cancelAskedAt !== null) throw badRequest('ALREADY_SIGNED', 'its cancellation was asked for', '/itemData')
  if (transaction.value === 'signed' && platform.engine.payload(transaction).held === true) return
  throw badRequest('ALREADY_SIGNED', 'every signature is there already, and it is on its way', '/itemData')
}
