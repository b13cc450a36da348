// Polls the chain for payments of the watched payment requests: often while a request is new or has a payment that is
// not final, less often the older it is, with a bounded number of polls at a time, in total and for one tenant. Tenants
// with due requests take turns.
import { ofKind } from '../../engine/records/record.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { TenantTurns } from '../../submission/tenant-turns.ts'
import type { Platform } from '../context/platform.ts'
import { DueIndex } from '../context/due-index.ts'
import { pollChain, noProgress, type PollProgress } from './poll.ts'

const MIN_INTERVAL_MS = 1_000
const MAX_INTERVAL_MS = 60_000
/** The pause between two polls is the age of the request divided by this number. */
const AGE_SHARE = 60
const MAX_AT_ONCE = 8
/** Requests of one tenant that wait for their turn do not delay those of others. */
const MAX_AT_ONCE_OF_TENANT = 4

export interface PaymentLog {
  warn(fields: object, message: string): void
}

interface DueRequest {
  readonly tenant: string
  readonly entry: Entry
}

export class PaymentWatcher {
  readonly #platform: Platform
  readonly #clock: { now(): number }
  readonly #log: PaymentLog
  readonly #index = new DueIndex<Entry>()
  readonly #progress = new Map<Entry, PollProgress>()
  readonly #polls = new Set<Promise<void>>()
  /** By tenant with a poll under way. */
  readonly #pollCounts = new Map<string, number>()
  readonly #due = new TenantTurns<DueRequest>()
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

  /** Starts the polls that are due, up to `MAX_AT_ONCE` at a time. */
  sweep(): void {
    const now = this.#clock.now()
    for (let entry = this.#index.take(now); entry !== undefined; entry = this.#index.take(now))
      this.#due.enter({ tenant: entry.head.tenant, entry })
    while (!this.#stopped && this.#polls.size < MAX_AT_ONCE) {
      const next = this.#due.take((tenant) => this.#pollsOfTenant(tenant) < MAX_AT_ONCE_OF_TENANT)
      if (next === undefined) return
      this.#poll(next)
    }
  }

  #pollsOfTenant(tenant: string): number {
    return this.#pollCounts.get(tenant) ?? 0
  }

  #ended(tenant: string): void {
    const rest = this.#pollsOfTenant(tenant) - 1
    if (rest === 0) this.#pollCounts.delete(tenant)
    else this.#pollCounts.set(tenant, rest)
  }

  /** Resolves when no poll is under way. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#polls)
  }

  #watch(entry: Entry, afterMs: number): void {
    if (ofKind(entry.head, 'paymentRequest')?.context.watched !== true) {
      this.#progress.delete(entry)
      return
    }
    if (!this.#progress.has(entry)) this.#progress.set(entry, noProgress())
    this.#index.insert(entry, this.#clock.now() + afterMs)
  }

  #poll({ tenant, entry }: DueRequest): void {
    const progress = this.#progress.get(entry) ?? noProgress()
    this.#pollCounts.set(tenant, this.#pollsOfTenant(tenant) + 1)
    const onUnreadable = (signature: string, error: Error): void =>
      this.#log.warn(
        { err: error, signature, paymentRequestId: entry.head.id },
        'a transaction with the reference of a payment request cannot be read',
      )
    const poll = pollChain(this.#platform, entry, { progress, onUnreadable })
      .catch((error: unknown) => {
        if (!this.#stopped)
          this.#log.warn({ err: error, paymentRequestId: entry.head.id }, 'payments could not be read from the chain')
      })
      .then(() => {
        this.#polls.delete(poll)
        this.#ended(tenant)
        this.#watch(entry, progress.isBehind ? MIN_INTERVAL_MS : this.#pauseAfter(entry))
        this.sweep()
      })
    this.#polls.add(poll)
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
