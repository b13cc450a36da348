// State and response helpers of one HTTP exchange.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../contract/call.ts'
import { isUuid } from '../contract/values/identity.ts'
import type { Api } from './ports.ts'
import { send } from './send.ts'

export interface State {
  requestId: string
  /** The request target, split at the question mark. */
  path: string
  query: string
  /** The endpoint, once known; for logs and metrics. */
  endpoint: string
  caller: Caller | undefined
  /** The validated body, once validated. */
  body: unknown
  /** For a request of SYSTEM that another cell serves: the tenant that it concerns. */
  servedFor?: string
  /** The interface of the cell that serves the request, set by the gateway of the node; absent: the server's own. */
  api?: Api
  /** Releases the slot among the open requests; set by admission. */
  leave?: () => void
}

/**
 * The part of a koa context that is used here. For most API requests it is a plain object, which is cheaper to create.
 */
export interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  state: State
  /** False: koa does not write the response. */
  respond?: boolean | undefined
}

/** The interface that serves a request. With several cells, it is known once a gateway has admitted the request. */
export type ApiFor = (exchange: Exchange) => Api

export const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * The request id from the header, or a new one. `valid` is false if the header is not a UUID: the request is rejected
 * with the new id.
 */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): {
  readonly id: string
  readonly valid: boolean
} {
  const header = request.headers['x-request-id']
  if (header === undefined) return { id: randomUUID(), valid: true }
  return typeof header === 'string' && isUuid(header) ? { id: header, valid: true } : { id: randomUUID(), valid: false }
}

/** Length from which a response counts as long, UTF-16 units. */
const LONG = 8_192

/** Answers with a text. Written directly, because koa would compute type and length that are known here. */
export function answer(exchange: Exchange, status: number, type: string, body: string): void {
  // Encodes a long text once. Otherwise Node would measure it, concatenate it with the head and encode the result.
  const content = body.length < LONG ? body : Buffer.from(body)
  const length = Buffer.byteLength(content)
  const isHead = begin(exchange, status, type, length)
  // `latin1` for ASCII, because that is copied instead of encoded.
  send(exchange.res, isHead ? undefined : content, length === body.length ? 'latin1' : 'utf8')
}

/**
 * Answers with bytes.
 *
 * @param written called once the bytes are no longer read; not called if the connection is lost before
 */
export function answerFile(exchange: Exchange, type: string, bytes: Uint8Array, written?: () => void): void {
  const isHead = begin(exchange, 200, type, bytes.length)
  send(exchange.res, isHead ? undefined : bytes, 'utf8', written)
}

/** Writes the head. Returns true if no body follows. */
function begin(exchange: Exchange, status: number, type: string, length: number): boolean {
  const { req, res } = exchange
  exchange.respond = false
  res.setHeader('Content-Type', type)
  res.setHeader('Content-Length', length)
  res.writeHead(status)
  return req.method === 'HEAD'
}
