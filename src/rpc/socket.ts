// A websocket to an RPC endpoint. The only file of `src/rpc` that uses `ws`.
import type { Socket as NetSocket } from 'node:net'
import { WebSocket } from 'ws'

export interface SocketEvents {
  opened(): void
  message(text: string): void
  /** Called once, also if the socket never opened. No event follows. */
  closed(): void
}

export interface Socket {
  /** All messages of one turn of the event loop are written at its end, in order, with one system call. */
  send(text: string): void
  /** Sends a ping; any incoming data counts as the answer. */
  ping(): void
  /** Closes at once; `closed` follows unless it was called before. */
  close(): void
}

/** `received`: called on any incoming data. */
export type OpenSocket = (url: string, events: SocketEvents & { received(): void }) => Socket

const MAX_MESSAGE_BYTES = 32 * 1024 * 1024
const HANDSHAKE_MS = 10_000

export const openWebSocket: OpenSocket = (url, events) => {
  const socket = new WebSocket(url, {
    maxPayload: MAX_MESSAGE_BYTES,
    handshakeTimeout: HANDSHAKE_MS,
    perMessageDeflate: false,
  })
  let connection: NetSocket | null = null
  let isCorked = false
  socket.on('upgrade', (response) => (connection = response.socket))
  socket.on('open', () => events.opened())
  socket.on('message', (data) => {
    events.received()
    events.message(
      Array.isArray(data) ? Buffer.concat(data).toString('utf8') : Buffer.from(data as Buffer).toString('utf8'),
    )
  })
  socket.on('pong', () => events.received())
  // `close` follows. The error is dropped: it may quote the URL, which may contain a key.
  socket.on('error', () => undefined)
  socket.on('close', () => events.closed())
  return {
    send: (text) => {
      if (socket.readyState !== socket.OPEN) return
      if (!isCorked) {
        isCorked = true
        connection?.cork()
        setImmediate(() => {
          isCorked = false
          connection?.uncork()
        })
      }
      socket.send(text)
    },
    ping: () => {
      if (socket.readyState === socket.OPEN) socket.ping()
    },
    close: () => socket.terminate(),
  }
}

/**
 * The websocket URL of an RPC endpoint by convention: the same address; if the URL names a port, the next port, as
 * validators use it. Throws a TypeError if `rpcUrl` is not an http or https URL.
 */
export function socketUrlOf(rpcUrl: string): string {
  const url = new URL(rpcUrl)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError('an endpoint must be an http or https URL')
  const { port } = url
  const socketUrl = new URL(url.href.replace(/^http/, 'ws'))
  if (port !== '') socketUrl.port = String(Number(port) + 1)
  return socketUrl.href
}
