// Durable commits of 1, 30 and 300 rows, one after the other: the store on PostgreSQL compared with the store on
// LevelDB, both in this process and on this machine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../snapshots/level-store.ts'
import { parseAddress } from '../../snapshots/postgres/address.ts'
import { openPostgresStore, prepareDatabase } from '../../snapshots/postgres/postgres-store.ts'
import type { Store, StoreOp } from '../../snapshots/store.ts'
import { inTurns } from '../measure/rounds.ts'
import type { Figure, Options, Suite, SuiteResult } from '../suite.ts'
import { startPostgres } from './server.ts'

const ROWS = [1, 30, 300]
const TENANT = 'BENCH'
const FILL = 'x'.repeat(260)
const WAIT_MS = 30_000
const about = 'durable commits of the store on PostgreSQL, beside the store on LevelDB'

export const postgres: Suite = { name: 'postgres', about, run }

async function run({ rounds, windowMs, warmupMs, note }: Options): Promise<SuiteResult> {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const server = await startPostgres()
  if (server === null) throw new Error('PostgreSQL is not installed')
  note(`PostgreSQL ${server.version}, its settings but for memory as they come, on the same cores`)
  const onFatal = (error: Error): never => {
    throw error
  }
  const address = parseAddress(`postgres://${server.user}@${encodeURIComponent(server.dir)}/postgres`)
  const { database } = await prepareDatabase({ address, waitMs: WAIT_MS })
  const stores: Store[] = [
    openPostgresStore({ database, onFatal }),
    await openStore({ path: join(dir, 'level'), onFatal }),
  ]
  try {
    const writers = await Promise.all(stores.map((store) => Writer.on(store)))
    const figures: Figure[] = []
    for (const rows of ROWS) {
      for (const writer of writers) await writer.round(rows, warmupMs / ROWS.length / writers.length)
      const [shared, level] = await inTurns(
        rounds,
        writers.map((writer) => () => writer.round(rows, windowMs)),
      )
      const name = rows === 1 ? '1 row' : `${String(rows)} rows`
      figures.push(
        { name: `${name}: PostgreSQL`, unit: 'commits/s', values: shared! },
        { name: `${name}: LevelDB`, unit: 'commits/s', values: level! },
        { name: `${name}: ratio`, unit: 'PostgreSQL/LevelDB', values: shared!.map((rate, at) => rate / level![at]!) },
      )
    }
    const written = await Promise.all(writers.map((writer) => writer.check()))
    const checks = [`read back, the stores hold the rows of ${written.join(' and ')} commits, no more and no less`]
    return { suite: 'postgres', about, figures, checks, profile: [] }
  } finally {
    for (const store of stores) await store.close()
    await server[Symbol.asyncDispose]()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** One client that waits for each commit. */
class Writer {
  readonly #store: Store
  #events = 0
  #commits = 0

  private constructor(store: Store) {
    this.#store = store
  }

  static async on(store: Store): Promise<Writer> {
    await store.claim()
    return new Writer(store)
  }

  /** Commits a second. */
  async round(rows: number, windowMs: number): Promise<number> {
    const begunMs = performance.now()
    let done = 0
    while (performance.now() - begunMs < windowMs) {
      const ops = Array.from({ length: rows }, (): StoreOp => {
        this.#events += 1
        return { type: 'event', tenant: TENANT, sequence: this.#events, row: { n: this.#events, fill: FILL } }
      })
      await this.#store.commit([{ tenant: TENANT, epoch: this.#store.epoch, ops }])
      done += 1
    }
    this.#commits += done
    return (1_000 * done) / (performance.now() - begunMs)
  }

  async check(): Promise<number> {
    const last = await this.#store.lastSequence('event', TENANT)
    let found = 0
    for (let after = 0; after < last;) {
      const page = await this.#store.events(TENANT, after, 5_000)
      found += page.length
      after = page.at(-1)?.sequence ?? last
    }
    if (last !== this.#events || found !== this.#events)
      throw new Error(`${String(found)} of ${String(this.#events)} rows are there, the last is ${String(last)}`)
    return this.#commits
  }
}
