// Delivers the events of one webhook for one round (until it is disabled, or told to redeliver): reads ahead, sends, and writes down how far
// it has got. An event counts as delivered only once that is on disk: a crash in between delivers it again, under the same id.
import { ATTEMPTS_KEPT, type Attempt, type WebhookEvent } from '../../../machines/webhook.ts'
import type { Clock, Timer } from '../../time/clock.ts'
import type { EventLog, EventRecord } from '../../contract/event-record.ts'
import type { Result } from './attempt.ts'
import { delayAfter, LONGEST_WAIT_MS } from './ladder.ts'
import type { Permits } from '../context/outbound/permits.ts'
import { DeliveryQueue, type Aside, type Standing } from './queue.ts'
import { wants } from './wants.ts'
import type { RecordState } from '../../engine/records/record.ts'

/** Of one webhook. */
const AT_ONCE = 8
const PAGE = 64
/** Events that it does not want are noted as passed so many at a time. */
const PASSED_UNTOLD = 1_000
/** The wall clock may be set: due times are compared with it again and again. */
const LOOK_AGAIN_MS = 60_000
const TROUBLE_MS = 5_000

export interface CourierPorts {
  readonly events: EventLog
  readonly clock: Clock
  readonly permits: Permits
  /** Never rejects for a fault of the target. */
  send(event: EventRecord, signal: AbortSignal): Promise<Result>
  /** Writes it down; resolves once it is durable, false when the round is over. */
  tell(event: Extract<WebhookEvent, { readonly type: `clock.${string}` }>): Promise<boolean>
  warn(fields: object, message: string): void
}

export class Courier {
  readonly round: number
  readonly #webhook: RecordState<'webhook'>
  readonly #ports: CourierPorts
  readonly #queue: DeliveryQueue
  readonly #stopping = new AbortController()
  readonly #unsubscribe: () => void
  readonly #turned = (): void => this.#turn()
  #attempts: Attempt[] = []
  #told: number
  #changed = false
  #ended: 'GONE' | 'EXHAUSTED' | null = null
  #sending = 0
  #reading = false
  #telling: Promise<void> | null = null
  #timer: Timer | null = null

  constructor(webhook: RecordState<'webhook'>, ports: CourierPorts) {
    const { round, cursor, waiting } = webhook.context
    this.round = round
    this.#webhook = webhook
    this.#ports = ports
    this.#queue = new DeliveryQueue(cursor, waiting)
    this.#told = cursor
    this.#unsubscribe = ports.events.subscribe(webhook.tenant, this.#turned)
    this.#turn()
  }

