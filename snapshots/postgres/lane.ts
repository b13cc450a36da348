// A connection that reconnects after a failure and runs one statement at a time.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection, ResultRow, Statement, Value } from './connection.ts'
import { NoAnswer } from './errors.ts'

/** Rejects with `NoAnswer`, or with `UnfitDatabase` for a server that must not be used. */
export type Connect = () => Promise<Connection>

const FIRST_WAIT_MS = 20
const MAX_WAIT_MS = 1_000

export class Lane {
  readonly #connect: Connect
  #connection: Connection | undefined
  #last: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(connect: Connect) {
    this.#connect = connect
  }

  /** Sends the statement once, after all earlier ones of this lane. Rejects with `NoAnswer` or `StatementRefused`. */
  query(statement: Statement, values: readonly Value[], boundMs: number): Promise<ResultRow[]> {
    return this.use((connection) => connection.query(statement, values, boundMs))
  }

  /** Runs `work` alone on the connection, after all earlier work. */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => await work(await this.#current()))
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Waits for all queued work, then ends the connection. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#last
    this.#connection?.destroy()
  }

  /** Ends the connection at once. */
  destroy(): void {
    this.#closed = true
    this.#connection?.destroy()
  }

  async #current(): Promise<Connection> {
    if (this.#connection?.open === true) return this.#connection
    if (this.#closed) throw new NoAnswer('the connection is closed', { connecting: true })
    this.#connection = undefined
    const connection = await this.#connect()
    // The lane was closed while it connected.
    if (this.#closed as boolean) {
      connection.destroy()
      throw new NoAnswer('the connection is closed', { connecting: true })
    }
    this.#connection = connection
    return connection
  }
}

/**
 * Retries `query` after each `NoAnswer`, with growing pauses. `query` must be idempotent.
 * @param onRetry called before each pause; throws to give up
 */
export async function untilAnswered<T>(
  query: (attempt: number) => Promise<T>,
  onRetry: (error: NoAnswer) => void,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await query(attempt)
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      onRetry(error)
      await sleep(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 10)))
    }
  }
}
