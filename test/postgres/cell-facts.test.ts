// What the cells of one database have in common, and what each has for itself, on a real PostgreSQL.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Postgres } from '../../bench/postgres/server.ts'
import { Engine } from '../../src/engine/engine.ts'
import { ColdRows } from '../../src/engine/eviction/cold-rows.ts'
import type { Archive } from '../../src/engine/eviction/cold-store.ts'
import { ColdView } from '../../src/engine/eviction/cold-view.ts'
import type { Entry } from '../../src/engine/records/entry.ts'
import { NodeRows } from '../../src/nodes/node-rows.ts'
import { TABLES_VERSION } from '../../snapshots/postgres/schema.ts'
import { loadSettings } from '../../src/config/settings.ts'
import { openAccountKeys } from '../../src/keys/open.ts'
import { checkpointSigner } from '../../src/operations/admin/checkpoint-key.ts'
import { connect } from '../../snapshots/postgres/connection.ts'
import { Lane } from '../../snapshots/postgres/lane.ts'
import type { PostgresStore } from '../../snapshots/postgres/postgres-store.ts'
import { CLUSTER, newAccount } from '../engine/ground.ts'
import { addressOf, claimedStore, emptied, ownPostgres } from './postgres.ts'

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
const OTHER_KEY = Buffer.alloc(32, 8).toString('base64')
const LOG = { info: () => undefined, warn: () => undefined }

let postgres: Postgres
let stores: { readonly main: PostgresStore; readonly red: PostgresStore }
beforeAll(async () => {
  postgres = await ownPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())
beforeEach(async () => {
  const address = addressOf(postgres)
  await emptied(address)
  const main = await claimedStore(address)
  const lane = new Lane(() => connect(address, { boundMs: 10_000 }))
  await new NodeRows(lane, 10_000).create('red', TABLES_VERSION)
  lane.destroy()
  stores = { main, red: await claimedStore(address, { cell: 'red' }) }
  return async () => {
    await main.close()
    await stores.red.close()
  }
})

const keysOf = (store: PostgresStore, masterKey: string) =>
  openAccountKeys(
    loadSettings({ HOLDFAST_DATA_DIR: '/nowhere', HOLDFAST_MASTER_KEY: masterKey, HOLDFAST_PLAYERS: '' }),
    store,
    LOG,
  )

it('the keys of the installation are those of the first that asks, for all cells', async () => {
  const opened = await Promise.all([stores.main, stores.red].map((store) => keysOf(store, MASTER_KEY)))
  const made = await Promise.all(
    [stores.main, stores.red].map((store, at) => checkpointSigner(store, opened[at]!.keys)),
  )
  expect(made[0]!('text')).toBe(made[1]!('text'))
  for (const fact of ['masterKeyCheck', 'keysTag', 'audit.publicKey'])
    expect([fact, stores.red.meta(fact)]).toEqual([fact, stores.main.meta(fact) ?? 'absent'])
  for (const each of opened) each.close()
})

it('a process with another master key is refused, also when it was not known at its start', async () => {
  const first = await keysOf(stores.main, MASTER_KEY)
  first.close()
  expect(stores.red.meta('masterKeyCheck')).toBeUndefined()
  await expect(keysOf(stores.red, OTHER_KEY)).rejects.toThrow('HOLDFAST_MASTER_KEY is wrong')
})

it('each cell dates its movements by itself', async () => {
  const owners = { ACME: 'main', BANK: 'red' }
  const open = (store: PostgresStore, cell?: string): Promise<Engine> => {
    const owns = (tenant: string): boolean => owners[tenant as 'ACME'] === (cell ?? 'main')
    const elsewhere = { owns, deliver: () => new Promise<void>(() => undefined) }
    return Engine.open({ store, cell, elsewhere })
  }
  const [main, red] = [await open(stores.main), await open(stores.red, 'red')]
  await main.transact((unit) => newAccount(unit, 'a', '10', 'active', 'ACME')).durable
  await red.transact((unit) => newAccount(unit, 'b', '20', 'active', 'BANK')).durable
  const lastOf = (store: PostgresStore, name: string) => (store.meta(name) as { last: number } | undefined)?.last
  const [ofMain, ofRed] = [lastOf(stores.main, 'movements'), lastOf(stores.red, 'movements\u0001red')]
  expect(ofMain).toBeGreaterThan(0)
  expect(ofRed).toBeGreaterThan(0)
  await main.transact((unit) => newAccount(unit, 'c', '10', 'active', 'ACME')).durable
  const view = stores.red.view()
  expect(await view.meta('movements\u0001red')).toMatchObject({ last: ofRed })
  expect(await view.meta('movements')).not.toMatchObject({ last: ofMain })
  await view.close()
})

it('records of several cells in one list are counted together, whichever cell wrote last', async () => {
  const archive = { rowsOf: () => [], listsOf: () => ['LIST'] } as unknown as Archive
  const leave = async (store: PostgresStore, tenant: string, cell?: string): Promise<void> => {
    const head = { kind: 'plan', tenant, cluster: CLUSTER, id: `of ${tenant}` }
    const rows = new ColdRows({ store, cell }, archive).of([{ head } as unknown as Entry])
    await store.commit([...rows].map(([of, ops]) => ({ tenant: of, epoch: store.epoch, ops })))
  }
  await leave(stores.main, 'ACME')
  await leave(stores.red, 'BANK', 'red')
  await leave(stores.main, 'ACME')
  await leave(stores.red, 'BANK', 'red')
  for (const store of [stores.main, stores.red]) {
    const inMemory = { entries: new Set<Entry>(), close: () => undefined }
    const payloadOf = (): never => {
      throw new Error('no payload is read')
    }
    const view = new ColdView({ store, listsOf: () => ['LIST'], payloadOf, inMemory })
    expect(await view.count('LIST')).toBe(4)
    for (const other of ['LIST2', 'LIS']) expect(await view.count(other)).toBe(0)
    await view.close()
  }
})
