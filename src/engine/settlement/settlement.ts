// Folds what the chain says about a transaction into its record and into the books of everything it touched, as one unit of work.
import type { EventOf } from '../../../machines/kinds.ts'
import { carryOut } from './carry-out.ts'
import { consequences, type Consequence } from '../records/consequences.ts'
import type { Engine } from '../engine.ts'
import type { Entry } from '../records/entry.ts'
import { ofKind, type RecordState } from '../records/record.ts'
import type { UnitOfWork } from '../records/unit-of-work.ts'

type Transaction = RecordState<'transaction'>
export type TransactionEvent = EventOf<'transaction'>

/**
 * Tells a transaction something, with all its consequences. Resolves when that is durable; a state that only observes (submitted,
 * processed) is not written by itself.
 *
 * Throws `CommandRejected` in the same tick, before anything changed, when the transaction's machine or that of a record it touches
 * says no: not an async function, for a caller that keeps the order of facts cannot wait to hear of it.
 */
export function settle(engine: Engine, entry: Entry, event: TransactionEvent, at: string): Promise<void> {
  if (isObservation(event)) {
    engine.observe((unit) => unit.tell<'transaction'>(entry, event))
    return Promise.resolve()
  }
  return engine.transact((unit) => tellWithConsequences(engine, unit, entry, event, at)).durable
}

/** The same inside a unit of work of the caller's. */
export function tellWithConsequences(engine: Engine, unit: UnitOfWork, entry: Entry, event: TransactionEvent, at: string): Transaction {
  const previous = entry.head as Transaction
  const next = unit.tell<'transaction'>(entry, event)
  const { signature, slot, fixed } = next.context
  const following = consequences(previous, next)
  const own = fixed.entries.filter(({ tenant }) => tenant === next.tenant)
  const touch = { transactionId: next.id, signature: signature ?? '', at }
  for (const consequence of following) carryOut(engine, unit, own, { consequence, touch, slot, tenant: next.tenant })
  tellOthers(unit, next, following, at)
  return next
}

function isObservation(event: TransactionEvent): boolean {
  return event.type === 'chain.sent' || event.type === 'chain.measured' || (event.type === 'chain.seen' && event.commitment === 'processed')
}

/**
 * Other tenants whose records it moves something of, and those that countersigned it, hear of the outcome. That it is final is told only to
 * those that countersigned, whose own record of it ends with that.
 */
function tellOthers(unit: UnitOfWork, transaction: Transaction, following: readonly Consequence[], at: string): void {
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
  } as const
  const concerned = new Set([...fixed.entries.map((each) => each.tenant), ...countersigners])
  concerned.delete(tenant)
  for (const to of concerned) {
    const entries = fixed.entries.filter((each) => each.tenant === to)
    for (const consequence of following) unit.send(to, { ...common, consequence, entries })
    if (final && following.length === 0 && countersigners.includes(to)) unit.send(to, { ...common, consequence: 'apply', entries: [] })
  }
}

/** The transaction behind an id, as its actor has it now. */
export function transactionEntry(engine: Engine, id: string): Entry | undefined {
  const entry = engine.directory.byId(id)
  return entry !== undefined && ofKind(entry.head, 'transaction') !== undefined ? entry : undefined
}
