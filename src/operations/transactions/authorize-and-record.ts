// Evaluates a compiled message, reserves what it takes, signs it if nothing is missing, and records the transaction,
// all in one unit of work. Every message that this service builds, or receives from a lending provider, is recorded
// here; messages that a caller brings pass the same checks in `operations/signing/foreign.ts`.
import { classify } from '../../solana/table/classify.ts'
import type { Effect } from '../../solana/table/effect.ts'
import { lentSigners } from '../../solana/table/foreign.ts'
import type { EvaluationFacts } from '../../engine/records/codec.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { addressKey } from '../../engine/index/index-keys.ts'
import { isHolding } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Call } from '../../contract/call.ts'
import { checkRentCovered } from '../authorization/rent.ts'
import { approveAll } from './countersign/approve-all.ts'
import { limitingOf } from '../authorization/limits/again.ts'
import type { Screened } from '../authorization/screening/question.ts'
import type { DestinationDecision } from '../authorization/destinations/policy.ts'
import { assess, type Assessment } from '../authorization/limits/assess.ts'
import { bounding, decide, decideScreened, destinationsOf, keptOf } from '../authorization/limits/enforce.ts'
import { approvalRequired, limitExceeded, shownLimit } from '../authorization/limits/exceeded.ts'
import { priorityFee } from '../authorization/limits/fee-legs.ts'
import { intentOf } from '../authorization/limits/intent.ts'
import { notCovered } from '../authorization/limits/of-batch.ts'
import { checkProgramKeys } from '../authorization/limits/programs.ts'
import type { ClusterAccess, Context } from '../context/platform.ts'
import { badRequest, forbidden } from '../../contract/refusal.ts'
import { holdingOf, mayPayFeesFor } from '../lookup/party.ts'
import { gather } from './signing/gather.ts'
import { Books } from './books.ts'
import type { Composed } from './compose.ts'
import type { Draft } from './draft.ts'
import { rentOf, TransactionDryRun, type DryRunFindings } from './dry-run.ts'
import { checkEscrowsLeftAlone } from '../lookup/escrows.ts'
import type { KnownAccounts } from './known-accounts.ts'
import { atMostThere, submit, reserve, takePlace, transactionOf, type Signatures } from './submit.ts'
import type { Lifetime } from './lifetime.ts'
import { fixedPart } from './record.ts'
import { referTo } from '../lookup/refer.ts'
import { isUndecided, NeedsSimulation } from './simulation.ts'
import { checkFeePayer } from '../authorization/fee-rights.ts'
import { checkSupplyCaps } from '../authorization/supply-cap.ts'
import { checkDebitKeys, checkFeeKeys, checkPledgeKeys } from '../authorization/rights.ts'
import { actsBeyondFees, canSign, requiredSigners, type IsMade, type RequiredSigner } from '../authorization/signers.ts'

export interface AuthorizeOptions {
  readonly id: string
  readonly draft: Draft
  readonly composed: Composed
  readonly lifetime: Lifetime
  readonly chain: Pick<KnownAccounts, 'get'>
  /** true: the message has been simulated, or the cluster is configured without simulation. */
  readonly isSimulated: boolean
  readonly judged: EvaluationFacts
  /**
   * For a message compiled by a provider: the signatures that came with it, one entry per signer. Such a message
   * cannot be rebuilt here, so it is signed now or refused.
   */
  readonly given?: Signatures
  /** true: signed now, sent when its plan reaches it. */
  readonly held?: boolean
}

