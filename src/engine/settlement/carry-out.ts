// Applies an outcome to the records of a list of entries: balances, and the facts that the outcome implies. A
// transaction applies the entries of its own tenant and sends those of other tenants by message; a countersignature
// applies the entries of its tenant.
// Movements always apply. An outdated fact does not block the movements; a fact that arrives too early makes the
// transaction wait.
import type { Movement, Touch } from '../../../machines/protocol.ts'
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'
import type { Cause } from '../records/balance-change.ts'
import type { Consequence } from '../records/consequences.ts'
import type { Engine } from '../engine.ts'
import type { Entry } from '../records/entry.ts'
import { isNeeded, outlivesClosing } from './needed-wallets.ts'
import { noteMove } from '../records/moves.ts'
import { isReadAt } from '../records/readings.ts'
import { isHolding } from '../records/record.ts'
import type { Rejection, UnitOfWork } from '../records/unit-of-work.ts'

export interface CarriedOutcome {
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
  /**
   * True if readings of the chain could not recognize the transaction, so that one may have counted its movements
   * already: it is of another cell, or it landed with another signature than the one on record, if that had one.
   */
  readonly wasUnknown?: boolean
  /** Tenant of the transaction. Only its own records can make the outcome wait. */
  readonly tenant: string
}

interface FactEvent {
  readonly type: string
}

/** Returns the first rejection; the caller must then discard the unit. */
export function carryOut(
  engine: Engine,
  unit: UnitOfWork,
  entries: readonly BookEntry[],
  outcome: CarriedOutcome,
): Rejection | null {
  const { consequence } = outcome
  const cause = causeOf(outcome)
  for (const { record, movements, charge, facts } of entries) {
    const target = engine.directory.byId(record)
    if (target === undefined) continue
    noteMove(target, outcome.touch.transactionId ?? '')
    let rejection: Rejection | null = null
    switch (consequence) {
      case 'apply':
        rejection = apply(engine, unit, target, { movements, facts, outcome, entries })
        break
      case 'undo':
        rejection = sendAny(unit, target, { type: 'chain.undone', movements } as FactEvent, cause)
        // A chain read since the end of the fork may already have reversed the movement.
        engine.noticed(target)
        for (const { undo } of facts.toReversed()) {
          const event = isOfOthers(target, outcome) ? ofNobody(undo, target) : undo
          rejection ??= sendFact(engine, unit, target, { event, outcome })
        }
        break
      case 'charge':
        engine.noticed(target)
        if (charge.length > 0)
          rejection = sendAny(unit, target, settled(target, outcome, uncounted(engine, target, outcome, charge)), cause)
        rejection ??= sendAbandonments(engine, unit, target, { facts, outcome, entries })
        break
      case 'release':
        // Another transaction may already have created, and paid for, the account that this one was to create.
        engine.noticed(target)
        rejection = sendAny(unit, target, { type: 'chain.released', movements } as FactEvent, cause)
        rejection ??= sendAbandonments(engine, unit, target, { facts, outcome, entries })
        break
      case 'abandon':
        rejection = sendAbandonments(engine, unit, target, { facts, outcome, entries })
        break
    }
    if (rejection !== null) return rejection
  }
  return null
}

interface Applied extends Pick<BookEntry, 'movements' | 'facts'> {
  readonly outcome: CarriedOutcome
  /** All of the transaction, or those of the tenant. */
  readonly entries: readonly BookEntry[]
}

/** An account that is emptied is closed after the movements, by what it then holds. */
function apply(
  engine: Engine,
  unit: UnitOfWork,
  target: Entry,
  { movements, facts, outcome, entries }: Applied,
): Rejection | null {
  const closes = ({ event }: BookEntry['facts'][number]): boolean => isEmptied(target) && event.type === 'chain.closed'
  let rejection: Rejection | null = null
  const send = ({ event }: BookEntry['facts'][number]): void => {
    rejection ??= sendFact(engine, unit, target, { event: landed(target, outcome, event), outcome })
  }
  for (const fact of facts.filter((each) => !closes(each))) send(fact)
  const counted = uncounted(engine, target, outcome, movements)
  rejection ??= sendAny(unit, target, settled(target, outcome, counted), causeOf(outcome))
  const closings = facts.filter(closes)
  if (closings.length > 0 && !outlivesClosing(engine.directory, target.head, entries))
    for (const fact of closings) send(fact)
  return rejection
}

/** True of a record that is closed by a transfer of all its network currency. */
const isEmptied = ({ head }: Entry): boolean => head.kind === 'account' || head.kind === 'nonce'

/**
 * Only what they release if a reading has shown them, so that the record counts them as observed. The next reading
 * confirms that. It also decides where the signature became known after such a reading, or where the reading was of the
 * slot before: on the embedded chain that slot was still open.
 */
