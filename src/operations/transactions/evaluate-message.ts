// Evaluates a compiled message before the decision about it: its effects, the rights of the caller, its ledger effects,
// the required signers, debit limits and destination policies. Changes nothing.
import { classify } from '../../solana/table/classify.ts'
import type { Effect } from '../../solana/table/effect.ts'
import { lentSigners } from '../../solana/table/foreign.ts'
import type { EvaluationFacts } from '../../engine/records/codec.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { isHolding } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Call } from '../../contract/call.ts'
import { checkRentCovered } from '../authorization/rent.ts'
import { checkRentReturned } from '../authorization/rent-return.ts'
import type { LimitInputs } from '../authorization/limits/assess.ts'
import { evaluateLimits, type LimitEvaluation } from '../authorization/limits/enforce.ts'
import type { FeeCharge } from '../authorization/limits/legs.ts'
import { priorityFee } from '../../solana/fee.ts'
import { checkProgramKeys } from '../authorization/limits/programs.ts'
import type { Context } from '../context/platform.ts'
import { badRequest, forbidden } from '../../contract/refusal.ts'
import { BookEntries } from './books.ts'
import type { ComposedMessage } from './compose.ts'
import type { Draft } from './draft.ts'
import { checkEscrowsLeftAlone } from '../lookup/escrows.ts'
import { checkCanLand } from './known-failures.ts'
import type { KnownAccounts } from './known-accounts.ts'
import type { Signatures } from './submit.ts'
import type { Lifetime } from './lifetime.ts'
import { fixedPart } from './record.ts'
import { needAddresses, recordIndexOf } from '../lookup/request-records.ts'
import { needOwners } from '../lookup/signing-requests.ts'
import { referenceIn } from '../lookup/party.ts'
import { checkFeePayer } from '../authorization/fee-rights.ts'
import { checkSupplyCaps } from '../authorization/supply-cap.ts'
import { checkDebitKeys, checkFeeKeys, checkPledgeKeys } from '../authorization/rights.ts'
import {
  actsBeyondFees,
  canSign,
  requiredSigners,
  type IsCreated,
  type RequiredSigner,
} from '../authorization/signers.ts'
import type { TransactionFixed } from '../../../machines/transactions/transaction-record.ts'
import type { CountersignRequest } from './countersign/request.ts'

