// The logs of the tenants. Rows get their numbers in the turn their unit of work is handed to the store, in commit order: what was rolled
// back never had one, so there are no gaps. They ride in the batch of the change itself; subscribers hear of them once that is durable.
import type { Store, StoreOp } from '../ports.ts'
import type { RecordState } from '../record.ts'
import { eventRow, type Told, type Teller } from './told.ts'

/** A change that is being written, with the record as it was last written. */
export interface Written {
  readonly previous: RecordState | undefined
  readonly next: RecordState
}

export type Append = (tenant: string, op: StoreOp) => void

interface Log {
  /** Handed to the store. */
  last: number
  durable: number
  readonly subscribers: Set<() => void>
}

export class Journal {
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
  async resume(store: Pick<Store, 'lastSequence'>, tenant: string): Promise<void> {
    const log = this.#log(tenant)
    log.last = await store.lastSequence('event', tenant)
    log.durable = log.last
  }

  /** Adds what is to be told of these changes. To be called when nothing can keep them from being written any more. Answers what `durable` takes. */
  write(changes: readonly Written[], told: readonly Told[], append: Append): ReadonlyMap<string, number> | undefined {
    let reached: Map<string, number> | undefined
    let atMs: number | undefined
    const add = (each: Told): void => {
      const log = this.#log(each.tenant)
      log.last += 1
      atMs ??= this.#clock.now()
      append(each.tenant, { type: 'event', tenant: each.tenant, sequence: log.last, row: eventRow(each, atMs) })
      reached ??= new Map()
      reached.set(each.tenant, log.last)
    }
    for (const { previous, next } of changes) for (const each of this.#teller(previous, next)) add(each)
    for (const each of told) add(each)
    return reached
  }

  /** What `write` added is on disk, and visible to reads. */
  durable(reached: ReadonlyMap<string, number> | undefined): void {
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
