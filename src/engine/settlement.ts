// Folds what the chain says about a transaction into its record and into the books of everything it touched, as one unit of work.
import type { EventOf } from '../../machines/kinds.ts'
import { carryOut } from './carry-out.ts'
import { consequences, type Consequence } from './consequences.ts'
import { countersignaturesOf, hear } from './countersigned.ts'
import type { Engine } from './engine.ts'
import type { Entry } from './entry.ts'
import { ofKind, type RecordState } from './record.ts'
import type { UnitOfWork } from './unit-of-work.ts'

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
  const countersignatures = countersignaturesOf(engine, next)
  const following = consequences(previous, next)
  for (const consequence of following) conclude(engine, unit, next, countersignatures, consequence, at)
  if (next.value === 'finalized' && following.length === 0) {
    const { signature, slot } = next.context
    for (const each of countersignatures) hear(engine, unit, each, 'apply', { signature: signature ?? '', slot: slot ?? 0, final: true, at })
  }
  return next
}

function isObservation(event: TransactionEvent): boolean {
  return event.type === 'chain.sent' || event.type === 'chain.measured' || (event.type === 'chain.seen' && event.commitment === 'processed')
}

/** What it means for the tenants that countersigned it is carried out by their own countersignatures. */
function conclude(
  engine: Engine,
  unit: UnitOfWork,
  transaction: Transaction,
  countersignatures: readonly Entry[],
  consequence: Consequence,
  at: string,
): void {
  const { signature, slot, fixed, proof } = transaction.context
  const touch = { transactionId: transaction.id, signature: signature ?? '', at }
  const owners = countersignatures.map(({ head }) => head.tenant)
  const entries = owners.length === 0 ? fixed.entries : fixed.entries.filter(({ tenant }) => !owners.includes(tenant))
  carryOut(engine, unit, entries, { consequence, touch, slot, tenant: transaction.tenant })
  const heard = { signature: touch.signature, slot: slot ?? 0, final: transaction.value === 'finalized', at, proof }
  for (const each of countersignatures) hear(engine, unit, each, consequence, heard)
}

/** The transaction behind an id, as its actor has it now. */
export function transactionEntry(engine: Engine, id: string): Entry | undefined {
  const entry = engine.directory.byId(id)
  return entry !== undefined && ofKind(entry.head, 'transaction') !== undefined ? entry : undefined
}
