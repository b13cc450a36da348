// Applies a tenant message to the recipient's records, in a unit of work of the recipient.
import type { EventOf, InputOf, Kind } from '../../../machines/kinds.ts'
import { carryOut } from './carry-out.ts'
import { countersignatureFor, hear } from './countersigned.ts'
import type { Engine } from '../engine.ts'
import type { Entry } from '../records/entry.ts'
import { CommandRejected, type UnitOfWork } from '../records/unit-of-work.ts'
import type { MessageItem, OutcomeItem, NumberedMessage } from '../outbox/message.ts'

export class UnknownMessageItem extends Error {
  override readonly name = 'UnknownMessageItem'

  constructor(item: never) {
    super(`this release does not know notices of kind ${JSON.stringify((item as Partial<MessageItem>).kind)}`)
  }
}

/** Throws `CommandRejected` when a record rejects its event, and `UnknownMessageItem`. */
export function takeMessage(engine: Engine, unit: UnitOfWork, { to, sender, notices: items }: NumberedMessage): void {
  for (const item of items) takeNotice(engine, unit, to, { sender, item })
}

function takeNotice(
  engine: Engine,
  unit: UnitOfWork,
  to: string,
  { sender, item }: { readonly sender: string; readonly item: MessageItem },
): void {
  switch (item.kind) {
    case 'outcome':
      takeOutcome(engine, unit, to, { sender, item })
      break
    case 'listed':
      engine.listings.take(item.listed)
      break
    case 'event':
      unit.event(item.told)
      break
    case 'deed':
      unit.audit(item.deed)
      break
    case 'remembered': {
      const { cluster, scope, row } = item
      if (engine.store.idempotency(to, cluster, scope) === undefined)
        unit.also(to, { type: 'idempotency', tenant: to, cluster, scope, row })
      break
    }
    case 'order': {
      const entry = engine.directory.byId(item.record)
      if (entry?.head.kind === 'suspension') turnSwitch(unit, entry, item.event as EventOf<'suspension'>)
      else if (entry !== undefined) unit.send(entry, item.event as never)
      break
    }
    case 'new':
      takeNew(engine, unit, to, item)
      break
    default:
      // Sent by a newer release. The message waits, and no later one of its sender is taken before it.
      throw new UnknownMessageItem(item)
  }
}

/** A lane that another cell has suspended meanwhile has its record already. */
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

/** Two cells may turn a switch at the same time: it is turned when both have. */
function turnSwitch(unit: UnitOfWork, entry: Entry, event: EventOf<'suspension'>): void {
  try {
    unit.send<'suspension'>(entry, event)
  } catch (error) {
    if (!(error instanceof CommandRejected)) throw error
  }
}

/** A countersigner applies its own entries; any other recipient applies the entries in the notice. */
function takeOutcome(
  engine: Engine,
  unit: UnitOfWork,
  to: string,
  { sender, item }: { readonly sender: string; readonly item: OutcomeItem },
): void {
  const { transactionId, messageHash, consequence, entries, signature, slot, final, at, proof } = item
  const given = countersignatureFor(engine, transactionId, messageHash, to)
  if (given !== undefined)
    hear(engine, unit, given, { news: consequence, heard: { signature, slot: slot ?? 0, final, at, proof } })
  else
    carryOut(engine, unit, entries, {
      consequence,
      touch: { transactionId, signature, at },
      relation: 'others',
      slot,
      tenant: sender,
    })
}
