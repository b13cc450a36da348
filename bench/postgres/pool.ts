// Connections to PostgreSQL, each used by one transaction at a time, as in a service.
import { PostgresConnection, type Row } from './connection.ts'

export type Ask = (sql: string, parameters: readonly string[]) => Promise<Row[]>

export class PostgresPool {
  readonly #free: PostgresConnection[]
  readonly #waiting: ((connection: PostgresConnection) => void)[] = []

  private constructor(connections: readonly PostgresConnection[]) {
    this.#free = [...connections]
  }

  static async open(socket: string, user: string, connections: number): Promise<PostgresPool> {
    return new PostgresPool(
      await Promise.all(Array.from({ length: connections }, () => PostgresConnection.open(socket, user))),
    )
  }

  /**
   * Everything that `work` asks is one transaction, durable when this resolves; none of it stays when `work` rejects.
   */
  async transaction<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
    const connection =
      this.#free.pop() ?? (await new Promise<PostgresConnection>((resolve) => this.#waiting.push(resolve)))
    try {
      await connection.query('BEGIN', [])
      const result = await work((sql, parameters) => connection.query(sql, parameters))
      await connection.query('COMMIT', [])
      return result
    } catch (error) {
      await connection.query('ROLLBACK', [])
      throw error
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free.push(connection)
      else next(connection)
    }
  }
}
