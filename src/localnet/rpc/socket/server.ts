// The websocket side of the JSON-RPC server: connections and their subscriptions. A notification never precedes the
// response to its subscription. A connection that stops reading or answering pings is closed, without affecting the
// others.

import { WebSocketServer } from 'ws'
import type { RawData, WebSocket } from 'ws'
import { answerBody } from '../dispatch.ts'
import type { Dispatcher } from '../dispatch.ts'
import { invalidRequest } from '../error.ts'
import { hostRule } from '../host.ts'
import { jsonText } from '../json.ts'
import type { SubscriptionHub } from './hub.ts'
import { socketMethods } from './methods.ts'
import { Subscription } from './subscription.ts'

const MAX_MESSAGE_BYTES = 256 * 1024
const MAX_UNSENT_BYTES = 64 * 1024 * 1024
const MAX_SUBSCRIPTIONS = 100_000
const PING_INTERVAL_MS = 30_000

/** A listening server. Rejects with the error of the port (EADDRINUSE and the like). */
export function openSocketServer(host: string, port: number): Promise<WebSocketServer> {
  const accepts = hostRule(host)
  return new Promise((resolve, reject) => {
    const server = new WebSocketServer({
      host,
      port,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      verifyClient: ({ req }, answer) => answer(accepts(req.headers.host), 421),
    })
    server.once('error', reject)
    server.once('listening', () => {
      server.off('error', reject)
      resolve(server)
    })
  })
}

/** Serves subscriptions to every connection of `server` until it is closed. */
export function serveSubscriptions(
  server: WebSocketServer,
  hub: SubscriptionHub,
  unexpected: Dispatcher['unexpected'],
): void {
  const alive = new WeakSet<WebSocket>()
  let lastId = 0
  const timer = setInterval(() => {
    for (const socket of server.clients) {
      if (!alive.has(socket)) socket.terminate()
      alive.delete(socket)
      socket.ping()
    }
  }, PING_INTERVAL_MS)
  timer.unref()
  server.on('close', () => clearInterval(timer))
  server.on('connection', (socket) => {
    alive.add(socket)
    socket.on('pong', () => alive.add(socket))
    connect(socket, hub, unexpected, () => (lastId += 1))
  })
}

function connect(
  socket: WebSocket,
  hub: SubscriptionHub,
  unexpected: Dispatcher['unexpected'],
  nextId: () => number,
): void {
  const own = new Set<number>()
  const end = (id: number): boolean => own.delete(id) && hub.remove(id)
  const notify = (subscription: Subscription, result: unknown): void => {
    const params = { result, subscription: subscription.id }
    send(socket, `{"jsonrpc":"2.0","method":"${subscription.notification}","params":${jsonText(params)}}`)
    // A signature subscription ends with its notification, except for the one that the transaction was received.
    if (subscription.notification === 'signatureNotification' && !isReceived(result)) end(subscription.id)
  }
  const methods = socketMethods({
    subscribe: (topic, notification, commitment) => {
      if (own.size >= MAX_SUBSCRIPTIONS) throw invalidRequest('Too many subscriptions on this connection')
      const id = nextId()
      own.add(id)
      hub.add(topic, new Subscription(id, notification, commitment, notify))
      return id
    },
    unsubscribe: end,
  })
  socket.on('message', (data, isBinary) => {
    const answer = answerBody({ methods, unexpected }, isBinary ? '' : textOf(data))
    if (typeof answer === 'string') send(socket, answer)
  })
  socket.on('close', () => {
    for (const id of own) hub.remove(id)
    own.clear()
  })
  // `close` follows; without a listener the error would end the process.
  socket.on('error', () => socket.terminate())
}

function isReceived(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'value' in result && result.value === 'receivedSignature'
}

function textOf(data: RawData): string {
  return Array.isArray(data) ? Buffer.concat(data).toString('utf8') : Buffer.from(data as Buffer).toString('utf8')
}

function send(socket: WebSocket, text: string): void {
  if (socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate()
  else socket.send(text)
}
