// Applies chain facts to a transaction and to the balances of every record it touches, in one unit of work.
import type { TransactionEvent } from '../../../machines/transactions/transaction-events.ts'
import { carryOut } from './carry-out.ts'
import { consequences, ownEntries, type Consequence } from '../records/consequences.ts'
import type { Engine } from '../engine.ts'
import type { Entry } from '../records/entry.ts'
import { ofKind, type RecordState } from '../records/record.ts'
import { CommandRejected, type Rejection, type UnitOfWork } from '../records/unit-of-work.ts'

type Transaction = RecordState<'transaction'>

/** The outcome of an event. `result` not null: the event was rejected and nothing has changed. */
export interface SettlementResult {
  readonly result: Rejection | null
  readonly durable: Promise<void>
}

const OBSERVED: SettlementResult = { result: null, durable: Promise.resolve() }

/**
 * Transactions that the chain has shown with another signature than the one on record, until their outcome is applied,
 * and the signature on record; null: there was none. Earlier readings of the chain did not recognize them. In memory
 * only, as readings are.
 */
const foundAnew = new WeakMap<Entry, string | null>()

/**
 * Sends an event to a transaction and applies all consequences. `durable` resolves when they are durable; observations
 * (submitted, processed) have no write of their own.
 * Nothing changes if the machine of the transaction or of a touched record rejects an event. The function is not async,
 * because callers that keep facts in order need the rejection synchronously.
 */
export function settleTransaction(engine: Engine, entry: Entry, event: TransactionEvent, at: string): SettlementResult {
  if (isObservation(event)) {
    const previous = entry.head as Transaction
    const result = engine.observe((unit) => unit.trySend<'transaction'>(entry, event))
    noteSignature(entry, previous, event)
    return result === null ? OBSERVED : { result, durable: OBSERVED.durable }
  }
  return engine.transact((unit) => {
    const rejection = tryWithConsequences(engine, unit, entry, { event, at })
    if (rejection !== null) unit.discard()
    return rejection
  })
}

/** As `settleTransaction`, inside the caller's unit of work. Throws `CommandRejected`. */
export function sendWithConsequences(
  engine: Engine,
  unit: UnitOfWork,
  entry: Entry,
  { event, at }: { readonly event: TransactionEvent; readonly at: string },
): Transaction {
  const refused = tryWithConsequences(engine, unit, entry, { event, at })
  if (refused !== null) throw new CommandRejected(refused.rejection, refused.record)
  return entry.head as Transaction
}

/** After a rejection the unit may contain changes of other records, so the caller must discard it. */
function tryWithConsequences(
  engine: Engine,
  unit: UnitOfWork,
  entry: Entry,
  { event, at }: { readonly event: TransactionEvent; readonly at: string },
): Rejection | null {
  const previous = entry.head as Transaction
  const refused = unit.trySend<'transaction'>(entry, event)
  if (refused !== null) return refused
  const next = entry.head as Transaction
  noteSignature(entry, previous, event)
  const { signature, slot } = next.context
  const following = consequences(previous, next)
  const own = ownEntries(next)
  const touch = { transactionId: next.id, signature: signature ?? '', at }
  const wasUnknown = typeof foundAnew.get(entry) === 'string'
  for (const consequence of following) {
    const rejection = carryOut(engine, unit, own, { consequence, touch, slot, tenant: next.tenant, wasUnknown })
    if (rejection !== null) return rejection
  }
  // Readings of the tenant's own records wait for a signature that is unknown, those of others do not.
  sendToOthers(unit, next, following, { at, wasUnknown: foundAnew.has(entry) })
  if (following.length > 0) unit.afterCommit(() => foundAnew.delete(entry))
  return null
}

function noteSignature(
  entry: Entry,
  { context: { signature: former } }: Transaction,
  { type }: TransactionEvent,
): void {
  const { signature } = (entry.head as Transaction).context
  if (former !== signature && (former !== null || type === 'chain.seen')) foundAnew.set(entry, former)
}

function isObservation(event: TransactionEvent): boolean {
  return (
    event.type === 'chain.sent' ||
    event.type === 'chain.measured' ||
    (event.type === 'chain.seen' && event.commitment === 'processed')
  )
}

/**
 * Sends the outcome to other tenants whose balances the transaction changes, and to its countersigners. Mere finality
 * is sent only to countersigners, because it ends their countersignatures.
 */
function sendToOthers(
  unit: UnitOfWork,
  transaction: Transaction,
  following: readonly Consequence[],
  { at, wasUnknown }: { readonly at: string; readonly wasUnknown: boolean },
): void {
  const { id, tenant, value, context } = transaction
  const { signature, slot, proof, fixed } = context
  const countersigners = (context.countersigners ?? []).map((each) => each.tenant)
  const final = value === 'finalized'
  const common = {
    kind: 'outcome',
    transactionId: id,
    messageHash: fixed.messageHash,
    signature: signature ?? '',
    slot,
    final,
    at,
    proof,
    ...(wasUnknown ? { wasUnknown } : {}),
  } as const
  const concerned = new Set([...fixed.entries.map((each) => each.tenant), ...countersigners])
  concerned.delete(tenant)
  for (const to of concerned) {
    const entries = fixed.entries.filter((each) => each.tenant === to)
    for (const consequence of following) unit.sendMessage(to, { ...common, consequence, entries })
    if (final && following.length === 0 && countersigners.includes(to))
      unit.sendMessage(to, { ...common, consequence: 'apply', entries: [] })
  }
}

/** The entry of a transaction; undefined if `id` is not one. */
export function transactionEntry(engine: Engine, id: string): Entry | undefined {
  const entry = engine.directory.byId(id)
  return entry !== undefined && ofKind(entry.head, 'transaction') !== undefined ? entry : undefined
}
