// Reads the event log from the store. Never returns an event before reads of the records show its change.
import { createHash } from 'node:crypto'
import type { Engine } from '../../engine/engine.ts'
import { eventsOfRow, type EventRow, type NumberedEvent } from '../../engine/events/event-row.ts'
import type { Store } from '../../../snapshots/store.ts'
import type { JsonObject } from '../../contract/call.ts'
import type { EventLog } from '../../contract/event-record.ts'
import type { EventRecord } from '../../contract/schemas/event.ts'

/** An event with the organizations that may see it. */
export interface StoredEvent extends EventRecord {
  readonly seenBy: readonly string[] | 'shared'
}

export class EngineEventLog implements EventLog {
  readonly #engine: Pick<Engine, 'journal' | 'store'>

  constructor(engine: Pick<Engine, 'journal' | 'store'>) {
    this.#engine = engine
  }

  async after(tenant: string, sequence: number, limit: number): Promise<readonly StoredEvent[]> {
    const count = Math.min(limit, this.lastSequence(tenant) - sequence)
    if (count <= 0) return []
    const events: StoredEvent[] = []
    for await (const each of storedEvents(this.#engine.store, tenant, sequence)) {
      events.push(eventOf(tenant, each.sequence, each.row))
      if (events.length === count) break
    }
    return events
  }

  lastSequence(tenant: string): number {
    return this.#engine.journal.lastSequence(tenant)
  }

  subscribe(tenant: string, appended: () => void): () => void {
    return this.#engine.journal.subscribe(tenant, appended)
  }
}

/** Bounds of the number of rows read at once. A row contains several events. */
const MAX_ROWS = 512
const MIN_ROWS = 16

/** The stored events after a sequence, in order. */
export async function* storedEvents(
  store: Pick<Store, 'events'>,
  tenant: string,
  after: number,
): AsyncGenerator<NumberedEvent, void, undefined> {
  let last = after
  for (let count = MIN_ROWS; ; count = Math.min(2 * count, MAX_ROWS)) {
    const rows = await store.events(tenant, last, count)
    for (const row of rows) {
      for (const event of eventsOfRow(row)) if (event.sequence > after) yield event
      last = row.sequence
    }
    if (rows.length < count) return
  }
}

export function eventOf(tenant: string, sequence: number, row: EventRow): StoredEvent {
  const [type, atMs, chainClusterId, organization, onchainId, offchainId, data, seenBy = []] = row
  return {
    id: idOf(tenant, sequence, row),
    sequence,
    type,
    at: new Date(atMs).toISOString(),
    tenantOrganizationId: organization,
    chainClusterId,
    resource: { kind: type.slice(0, type.indexOf('.')), onchainId, offchainId },
    data: data as JsonObject,
    seenBy,
  }
}

/** A UUID (version 8) derived from the event, so that every reader computes the same id. */
function idOf(tenant: string, sequence: number, [type, atMs, , , , offchainId]: EventRow): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([tenant, sequence, type, atMs, offchainId]))
    .digest('hex')
  const variant = ((parseInt(hex[16]!, 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
