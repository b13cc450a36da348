// One connection to PostgreSQL; the only file that uses the driver. Each statement has a timeout. When it expires, the
// socket is destroyed. (The statement is never cancelled on the server: a backend that waits for its standby would then
// acknowledge a commit that is not replicated.)

import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import type { PostgresAddress } from './address.ts'
import { NoAnswer, StatementRefused } from './errors.ts'
import { textArray } from './text-array.ts'

/** A statement with parameters `$1`, `$2`, ... A named statement is prepared once per connection. */
export interface Statement {
  readonly text: string
  readonly name?: string
}

/** Statements declare every array as `text[]`, and cast it where they need another type. */
export type Value = string | number | null | readonly (string | null)[]
/** Values in PostgreSQL's text format. */
export type ResultRow = readonly (string | null)[]

/** Properties of the server, read when a connection opens. */
export interface ServerFacts {
  /** As `server_version_num`. */
  readonly version: number
  readonly versionText: string
  readonly encoding: string
  readonly inRecovery: boolean
  readonly readOnly: boolean
  readonly fsync: string
  readonly fullPageWrites: string
  readonly synchronousCommit: string
  readonly synchronousStandbys: string
}

export interface Connection {
  readonly facts: ServerFacts
  /** False after the connection was lost or destroyed. */
  readonly open: boolean
  /** Runs one statement; calls must not overlap. Rejects with `NoAnswer` or `StatementRefused`. */
  query(statement: Statement, values: readonly Value[], boundMs: number): Promise<ResultRow[]>
  /** Runs several statements without parameters, in one transaction. */
  script(text: string, boundMs: number): Promise<void>
  /** Closes the connection at once, without waiting for a running statement. */
  destroy(): void
}

export interface ConnectOptions {
  /** Called for each connection; undefined: no password is sent. */
  readonly password?: () => string | undefined
  readonly boundMs: number
}

const KEEPALIVE_AFTER_MS = 10_000
/**
 * Planner settings of the connection. A named statement keeps its plan: a new one for the values of each call would be
 * the same one, and take as long as a short commit. On a small table that is a scan of the whole table, also after it
 * has grown, until the server analyzes it: once a minute by default. Every statement of the service finds its rows by
 * an index. Just-in-time compilation takes longer than any of them. Other servers may lack a setting.
 */
const PLANNER = `(SELECT count(set_config(name, value, false))
  FROM pg_settings JOIN (VALUES ('enable_seqscan', 'off'), ('jit', 'off'),
    ('plan_cache_mode', 'force_generic_plan')) AS s (name, value) USING (name))`
/**
 * A statement that waits for a lock would keep its server process after its connection was given up: repeated attempts
 * would use up `max_connections` while the holder of the lock waits for a standby. Only Linux has the check on every
 * version.
 */
const CHECKS_CLIENT = `(SELECT count(set_config(name, '2s', false)) FROM pg_settings
  WHERE name = 'client_connection_check_interval' AND version() ~* 'linux')`
const FACTS = `SELECT current_setting('server_version_num'), current_setting('server_version'),
  current_setting('server_encoding'), pg_is_in_recovery()::text, current_setting('default_transaction_read_only'),
  current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),
  current_setting('synchronous_standby_names'), ${PLANNER}, ${CHECKS_CLIENT}`

/**
 * SQLSTATE classes and codes of transient errors, after which a retry may succeed on this server or another one:
 * connections, serialization, resources (a full disk), operator intervention (shutdown, a cancelled statement), a
 * server that became read-only.
 */
const PASSING = /^(?:08|40|53|57|58|25006$|55006$|55P03$)/
/** SQLSTATE of the warning for a commit that the server acknowledges without having waited for its standby. */
const NOT_REPLICATED = /^(?:01000|57P01)$/

