// A baseline on PostgreSQL: the database, and a process that uses it.
import type { Target } from '../load/traffic.ts'
import { startChild } from '../measure/child.ts'
import type { Options } from '../suite.ts'
import { PostgresConnection } from './connection.ts'
import { startPostgres, type PostgresService } from './server.ts'

export interface ServiceOnPostgres extends Target, AsyncDisposable {
  readonly pid: number
  readonly socket: string
  readonly user: string
  readonly version: string
}

const HOST = '127.0.0.1'

/**
 * null, with a note, if PostgreSQL is not installed.
 * @param module the module of the process, which takes a PostgresService and answers with its port
 */
export async function startPostgresService(
  module: string,
  { node, note }: Options,
  fill: (connection: PostgresConnection) => Promise<void>,
): Promise<ServiceOnPostgres | null> {
  const postgres = await startPostgres()
  if (postgres === null) {
    note('PostgreSQL is not installed: the baseline on PostgreSQL is skipped')
    return null
  }
  const { socket, user, version } = postgres
  try {
    const connection = await PostgresConnection.open(socket, user)
    await fill(connection)
    connection.close()
    const child = startChild<PostgresService, number>(module, node)
    const stop = async (): Promise<void> => {
      await child[Symbol.asyncDispose]()
      await postgres[Symbol.asyncDispose]()
    }
    const port = await child.ask({ host: HOST, socket, user })
    return { host: HOST, port, pid: child.pid, socket, user, version, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await postgres[Symbol.asyncDispose]()
    throw error
  }
}
