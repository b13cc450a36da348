// State and response helpers of one HTTP exchange.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ParameterizedContext } from 'koa'
import type { Caller } from '../contract/call.ts'
import { isUuid } from '../contract/values/identity.ts'

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
  /** Of a request of SYSTEM that another cell serves: the tenant that it is about. */
  servedFor?: string
  /** Releases the slot among the open requests; set by admission. */
  leave?: () => void
}

export type Exchange = ParameterizedContext<State>

export const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * The request id from the header, or a new one. `valid` is false if the header is not a UUID: the request is rejected
 * with the new id.
 */
export function requestIdOf(request: IncomingMessage): { readonly id: string; readonly valid: boolean } {
  const header = request.headers['x-request-id']
  if (header === undefined) return { id: randomUUID(), valid: true }
  return typeof header === 'string' && isUuid(header) ? { id: header, valid: true } : { id: randomUUID(), valid: false }
}

/** UTF-16 units of a long answer. */
const LONG = 8_192

/** Sends the response. Written directly, because koa would compute type and length that are known here. */
export function answer(exchange: Exchange, status: number, type: string, body: string): void {
  const response: ServerResponse = exchange.res
  exchange.respond = false
  response.statusCode = status
  response.setHeader('Content-Type', type)
  // A long text is encoded once here, instead of being measured, joined to the head and encoded.
  const content = body.length < LONG ? body : Buffer.from(body)
  response.setHeader('Content-Length', Buffer.byteLength(content))
  response.end(exchange.req.method === 'HEAD' ? undefined : content)
}

/** As `answer`, for bytes. */
export function answerFile(exchange: Exchange, type: string, bytes: Uint8Array): void {
  const response: ServerResponse = exchange.res
  exchange.respond = false
  response.statusCode = 200
  response.setHeader('Content-Type', type)
  response.setHeader('Content-Length', bytes.length)
  response.end(exchange.req.method === 'HEAD' ? undefined : bytes)
}
