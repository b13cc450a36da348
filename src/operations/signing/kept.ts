// Signatures for a recorded transaction: brought from outside, given by this service, or both. A complete transaction
// waits for Submit.
import { parseMessage } from '../../solana/parse.ts'
import { classify } from '../../solana/table/classify.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { payloadOp } from '../../engine/records/payload-row.ts'
import type { Call, Outcome } from '../../contract/call.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import type { SignTransactionInput } from '../../contract/schemas/transaction.ts'
import { lookBeforeSigning, nonceHasPassed } from '../transactions/nonces/renew.ts'
import { limitedAs } from '../authorization/limits/again.ts'
import { LimitGate } from '../authorization/limits/gate.ts'
import { intentOf } from '../authorization/limits/intent.ts'
import { checkSupplyCaps } from '../authorization/supply-cap.ts'
import type { Blockhash, Platform, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { checkStillHolds } from '../loans/still-holds.ts'
import { attempted } from '../transactions/attempt.ts'
import type { KnownAccounts } from '../transactions/known-accounts.ts'
import { submit, takePlace, transactionOf, type Signatures } from '../transactions/submit.ts'
import { clusterOf } from '../transactions/transact.ts'
import { heldSignatures, serialized, withBrought } from '../transactions/signing/held.ts'
import { shownTo, signableTransaction } from '../transactions/signing/named.ts'
import { isOfTenant, isOwn } from '../lookup/signing-requests.ts'
import { signWithOurs } from '../transactions/signing/ours.ts'
import { checkItsTurn } from '../transactions/signing/turn.ts'
import { hasPassed, needsOurs, rebuild } from '../transactions/signing/rebuild.ts'
import type { SignedMembers } from '../../contract/schemas/members.ts'

export interface KeptRequest extends Pick<SignTransactionInput, 'signers' | 'signatures' | 'returnSerialized'> {
  readonly offchainId: string
  /** Verified signatures that came with bytes of this message. The message is not rebuilt in this case. */
  readonly given?: Signatures
  /** Submit gives no signature of this service, and sends. */
  readonly intent: 'sign' | 'submit'
  /**
   * The call whose key approves the transaction; the request itself then has the rights of the original requester.
   */
  readonly approver?: Call
  /** JSON pointer of the member that names the transaction. */
  readonly pointer: string
}

/**
 * Throws 400 `TRANSACTION_NOT_FOUND`, `BLOCKHASH_EXPIRED`, `NONCE_EXPIRED`, `NOT_SIGNED`, `ALREADY_SIGNED`, `ENDED`,
 * `SIGNERS_REQUIRED`, and what `signWithOurs` refuses.
 */
export async function signKept(context: Context, request: KeptRequest): Promise<Outcome<SignedMembers>> {
  const { platform, call } = context
  const { offchainId, intent, pointer, approver } = request
  const cluster = clusterOf(context)
  const [fresh] = await Promise.all([cluster.freshBlockhash(), lookBeforeSigning(platform, offchainId)])
  const brought = request.signatures ?? []
  const at = new Date(platform.clock.now()).toISOString()
  const sign = (chain: Pick<KnownAccounts, 'get'>) =>
    platform.engine.transact((unit) => {
      const { entry, transaction } = signableTransaction(context, offchainId, `${pointer}/offchainId`)
      if (intent === 'sign' && !isOfTenant(call, transaction)) checkNamesSigners(request)
      unit.openFor(transaction.tenant)
      // The idempotency and audit rows of a caller that signs another tenant's transaction belong to the caller's
      // tenant.
      unit.alongside(call.tenant)
      const { complete, cancelAskedAt } = transaction.context
      // With all signatures in hand, the caller could send the transaction before the earlier ones of its plan.
      if (request.returnSerialized === true) checkItsTurn(platform, offchainId, pointer)
      if (approver !== undefined)
        unit.send<'transaction'>(entry, { type: 'command.approve', keyId: approver.caller.keyId, at })
      if (complete) checkStillOurs(platform, transaction)
      const kept = heldSignatures(platform.engine, transaction)
      const nonceLost = !complete && nonceHasPassed(platform, transaction)
      if (nonceLost || (!complete && hasPassed(cluster, transaction))) {
        const code = nonceLost ? 'NONCE_EXPIRED' : 'BLOCKHASH_EXPIRED'
        if (brought.length > 0)
          throw badRequest(
            code,
            'the message has expired: call Sign without signatures for a new one',
            '/itemData/signatures',
          )
        if (request.given !== undefined)
          throw badRequest(code, 'the message has expired: call Sign with the transaction for a new one', pointer)
        if (kept.every((signature) => signature === null)) {
          if (!needsOurs(platform, transaction))
            throw badRequest(code, 'the message may have been sent by another party: create a new transaction', pointer)
          rebuild(context, unit, entry, fresh)
        } else if (nonceLost)
          throw badRequest(code, 'the nonce was advanced: the transaction can no longer land', pointer)
      } else if (approver !== undefined && mayBeRenewed(platform, transaction, kept, fresh))
        rebuild(context, unit, entry, fresh)
      const { fixed } = transactionOf(entry).context
      const message = parseMessage(Buffer.from(fixed.message, 'base64'))
      const keys = fixed.accounts.map(({ address }) => address)
      const effects = classify(message, keys)
      // A transaction that this service signed counts already.
      if (!transaction.context.ourSignature)
        checkSupplyCaps(platform, {
          tenant: transaction.tenant,
          cluster: call.cluster,
          transactionId: offchainId,
          effects,
        })
      const withGiven = kept.map((signature, index) => signature ?? request.given?.[index] ?? null)
      const held = withBrought(message, withGiven, brought, '/itemData/signatures')
      const payload = platform.engine.payload(transaction)
      const exposed = request.returnSerialized === true || payload.exposed === true
      const home = transaction.tenant
      const provided = fixed.adapter === undefined ? {} : { isProvided: true }
      const deps = { effects, chain, ...limitedAs(fixed), ...provided }
      const then = intent === 'sign' && request.signers === undefined ? 'SIGN' : 'WAIT'
      const gate = new LimitGate(context, entry, { ...deps, keys, intent: intentOf(message, keys, effects), then }, at)
      const maySign = (): boolean => {
        if (!gate.opens(unit)) return false
        takePlace(cluster, unit, transactionOf(entry))
        return true
      }
      const vouched = fixed.adapter === undefined ? undefined : new Set(fixed.adapter.signs)
      if (!complete && fixed.adapter !== undefined) checkStillHolds(platform, transactionOf(entry), pointer)
      const asking = {
        transactionId: offchainId,
        cluster: call.cluster,
        home,
        asker: call,
        message,
        keys,
        fixed,
        vouched,
        at,
        ...deps,
      }
      const waits = approver !== undefined && transactionOf(entry).context.approval?.then === 'WAIT'
      const wanted =
        intent === 'submit' || waits ? [] : (request.signers ?? (isOfTenant(call, transaction) ? undefined : []))
      const {
        signatures: gathered,
        asked: askedNow,
        countersigners,
        ours,
      } = signWithOurs(platform, unit, call, {
        request: asking,
        held,
        wanted,
        isOwn: isOwn(call, transaction),
        maySign,
      })
      const isWhole = !complete && gathered.every((signature) => signature !== null)
      // A complete transaction that waits for approval keeps its previous signatures only, since complete bytes could
      // be sent; the caller brings the others again after the approval.
      const signatures = isWhole && !ours && !gate.opens(unit) ? kept : gathered
      if (intent === 'submit' && signatures.includes(null) && !gate.isClosed)
        throw badRequest('NOT_SIGNED', 'signatures are missing', pointer)
      const answered = complete ? kept : signatures
      const goesOut = approver !== undefined && transactionOf(entry).context.approval?.then === 'SEND'
      if (!complete) {
        const before = payload.asked ?? []
        const asked = [...before, ...askedNow.filter((each) => !before.some(({ address }) => address === each.address))]
        const outside = message.signers.filter((_, index) => kept[index] === null && held[index] !== null)
        // This service follows a transaction that it signs or submits, whoever gave the signatures.
        const follows = ours || (intent === 'submit' && !gate.isClosed)
        const isHeld = (intent === 'sign' && !goesOut) || cancelAskedAt !== null
        submit(platform, cluster, unit, {
          entry,
          message,
          signatures,
          asked,
          countersigners,
          ours: follows,
          covered: true,
          at,
          held: isHeld,
          exposed,
          outside,
          ...gate.decided(),
        })
      } else if (exposed && payload.exposed !== true) {
        // The record states that the signatures left the service before the caller receives them.
        const { tenant, cluster: clusterId, id } = transaction
        unit.also(tenant, payloadOp({ tenant, cluster: clusterId, id }, { ...payload, exposed }))
      }
      const outcome: Outcome<SignedMembers> = {
        members:
          request.returnSerialized === true
            ? { serializedTransaction: serialized(message, shownTo(context, transaction, answered)) }
            : {},
        transactions: [offchainId],
        shape: 'bare',
        awaited: intent === 'submit' || goesOut ? 'confirmed' : 'signed',
      }
      rememberOutcome(approver ?? call, unit, outcome)
      return outcome
    })
  return await attempted(platform, call, async ({ known }) => {
    const { result, durable } = sign(known)
    await durable
    return result
  })
}

/** A transaction of another tenant is signed only on explicit request. Throws 400 `SIGNERS_REQUIRED`. */
function checkNamesSigners({ signers = [], signatures = [], given = [] }: KeptRequest): void {
  if (signers.length > 0 || signatures.length > 0 || given.some((each) => each !== null)) return
  throw badRequest(
    'SIGNERS_REQUIRED',
    "`signers` is required to sign another tenant's transaction",
    '/itemData/signers',
  )
}

/**
 * True if an approved message may get a fresh blockhash, so that a transaction that waited for hours has its full
 * lifetime to land.
 */
function mayBeRenewed(
  platform: Platform,
  transaction: RecordState<'transaction'>,
  kept: Signatures,
  { blockhash }: Blockhash,
): boolean {
  const { fixed } = transaction.context
  const isUnsigned = transaction.value === 'prepared' && kept.every((signature) => signature === null)
  return isUnsigned && fixed.nonceAccount === null && fixed.blockhash !== blockhash && needsOurs(platform, transaction)
}

/**
 * A complete transaction is shown again only while it is held here and not being cancelled. Throws 400 `ENDED`,
 * `ALREADY_SIGNED`.
 */
function checkStillOurs(platform: Platform, transaction: RecordState<'transaction'>): void {
  const { finalAt, cancelAskedAt } = transaction.context
  if (finalAt !== null) throw badRequest('ENDED', 'the transaction has ended', '/itemData')
  if (cancelAskedAt !== null)
    throw badRequest('ALREADY_SIGNED', 'cancellation of the transaction was requested', '/itemData')
  if (transaction.value === 'signed' && platform.engine.payload(transaction).held === true) return
  throw badRequest('ALREADY_SIGNED', 'the transaction has all signatures and is being sent', '/itemData')
}
