// Event logs and audit logs of all tenants. Rows get their sequence numbers in the turn in which their unit of work is
// handed to the store, so numbers follow the commit order and have no gaps. They are written in the batch of the
// change; subscribers are notified once it is durable.
import type { Store } from '../../../snapshots/store.ts'
import type { RecordState } from '../records/record.ts'
import { AuditLog, type Append } from '../audit/audit-log.ts'
import type { AuditEntry } from '../audit/audit-row.ts'
import type { DomainEvent, EventSource } from './domain-events.ts'
import { MAX_IN_ROW, rowOfEvents } from './event-row.ts'

/** A change that is being written; `previous` is the record as last written. */
export interface WrittenChange {
  readonly previous: RecordState | undefined
  readonly next: RecordState
}

/** Events and audit entries of a unit of work in addition to those derived from its changes. */
export interface Notes {
  readonly events: readonly DomainEvent[]
  readonly auditEntries: readonly AuditEntry[]
}

export const NO_NOTES: Notes = { events: [], auditEntries: [] }
const NO_EVENTS: readonly DomainEvent[] = []

/**
 * Result of `write`: the last sequence per tenant, for `durable`, and the events that belong to logs of other tenants.
 */
export interface JournalWrite {
  readonly reached: ReadonlyMap<string, number>
  readonly elsewhere: readonly DomainEvent[]
}

interface Log {
  /** Sequence of the newest event handed to the store. */
  last: number
  durable: number
  readonly subscribers: Set<() => void>
}

export class Journal {
  readonly audit = new AuditLog()
  readonly #clock: { now(): number }
  readonly #logs = new Map<string, Log>()
  #eventsOf: EventSource = () => []

  constructor(clock: { now(): number }) {
    this.#clock = clock
  }

  /** Sets the source of events. Before that, changes cause none. */
  useEventSource(eventsOf: EventSource): void {
    this.#eventsOf = eventsOf
  }

  /** Continues the logs of a tenant from their last rows on disk. */
  async resume(store: Pick<Store, 'lastSequence' | 'audit' | 'meta'>, tenant: string): Promise<void> {
    const log = this.#log(tenant)
    log.last = await store.lastSequence('event', tenant)
    log.durable = log.last
    await this.audit.resume(store, tenant)
  }

  /**
   * Appends the events and audit entries of these changes. Must be called only when nothing can prevent the write any
   * more.
   * @param here true for tenants whose logs are written in this batch
   */
  write(
    changes: readonly WrittenChange[],
    { events, auditEntries }: Notes,
    append: Append,
    here: (tenant: string) => boolean,
  ): JournalWrite {
    const byTenant = new Map<string, DomainEvent[]>()
    let elsewhere: DomainEvent[] | undefined
    const add = (each: DomainEvent): void => {
      if (!here(each.tenant)) {
        elsewhere ??= []
        elsewhere.push(each)
        return
      }
      const known = byTenant.get(each.tenant)
      if (known === undefined) byTenant.set(each.tenant, [each])
      else known.push(each)
    }
    for (const { previous, next } of changes) for (const each of this.#eventsOf(previous, next)) add(each)
    for (const each of events) add(each)
    const atMs = this.#clock.now()
    const reached = new Map<string, number>()
    for (const [tenant, own] of byTenant) reached.set(tenant, this.#append(tenant, own, atMs, append))
    if (auditEntries.length > 0) this.audit.write(auditEntries, new Date(atMs).toISOString(), append)
    return { reached, elsewhere: elsewhere ?? NO_EVENTS }
  }

  /** Returns the sequence of the last event. */
  #append(tenant: string, events: readonly DomainEvent[], atMs: number, append: Append): number {
    const log = this.#log(tenant)
    for (let from = 0; from < events.length; from += MAX_IN_ROW) {
      const part = events.slice(from, from + MAX_IN_ROW)
      log.last += part.length
      append(tenant, { type: 'event', tenant, sequence: log.last, row: rowOfEvents(part, atMs) })
    }
    return log.last
  }

  /** Signs the audit log heads that moved since their last checkpoint. */
  seal(append: Append): void {
    this.audit.seal(new Date(this.#clock.now()).toISOString(), append)
  }

  /** Marks what `write` appended as durable and visible to reads; notifies subscribers. */
  durable(reached: ReadonlyMap<string, number>, { auditEntries }: Notes): void {
    this.audit.durable(auditEntries)
    for (const [tenant, sequence] of reached) {
      const log = this.#log(tenant)
      log.durable = Math.max(log.durable, sequence)
      for (const appended of log.subscribers) appended()
    }
  }

  /** Sequence of the newest durable event of a tenant; 0 if there is none. */
  lastSequence(tenant: string): number {
    return this.#logs.get(tenant)?.durable ?? 0
  }

  /** Calls `appended` whenever events of the tenant become durable. Returns the function that unsubscribes. */
  subscribe(tenant: string, appended: () => void): () => void {
    const { subscribers } = this.#log(tenant)
    // One function may subscribe several times.
    const own = (): void => appended()
    subscribers.add(own)
    return () => void subscribers.delete(own)
  }

  #log(tenant: string): Log {
    let log = this.#logs.get(tenant)
    if (log === undefined) {
      log = { last: 0, durable: 0, subscribers: new Set() }
      this.#logs.set(tenant, log)
    }
    return log
  }
}
