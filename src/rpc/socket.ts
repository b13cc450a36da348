// A websocket to an RPC endpoint. The only place of the library on this side.
import { WebSocket } from 'ws'

export interface SocketEvents {
  opened(): void
  message(text: string): void
  /** Once, also when it never opened. Nothing is heard of it after that. */
  closed(): void
}

export interface Socket {
  send(text: string): void
  /** A question to the other side, whether it is still there: any sign of life answers it. */
  ping(): void
  /** At once; `closed` follows unless it was. */
  close(): void
}

/** `heard`: any sign of life. */
export type OpenSocket = (url: string, events: SocketEvents & { heard(): void }) => Socket

const LONGEST_MESSAGE_BYTES = 32 * 1024 * 1024
const HANDSHAKE_MS = 10_000

export const openWebSocket: OpenSocket = (url, events) => {
  const socket = new WebSocket(url, { maxPayload: LONGEST_MESSAGE_BYTES, handshakeTimeout: HANDSHAKE_MS, perMessageDeflate: false })
  socket.on('open', () => events.opened())
  socket.on('message', (data) => {
    events.heard()
    events.message(Array.isArray(data) ? Buffer.concat(data).toString('utf8') : Buffer.from(data as Buffer).toString('utf8'))
  })
  socket.on('pong', () => events.heard())
  // Its close follows. The error may quote the URL, which may hold a key: it goes nowhere.
  socket.on('error', () => undefined)
  socket.on('close', () => events.closed())
  return {
    send: (text) => {
      if (socket.readyState === socket.OPEN) socket.send(text)
    },
    ping: () => {
      if (socket.readyState === socket.OPEN) socket.ping()
    },
    close: () => socket.terminate(),
  }
}

/**
 * Where the websocket of an RPC endpoint is by convention: the same place, on the next port where one is named (as validators have it).
 * Throws a TypeError on what is not an http or https URL.
 */
export function socketUrlOf(rpcUrl: string): string {
  const url = new URL(rpcUrl)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError('an endpoint must be an http or https URL')
  const { port } = url
  const socketUrl = new URL(url.href.replace(/^http/, 'ws'))
  if (port !== '') socketUrl.port = String(Number(port) + 1)
  return socketUrl.href
}