function uncounted(
  engine: Engine,
  target: Entry,
  { wasUnknown = false, relation, slot }: CarriedOutcome,
  movements: readonly Movement[],
): readonly Movement[] {
  if (slot === null || !(wasUnknown || relation === 'others') || !isReadAt(target, slot - 1)) return movements
  engine.noticed(target)
  if (!wasUnknown || !isReadAt(target, slot)) return movements
  return movements.map((movement) => ({ ...movement, debited: '0', credited: '0' }))
}

/** The cause that the movement rows record for the outcome. */
function causeOf({ consequence, touch, relation, slot }: CarriedOutcome): Cause {
  const { transactionId } = touch
  return consequence === 'undo'
    ? { kind: 'undone', transactionId, slot: null }
    : { kind: relation ?? 'own', transactionId, slot }
}

/** True for a record of a foreign transaction. Loans are exempt: their ledger is keyed by transaction ids. */
const isOfOthers = ({ head }: Entry, { relation }: CarriedOutcome): boolean => relation !== undefined && isHolding(head)

/** Records do not show the ids of foreign transactions. */
const touchFor = (target: Entry, outcome: CarriedOutcome): Touch =>
  isOfOthers(target, outcome) ? { ...outcome.touch, transactionId: null } : outcome.touch

/** True if only the balances change. */
const hidesTouch = (target: Entry, outcome: CarriedOutcome): boolean =>
  outcome.relation === 'others' && isOfOthers(target, outcome)

function settled(target: Entry, outcome: CarriedOutcome, movements: readonly Movement[]): FactEvent {
  const event = hidesTouch(target, outcome)
    ? { type: 'chain.settled', ofOthers: outcome.touch.signature, movements }
    : { type: 'chain.settled', touch: touchFor(target, outcome), movements }
  return event
}

function landed(target: Entry, outcome: CarriedOutcome, fact: FactEvent): FactEvent {
  const { slot } = outcome
  const event = { ...fact, touch: touchFor(target, outcome), slot }
  return hidesTouch(target, outcome) && !CREATIONS.has(fact.type) ? withoutTouch(event) : event
}

const withoutTouch = ({ touch: _, ...event }: FactEvent & { readonly touch: Touch }): FactEvent => event

/** Creations keep their touch even for foreign transactions: a closed record that did exist is never reopened. */
const CREATIONS: ReadonlySet<string> = new Set(['chain.created', 'chain.initialized'])

/** If the creation of a record shows no transaction id, the undo is sent without an id too, so that it matches. */
function ofNobody(undo: FactEvent, { head }: Entry): FactEvent {
  if (undo.type !== 'chain.uncreated' || !isHolding(head) || head.context.creation?.transactionId !== null) return undo
  return { type: undo.type }
}

/** Events for a state that the record may have left already: the account may be closed or no longer exist. */
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
 * Returns the rejection of a fact, which makes the transaction wait for the settlement that the fact builds on. Returns
 * none where waiting is useless: the record is closed, the state to undo disappeared with its fork, or the record
 * belongs to another tenant, which cannot delay the outcome.
 */
function sendFact(
  engine: Engine,
  unit: UnitOfWork,
  target: Entry,
  { event, outcome }: { readonly event: FactEvent; readonly outcome: CarriedOutcome },
): Rejection | null {
  const { consequence, tenant } = outcome
  const refused = sendAny(unit, target, event, causeOf(outcome))
  if (refused === null) return null
  const passedBy =
    target.head.tenant !== tenant ||
    (consequence === 'apply' && refused.rejection.code === 'CLOSED') ||
    (consequence === 'undo' && SWITCHES.has(event.type)) ||
    // It outlived its closing.
    (isEmptied(target) && event.type === 'chain.reopened' && refused.rejection.code === 'NOT_CLOSED')
  if (!passedBy) return refused
  engine.noticed(target)
  return null
}

function sendAbandonments(
  engine: Engine,
  unit: UnitOfWork,
  target: Entry,
  { facts, outcome, entries }: Omit<Applied, 'movements'>,
): Rejection | null {
  for (const { abandon } of facts) {
    if (abandon === undefined) continue
    const event = isNeeded(engine.directory, target.head, entries) ? { ...abandon, needed: true } : abandon
    const rejection = sendFact(engine, unit, target, { event, outcome })
    if (rejection !== null) return rejection
  }
  return null
}

/** Facts are stored as data: their kind is known only at run time, and the machine checks them. */
function sendAny(unit: UnitOfWork, target: Entry, event: FactEvent, cause: Cause): Rejection | null {
  return unit.trySend(target, event as never, cause)
}
