// Applies an outcome to the records of a list of entries: balances, and the facts that hold with the outcome. A
// transaction applies the entries of its own tenant and, by message, those of others; a countersignature applies the
// entries of its tenant.
// Movements always apply. A fact that its record has passed already does not hold up the movements; a fact that comes
// too early makes the transaction wait.
import type { Movement, Touch } from '../../../machines/protocol.ts'
import type { Entry as BookEntry } from '../../../machines/transaction-record.ts'
import type { Cause } from '../records/balance-change.ts'
import type { Consequence } from '../records/consequences.ts'
import type { Engine } from '../engine.ts'
import type { Entry } from '../records/entry.ts'
import { noteMove } from '../records/moves.ts'
import { isHolding } from '../records/record.ts'
import { CommandRejected, type UnitOfWork } from '../records/unit-of-work.ts'

export interface Outcome {
  readonly consequence: Consequence
  readonly touch: Touch
  /**
   * Relation of the records' tenant to the transaction; absent: its own transaction. `countersigned`: a foreign
   * transaction signed by its keys, known to it by signature. `others`: a foreign transaction; its records show only
   * the balances.
   */
  readonly relation?: 'countersigned' | 'others'
  /** Slot of the landing; null: the transaction did not land. */
  readonly slot: number | null
  /** Tenant of the transaction. Only its own records can make the outcome wait. */
  readonly tenant: string
}

/** Throws `CommandRejected` when a record rejects its event. */
export function carryOut(engine: Engine, unit: UnitOfWork, entries: readonly BookEntry[], outcome: Outcome): void {
  const { consequence } = outcome
  const cause = causeOf(outcome)
  for (const { record, movements, charge, facts } of entries) {
    const target = engine.directory.byId(record)
    if (target === undefined) continue
    noteMove(target, outcome.touch.transactionId ?? '')
    const move = (event: { readonly type: string }): void => sendAny(unit, target, event, cause)
    const learn = (event: { readonly type: string }): void => sendFact(engine, unit, target, { event, outcome })
    const { isOfOthers, settled, landed } = newsFor(target, outcome)
    switch (consequence) {
      case 'apply':
        for (const fact of facts) learn(landed(fact.event))
        move(settled(movements))
        break
      case 'undo':
        move({ type: 'chain.undone', movements } as { readonly type: string })
        // A chain read between the end of the fork and now may have counted the movement back already.
        engine.noticed(target)
        for (const fact of facts.toReversed()) learn(isOfOthers ? ofNobody(fact.undo, target) : fact.undo)
        break
      case 'charge':
        engine.noticed(target)
        if (charge.length > 0) move(settled(charge))
        abandonments(facts).forEach(learn)
        break
      case 'release':
        // Another transaction may have created and paid for what this one was to create.
        engine.noticed(target)
        move({ type: 'chain.released', movements } as { readonly type: string })
        abandonments(facts).forEach(learn)
        break
      case 'abandon':
        abandonments(facts).forEach(learn)
        break
    }
  }
}

/** What the movement rows say of the outcome. */
function causeOf({ consequence, touch, relation, slot }: Outcome): Cause {
  const { transactionId } = touch
  return consequence === 'undo'
    ? { kind: 'undone', transactionId, slot: null }
    : { kind: relation ?? 'own', transactionId, slot }
}

interface News {
  readonly isOfOthers: boolean
  readonly settled: (movements: readonly Movement[]) => { readonly type: string }
  readonly landed: (fact: { readonly type: string }) => { readonly type: string }
}

/**
 * Builds the events for a record whose transaction landed. Records do not show the ids of foreign transactions, except
 * loans, whose ledger is keyed by them.
 */
function newsFor({ head }: Entry, { touch, slot, relation }: Outcome): News {
  const isOfOthers = relation !== undefined && isHolding(head)
  const own = isOfOthers ? { ...touch, transactionId: null } : touch
  const hides = isOfOthers && relation === 'others'
  const by = hides ? { ofOthers: touch.signature } : { touch: own }
  const settled = (movements: readonly Movement[]) => ({ type: 'chain.settled', ...by, movements })
  const landed = (fact: { readonly type: string }) => ({
    ...fact,
    ...(hides && !CREATIONS.has(fact.type) ? {} : { touch: own }),
    slot,
  })
  return { isOfOthers, settled, landed }
}

/** Creations keep their touch even for foreign transactions: a closed record that did exist is never reopened. */
const CREATIONS: ReadonlySet<string> = new Set(['chain.created', 'chain.initialized'])

/** A record whose creation shows no transaction id gets the undo without an id, which would not match. */
function ofNobody(undo: { readonly type: string }, { head }: Entry): { readonly type: string } {
  if (undo.type !== 'chain.uncreated' || !isHolding(head) || head.context.creation?.transactionId !== null) return undo
  return { type: undo.type }
}

/** Events that change a state the record may have left already: the account may be closed, or not exist any more. */
const SWITCHES: ReadonlySet<string> = new Set([
  'chain.frozen',
  'chain.thawed',
  'chain.paused',
  'chain.resumed',
  'chain.configured',
  'chain.unextended',
  'chain.reactivated',
  'chain.unpublished',
  'chain.handedOver',
])

/**
 * A rejected fact makes the transaction wait for the settlement it builds on. Exceptions, where waiting is useless: the
 * record is closed, the state to undo went away with its fork, or the record belongs to another tenant, which decides
 * nothing here.
 */
function sendFact(
  engine: Engine,
  unit: UnitOfWork,
  target: Entry,
  { event, outcome }: { readonly event: { readonly type: string }; readonly outcome: Outcome },
): void {
  const { consequence, tenant } = outcome
  try {
    sendAny(unit, target, event, causeOf(outcome))
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

function abandonments(facts: BookEntry['facts']): { readonly type: string }[] {
  return facts.flatMap((fact) => (fact.abandon === undefined ? [] : [fact.abandon]))
}

/** Facts are stored as data: their kind is known only at run time, and the machine checks them. */
function sendAny(unit: UnitOfWork, target: Entry, event: { readonly type: string }, cause: Cause): void {
  unit.send(target, event as never, cause)
}