export interface AuthorizeOptions {
  readonly id: string
  readonly draft: Draft
  readonly composed: ComposedMessage
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

export interface Evaluation {
  readonly records: RecordIndex
  /** Effects of every instruction. */
  readonly effects: readonly Effect[]
  /** Accounts whose list of API keys includes the key of the caller. */
  readonly debitLists: readonly string[]
  /** In the order of the message. */
  readonly signers: readonly RequiredSigner[]
  /** Signers that have not signed and cannot sign now. */
  readonly missing: readonly RequiredSigner[]
  readonly inputs: LimitInputs
  readonly assessed: LimitEvaluation
  readonly fixed: TransactionFixed
  readonly request: CountersignRequest
  /** ISO 8601. */
  readonly at: string
}

/** Throws the refusal of the first check that fails. */
export function evaluateMessage(context: Context, unit: UnitOfWork, authorizing: AuthorizeOptions): Evaluation {
  const { platform, call } = context
  const { id, draft, composed, given } = authorizing
  const { message, keys } = composed
  const records = recordIndexOf(context)
  needAddresses(records, call.cluster, keys)
  needOwners(records, call, message.signers)
  const effects = classify(message, keys)
  const debitLists = checkRights(call, authorizing, { records, effects })
  const rents = draft.rents ?? new Map<string, bigint>()
  const isNew = isNewIn(unit)
  const books = booksOf(context, authorizing, { records, effects, rents, isNew })
  const isMade = isMadeBy(call, draft, { records, isNew })
  const signers = checkUse(context, authorizing, { records, effects, rents, isMade })
  const now = platform.clock.now()
  const at = new Date(now).toISOString()
  const { exempt, loan } = draft
  const vouched = draft.adapter?.signs
  const { tenant, cluster } = call
  const { chain } = authorizing
  const inputs = limitInputsOf(context, authorizing, { records, effects, rents, isMade }, now)
  const assessed = evaluateLimits(inputs)
  const evaluated = {
    records,
    message,
    keys,
    hash: composed.hash,
    feeLamports: composed.feeLamports,
    unitLimit: composed.unitLimit,
    unitPrice: composed.unitPrice,
    lifetime: authorizing.lifetime,
    feePayer: referenceIn(records, call, draft.feePayer.address),
    effects,
    books,
    rents,
    debits: assessed.debits,
    adapter: draft.adapter === undefined ? undefined : { change: draft.adapter, transactionId: id },
    externalReference: draft.externalReference,
    itemReferences: draft.itemReferences,
    referenceOfItem: draft.referenceOfItem,
  }
  const fixed = fixedPart(context, evaluated, at)
  const missing = signers.filter((signer, index) => !hasSignature(given, index) && !canSign(signer))
  const request: CountersignRequest = {
    transactionId: id,
    cluster,
    home: tenant,
    asker: call,
    message,
    keys,
    effects,
    isMade,
    chain,
    fixed,
    exempt,
    loan,
    vouched,
    at,
  }
  return { records, effects, debitLists, signers, missing, inputs, assessed, fixed, request, at }
}

function limitInputsOf(
  { platform: { engine }, call }: Context,
  authorizing: AuthorizeOptions,
  { records, effects, rents, isMade }: MessageEffects & { readonly isMade: IsCreated },
  now: number,
): LimitInputs {
  const { draft, composed, chain } = authorizing
  return {
    directory: records,
    windows: engine.debits,
    tenant: call.tenant,
    cluster: call.cluster,
    organization: call.organization,
    now,
    fee: feeOf(call, authorizing),
    effects,
    isMade,
    rents,
    chain,
    keys: composed.keys,
    isProvided: draft.adapter !== undefined,
    exempt: draft.exempt,
    loan: draft.loan,
  }
}

/** True if the signature of this signer came with the message. */
export function hasSignature(given: Signatures | undefined, index: number): boolean {
  return (given?.[index] ?? null) !== null
}

/**
 * Checks that the message does only what it may do, and that the key of the caller may debit the accounts. Returns the
 * accounts whose list of API keys includes that key.
 */
function checkRights(
  call: Call,
  { draft, composed: { message } }: AuthorizeOptions,
  { records, effects }: Pick<MessageEffects, 'records' | 'effects'>,
): readonly string[] {
  checkNoneRefused(effects, draft.adapter?.programs)
  const vouched = draft.adapter?.signs
  draft.adapter?.check(message, effects)
  checkEscrowsLeftAlone(records, call, { effects, signers: message.signers }, vouched)
  checkFeePayer(records, call, draft.feePayer.address)
  const charged = { payer: draft.feePayer.address, beneficiary: call.organization }
  return [
    ...new Set([
      ...checkFeeKeys(records, call, charged),
      ...checkPledgeKeys(records, call, draft.loan?.pledges),
      ...checkDebitKeys(records, call, effects, { consenting: undefined, vouched }),
    ]),
  ]
}

type IsNew = (entry: Entry) => boolean

/** True of a record that the unit creates. */
function isNewIn({ touched }: UnitOfWork): IsNew {
  return (entry) => touched.has(entry) && touched.get(entry) === undefined
}

interface MessageEffects {
  readonly records: RecordIndex
  readonly effects: readonly Effect[]
  readonly rents: ReadonlyMap<string, bigint>
}

/** The ledger effects of the message. */
function booksOf(
  { call: { tenant, cluster } }: Context,
  { id, draft, composed }: AuthorizeOptions,
  { records, effects, rents, isNew }: MessageEffects & { readonly isNew: IsNew },
): BookEntries {
  const books = new BookEntries({
    directory: records,
    tenant,
    cluster,
    transactionId: id,
    signers: composed.message.signers,
    rents,
    isNew,
    grows: (address) => draft.makes?.has(address) === true,
  })
  books.fee(draft.feePayer.address, composed.feeLamports)
  for (const effect of effects) books.take(effect)
  for (const address of draft.closes ?? []) books.handOver(address)
  return books
}

/** True of an account whose record the request creates, or for which the tenant has a pending record. */
function isMadeBy(
  { tenant, cluster }: Call,
  draft: Draft,
  { records, isNew }: Pick<MessageEffects, 'records'> & { readonly isNew: IsNew },
): IsCreated {
  return (address, associated = false, paidBy) =>
    draft.makes?.has(address) === true ||
    records
      .ownAtAddress(cluster, address)
      .some((each) => isNew(each) || (associated && isAwaited(each, tenant)) || owesRentTo(each, tenant, paidBy))
}

/** Supply caps, rent, and the keys that the message needs. */
function checkUse(
  context: Context,
  { id, draft, composed: { message }, chain }: AuthorizeOptions,
  { records, effects, rents, isMade }: MessageEffects & { readonly isMade: IsCreated },
): RequiredSigner[] {
  const { platform, call } = context
  const { tenant, cluster } = call
  checkCanLand(platform, { directory: records, tenant, cluster, effects })
  checkSupplyCaps(platform, { tenant, cluster, transactionId: id, effects })
  checkRentCovered(call, { directory: records, effects, rents, isMade, chain })
  const { refundPointer: pointer = '/itemData' } = draft
  checkRentReturned({ directory: records, tenant, cluster, effects }, { asker: tenant, pointer })
  const acts = (address: string): boolean => actsBeyondFees(effects, address, isMade)
  const signers = requiredSigners(context, draft, message.signers, { acts })
  for (const { address, state } of signers) {
    if (state?.tenant === tenant && draft.adapter?.signs.has(address) !== true)
      checkProgramKeys(platform, state, { asker: call, effects })
  }
  return signers
}

function feeOf({ tenant, organization }: Call, { draft, composed }: AuthorizeOptions): FeeCharge {
  const { feeLamports, unitLimit, unitPrice } = composed
  return {
    payer: draft.feePayer.address,
    beneficiary: organization,
    lamports: feeLamports,
    priorityLamports: priorityFee(unitLimit, unitPrice),
    tenant,
  }
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
