// Group commit: one write at a time, which contains everything queued since the previous write began. Writes and
// acknowledgements keep the order of the calls. After the first failed write, no other is attempted (exactly-once,
// rule 13).

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DiskOp, WriteBatch } from './disk.ts'
import { OutcomeUnknown, StaleEpoch } from './errors.ts'
import type { StoreStats } from './store.ts'
import { WriteStats } from './write-stats.ts'

/** A row that is serialized when its batch is written; null deletes it. */
export interface Row {
  readonly key: string
  text(): string | null
  /** The packed form of the text (`packed-row.ts`). Absent: the text is written. */
  packed?(): string | null
}

interface Unit {
  readonly rows: readonly Row[]
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/**
 * A batch with this many rows takes no further unit. A long queue then neither blocks the event loop nor delays the
 * first acknowledgements.
 */
const BATCH_ROWS = 8_192
/** Minimum number of concurrent units for half batches. Fewer would not keep the process busy during a write. */
const SHARED_LOAD = 16

export class GroupCommit {
  readonly #write: WriteBatch
  readonly #onFatal: (error: Error) => void
  readonly #turn: () => Promise<void>
  readonly #packs: boolean
  readonly #stats = new WriteStats()
  #queue: Unit[] = []
  #inFlight: readonly Unit[] = []
  #draining: Promise<void> | undefined
  /** Number of units in the last batch, and in the last batch plus the queue; 0 after a pause. */
  #written = 0
  #load = 0
  #failure: OutcomeUnknown | StaleEpoch | undefined

  /**
   * @param turn resolves when the next batch should be taken: in the next turn of the event loop or later
   * @param packs whether rows are written packed
   */
  constructor(write: WriteBatch, onFatal: (error: Error) => void, turn: () => Promise<void> = nextTurn, packs = false) {
    this.#write = write
    this.#turn = turn
    this.#packs = packs
    this.#onFatal = onFatal
  }

  /** Set permanently by the first failed write; `StaleEpoch` if a newer owner has fenced this one. */
  get failure(): OutcomeUnknown | StaleEpoch | undefined {
    return this.#failure
  }

  stats(): StoreStats {
    return this.#stats.read(this.#queue.length + this.#inFlight.length)
  }

  /**
   * Queues a unit of rows. Resolves when it is durable, after all units queued before it. Rejects with
   * `OutcomeUnknown`, or with `StaleEpoch` (nothing written).
   */
  add(rows: readonly Row[]): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#queue.push({ rows, resolve, reject })
      this.#draining ??= this.#drain()
    })
  }

  /** Resolves when nothing is queued or being written. */
  async idle(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining
  }

  async #drain(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        // Waits one turn or longer before each write: all requests read in this turn, and all callers acknowledged by
        // the last write, join the batch.
        await this.#turn()
        this.#inFlight = this.#take()
        await this.#flush(this.#inFlight)
        this.#answer()
      }
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#draining = undefined
      this.#written = 0
      this.#load = 0
    }
  }

  #answer(): void {
    const units = this.#inFlight
    this.#inFlight = []
    this.#stats.answered(units.length)
    for (const unit of units) unit.resolve()
  }

  #take(): Unit[] {
    const most = this.#maxUnits()
    let units = 0
    for (let rows = 0; units < Math.min(most, this.#queue.length) && rows < BATCH_ROWS; units += 1)
      rows += this.#queue[units]!.rows.length
    this.#written = units
    return this.#queue.splice(0, units)
  }

  /**
   * Under a steady load, a batch takes half of the concurrent units: the callers of the other half process their
   * answers and queue new units during the write. Without this limit, large and small batches alternate, and the
   * process is idle during the large writes.
   */
  #maxUnits(): number {
    const before = this.#load
    this.#load = this.#queue.length + this.#written
    const isSteady = this.#load >= SHARED_LOAD && 2 * before >= this.#load
    return isSteady ? Math.ceil(this.#load / 2) : Infinity
  }

  async #flush(units: readonly Unit[]): Promise<void> {
    const latest = new Map<string, Row>()
    for (const unit of units) for (const row of unit.rows) latest.set(row.key, row)
    if (latest.size === 0) return
    const ops: DiskOp[] = []
    for (const row of latest.values()) {
      const value = this.#packs && row.packed !== undefined ? row.packed() : row.text()
      ops.push(value === null ? { type: 'del', key: row.key } : { type: 'put', key: row.key, value })
    }
    const startedMs = performance.now()
    await this.#write(ops, { sync: true })
    this.#stats.wrote(ops.length, performance.now() - startedMs)
  }

  /** A row that cannot be serialized also counts as a failed write: the state in memory cannot be persisted. */
  #fail(cause: unknown): void {
    const failure = cause instanceof StaleEpoch ? cause : new OutcomeUnknown(cause)
    this.#failure = failure
    const unwritten = [...this.#inFlight, ...this.#queue]
    this.#inFlight = []
    this.#queue = []
    for (const unit of unwritten) unit.reject(failure)
    this.#onFatal(failure)
  }
}
