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

/** A request on its way. */
export interface Hop {
  /** Never rejects. */
  readonly outcome: Promise<HopOutcome>
  /** The client is gone: nobody waits for the answer, or for the rest of it. */
  cancel(): void
}

export type HopOutcome =
  | { readonly kind: 'answered'; readonly answer: IncomingMessage }
  /** Nothing was sent. */
  | { readonly kind: 'unreached' }
  /** It was sent, and may have been served. */
  | { readonly kind: 'unanswered' }

/** Rejects when the connection ends before the answer does. */
export async function bytesOf(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part as Buffer)
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}

/** After a standstill of this process, what has arrived meanwhile is handled before its time is found to be over. */
const patience = (ms: number, over: () => void): NodeJS.Timeout => setTimeout(() => setImmediate(over), ms)

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
      const late = patience(answerMs, () => {
        if (!isAnswered) outgoing.destroy(new Error('no answer in time'))
      })
      outgoing.on('socket', (socket: Socket) => {
        if (!socket.connecting) {
          isConnected = true
          return
        }
        const slow = patience(connectMs, () => {
          if (!isConnected) outgoing.destroy(new Error('no connection in time'))
        })
        socket.once('close', () => clearTimeout(slow))
        socket.once(isTls ? 'secureConnect' : 'connect', () => {
          isConnected = true
          clearTimeout(slow)
        })
      })
      outgoing.once('response', (answer) => {
        isAnswered = true
        clearTimeout(late)
        resolve({ kind: 'answered', answer })
      })
      outgoing.on('error', () => {
        clearTimeout(late)
        resolve({ kind: isConnected ? 'unanswered' : 'unreached' })
      })
      outgoing.end(body)
    })
    return { outcome, cancel: () => void outgoing.destroy() }
  }

  /** Of a few nodes. */
  #targetOf(url: string): Target {
    let target = this.#targets.get(url)
    if (target === undefined) {
      const { protocol, hostname, port } = new URL(url)
      const isTls = protocol === 'https:'
      // As an option, an IPv6 address has no brackets.
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
