// Queue of one webhook's events: pure bookkeeping without a clock.
//
// Events are read ahead up to `readTo`, and the wanted ones enter the line. Events of one resource are sent in order,
// each after the previous one is settled; resources do not wait for each other. A resource whose event failed leaves
// the line and is deferred (`DeferredResource`) with all its later events: the line proceeds, and the deferred events
// are read from the log again, from the sequence at which the resource is blocked.
import { MAX_WAITING_RESOURCES, type WaitingResource } from '../../../machines/webhook.ts'
import type { EventRecord } from '../../contract/schemas/event.ts'

/** An event in the line. */
export interface QueuedDelivery {
  readonly event: EventRecord
  state: 'ready' | 'sending' | 'settled'
}

/** A deferred resource. */
export interface DeferredResource {
  readonly resource: string
  /** All events of the resource before this sequence are delivered. */
  sequence: number
  failures: number
  /** Unix milliseconds. */
  dueAtMs: number
  busy: boolean
}

/** Number of events in the line at which reading ahead stops. */
const LINE_LONG_ENOUGH = 64

export class DeliveryQueue {
  readonly #line: QueuedDelivery[] = []
  readonly #deferred: Map<string, DeferredResource>
  #cursor: number
  #readTo: number

  constructor(cursor: number, waiting: readonly WaitingResource[]) {
    this.#cursor = cursor
    this.#readTo = cursor
    this.#deferred = new Map(
      waiting.map(({ resource, sequence, failures, dueAt }) => {
        return [resource, { resource, sequence, failures, dueAtMs: Date.parse(dueAt), busy: false }]
      }),
    )
  }

  /** All events up to here are delivered, or belong to a deferred resource. */
  get cursor(): number {
    return this.#cursor
  }

  get readTo(): number {
    return this.#readTo
  }

  /** Number of events in the line; bounded. */
  get length(): number {
    return this.#line.length
  }

  get hasRoom(): boolean {
    return (
      this.#line.length < LINE_LONG_ENOUGH || [...this.#deferred.values()].some((deferred) => !this.#isRead(deferred))
    )
  }

  /**
   * After a start, the log is read up to the sequence of a deferred resource before it is retried: the line must
   * contain the events that follow.
   */
  #isRead({ sequence }: DeferredResource): boolean {
    return sequence <= this.#readTo + 1
  }

  /** The deferred resources, as the record stores them. */
  waiting(): WaitingResource[] {
    return [...this.#deferred.values()].map(({ resource, sequence, failures, dueAtMs }) => {
      return { resource, sequence, failures, dueAt: new Date(dueAtMs).toISOString() }
    })
  }

  /**
   * Adds the events that follow those read so far.
   *
   * @param wanted selects the events to deliver
   */
  read(events: readonly EventRecord[], wanted: (event: EventRecord) => boolean): void {
    for (const event of events) {
      this.#readTo = event.sequence
      if (wanted(event)) this.#line.push({ event, state: 'ready' })
    }
    this.#advance()
  }

  /**
   * The next event that may be sent; its state becomes `sending`. Returns none if its failure would exceed the number
   * of deferred resources that can be stored.
   */
  next(): QueuedDelivery | undefined {
    const before = new Set<string>()
    let sending = 0
    for (const { state } of this.#line) if (state === 'sending') sending += 1
    if (this.#deferred.size + sending >= MAX_WAITING_RESOURCES) return undefined
    for (const queued of this.#line) {
      const resource = queued.event.resource.offchainId
      if (queued.state === 'ready' && !before.has(resource) && !this.#deferred.has(resource)) {
        queued.state = 'sending'
        return queued
      }
      if (queued.state !== 'settled') before.add(resource)
    }
    return undefined
  }

  delivered(queued: QueuedDelivery): void {
    queued.state = 'settled'
    this.#advance()
  }

  /** Defers the resource of the event. */
  failed(queued: QueuedDelivery, dueAtMs: number): void {
    const { sequence, resource } = queued.event
    queued.state = 'settled'
    this.#deferred.set(resource.offchainId, {
      resource: resource.offchainId,
      sequence,
      failures: 1,
      dueAtMs,
      busy: false,
    })
    this.#advance()
  }

  /** The event was not sent, or its result no longer matters. */
  putBack(queued: QueuedDelivery): void {
    queued.state = 'ready'
  }

  /** A deferred resource that is due by `isDue`; it becomes busy. */
  due(isDue: (dueAtMs: number) => boolean): DeferredResource | undefined {
    for (const deferred of this.#deferred.values()) {
      if (deferred.busy || !this.#isRead(deferred) || !isDue(deferred.dueAtMs)) continue
      deferred.busy = true
      return deferred
    }
    return undefined
  }

  /** The earliest due time of the deferred resources that are not busy. */
  get nextDueAtMs(): number | null {
    let first: number | null = null
    for (const { busy, dueAtMs } of this.#deferred.values())
      if (!busy && (first === null || dueAtMs < first)) first = dueAtMs
    return first
  }

  /**
   * The log contains no event of the deferred resource before `sequence`. Returns true if that is past the cursor,
   * and the resource returns to the line.
   *
   * A failed event is retried as deferred even if it is past the cursor: the line counts it as settled and would skip
   * it.
   */
  sought(deferred: DeferredResource, sequence: number): boolean {
    deferred.sequence = sequence
    if (sequence <= this.#cursor || deferred.failures > 0) return false
    this.#deferred.delete(deferred.resource)
    // After a start the line contains events that were delivered before.
    for (const queued of this.#line) {
      const { event } = queued
      if (event.resource.offchainId === deferred.resource && event.sequence < sequence) queued.state = 'settled'
    }
    this.#advance()
    return true
  }

  /** The event at which the resource was blocked is delivered; continues with the next one. */
  deferredDelivered(deferred: DeferredResource, dueAtMs: number): void {
    deferred.sequence += 1
    deferred.failures = 0
    deferred.dueAtMs = dueAtMs
    deferred.busy = false
  }

  deferredFailed(deferred: DeferredResource, dueAtMs: number): void {
    deferred.failures += 1
    deferred.dueAtMs = dueAtMs
    deferred.busy = false
  }

  #advance(): void {
    let settled = 0
    for (const { state, event } of this.#line) {
      if (state !== 'settled' && !this.#deferred.has(event.resource.offchainId)) break
      settled += 1
    }
    this.#line.splice(0, settled)
    this.#cursor = this.#line[0] === undefined ? this.#readTo : this.#line[0].event.sequence - 1
  }
}
