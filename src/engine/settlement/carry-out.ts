// What an outcome does to the records of a list of entries: their books, and the facts that hold with it. A transaction carries out the
// entries of its own tenant and the notes of others; a countersignature those of the tenant that gave it.
// Movements always count. A fact that finds a record which has moved on already does not hold up the money.
import type { Movement, Touch } from '../../../machines/protocol.ts'
import type { Entry as BookEntry } from '../../../machines/transaction-record.ts'
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
   * Whose transaction it is to the tenant of the records; absent: its own. `countersigned`: another's that its keys signed, which it knows
   * by the signature. `others`: another's, of which its records show nothing but the balances.
   */
  readonly relation?: 'countersigned' | 'others'
  /** Where it landed; null: it did not. */
  readonly slot: number | null
  /** Tenant of the transaction: only its own records can make the outcome wait. */
  readonly tenant: string
}

/** Throws `CommandRejected` when a record says no. */
export function carryOut(engine: Engine, unit: UnitOfWork, entries: readonly BookEntry[], outcome: Outcome): void {
  const { consequence } = outcome
  for (const { record, movements, charge, facts } of entries) {
    const target = engine.directory.byId(record)
    if (target === undefined) continue
    noteMove(target, outcome.touch.transactionId ?? '')
    const move = (event: { readonly type: string }): void => tellAny(unit, target, event)
    const learn = (event: { readonly type: string }): void => tellFact(engine, unit, target, event, outcome)
    const { isOfOthers, settled, landed } = newsFor(target, outcome)
    switch (consequence) {
      case 'apply':
        for (const fact of facts) learn(landed(fact.event))
        move(settled(movements))
        break
      case 'undo':
        move({ type: 'chain.undone', movements } as { readonly type: string })
        // Whoever read the chain between the fork's death and this has counted it back in already.
        engine.noticed(target)
        for (const fact of facts.toReversed()) learn(isOfOthers ? ofNobody(fact.undo, target) : fact.undo)
        break
      case 'charge':
        engine.noticed(target)
        if (charge.length > 0) move(settled(charge))
        abandonments(facts).forEach(learn)
        break
      case 'release':
        // What it was to create and pay for another transaction may have created and paid for.
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

interface News {
  readonly isOfOthers: boolean
  readonly settled: (movements: readonly Movement[]) => { readonly type: string }
  readonly landed: (fact: { readonly type: string }) => { readonly type: string }
}

/** The events of a record whose transaction has landed. Of another tenant's transaction no record shows the id (loans keep books by it). */
function newsFor({ head }: Entry, { touch, slot, relation }: Outcome): News {
  const isOfOthers = relation !== undefined && isHolding(head)
  const own = isOfOthers ? { ...touch, transactionId: null } : touch
  const hides = isOfOthers && relation === 'others'
  const by = hides ? { ofOthers: touch.signature } : { touch: own }
  const settled = (movements: readonly Movement[]) => ({ type: 'chain.settled', ...by, movements })
  const landed = (fact: { readonly type: string }) => ({ ...fact, ...(hides && !CREATIONS.has(fact.type) ? {} : { touch: own }), slot })
  return { isOfOthers, settled, landed }
}

/** A creation is kept whoever made it: a closed record that did exist is never brought back. */
const CREATIONS: ReadonlySet<string> = new Set(['chain.created', 'chain.initialized'])

/** A record keeps no id of another tenant's transaction, by which the transaction that created it would be known again. */
function ofNobody(undo: { readonly type: string }, { head }: Entry): { readonly type: string } {
  if (undo.type !== 'chain.uncreated' || !isHolding(head) || head.context.creation?.transactionId !== null) return undo
  return { type: undo.type }
}

/** What a record may have passed by already: it says how an account stands that may be gone, or not be there, by now. */
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
 * Refused facts make the transaction wait for what it builds on, unless that can never come: the record is closed for good, what is to
 * be undone is gone with its fork, or the record is another tenant's note of the same address, which decides nothing here.
 */
function tellFact(
  engine: Engine,
  unit: UnitOfWork,
  target: Entry,
  event: { readonly type: string },
  { consequence, tenant }: Outcome,
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

function abandonments(facts: BookEntry['facts']): { readonly type: string }[] {
  return facts.flatMap((fact) => (fact.abandon === undefined ? [] : [fact.abandon]))
}

/** Facts are stored with the transaction as data: their kind is known only at run time, and the machine judges them. */
function tellAny(unit: UnitOfWork, target: Entry, event: { readonly type: string }): void {
  unit.tell(target, event as never)
}
