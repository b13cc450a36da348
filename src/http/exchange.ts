// One request and its answer, as far as every part of the front end needs it.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ParameterizedContext } from 'koa'
import type { Caller } from '../contract/call.ts'
import { isUuid } from './schemas/identity.ts'

export interface State {
  requestId: string
  /** The target up to the question mark, and what follows it. */
  path: string
  query: string
  /** The endpoint, once known; for logs and metrics. */
  endpoint: string
  caller: Caller | undefined
  /** The body as validated, once it is. */
  body: unknown
  /** Ends its place among the open requests, once it has one. */
  leave?: () => void
}

export type Exchange = ParameterizedContext<State>

export const JSON_TYPE = 'application/json; charset=utf-8'

/** The id given, or a new one. `given` is false for an id that is no UUID: the request is to be refused under the new one. */
export function requestIdOf(request: IncomingMessage): { readonly id: string; readonly valid: boolean } {
  const header = request.headers['x-request-id']
  if (header === undefined) return { id: randomUUID(), valid: true }
  return typeof header === 'string' && isUuid(header) ? { id: header, valid: true } : { id: randomUUID(), valid: false }
}

/** Ends the exchange. Written to the response directly: koa's own answering guesses types and lengths that are known here. */
export function answer(exchange: Exchange, status: number, type: string, body: string): void {
  const response: ServerResponse = exchange.res
  exchange.respond = false
  response.statusCode = status
  response.setHeader('Content-Type', type)
  response.setHeader('Content-Length', Buffer.byteLength(body))
  response.end(exchange.req.method === 'HEAD' ? undefined : body)
}

/** The same with bytes. */
export function answerFile(exchange: Exchange, type: string, bytes: Uint8Array): void {
  const response: ServerResponse = exchange.res
  exchange.respond = false
  response.statusCode = 200
  response.setHeader('Content-Type', type)
  response.setHeader('Content-Length', bytes.length)
  response.end(exchange.req.method === 'HEAD' ? undefined : bytes)
}
