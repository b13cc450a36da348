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

interface FactEvent {
  readonly type: string
}

/** Throws `CommandRejected` when a record rejects its event. */
export function carryOut(engine: Engine, unit: UnitOfWork, entries: readonly BookEntry[], outcome: Outcome): void {
  const { consequence } = outcome
  const cause = causeOf(outcome)
  for (const { record, movements, charge, facts } of entries) {
    const target = engine.directory.byId(record)
    if (target === undefined) continue
    noteMove(target, outcome.touch.transactionId ?? '')
    switch (consequence) {
      case 'apply':
        for (const fact of facts)
          sendFact(engine, unit, target, { event: landed(target, outcome, fact.event), outcome })
        sendAny(unit, target, settled(target, outcome, movements), cause)
        break
      case 'undo':
        sendAny(unit, target, { type: 'chain.undone', movements } as FactEvent, cause)
        // A chain read between the end of the fork and now may have counted the movement back already.
        engine.noticed(target)
        for (const { undo } of facts.toReversed()) {
          const event = isOfOthers(target, outcome) ? ofNobody(undo, target) : undo
          sendFact(engine, unit, target, { event, outcome })
        }
        break
      case 'charge':
        engine.noticed(target)
        if (charge.length > 0) sendAny(unit, target, settled(target, outcome, charge), cause)
        for (const event of abandonments(facts)) sendFact(engine, unit, target, { event, outcome })
        break
      case 'release':
        // Another transaction may have created and paid for what this one was to create.
        engine.noticed(target)
        sendAny(unit, target, { type: 'chain.released', movements } as FactEvent, cause)
        for (const event of abandonments(facts)) sendFact(engine, unit, target, { event, outcome })
        break
      case 'abandon':
        for (const event of abandonments(facts)) sendFact(engine, unit, target, { event, outcome })
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

/** A record of a foreign transaction. Of loans it does not matter: their ledger is keyed by the ids of transactions. */
const isOfOthers = ({ head }: Entry, { relation }: Outcome): boolean => relation !== undefined && isHolding(head)

/** Records do not show the ids of foreign transactions. */
const touchFor = (target: Entry, outcome: Outcome): Touch =>
  isOfOthers(target, outcome) ? { ...outcome.touch, transactionId: null } : outcome.touch

/** Only the balances change. */
const hidesTouch = (target: Entry, outcome: Outcome): boolean =>
  outcome.relation === 'others' && isOfOthers(target, outcome)

function settled(target: Entry, outcome: Outcome, movements: readonly Movement[]): FactEvent {
  const event = hidesTouch(target, outcome)
    ? { type: 'chain.settled', ofOthers: outcome.touch.signature, movements }
    : { type: 'chain.settled', touch: touchFor(target, outcome), movements }
  return event
}

function landed(target: Entry, outcome: Outcome, fact: FactEvent): FactEvent {
  const { slot } = outcome
  const event = { ...fact, touch: touchFor(target, outcome), slot }
  return hidesTouch(target, outcome) && !CREATIONS.has(fact.type) ? withoutTouch(event) : event
}

const withoutTouch = ({ touch: _, ...event }: FactEvent & { readonly touch: Touch }): FactEvent => event

/** Creations keep their touch even for foreign transactions: a closed record that did exist is never reopened. */
const CREATIONS: ReadonlySet<string> = new Set(['chain.created', 'chain.initialized'])

/** A record whose creation shows no transaction id gets the undo without an id, which would not match. */
function ofNobody(undo: FactEvent, { head }: Entry): FactEvent {
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
  { event, outcome }: { readonly event: FactEvent; readonly outcome: Outcome },
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

function abandonments(facts: BookEntry['facts']): FactEvent[] {
  return facts.flatMap((fact) => (fact.abandon === undefined ? [] : [fact.abandon]))
}

/** Facts are stored as data: their kind is known only at run time, and the machine checks them. */
function sendAny(unit: UnitOfWork, target: Entry, event: FactEvent, cause: Cause): void {
  unit.send(target, event as never, cause)
}
