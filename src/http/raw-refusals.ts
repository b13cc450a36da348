// Writes refusals directly to the socket for input that never becomes a request: Node's parser rejects it, it takes too
// long to arrive, or it asks for a tunnel. They have the form of every other refusal.
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { requestIdOf } from './exchange.ts'
import { PROBLEM_TYPE, refusalProblem, frontRefusal } from './problem.ts'

/** Maximum size of the headers, including the request line. */
export const MAX_HEADER_BYTES = 16 * 1024

const LINGER_MS = 5_000
const END_OF_HEAD = '\r\n\r\n'

/** Error of Node's HTTP parser. */
interface ParserError extends NodeJS.ErrnoException {
  /** What the parser was reading; absent after a timeout. */
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

type Reason = readonly [status: number, code: string, message: string]

const REASONS: Readonly<Record<string, Reason>> = {
  HPE_HEADER_OVERFLOW: [431, 'HEADERS_TOO_LARGE', `the headers have more than ${MAX_HEADER_BYTES} bytes`],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'REQUEST_TIMEOUT', 'the request took too long to arrive'],
}
const MALFORMED: Reason = [400, 'MALFORMED_REQUEST', 'this is not HTTP']
const TUNNEL: Reason = [405, 'METHOD_NOT_ALLOWED', 'the method CONNECT is not supported']

/**
 * Answers rejected input in the order of arrival: a client must not mistake the refusal of later input for the answer
 * to an earlier request, which may move value.
 *
 * @returns a function that must be called with the response of each request
 */
export function answerRejected(server: Server, log: (error: Error) => void): (response: ServerResponse) => void {
  const lastResponses = new WeakMap<object, ServerResponse>()
  const rejected = new WeakSet<Duplex>()
  /**
   * Forgets the response of a completely received request, so that an idle connection keeps none. If the rest of a body
   * is rejected later, the kept response shows that its request is answered already.
   */
  function forget(this: ServerResponse): void {
    if (this.req.complete && lastResponses.get(this.req.socket) === this) lastResponses.delete(this.req.socket)
  }
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    log(error)
    if (rejected.has(socket)) return
    rejected.add(socket)
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else refuseAfter(lastResponses.get(socket), socket, error)
  })
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', log)
    // Nothing reads the socket any more, and unread bytes would reset the connection.
    socket.resume()
    after(lastResponses.get(socket), () => refuse(socket, TUNNEL, requestIdOf(request).id))
  })
  return (response) => {
    lastResponses.set(response.req.socket, response)
    response.once('close', forget)
  }
}

function refuseAfter(response: ServerResponse | undefined, socket: Duplex, error: ParserError): void {
  const reason = REASONS[error.code ?? ''] ?? MALFORMED
  if (response?.req.complete !== false) after(response, () => refuse(socket, reason, idWithin(error)))
  else if (response.headersSent) endAfter(response, socket)
  // An earlier request has no answer yet, so the request with the rejected body must wait for it.
  else if (response.socket === null) response.once('socket', () => refuseAfter(response, socket, error))
  else refuse(socket, reason, String(response.getHeader('X-Request-Id')))
}

/** Closes the socket after the answer to the request with the rejected body, which is written or being written. */
function endAfter(response: ServerResponse, socket: Duplex): void {
  after(response, () => {
    socket.end()
    destroyLater(socket)
  })
}

/** Calls `next` when the response and those before it are written. */
function after(response: ServerResponse | undefined, next: () => void): void {
  if (response === undefined || response.writableFinished) next()
  else response.once('finish', next)
}

/**
 * Reads further input for a while before the socket is destroyed: a reset connection may lose the answer if the client
 * has not read it yet.
 */
function destroyLater(socket: Duplex): void {
  const timer = setTimeout(() => void socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

/** The request id in the rejected head, if it arrived together with the rejected input. */
function idWithin({ rawPacket, bytesParsed = 0 }: ParserError): string {
  const packet = rawPacket?.toString('latin1') ?? ''
  // A head that was parsed to its end belongs to an earlier request.
  const start = Math.max(0, packet.lastIndexOf(END_OF_HEAD, bytesParsed - END_OF_HEAD.length))
  const [, id] = /\r\nx-request-id:[ \t]*([\da-f-]{36})[ \t]*\r\n/i.exec(packet.slice(start)) ?? []
  return requestIdOf({ headers: { 'x-request-id': id } }).id
}

function refuse(socket: Duplex, [status, code, message]: Reason, requestId: string): void {
  const { body } = refusalProblem(frontRefusal(status, code, message), status, requestId)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(status === 405 ? ['Allow: GET, HEAD, PATCH, POST'] : []),
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}${END_OF_HEAD}${body}`)
  destroyLater(socket)
}
