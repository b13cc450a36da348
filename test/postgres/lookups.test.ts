// Many requests look up the cells of their tenants at once: the connections of the node stay few, and none is refused.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TenantHomes } from '../../snapshots/postgres/homes.ts'
import { prepareDatabase } from '../../snapshots/postgres/postgres-store.ts'
import type { Database } from '../../snapshots/postgres/database.ts'
import type { Postgres } from '../../bench/postgres/server.ts'
import { addressOf, faultyProxy, ownPostgres, SETTINGS, sql } from './postgres.ts'

const MAX_CONNECTIONS = 16
const WAIT_MS = 30_000
const BOUND_MS = 2_000
const MANY = 400

let postgres: Postgres

beforeAll(async () => {
  postgres = await ownPostgres({ settings: [...SETTINGS, `max_connections=${MAX_CONNECTIONS}`] })
})
afterAll(async () => postgres[Symbol.asyncDispose]())

async function opened(address = addressOf(postgres), boundMs = WAIT_MS): Promise<Database> {
  return (await prepareDatabase({ address, waitMs: WAIT_MS, boundMs })).database
}

it('answers many lookups of unknown names and of tenants, each with its own answer', async () => {
  const database = await opened()
  const homes = new TenantHomes(database, BOUND_MS)
  await sql(
    addressOf(postgres),
    `INSERT INTO holdfast.tenant (tenant, cell, names) SELECT 'T' || n, 'main', 0 FROM generate_series(0, 9) AS n;`,
  )
  await sql(
    addressOf(postgres),
    `INSERT INTO holdfast.name (key, tenant, id, held) SELECT 'key%00' || n, 'T' || n, 'id', n < 5
     FROM generate_series(0, 9) AS n`,
  )
  const tenants = Array.from({ length: MANY }, (_, at) => homes.cellOfTenant(`T${at}`))
  // Forged credentials contain any text.
  const names = Array.from({ length: MANY }, (_, at) => homes.tenantOf(`key\0${at}`))
  const odd = ['\0', '\ud800', "'", '~'.repeat(5_000), ''].map((name) => homes.tenantOf(name))
  const known = (count: number, value: (at: number) => string) =>
    Array.from({ length: MANY }, (_, at) => (at < count ? value(at) : undefined))
  expect(await Promise.all(tenants)).toEqual(known(10, () => 'main'))
  expect(await Promise.all(names)).toEqual(known(5, (at) => `T${at}`))
  expect(new Set(await Promise.all(odd))).toEqual(new Set([undefined]))
  database.close()
})

it('opens few connections for concurrent statements', async () => {
  const database = await opened()
  const slow = { text: 'SELECT pg_sleep(0.01)' }
  const statements = Array.from({ length: MANY }, () => database.query(slow, []))
  const answers = await Promise.allSettled(statements)
  expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
  database.close()
})

it('rejects lookups when the database does not answer, however many wait', async () => {
  const proxy = await faultyProxy(addressOf(postgres))
  const database = await opened(proxy.address, 1_000)
  const homes = new TenantHomes(database, 2_000)
  expect(await homes.cellOfTenant('NOBODY')).toBeUndefined()
  proxy.swallow = true
  const lookups = Array.from({ length: MANY }, (_, at) => homes.cellOfTenant(`T${at}`))
  for (const lookup of await Promise.allSettled(lookups)) expect(lookup.status).toBe('rejected')
  const statements = Array.from({ length: MANY }, () => database.query({ text: 'SELECT 1' }, [], 500))
  for (const statement of await Promise.allSettled(statements)) expect(statement.status).toBe('rejected')
  proxy.swallow = false
  proxy.reset()
  expect(await homes.cellOfTenant('NOBODY')).toBeUndefined()
  database.close()
  await proxy[Symbol.asyncDispose]()
})
