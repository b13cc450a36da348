// Folds what the chain says about a transaction into its record and into the books of everything it touched, as one unit of work.
// Movements always count. A fact that finds a record which has moved on already does not hold up the money.
import type { EventOf } from '../../machines/kinds.ts'
import { consequences, type Consequence } from './consequences.ts'
import type { Engine } from './engine.ts'
import type { Entry } from './entry.ts'
import { ofKind, type RecordState } from './record.ts'
import { CommandRejected, type UnitOfWork } from './unit-of-work.ts'

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
  for (const consequence of consequences(previous, next)) carryOut(engine, unit, next, consequence, at)
  return next
}

function isObservation(event: TransactionEvent): boolean {
  return event.type === 'chain.sent' || event.type === 'chain.measured' || (event.type === 'chain.seen' && event.commitment === 'processed')
}

function carryOut(engine: Engine, unit: UnitOfWork, transaction: Transaction, consequence: Consequence, at: string): void {
  const touch = { transactionId: transaction.id, signature: transaction.context.signature ?? '', at }
  for (const { record, movements, charge, facts } of transaction.context.fixed.entries) {
    const target = engine.directory.byId(record)
    if (target === undefined) continue
    const move = (event: { readonly type: string }): void => tellAny(unit, target, event)
    const learn = (event: { readonly type: string }): void => tellFact(engine, unit, target, event, consequence, transaction.tenant)
    switch (consequence) {
      case 'apply':
        for (const fact of facts) learn({ ...fact.event, touch, slot: transaction.context.slot } as { readonly type: string })
        move({ type: 'chain.settled', touch, movements } as { readonly type: string })
        break
      case 'undo':
        move({ type: 'chain.undone', movements } as { readonly type: string })
        for (const fact of facts.toReversed()) learn(fact.undo)
        break
      case 'charge':
        if (charge.length > 0) move({ type: 'chain.settled', touch, movements: charge } as { readonly type: string })
        abandonments(facts).forEach(learn)
        break
      case 'release':
        move({ type: 'chain.released', movements } as { readonly type: string })
        abandonments(facts).forEach(learn)
        break
      case 'abandon':
        abandonments(facts).forEach(learn)
        break
    }
  }
}

/** What a record may have passed by already: it says how an account stands that may be gone, or not be there, by now. */
const SWITCHES: ReadonlySet<string> = new Set([
  'chain.frozen',
  'chain.thawed',
  'chain.paused',
  'chain.resumed',
  'chain.unextended',
  'chain.reactivated',
])

/**
 * Refused facts make the transaction wait for what it builds on, unless that can never come: the record is closed for good, what is to
 * be undone is gone with its fork, or the record is another tenant's note of the same address, which decides nothing here.
 */
function tellFact(
  engine: Engine,
  unit: UnitOfWork,
  target: Entry,
  event: { readonly type: string },
  consequence: Consequence,
  tenant: string,
): void {
  try {
    tellAny(unit, target, event)
  } catch (error) {
    if (!(error instanceof CommandRejected)) throw error
    const passedBy =
      target.head.tenant !== tenant ||
      (consequence === 'apply' && error.rejection.code === 'CLOSED') ||
      (consequence === 'undo' && SWITCHES.has(event.type))
    if (!passedBy) throw error
    engine.noticed(target)
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
