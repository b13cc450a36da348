// Plans of statements that were prepared while the tables were small. The server keeps such a plan until it analyzes
// the table again, and a scan of the whole table takes longer with every row.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Postgres } from '../../../bench/postgres/server.ts'
import { connect } from '../../../snapshots/postgres/connection.ts'
import { rowsOf } from '../../../snapshots/postgres/rows-by-key.ts'
import { addressOf, claimedStore, ownPostgres, SETTINGS } from '../postgres.ts'

const BOUND_MS = 30_000

let postgres: Postgres
beforeAll(async () => {
  const settings = [...SETTINGS, 'autovacuum=off', 'plan_cache_mode=force_generic_plan']
  postgres = await ownPostgres({ settings })
})
afterAll(() => postgres[Symbol.asyncDispose]())

it('a statement prepared on a small table finds rows by the index', async () => {
  const store = await claimedStore(addressOf(postgres))
  await store.close()
  const connection = await connect(addressOf(postgres), { boundMs: BOUND_MS })
  try {
    const names: string[] = []
    const read = (key: string) =>
      rowsOf(
        (statement, values) => {
          names.push(statement.name ?? '')
          return connection.query(statement, values, BOUND_MS)
        },
        [key],
      )
    const insert = (from: number, to: number) =>
      connection.script(
        `INSERT INTO holdfast.row (key, value, head)
          SELECT 'x!' || n, 'v', 1 FROM generate_series(${String(from)}, ${String(to)}) AS n`,
        BOUND_MS,
      )
    await insert(1, 100)
    await connection.script('ANALYZE', BOUND_MS)
    expect((await read('x!101')).get('x!101')).toBeUndefined()
    await insert(101, 20_000)
    expect((await read('x!101')).get('x!101')).toBe('v')
    const plan = await connection.query({ text: `EXPLAIN EXECUTE "${names[0]!}" ('{x!1}')` }, [], BOUND_MS)
    expect(plan.flat().join('\n')).toMatch(/Index/)
    expect(plan.flat().join('\n')).not.toMatch(/Seq Scan/)
  } finally {
    connection.destroy()
  }
})
