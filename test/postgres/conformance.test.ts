// The store on PostgreSQL meets the requirements for every store.
import { afterAll, beforeAll } from 'vitest'
import type { Postgres } from '../../bench/postgres/server.ts'
import type { Store } from '../../snapshots/store.ts'
import { conformance } from '../snapshots/conformance.ts'
import { addressOf, claimedStore, emptySchema, ownPostgres, sql } from './postgres.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await ownPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())

const OTHER_CELL = `WITH cell AS (INSERT INTO holdfast.cell (cell, epoch) VALUES ('red', 0))
INSERT INTO holdfast.step VALUES ('red', 0, gen_random_uuid())`

conformance('PostgreSQL', () => {
  let fresh = true
  return {
    async open(onFatal): Promise<Store> {
      const address = addressOf(postgres)
      if (fresh) await emptySchema(address)
      fresh = false
      return await claimedStore(address, onFatal === undefined ? {} : { onFatal })
    },
    async beside(): Promise<Store> {
      await sql(addressOf(postgres), OTHER_CELL)
      return await claimedStore(addressOf(postgres), { cell: 'red', hasNeighbours: () => true })
    },
  }
})

conformance('PostgreSQL, a cell beside another', () => {
  let fresh = true
  return {
    async open(onFatal): Promise<Store> {
      const address = addressOf(postgres)
      if (fresh) {
        await emptySchema(address)
        const main = await claimedStore(address)
        const ops = [{ type: 'event', tenant: 'of main', sequence: 1, row: {} }] as const
        await main.commit([{ tenant: 'of main', epoch: main.epoch, ops }])
        await main.close()
        await sql(address, OTHER_CELL)
      }
      fresh = false
      return await claimedStore(address, { cell: 'red', ...(onFatal === undefined ? {} : { onFatal }) })
    },
    beside: () => claimedStore(addressOf(postgres), { hasNeighbours: () => true }),
  }
})
