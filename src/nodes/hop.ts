// Forwards one request to the owner, and reports whether the owner was reached and whether it answered. Uses `dispatch`
// of undici directly, at about half the CPU cost of `node:http`.
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { Pool, type Dispatcher } from 'undici'

/** Idle connections are closed before the receiver closes them (65 s), so that no request uses a closing connection. */
const IDLE_MS = 30_000
/** Timeout for the next part of an answer. Owners send something on every stream within 15 seconds. */
const SILENT_STREAM_MS = 45_000
/** A connection that takes longer than this, by up to half a second, has failed. */
const CONNECT_MS = 1_000
/** Answers up to this length are read whole. */
const SHORT_BYTES = 65_536

export interface HopRequest {
  /** URL of the node, without a path. */
  readonly url: string
  readonly method: string
  readonly path: string
  /** Without the headers of a connection. */
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Timeout from the start of the request, for a short answer or the head of a long one. */
  readonly answerMs: number
}

/** A pending request. */
export interface Hop {
  /** Never rejects. */
  readonly outcome: Promise<HopOutcome>
  /** Aborts the request, or the rest of its answer, because the client has disconnected. */
  cancel(): void
}

export interface HopAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** A stream if the answer is long or of unknown length. It fails when the connection ends before the answer does. */
  readonly body: Buffer | Readable
}

export type HopOutcome =
  | { readonly kind: 'answered'; readonly answer: HopAnswer }
  /** Nothing was sent. */
  | { readonly kind: 'unreached' }
  /** The request was sent and may have been served. */
  | { readonly kind: 'unanswered' }

/** Rejects when the connection ends before the answer does. */
export async function bytesOf({ body }: HopAnswer): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body
  const parts: Buffer[] = []
  for await (const part of body) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** A timeout that fires after pending I/O events, so that a blocked event loop does not discard an answer in time. */
export const setPatientTimeout = (ms: number, onTimeout: () => void): NodeJS.Timeout =>
  setTimeout(() => setImmediate(onTimeout), ms)

export class Hops {
  readonly #pools = new Map<string, Pool>()

  send({ url, method, path, headers, body, answerMs }: HopRequest): Hop {
    let pending: Pending
    const outcome = new Promise<HopOutcome>((resolve) => {
      pending = new Pending(answerMs, resolve)
      const request = { path, method, headers, body: body.length > 0 ? body : null }
      try {
        this.#poolOf(url, headers).dispatch(request, pending)
      } catch {
        // Another release may have joined with a URL of a scheme that is unknown here.
        pending.abort('the URL cannot be used')
      }
    })
    return { outcome, cancel: () => pending.abort('the client has disconnected') }
  }

  /** Event streams have a pool of their own: a pool goes through its busy connections to find a free one. */
  #poolOf(url: string, { accept }: IncomingHttpHeaders): Pool {
    const key = accept === 'text/event-stream' ? `${url} streams` : url
    let pool = this.#pools.get(key)
    if (pool === undefined) {
      pool = new Pool(url, {
        ...{ pipelining: 1, keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS },
        ...{ connect: { timeout: CONNECT_MS }, headersTimeout: 0, bodyTimeout: SILENT_STREAM_MS },
      })
      this.#pools.set(key, pool)
    }
    return pool
  }

  close(): void {
    for (const pool of this.#pools.values()) void pool.destroy()
  }
}

/** One request and its answer; reports exactly one outcome. */
class Pending implements Dispatcher.DispatchHandler {
  readonly #timeout: NodeJS.Timeout
  readonly #report: (outcome: HopOutcome) => void
  #isReported = false
  #isAborted = false
  #controller: Dispatcher.DispatchController | null = null
  #head: Pick<HopAnswer, 'status' | 'headers'> | null = null
  readonly #parts: Buffer[] = []
  #stream: Readable | null = null

  constructor(answerMs: number, report: (outcome: HopOutcome) => void) {
    this.#report = report
    this.#timeout = setPatientTimeout(answerMs, () => {
      if (!this.#isReported) this.abort('no answer in time')
    })
  }

  abort(reason: string): void {
    if (this.#isAborted) return
    this.#isAborted = true
    this.#fail()
    this.#controller?.abort(new Error(reason))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Nothing is sent if it is aborted here.
    if (this.#isAborted) controller.abort(new Error('aborted before it was sent'))
    else this.#controller = controller
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    this.#head = { status, headers }
    if (Number(headers['content-length']) <= SHORT_BYTES) return
    this.#stream = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        this.abort('the answer is not needed')
        done(error)
      },
    })
    this.#answer(this.#stream)
  }

  onResponseData(controller: Dispatcher.DispatchController, part: Buffer): void {
    if (this.#stream === null) this.#parts.push(part)
    else if (!this.#stream.push(part)) controller.pause()
  }

  onResponseEnd(): void {
    this.#isAborted = true
    if (this.#stream !== null) this.#stream.push(null)
    else this.#answer(this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail()
    this.#stream?.destroy(error)
  }

  #fail(): void {
    this.#settle({ kind: this.#controller === null ? 'unreached' : 'unanswered' })
  }

  #answer(body: HopAnswer['body']): void {
    this.#settle({ kind: 'answered', answer: { ...this.#head!, body } })
  }

  #settle(outcome: HopOutcome): void {
    if (this.#isReported) return
    this.#isReported = true
    clearTimeout(this.#timeout)
    this.#report(outcome)
  }
}
