// Applies a tenant message to the recipient's records, in a unit of work of the recipient.
import type { EventOf, InputOf, Kind } from '../../../machines/kinds.ts'
import { carryOut } from './carry-out.ts'
import { countersignatureFor, applyOutcome } from './countersigned.ts'
import type { Engine } from '../engine.ts'
import type { Entry } from '../records/entry.ts'
import { CommandRejected, UnitOfWork, type Rejection } from '../records/unit-of-work.ts'
import type { MessageItem, OutcomeItem, NumberedMessage } from '../outbox/message.ts'

class UnknownMessageItem extends Error {
  override readonly name = 'UnknownMessageItem'

  constructor(item: never) {
    super(`this release does not know notices of kind ${JSON.stringify((item as Partial<MessageItem>).kind)}`)
  }
}

/**
 * The unit of work of its recipient that applies a message, with the inbox cursor that marks it as taken. If a record
 * rejects the content, the cursor alone moves: the record does not change back, so a retry cannot succeed. Throws if
 * the message cannot be applied now.
 */
export function unitOfMessage(
  engine: Engine,
  message: NumberedMessage,
  onRejected: (error: CommandRejected) => void,
): UnitOfWork {
  const { to, sender, sequence } = message
  let unit = new UnitOfWork(engine, to)
  let refused: Rejection | null
  try {
    refused = takeMessage(engine, unit, message)
  } catch (error) {
    unit.rollBack()
    throw error
  }
  if (refused !== null) {
    unit.rollBack()
    onRejected(new CommandRejected(refused.rejection, refused.record))
    unit = new UnitOfWork(engine, to)
  }
  unit.also(to, { type: 'inbox', tenant: to, sender, sequence })
  return unit
}

/**
 * Applies the items of a message. Stops at the first rejection and returns it; null: all items were applied. Throws
 * `UnknownMessageItem`.
 */
function takeMessage(
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
  const { transactionId, messageHash, consequence, entries, signature, slot, final, at, proof, wasUnknown } = item
  const countersignature = countersignatureFor(engine, transactionId, messageHash, to)
  if (countersignature !== undefined)
    return applyOutcome(engine, unit, countersignature, {
      consequence,
      outcome: { signature, slot: slot ?? 0, final, at, proof, ...(wasUnknown === true ? { wasUnknown } : {}) },
    })
  return carryOut(engine, unit, entries, {
    consequence,
    touch: { transactionId, signature, at },
    relation: 'others',
    wasUnknown: wasUnknown === true || !engine.owns(sender),
    slot,
    tenant: sender,
  })
}
