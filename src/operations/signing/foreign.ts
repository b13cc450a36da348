// Transactions made elsewhere: parsed and checked by the same instruction table, limits and freezes as transactions
// made here, and recorded in the same way.
import { FormatError } from '../../solana/format-error.ts'
import { messageHash, PACKET_LIMIT_BYTES, type CompiledMessage } from '../../solana/message.ts'
import { parseTransaction, type ParsedTransaction } from '../../solana/parse.ts'
import { classify } from '../../solana/table/classify.ts'
import type { Effect, EffectOf } from '../../solana/table/effect.ts'
import type { EvaluationFacts } from '../../engine/records/codec.ts'
import { foreignRefusal } from '../../solana/table/foreign.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { organizationKey } from '../../engine/index/index-keys.ts'
import { isHolding, ofKind, type HoldingState } from '../../engine/records/record.ts'
import { verifySignature } from '../../keys/keypair.ts'
import type { Outcome } from '../../contract/call.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import type { SignTransactionInput } from '../../contract/schemas/transaction.ts'
import { advanceOf, checkAdvances, foreignNonce, readForeignNonce } from '../nonces/foreign.ts'
import { checkRentCovered } from '../authorization/rent.ts'
import { checkRentReturned } from '../authorization/rent-return.ts'
import { LIMITED_TYPES } from '../../contract/holding-types.ts'
import { admit, explanationFacts } from '../authorization/limits/enforce.ts'
import { intentOf } from '../authorization/limits/intent.ts'
import { checkFeedWrites } from '../authorization/feed-use.ts'
import type { PlatformCluster, Platform, Context } from '../context/platform.ts'
import { badRequest, forbidden } from '../../contract/refusal.ts'
import { BookEntries } from '../transactions/books.ts'
import { checkCanLand } from '../transactions/known-failures.ts'
import { requestedFee, type RequestedFee } from '../transactions/fee-payer.ts'
import { runAttempts } from '../transactions/attempt.ts'
import type { KnownAccounts } from '../transactions/known-accounts.ts'
import { submit, takePlace, transactionOf, type Signatures } from '../transactions/submit.ts'
import { underBlockhash, type Lifetime } from '../transactions/lifetime.ts'
import { fixedPart } from '../transactions/record.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { needAddresses, recordIndexOf } from '../lookup/request-records.ts'
import { referenceIn } from '../lookup/party.ts'
import { checkEscrowsLeftAlone } from '../lookup/escrows.ts'
import { checkFeePayer } from '../authorization/fee-rights.ts'
import { checkSupplyCaps } from '../authorization/supply-cap.ts'
import { checkDebitKeys, checkFeeKeys } from '../authorization/rights.ts'
import { clusterOf } from '../transactions/transact.ts'
import { isMessageTaken, messageRow } from '../transactions/unique-message.ts'
import { loadForeign, type ForeignAccounts } from '../transactions/signing/foreign-accounts.ts'
import { serializeTransaction, addSignatures } from '../transactions/signing/held.ts'
import { nothing, signWithOurs } from '../transactions/signing/ours.ts'
import { canComeToSign, needOwners } from '../lookup/signing-requests.ts'
import type { SignedMembers } from '../../contract/schemas/members.ts'

const POINTER = '/itemData/serializedTransaction'

/**
 * Throws 400 `TRANSACTION_MALFORMED`, `TRANSACTION_VERSION_UNSUPPORTED`, `BLOCKHASH_EXPIRED`, 403
 * `INSTRUCTION_NOT_ALLOWED`, and the refusals of a transaction made here.
 */
