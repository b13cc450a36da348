// The database of these tests: one server for all, whose content is dropped for each test.
import { createServer, connect as dial, type Socket } from 'node:net'
import { startPostgres, type Postgres } from '../../bench/postgres/server.ts'
import { parseAddress, type PostgresAddress } from '../../snapshots/postgres/address.ts'
import { connect } from '../../snapshots/postgres/connection.ts'
import {
  openPostgresStore,
  prepareDatabase,
  type PostgresStore,
  type PostgresStoreOptions,
} from '../../snapshots/postgres/postgres-store.ts'
import type { DatabaseOptions } from '../../snapshots/postgres/database.ts'

export const SETTINGS = ['shared_buffers=64MB', 'jit=off']

export async function ownPostgres(options: Parameters<typeof startPostgres>[0] = {}): Promise<Postgres> {
  const postgres = await startPostgres({ settings: SETTINGS, ...options })
  if (postgres === null) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
  return postgres
}

export const addressOf = ({ dir, user }: Pick<Postgres, 'dir' | 'user'>): PostgresAddress =>
  parseAddress(`postgres://${user}@${encodeURIComponent(dir)}/postgres`)

/** Runs statements without parameters. */
export async function sql(address: PostgresAddress, text: string): Promise<(readonly (string | null)[])[]> {
  const connection = await connect(address, { boundMs: 30_000 })
  try {
    return await connection.query({ text }, [], 30_000)
  } finally {
    connection.destroy()
  }
}

export const emptySchema = (address: PostgresAddress): Promise<unknown> =>
  sql(address, 'DROP SCHEMA IF EXISTS holdfast CASCADE')

/** A store that is claimed. */
export async function claimedStore(
  address: PostgresAddress,
  options: Partial<PostgresStoreOptions & DatabaseOptions & { waitMs: number }> = {},
): Promise<PostgresStore> {
  const { database } = await prepareDatabase({ address, waitMs: 30_000, ...options })
  const store = openPostgresStore({
    database,
    onFatal: (error) => {
      throw error
    },
    ...options,
  })
  await store.claim()
  return store
}

export interface Proxy extends AsyncDisposable {
  readonly address: PostgresAddress
  /** Closes all connections at once. */
  reset(): void
  /** The delay of data from clients, even after they have disconnected. */
  delayMs: number
  /** The answers of the server are dropped. */
  swallow: boolean
  /** New connections are refused. */
  away: boolean
}

/** A proxy with faults between a client and the server. */
export async function faultyProxy(to: PostgresAddress): Promise<Proxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createServer((client) => {
    if (proxy.away) {
      client.destroy()
      return
    }
    const upstream = dial(`${to.host}/.s.PGSQL.${String(to.port)}`)
    const pair = [client, upstream] as const
    pairs.add(pair)
    for (const socket of pair) socket.on('error', () => undefined)
    let lateCount = 0
    let longestMs = 0
    client.on('data', (bytes) => {
      if (proxy.delayMs === 0 && lateCount === 0) {
        upstream.write(bytes)
        return
      }
      lateCount += 1
      longestMs = Math.max(longestMs, proxy.delayMs)
      setTimeout(() => {
        lateCount -= 1
        upstream.write(bytes)
      }, proxy.delayMs)
    })
    upstream.on('data', (bytes) => {
      if (!proxy.swallow) client.write(bytes)
    })
    upstream.on('close', () => client.destroy())
    // Data that was sent is delivered all the same.
    client.on('close', () => {
      pairs.delete(pair)
      if (lateCount === 0) upstream.destroy()
      else setTimeout(() => upstream.destroy(), longestMs + 1_000)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const proxy: Proxy = {
    address: { ...to, host: '127.0.0.1', port },
    reset() {
      for (const [client] of pairs) client.resetAndDestroy()
    },
    delayMs: 0,
    swallow: false,
    away: false,
    async [Symbol.asyncDispose]() {
      for (const [client, upstream] of pairs) {
        client.destroy()
        upstream.destroy()
      }
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
