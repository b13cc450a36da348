// Subscribes to changes of accounts over a cluster's websocket, at `confirmed`. A notification is only a hint to read
// the account: notifications may be lost, and a single endpoint is not sufficient evidence. After every gap (a broken
// connection, a new subscription) `hear` is called for each account that may have changed meanwhile.
import type { Clock, Timer } from '../time/clock.ts'
import type { OpenSocket, Socket } from './socket.ts'

export interface FeedSettings {
  /** Websocket URLs, tried in turn. */
  readonly urls: readonly string[]
  readonly clock: Clock
  readonly open: OpenSocket
  /**
   * The account may have changed by this slot; 0: slot unknown, read it in any case.
   * @param value The account as the endpoint reports it, not validated; undefined if the notification has none.
   */
  readonly hear: (address: string, slot: number, value?: unknown) => void
  /** The message contains no URL. */
  readonly notice: (message: string) => void
}

/** Most subscription requests that are unanswered at a time. */
const ASKED_AT_ONCE = 100
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000
const PING_MS = 10_000
/** A connection without any incoming data for this long counts as broken. */
const SILENCE_MS = 25_000

export class AccountFeed {
  readonly #settings: FeedSettings
  readonly #wanted = new Set<string>()
  /** Subscriptions of the current connection. */
  readonly #idOf = new Map<string, number>()
  readonly #addressOf = new Map<number, string>()
  readonly #asked = new Map<number, string>()
  #toAsk: string[] = []
  #socket: Socket | null = null
  #isOpen = false
  #turn = 0
  #lastId = 0
  #pauseMs = FIRST_PAUSE_MS
  #refused = 0
  #heardAt = 0
  #timer: Timer | null = null
  #stopped = false

  constructor(settings: FeedSettings) {
    this.#settings = settings
  }

  /** Number of active subscriptions. */
  get standing(): number {
    return this.#idOf.size
  }

  watch(address: string): void {
    if (this.#stopped || this.#wanted.has(address)) return
    this.#wanted.add(address)
    if (this.#isOpen) {
      this.#toAsk.push(address)
      this.#ask()
    } else if (this.#socket === null && this.#timer === null) this.#connect()
  }

  forget(address: string): void {
    if (!this.#wanted.delete(address)) return
    const id = this.#idOf.get(address)
    if (id === undefined) return
    this.#idOf.delete(address)
    this.#addressOf.delete(id)
    this.#send('accountUnsubscribe', [id])
  }

  close(): void {
    this.#stopped = true
    this.#wait(null, 0)
    this.#socket?.close()
  }

  #connect(): void {
    const { urls, open, clock } = this.#settings
    const url = urls[this.#turn % urls.length]
    this.#turn += 1
    if (url === undefined || this.#stopped) return
    this.#heardAt = clock.elapsed()
    const socket: Socket = open(url, {
      opened: () => this.#opened(),
      heard: () => (this.#heardAt = clock.elapsed()),
      message: (text) => this.#message(text),
      closed: () => this.#closed(),
    })
    this.#socket = socket
  }

  #opened(): void {
    if (this.#stopped) return
    this.#isOpen = true
    this.#refused = 0
    this.#toAsk = [...this.#wanted]
    this.#ask()
    this.#wait(() => this.#tend(), PING_MS)
  }

  /** Sends a ping, and closes a connection that has been silent for too long. */
  #tend(): void {
    if (this.#settings.clock.elapsed() - this.#heardAt > SILENCE_MS) this.#socket?.close()
    else {
      this.#socket?.ping()
      this.#wait(() => this.#tend(), PING_MS)
    }
  }

  #closed(): void {
    const wasOpen = this.#isOpen
    this.#socket = null
    this.#isOpen = false
    for (const kept of [this.#idOf, this.#addressOf, this.#asked]) kept.clear()
    this.#toAsk = []
    if (this.#stopped) return
    if (wasOpen || this.#pauseMs === FIRST_PAUSE_MS) this.#settings.notice('the websocket broke or cannot be opened; trying again')
    // The pause is short again once an endpoint has answered a subscription.
    const pauseMs = this.#pauseMs * (0.5 + this.#settings.clock.random() / 2)
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
    this.#wait(() => {
      if (this.#wanted.size > 0) this.#connect()
    }, pauseMs)
  }

  #ask(): void {
    while (this.#asked.size < ASKED_AT_ONCE) {
      const address = this.#toAsk.pop()
      if (address === undefined) return
      if (!this.#wanted.has(address)) continue
      this.#asked.set(this.#send('accountSubscribe', [address, { encoding: 'base64', commitment: 'confirmed' }]), address)
    }
  }

  #message(text: string): void {
    const message = parsed(text)
    const asked = typeof message.id === 'number' ? this.#asked.get(message.id) : undefined
    if (asked !== undefined) this.#answered(message.id as number, asked, message.result)
    else if (message.method === 'accountNotification') this.#notified(message.params)
  }

  #answered(question: number, address: string, id: unknown): void {
    this.#asked.delete(question)
    if (typeof id === 'number') {
      this.#pauseMs = FIRST_PAUSE_MS
      this.#idOf.set(address, id)
      this.#addressOf.set(id, address)
      if (this.#wanted.has(address)) this.#settings.hear(address, 0)
      else this.#unwanted(address, id)
    } else {
      this.#refused += 1
      if (this.#refused === 1) this.#settings.notice('the endpoint refuses subscriptions; what it refuses is only compared now and then')
    }
    this.#ask()
  }

  /** The account was forgotten while the request was in flight: unsubscribe. */
  #unwanted(address: string, id: number): void {
    this.#idOf.delete(address)
    this.#addressOf.delete(id)
    this.#send('accountUnsubscribe', [id])
  }

  #notified(params: Notification['params']): void {
    const address = this.#addressOf.get(params?.subscription as number)
    const { context, value } = params?.result ?? {}
    const slot = context?.slot
    if (address !== undefined) this.#settings.hear(address, typeof slot === 'number' && Number.isSafeInteger(slot) ? slot : 0, value)
  }

  #send(method: string, params: readonly unknown[]): number {
    this.#lastId += 1
    this.#socket?.send(JSON.stringify({ jsonrpc: '2.0', id: this.#lastId, method, params }))
    return this.#lastId
  }

  /** One timer, for either the next connection attempt or the next ping. */
  #wait(action: (() => void) | null, delayMs: number): void {
    const { clock } = this.#settings
    if (this.#timer !== null) clock.clearTimeout(this.#timer)
    this.#timer =
      action === null
        ? null
        : clock.setTimeout(() => {
            this.#timer = null
            action()
          }, delayMs)
  }
}

interface Notification {
  readonly id?: unknown
  readonly result?: unknown
  readonly method?: unknown
  readonly params?: {
    readonly subscription?: unknown
    readonly result?: { readonly context?: { readonly slot?: unknown } | null; readonly value?: unknown } | null
  } | null
}

/** Returns an empty object for anything but a JSON object. */
function parsed(text: string): Notification {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
