// Delivers the events of one webhook for one round (until it is disabled or redelivered): reads ahead, sends, and
// records its progress. An event counts as delivered once the progress is on disk: after a crash before that it is
// delivered again, under the same id.
import { ATTEMPTS_KEPT, type DeliveryAttempt, type WebhookEvent } from '../../../machines/webhook.ts'
import type { Clock, Timer } from '../../time/clock.ts'
import type { EventLog } from '../../contract/event-record.ts'
import type { EventRecord } from '../../contract/schemas/event.ts'
import type { Result } from './attempt.ts'
import { delayAfter, MAX_RETRY_WAIT_MS } from './retry-schedule.ts'
import type { DeliveringOrganization, DeliveryShares } from '../context/outbound/delivery-shares.ts'
import { DeliveryQueue, type DeferredResource, type QueuedDelivery } from './queue.ts'
import { receivesEvent } from './event-filter.ts'
import type { RecordState } from '../../engine/records/record.ts'

/** Most concurrent deliveries of one webhook. */
const MAX_AT_ONCE = 8
const PAGE = 64
/** Number of skipped events after which progress is recorded, even if nothing was delivered. */
const MAX_PASSED_UNREPORTED = 1_000
/** The wall clock may be changed, so due times are checked again at this interval. */
const MAX_PAUSE_MS = 60_000
const TROUBLE_MS = 5_000

export interface DeliveryPorts {
  readonly events: EventLog
  readonly clock: Clock
  readonly permits: DeliveryShares
  /** Does not reject for a fault of the target. */
  send(event: EventRecord, signal: AbortSignal): Promise<Result>
  /** Records progress; resolves once it is durable, with false if the round is over. */
  recordProgress(event: Extract<WebhookEvent, { readonly type: `clock.${string}` }>): Promise<boolean>
  warn(fields: object, message: string): void
}

export class DeliveryWorker {
  readonly round: number
  readonly #webhook: RecordState<'webhook'>
  readonly #ports: DeliveryPorts
  readonly #queue: DeliveryQueue
  readonly #stopping = new AbortController()
  readonly #unsubscribe: () => void
  readonly #turned = (): void => this.#turn()
  #attempts: DeliveryAttempt[] = []
  #recorded: number
  #changed = false
  #ended: 'GONE' | 'EXHAUSTED' | null = null
  #sending = 0
  /** Concurrent deliveries now: one until the target answers, so that a silent one holds no permits of others. */
  #atOnce = 1
  #reading = false
  #writing: Promise<void> | null = null
  #timer: Timer | null = null

  constructor(webhook: RecordState<'webhook'>, ports: DeliveryPorts) {
    const { round, cursor, waiting } = webhook.context
    this.round = round
    this.#webhook = webhook
    this.#ports = ports
    this.#queue = new DeliveryQueue(cursor, waiting)
    this.#recorded = cursor
    this.#unsubscribe = ports.events.subscribe(webhook.tenant, this.#turned)
    this.#turn()
  }

  /** Number of events of the tenant that are not processed yet. */
  get behind(): number {
    return Math.max(0, this.#ports.events.lastSequence(this.#webhook.tenant) - this.#queue.cursor)
  }

  /** Deliveries under way count as not delivered. Resolves after the last write. */
  async stop(): Promise<void> {
    this.#halt()
    await this.#writing
  }

  #halt(): void {
    if (this.#stopping.signal.aborted) return
    this.#stopping.abort()
    this.#unsubscribe()
    this.#ports.permits.forget(this.#turned)
    if (this.#timer !== null) this.#ports.clock.clearTimeout(this.#timer)
  }

  get #holder(): DeliveringOrganization {
    const { tenant, context } = this.#webhook
    return { tenant, organization: context.organization }
  }

  get #over(): boolean {
    return this.#stopping.signal.aborted || this.#ended !== null
  }

