// Evicts ended transactions with their companions, and ended records of other kinds.
import type { StoreOp } from '../../../snapshots/store.ts'
import type { Engine } from '../engine.ts'
import type { Change } from '../records/change.ts'
import type { Entry } from '../records/entry.ts'
import { ColdRows } from './cold-rows.ts'
import type { ColdStore } from './cold-store.ts'
import { EndedRecords } from './ended-records.ts'
import { Evictor, type EvictionOptions } from './eviction.ts'

type Rows = ReadonlyMap<string, readonly StoreOp[]>

export interface EvictionDependencies {
  /** Used from `begin` on. */
  readonly engine: Pick<Engine, 'cell' | 'debits' | 'directory' | 'fetch' | 'readModel' | 'store'>
  readonly coldStore: ColdStore
  /** Resolves when the rows, by tenant, are durable. */
  readonly write: (rows: Rows) => Promise<void>
}

export class Evictions {
  readonly #dependencies: EvictionDependencies
  readonly #all: readonly (Evictor | EndedRecords)[]

  constructor(dependencies: EvictionDependencies, options: EvictionOptions) {
    this.#dependencies = dependencies
    const { engine, coldStore } = dependencies
    const rows = new ColdRows(engine, coldStore)
    const leaving = { evict: this.#evict.bind(this) }
    const transactions = new Evictor(engine, rows, leaving, options)
    this.#all =
      options.others === undefined ? [transactions] : [transactions, new EndedRecords(engine, rows, leaving, options)]
  }

  /** Starts with the loaded records. */
  begin(): void {
    for (const each of this.#all) each.begin()
  }

  take(changes: readonly Change[]): void {
    for (const each of this.#all) each.take(changes)
  }

  /** Resolves when no eviction is in progress. */
  async stop(): Promise<void> {
    await Promise.all(this.#all.map((each) => each.stop()))
  }

  /** Moves records to the cold store. Memory answers for them until the write is durable. */
  async #evict(entries: readonly Entry[], rows: Rows): Promise<void> {
    const { engine, coldStore, write } = this.#dependencies
    for (const entry of entries) {
      entry.place = 'leaving'
    }
    coldStore.leave(entries)
    await write(rows)
    for (const entry of entries) {
      engine.directory.moved(entry, entry.head, undefined)
      engine.debits.left(entry.head)
      if (entry.committed !== undefined) engine.readModel.leave(entry.committed)
      entry.place = 'store'
      entry.sleep()
      coldStore.left(entry)
    }
  }
}