export async function adoptForeign(
  context: Context,
  itemData: SignTransactionInput,
  parsed: ParsedTransaction,
  intent: 'sign' | 'submit',
): Promise<Outcome<SignedMembers>> {
  const { platform, call } = context
  const cluster = clusterOf(context)
  const advance = advanceOf(parsed.message)
  const adopting: Adopting = {
    ...{ itemData, parsed, intent, advance },
    loaded: await loadedForeign(context, cluster, parsed.message, advance),
    id: platform.ids(),
    at: new Date(platform.clock.now()).toISOString(),
  }
  return await runAttempts(platform, call, async ({ known }) => {
    const { result, durable } = platform.engine.transact((unit) => {
      const evaluated = evaluateForeign(context, adopting, known)
      const entry = recordForeign(context, unit, adopting, evaluated)
      const signatures = signForeign(context, unit, adopting, { evaluated, entry })
      const outcome: Outcome<SignedMembers> = {
        members:
          itemData.returnSerialized === true
            ? { serializedTransaction: serializeTransaction(parsed.message, signatures) }
            : {},
        transactions: [adopting.id],
        shape: 'bare',
        awaited: intent === 'submit' ? 'confirmed' : 'signed',
      }
      rememberOutcome(call, unit, outcome)
      return outcome
    })
    await durable
    return result
  })
}

/** A transaction made elsewhere that is being adopted, and the chain state that was read for it. */
interface Adopting {
  readonly itemData: SignTransactionInput
  readonly parsed: ParsedTransaction
  readonly intent: 'sign' | 'submit'
  readonly advance: EffectOf<'nonceAdvance'> | undefined
  readonly loaded: ForeignAccounts
  readonly id: string
  /** ISO 8601. */
  readonly at: string
}

type EvaluatedForeign = ReturnType<typeof evaluateForeign>

async function loadedForeign(
  context: Context,
  cluster: PlatformCluster,
  message: CompiledMessage,
  advance: Adopting['advance'],
): Promise<ForeignAccounts> {
  const [loaded] = await Promise.all([
    loadForeign(cluster, message, advance !== undefined, POINTER),
    advance === undefined ? undefined : readForeignNonce(context, advance),
  ])
  return loaded
}

/** Throws the refusal of any check before a key is used. */
function evaluateForeign(context: Context, adopting: Adopting, chain: Pick<KnownAccounts, 'get'>) {
  const { platform, call } = context
  const records = recordIndexOf(context)
  const { parsed, loaded, advance, id, intent, itemData } = adopting
  const { message } = parsed
  const { keys, rents } = loaded
  const hash = messageHash(message.bytes)
  needAddresses(records, call.cluster, keys)
  needOwners(records, call, keys)
  const effects = classify(message, keys)
  const payer = message.signers[0] ?? ''
  const allowance = evaluate(context, records, message, effects)
  checkAdvances(effects, advance, POINTER)
  const lifetime = lifetimeOf(context, message, loaded, advance)
  const fee = feeOf(platform, message, effects)
  const books = booksOf(context, adopting, { records, effects, fee })
  checkNew(context, { hash, feePayer: payer })
  const feePayer = referenceIn(records, call, payer)
  const { tenant, cluster, organization } = call
  const deps = { effects, isMade: nothing, rents, chain }
  checkRentCovered(call, { directory: records, ...deps })
  checkRentReturned({ directory: records, tenant, cluster, effects }, { asker: tenant, pointer: POINTER })
  checkCanLand(platform, { directory: records, tenant, cluster, effects, pointer: POINTER })
  checkSupplyCaps(platform, { tenant, cluster, transactionId: id, effects })
  const admission = admit(
    platform,
    {
      ...{
        directory: records,
        windows: platform.engine.debits,
        tenant,
        cluster,
        organization,
        now: platform.clock.now(),
      },
      fee: { payer, ...fee, beneficiary: organization, tenant },
      ...deps,
      keys,
    },
    {
      requesters: [call.caller.keyId],
      intent: intentOf(message, keys, effects),
      then: intent === 'sign' && itemData.signers === undefined ? 'SIGN' : 'WAIT',
    },
    null,
  )
  return { records, message, hash, lifetime, feePayer, fee, keys, effects, books, rents, deps, admission, allowance }
}

function booksOf(
  { call }: Context,
  adopting: Adopting,
  {
    records,
    effects,
    fee,
  }: { readonly records: RecordIndex; readonly effects: readonly Effect[]; readonly fee: RequestedFee },
): BookEntries {
  const { parsed, loaded, id } = adopting
  const { signers } = parsed.message
  const books = new BookEntries({
    directory: records,
    tenant: call.tenant,
    cluster: call.cluster,
    transactionId: id,
    signers,
    rents: loaded.rents,
    isNew: () => false,
  })
  books.fee(signers[0] ?? '', fee.lamports)
  for (const effect of effects) books.take(effect)
  return books
}

