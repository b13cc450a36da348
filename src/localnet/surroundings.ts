// What the chain takes from the machine it runs on: time, timers, chance and a database. With others in their place it runs in a
// simulator, and runs the same way again.
import { randomBytes } from 'node:crypto'

/** What the ledger needs of a database with ordered keys. */
export interface Database {
  getSync(key: Buffer): Buffer | undefined
  /** In key order; `gte` and `lt` are bounds. */
  iterator(range: Range): AsyncIterable<[Buffer, Buffer]>
  batch(): Batch
  close(): Promise<void>
}

export interface Range {
  readonly gte: Buffer
  readonly lt: Buffer
  readonly reverse?: boolean
  readonly limit?: number
  readonly highWaterMarkBytes?: number
}

/** Written all or nothing. */
export interface Batch {
  put(key: Buffer, value: Buffer): unknown
  del(key: Buffer): unknown
  write(options: { readonly sync: boolean }): Promise<void>
}

export interface Surroundings {
  /** Wall clock, Unix milliseconds. */
  readonly now: () => number
  /** Milliseconds that never go back. */
  readonly elapsed: () => number
  /** Runs `work` every so often, until the returned function is called. */
  readonly every: (periodMs: number, work: () => void) => () => void
  /** Runs `work` with the next turn of the event loop. */
  readonly soon: (work: () => void) => void
  readonly randomBytes: (count: number) => Buffer
  /** Another database than LevelDB in `dataDir`. */
  readonly openDatabase?: (dataDir: string) => Promise<Database>
}

export const machine: Surroundings = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  every(periodMs, work) {
    const timer = setInterval(work, periodMs)
    return () => clearInterval(timer)
  },
  soon: (work) => void setImmediate(work),
  randomBytes: (count) => randomBytes(count),
}