/** Throws the refusal of any check before a key is used. */
export function authorizeAndRecord(
  context: Context,
  cluster: ClusterAccess,
  unit: UnitOfWork,
  authorizing: AuthorizeOptions,
): void {
  const { platform, call } = context
  const { id, draft, composed, lifetime, chain, isSimulated, given, held = false } = authorizing
  const { message, keys } = composed
  const effects = classify(message, keys)
  checkNoneRefused(effects, draft.adapter?.programs)
  const { directory } = platform.engine
  const vouched = draft.adapter?.signs
  draft.adapter?.check(message, effects)
  checkEscrowsLeftAlone(directory, call, { effects, signers: message.signers }, vouched)
  checkFeePayer(platform, call, draft.feePayer.address)
  const charged = { payer: draft.feePayer.address, beneficiary: call.organization }
  const ofFee = checkFeeKeys(platform, call, charged)
  const ofPledges = checkPledgeKeys(platform, call, draft.loan?.pledges)
  const debitLists = [
    ...new Set([
      ...ofFee,
      ...ofPledges,
      ...checkDebitKeys(platform, call, effects, { consenting: undefined, vouched }),
    ]),
  ]
  const { touched } = unit
  const isNew = (entry: Entry): boolean => touched.has(entry) && touched.get(entry) === undefined
  const { tenant, cluster: clusterId } = call
  const books = new Books({
    directory,
    listings: platform.engine.listings,
    tenant,
    cluster: clusterId,
    transactionId: id,
    signers: message.signers,
    rents: draft.rents ?? new Map(),
    isNew,
    grows: (address) => draft.makes?.has(address) === true,
  })
  books.fee(draft.feePayer.address, composed.feeLamports)
  for (const effect of effects) books.take(effect)
  for (const address of draft.closes ?? []) books.handOver(address)
  const isMade: IsMade = (address, associated = false, paidBy) =>
    draft.makes?.has(address) === true ||
    directory
      .find(addressKey(clusterId, address))
      .some((each) => isNew(each) || (associated && isAwaited(each, tenant)) || owesRentTo(each, tenant, paidBy))
  checkSupplyCaps(platform, { tenant, cluster: clusterId, transactionId: id, effects })
  checkRentCovered(call, { directory, effects, rents: draft.rents ?? new Map<string, bigint>(), isMade, chain })
  const acts = (address: string): boolean => actsBeyondFees(effects, address, isMade)
  const signers = requiredSigners(context, draft, message.signers, { acts })
  for (const { address, state } of signers) {
    if (state?.tenant === tenant && vouched?.has(address) !== true)
      checkProgramKeys(platform, state, { asker: call, effects })
  }
  const at = new Date(platform.clock.now()).toISOString()
  const feePayer = referTo(context, draft.feePayer.address)
  const rents = draft.rents ?? new Map<string, bigint>()
  const { exempt, loan } = draft
  const limiting = {
    effects,
    isMade,
    rents,
    chain,
    ...(vouched === undefined ? {} : { isProvided: true }),
    ...(exempt === undefined ? {} : { exempt }),
    ...(loan === undefined ? {} : { loan }),
  }
  const now = platform.clock.now()
  const priorityLamports = priorityFee(composed.unitLimit, composed.unitPrice)
  const fee = { ...charged, lamports: composed.feeLamports, priorityLamports, tenant }
  const inputs = { engine: platform.engine, tenant, cluster: clusterId, now, fee, ...limiting, keys }
  const assessed = { ...assess(inputs), ...destinationsOf(inputs) }
  const adapter = draft.adapter === undefined ? undefined : { vouched: draft.adapter, transactionId: id }
  const { externalReference, itemReferences } = draft
  const decided = {
    ...composed,
    lifetime,
    feePayer,
    effects,
    books,
    rents,
    debits: assessed.debits,
    adapter,
    externalReference,
    itemReferences,
  }
  const fixed = fixedPart(context, decided, at)
  const request = {
    transactionId: id,
    cluster: clusterId,
    home: tenant,
    asker: call,
    message,
    keys,
    fixed,
    vouched,
    at,
    ...limiting,
  }
  const isThere = (index: number): boolean => (given?.[index] ?? null) !== null
  const missing = signers.filter((signer, index) => !isThere(index) && !canSign(signer))
  if (given !== undefined) checkSignedNow(missing)
  checkMayBeAsked(call, draft, missing)
  if (call.dryRun) {
    reserve(platform, unit, fixed.entries, draft.covered ?? true)
    approveAll(platform, unit, signers, request)
    throw dryRun(call, composed, signers, { ...assessed, entries: fixed.entries, inputs: inputs, draft })
  }
  const wanted = {
    requesters: [call.caller.keyId],
    intent: intentOf(message, keys, effects),
    then: missing.length === 0 ? 'SEND' : 'WAIT',
  } as const
  const covered = notCovered(platform, assessed, draft.approval)
  // A message that waits for a key is screened when it is signed.
  const admission =
    missing.length === 0
      ? decideScreened(platform, inputs, covered, { asked: wanted, before: null })
      : decide(platform, covered, wanted, { before: null, now })
  const { hold, screened } = admission
  const limits = bounding(assessed.verdicts).map(shownLimit)
  if (hold !== null && given !== undefined) throw cannotWait(assessed, screened)
  // While a key or an approval is missing, this service signs nothing; it signs once the rest is present.
  const ours = hold === null && missing.length === 0
  // A loan change is decided by a price. Under a durable nonce the last signer could delay it for any length of time.
  if (adapter !== undefined && !ours && lifetime.nonce !== null)
    throw badRequest(
      'NONCE_NOT_USABLE',
      'a change of a loan that waits for a signature must use a blockhash',
      '/chainTransactionConfig/messageLifetimeStrategy',
    )
  // Not simulated: a message under a nonce (the nonce's value cannot be used in a simulation of the block that set
  // it), and a message whose balances are left to the chain.
  const triable = ours && lifetime.nonce === null && (draft.covered ?? true)
  if (!isSimulated && triable && isUndecided(directory, call, effects)) {
    // Reserve first: an insufficient balance is then refused as such, and not as a failed (retryable) simulation.
    reserve(platform, unit, fixed.entries, true)
    throw new NeedsSimulation(message.bytes)
  }
  const again = ours ? undefined : limitingOf(limiting)
  const entries = ours && draft.covered === false ? atMostThere(platform.engine, fixed.entries) : fixed.entries
  const kept = { ...fixed, entries, ...(again === undefined ? {} : { limiting: again }) }
  const entry = unit.create('transaction', { tenant, cluster: clusterId, id }, { fixed: kept })
  unit.also(tenant, { type: 'message', tenant, cluster: clusterId, hash: composed.hash, transactionId: id })
  if (hold !== null) unit.send<'transaction'>(entry, { type: 'command.hold', approval: hold, at })
  if (ours) takePlace(cluster, unit, transactionOf(entry))
  const brought = given ?? signers.map(() => null)
  const gathered = gather(platform, unit, signers, {
    signsNow: (index) => ours && !isThere(index),
    held: brought,
    request,
  })
  const evaluated = {
    ...authorizing.judged,
    ...(debitLists.length === 0 ? {} : { debitLists }),
    ...(limits.length === 0 ? {} : { limits }),
    ...keptOf(admission),
  }
  const outside = message.signers.filter((_, index) => isThere(index))
  submit(platform, cluster, unit, {
    entry,
    message,
    ...gathered,
    ours,
    covered: draft.covered ?? true,
    at,
    held,
    judged: evaluated,
    outside,
  })
}