function recordForeign(context: Context, unit: UnitOfWork, { id, at }: Adopting, evaluated: EvaluatedForeign): Entry {
  const { tenant, cluster } = context.call
  const { fee, hash, admission } = evaluated
  const feePayer = evaluated.message.signers[0] ?? ''
  const message = {
    ...evaluated,
    feeLamports: fee.lamports,
    unitLimit: fee.units,
    unitPrice: fee.price,
    debits: admission.debits,
  }
  const entry = unit.create('transaction', { tenant, cluster, id }, { fixed: fixedPart(context, message, at) })
  unit.also(tenant, messageRow(context.platform, { tenant, cluster, id }, { hash, feePayer }))
  if (admission.hold !== null) unit.send<'transaction'>(entry, { type: 'command.hold', approval: admission.hold, at })
  return entry
}

/** Records the signatures that came with the request and those that this service gives, and returns them. */
function signForeign(
  context: Context,
  unit: UnitOfWork,
  { itemData, parsed, intent, id, at }: Adopting,
  { evaluated, entry }: { readonly evaluated: EvaluatedForeign; readonly entry: Entry },
): Signatures {
  const { platform, call } = context
  const cluster = clusterOf(context)
  const { message, keys, deps, admission, fee, allowance } = evaluated
  const { hold } = admission
  const { fixed } = transactionOf(entry).context
  const verified = verifiedSignatures(parsed)
  const initial = addSignatures(message, verified, itemData.signatures ?? [], '/itemData/signatures')
  // A complete transaction that waits for approval is stored without its signatures, since stored complete bytes
  // could be sent; the caller brings them again after the approval.
  const held = hold !== null && initial.every((signature) => signature !== null) ? initial.map(() => null) : initial
  const maySign = (): boolean => {
    if (hold === null) takePlace(cluster, unit, transactionOf(entry))
    return hold === null
  }
  const { tenant: home } = call
  const request = { ...deps, transactionId: id, cluster: call.cluster, home, asker: call, message, keys, fixed, at }
  const { signatures, asked, countersigners, ours } =
    intent === 'submit'
      ? { signatures: held, asked: [], countersigners: [], ours: false }
      : signWithOurs(platform, unit, call, { request, held, wanted: itemData.signers, isOwn: true, maySign })
  const complete = signatures.every((signature) => signature !== null)
  if (intent === 'submit' && !complete && hold === null)
    throw badRequest('NOT_SIGNED', 'signatures are missing', POINTER)
  // This service follows a transaction that it signs or submits, regardless of who gave the signatures.
  submit(platform, cluster, unit, {
    ...{ entry, records: evaluated.records, message, signatures, asked, countersigners, covered: true, at },
    ours: hold === null && (ours || intent === 'submit'),
    held: intent === 'sign',
    exposed: itemData.returnSerialized === true,
    judged: {
      maxFee: platform.limits.maxFeeLamports.toString(),
      limit: { units: fee.units, by: 'REQUEST' },
      ...allowance,
      limits: admission.limits,
      ...explanationFacts(admission),
    },
    outside: message.signers.filter((_, index) => held[index] !== null),
  })
  return signatures
}

/** Throws 400 `TRANSACTION_MALFORMED`, `TRANSACTION_TOO_LARGE`, `TRANSACTION_VERSION_UNSUPPORTED`. */
export function readTransaction(text: string): ParsedTransaction {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) throw badRequest('TRANSACTION_MALFORMED', 'must be base64', POINTER)
  if (bytes.length > PACKET_LIMIT_BYTES)
    throw badRequest('TRANSACTION_TOO_LARGE', `${bytes.length} bytes, the limit is ${PACKET_LIMIT_BYTES}`, POINTER)
  try {
    return parseTransaction(bytes)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const code = error.code === 'VERSION_UNSUPPORTED' ? 'TRANSACTION_VERSION_UNSUPPORTED' : 'TRANSACTION_MALFORMED'
    throw badRequest(code, error.message, POINTER)
  }
}

