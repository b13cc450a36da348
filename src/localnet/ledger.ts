// The ledger on disk (LevelDB) and its group commit: changes that arrive while a batch is being written form the next
// batch, and every batch is synced. The first failed write ends the process: the engine is then ahead of its disk, and
// a LevelDB handle that failed once acknowledges batches that it loses.

import { Level } from 'level'
import { Commit } from './commit.ts'
import { withRedo, type Redo, type RedoOptions } from './redo.ts'
import type { Database } from './surroundings.ts'

export interface LedgerOptions extends RedoOptions {
  readonly dataDir: string
  /** Called once, on the first failed write; normal work must not continue. */
  readonly fatal: (error: unknown) => void
  /** Runs `work` in the next turn of the event loop. */
  readonly soon: (work: () => void) => void
  /** Default: LevelDB in `dataDir`. */
  readonly openDatabase?: (dataDir: string) => Promise<Database>
}

/** The first bytes of all keys are letters. */
const AFTER_ALL = Buffer.from([0xff])

async function openLevel(dataDir: string): Promise<Database> {
  const db = new Level<Buffer, Buffer>(dataDir, { keyEncoding: 'buffer', valueEncoding: 'buffer' })
  await db.open()
  return db
}

export class Ledger {
  readonly #db: Database & Redo
  readonly #fatal: (error: unknown) => void
  readonly #soon: (work: () => void) => void
  #open = new Commit()
  /** Groups closed early, before the current one. */
  readonly #sealed: Commit[] = []
  #writing: Commit | null = null
  #scheduled = false
  #failed = false
  #idle: (() => void)[] = []

  private constructor(db: Database & Redo, { fatal, soon }: LedgerOptions) {
    this.#db = db
    this.#fatal = fatal
    this.#soon = soon
  }

  /**
   * Opens or creates the ledger in `dataDir`. Rejects with code LEVEL_LOCKED (in the cause) when another process locks
   * it.
   */
  static async open(options: LedgerOptions): Promise<Ledger> {
    const { dataDir, openDatabase = openLevel } = options
    return new Ledger(await withRedo(await openDatabase(dataDir), options), options)
  }

  /** The current group. It is written as soon as the previous one is on disk. */
  get group(): Commit {
    if (!this.#scheduled && !this.#writing) {
      this.#scheduled = true
      this.#soon(() => this.#flush())
    }
    return this.#open
  }

  /** Groups not on disk yet, oldest first. */
  get undurable(): readonly Commit[] {
    return this.#writing ? [this.#writing, ...this.#sealed, this.#open] : [...this.#sealed, this.#open]
  }

  /** Closes the current group: later changes go into a later batch. */
  seal(): void {
    this.#sealed.push(this.group)
    this.#open = new Commit()
  }

  get(key: Buffer): Buffer | null {
    return this.#db.getSync(key) ?? null
  }

  /** All rows with this first byte, in key order. */
  rows(prefix: number, from: Buffer = Buffer.from([prefix])): AsyncIterable<[Buffer, Buffer]> {
    return this.#db.iterator({ gte: from, lt: Buffer.from([prefix + 1]), highWaterMarkBytes: 1 << 20 })
  }

  everything(): AsyncIterable<[Buffer, Buffer]> {
    return this.#db.iterator({ gte: Buffer.alloc(0), lt: AFTER_ALL, highWaterMarkBytes: 1 << 20 })
  }

  /** The changes after a batch, for an archive (see `redo.ts`). */
  changes(after: number): AsyncIterable<[Buffer, Buffer]> {
    return this.#db.changes(after)
  }

  /** The last row with this first byte. */
  async lastRow(prefix: number): Promise<[Buffer, Buffer] | null> {
    const range = { gte: Buffer.from([prefix]), lt: Buffer.from([prefix + 1]), reverse: true, limit: 1 }
    for await (const row of this.#db.iterator(range)) return row
    return null
  }

  #flush(): void {
    this.#scheduled = false
    if (this.#failed) return
    const sealed = this.#sealed.shift()
    if (!sealed && this.#open.isEmpty) {
      for (const wake of this.#idle.splice(0)) wake()
      return
    }
    const group = sealed ?? this.#open
    this.#writing = group
    if (!sealed) this.#open = new Commit()
    this.#batch(group).then(
      () => {
        this.#writing = null
        // Requests that arrived during the write have not been read yet: they join the next batch.
        this.#scheduled = true
        this.#soon(() => this.#flush())
        group.settle()
      },
      (error: unknown) => {
        this.#failed = true
        for (const wake of this.#idle.splice(0)) wake()
        this.#fatal(error)
      },
    )
  }

  /** The only function that writes. Every batch is synced. */
  #batch(group: Commit): Promise<void> {
    // A chained batch costs a quarter of an array per operation.
    const batch = this.#db.batch()
    group.write(batch)
    return batch.write({ sync: true })
  }

  /** Writes one group by itself, before the ledger is in use. */
  async write(group: Commit): Promise<void> {
    await this.#batch(group)
  }

  /** Resolves when nothing is left to write. */
  async settled(): Promise<void> {
    if (this.#failed || (this.#open.isEmpty && this.#sealed.length === 0 && !this.#writing && !this.#scheduled)) return
    await new Promise<void>((wake) => this.#idle.push(wake))
  }

  async close(): Promise<void> {
    await this.settled()
    await this.#db.close()
  }
}
