// The HTTP side of the JSON-RPC server, on node:http alone: POST of JSON, and `GET /health`. A body is never read
// beyond its limit; invalid UTF-8 or JSON gets a response, not an exception.

import { isUtf8 } from 'node:buffer'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { answerBody } from './dispatch.ts'
import type { Dispatcher } from './dispatch.ts'

/** A batch of 100 full transactions is 170 kB; the limit has room for twenty of those. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

const TOO_LARGE: Refusal = { status: 413, text: 'Request body too large' }
const WRONG_HOST: Refusal = {
  status: 421,
  text: 'The Host header must name this machine: localhost, 127.0.0.1 or [::1]',
}
const JSON_TYPE = 'application/json'
const HEADER_NAMES = /^[\w-]+(?:\s*,\s*[\w-]+)*$/
const NOT_UTF8 = '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}'

/**
 * A server that is not listening yet.
 * @param accepts whether a request with that Host header is answered
 */
export function createHttpServer(dispatcher: Dispatcher, accepts: (host: string | undefined) => boolean): Server {
  const server = createServer((request, response) => {
    if (!accepts(request.headers.host)) refuse(response, WRONG_HOST)
    else if (request.method === 'OPTIONS') preflight(request, response)
    else onRequest(dispatcher, allowOrigins(response), request)
  })
  server.keepAliveTimeout = 75_000
  server.headersTimeout = 20_000
  server.requestTimeout = 60_000
  return server
}

interface Refusal {
  readonly status: number
  readonly text: string
}

// Decided from the headers alone, before the body is read.
function refusalOf(request: IncomingMessage): Refusal | null {
  if (request.method !== 'POST') return { status: 405, text: 'Used HTTP Method is not allowed. POST is required' }
  if (!isJsonType(request.headers['content-type'])) {
    return { status: 415, text: 'Supplied content type is not allowed. Content-Type: application/json is required' }
  }
  return Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES ? TOO_LARGE : null
}

/** Pages of any origin may use the chain, as they may use a test validator. */
function allowOrigins(response: ServerResponse): ServerResponse {
  response.setHeader('access-control-allow-origin', '*')
  return response
}

function preflight({ headers }: IncomingMessage, response: ServerResponse): void {
  const requestedHeaders = headers['access-control-request-headers']
  allowOrigins(response)
  response.setHeader('access-control-allow-methods', 'POST, GET, OPTIONS')
  response.setHeader(
    'access-control-allow-headers',
    requestedHeaders !== undefined && HEADER_NAMES.test(requestedHeaders) ? requestedHeaders : 'content-type',
  )
  response.setHeader('access-control-max-age', '86400')
  // A page of a public site that reaches a loopback address.
  if (headers['access-control-request-private-network'] === 'true')
    response.setHeader('access-control-allow-private-network', 'true')
  response.writeHead(204).end()
}

function onRequest(dispatcher: Dispatcher, response: ServerResponse, request: IncomingMessage): void {
  if (request.method === 'GET' && request.url === '/health') {
    reply(response, 200, 'ok', 'text/plain')
    return
  }
  const refusal = refusalOf(request)
  if (refusal === null) readBody(request, response, (body) => answerRequest(dispatcher, body, request, response))
  else refuse(response, refusal)
}

function answerRequest(dispatcher: Dispatcher, body: Buffer, request: IncomingMessage, response: ServerResponse): void {
  const answer = isUtf8(body) ? answerBody(dispatcher, body.toString('utf8')) : NOT_UTF8
  if (answer instanceof Promise) {
    answer.then(
      (text) => reply(response, 200, text ?? '', JSON_TYPE),
      // Rejects only because of a fault switch: the reply is lost, as when a connection breaks.
      () => request.socket.destroy(),
    )
  } else {
    reply(response, 200, answer ?? '', JSON_TYPE)
  }
}

function isJsonType(header: string | undefined): boolean {
  return header !== undefined && /^application\/json\s*(;|$)/i.test(header)
}

function readBody(request: IncomingMessage, response: ServerResponse, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= MAX_BODY_BYTES) chunks.push(chunk)
    else if (!response.headersSent) refuse(response, TOO_LARGE)
  })
  request.on('end', () => {
    if (length <= MAX_BODY_BYTES) done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
  })
  // A client that disconnects in the middle of its body gets no response.
  request.on('error', () => request.socket.destroy())
}

// The rest of the body is not read, so the connection cannot serve another request.
function refuse(response: ServerResponse, refusal: Refusal): void {
  response.setHeader('connection', 'close')
  if (refusal.status === 405) response.setHeader('allow', 'POST')
  reply(response, refusal.status, `${refusal.text}\n`, 'text/plain')
}

function reply(response: ServerResponse, status: number, text: string, type: string): void {
  const body = Buffer.from(text)
  response.writeHead(status, { 'content-length': body.length, 'content-type': type })
  response.end(body)
}
