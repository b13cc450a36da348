// Subscribes to changes of accounts and to landings of transactions over a cluster's websocket, at `confirmed`, all on
// one connection. A notification is only a hint to query the account or the status: notifications may be lost or
// forged, and a single endpoint is not sufficient evidence. After every gap (a broken connection, a new subscription)
// the listener of accounts is called for each account that may have changed meanwhile. Landings are queried
// periodically in any case.
import type { Clock, Timer } from '../time/clock.ts'
import type { OpenSocket, Socket } from './socket.ts'

export interface FeedSettings {
  /** Websocket URLs, tried in turn. */
  readonly urls: readonly string[]
  readonly clock: Clock
  readonly open: OpenSocket
  /** The message contains no URL. */
  readonly notice: (message: string) => void
}

/**
 * The account may have changed by this slot; 0: slot unknown, read it in any case.
 * @param value The account as the endpoint reports it, not validated; undefined if the notification has none.
 */
export type AccountListener = (address: string, slot: number, value?: unknown) => void

/** The view that one user has of a feed. */
export type Feed = Omit<ChainFeed, 'isSubscribed'>

/** Maximum number of unanswered subscription requests. */
const ASKED_AT_ONCE = 100
const MAX_ADDRESS_LENGTH = 44
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 30_000
const PING_MS = 10_000
/** A connection without any incoming data for this long counts as broken. */
const SILENCE_MS = 25_000

export class ChainFeed {
  readonly #settings: FeedSettings
  #accountListener: AccountListener = () => undefined
  /** Addresses and signatures; no signature is as short as an address. */
  readonly #watched = new Set<string>()
  /** Callback by watched signature, called once. */
  readonly #landings = new Map<string, () => void>()
  /** Subscriptions of the current connection. */
  readonly #idOf = new Map<string, number>()
  readonly #subjectOf = new Map<number, string>()
  readonly #pendingRequests = new Map<number, string>()
  /** Subjects of `#pendingRequests`: a second subscription to one would be lost, and never end. */
  readonly #pendingSubjects = new Set<string>()
  #toAsk: string[] = []
  #socket: Socket | null = null
  #isOpen = false
  #turn = 0
  #lastId = 0
  #pauseMs = FIRST_PAUSE_MS
  #refused = 0
  #lastDataMs = 0
  #timer: Timer | null = null
  #stopped = false

  constructor(settings: FeedSettings) {
    this.#settings = settings
  }

