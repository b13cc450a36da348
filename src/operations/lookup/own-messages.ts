// The open messages that can change a record. Any tenant can record a message that names any account, and keep it open
// for any length of time. Such a message needs a signature of the record's tenant to change what the tenant decides
// about, and then the tenant has a record of its own: the transaction, or its countersignature.
import { underWayKey } from '../../engine/index/index-keys.ts'
import type { Engine } from '../../engine/engine.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { reserves } from '../../engine/records/consequences.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { BookEntry, RecordEvent } from '../../../machines/transactions/transaction-record.ts'
import { awaitsOtherOwner } from './awaited-owners.ts'

/** A record and its tenant. */
type Subject = Pick<RecordState, 'id' | 'tenant'>

/** The open messages of the record's tenant, or with its signature, that concern the record. */
export function ownMessages(
  directory: RecordIndex,
  { id, tenant }: Subject,
  keyOf: (record: string) => string = underWayKey,
): readonly Entry[] {
  return directory.find(keyOf(id)).filter(({ head }) => head.tenant === tenant)
}

/** Those that need no further decision of another organization to change the record. Throws `NotAtHand`. */
export function decidedMessages(engine: Engine, subject: Subject): readonly Entry[] {
  return ownMessages(engine.directory, subject).filter(({ head }) => !awaitsOtherOwner(engine, head))
}

/** Those that change more than the balances of the record. */
export function ownChanges(directory: RecordIndex, subject: Subject): readonly Entry[] {
  return ownMessages(directory, subject).filter(({ head }) => eventsFor(head, subject).length > 0)
}

/** Of the decided messages those that change more than the balances of the record. Throws `NotAtHand`. */
export function decidedChanges(engine: Engine, subject: Subject): readonly Entry[] {
  return decidedMessages(engine, subject).filter(({ head }) => eventsFor(head, subject).length > 0)
}

/** The facts that the record receives if all decided messages land, in no defined order. Throws `NotAtHand`. */
export function eventsUnderWay(engine: Engine, subject: Subject): readonly RecordEvent[] {
  return decidedMessages(engine, subject).flatMap(({ head }) => eventsFor(head, subject))
}

/** True from the first signature for the message until its end. */
export function isUnderWay(message: RecordState): boolean {
  const transaction = ofKind(message, 'transaction')
  return transaction === undefined ? message.value === 'given' : reserves(transaction)
}

function eventsFor(message: RecordState, { id }: Subject): readonly RecordEvent[] {
  const entries = entriesOf(message).filter(({ record }) => record === id)
  return entries.flatMap(({ facts }) => facts.map(({ event }) => event))
}

function entriesOf(message: RecordState): readonly BookEntry[] {
  const transaction = ofKind(message, 'transaction')
  return transaction?.context.fixed.entries ?? ofKind(message, 'countersignature')?.context.entries ?? []
}