/** The signatures that came with the transaction, each verified. Throws 400 `SIGNATURE_INVALID`. */
export function verifiedSignatures({ message, signatures }: ParsedTransaction): readonly (Uint8Array | null)[] {
  for (const [index, signature] of signatures.entries()) {
    if (signature !== null && !verifySignature(message.bytes, signature, message.signers[index] ?? '')) {
      throw badRequest('SIGNATURE_INVALID', `signature ${index} does not verify for this message`, POINTER)
    }
  }
  return signatures
}

/**
 * Checks the message against the instruction table, feeds, escrows, fee payer and debit keys. Returns the allow lists
 * that the decision used. Throws 403 `INSTRUCTION_NOT_ALLOWED` and what the other checks refuse.
 */
function evaluate(
  context: Context,
  directory: RecordIndex,
  { signers }: CompiledMessage,
  effects: readonly Effect[],
): Pick<EvaluationFacts, 'debitLists' | 'allowedPrograms'> {
  const { call } = context
  const organization = ofKind(directory.firstOwn(organizationKey(call.organization))?.head, 'organization')
  const recordsAt = (address: string): HoldingState[] =>
    directory
      .atAddress(call.cluster, address)
      .map(({ head }) => head)
      .filter(isHolding)
  const refused = foreignRefusal(effects, {
    isManaged: (address) => recordsAt(address).some((state) => canComeToSign(directory, call, state)),
    isFixed: (address) =>
      recordsAt(address).some(
        (state) => isFixed(state) && (state.tenant === call.tenant || canComeToSign(directory, call, state)),
      ),
    allowedPrograms: new Set(organization?.context.allowedPrograms ?? []),
  })
  if (refused !== null) {
    const name = refused.kind === 'refused' ? refused.name : refused.type
    throw forbidden(
      'INSTRUCTION_NOT_ALLOWED',
      `instruction ${refused.index} (${name} of ${refused.programId}) is not allowed`,
      POINTER,
    )
  }
  checkFeedWrites(context, effects, POINTER)
  const payer = signers[0] ?? ''
  checkEscrowsLeftAlone(directory, call, { effects, signers })
  checkFeePayer(directory, call, payer, POINTER)
  const ofFee = checkFeeKeys(directory, call, { payer, beneficiary: call.organization })
  const debitLists = [...new Set([...ofFee, ...checkDebitKeys(directory, call, effects)])]
  const allowedPrograms = [
    ...new Set(effects.filter(({ kind }) => kind === 'refused').map(({ programId }) => programId)),
  ]
  return {
    ...(debitLists.length > 0 ? { debitLists } : {}),
    ...(allowedPrograms.length > 0 ? { allowedPrograms } : {}),
  }
}

function isFixed({ context }: HoldingState): boolean {
  return context.managed || LIMITED_TYPES.has(context.references.type)
}

function lifetimeOf(
  context: Context,
  { blockhash }: CompiledMessage,
  loaded: ForeignAccounts,
  advance: EffectOf<'nonceAdvance'> | undefined,
): Lifetime {
  if (advance !== undefined) return foreignNonce(context, advance, blockhash, POINTER)
  if (loaded.blockhash === null) throw new Error('the blockhash of the message was not loaded')
  return underBlockhash(loaded.blockhash)
}

function feeOf(platform: Platform, message: CompiledMessage, effects: readonly Effect[]): RequestedFee {
  const fee = requestedFee(message, effects)
  const { maxFeeLamports } = platform.limits
  if (fee.lamports > maxFeeLamports)
    throw badRequest(
      'FEE_TOO_HIGH',
      `the fee of ${fee.lamports} lamports exceeds the limit of ${maxFeeLamports}`,
      POINTER,
    )
  return fee
}

function checkNew({ platform, call }: Context, name: { readonly hash: string; readonly feePayer: string }): void {
  if (isMessageTaken(platform, { cluster: call.cluster, ...name })) {
    throw badRequest('ALREADY_EXISTS', 'a transaction with this message exists already', POINTER)
  }
}
