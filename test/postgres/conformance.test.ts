// The store on PostgreSQL shows what every store must.
import { afterAll, beforeAll } from 'vitest'
import type { Postgres } from '../../bench/postgres/server.ts'
import type { Store } from '../../snapshots/store.ts'
import { conformance } from '../snapshots/conformance.ts'
import { addressOf, claimedStore, emptied, ownPostgres } from './postgres.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await ownPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())

conformance('PostgreSQL', () => {
  let fresh = true
  return {
    async open(onFatal): Promise<Store> {
      const address = addressOf(postgres)
      if (fresh) await emptied(address)
      fresh = false
      return await claimedStore(address, onFatal === undefined ? {} : { onFatal })
    },
  }
})