  /** Number of accounts with an active subscription. */
  get standing(): number {
    return [...this.#idOf.keys()].filter((subject) => !isSignature(subject)).length
  }

  /** True while the endpoint has confirmed a subscription to the account. */
  isSubscribed(address: string): boolean {
    return this.#idOf.has(address)
  }

  /** Sets the listener of all watched accounts. */
  onAccount(listener: AccountListener): void {
    this.#accountListener = listener
  }

  watch(address: string): void {
    this.#want(address)
  }

  forget(address: string): void {
    this.#drop(address)
  }

  /** @param landed Called at most once, when the endpoint claims that the transaction is confirmed. */
  watchSignature(signature: string, landed: () => void): void {
    if (this.#stopped) return
    this.#landings.set(signature, landed)
    this.#want(signature)
  }

  forgetSignature(signature: string): void {
    this.#drop(signature)
    this.#landings.delete(signature)
  }

  close(): void {
    this.#stopped = true
    this.#wait(null, 0)
    this.#socket?.close()
  }

  #want(subject: string): void {
    if (this.#stopped || this.#watched.has(subject)) return
    this.#watched.add(subject)
    if (this.#isOpen) {
      this.#toAsk.push(subject)
      this.#ask()
    } else if (this.#socket === null && this.#timer === null) this.#connect()
  }

  #drop(subject: string): void {
    if (!this.#watched.delete(subject)) return
    const id = this.#idOf.get(subject)
    if (id !== undefined) this.#unsubscribe(subject, id)
  }

  #unsubscribe(subject: string, id: number): void {
    this.#idOf.delete(subject)
    this.#subjectOf.delete(id)
    this.#send(isSignature(subject) ? 'signatureUnsubscribe' : 'accountUnsubscribe', [id])
  }

  #connect(): void {
    const { urls, open, clock } = this.#settings
    const url = urls[this.#turn % urls.length]
    this.#turn += 1
    if (url === undefined || this.#stopped) return
    this.#lastDataMs = clock.elapsed()
    const socket: Socket = open(url, {
      opened: () => this.#opened(),
      received: () => (this.#lastDataMs = clock.elapsed()),
      message: (text) => this.#message(text),
      closed: () => this.#closed(),
    })
    this.#socket = socket
  }

  #opened(): void {
    if (this.#stopped) return
    this.#isOpen = true
    this.#refused = 0
    this.#toAsk = [...this.#watched]
    this.#ask()
    this.#wait(() => this.#keepAlive(), PING_MS)
  }

  /** Sends a ping, and closes a connection that has been silent for too long. */
  #keepAlive(): void {
    if (this.#settings.clock.elapsed() - this.#lastDataMs > SILENCE_MS) this.#socket?.close()
    else {
      this.#socket?.ping()
      this.#wait(() => this.#keepAlive(), PING_MS)
    }
  }

  #closed(): void {
    const wasOpen = this.#isOpen
    this.#socket = null
    this.#isOpen = false
    for (const each of [this.#idOf, this.#subjectOf, this.#pendingRequests, this.#pendingSubjects]) each.clear()
    this.#toAsk = []
    if (this.#stopped) return
    if (wasOpen || this.#pauseMs === FIRST_PAUSE_MS)
      this.#settings.notice('the websocket broke or cannot be opened; trying again')
    // The pause is short again once an endpoint has answered a subscription.
    const pauseMs = this.#pauseMs * (0.5 + this.#settings.clock.random() / 2)
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS)
    this.#wait(() => {
      if (this.#watched.size > 0) this.#connect()
    }, pauseMs)
  }

  #ask(): void {
    while (this.#pendingRequests.size < ASKED_AT_ONCE) {
      const subject = this.#toAsk.pop()
      if (subject === undefined) return
      // Watched again before its request was answered, or twice in the queue: that subscription serves.
      if (!this.#watched.has(subject) || this.#pendingSubjects.has(subject) || this.#idOf.has(subject)) continue
      const question = isSignature(subject)
        ? this.#send('signatureSubscribe', [subject, { commitment: 'confirmed' }])
        : this.#send('accountSubscribe', [subject, { encoding: 'base64', commitment: 'confirmed' }])
      this.#pendingRequests.set(question, subject)
      this.#pendingSubjects.add(subject)
    }
  }

  #message(text: string): void {
    const message = parseNotification(text)
    const subject = typeof message.id === 'number' ? this.#pendingRequests.get(message.id) : undefined
    if (subject !== undefined) this.#answered(message.id as number, subject, message.result)
    else if (message.method === 'accountNotification') this.#notified(message.params)
    else if (message.method === 'signatureNotification') this.#landed(message.params)
  }

  #answered(question: number, subject: string, id: unknown): void {
    this.#pendingRequests.delete(question)
    this.#pendingSubjects.delete(subject)
    if (typeof id === 'number') {
      this.#pauseMs = FIRST_PAUSE_MS
      this.#idOf.set(subject, id)
      this.#subjectOf.set(id, subject)
      // Forgotten while the request was in flight.
      if (!this.#watched.has(subject)) this.#unsubscribe(subject, id)
      else if (!isSignature(subject)) this.#accountListener(subject, 0)
    } else {
      this.#refused += 1
      if (this.#refused === 1)
        this.#settings.notice('the endpoint refuses subscriptions; what it refuses is only compared now and then')
    }
    this.#ask()
  }

  #notified(params: Notification['params']): void {
    const address = this.#subjectOf.get(params?.subscription as number)
    const { context, value } = params?.result ?? {}
    const slot = context?.slot
    if (address === undefined || isSignature(address)) return
    this.#accountListener(address, typeof slot === 'number' && Number.isSafeInteger(slot) ? slot : 0, value)
  }

  /** The endpoint ends a subscription to a signature with its notification. */
  #landed(params: Notification['params']): void {
    const id = params?.subscription as number
    const signature = this.#subjectOf.get(id)
    if (signature === undefined || !isSignature(signature)) return
    this.#idOf.delete(signature)
    this.#subjectOf.delete(id)
    this.#watched.delete(signature)
    const landed = this.#landings.get(signature)
    this.#landings.delete(signature)
    landed?.()
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

/** Base58 of 64 bytes; an address is 32 bytes. */
function isSignature(subject: string): boolean {
  return subject.length > MAX_ADDRESS_LENGTH
}

/** Returns an empty object for anything but a JSON object. */
function parseNotification(text: string): Notification {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
