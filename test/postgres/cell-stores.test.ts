// Stores of several cells on one real PostgreSQL: each has the tenants of its cell, and the database refuses the rows
// of a tenant that belongs to another.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Postgres } from '../../bench/postgres/server.ts'
import type { PostgresStore } from '../../snapshots/postgres/postgres-store.ts'
import type { Store, StoreOp } from '../../snapshots/store.ts'
import { addressOf, claimedStore, ownPostgres, sql } from './postgres.ts'
import { emptyCells } from './empty-cells.ts'

const CLUSTER = 'CHAIN_DEVNET'

let postgres: Postgres
beforeAll(async () => {
  postgres = await ownPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())
beforeEach(() => emptyCells(addressOf(postgres), ['red']))

const failures: Error[] = []
const storeOf = (cell: string): Promise<PostgresStore> =>
  claimedStore(addressOf(postgres), { cell, onFatal: (error) => void failures.push(error) })

function recordOf(tenant: string, id: string): StoreOp {
  const place = { tenant, cluster: CLUSTER, id }
  return { type: 'record', envelope: { kind: 'note', version: 1, revision: 1, ...place, value: 'kept', context: {} } }
}

const write = (store: Store, tenant: string, id: string): Promise<void> =>
  store.commit([{ tenant, epoch: store.epoch, ops: [recordOf(tenant, id)] }])

async function idsOf(store: Store, tenant: string): Promise<string[]> {
  const ids: string[] = []
  for await (const page of store.load(tenant)) ids.push(...page.map(({ id }) => id))
  return ids
}

it('each contains the tenants that it created, also after a later claim', async () => {
  const [main, red] = [await storeOf('main'), await storeOf('red')]
  await write(main, 'one', 'a')
  await write(red, 'two & co', 'b')
  await write(red, 'three', 'c')
  expect(await main.tenants()).toEqual(['one'])
  expect(await red.tenants()).toEqual(['three', 'two & co'])
  await red.close()
  const reopened = await storeOf('red')
  expect(reopened.epoch).toBe(2)
  expect(await reopened.tenants()).toEqual(['three', 'two & co'])
  expect(await idsOf(reopened, 'two & co')).toEqual(['b'])
  await write(reopened, 'two & co', 'd')
  expect(await idsOf(reopened, 'two & co')).toEqual(['b', 'd'])
  await main.close()
  await reopened.close()
})

it('commits of several cells are concurrent, and each cell has its own history', async () => {
  const [main, red] = [await storeOf('main'), await storeOf('red')]
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      await write(main, 'one', `m${index}`)
      await write(red, 'two', `r${index}`)
    }),
  )
  const steps = await sql(addressOf(postgres), 'SELECT cell, max(head), count(*) FROM holdfast.step GROUP BY 1')
  for (const [, head, count] of steps) expect(Number(count)).toBe(Number(head) + 1)
  expect((await idsOf(main, 'one')).length).toBe(50)
  expect((await idsOf(red, 'two')).length).toBe(50)
  await main.close()
  await red.close()
})

it('a commit with a row of a tenant of another cell is refused as a whole', async () => {
  const [main, red] = [await storeOf('main'), await storeOf('red')]
  await write(main, 'one', 'a')
  await expect(
    red.commit([
      { tenant: 'two', epoch: red.epoch, ops: [recordOf('two', 'x')] },
      { tenant: 'one', epoch: red.epoch, ops: [recordOf('one', 'y')] },
    ]),
  ).rejects.toThrow()
  expect(failures.length).toBeGreaterThan(0)
  expect(await idsOf(main, 'one')).toEqual(['a'])
  expect(await main.tenants()).toEqual(['one'])
  const rows = await sql(addressOf(postgres), `SELECT key FROM holdfast.row WHERE key LIKE 'r!two!%'`)
  expect(rows).toEqual([])
  await main.close()
})

it('a tenant created by two cells at the same time belongs to one of them', async () => {
  const stores = [await storeOf('main'), await storeOf('red')]
  const outcomes = await Promise.allSettled(stores.map((store, at) => write(store, 'one', `of-${at}`)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const winner = stores[outcomes.findIndex(({ status }) => status === 'fulfilled')]!
  expect(await idsOf(winner, 'one')).toHaveLength(1)
  for (const store of stores) await store.close().catch(() => undefined)
})

it('leaves behind neither the steps of old commits nor rows without a value, and nothing of another cell', async () => {
  const [main, red] = [await storeOf('main'), await storeOf('red')]
  const count = async (where: string): Promise<number> =>
    Number((await sql(addressOf(postgres), `SELECT count(*) FROM holdfast.${where}`))[0]![0])
  const ids = Array.from({ length: 1_000 }, (_, at) => `a${at}`)
  await main.commit([{ tenant: 'one', epoch: main.epoch, ops: ids.map((id) => recordOf('one', id)) }])
  await write(red, 'two', 'b')
  const steps = await count("step WHERE cell = 'red'")
  const unloaded = ids.map((id): StoreOp => ({ type: 'unloaded', tenant: 'one', cluster: CLUSTER, id }))
  await main.commit([{ tenant: 'one', epoch: main.epoch, ops: unloaded }])
  await expect.poll(() => count("row WHERE key LIKE 'r!%'"), { timeout: 20_000 }).toBe(1)
  // In sequence: each is a step.
  for (let commits = 0; commits < 2_000; commits += 1) await write(main, 'one', 'again')
  await expect.poll(() => count("step WHERE cell = 'main'"), { timeout: 20_000 }).toBeLessThan(1_100)
  expect(await count("step WHERE cell = 'red'")).toBe(steps)
  expect([await idsOf(main, 'one'), await idsOf(red, 'two')]).toEqual([['again'], ['b']])
  await main.close()
  await red.close()
})
