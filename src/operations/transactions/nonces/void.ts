// Cancels a signed transaction under a nonce by advancing the nonce under the same value: exactly one of the two can
// land, and whichever does proves the other void. There is one advance at a time; a second request joins it.
import type { Entry } from '../../../engine/records/entry.ts'
import { isHolding, ofKind, type RecordState } from '../../../engine/records/record.ts'
import type { TransactionEvent } from '../../../../machines/transactions/transaction-events.ts'
import { sendWithConsequences } from '../../../engine/settlement/settlement.ts'
import type { UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import type { Outcome } from '../../../contract/call.ts'
import { rememberOutcome } from '../idempotency.ts'
import type { Platform, Context } from '../../context/platform.ts'
import { badRequest } from '../../../contract/refusal.ts'
import { mayPayFeesFor, type Party } from '../../lookup/party.ts'
import type { Draft } from '../draft.ts'
import { feePayerOf } from '../fee-payer.ts'
import { accepts } from '../../authorization/fee-rights.ts'
import { isWithheld } from '../signing/withheld.ts'
import { transactionOf } from '../submit.ts'
import { ADVANCE_UNITS } from '../lifetime.ts'
import { clusterOf, transact } from '../transact.ts'
import { type HeldNonce, lifetimeOf, nonceOf } from './free.ts'
import { readNonces } from '../../reconcile/nonces.ts'
import { managedAt } from '../../lookup/nonce.ts'

const POINTER = '/itemData/offchainId'
/** Signed, but neither sent nor handed out: the transaction cannot land. */
export const NEVER_SENT_RULE = { rule: 'NEVER_SENT' }
const GIVEN_UP: ReadonlySet<string> = new Set(['cancelled', 'expired', 'nonBlockchainError'])

/** The nonce leased to the transaction, even if the transaction has been given up; undefined: none. */
export function leaseOf(platform: Platform, transaction: RecordState<'transaction'>): HeldNonce | undefined {
  const nonce = nonceOf(platform, transaction)
  return nonce?.state.context.lease?.transactionId === transaction.id ? nonce : undefined
}

/** True of an advance that is under way to void the transaction that holds the lease. */
export function voidsAnother(platform: Platform, transaction: RecordState<'transaction'>): boolean {
  return (
    transaction.context.finalAt === null &&
    nonceOf(platform, transaction)?.state.context.lease?.voidedBy === transaction.id
  )
}

/** True while only this service could send the transaction, because a required signature has not left the service. */
export function neverLeftService(platform: Platform, entry: Entry): boolean {
  const { held, asked = [] } = platform.engine.payload(entry.head)
  const transaction = transactionOf(entry)
  const { ourSignature, countersigners = [] } = transaction.context
  // A countersigner keeps its reservations until the chain shows that the transaction cannot land.
  const onlyOurs = asked.length === 0 && countersigners.length === 0
  return held === true && onlyOurs && ourSignature && isWithheld(platform, transaction)
}

/**
 * Cancels the transaction `entry` and makes sure that its nonce advances. undefined: the lease has ended, so nothing
 * has to be advanced.
 * Throws 400 `NONCE_AUTHORITY_NOT_MANAGED`, and the refusals of a transaction of this organization.
 */
export async function voidByAdvance(context: Context, entry: Entry, nonce: HeldNonce): Promise<Outcome | undefined> {
  const { platform, call } = context
  const { id } = entry.head
  await readNonces(platform, call.cluster, [nonce.entry])
  if (leaseOf(platform, transactionOf(entry)) === undefined) return undefined
  const answer = { transactions: [id], awaited: 'finalized' } as const
  const outcome =
    (await joinAdvance(context, entry, nonce, answer)) ??
    (await transact(context, undefined, () => buildAdvanceDraft(context, entry, nonce, answer)))
  if (outcome === undefined) return await voidByAdvance(context, entry, nonce)
  const cluster = clusterOf(context)
  if (transactionOf(entry).context.finalAt !== null) cluster.forget(id)
  else {
    cluster.recall(id)
    cluster.checkNow(id)
  }
  return outcome
}

type Answer = Pick<Outcome, 'transactions' | 'awaited'>

/** If an advance is under way: records the cancellation; the outcome of that advance answers both requests. */
async function joinAdvance(
  { platform, call }: Context,
  entry: Entry,
  nonce: HeldNonce,
  answer: Answer,
): Promise<Outcome | undefined> {
  if (!isBeingVoided(platform, nonce.entry)) return undefined
  const outcome: Outcome = { members: {}, shape: 'bare', ...answer }
  const { durable } = platform.engine.transact((unit) => {
    giveUp(platform, unit, entry)
    rememberOutcome(call, unit, outcome)
  })
  await durable
  return outcome
}

function isBeingVoided(platform: Platform, nonce: Entry): boolean {
  const by = ofKind(nonce.head, 'nonce')?.context.lease?.voidedBy ?? null
  const advance = by === null ? undefined : ofKind(platform.engine.directory.resident(by)?.head, 'transaction')
  // An advance that was cancelled itself is no longer sent.
  return advance !== undefined && advance.context.finalAt === null && advance.context.cancelAskedAt === null
}

/** undefined: another request started an advance in the meantime, or the lease has ended. */
function buildAdvanceDraft(
  context: Context,
  entry: Entry,
  { entry: held }: HeldNonce,
  answer: Answer,
): Draft | undefined {
  const { platform } = context
  const nonce = leaseOf(platform, transactionOf(entry))?.state
  if (nonce === undefined || isBeingVoided(platform, held)) return undefined
  if (managedAt(context, nonce.context.authority.address) === undefined) {
    const rule =
      'the service does not hold the key of the nonce authority: that authority must advance the nonce to void the transaction'
    throw badRequest('NONCE_AUTHORITY_NOT_MANAGED', rule, POINTER)
  }
  return {
    // The advance instruction comes with the lifetime.
    instructions: [],
    lifetime: lifetimeOf(held, nonce),
    feePayer: payerOf(context, transactionOf(entry)),
    parties: [],
    computeUnits: ADVANCE_UNITS,
    prepare: (unit, by) => {
      giveUp(platform, unit, entry)
      unit.send<'nonce'>(held, { type: 'command.void', transactionId: entry.head.id, by })
    },
    shape: 'bare',
    outcome: answer,
  }
}

/**
 * Ends the transaction now if it cannot have left the service; otherwise records that it ends when the nonce's next
 * value proves it void.
 */
function giveUp(platform: Platform, unit: UnitOfWork, entry: Entry): void {
  if (GIVEN_UP.has(transactionOf(entry).value)) return
  const at = new Date(platform.clock.now()).toISOString()
  sendWithConsequences(platform.engine, unit, entry, { event: cancellation(platform, entry, at), at })
}

/** A transaction with a signature that has left this service may land, so it ends only by proof. */
export function cancellation(platform: Platform, entry: Entry, at: string): TransactionEvent {
  if (neverLeftService(platform, entry)) return { type: 'chain.voided', at, proof: NEVER_SENT_RULE }
  return { type: transactionOf(entry).context.ourSignature ? 'command.withdraw' : 'command.cancel', at }
}

/** The fee payer of the transaction, or the organization's default fee payer if that key may not be used. */
function payerOf({ platform, call }: Context, { context }: RecordState<'transaction'>): Party {
  const { address } = context.fixed.feePayer
  const entry = platform.engine.directory
    .atAddress(call.cluster, address)
    .find(
      ({ head }) =>
        isHolding(head) &&
        head.context.managed &&
        mayPayFeesFor(call, head) &&
        accepts(platform.engine.directory, call, head),
    )
  return entry === undefined ? feePayerOf({ platform, call }, undefined) : { address, entry, autoSign: true }
}
