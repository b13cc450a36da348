// Applies a tenant message to the recipient's records, in a unit of work of the recipient.
import type { InputOf, Kind } from '../../../machines/kinds.ts'
import { carryOut } from './carry-out.ts'
import { countersignatureFor, hear } from './countersigned.ts'
import type { Engine } from '../engine.ts'
import type { UnitOfWork } from '../records/unit-of-work.ts'
import type { Notice, OutcomeNotice, Posted } from '../outbox/message.ts'

export class UnknownNotice extends Error {
  override readonly name = 'UnknownNotice'

  constructor(notice: never) {
    super(`this release does not know notices of kind ${JSON.stringify((notice as Partial<Notice>).kind)}`)
  }
}

/** Throws `CommandRejected` when a record rejects its event, and `UnknownNotice`. */
export function takeMessage(engine: Engine, unit: UnitOfWork, { to, sender, notices }: Posted): void {
  for (const notice of notices) takeNotice(engine, unit, to, sender, notice)
}

function takeNotice(engine: Engine, unit: UnitOfWork, to: string, sender: string, notice: Notice): void {
  switch (notice.kind) {
    case 'outcome':
      takeOutcome(engine, unit, to, sender, notice)
      break
    case 'listed':
      engine.listings.take(notice.listed)
      break
    case 'event':
      unit.event(notice.told)
      break
    case 'deed':
      unit.audit(notice.deed)
      break
    case 'order': {
      const entry = engine.directory.byId(notice.record)
      if (entry !== undefined) unit.tell(entry, notice.event as never)
      break
    }
    case 'new':
      unit.create(notice.of, { tenant: to, cluster: notice.cluster, id: notice.id }, notice.input as InputOf<Kind>)
      break
    default:
      // Sent by a newer release. The message waits, and no later one of its sender is taken before it.
      throw new UnknownNotice(notice)
  }
}

/** A countersigner applies its own entries; any other recipient applies the entries in the notice. */
function takeOutcome(engine: Engine, unit: UnitOfWork, to: string, sender: string, notice: OutcomeNotice): void {
  const { transactionId, messageHash, consequence, entries, signature, slot, final, at, proof } = notice
  const given = countersignatureFor(engine, transactionId, messageHash, to)
  if (given !== undefined) hear(engine, unit, given, consequence, { signature, slot: slot ?? 0, final, at, proof })
  else
    carryOut(engine, unit, entries, {
      consequence,
      touch: { transactionId, signature, at },
      relation: 'others',
      slot,
      tenant: sender,
    })
}
