// Polls the chain for payments of the watched payment requests: often while a request is new or has a payment that is
// not final, less often the older it is, with a bounded number of polls at a time.
import { ofKind } from '../../engine/records/record.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { Payment } from '../../../machines/payment-request.ts'
import type { Platform } from '../context/platform.ts'
import { DueIndex } from '../schedules/due-index.ts'
import { lookAtChain } from './look.ts'

const MIN_INTERVAL_MS = 1_000
const MAX_INTERVAL_MS = 60_000
/** The pause between two looks is the age of the request divided by this number. */
const AGE_SHARE = 60
const MAX_AT_ONCE = 8

export interface PaymentLog {
  warn(fields: object, message: string): void
}

type Known = Map<string, Pick<Payment, 'amount' | 'at'>>

export class PaymentWatcher {
  readonly #platform: Platform
  readonly #clock: { now(): number }
  readonly #log: PaymentLog
  readonly #index = new DueIndex<Entry>()
  readonly #known = new Map<Entry, Known>()
  readonly #looks = new Set<Promise<void>>()
  #stopped = false

  constructor(platform: Platform, clock: { now(): number }, log: PaymentLog) {
    this.#platform = platform
    this.#clock = clock
    this.#log = log
    platform.engine.onCommitted((changes) => {
      for (const { entry, previous, next } of changes)
        if (previous === undefined && next.kind === 'paymentRequest') this.#watch(entry, 0)
    })
  }

  /** Watches the requests that are on record. */
  resume(): void {
    for (const entry of this.#platform.engine.directory.entries('paymentRequest')) this.#watch(entry, 0)
  }

  /** Starts the looks that are due, up to `MAX_AT_ONCE` at a time. */
  sweep(): void {
    while (!this.#stopped && this.#looks.size < MAX_AT_ONCE) {
      const entry = this.#index.take(this.#clock.now())
      if (entry === undefined) return
      this.#look(entry)
    }
  }

  /** Resolves when no look is under way. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#looks)
  }

  #watch(entry: Entry, afterMs: number): void {
    if (ofKind(entry.head, 'paymentRequest')?.context.watched !== true) {
      this.#known.delete(entry)
      return
    }
    if (!this.#known.has(entry)) this.#known.set(entry, new Map())
    this.#index.insert(entry, this.#clock.now() + afterMs)
  }

  #look(entry: Entry): void {
    const known = this.#known.get(entry) ?? new Map<string, Pick<Payment, 'amount' | 'at'>>()
    const onUnreadable = (signature: string, error: Error): void =>
      this.#log.warn(
        { err: error, signature, paymentRequestId: entry.head.id },
        'a transaction with the reference of a payment request cannot be read',
      )
    const look = lookAtChain(this.#platform, entry, { known, onUnreadable })
      .catch((error: unknown) => {
        if (!this.#stopped)
          this.#log.warn({ err: error, paymentRequestId: entry.head.id }, 'payments could not be read from the chain')
      })
      .then(() => {
        this.#looks.delete(look)
        this.#watch(entry, this.#pauseAfter(entry))
        this.sweep()
      })
    this.#looks.add(look)
  }

  #pauseAfter(entry: Entry): number {
    const request = ofKind(entry.head, 'paymentRequest')
    if (request === undefined || request.context.payments.some(({ final }) => !final)) return MIN_INTERVAL_MS
    const { createdAt, endedAt, expiresAt } = request.context
    const now = this.#clock.now()
    const untilExpiry =
      expiresAt === null || endedAt !== null ? Infinity : Math.max(MIN_INTERVAL_MS, Date.parse(expiresAt) - now)
    return Math.min(MAX_INTERVAL_MS, untilExpiry, Math.max(MIN_INTERVAL_MS, (now - Date.parse(createdAt)) / AGE_SHARE))
  }
}