  /** Starts all work that can be started now. */
  #turn(): void {
    if (this.#over) return
    if (
      !this.#reading &&
      this.#queue.hasRoom &&
      this.#queue.readTo < this.#ports.events.lastSequence(this.#webhook.tenant)
    ) {
      this.#reading = true
      this.#run(() => this.#read())
    }
    while (this.#sending < this.#atOnce && this.#startNext());
    this.#wakeLater()
  }

  /** False if there is nothing to start, or no permit. */
  #startNext(): boolean {
    const { permits } = this.#ports
    const deferred = this.#queue.due((dueAtMs) => this.#isDue(dueAtMs))
    const queued = deferred === undefined ? this.#queue.next() : undefined
    if (deferred === undefined && queued === undefined) return false
    if (!permits.take(this.#holder, this.#turned)) {
      if (deferred !== undefined) deferred.busy = false
      if (queued !== undefined) this.#queue.putBack(queued)
      return false
    }
    if (deferred !== undefined) this.#start(() => this.#retry(deferred))
    if (queued !== undefined) this.#start(() => this.#deliver(queued))
    return true
  }

  #start(work: () => Promise<void>): void {
    this.#sending += 1
    this.#run(async () => {
      try {
        await work()
      } finally {
        this.#sending -= 1
        this.#ports.permits.give(this.#holder)
      }
    })
  }

  #run(work: () => Promise<void>): void {
    work().then(
      () => {
        this.#writeProgress()
        this.#turn()
      },
      (error: unknown) => {
        if (this.#over) return
        this.#ports.warn({ err: error, webhook: this.#webhook.id }, 'deliveries of a webhook are interrupted')
        this.#ports.clock.setTimeout(this.#turned, TROUBLE_MS)
      },
    )
  }

  async #read(): Promise<void> {
    try {
      const page = await this.#ports.events.after(this.#webhook.tenant, this.#queue.readTo, PAGE)
      if (!this.#over) this.#queue.read(page, (event) => receivesEvent(this.#webhook, event))
    } finally {
      this.#reading = false
    }
  }

  async #deliver(queued: QueuedDelivery): Promise<void> {
    try {
      const verdict = await this.#try(queued.event, 0)
      if (verdict === 'delivered') this.#queue.delivered(queued)
      else if (typeof verdict === 'number') this.#queue.failed(queued, verdict)
      else this.#queue.putBack(queued)
    } catch (error) {
      this.#queue.putBack(queued)
      throw error
    }
  }

  /** Retries the event at which a deferred resource is blocked; the event is read from the log again. */
  async #retry(deferred: DeferredResource): Promise<void> {
    try {
      const event = await this.#seek(deferred)
      if (event === null || this.#over) return
      const verdict = await this.#try(event, deferred.failures)
      if (verdict === 'delivered') this.#queue.deferredDelivered(deferred, this.#ports.clock.now())
      else if (typeof verdict === 'number') this.#queue.deferredFailed(deferred, verdict)
    } finally {
      deferred.busy = false
    }
  }

  async #seek(deferred: DeferredResource): Promise<EventRecord | null> {
    while (!this.#over) {
      const from = deferred.sequence
      const page = await this.#ports.events.after(this.#webhook.tenant, from - 1, PAGE)
      const found = page.find(
        (event) => event.resource.offchainId === deferred.resource && receivesEvent(this.#webhook, event),
      )
      const reached = found?.sequence ?? (page.at(-1)?.sequence ?? Math.max(this.#queue.readTo, from - 1)) + 1
      const back = this.#queue.sought(deferred, reached)
      if (back || reached !== from) this.#changed = true
      if (back) return null
      if (found !== undefined) return found
    }
    return null
  }

  /** `delivered`, the due time of the next attempt (Unix milliseconds), or `over` if the result no longer matters. */
  async #try(event: EventRecord, failures: number): Promise<'delivered' | 'over' | number> {
    const { clock } = this.#ports
    const at = new Date(clock.now()).toISOString()
    const { status, error, retryAfterMs } = await this.#ports.send(event, this.#stopping.signal)
    if (this.#over) return 'over'
    this.#atOnce = status === null ? 1 : Math.min(this.#atOnce * 2, MAX_AT_ONCE)
    this.#note({
      eventId: event.id,
      sequence: event.sequence,
      type: event.type,
      attempt: failures + 1,
      at,
      status,
      error,
    })
    if (error === null) return 'delivered'
    const delayMs = status === 410 ? null : delayAfter(failures + 1, clock.random(), retryAfterMs)
    if (delayMs !== null) return clock.now() + delayMs
    this.#ended = status === 410 ? 'GONE' : 'EXHAUSTED'
    return 'over'
  }

  #note(attempt: DeliveryAttempt): void {
    this.#changed = true
    this.#attempts.push(attempt)
    if (this.#attempts.length > ATTEMPTS_KEPT) this.#attempts.shift()
  }

  /** One write at a time; progress made during a write is part of the next one. */
  #writeProgress(): void {
    const passed = this.#queue.cursor - this.#recorded >= MAX_PASSED_UNREPORTED
    if (this.#stopping.signal.aborted || this.#writing !== null || !(this.#changed || passed)) return
    const attempts = this.#attempts
    this.#attempts = []
    this.#changed = false
    this.#recorded = this.#queue.cursor
    const progress = { round: this.round, cursor: this.#queue.cursor, waiting: this.#queue.waiting(), attempts }
    const because = this.#ended
    const at = new Date(this.#ports.clock.now()).toISOString()
    const recorded = this.#ports.recordProgress(
      because === null ? { type: 'clock.progressed', ...progress } : { type: 'clock.ended', ...progress, at, because },
    )
    // A failed write ends the process.
    this.#writing = recorded.then(
      (goesOn) => {
        this.#writing = null
        if (goesOn && because === null) this.#writeProgress()
        else this.#halt()
      },
      () => this.#halt(),
    )
  }

  #isDue(dueAtMs: number): boolean {
    const now = this.#ports.clock.now()
    return dueAtMs <= now || dueAtMs > now + MAX_RETRY_WAIT_MS
  }

  #wakeLater(): void {
    const { clock } = this.#ports
    if (this.#timer !== null) clock.clearTimeout(this.#timer)
    this.#timer = null
    const dueAtMs = this.#queue.nextDueAtMs
    // An event that is already due waits for a running delivery to end.
    if (dueAtMs === null || this.#isDue(dueAtMs)) return
    this.#timer = clock.setTimeout(this.#turned, Math.min(dueAtMs - clock.now(), MAX_PAUSE_MS))
  }
}
