// Adds signatures to a recorded transaction: signatures that the caller sends, signatures of this service, or both. A
// complete transaction waits for Submit.
import { parseMessage } from '../../solana/parse.ts'
import { classify } from '../../solana/table/classify.ts'
import type { TransactionPayload } from '../../engine/records/codec.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { payloadOp } from '../../engine/records/payload-row.ts'
import type { Call, Outcome } from '../../contract/call.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import type { SignTransactionInput } from '../../contract/schemas/transaction.ts'
import { readNonceBeforeSigning, nonceHasPassed } from '../transactions/nonces/renew.ts'
import { checkIsLatestPublication } from '../authorization/feed-use.ts'
import { checkClosedNotInUse } from '../authorization/closing-accounts.ts'
import { limitedAs } from '../authorization/limits/again.ts'
import { hidingRules } from '../authorization/limits/hidden-rules.ts'
import { LimitGate } from '../authorization/limits/gate.ts'
import { intentOf } from '../authorization/limits/intent.ts'
import { checkNotGiven } from '../authorization/policies/may-give.ts'
import { approverWith } from '../lookup/approvers.ts'
import { awaitsOtherOwner } from '../lookup/awaited-owners.ts'
import { checkRentReturned } from '../authorization/rent-return.ts'
import { checkSupplyCaps } from '../authorization/supply-cap.ts'
import type { Blockhash, Platform, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { checkStillHolds } from '../loans/still-holds.ts'
import { runAttempts } from '../transactions/attempt.ts'
import type { CountersignRequest } from '../transactions/countersign/request.ts'
import type { KnownAccounts } from '../transactions/known-accounts.ts'
import { checkNotEnded } from '../transactions/ended.ts'
import { checkCanLand } from '../transactions/known-failures.ts'
import { submit, takePlace, transactionOf, type Signatures } from '../transactions/submit.ts'
import { clusterOf } from '../transactions/transact.ts'
import { storedSignatures, serializeTransaction, addSignatures } from '../transactions/signing/held.ts'
import { shownTo, signableTransaction } from '../transactions/signing/named.ts'
import { isOfTenant, isOwn } from '../lookup/signing-requests.ts'
import { signWithOurs } from '../transactions/signing/ours.ts'
import { checkOwnersElsewhere } from '../transactions/signing/owners-elsewhere.ts'
import { checkMadeOnce } from '../transactions/unique-message.ts'
import { checkIsNextStep } from '../transactions/signing/next-step.ts'
import { FreshBlockhashes, hasPassed, needsOurs, rebuild } from '../transactions/signing/rebuild.ts'
import type { SignedMembers } from '../../contract/schemas/members.ts'

export interface RecordedTransactionRequest extends Pick<
  SignTransactionInput,
  'signers' | 'signatures' | 'returnSerialized'
> {
  readonly offchainId: string
  /** Verified signatures that came with bytes of this message. The message is not rebuilt in this case. */
  readonly verified?: Signatures
  /** `submit` adds no signature of this service, and sends the transaction. */
  readonly intent: 'sign' | 'submit'
  /**
   * The call whose key approves the transaction; the request itself then has the rights of the original requester.
   */
  readonly approver?: Call
  /** JSON pointer of the member that names the transaction. */
  readonly pointer: string
}

/**
 * Throws 400 `TRANSACTION_NOT_FOUND`, `BLOCKHASH_EXPIRED`, `NONCE_EXPIRED`, `NOT_SIGNED`, `ALREADY_SIGNED`,
 * `ALREADY_APPROVED`, `ENDED`, `SIGNERS_REQUIRED`, and what `signWithOurs` refuses.
 */
export async function signRecordedTransaction(
  context: Context,
  request: RecordedTransactionRequest,
): Promise<Outcome<SignedMembers>> {
  const { platform, call } = context
  const { offchainId, intent, approver } = request
  const cluster = clusterOf(context)
  const [first] = await Promise.all([cluster.freshBlockhash(), readNonceBeforeSigning(platform, offchainId)])
  const fresh = new FreshBlockhashes(cluster, first)
  const at = new Date(platform.clock.now()).toISOString()
  return await runAttempts(platform, call, async ({ known }) => {
    const { result, durable } = platform.engine.transact((unit) => {
      const target = findTarget(context, unit, request, at)
      renewExpired(context, unit, request, { target, fresh })
      const message = readRecordedMessage(context, request, target)
      const signing = prepareSigning(context, request, { target, message, chain: known, at })
      const signed = signNow(context, unit, request, signing)
      const { complete } = target.transaction.context
      if (complete) markExposed(unit, signing)
      else store(context, unit, request, { signing, signed })
      const answered = complete ? target.kept : signed.signatures
      const outcome: Outcome<SignedMembers> = {
        members:
          request.returnSerialized === true
            ? {
                serializedTransaction: serializeTransaction(
                  message.message,
                  shownTo(context, target.transaction, answered),
                ),
              }
            : {},
        transactions: [offchainId],
        shape: 'bare',
        awaited: intent === 'submit' || signed.goesOut ? 'confirmed' : 'signed',
      }
      rememberOutcome(approver ?? call, unit, outcome)
      return outcome
    })
    await durable
    return result
  })
}

/** The transaction before the request changed anything, and the signatures that it has. */
interface Target {
  readonly entry: Entry
  readonly transaction: RecordState<'transaction'>
  readonly kept: Signatures
}

function findTarget(context: Context, unit: UnitOfWork, request: RecordedTransactionRequest, at: string): Target {
  const { platform, call } = context
  const { offchainId, intent, pointer, approver } = request
  const { entry, transaction } = signableTransaction(context, offchainId, `${pointer}/offchainId`)
  // Read again, because an approval of this key may have been recorded since the request was checked.
  if (approver !== undefined) checkNotGiven(approver.caller.keyId, transaction.context.approval)
  if (intent === 'sign' && !isOfTenant(call, transaction)) checkNamesSigners(request)
  // Before any other check: rights, balances and limits no longer matter.
  checkNotEnded(transaction, '/itemData')
  unit.openFor(transaction.tenant)
  // The idempotency and audit rows of a caller that signs another tenant's transaction belong to the caller's
  // tenant; to one of another cell they are sent.
  if (call.servedFor === undefined) unit.alongside(call.tenant)
  // With all signatures in hand, the caller could send the transaction before the earlier ones of its plan.
  if (request.returnSerialized === true) checkIsNextStep(platform, offchainId, pointer)
  if (approver !== undefined)
    unit.send<'transaction'>(entry, {
      type: 'command.approve',
      ...approverWith(platform.engine.directory, approver.caller.keyId),
      at,
    })
  if (transaction.context.complete) checkStillOurs(platform, transaction)
  return { entry, transaction, kept: storedSignatures(platform.engine, transaction) }
}

/**
 * Gives a message that has expired, or that waited for an approval, a fresh blockhash or nonce, while nobody can have
 * sent it. Throws 400 `BLOCKHASH_EXPIRED`, `NONCE_EXPIRED`.
 */
function renewExpired(
  context: Context,
  unit: UnitOfWork,
  { signatures = [], verified, approver, pointer }: RecordedTransactionRequest,
  {
    target: { entry, transaction, kept },
    fresh,
  }: {
    readonly target: Target
    readonly fresh: FreshBlockhashes
  },
): void {
  const { platform } = context
  const { complete } = transaction.context
  const nonceLost = !complete && nonceHasPassed(platform, transaction)
  if (!nonceLost && (complete || !hasPassed(clusterOf(context), transaction))) {
    if (approver !== undefined && mayBeRenewed(platform, transaction, kept, fresh.latest()))
      rebuild(context, unit, entry, fresh)
    return
  }
  const code = nonceLost ? 'NONCE_EXPIRED' : 'BLOCKHASH_EXPIRED'
  if (signatures.length > 0)
    throw badRequest(
      code,
      'the message has expired: call Sign without signatures for a new one',
      '/itemData/signatures',
    )
  if (verified !== undefined)
    throw badRequest(code, 'the message has expired: call Sign with the transaction for a new one', pointer)
  if (kept.some((signature) => signature !== null)) {
    const passed = nonceLost ? 'the nonce was advanced' : 'the blockhash of the signed message has expired'
    throw badRequest(code, `${passed}: the transaction can no longer land`, pointer)
  }
  if (!needsOurs(platform, transaction))
    throw badRequest(code, 'the message may have been sent by another party: create a new transaction', pointer)
  rebuild(context, unit, entry, fresh)
}

type RecordedMessage = ReturnType<typeof readRecordedMessage>

/** The message to sign, with the signatures that it had or that came with the request. */
function readRecordedMessage(
  { platform, call }: Context,
  { offchainId, verified, signatures = [], pointer }: RecordedTransactionRequest,
  { entry, transaction, kept }: Target,
) {
  const { fixed } = transactionOf(entry).context
  const message = parseMessage(Buffer.from(fixed.message, 'base64'))
  const keys = fixed.accounts.map(({ address }) => address)
  const effects = classify(message, keys)
  const { tenant, context } = transaction
  const { cluster } = call
  checkMadeOnce(platform, transactionOf(entry))
  // A transaction that this service has signed already counts against the caps, and no later value is published.
  if (!isDecided(platform, transaction)) {
    hidingRules(call, tenant, () => checkSupplyCaps(platform, { tenant, cluster, transactionId: offchainId, effects }))
    checkIsLatestPublication(platform, transactionOf(entry), pointer)
    hidingRules(call, tenant, () => checkClosedNotInUse(platform, fixed, effects, pointer))
  }
  // The account may have been opened, or have grown, since the transaction was recorded.
  checkRentReturned(
    { directory: platform.engine.directory, tenant, cluster, effects, isReserved: context.ourSignature },
    { asker: call.tenant, pointer },
  )
  const known = kept.map((signature, index) => signature ?? verified?.[index] ?? null)
  return { fixed, message, keys, effects, held: addSignatures(message, known, signatures, '/itemData/signatures') }
}

type SigningFacts = Pick<KnownAccounts, 'get' | 'sendable'>

interface Signing extends Target {
  readonly message: RecordedMessage
  readonly gate: LimitGate
  readonly chain: SigningFacts
  readonly request: CountersignRequest
  readonly payload: TransactionPayload
  readonly exposed: boolean
  /** ISO 8601. */
  readonly at: string
}

function prepareSigning(
  context: Context,
  request: RecordedTransactionRequest,
  {
    target,
    message: read,
    chain,
    at,
  }: {
    readonly target: Target
    readonly message: RecordedMessage
    readonly chain: SigningFacts
    readonly at: string
  },
): Signing {
  const { platform, call } = context
  const { offchainId, intent, pointer } = request
  const { entry, transaction } = target
  const { fixed, message, keys, effects } = read
  const payload = platform.engine.payload(transaction)
  const deps = {
    ...{ effects, chain },
    ...limitedAs(fixed),
    ...(fixed.adapter === undefined ? {} : { isProvided: true }),
  }
  const asksForAll = intent === 'sign' && request.signers === undefined && request.approver === undefined
  // Of another organization it asks for the signatures of that organization alone.
  const then = asksForAll && isOwn(call, transaction) ? 'SIGN' : 'WAIT'
  const gate = new LimitGate(context, entry, { ...deps, keys, intent: intentOf(message, keys, effects), then }, at)
  if (!transaction.context.complete && fixed.adapter !== undefined)
    checkStillHolds(platform, transactionOf(entry), pointer)
  return {
    ...target,
    message: read,
    gate,
    chain,
    payload,
    exposed: request.returnSerialized === true || payload.exposed === true,
    at,
    request: {
      ...{ transactionId: offchainId, cluster: call.cluster, home: transaction.tenant, asker: call },
      ...{ message, keys, fixed, at },
      vouched: fixed.adapter === undefined ? undefined : new Set(fixed.adapter.signs),
      ...deps,
    },
  }
}

type SignedNow = ReturnType<typeof signNow>

/** Adds the signatures that this service gives now. Throws 400 `NOT_SIGNED` and what `signWithOurs` refuses. */
function signNow(context: Context, unit: UnitOfWork, request: RecordedTransactionRequest, signing: Signing) {
  const { platform, call } = context
  const { intent, approver, pointer } = request
  const { entry, transaction, kept, gate, chain, message } = signing
  const opens = (): boolean => {
    if (!gate.opens(unit)) return false
    if (!isDecided(platform, transaction)) checkFirstSignature(context, signing, pointer)
    checkOwnersElsewhere(platform, transactionOf(entry), chain)
    return true
  }
  const maySign = (): boolean => {
    if (!opens()) return false
    takePlace(clusterOf(context), unit, transactionOf(entry))
    return true
  }
  const isOnHold = approver !== undefined && transactionOf(entry).context.approval?.then === 'WAIT'
  const wanted =
    intent === 'submit' || isOnHold ? [] : (request.signers ?? (isOfTenant(call, transaction) ? undefined : []))
  const signed = signWithOurs(platform, unit, call, {
    request: signing.request,
    held: message.held,
    wanted,
    isOwn: isOwn(call, transaction),
    maySign,
  })
  const isWhole = !transaction.context.complete && signed.signatures.every((signature) => signature !== null)
  // A complete transaction that waits for approval keeps its previous signatures only, since complete bytes could
  // be sent; the caller brings the others again after the approval.
  const signatures = isWhole && !signed.ours && !opens() ? kept : signed.signatures
  if (intent === 'submit' && signatures.includes(null) && !gate.isClosed)
    throw badRequest('NOT_SIGNED', 'signatures are missing', pointer)
  // The approval sends the transaction.
  const goesOut = approver !== undefined && transactionOf(entry).context.approval?.then === 'SEND'
  return { ...signed, signatures, goesOut }
}

/** True if this service has signed, and what it has signed may land without a decision of another organization. */
function isDecided({ engine }: Platform, transaction: RecordState<'transaction'>): boolean {
  return transaction.context.ourSignature && !awaitsOtherOwner(engine, transaction)
}

/** What is signed already may land whatever is decided here. */
function checkFirstSignature({ platform }: Context, { transaction, message }: Signing, pointer: string): void {
  const { tenant, cluster } = transaction
  checkCanLand(platform, { directory: platform.engine.directory, tenant, cluster, effects: message.effects, pointer })
}

/** Records the signatures of a transaction that was not complete. Submit, or an approval that sends, also sends it. */
function store(
  context: Context,
  unit: UnitOfWork,
  request: RecordedTransactionRequest,
  { signing, signed }: { readonly signing: Signing; readonly signed: SignedNow },
): void {
  const { entry, transaction, kept, gate, payload, exposed, at } = signing
  const { message, held } = signing.message
  const { signatures, asked: askedNow, countersigners, ours } = signed
  const before = payload.asked ?? []
  submit(context.platform, clusterOf(context), unit, {
    ...{ entry, message, signatures, countersigners, covered: true, at, exposed },
    asked: [...before, ...askedNow.filter((each) => !before.some(({ address }) => address === each.address))],
    // This service follows a transaction that it signs or submits, regardless of who gave the signatures.
    ours: ours || (request.intent === 'submit' && !gate.isClosed),
    held: (request.intent === 'sign' && !signed.goesOut) || transaction.context.cancelAskedAt !== null,
    outside: message.signers.filter((_, index) => kept[index] === null && held[index] !== null),
    ...gate.decided(),
  })
}

/** The record states that the signatures left the service before the caller receives them. */
function markExposed(unit: UnitOfWork, { transaction, payload, exposed }: Signing): void {
  if (exposed && payload.exposed !== true)
    unit.also(transaction.tenant, payloadOp(transaction, { ...payload, exposed }))
}

/** A transaction of another tenant is signed only on explicit request. Throws 400 `SIGNERS_REQUIRED`. */
function checkNamesSigners({ signers = [], signatures = [], verified = [] }: RecordedTransactionRequest): void {
  if (signers.length > 0 || signatures.length > 0 || verified.some((each) => each !== null)) return
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
 * A complete transaction is shown again only while it is held here and not being cancelled. Throws 400
 * `ALREADY_SIGNED`.
 */
function checkStillOurs(platform: Platform, transaction: RecordState<'transaction'>): void {
  const { cancelAskedAt } = transaction.context
  if (cancelAskedAt !== null)
    throw badRequest('ALREADY_SIGNED', 'cancellation of the transaction was requested', '/itemData')
  if (transaction.value === 'signed' && platform.engine.payload(transaction).held === true) return
  throw badRequest('ALREADY_SIGNED', 'the transaction has all signatures and is being sent', '/itemData')
}
