// The interface of the chain to its machine: time, timers, randomness and a database. With replacements, the chain runs
// deterministically in a simulator.
import { randomBytes } from 'node:crypto'

/** The part of a database with ordered keys that the ledger needs. */
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

/** Written atomically. */
export interface Batch {
  put(key: Buffer, value: Buffer): unknown
  del(key: Buffer): unknown
  write(options: { readonly sync: boolean }): Promise<void>
}

export interface Surroundings {
  /** Wall clock, Unix milliseconds. */
  readonly now: () => number
  /** Monotonic milliseconds. */
  readonly elapsed: () => number
  /** Runs `work` periodically until the returned function is called. */
  readonly every: (periodMs: number, work: () => void) => () => void
  /** Runs `work` in the next turn of the event loop. */
  readonly soon: (work: () => void) => void
  readonly randomBytes: (count: number) => Buffer
  /** Replaces LevelDB in `dataDir`. */
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
