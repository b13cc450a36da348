// What one webhook has still to deliver, and in which order: pure bookkeeping, without a clock of its own.
//
// Events are read ahead up to `readTo` and those wanted stand in line. Of each resource the first goes first, and no second one before it
// is settled; resources do not wait for each other. A resource whose event failed leaves the line and waits aside, with everything that
// comes after it: the line moves on, and what was left behind is found again in the log, from the sequence where the resource stands.
import { WAITING_MOST, type Waiting } from '../../../machines/webhook.ts'
import type { EventRecord } from '../../contract/event-record.ts'

/** An event in line. */
export interface Standing {
  readonly event: EventRecord
  state: 'ready' | 'sending' | 'settled'
}

/** A resource aside. */
export interface Aside {
  readonly resource: string
  /** Nothing of it before this is undelivered. */
  sequence: number
  failures: number
  /** Unix milliseconds. */
  dueAtMs: number
  busy: boolean
}

/** Events in line at which no more are read ahead. */
const LINE_LONG_ENOUGH = 64

export class DeliveryQueue {
  readonly #line: Standing[] = []
  readonly #aside: Map<string, Aside>
  #cursor: number
  #readTo: number

  constructor(cursor: number, waiting: readonly Waiting[]) {
    this.#cursor = cursor
    this.#readTo = cursor
    this.#aside = new Map(
      waiting.map(({ resource, sequence, failures, dueAt }) => {
        return [resource, { resource, sequence, failures, dueAtMs: Date.parse(dueAt), busy: false }]
      }),
    )
  }

  /** Everything up to here is delivered, or of a resource that stands aside. */
  get cursor(): number {
    return this.#cursor
  }

  get readTo(): number {
    return this.#readTo
  }

  /** How many events stand in line: bounded. */
  get length(): number {
    return this.#line.length
  }

  get hasRoom(): boolean {
    return this.#line.length < LINE_LONG_ENOUGH || [...this.#aside.values()].some((aside) => !this.#isRead(aside))
  }

  /** After a start the log is read again up to where a resource stands, before it is tried: the line must know what it has behind it. */
  #isRead({ sequence }: Aside): boolean {
    return sequence <= this.#readTo + 1
  }

  /** What the record is to say of the resources aside. */
  waiting(): Waiting[] {
    return [...this.#aside.values()].map(({ resource, sequence, failures, dueAtMs }) => {
      return { resource, sequence, failures, dueAt: new Date(dueAtMs).toISOString() }
    })
  }

  /** The events that follow what was read so far; `wanted` says which of them are delivered. */
  read(events: readonly EventRecord[], wanted: (event: EventRecord) => boolean): void {
    for (const event of events) {
      this.#readTo = event.sequence
      if (wanted(event)) this.#line.push({ event, state: 'ready' })
    }
    this.#advance()
  }

  /** The next event that may be sent now, which counts as being sent from here on. There is room aside for it to fail. */
  next(): Standing | undefined {
    const before = new Set<string>()
    let sending = 0
    for (const { state } of this.#line) if (state === 'sending') sending += 1
    if (this.#aside.size + sending >= WAITING_MOST) return undefined
    for (const standing of this.#line) {
      const resource = standing.event.resource.offchainId
      if (standing.state === 'ready' && !before.has(resource) && !this.#aside.has(resource)) {
        standing.state = 'sending'
        return standing
      }
      if (standing.state !== 'settled') before.add(resource)
    }
    return undefined
  }

  delivered(standing: Standing): void {
    standing.state = 'settled'
    this.#advance()
  }

  /** Its resource stands aside from now on. */
  failed(standing: Standing, dueAtMs: number): void {
    const { sequence, resource } = standing.event
    standing.state = 'settled'
    this.#aside.set(resource.offchainId, { resource: resource.offchainId, sequence, failures: 1, dueAtMs, busy: false })
    this.#advance()
  }

  /** It was not sent after all, or it does not matter any more whether it was. */
  putBack(standing: Standing): void {
    standing.state = 'ready'
  }

  /** A resource aside whose time has come by `isDue`; it is busy from here on. */
  due(isDue: (dueAtMs: number) => boolean): Aside | undefined {
    for (const aside of this.#aside.values()) {
      if (aside.busy || !this.#isRead(aside) || !isDue(aside.dueAtMs)) continue
      aside.busy = true
      return aside
    }
    return undefined
  }

  /** When the first of the idle resources aside is due. */
  get nextDueAtMs(): number | null {
    let first: number | null = null
    for (const { busy, dueAtMs } of this.#aside.values()) if (!busy && (first === null || dueAtMs < first)) first = dueAtMs
    return first
  }

  /**
   * The log holds nothing for a resource aside before `sequence`; true when that is past the cursor, so that it is back in line.
   *
   * An event that failed is retried from aside even while it is past the cursor: the line counts it as settled and would skip it.
   */
  sought(aside: Aside, sequence: number): boolean {
    aside.sequence = sequence
    if (sequence <= this.#cursor || aside.failures > 0) return false
    this.#aside.delete(aside.resource)
    // Read again after a start: these were delivered before it.
    for (const standing of this.#line) {
      const { event } = standing
      if (event.resource.offchainId === aside.resource && event.sequence < sequence) standing.state = 'settled'
    }
    this.#advance()
    return true
  }

  /** The event at which a resource aside stands is delivered: on to the one after. */
  asideDelivered(aside: Aside, dueAtMs: number): void {
    aside.sequence += 1
    aside.failures = 0
    aside.dueAtMs = dueAtMs
    aside.busy = false
  }

  asideFailed(aside: Aside, dueAtMs: number): void {
    aside.failures += 1
    aside.dueAtMs = dueAtMs
    aside.busy = false
  }

  #advance(): void {
    let settled = 0
    for (const { state, event } of this.#line) {
      if (state !== 'settled' && !this.#aside.has(event.resource.offchainId)) break
      settled += 1
    }
    this.#line.splice(0, settled)
    this.#cursor = this.#line[0] === undefined ? this.#readTo : this.#line[0].event.sequence - 1
  }
}