  /** Events of the tenant that it has not passed yet. */
  get behind(): number {
    return Math.max(0, this.#ports.events.lastSequence(this.#webhook.tenant) - this.#queue.cursor)
  }

  /** What is on its way counts as not delivered. Resolves once nothing of it is written any more. */
  async stop(): Promise<void> {
    this.#halt()
    await this.#telling
  }

  #halt(): void {
    if (this.#stopping.signal.aborted) return
    this.#stopping.abort()
    this.#unsubscribe()
    this.#ports.permits.forget(this.#turned)
    if (this.#timer !== null) this.#ports.clock.clearTimeout(this.#timer)
  }

  get #over(): boolean {
    return this.#stopping.signal.aborted || this.#ended !== null
  }

  /** Starts whatever can be started now. */
  #turn(): void {
    if (this.#over) return
    if (!this.#reading && this.#queue.hasRoom && this.#queue.readTo < this.#ports.events.lastSequence(this.#webhook.tenant)) {
      this.#reading = true
      this.#run(() => this.#read())
    }
    while (this.#sending < AT_ONCE && this.#startNext());
    this.#wakeLater()
  }

  /** False when there is nothing to start, or no permit for it. */
  #startNext(): boolean {
    const { permits } = this.#ports
    const aside = this.#queue.due((dueAtMs) => this.#isDue(dueAtMs))
    const standing = aside === undefined ? this.#queue.next() : undefined
    if (aside === undefined && standing === undefined) return false
    if (!permits.take(this.#webhook.tenant, this.#turned)) {
      if (aside !== undefined) aside.busy = false
      if (standing !== undefined) this.#queue.putBack(standing)
      return false
    }
    if (aside !== undefined) this.#start(() => this.#retry(aside))
    if (standing !== undefined) this.#start(() => this.#deliver(standing))
    return true
  }

  #start(work: () => Promise<void>): void {
    this.#sending += 1
    this.#run(async () => {
      try {
        await work()
      } finally {
        this.#sending -= 1
        this.#ports.permits.give(this.#webhook.tenant)
      }
    })
  }

  #run(work: () => Promise<void>): void {
    work().then(
      () => {
        this.#tell()
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
      if (!this.#over) this.#queue.read(page, (event) => wants(this.#webhook, event))
    } finally {
      this.#reading = false
    }
  }

  async #deliver(standing: Standing): Promise<void> {
    try {
      const verdict = await this.#try(standing.event, 0)
      if (verdict === 'delivered') this.#queue.delivered(standing)
      else if (typeof verdict === 'number') this.#queue.failed(standing, verdict)
      else this.#queue.putBack(standing)
    } catch (error) {
      this.#queue.putBack(standing)
      throw error
    }
  }

  /** The event at which a resource aside stands, found again in the log. */
  async #retry(aside: Aside): Promise<void> {
    try {
      const event = await this.#seek(aside)
      if (event === null || this.#over) return
      const verdict = await this.#try(event, aside.failures)
      if (verdict === 'delivered') this.#queue.asideDelivered(aside, this.#ports.clock.now())
      else if (typeof verdict === 'number') this.#queue.asideFailed(aside, verdict)
    } finally {
      aside.busy = false
    }
  }

  async #seek(aside: Aside): Promise<EventRecord | null> {
    while (!this.#over) {
      const from = aside.sequence
      const page = await this.#ports.events.after(this.#webhook.tenant, from - 1, PAGE)
      const found = page.find((event) => event.resource.offchainId === aside.resource && wants(this.#webhook, event))
      const reached = found?.sequence ?? (page.at(-1)?.sequence ?? Math.max(this.#queue.readTo, from - 1)) + 1
      const back = this.#queue.sought(aside, reached)
      if (back || reached !== from) this.#changed = true
      if (back) return null
      if (found !== undefined) return found
    }
    return null
  }

  /** `delivered`, when the next try is due (Unix milliseconds), or that it makes no difference any more. */
  async #try(event: EventRecord, failures: number): Promise<'delivered' | 'over' | number> {
    const { clock } = this.#ports
    const at = new Date(clock.now()).toISOString()
    const { status, error, retryAfterMs } = await this.#ports.send(event, this.#stopping.signal)
    if (this.#over) return 'over'
    this.#note({ eventId: event.id, sequence: event.sequence, type: event.type, attempt: failures + 1, at, status, error })
    if (error === null) return 'delivered'
    const delayMs = status === 410 ? null : delayAfter(failures + 1, clock.random(), retryAfterMs)
    if (delayMs !== null) return clock.now() + delayMs
    this.#ended = status === 410 ? 'GONE' : 'EXHAUSTED'
    return 'over'
  }

  #note(attempt: Attempt): void {
    this.#changed = true
    this.#attempts.push(attempt)
    if (this.#attempts.length > ATTEMPTS_KEPT) this.#attempts.shift()
  }

  /** One write at a time: what happens meanwhile goes into the next. */
  #tell(): void {
    const passed = this.#queue.cursor - this.#told >= PASSED_UNTOLD
    if (this.#stopping.signal.aborted || this.#telling !== null || !(this.#changed || passed)) return
    const attempts = this.#attempts
    this.#attempts = []
    this.#changed = false
    this.#told = this.#queue.cursor
    const progress = { round: this.round, cursor: this.#queue.cursor, waiting: this.#queue.waiting(), attempts }
    const because = this.#ended
    const at = new Date(this.#ports.clock.now()).toISOString()
    const told = this.#ports.tell(
      because === null ? { type: 'clock.progressed', ...progress } : { type: 'clock.ended', ...progress, at, because },
    )
    // A write that fails ends the process.
    this.#telling = told.then(
      (goesOn) => {
        this.#telling = null
        if (goesOn && because === null) this.#tell()
        else this.#halt()
      },
      () => this.#halt(),
    )
  }

  #isDue(dueAtMs: number): boolean {
    const now = this.#ports.clock.now()
    return dueAtMs <= now || dueAtMs > now + LONGEST_WAIT_MS
  }

  #wakeLater(): void {
    const { clock } = this.#ports
    if (this.#timer !== null) clock.clearTimeout(this.#timer)
    this.#timer = null
    const dueAtMs = this.#queue.nextDueAtMs
    // Due already: it waits for one of those under way to end.
    if (dueAtMs === null || this.#isDue(dueAtMs)) return
    this.#timer = clock.setTimeout(this.#turned, Math.min(dueAtMs - clock.now(), LOOK_AGAIN_MS))
  }
}
