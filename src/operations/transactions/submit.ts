// From signatures to the submission lane: reserves balances at the first signature of this service, stores the
// signatures, and submits complete transaction bytes once they are durable. Runs inside the caller's unit of work.
import { signatureText } from '../../solana/address.ts'
import { assembleTransaction, type CompiledMessage } from '../../solana/message.ts'
import { leastAfterFee } from '../../solana/rent.ts'
import type { RemoteKeyHolder, EvaluationFacts, TransactionPayload } from '../../engine/records/codec.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { payloadOp } from '../../engine/records/payload-row.ts'
import { laneOf, submissionOf } from '../../engine/settlement/submission.ts'
import { isHolding, ofKind, type RecordState } from '../../engine/records/record.ts'
import type { Rejection, UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { available } from '../../../machines/book.ts'
import type { Debit } from '../../../machines/debit-limits.ts'
import type { Book } from '../../../machines/holding.ts'
import type { Asset, Movement } from '../../../machines/protocol.ts'
import type { TransactionEvent } from '../../../machines/transactions/transaction-events.ts'
import type { BookEntry, Countersigner, TransactionFixed } from '../../../machines/transactions/transaction-record.ts'
import { leaseNonce } from './nonces/free.ts'
import type { PlatformCluster, Platform } from '../context/platform.ts'
import type { Refusal } from '../../contract/refusal.ts'
import { FEE_PAYER_POINTER } from '../authorization/fee-rights.ts'
import { rejectionAsRefusal } from '../context/as-refusal.ts'
import { Shortage } from './funds.ts'
import { unreservedRecords } from './unreserved.ts'

/** One entry per required signer, in message order; null: missing. */
export type Signatures = readonly (Uint8Array | null)[]

export interface SubmitOptions {
  readonly entry: Entry
  /** Records on which amounts are reserved, and those that hold them. Absent: the directory. */
  readonly records?: Pick<RecordIndex, 'resident' | 'ownAtAddress'>
  readonly message: CompiledMessage
  readonly signatures: Signatures
  /**
   * True if this service signs now, directly or through a remote signer, or submits the transaction. From then on it
   * may land.
   */
  readonly ours: boolean
  /** Remote signers that were asked before or are to be asked now. */
  readonly asked?: readonly RemoteKeyHolder[]
  /** Other tenants that gave some of the signatures. */
  readonly countersigners?: readonly Countersigner[]
  /** false: balances are checked by the chain alone. */
  readonly covered: boolean
  readonly at: string
  /** true: signed, but sent only on a Submit request or when the plan reaches it. */
  readonly held?: boolean
  /** true: the caller receives the signatures of this service. */
  readonly exposed?: boolean
  /** Text for the history of the transaction. */
  readonly detail?: string
  /** Facts the decision was based on; recorded when the transaction is created. */
  readonly judged?: EvaluationFacts
  /** Addresses whose signatures came with this request. */
  readonly outside?: readonly string[]
  /** Amounts that count against debit limits, if they were evaluated again. */
  readonly debits?: readonly Debit[]
}

/**
 * Takes a place in the submission lane. The place is held until the transaction is confirmed, and is returned if the
 * unit of work is rolled back. No effect if the transaction already has a place.
 * Throws `LaneFull`; call it before a key is used.
 */
export function takePlace(
  cluster: PlatformCluster,
  unit: UnitOfWork,
  { tenant, id, context }: RecordState<'transaction'>,
): void {
  unit.onRollBack(cluster.admit(tenant, laneOf(context.fixed), id))
}

/**
 * Records the signatures. After the commit, a complete transaction is submitted unless it is held, an incomplete one
 * that may land is watched, and missing remote signatures are requested.
 */
export function submit(platform: Platform, cluster: PlatformCluster, unit: UnitOfWork, options: SubmitOptions): void {
  const { entry, records = platform.engine.directory, message, signatures, ours, at, held = false, asked } = options
  const transaction = transactionOf(entry)
  const count = signatures.filter((signature) => signature !== null).length
  const mayLand = isLandable(options, count)
  const isFollowed = transaction.context.ourSignature
  if (mayLand && !isFollowed) takePlace(cluster, unit, transaction)
  const unreserved = mayLand || isFollowed ? unreservedAfter(records, transaction, options) : []
  if (mayLand || isFollowed) {
    const entries = entriesDue(transaction, unreserved)
    reserveBooks(records, unit, { ...transaction.context.fixed, entries }, options.covered)
  }
  const isSigned = ours || count > 0
  if (isSigned && transaction.value === 'prepared') leaseNonce(platform, unit, transaction, at)
  if (isSigned) unit.send<'transaction'>(entry, signEvent(options, count, unreserved))
  const bytes = count === signatures.length ? assembleTransaction(message, signatures) : null
  storePayload(unit, transactionOf(entry), bytes, { signatures, marks: marksOf(platform, options) })
  const waits = asked?.some(({ address }) => signatures[message.signers.indexOf(address)] === null) === true
  if (bytes !== null && !held)
    unit.afterCommit(() => cluster.submit(submissionOf(platform.engine, transactionOf(entry), bytes)))
  else if (mayLand || isFollowed)
    unit.afterCommit(() => cluster.watch(submissionOf(platform.engine, transactionOf(entry), null)))
  if (waits) unit.afterCommit(() => platform.signingQueue.ask(entry))
}

/** The records on which nothing is reserved with these signatures. What was reserved before stays reserved. */
function unreservedAfter(
  records: NonNullable<SubmitOptions['records']>,
  transaction: RecordState<'transaction'>,
  { message, signatures, asked = [], debits }: SubmitOptions,
): readonly string[] {
  const hasSigned = (address: string): boolean =>
    message.signers.some((signer, index) => signer === address && signatures[index] !== null) ||
    asked.some((each) => each.address === address)
  const { ourSignature, unreserved: before = [], fixed } = transaction.context
  const counted = (ourSignature ? fixed.debits : (debits ?? fixed.debits)) ?? []
  const without = unreservedRecords(records, transaction, counted, hasSigned)
  return ourSignature ? without.filter((record) => before.includes(record)) : without
}

/** The entries whose amounts are reserved now: not reserved before, and no longer to wait. */
function entriesDue({ context }: RecordState<'transaction'>, unreserved: readonly string[]): readonly BookEntry[] {
  const { fixed, ourSignature, unreserved: before = [] } = context
  return fixed.entries.filter(
    ({ record }) => !unreserved.includes(record) && (!ourSignature || before.includes(record)),
  )
}

/**
 * True once this service has signed, and in any case once all `count` signatures are there: other parties may then send
 * the transaction.
 */
function isLandable({ ours, signatures }: SubmitOptions, count: number): boolean {
  return ours || count === signatures.length
}

function signEvent(
  options: SubmitOptions,
  count: number,
  unreserved: readonly string[],
): Extract<TransactionEvent, { type: 'command.sign' }> {
  const { entry, signatures, at, detail, debits, countersigners } = options
  const isUnchanged = unreserved.length === 0 && transactionOf(entry).context.unreserved === undefined
  return {
    type: 'command.sign',
    signatures: count,
    complete: count === signatures.length,
    ourSignature: isLandable(options, count),
    signature: signatures[0] ? signatureText(signatures[0]) : null,
    at,
    ...(detail === undefined ? {} : { detail }),
    ...(debits === undefined ? {} : { debits }),
    ...(isUnchanged ? {} : { unreserved }),
    ...(countersigners === undefined || countersigners.length === 0 ? {} : { countersigners }),
  }
}

type Marks = Pick<TransactionPayload, 'held' | 'exposed' | 'asked' | 'judged' | 'outside'>

function marksOf(platform: Platform, { entry, held, exposed, asked, judged, outside }: SubmitOptions): Marks {
  return {
    ...(held === true ? { held } : {}),
    ...(exposed === true ? { exposed } : {}),
    ...(asked === undefined || asked.length === 0 ? {} : { asked }),
    ...explanationPart(platform, entry, judged, outside),
  }
}

/** The facts that are evaluated again before each signature. */
function reevaluated({ limits, screening }: Partial<EvaluationFacts> = {}): Partial<EvaluationFacts> {
  return { ...(limits === undefined ? {} : { limits }), ...(screening === undefined ? {} : { screening }) }
}

/**
 * The part of the payload that explanations show. Facts recorded earlier are kept. A transaction that is being
 * created has no stored payload yet.
 */
function explanationPart(
  platform: Platform,
  entry: Entry,
  evaluated: EvaluationFacts | undefined,
  outside: readonly string[] = [],
) {
  const before = entry.committed === undefined ? undefined : platform.engine.payload(entry.head)
  const facts = before?.judged === undefined ? evaluated : { ...before.judged, ...reevaluated(evaluated) }
  const signers = [...new Set([...(before?.outside ?? []), ...outside])]
  return { ...(facts === undefined ? {} : { judged: facts }), ...(signers.length === 0 ? {} : { outside: signers }) }
}

function storePayload(
  unit: UnitOfWork,
  { tenant, cluster, id, context }: RecordState<'transaction'>,
  bytes: Uint8Array | null,
  { signatures, marks }: { readonly signatures: Signatures; readonly marks: Marks },
): void {
  const payload: TransactionPayload = {
    fixed: context.fixed,
    signedBytes: bytes === null ? null : Buffer.from(bytes).toString('base64'),
    ...(bytes === null
      ? { signatures: signatures.map((each) => (each === null ? null : Buffer.from(each).toString('base64'))) }
      : {}),
    ...marks,
  }
  unit.also(tenant, payloadOp({ tenant, cluster, id }, payload))
}

/**
 * Reserves what the book entries of the transaction release. `covered` false: the chain decides whether the balance is
 * sufficient. Throws what a record rejects, such as 400 `INSUFFICIENT_BALANCE`.
 */
export function reserveBooks(
  records: Pick<RecordIndex, 'resident'>,
  unit: UnitOfWork,
  fixed: Pick<TransactionFixed, 'entries' | 'feePayer' | 'fee'>,
  covered: boolean,
): void {
  if (covered) checkRestOfFee(records, fixed)
  const rejected = tryReserve(records, unit, fixed.entries, covered)
  if (rejected === null) return
  throw reservationRefusal(rejected, { pointer: lacksFee(rejected.record, fixed) ? FEE_PAYER_POINTER : '/itemData' })
}

/** A transaction whose fee leaves too little expires: the chain drops it. Throws 400 `INSUFFICIENT_BALANCE`. */
function checkRestOfFee(
  records: Pick<RecordIndex, 'resident'>,
  { entries, feePayer: { id }, fee }: Pick<TransactionFixed, 'entries' | 'feePayer' | 'fee'>,
): void {
  const payer = ofKind(id === null ? undefined : records.resident(id)?.head, 'account')
  if (payer === undefined || entries.every(({ record }) => record !== id)) return
  const { address, lamports } = payer.context
  const rest = available(lamports) - BigInt(fee)
  const least = leastAfterFee(BigInt(lamports.balance))
  if (rest <= 0n || rest >= least) return
  const message = `the fee would leave ${rest} lamports in ${address}: the rent-exempt minimum is ${least}`
  throw new Shortage(payer, message, FEE_PAYER_POINTER)
}

/** True if the fee payer cannot even pay the fee, regardless of its other debits. */
function lacksFee(record: RecordState, { feePayer, fee }: Pick<TransactionFixed, 'feePayer' | 'fee'>): boolean {
  const account = ofKind(record, 'account')
  return (
    account !== undefined &&
    account.context.address === feePayer.address &&
    available(account.context.lamports) < BigInt(fee)
  )
}

interface RefusalTerms {
  /** Message of a `Shortage`, which is compared with the chain before it ends the request. */
  readonly shortage?: string
  readonly pointer?: string
}

export function reservationRefusal(
  { rejection, record }: Rejection,
  { shortage = rejection.detail, pointer = '/itemData' }: RefusalTerms = {},
): Refusal {
  return rejection.code === 'INSUFFICIENT_BALANCE'
    ? new Shortage(record, shortage, pointer)
    : rejectionAsRefusal(rejection)
}

/** As `reserveBooks`, but returns what a record rejects; null: everything is reserved. */
export function tryReserve(
  records: Pick<RecordIndex, 'resident'>,
  unit: UnitOfWork,
  entries: readonly BookEntry[],
  covered: boolean,
): Rejection | null {
  for (const { record, movements, facts } of entries) {
    const target = records.resident(record)
    if (target === undefined) continue
    const thawing = facts.some(({ event }) => event.type === 'chain.thawed')
    for (const { asset, released } of movements) {
      if (released === '0') continue
      const rejected = unit.trySend(target, {
        type: 'command.reserve',
        asset,
        amount: released,
        covered,
        ...(thawing ? { thawing } : {}),
      } as never)
      if (rejected !== null) return rejected
    }
  }
  return null
}

/**
 * Caps the reservations at the available balances, for transactions whose balances the chain alone checks. A
 * reservation larger than the balance would block the spending of every later credit.
 */
export function capReservations(
  records: Pick<RecordIndex, 'resident'>,
  entries: readonly BookEntry[],
): readonly BookEntry[] {
  return entries.map((entry) => {
    const head = records.resident(entry.record)?.head
    const capped = (movement: Movement): Movement => {
      const book =
        head !== undefined && isHolding(head)
          ? (head.context as Partial<Record<Asset, Book>>)[movement.asset]
          : undefined
      if (book === undefined || movement.released === '0') return movement
      const free = available(book)
      const max = free > 0n ? free : 0n
      return BigInt(movement.released) > max ? { ...movement, released: max.toString() } : movement
    }
    return { ...entry, movements: entry.movements.map(capped), charge: entry.charge.map(capped) }
  })
}

export function transactionOf(entry: Entry): RecordState<'transaction'> {
  const transaction = ofKind(entry.head, 'transaction')
  if (transaction === undefined) throw new Error(`record ${entry.head.id} is no transaction`)
  return transaction
}
