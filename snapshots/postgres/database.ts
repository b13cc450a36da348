// Connections to one database, each checked before its first use.

import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresAddress } from './address.ts'
import { connect, type Connection, type ResultRow, type ServerFacts, type Statement, type Value } from './connection.ts'
import { DatabaseAway, NoAnswer, StatementRefused, UnfitDatabase } from './errors.ts'
import { whyReadOnly, whyUnfit } from './fitness.ts'
import { Lane, untilAnswered } from './lane.ts'
import { settleTables } from './schema.ts'
import { StatementLimit } from './statement-limit.ts'

export interface DatabaseOptions {
  readonly address: PostgresAddress
  readonly password?: () => string | undefined
  /** Timeout of a statement. When it expires, the connection is destroyed. */
  readonly boundMs?: number
  /** False: `prepare` rejects with `NoTables` for a database without tables. */
  readonly makes?: boolean
  /** True: nothing is written, so the server may be a standby. */
  readonly readsOnly?: boolean
  /** Called when a statement got no answer and will be retried. */
  readonly onNoAnswer?: (error: NoAnswer) => void
  /** Replaced only by simulations. */
  readonly connect?: typeof connect
}

const BOUND_MS = 10_000
const MAX_BOUND_MS = 120_000
const IDLE_CONNECTIONS = 4
/**
 * Maximum number of concurrent statements of `query`, and so of their connections. Separate connections serve what must
 * not wait for them: commits, renewals and polls (`lane`), and snapshots, which a commit waits for (`borrow`).
 */
const MAX_STATEMENTS = 8
const RETRY_MS = 250

export class Database {
  readonly address: PostgresAddress
  readonly boundMs: number
  readonly #options: DatabaseOptions
  readonly #open: typeof connect
  readonly #idle: Connection[] = []
  readonly #inUse = new Set<Connection>()
  readonly #statements = new StatementLimit(MAX_STATEMENTS)
  #closed = false

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.#open = options.connect ?? connect
    this.address = options.address
    this.boundMs = options.boundMs ?? BOUND_MS
  }

  /**
   * Further connections to the same database, with a limit of their own. They need no `prepare`: a server that takes no
   * writes, or cannot be used, counts as one that does not answer.
   */
  another(): Database {
    return new Database(this.#options)
  }

  /** A separate connection, for statements that must not wait for those of other callers. */
  lane(): Lane {
    return new Lane(() => this.#connect())
  }

  /**
   * Sends the statement once, on any connection. Rejects with `NoAnswer` or `StatementRefused`.
   * @param boundMs timeout of the statement, and of the wait for earlier statements
   */
  async query(statement: Statement, values: readonly Value[], boundMs = this.boundMs): Promise<ResultRow[]> {
    if (!(await this.#statements.acquire(boundMs)))
      throw new NoAnswer(`earlier statements took over ${String(boundMs)} ms`, { connecting: true })
    try {
      return await this.session((connection) => connection.query(statement, values, boundMs))
    } finally {
      this.#statements.release()
    }
  }

  /** Retries the statement until it is answered or the database is closed: for idempotent statements. */
  async read(statement: Statement, values: readonly Value[]): Promise<ResultRow[]> {
    return await untilAnswered(
      (attempt) => this.query(statement, values, this.boundAt(attempt)),
      (error) => this.noAnswer(error),
    )
  }

  /** Runs `work` on a connection that nothing else uses meanwhile. `work` must end its transactions. */
  async session<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.borrow()
    try {
      return await work(connection)
    } finally {
      this.giveBack(connection)
    }
  }

  async borrow(): Promise<Connection> {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (!idle.open) continue
      this.#inUse.add(idle)
      return idle
    }
    const connection = await this.#connect()
    this.#inUse.add(connection)
    return connection
  }

  giveBack(connection: Connection): void {
    this.#inUse.delete(connection)
    if (this.#closed || this.#idle.length >= IDLE_CONNECTIONS) connection.destroy()
    else if (connection.open) this.#idle.push(connection)
  }

  /** The timeout of retry number `attempt`. It doubles with each retry, so that a slow database can answer. */
  boundAt(attempt: number): number {
    return Math.min(MAX_BOUND_MS, this.boundMs * 2 ** Math.min(attempt, 10))
  }

  /** Reports the error; throws it once the database is closed. */
  noAnswer(error: NoAnswer): void {
    if (this.#closed) throw error
    this.#options.onNoAnswer?.(error)
  }

  close(): void {
    this.#closed = true
    for (const connection of [...this.#idle.splice(0), ...this.#inUse]) connection.destroy()
  }

  /** Waits for the database, checks that it can hold a store, and creates its tables if they are absent (`makes`). */
  async prepare(waitMs: number): Promise<ServerFacts> {
    const deadlineMs = performance.now() + waitMs
    for (;;) {
      try {
        return await this.#prepared()
      } catch (error) {
        if (error instanceof StatementRefused) throw new UnfitDatabase(error.reason)
        if (!(error instanceof NoAnswer)) throw error
        if (error.hopeless) throw new UnfitDatabase(error.reason)
        if (performance.now() >= deadlineMs) throw new DatabaseAway(Math.round(waitMs / 1_000), error)
        this.#options.onNoAnswer?.(error)
      }
      await sleep(RETRY_MS)
    }
  }

  async #prepared(): Promise<ServerFacts> {
    const connection = await this.#open(this.address, this.#connectOptions())
    try {
      const problem = whyUnfit(connection.facts, this.#options.readsOnly)
      if (problem !== null) throw new UnfitDatabase(problem)
      await settleTables(connection, this.address, this.boundMs, {
        makes: this.#options.makes,
        readsOnly: this.#options.readsOnly,
      })
      return connection.facts
    } finally {
      this.giveBack(connection)
    }
  }

  async #connect(): Promise<Connection> {
    if (this.#closed) throw new NoAnswer('the connections are closed', { connecting: true })
    const connection = await this.#open(this.address, this.#connectOptions())
    const problem = whyUnfit(connection.facts, this.#options.readsOnly)
    if (problem === null) return connection
    connection.destroy()
    // After a failover the address may still lead to the former primary, or to a server with other settings.
    if (whyReadOnly(connection.facts) !== null) throw new NoAnswer(problem, { connecting: true })
    throw new NoAnswer(`it cannot be used: ${problem}`, { connecting: true })
  }

  #connectOptions(): { readonly password?: () => string | undefined; readonly boundMs: number } {
    const { password } = this.#options
    return { boundMs: this.boundMs, ...(password === undefined ? {} : { password }) }
  }
}
