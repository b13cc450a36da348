// Forwards one request to the owner, and reports whether the owner was reached and whether it answered.
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'

/** Idle connections are closed before the receiver closes them (65 s), so that no request uses a closing connection. */
const IDLE_MS = 30_000

export interface HopRequest {
  /** URL of the node, without a path. */
  readonly url: string
  readonly method: string
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
  readonly connectMs: number
  /** Timeout for the head of the answer, from the start of the request. */
  readonly answerMs: number
}

/** A pending request. */
export interface Hop {
  /** Never rejects. */
  readonly outcome: Promise<HopOutcome>
  /** Aborts the request, or the rest of its answer, because the client has disconnected. */
  cancel(): void
}

export type HopOutcome =
  | { readonly kind: 'answered'; readonly answer: IncomingMessage }
  /** Nothing was sent. */
  | { readonly kind: 'unreached' }
  /** The request was sent and may have been served. */
  | { readonly kind: 'unanswered' }

/** Rejects when the connection ends before the answer does. */
export async function bytesOf(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part as Buffer)
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}

/** A timeout that fires after pending I/O events, so that a blocked event loop does not discard an answer in time. */
const setPatientTimeout = (ms: number, onTimeout: () => void): NodeJS.Timeout =>
  setTimeout(() => setImmediate(onTimeout), ms)

interface Target {
  readonly isTls: boolean
  readonly options: { readonly host: string; readonly port: number }
}

export class Hops {
  readonly #targets = new Map<string, Target>()
  readonly #http = new HttpAgent({ keepAlive: true, timeout: IDLE_MS })
  readonly #https = new HttpsAgent({ keepAlive: true, timeout: IDLE_MS })

  send({ url, method, path, headers, body, connectMs, answerMs }: HopRequest): Hop {
    const target = this.#targetOf(url)
    const { isTls } = target
    const options = { ...target.options, method, path, headers, agent: isTls ? this.#https : this.#http }
    const outgoing = isTls ? requestHttps(options) : requestHttp(options)
    const outcome = new Promise<HopOutcome>((resolve) => {
      let isConnected = false
      let isAnswered = false
      const answerTimeout = setPatientTimeout(answerMs, () => {
        if (!isAnswered) outgoing.destroy(new Error('no answer in time'))
      })
      outgoing.on('socket', (socket: Socket) => {
        if (!socket.connecting) {
          isConnected = true
          return
        }
        const connectTimeout = setPatientTimeout(connectMs, () => {
          if (!isConnected) outgoing.destroy(new Error('no connection in time'))
        })
        socket.once('close', () => clearTimeout(connectTimeout))
        socket.once(isTls ? 'secureConnect' : 'connect', () => {
          isConnected = true
          clearTimeout(connectTimeout)
        })
      })
      outgoing.once('response', (answer) => {
        isAnswered = true
        clearTimeout(answerTimeout)
        resolve({ kind: 'answered', answer })
      })
      outgoing.on('error', () => {
        clearTimeout(answerTimeout)
        resolve({ kind: isConnected ? 'unanswered' : 'unreached' })
      })
      outgoing.end(body)
    })
    return { outcome, cancel: () => void outgoing.destroy() }
  }

  /** Cached by URL, of which there are few. */
  #targetOf(url: string): Target {
    let target = this.#targets.get(url)
    if (target === undefined) {
      const { protocol, hostname, port } = new URL(url)
      const isTls = protocol === 'https:'
      // The `host` option takes an IPv6 address without brackets.
      const host = hostname.replace(/^\[|\]$/g, '')
      target = { isTls, options: { host, port: port === '' ? (isTls ? 443 : 80) : Number(port) } }
      this.#targets.set(url, target)
    }
    return target
  }

  close(): void {
    this.#http.destroy()
    this.#https.destroy()
  }
}
