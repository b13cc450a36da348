// A stock connection to a chain that ends with its file. It keeps its socket for a while after the last subscription,
// and would go on trying to reach a chain that has ended, as long as the process runs.
import { Connection, type ConnectionConfig } from '@solana/web3.js'
import { atEndOfFile } from './cleanup.ts'
import { lightFetch } from './light-fetch.ts'

export function connectionTo(url: string, config: ConnectionConfig): Connection {
  const connection = new Connection(url, { fetch: lightFetch as unknown as typeof fetch, ...config })
  atEndOfFile(() => hangUp(connection))
  return connection
}

/** Its own members: it has no way to end it. */
interface Inside {
  readonly _rpcWebSocket: {
    setAutoReconnect(on: boolean): void
    close(): void
  }
}

function hangUp(connection: Connection): void {
  const { _rpcWebSocket: socket } = connection as unknown as Inside
  // What is still subscribed would open the socket again after its end.
  Object.assign(connection, { _subscriptionsByHash: {} })
  socket.setAutoReconnect(false)
  socket.close()
}