/** Wrong role, password or database; a certificate that does not authenticate the server. */
const HOPELESS = /^(?:28...|3D000|42501|.*CERT.*|.*SIGNED.*|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/
const NO_PASSWORD = 'it asks for a password, and none is set'
/** Message of the driver's error. */
const NO_TLS = 'The server does not support SSL connections'

const TEXT_ONLY = { getTypeParser: () => (text: string) => text }

/** Every rejection is a `NoAnswer`. */
export async function connect(address: PostgresAddress, options: ConnectOptions): Promise<Connection> {
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    user: address.user,
    database: address.database,
    password: () => passwordOf(options),
    ssl: tlsOf(address),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
    connectionTimeoutMillis: options.boundMs,
    application_name: 'holdfast',
    client_encoding: 'UTF8',
    types: TEXT_ONLY as unknown as pg.CustomTypesConfig,
  })
  const session = new Session(client)
  try {
    await client.connect()
    session.facts = factsOf((await session.query({ text: FACTS }, [], options.boundMs))[0] ?? [])
    return session
  } catch (error) {
    session.destroy()
    const { message, code } = error as { message: string; code?: unknown }
    const text = typeof code === 'string' ? code : ''
    throw new NoAnswer(message, {
      code: error instanceof pg.DatabaseError || error instanceof StatementRefused ? text : undefined,
      connecting: true,
      hopeless: HOPELESS.test(text) || message === NO_PASSWORD || message === NO_TLS,
    })
  }
}

function passwordOf({ password }: ConnectOptions): string {
  const text = password?.()
  if (text === undefined) throw new Error(NO_PASSWORD)
  return text
}

function tlsOf({ sslMode, ca }: PostgresAddress): ConnectionOptions | false {
  if (sslMode === 'disable') return false
  return {
    rejectUnauthorized: sslMode !== 'require',
    ...(ca === undefined ? {} : { ca }),
    ...(sslMode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  }
}

function factsOf(row: ResultRow): ServerFacts {
  const text = (at: number): string => row[at] ?? ''
  return {
    version: Number(text(0)),
    versionText: text(1),
    encoding: text(2),
    inRecovery: text(3) === 'true',
    readOnly: text(4) === 'on',
    fsync: text(5),
    fullPageWrites: text(6),
    synchronousCommit: text(7),
    synchronousStandbys: text(8),
  }
}

const isScalar = (value: Value): value is string | number | null => value === null || typeof value !== 'object'

class Session implements Connection {
  facts!: ServerFacts
  readonly #client: pg.Client
  #open = true
  /** Number of `NOT_REPLICATED` warnings. */
  #warnings = 0

  constructor(client: pg.Client) {
    this.#client = client
    // Without a listener, the loss of an idle connection would end the process.
    client.on('error', () => void (this.#open = false))
    client.on('end', () => void (this.#open = false))
    client.on('notice', ({ code }) => {
      if (code !== undefined && NOT_REPLICATED.test(code)) this.#warnings += 1
    })
  }

  get open(): boolean {
    return this.#open
  }

  query({ text, name }: Statement, values: readonly Value[], boundMs: number): Promise<ResultRow[]> {
    const query = {
      text,
      values: values.map((value) => (isScalar(value) ? value : textArray(value))),
      rowMode: 'array' as const,
      ...(name === undefined ? {} : { name }),
    }
    return this.#bounded(boundMs, async () => (await this.#client.query<(string | null)[]>(query)).rows)
  }

  async script(text: string, boundMs: number): Promise<void> {
    await this.#bounded(boundMs, () => this.#client.query(text))
  }

  destroy(): void {
    this.#open = false
    this.#client.connection.stream.destroy()
  }

  async #bounded<T>(boundMs: number, query: () => Promise<T>): Promise<T> {
    if (!this.#open) throw new NoAnswer('the connection is lost')
    const before = this.#warnings
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new NoAnswer(`nothing within ${String(boundMs)} ms`))
        this.destroy()
      }, boundMs)
    })
    try {
      const answer = await Promise.race([query(), late])
      if (this.#warnings > before) throw this.#lost(new NoAnswer('the server did not wait for its standby'))
      return answer
    } catch (error) {
      throw this.#classified(error)
    } finally {
      clearTimeout(timer)
    }
  }

  #classified(error: unknown): Error {
    if (error instanceof NoAnswer) return error
    // Socket errors also have a `code`, but it is not an SQLSTATE.
    if (!(error instanceof pg.DatabaseError)) return this.#lost(new NoAnswer((error as Error).message))
    const code = error.code ?? 'XX000'
    if (PASSING.test(code)) return this.#lost(new NoAnswer(error.message, { code }))
    return new StatementRefused(code, error.message)
  }

  /** Without an answer the state of the connection is unknown, so it cannot be used again. */
  #lost(error: NoAnswer): NoAnswer {
    this.destroy()
    return error
  }
}