/**
 * Only records of the own tenant count: other tenants may register the address of an account that they never open.
 */
function isAwaited({ head }: Entry, tenant: string): boolean {
  return head.tenant === tenant && head.value === 'pending'
}

function owesRentTo({ head }: Entry, tenant: string, payer: string | undefined): boolean {
  return payer !== undefined && head.tenant === tenant && isHolding(head) && head.context.rentPayer?.address === payer
}

/**
 * An account of another tenant that accepts no signing requests can receive a payment, but is refused as unknown if
 * its signature is needed. Throws 400 `ACCOUNT_NOT_FOUND`, `POSITION_NOT_FOUND`.
 */
function checkMayBeAsked(call: Call, { feePayer, parties }: Draft, missing: readonly RequiredSigner[]): void {
  const payer = holdingOf(feePayer)
  for (const party of [payer !== null && mayPayFeesFor(call, payer) ? null : feePayer, ...parties]) {
    if (party?.unlessSigner !== undefined && missing.some(({ address }) => address === party.address))
      throw party.unlessSigner()
  }
}

/** A message with a foreign signature cannot be rebuilt after the approvals. */
function cannotWait(
  { verdicts, policies, reviews }: Assessment & DestinationDecision,
  screened: readonly Screened[],
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

/**
 * Drafts of this service contain no instruction that the instruction table refuses; if one does, it is a defect and
 * must not be signed. The accounts of a transfer hook are chosen by the hook program. No signer may be among them:
 * the program could use the signature for any purpose.
 * Throws 400 `TRANSFER_HOOK_REFUSED`, 403 `INSTRUCTION_NOT_ALLOWED`.
 */
function checkNoneRefused(effects: readonly Effect[], programs?: ReadonlySet<string>): void {
  for (const effect of effects) {
    const [lent] = lentSigners(effect)
    if (lent !== undefined)
      throw badRequest(
        'TRANSFER_HOOK_REFUSED',
        `the transfer hook of the instrument may not use the signature of ${lent}`,
        '/itemData',
      )
    if (
      effect.kind === 'refused' &&
      !(effect.reason === 'PROGRAM_NOT_ALLOWED' && programs?.has(effect.programId) === true)
    )
      throw forbidden(
        'INSTRUCTION_NOT_ALLOWED',
        `instruction ${effect.index} (${effect.programId}) is not in the instruction table`,
      )
  }
}

interface Found extends Pick<DryRunFindings, 'verdicts' | 'reviews' | 'entries' | 'inputs'> {
  readonly draft: Draft
}

function dryRun(
  call: Call,
  composed: Composed,
  signers: readonly RequiredSigner[],
  { draft, verdicts, reviews, entries, inputs }: Found,
): TransactionDryRun {
  const { message, keys, feeLamports, sizeBytes } = composed
  return new TransactionDryRun({
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
