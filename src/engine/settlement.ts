// Folds what the chain says about a transaction into its record and into the books of everything it touched, as one unit of work.
import type { EventOf } from '../../machines/kinds.ts'
import { consequences, type Consequence } from './consequences.ts'
import type { Engine } from './engine.ts'
import type { Entry } from './entry.ts'
import { ofKind, type RecordState } from './record.ts'
import type { UnitOfWork } from './unit-of-work.ts'

type Transaction = RecordState<'transaction'>
export type TransactionEvent = EventOf<'transaction'>

/**
 * Tells a transaction something, with all its consequences. Returns when that is durable; a state that only observes (submitted,
 * processed) is not written by itself.
 *
 * Throws `CommandRejected` (before anything changed) when the transaction's machine says no.
 */
export async function settle(engine: Engine, entry: Entry, event: TransactionEvent, at: string): Promise<void> {
  if (isObservation(event)) {
    engine.observe((unit) => unit.tell<'transaction'>(entry, event))
    return
  }
  const { durable } = engine.transact((unit) => tellWithConsequences(engine, unit, entry, event, at))
  await durable
}

/** The same inside a unit of work of the caller's. */
export function tellWithConsequences(engine: Engine, unit: UnitOfWork, entry: Entry, event: TransactionEvent, at: string): Transaction {
  const previous = entry.head as Transaction
  const next = unit.tell<'transaction'>(entry, event)
  for (const consequence of consequences(previous, next)) carryOut(engine, unit, next, consequence, at)
  return next
}

function isObservation(event: TransactionEvent): boolean {
  return event.type === 'chain.sent' || (event.type === 'chain.seen' && event.commitment === 'processed')
}

function carryOut(engine: Engine, unit: UnitOfWork, transaction: Transaction, consequence: Consequence, at: string): void {
  const touch = { transactionId: transaction.id, signature: transaction.context.signature ?? '', at }
  for (const { record, movements, charge, facts } of transaction.context.fixed.entries) {
    const target = engine.directory.byId(record)
    if (target === undefined) continue
    const events: { readonly type: string }[] = []
    switch (consequence) {
      case 'apply':
        events.push(...facts.map((fact) => ({ ...fact.event, touch })), { type: 'chain.settled', touch, movements } as { type: string })
        break
      case 'undo':
        events.push({ type: 'chain.undone', movements } as { type: string }, ...facts.map((fact) => fact.undo).reverse())
        break
      case 'charge':
        if (charge.length > 0) events.push({ type: 'chain.settled', touch, movements: charge } as { type: string })
        events.push(...abandonments(facts))
        break
      case 'release':
        events.push({ type: 'chain.released', movements } as { type: string }, ...abandonments(facts))
        break
      case 'abandon':
        events.push(...abandonments(facts))
        break
    }
    for (const event of events) tellAny(unit, target, event)
  }
}

function abandonments(facts: Transaction['context']['fixed']['entries'][number]['facts']): { readonly type: string }[] {
  return facts.flatMap((fact) => (fact.abandon === undefined ? [] : [fact.abandon]))
}

/** Facts are stored with the transaction as data: their kind is known only at run time, and the machine judges them. */
function tellAny(unit: UnitOfWork, target: Entry, event: { readonly type: string }): void {
  unit.tell(target, event as never)
}

/** The transaction behind an id, as its actor has it now. */
export function transactionEntry(engine: Engine, id: string): Entry | undefined {
  const entry = engine.directory.byId(id)
  return entry !== undefined && ofKind(entry.head, 'transaction') !== undefined ? entry : undefined
}
