// Evicts ended transactions with their companions, and ended records of other kinds.
import type { Engine } from '../engine.ts'
import type { Change } from '../records/change.ts'
import { ColdRows } from './cold-rows.ts'
import type { Archive } from './cold-store.ts'
import { EndedRecords } from './ended-records.ts'
import { Evictor, type Leaving, type EvictionOptions } from './eviction.ts'

export class Evictions {
  readonly #all: readonly (Evictor | EndedRecords)[]

  constructor(
    engine: Pick<Engine, 'cell' | 'directory' | 'store' | 'fetch'>,
    archive: Archive,
    leaving: Leaving,
    options: EvictionOptions,
  ) {
    const rows = new ColdRows(engine, archive)
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
}
