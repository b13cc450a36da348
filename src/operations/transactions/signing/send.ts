// Sends a completely signed transaction. The decision to send is durable before the bytes are sent.
import { isHolding, type RecordState } from '../../../engine/records/record.ts'
import { submissionOf } from '../../../engine/settlement/submission.ts'
import { payloadOp } from '../../../engine/records/payload-row.ts'
import type { Outcome } from '../../../contract/call.ts'
import { rememberOutcome } from '../idempotency.ts'
import { requireMayAct } from '../../context/may-act.ts'
import type { Platform, Context } from '../../context/platform.ts'
import { limitedAs } from '../../authorization/limits/again.ts'
import { checkRentReturned } from '../../authorization/rent-return.ts'
import { checkChangesNotFrozen } from '../../authorization/rights.ts'
import { checkStillAllowed } from '../../authorization/limits/still-allowed.ts'
import { parseMessage } from '../../../solana/parse.ts'
import { classify } from '../../../solana/table/classify.ts'
import type { Effect } from '../../../solana/table/effect.ts'
import type { TransactionFixed } from '../../../../machines/transactions/transaction-record.ts'
import { runAttempts, type Attempt } from '../attempt.ts'
import type { KnownAccounts } from '../known-accounts.ts'
import { checkNonePaused } from '../known-failures.ts'
import { badRequest, forbidden, Refusal } from '../../../contract/refusal.ts'
import { takePlace, transactionOf } from '../submit.ts'
import { checkNotFrozen } from '../../authorization/signers.ts'
import { clusterOf } from '../transact.ts'
import { signableTransaction } from './named.ts'
import { isOwn } from '../../lookup/signing-requests.ts'
import { checkIsNextStep } from './next-step.ts'
import { checkOwnersElsewhere } from './owners-elsewhere.ts'
import type { NoMembers } from '../../../contract/schemas/members.ts'

const POINTER = '/itemData/transaction/offchainId'

/**
 * Throws 400 `TRANSACTION_NOT_FOUND`, `NOT_SIGNED`, `ENDED`, `RENT_OWED`, `INSTRUMENT_PAUSED`, 403 `FROZEN`,
 * `SUBMIT_NOT_ALLOWED`, `DESTINATION_NOT_ALLOWED`, 503 `TENANT_UNAVAILABLE`. For a transaction that is already sent,
 * the answer shows its current state.
 */
export async function sendRecordedTransaction(
  { platform, call }: Context,
  offchainId: string,
): Promise<Outcome<NoMembers>> {
  const cluster = clusterOf({ platform, call })
  const outcome: Outcome<NoMembers> = { members: {}, transactions: [offchainId], shape: 'bare', awaited: 'confirmed' }
  const send = (chain: Pick<KnownAccounts, 'get' | 'sendable'>) =>
    platform.engine.transact((unit) => {
      const { entry, transaction } = signableTransaction({ platform, call }, offchainId, POINTER)
      // An organization that only gives a signature does not decide when the transaction is sent.
      if (!isOwn(call, transaction))
        throw forbidden(
          'SUBMIT_NOT_ALLOWED',
          'only the organization that created the transaction may submit it',
          POINTER,
        )
      const payload = platform.engine.payload(transaction)
      if (!transaction.context.complete || payload.signedBytes === null || transaction.context.signature === null) {
        const ended = transaction.context.finalAt !== null
        throw badRequest(
          ended ? 'ENDED' : 'NOT_SIGNED',
          ended ? 'the transaction has ended' : 'signatures are missing',
          '/itemData/transaction',
        )
      }
      checkIsNextStep(platform, offchainId, POINTER)
      rememberOutcome(call, unit, outcome)
      // Already sent, ended, or being cancelled: the answer shows the current state.
      const { value, context } = transactionOf(entry)
      if (payload.held !== true || value !== 'signed' || context.cancelAskedAt !== null) return
      requireMayAct(platform)
      checkMayBeSent(platform, transaction, chain)
      const { held: _released, ...sent } = payload
      const { tenant, cluster: clusterId, id } = transaction
      unit.also(tenant, payloadOp({ tenant, cluster: clusterId, id }, sent))
      const bytes = Buffer.from(payload.signedBytes, 'base64')
      takePlace(cluster, unit, transactionOf(entry))
      unit.afterCommit(() => cluster.submit(submissionOf(platform.engine, transactionOf(entry), bytes)))
    })
  const attempt = async ({ known }: Attempt): Promise<typeof outcome> => {
    await send(known).durable
    return outcome
  }
  return await runAttempts(platform, call, attempt, { funds: true })
}

