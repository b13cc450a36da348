// A tenant's part in another tenant's transaction that needs its key: evaluates the compiled message, reserves on its
// own records, signs, and stores the signatures. A repeated request for the same transaction gets the same
// signatures. The records of the requester are not read, only its request. Within one process the records of both
// tenants are one atomic commit.
import { onEach } from '../../../../snapshots/at-hand.ts'
import { signatureBytes, signatureText } from '../../../solana/address.ts'
import type { RemoteKeyHolder } from '../../../engine/records/codec.ts'
import type { Entry } from '../../../engine/records/entry.ts'
import { ofKind, type HoldingState, type RecordState } from '../../../engine/records/record.ts'
import type { UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import type { GivenSignature } from '../../../../machines/transactions/countersignature.ts'
import type { Debit } from '../../../../machines/debit-limits.ts'
import type { BookEntry } from '../../../../machines/transactions/transaction-record.ts'
import type { Platform } from '../../context/platform.ts'
import { assess, type Verdict } from '../../authorization/limits/assess.ts'
import { checkClock } from '../../authorization/limits/enforce.ts'
import { limitExceeded } from '../../authorization/limits/exceeded.ts'
import { recordedFee } from '../../authorization/limits/legs.ts'
import { badRequest, forbidden, type Refusal } from '../../../contract/refusal.ts'
import { intentOf } from '../../authorization/limits/intent.ts'
import { hidingAbsence } from '../../authorization/limits/hidden-rules.ts'
import { screeningAnswers } from '../../authorization/screening/question.ts'
import { checkRentReturned } from '../../authorization/rent-return.ts'
import { exceedsSupplyCap } from '../../authorization/supply-cap.ts'
import { BookEntries } from '../books.ts'
import { checkNonePaused } from '../known-failures.ts'
import { reservationRefusal, tryReserve } from '../submit.ts'
import { takeMessageOfOtherCell } from '../unique-message.ts'
import { evaluateShare, notAllowed, ownHolding } from './evaluate-share.ts'
import { consentingIn, countersignatureId, type CountersignRequest } from './request.ts'

/** The signature by address, or the remote signer to ask for it. */
export type SignaturesOfOwner = ReadonlyMap<string, Uint8Array | RemoteKeyHolder>

/**
 * The signatures of the owner's keys at `addresses`.
 *
 * Throws the refusals of `evaluateShare`, 400 `INSUFFICIENT_BALANCE` by the owner's records, `DEBIT_LIMIT_EXCEEDED`,
 * 403 `COUNTERSIGNED_OTHERWISE` if another message of the same transaction was signed before, 503 `CLOCK_OFF`.
 */
export function countersign(
  platform: Platform,
  unit: UnitOfWork,
  owner: string,
  { addresses, request }: { readonly addresses: readonly string[]; readonly request: CountersignRequest },
): SignaturesOfOwner {
  unit.alongside(owner)
  const id = countersignatureId(request.transactionId, owner)
  const { directory } = platform.engine
  // A transaction that this unit creates was never countersigned, so ended records on disk need not be searched.
  const known = unit.creates(request.transactionId) ? directory.resident(id) : directory.byId(id)
  const before = known === undefined ? undefined : ofKind(known.head, 'countersignature')
  if (known === undefined || before === undefined) {
    const { signing, entries, debits } = authorizeShare(platform, unit, owner, { addresses, request })
    screen(platform, owner, request)
    takeMessage(platform, unit, owner, { addresses, request })
    const signatures = sign(platform, signing, request)
    unit.create('countersignature', placeOf(owner, request), {
      countersignature: newRecord(request, signatures, entries, debits),
    })
    return answersOf(platform, owner, request, { signatures, addresses })
  }
  if (before.context.messageHash !== request.fixed.messageHash) {
    throw forbidden('COUNTERSIGNED_OTHERWISE', 'a different message of this transaction was countersigned before')
  }
  const missing = addresses.filter((address) => !before.context.signatures.some((each) => each.address === address))
  // The first signature reserved the amounts for all keys of the owner, except those for which others were to sign.
  const { elsewhere } = before.context
  const unjudged = missing.find((address) => elsewhere?.includes(address))
  if (unjudged !== undefined) throw notAllowed(unjudged)
  if (missing.length > 0) {
    const asked = { ...request, elsewhere: elsewhere === undefined ? undefined : new Set(elsewhere) }
    screen(platform, owner, asked)
    takeMessage(platform, unit, owner, { addresses: missing, request: asked })
    recordMore(unit, known, sign(platform, evaluateShare(platform, owner, missing, asked), asked), asked)
  }
  return answersOf(platform, owner, request, {
    signatures: (known.head as RecordState<'countersignature'>).context.signatures,
    addresses,
  })
}

/**
 * The screening service of the owner. Approvers of the owner are asked about transactions of their own tenant only, so
 * a payment to be reviewed is refused. The requester does not learn the answer. Throws 403 `SCREENING_DENIED`,
 * 503 `SCREENING_UNAVAILABLE`.
 */
export function screen(platform: Platform, owner: string, request: CountersignRequest): void {
  const { cluster, home, message, effects, chain, loan, keys, fixed } = request
  const {
    engine: { directory },
    clock,
  } = platform
  const organization = home === owner ? fixed.organization : null
  const inputs = {
    directory,
    tenant: owner,
    cluster,
    effects,
    chain,
    now: clock.now(),
    rents: rentsOf(fixed),
    organization,
  }
  const intent = intentOf(message, keys, effects)
  const screened = hidingAbsence(() => screeningAnswers({ ...inputs, consenting: consentingIn(request), loan }, intent))
  if (screened.every(({ answer: { decision } }) => decision === 'ALLOW')) return
  throw forbidden('SCREENING_DENIED', 'another tenant does not sign the transaction', '/itemData')
}

/** Everything except the signatures; used by dry runs. */
export function authorizeShare(
  platform: Platform,
  unit: UnitOfWork,
  owner: string,
  { addresses, request }: { readonly addresses: readonly string[]; readonly request: CountersignRequest },
): {
  readonly signing: readonly HoldingState[]
  readonly entries: readonly BookEntry[]
  readonly debits: readonly Debit[]
} {
  unit.alongside(owner)
  const signing = evaluateShare(platform, owner, addresses, request)
  const debits = withinLimits(platform, owner, request)
  withinSupplyCaps(platform, owner, request)
  const { cluster, effects, asker } = request
  const { directory } = platform.engine
  checkRentReturned({ directory, tenant: owner, cluster, effects }, { asker: asker.tenant, pointer: '/itemData' })
  checkNonePaused({ directory, tenant: owner, cluster, effects })
  const entries = ownEntries(platform, owner, request)
  const rejected = tryReserve(directory, unit, entries, true)
  // The requester does not learn the balance.
  if (rejected !== null)
    throw reservationRefusal(rejected, { shortage: 'an account of another tenant has less than is asked of it' })
  return { signing, entries, debits }
}

function ownEntries(platform: Platform, owner: string, request: CountersignRequest): BookEntry[] {
  const { transactionId, cluster, effects, fixed } = request
  const books = new BookEntries({
    directory: platform.engine.directory,
    tenant: owner,
    cluster,
    transactionId,
    signers: consentingIn(request),
    rents: rentsOf(fixed),
    isNew: () => false,
    countersigns: true,
  })
  books.fee(fixed.feePayer.address, BigInt(fixed.fee))
  for (const effect of effects) books.take(effect)
  const vouched = fixed.entries.filter(({ vouched }) => vouched === true)
  return [...books.entries(), ...vouched].filter(({ tenant }) => tenant === owner)
}

/**
 * Evaluates the limits of the owner's accounts and the owner's approval policies. An exceeded limit or a policy that
 * covers the transaction is refused without an approval: approvers are asked about transactions of their own tenant
 * only. Another tenant does not learn which limit or policy it was. Throws 400 `DEBIT_LIMIT_EXCEEDED`, 403
 * `APPROVAL_REQUIRED`, 503 `CLOCK_OFF`.
 */
function withinLimits(platform: Platform, owner: string, request: CountersignRequest): readonly Debit[] {
  const { cluster, home, asker, effects, isMade, chain, exempt, loan, fixed, vouched } = request
  const { debits, verdicts, policies } = assess({
    directory: platform.engine.directory,
    windows: platform.engine.debits,
    tenant: owner,
    cluster,
    organization: home === owner ? fixed.organization : null,
    now: platform.clock.now(),
    asker: home,
    consenting: consentingIn(request),
    fee: recordedFee(home, fixed),
    effects,
    isMade,
    chain,
    rents: rentsOf(fixed),
    isProvided: vouched !== undefined,
    exempt,
    loan,
  })
  if (debits.length > 0) checkClock(platform)
  const exceeded = verdicts.filter((verdict) => verdict.exceeded)
  if (exceeded.length > 0) throw overLimits(exceeded, asker.tenant === owner)
  if (policies.length > 0)
    throw forbidden(
      'APPROVAL_REQUIRED',
      'an approval policy of another tenant covers the transaction, which only that tenant can request',
      '/itemData',
    )
  return debits
}

/** @param isOwner a key of the owner itself asks for the signature, and sees the limits of its tenant */
function overLimits(exceeded: readonly Verdict[], isOwner: boolean): Refusal {
  if (isOwner) return limitExceeded(exceeded)
  return badRequest('DEBIT_LIMIT_EXCEEDED', 'the transaction exceeds a debit limit of another tenant', '/itemData')
}

/** The requester does not learn the limit. Throws 400 `SUPPLY_CAP_EXCEEDED`. */
function withinSupplyCaps(
  platform: Platform,
  owner: string,
  { cluster, transactionId, effects }: CountersignRequest,
): void {
  if (exceedsSupplyCap(platform, { tenant: owner, cluster, transactionId, effects }))
    throw badRequest(
      'SUPPLY_CAP_EXCEEDED',
      'the transaction exceeds the supply limit of an instrument of another tenant',
      '/itemData',
    )
}

function rentsOf({ rents }: CountersignRequest['fixed']): ReadonlyMap<string, bigint> {
  return new Map(Object.entries(rents ?? {}).map(([address, lamports]) => [address, BigInt(lamports)]))
}

function takeMessage(
  platform: Platform,
  unit: UnitOfWork,
  owner: string,
  { addresses, request }: { readonly addresses: readonly string[]; readonly request: CountersignRequest },
): void {
  const { transactionId: id, cluster, home, fixed } = request
  const feePayer = fixed.feePayer.address
  if (platform.engine.owns(home) || !addresses.includes(feePayer)) return
  takeMessageOfOtherCell(platform, unit, { tenant: owner, cluster, id }, { cluster, hash: fixed.messageHash, feePayer })
}

function sign(platform: Platform, signing: readonly HoldingState[], { message }: CountersignRequest): GivenSignature[] {
  return onEach(signing, ({ tenant, cluster, id, context: { address } }) => {
    const signer = platform.keys.signerFor({ tenant, cluster, id, address })
    if (signer === null) throw notAllowed(address)
    return { address, signature: signer.remote ? null : signatureText(signer.sign(message.bytes)) }
  })
}

function recordMore(
  unit: UnitOfWork,
  entry: Entry,
  signatures: readonly GivenSignature[],
  { fixed }: CountersignRequest,
): void {
  unit.send<'countersignature'>(entry, { type: 'command.sign', messageHash: fixed.messageHash, signatures })
}

function placeOf(owner: string, { transactionId, cluster }: CountersignRequest) {
  return { tenant: owner, cluster, id: countersignatureId(transactionId, owner) }
}

function newRecord(
  { transactionId, home, asker, fixed, elsewhere, at }: CountersignRequest,
  signatures: readonly GivenSignature[],
  entries: readonly BookEntry[],
  debits: readonly Debit[],
): RecordState<'countersignature'>['context'] {
  const feePayer = fixed.feePayer.address
  return {
    transactionId,
    requester: { tenant: home, organization: asker.organization },
    messageHash: fixed.messageHash,
    feePayer,
    blockhash: fixed.blockhash,
    blockhashSlot: fixed.blockhashSlot,
    lastValidBlockHeight: fixed.lastValidBlockHeight,
    nonceAccount: fixed.nonceAccount?.address ?? null,
    signatures,
    entries,
    debits,
    ...(elsewhere === undefined || elsewhere.size === 0 ? {} : { elsewhere: [...elsewhere] }),
    signature: signatures.find(({ address }) => address === feePayer)?.signature ?? null,
    slot: null,
    givenAt: at,
    endedAt: null,
    proof: null,
  }
}

function answersOf(
  platform: Platform,
  owner: string,
  { cluster }: CountersignRequest,
  { signatures, addresses }: { readonly signatures: readonly GivenSignature[]; readonly addresses: readonly string[] },
): SignaturesOfOwner {
  const requested = signatures.filter(({ address }) => addresses.includes(address))
  return new Map(
    requested.map(({ address, signature }) => {
      const { id } = ownHolding(platform, owner, cluster, address)
      return [address, signature === null ? { tenant: owner, id, address } : signatureBytes(signature)] as const
    }),
  )
}
