// Applies a tenant message to the recipient's records, in a unit of work of the recipient.
import type { EventOf, InputOf, Kind } from '../../../machines/kinds.ts'
import { carryOut } from './carry-out.ts'
import { countersignatureFor, hear } from './countersigned.ts'
import type { Engine } from '../engine.ts'
import type { Entry } from '../records/entry.ts'
import type { Rejection, UnitOfWork } from '../records/unit-of-work.ts'
import type { MessageItem, OutcomeItem, NumberedMessage } from '../outbox/message.ts'

export class UnknownMessageItem extends Error {
  override readonly name = 'UnknownMessageItem'

  constructor(item: never) {
    super(`this release does not know notices of kind ${JSON.stringify((item as Partial<MessageItem>).kind)}`)
  }
}

/** Returns the first rejection; null: the whole message was applied. Throws `UnknownMessageItem`. */
export function takeMessage(
  engine: Engine,
  unit: UnitOfWork,
  { to, sender, notices: items }: NumberedMessage,
): Rejection | null {
  for (const item of items) {
    const rejection = takeNotice(engine, unit, to, { sender, item })
    if (rejection !== null) return rejection
  }
  return null
}

function takeNotice(
  engine: Engine,
  unit: UnitOfWork,
  to: string,
  { sender, item }: { readonly sender: string; readonly item: MessageItem },
): Rejection | null {
  switch (item.kind) {
    case 'outcome':
      return takeOutcome(engine, unit, to, { sender, item })
    case 'listed':
      engine.listings.take(item.listed)
      return null
    case 'event':
      unit.event(item.told)
      return null
    case 'deed':
      unit.audit(item.deed)
      return null
    case 'remembered': {
      const { cluster, scope, row } = item
      if (engine.store.idempotency(to, cluster, scope) === undefined)
        unit.also(to, { type: 'idempotency', tenant: to, cluster, scope, row })
      return null
    }
    case 'order': {
      const entry = engine.directory.byId(item.record)
      if (entry === undefined) return null
      if (entry.head.kind !== 'suspension') return unit.trySend(entry, item.event as never)
      turnSwitch(unit, entry, item.event as EventOf<'suspension'>)
      return null
    }
    case 'new':
      takeNew(engine, unit, to, item)
      return null
    default:
      // A newer release sent it. The message waits, and later messages of its sender wait behind it.
      throw new UnknownMessageItem(item)
  }
}

/** The record of a lane already exists if another cell has suspended the lane meanwhile. */
function takeNew(engine: Engine, unit: UnitOfWork, to: string, item: MessageItem & { readonly kind: 'new' }): void {
  const { of, cluster, id } = item
  const known = of === 'suspension' ? engine.directory.resident(id) : undefined
  if (known === undefined) {
    unit.create(of, { tenant: to, cluster, id }, item.input as InputOf<Kind>)
    return
  }
  const { by, at } = (item.input as InputOf<'suspension'>).suspension
  turnSwitch(unit, known, { type: 'command.suspend', by, at })
}

/** Ignores a rejection: two cells may change a switch at the same time, and then it is already in the new state. */
function turnSwitch(unit: UnitOfWork, entry: Entry, event: EventOf<'suspension'>): void {
  unit.trySend<'suspension'>(entry, event)
}

/** A countersigner applies its own entries; any other recipient applies the entries in the notice. */
function takeOutcome(
  engine: Engine,
  unit: UnitOfWork,
  to: string,
  { sender, item }: { readonly sender: string; readonly item: OutcomeItem },
): Rejection | null {
  const { transactionId, messageHash, consequence, entries, signature, slot, final, at, proof } = item
  const countersignature = countersignatureFor(engine, transactionId, messageHash, to)
  if (countersignature !== undefined)
    return hear(engine, unit, countersignature, { news: consequence, heard: { signature, slot: slot ?? 0, final, at, proof } })
  return carryOut(engine, unit, entries, {
    consequence,
    touch: { transactionId, signature, at },
    relation: 'others',
    slot,
    tenant: sender,
  })
}