/**
 * Checks again what may have changed since this service signed. Throws 400 `RENT_OWED`, `INSTRUMENT_PAUSED`, 403
 * `FROZEN`, `DESTINATION_NOT_ALLOWED`, and what owners in other cells refuse.
 */
function checkMayBeSent(
  platform: Platform,
  transaction: RecordState<'transaction'>,
  chain: Pick<KnownAccounts, 'get' | 'sendable'>,
): void {
  checkNotFrozenSince(platform, transaction)
  checkDestinations(platform, transaction, chain)
  checkRent(platform, transaction)
  checkNotPausedSince(platform, transaction)
}

/**
 * The history text for a complete transaction that may not be sent now and therefore waits for Submit; null: it may be
 * sent.
 */
export function reasonNotToSend(
  platform: Platform,
  transaction: RecordState<'transaction'>,
  chain: Pick<KnownAccounts, 'get' | 'sendable'>,
): string | null {
  try {
    checkMayBeSent(platform, transaction, chain)
    return null
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    return `it waits for Submit: ${error.problems.map(({ message }) => message).join('; ')}`
  }
}

/**
 * A transaction that was signed before an address was blocked is not sent. Throws 403 `DESTINATION_NOT_ALLOWED`, and
 * what owners in other cells refuse.
 */
export function checkDestinations(
  platform: Platform,
  transaction: RecordState<'transaction'>,
  chain: Pick<KnownAccounts, 'get' | 'sendable'>,
): void {
  const { fixed } = transaction.context
  checkStillAllowed(platform, transaction, {
    ...effectsOf(fixed),
    chain,
    isProvided: fixed.adapter !== undefined,
    ...limitedAs(fixed),
  })
  checkOwnersElsewhere(platform, transaction, chain)
}

/**
 * A transaction that was signed before the rent of an account it closes was paid is not sent. Throws 400 `RENT_OWED`.
 */
function checkRent(
  { engine: { directory } }: Platform,
  { tenant, cluster, context }: RecordState<'transaction'>,
): void {
  const { effects } = effectsOf(context.fixed)
  const inputs = { directory, tenant, cluster, effects, isReserved: true }
  checkRentReturned(inputs, { asker: tenant, pointer: POINTER })
}

/** It would only cost its fee. It stays signed, and is sent once the instrument is resumed. */
function checkNotPausedSince(
  { engine: { directory } }: Platform,
  { tenant, cluster, context }: RecordState<'transaction'>,
): void {
  checkNonePaused({ directory, tenant, cluster, effects: effectsOf(context.fixed).effects, pointer: POINTER })
}

function effectsOf({ accounts, message }: TransactionFixed): { effects: readonly Effect[]; keys: readonly string[] } {
  const keys = accounts.map(({ address }) => address)
  return { effects: classify(parseMessage(Buffer.from(message, 'base64')), keys), keys }
}

/**
 * A transaction that was signed before a signer, or a record that it changes, was frozen is not sent until that is
 * unfrozen: of the tenant, or of a tenant that countersigned.
 */
function checkNotFrozenSince(
  { engine: { directory } }: Platform,
  { tenant, cluster, context }: RecordState<'transaction'>,
): void {
  const signing = new Set([tenant, ...(context.countersigners ?? []).map((each) => each.tenant)])
  for (const { address } of context.fixed.signers) {
    for (const { head } of directory.ownAtAddress(cluster, address)) {
      if (isHolding(head) && head.context.managed && signing.has(head.tenant)) checkNotFrozen(directory, head)
    }
  }
  const { effects } = effectsOf(context.fixed)
  for (const each of signing) checkChangesNotFrozen(directory, { tenant: each, cluster }, effects)
}
