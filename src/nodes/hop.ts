// One forwarded request on its way to the owner: whether it reached it, and whether an answer came.
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'

/** Idle connections are closed before the receiver closes them (65 s), or a request would meet its end. */
const IDLE_MS = 30_000

export interface HopRequest {
  /** Of the node, without a path. */
  readonly url: string
  readonly method: string
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
  readonly connectMs: number
  /** For the head of the answer, from the beginning. */
  readonly answerMs: number
}

export type HopOutcome =
  | { readonly kind: 'answered'; readonly answer: IncomingMessage }
  /** Nothing was sent. */
  | { readonly kind: 'unreached' }
  /** It was sent, and may have been served. */
  | { readonly kind: 'unanswered' }

export class Hops {
  readonly #http = new HttpAgent({ keepAlive: true, timeout: IDLE_MS })
  readonly #https = new HttpsAgent({ keepAlive: true, timeout: IDLE_MS })

  /** Never rejects. `signal`: the client is gone. */
  send(
    { url, method, path, headers, body, connectMs, answerMs }: HopRequest,
    signal: AbortSignal,
  ): Promise<HopOutcome> {
    const target = new URL(url)
    const isTls = target.protocol === 'https:'
    return new Promise((resolve) => {
      let isConnected = false
      const options = { method, path, headers, signal, agent: isTls ? this.#https : this.#http }
      const outgoing = isTls ? requestHttps(target, options) : requestHttp(target, options)
      const late = setTimeout(() => outgoing.destroy(new Error('no answer in time')), answerMs)
      outgoing.on('socket', (socket: Socket) => {
        if (!socket.connecting) {
          isConnected = true
          return
        }
        const slow = setTimeout(() => outgoing.destroy(new Error('no connection in time')), connectMs)
        socket.once('close', () => clearTimeout(slow))
        socket.once(isTls ? 'secureConnect' : 'connect', () => {
          isConnected = true
          clearTimeout(slow)
        })
      })
      outgoing.once('response', (answer) => {
        clearTimeout(late)
        resolve({ kind: 'answered', answer })
      })
      outgoing.on('error', () => {
        clearTimeout(late)
        resolve({ kind: isConnected ? 'unanswered' : 'unreached' })
      })
      outgoing.end(body)
    })
  }

  close(): void {
    this.#http.destroy()
    this.#https.destroy()
  }
}
