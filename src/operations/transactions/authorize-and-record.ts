// Decides about an evaluated message, reserves its amounts, signs it if nothing is missing, and records the
// transaction, all in one unit of work. Every message that this service builds, or receives from a lending provider,
// is recorded here; messages that a caller brings pass the same checks in `operations/signing/foreign.ts`.
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Call } from '../../contract/call.ts'
import { approveAll } from './countersign/approve-all.ts'
import type { TransactionFixed } from '../../../machines/transactions/transaction-record.ts'
import { limitingOf } from '../authorization/limits/again.ts'
import type { OrganizationScreening } from '../authorization/screening/question.ts'
import {
  limitedVerdicts,
  decide,
  decideScreened,
  explanationFacts,
  type LimitDecision,
  type LimitEvaluation,
  notCovered,
} from '../authorization/limits/enforce.ts'
import { approvalRequired, limitExceeded, shownLimit } from '../authorization/limits/exceeded.ts'
import { intentOf } from '../authorization/limits/intent.ts'
import type { PlatformCluster, Context } from '../context/platform.ts'
import { badRequest, forbidden } from '../../contract/refusal.ts'
import { holdingOf, mayPayFeesFor } from '../lookup/party.ts'
import { gather } from './signing/gather.ts'
import type { ComposedMessage } from './compose.ts'
import type { Draft } from './draft.ts'
import { rentOf, TransactionDryRun, type DryRunFindings } from './dry-run.ts'
import { messageRow } from './unique-message.ts'
import { capReservations, submit, reserveBooks, takePlace, transactionOf } from './submit.ts'
import { isUndecided, simulationOf } from './simulation.ts'
import { canSign, type RequiredSigner } from '../authorization/signers.ts'
import { type AuthorizeOptions, type Evaluation, evaluateMessage, hasSignature } from './evaluate-message.ts'

/** Throws the refusal of any check before a key is used. For a dry run, returns its findings and discards the unit. */
export function authorizeAndRecord(
  context: Context,
  cluster: PlatformCluster,
  unit: UnitOfWork,
  authorizing: AuthorizeOptions,
): TransactionDryRun | undefined {
  const { platform, call } = context
  const { draft, composed, given } = authorizing
  checkExpires(authorizing)
  const evaluation = evaluateMessage(context, unit, authorizing)
  const { signers, missing, request, assessed, inputs } = evaluation
  if (given !== undefined) checkSignedNow(missing)
  checkMayBeAsked(call, draft, missing)
  if (call.dryRun) {
    reserveBooks(evaluation.records, unit, evaluation.fixed, draft.covered ?? true)
    approveAll(platform, unit, signers, request)
    unit.discard()
    return dryRun(context, composed, signers, { ...assessed, entries: evaluation.fixed.entries, inputs, draft })
  }
  const decision = decideNow(context, authorizing, evaluation)
  simulateFirst(context, unit, authorizing, { evaluation, decision })
  record(context, cluster, unit, { authorizing, evaluation, decision })
  return undefined
}

/** A message with its evaluation and the decision about it. */
interface Decided {
  readonly evaluation: Evaluation
  readonly decision: Decision
}

interface Decision {
  readonly admission: LimitDecision
  /** True if this service signs now. While another key or an approval is missing, it waits and signs nothing. */
  readonly ours: boolean
}

/** Decides whether the message passes or waits for approval. Throws the refusal of limits, policies and screening. */
function decideNow(
  { platform, call }: Context,
  { composed: { message, keys }, draft, given }: AuthorizeOptions,
  { effects, missing, inputs, assessed }: Evaluation,
): Decision {
  const approvalRequest = {
    requesters: [call.caller.keyId],
    intent: intentOf(message, keys, effects),
    then: missing.length === 0 ? 'SEND' : 'WAIT',
  } as const
  const covered = notCovered(platform, assessed, draft.approval)
  // A message that waits for a key is screened when it is signed.
  const admission =
    missing.length === 0
      ? decideScreened(platform, inputs, covered, { request: approvalRequest, before: null })
      : decide(platform, covered, approvalRequest, { before: null, now: inputs.now })
  if (admission.hold !== null && given !== undefined) throw cannotWait(assessed, admission.screened)
  return { admission, ours: admission.hold === null && missing.length === 0 }
}

/**
 * A loan change is valid at a current price, and the loan cannot be liquidated while the change is under way. Under a
 * durable nonce it never expires: a missing signature, a suspended lane or a fee payer without funds could delay it
 * until the prices are others. Throws 400 `NONCE_NOT_USABLE`.
 */
function checkExpires({ draft, lifetime }: AuthorizeOptions): void {
  if (draft.adapter === undefined || lifetime.nonce === null) return
  throw badRequest(
    'NONCE_NOT_USABLE',
    'a change of a loan must use a blockhash',
    '/chainTransactionConfig/messageLifetimeStrategy',
  )
}

/**
 * Throws `Needs` for a message that must be simulated first because only the chain can decide its outcome. Two kinds of
 * messages are never simulated: those under a nonce (the nonce's value cannot be used in a simulation of the block that
 * set it), and those whose balances only the chain checks.
 */
function simulateFirst(
  { call }: Context,
  unit: UnitOfWork,
  { composed: { message }, draft, lifetime, isSimulated }: AuthorizeOptions,
  { evaluation: { records, effects, fixed }, decision: { ours } }: Decided,
): void {
  const canBeSimulated = ours && lifetime.nonce === null && (draft.covered ?? true)
  if (isSimulated || !canBeSimulated || !isUndecided(records, call, effects)) return
  // Reserve first: an insufficient balance is then refused as such, and not as a failed (retryable) simulation.
  reserveBooks(records, unit, fixed, true)
  throw simulationOf(call.cluster, message.bytes)
}

