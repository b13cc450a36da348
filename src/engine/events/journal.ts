// The logs of the tenants. Rows get their numbers in the turn their unit of work is handed to the store, in commit order: what was rolled
// back never had one, so there are no gaps. They ride in the batch of the change itself; subscribers hear of them once that is durable.
import type { Store } from '../../../snapshots/store.ts'
import type { RecordState } from '../records/record.ts'
import { AuditLog, type Append } from '../audit/audit-log.ts'
import type { Deed } from '../audit/audit-row.ts'
import { eventRow, type Told, type Teller } from './domain-events.ts'

/** A change that is being written, with the record as it was last written. */
export interface Written {
  readonly previous: RecordState | undefined
  readonly next: RecordState
}

/** What a unit of work brings beside its changes. */
export interface Notes {
  readonly told: readonly Told[]
  readonly deeds: readonly Deed[]
}

export const NO_NOTES: Notes = { told: [], deeds: [] }
const NOBODY: readonly Told[] = []

/** What `write` found: how far the logs have got, for `durable`, and what is to be told in logs of other tenants. */
export interface Noted {
  readonly reached: ReadonlyMap<string, number> | undefined
  readonly elsewhere: readonly Told[]
}

interface Log {
  /** Handed to the store. */
  last: number
  durable: number
  readonly subscribers: Set<() => void>
}

export class Journal {
  readonly audit = new AuditLog()
  readonly #clock: { now(): number }
  readonly #logs = new Map<string, Log>()
  #teller: Teller = () => []

  constructor(clock: { now(): number }) {
    this.#clock = clock
  }

  /** From now on changes are told in these words; before, nothing is. */
  tellBy(teller: Teller): void {
    this.#teller = teller
  }

  /** Goes on where the log of a tenant ends on disk. */
  async resume(store: Pick<Store, 'lastSequence' | 'audit' | 'meta'>, tenant: string): Promise<void> {
    const log = this.#log(tenant)
    log.last = await store.lastSequence('event', tenant)
    log.durable = log.last
    await this.audit.resume(store, tenant)
  }

  /**
   * Adds what is to be told of these changes. To be called when nothing can keep them from being written any more.
   * @param here true of tenants whose logs ride in the batch
   */
  write(changes: readonly Written[], { told, deeds }: Notes, append: Append, here: (tenant: string) => boolean): Noted {
    let reached: Map<string, number> | undefined
    let elsewhere: Told[] | undefined
    let atMs: number | undefined
    const add = (each: Told): void => {
      if (!here(each.tenant)) {
        elsewhere ??= []
        elsewhere.push(each)
        return
      }
      const log = this.#log(each.tenant)
      log.last += 1
      atMs ??= this.#clock.now()
      append(each.tenant, { type: 'event', tenant: each.tenant, sequence: log.last, row: eventRow(each, atMs) })
      reached ??= new Map()
      reached.set(each.tenant, log.last)
    }
    for (const { previous, next } of changes) for (const each of this.#teller(previous, next)) add(each)
    for (const each of told) add(each)
    if (deeds.length > 0) this.audit.write(deeds, new Date(atMs ?? this.#clock.now()).toISOString(), append)
    return { reached, elsewhere: elsewhere ?? NOBODY }
  }

  /** Signs the heads of the audit log that moved since. */
  seal(append: Append): void {
    this.audit.seal(new Date(this.#clock.now()).toISOString(), append)
  }

  /** What `write` added is on disk, and visible to reads. */
  durable(reached: ReadonlyMap<string, number> | undefined, { deeds }: Notes): void {
    this.audit.durable(deeds)
    if (reached === undefined) return
    for (const [tenant, sequence] of reached) {
      const log = this.#log(tenant)
      log.durable = Math.max(log.durable, sequence)
      for (const appended of log.subscribers) appended()
    }
  }

  /** Sequence of the newest durable event of a tenant; 0: none. */
  lastSequence(tenant: string): number {
    return this.#logs.get(tenant)?.durable ?? 0
  }

  /** Calls back whenever events of the tenant have become durable. The answer ends that. */
  subscribe(tenant: string, appended: () => void): () => void {
    const { subscribers } = this.#log(tenant)
    // The same function may be given twice.
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
