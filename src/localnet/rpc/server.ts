// The JSON-RPC server of the embedded chain: HTTP on one port, websocket on the next, both over one bank.

import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebSocketServer } from 'ws'
import type { Bank } from '../contract.ts'
import { hostRule } from './host.ts'
import { createHttpServer } from './http.ts'
import { createMethods } from './methods.ts'
import { SubscriptionHub } from './socket/hub.ts'
import { openSocketServer, serveSubscriptions } from './socket/server.ts'

export interface RpcServerOptions {
  readonly bank: Bank
  readonly host: string
  /** 0: any free port whose successor is free too. */
  readonly port: number
  /** Whether the fault switches exist. */
  readonly faults: boolean
  /** Called with errors that are not RpcErrors. */
  readonly unexpected: (error: unknown) => void
}

export interface RpcServer {
  readonly rpcPort: number
  readonly wsPort: number
  /** Accepts no more requests, answers those in progress, and closes the remaining connections. */
  close(): Promise<void>
}

const PORT_ATTEMPTS = 50
const CLOSE_GRACE_MS = 2_000

/**
 * Listens on `port` and `port + 1`.
 * @throws the listen error (EADDRINUSE) when one of them is taken
 */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const { bank, host, unexpected } = options
  const hub = new SubscriptionHub(bank)
  let rpcPort = 0
  const methods = createMethods(bank, {
    rpcAddress: () => `${host}:${rpcPort}`,
    received: (bytes) => hub.received(bytes),
    faults: options.faults,
  })
  const http = createHttpServer({ methods, unexpected }, hostRule(host))
  const sockets = await listenPair(http, host, options.port)
  rpcPort = portOf(http)
  serveSubscriptions(sockets, hub, unexpected)
  return {
    rpcPort,
    wsPort: rpcPort + 1,
    close: async () => {
      hub.close()
      await Promise.all([closeHttp(http), closeSockets(sockets)])
    },
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
}

async function listenPair(http: Server, host: string, port: number): Promise<WebSocketServer> {
  for (let attempt = 1; ; attempt++) {
    await listen(http, host, port)
    try {
      return await openSocketServer(host, portOf(http) + 1)
    } catch (error) {
      http.close()
      if (port !== 0 || attempt === PORT_ATTEMPTS) throw error
      await once(http, 'close')
    }
  }
}

async function closeHttp(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS)
  await closed
  clearTimeout(timer)
}

async function closeSockets(server: WebSocketServer): Promise<void> {
  for (const socket of server.clients) socket.terminate()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}