/** Creates the record of the transaction, signs, and submits once the unit is durable. */
function record(
  { platform, call: { tenant, cluster: clusterId } }: Context,
  cluster: PlatformCluster,
  unit: UnitOfWork,
  {
    authorizing: {
      id,
      draft: { covered = true },
      composed: { message, hash },
      given,
      held = false,
      judged,
    },
    evaluation,
    decision: { admission, ours },
  }: Decided & { readonly authorizing: AuthorizeOptions },
): void {
  const { records, at, debitLists, signers, request, assessed } = evaluation
  const fixed = recordedPart(evaluation, { ours, covered })
  const place = { tenant, cluster: clusterId, id }
  const entry = unit.create('transaction', place, { fixed })
  unit.also(tenant, messageRow(platform, place, { hash, feePayer: fixed.feePayer.address }))
  const { hold } = admission
  if (hold !== null) unit.send<'transaction'>(entry, { type: 'command.hold', approval: hold, at })
  if (ours) takePlace(cluster, unit, transactionOf(entry))
  const gathered = gather(platform, unit, signers, {
    signsNow: (index) => ours && !hasSignature(given, index),
    held: given ?? signers.map(() => null),
    request,
  })
  const limits = limitedVerdicts(assessed.verdicts).map(shownLimit)
  const evaluated = {
    ...judged,
    ...(debitLists.length === 0 ? {} : { debitLists }),
    ...(limits.length === 0 ? {} : { limits }),
    ...explanationFacts(admission),
  }
  const outside = message.signers.filter((_, index) => hasSignature(given, index))
  const options = { entry, records, message, ...gathered, ours, covered, at, held, judged: evaluated, outside }
  submit(platform, cluster, unit, options)
}

/** The fixed part to record. For a message that waits, it includes the inputs to evaluate its limits again later. */
function recordedPart(
  { records, fixed, inputs }: Evaluation,
  { ours, covered }: { readonly ours: boolean; readonly covered: boolean },
): TransactionFixed {
  if (ours) return covered ? fixed : { ...fixed, entries: capReservations(records, fixed.entries) }
  const limiting = limitingOf(inputs)
  return limiting === undefined ? fixed : { ...fixed, limiting }
}

/**
 * An account of another tenant that accepts no signing requests can receive a payment, but is refused as unknown if
 * its signature is needed. Throws 400 `ACCOUNT_NOT_FOUND`, `POSITION_NOT_FOUND`.
 */
function checkMayBeAsked(call: Call, { feePayer, parties }: Draft, missing: readonly RequiredSigner[]): void {
  const payer = holdingOf(feePayer)
  for (const party of [payer !== null && mayPayFeesFor(call, payer) ? null : feePayer, ...parties]) {
    const refusal = missing.some(({ address }) => address === party?.address) ? party?.unlessSigner?.() : null
    if (refusal != null) throw refusal
  }
}

/** A message with a foreign signature cannot be rebuilt after the approvals. */
function cannotWait(
  { verdicts, policies, reviews }: LimitEvaluation,
  screened: readonly OrganizationScreening[],
): Error {
  if (screened.some(({ answer }) => answer.decision === 'REVIEW'))
    return forbidden(
      'SCREENING_DENIED',
      'the payment is to be reviewed, and the transaction cannot wait for approval',
      '/itemData',
    )
  const exceeded = verdicts.filter((verdict) => verdict.exceeded)
  const [review] = reviews
  if (exceeded.length === 0 && review !== undefined) {
    const { name } = review.counterparty.context
    return forbidden(
      'DESTINATION_NOT_ALLOWED',
      `the counterparty ${name} is under review, and the transaction cannot wait for approval`,
      '/itemData',
    )
  }
  return exceeded.length > 0
    ? limitExceeded(exceeded)
    : approvalRequired(policies, 'a message of a lending provider cannot wait for them')
}

/** Throws 400 `ACCOUNT_NOT_MANAGED`. */
function checkSignedNow([first]: readonly RequiredSigner[]): void {
  if (first === undefined) return
  const rule =
    'the transaction has a foreign signature, so every other key must be managed here and usable by this organization'
  throw badRequest('ACCOUNT_NOT_MANAGED', `the signature of ${first.address} is required: ${rule}`, '/itemData')
}

interface Findings extends Pick<DryRunFindings, 'verdicts' | 'reviews' | 'entries' | 'inputs'> {
  readonly draft: Draft
}

function dryRun(
  context: Context,
  composed: ComposedMessage,
  signers: readonly RequiredSigner[],
  { draft, verdicts, reviews, entries, inputs }: Findings,
): TransactionDryRun {
  const { message, keys, feeLamports, sizeBytes } = composed
  const { call } = context
  return new TransactionDryRun(context, {
    verdicts,
    reviews,
    entries,
    inputs,
    feeLamports,
    sizeBytes,
    accounts: keys,
    signers: signers.map((each) => ({ onchainId: each.address, managed: canSign(each) || isManagedBy(call, each) })),
    rentLamports: rentOf(draft, inputs.effects),
    covered: draft.covered ?? true,
    message: message.bytes,
  })
}

/** True if the key of the tenant's own signer is stored here, even if it may not sign now. */
function isManagedBy({ tenant }: Call, { state }: RequiredSigner): boolean {
  return state?.tenant === tenant && state.context.managed
}
