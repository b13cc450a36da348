// Server-sent events. Each stream reads the log on its own, page by page and only as fast as its client reads, so a
// slow client costs one page of memory. A client that reads nothing for `stalledMs` is disconnected and resumes later
// from its last event id. Rights are checked before every page.
import type { ServerResponse } from 'node:http'
import type { EventPage } from '../contract/schemas/event.ts'
import type { Exchange } from './exchange.ts'
import { waitForDrain, isOpen } from './pieces.ts'
import { Refusal } from '../contract/refusal.ts'

export const STREAM_TYPE = 'text/event-stream; charset=utf-8'
const PAGE = 200
/** Reconnection delay sent to clients. */
const RETRY_MS = 2_000

export interface StreamLimits {
  readonly heartbeatMs: number
  /** A client that reads nothing for this time is disconnected. */
  readonly stalledMs: number
  readonly maxOpen: number
  readonly maxPerTenant: number
  readonly maxPerKey: number
}

const LIMITS: StreamLimits = {
  heartbeatMs: 15_000,
  stalledMs: 30_000,
  maxOpen: 1_000,
  maxPerTenant: 100,
  maxPerKey: 20,
}

export interface EventSubscription {
  readonly keyId: string
  /** The tenant of the key, for which the stream counts. */
  readonly tenant: string
  /** The tenant whose events it shows, by the cell of which it is served: another one for a key of SYSTEM. */
  readonly logOf: string
  readonly after: number
  /** Throws when the caller may not read any more. */
  read(after: number, limit: number): Promise<EventPage>
  subscribe(appended: () => void): () => void
}

export class EventStreams {
  readonly #limits: StreamLimits
  readonly #open = new Map<ServerResponse, Pick<EventSubscription, 'keyId' | 'tenant' | 'logOf'>>()

  constructor(limits: Partial<StreamLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits }
  }

  get size(): number {
    return this.#open.size
  }

  /** Throws a Refusal (429). The response has started when it returns. */
  open(exchange: Exchange, followed: EventSubscription): void {
    this.#admit(followed)
    const { res } = exchange
    exchange.respond = false
    // Already closed: there will be no further `close` event.
    if (res.destroyed) return
    res.statusCode = 200
    res.setHeader('Content-Type', STREAM_TYPE)
    res.setHeader('X-Accel-Buffering', 'no')
    this.#open.set(res, followed)
    res.once('close', () => this.#open.delete(res))
    res.write(`retry: ${RETRY_MS}\n\n`)
    send(res, followed, this.#limits).catch(() => res.destroy())
  }

  /** True if a stream of the events of such a tenant is open. */
  has(of: (tenant: string) => boolean): boolean {
    return [...this.#open.values()].some(({ logOf }) => of(logOf))
  }

  /**
   * Ends all streams, or those of the events of some tenants; their clients reconnect to another process or a restarted
   * one.
   */
  end(of: (tenant: string) => boolean = () => true): void {
    for (const [response, { logOf }] of this.#open) if (of(logOf)) response.end()
  }

  #admit({ keyId, tenant }: EventSubscription): void {
    const { maxOpen, maxPerTenant, maxPerKey } = this.#limits
    const open = [...this.#open.values()]
    const ofKey = open.filter((one) => one.keyId === keyId).length
    const ofTenant = open.filter((one) => one.tenant === tenant).length
    if (ofKey < maxPerKey && ofTenant < maxPerTenant && open.length < maxOpen) return
    const rule = `a key may open ${maxPerKey} event streams, a tenant ${maxPerTenant}, the server ${maxOpen}`
    throw new Refusal(429, [{ code: 'TOO_MANY_STREAMS', message: rule, retryable: true }], 1)
  }
}

async function send(
  response: ServerResponse,
  followed: EventSubscription,
  { heartbeatMs, stalledMs }: StreamLimits,
): Promise<void> {
  const newEvents = new NewEvents()
  const unsubscribe = followed.subscribe(() => newEvents.notify())
  response.once('close', () => newEvents.notify())
  try {
    for (let { after } = followed; isOpen(response);) {
      const { items, lastSequence } = await followed.read(after, PAGE)
      if (!isOpen(response)) return
      const moved = lastSequence > after
      // Less for a client that is ahead of the log, as after a restore: it continues with the next event.
      after = lastSequence
      for (const item of items) response.write(message(item))
      if (response.writableNeedDrain && !(await waitForDrain(response, stalledMs))) return void response.destroy()
      if (moved) continue
      const notified = await newEvents.wait(heartbeatMs)
      if (!notified && isOpen(response)) response.write(': \n\n')
    }
  } finally {
    unsubscribe()
  }
}

function message(event: EventPage['items'][number]): string {
  return `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

/** Coalesces notifications: several before `wait` count as one. */
class NewEvents {
  #pending = false
  #wake: ((notified: true) => void) | undefined

  notify(): void {
    this.#pending = true
    this.#wake?.(true)
  }

  /** False: no notification within the time. */
  async wait(withinMs: number): Promise<boolean> {
    let late: NodeJS.Timeout | undefined
    const notified =
      this.#pending ||
      (await new Promise<boolean>((resolve) => {
        this.#wake = resolve
        late = setTimeout(() => resolve(false), withinMs)
      }))
    clearTimeout(late)
    this.#wake = undefined
    this.#pending = false
    return notified
  }
}
