// Keeps the nonce records of a cluster current: reads a nonce when a transaction that uses it has ended, and all
// nonces at a start and periodically, so that advances made outside of this service are detected. Decisions are left
// to the records.
import type { Clock, Timer } from '../../time/clock.ts'
import type { Change } from '../../engine/records/change.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { noncesKey } from '../../engine/index/index-keys.ts'
import { hasEnded, ofKind, type RecordState } from '../../engine/records/record.ts'
import type { Platform } from '../context/platform.ts'
import { isRetryable, operationResult } from '../context/as-refusal.ts'
import { readNonces } from '../reconcile/nonces.ts'

export interface MaintainerPace {
  /** Interval between two reads of all nonces, ms. */
  readonly sweepMs: number
  /**
   * First interval between reads of a nonce that is expected to advance, ms; doubled after each read without an
   * advance.
   */
  readonly urgentMs: number
}

export interface MaintainerLog {
  warn(fields: object, message: string): void
}

const READ_AT_ONCE = 100

export class NonceMaintainer {
  readonly #platform: Platform
  readonly #cluster: string
  readonly #pace: MaintainerPace
  readonly #clock: Clock
  readonly #log: MaintainerLog
  readonly #urgent = new Set<Entry>()
  #urgentDelayMs: number
  #sweepAt = 0
  #timer: Timer | null = null
  #timerAt = Infinity
  #reading: Promise<void> | null = null
  #stopped = false

  constructor(
    platform: Platform,
    cluster: string,
    pace: MaintainerPace,
    { clock, log }: { readonly clock: Clock; readonly log: MaintainerLog },
  ) {
    this.#platform = platform
    this.#cluster = cluster
    this.#pace = pace
    this.#clock = clock
    this.#log = log
    this.#urgentDelayMs = pace.urgentMs
    platform.engine.onCommitted((changes) => this.#onCommitted(changes))
  }

  /** True while nonces are being read, or one is expected to advance. */
  get isReading(): boolean {
    return this.#reading !== null || this.#urgent.size > 0
  }

  /** Reads all recorded nonces, then continues periodically. */
  start(): void {
    this.#wakeAt(this.#clock.elapsed())
  }

  /** Resolves when no read is running. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
    await this.#reading
  }

  #onCommitted(changes: readonly Change[]): void {
    let urgent = false
    for (const { entry, next } of changes) {
      if (next.cluster !== this.#cluster) continue
      const nonce = next.kind === 'transaction' ? this.#nonceOf(next as RecordState<'transaction'>) : entry
      if (nonce === undefined || nonce.head.kind !== 'nonce' || !this.#isExpectedToMove(nonce)) continue
      this.#urgent.add(nonce)
      urgent = true
    }
    if (!urgent) return
    this.#urgentDelayMs = this.#pace.urgentMs
    this.#wakeAt(this.#clock.elapsed())
  }

  #nonceOf(transaction: RecordState<'transaction'>): Entry | undefined {
    if (!hasEnded(transaction)) return undefined
    const id = transaction.context.fixed.nonceAccount?.id ?? null
    return id === null ? undefined : this.#platform.engine.directory.resident(id)
  }

  /** True if its value is unknown, or if the transaction that leases it, or the one that voids that, has ended. */
  #isExpectedToMove({ head }: Entry): boolean {
    const nonce = ofKind(head, 'nonce')
    if (nonce === undefined) return false
    const { value, lease } = nonce.context
    if (nonce.value === 'active') return value === null
    return (
      nonce.value === 'leased' &&
      lease !== null &&
      (this.#hasEnded(lease.transactionId) || this.#hasEnded(lease.voidedBy))
    )
  }

  #hasEnded(transactionId: string | null): boolean {
    if (transactionId === null) return false
    const entry = this.#platform.engine.directory.resident(transactionId)
    // A transaction that has left memory has ended.
    return entry === undefined || hasEnded(entry.committed)
  }

  #wakeAt(at: number): void {
    if (this.#stopped || this.#reading !== null || at >= this.#timerAt) return
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = this.#clock.setTimeout(() => this.#turn(), Math.max(0, at - this.#clock.elapsed()))
  }

  #turn(): void {
    this.#timer = null
    this.#timerAt = Infinity
    this.#reading = this.#read().finally(() => {
      this.#reading = null
      this.#plan()
    })
  }

  /** Never rejects. */
  async #read(): Promise<void> {
    const nowMs = this.#clock.elapsed()
    const { directory } = this.#platform.engine
    const sweeps = nowMs >= this.#sweepAt
    if (sweeps) this.#sweepAt = nowMs + this.#pace.sweepMs
    const due = sweeps ? directory.find(noncesKey(this.#cluster)) : [...this.#urgent]
    for (let at = 0; at < due.length && !this.#stopped; at += READ_AT_ONCE) {
      const some = due.slice(at, at + READ_AT_ONCE)
      const read = await operationResult(readNonces(this.#platform, this.#cluster, some))
      if (read.ok) continue
      this.#log.warn({ err: read.error, cluster: this.#cluster }, 'nonces could not be checked')
      // The cluster does not answer. A broken record holds up no others.
      if (isRetryable(read)) return
    }
  }

  #plan(): void {
    for (const nonce of this.#urgent) if (!this.#isExpectedToMove(nonce)) this.#urgent.delete(nonce)
    this.#wakeAt(this.#sweepAt)
    if (this.#urgent.size === 0) return
    this.#wakeAt(this.#clock.elapsed() + this.#urgentDelayMs)
    this.#urgentDelayMs = Math.min(this.#urgentDelayMs * 2, this.#pace.sweepMs)
  }
}
