// The data that the cells of one database share, and the data of each cell, on a real PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Postgres } from '../../bench/postgres/server.ts'
import { Engine } from '../../src/engine/engine.ts'
import { ColdRows } from '../../src/engine/eviction/cold-rows.ts'
import type { ColdStore } from '../../src/engine/eviction/cold-store.ts'
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
import { placeOf } from '../../src/engine/movements/row.ts'
import { systemClock, type Clock } from '../../src/time/clock.ts'
import { openStore } from '../../snapshots/level-store.ts'
import type { Store } from '../../snapshots/store.ts'
import { startCommand } from '../config/command-line.ts'
import { CLUSTER, newAccount } from '../engine/engine-fixture.ts'
import { addressOf, claimedStore, emptySchema, ownPostgres } from './postgres.ts'

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
  await emptySchema(address)
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

it('the keys of an installation are those of its first process, for all cells', async () => {
  const openedKeys = await Promise.all([stores.main, stores.red].map((store) => keysOf(store, MASTER_KEY)))
  const signers = await Promise.all(
    [stores.main, stores.red].map((store, at) => checkpointSigner(store, openedKeys[at]!.keys)),
  )
  expect(signers[0]!('text')).toBe(signers[1]!('text'))
  for (const fact of ['masterKeyCheck', 'keysTag', 'audit.publicKey'])
    expect([fact, stores.red.meta(fact)]).toEqual([fact, stores.main.meta(fact) ?? 'absent'])
  for (const each of openedKeys) each.close()
})

it('a process with another master key is refused, also if it was added later', async () => {
  const first = await keysOf(stores.main, MASTER_KEY)
  first.close()
  expect(stores.red.meta('masterKeyCheck')).toBeUndefined()
  await expect(keysOf(stores.red, OTHER_KEY)).rejects.toThrow('HOLDFAST_MASTER_KEY is wrong')
})

it('each cell dates its movements separately', async () => {
  const owners = { ACME: 'main', BANK: 'red' }
  const open = (store: PostgresStore, cell?: string): Promise<Engine> => {
    const owns = (tenant: string): boolean => owners[tenant as 'ACME'] === (cell ?? 'main')
    const elsewhere = { owns, deliver: () => new Promise<void>(() => undefined) }
    return Engine.open({ store, cell, remoteDelivery: elsewhere })
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

const coldStore = { rowsOf: () => [], listsOf: () => ['LIST'] } as unknown as ColdStore

/** A record is evicted to a list of the cold store. */
async function leave(store: Store, tenant: string, cell?: string): Promise<void> {
  const head = { kind: 'plan', tenant, cluster: CLUSTER, id: `plan of ${tenant}` }
  const rows = new ColdRows({ store, cell }, coldStore).of([{ head } as unknown as Entry])
  await store.commit([...rows].map(([of, ops]) => ({ tenant: of, epoch: store.epoch, ops })))
}

async function countIn(store: Store, list: string): Promise<number> {
  const inMemory = { entries: new Set<Entry>(), close: () => undefined }
  const payloadOf = (): never => {
    throw new Error('no payload is read')
  }
  const view = new ColdView({ store, listsOf: () => ['LIST'], payloadOf, inMemory })
  return await view.count(list).finally(() => view.close())
}

it('an owner of restored cells has the history of each', async () => {
  const HOUR_MS = 3_600_000
  const owners = { SYSTEM: 'main', ACME: 'red', BANK: 'blue' }
  const address = addressOf(postgres)
  const lane = new Lane(() => connect(address, { boundMs: 10_000 }))
  await new NodeRows(lane, 10_000).create('blue', TABLES_VERSION)
  lane.destroy()
  const blue = await claimedStore(address, { cell: 'blue' })
  const deliver = () => new Promise<void>(() => undefined)
  const open = (store: PostgresStore, cell: string, clock = systemClock): Promise<Engine> =>
    Engine.open({
      store,
      cell,
      clock,
      remoteDelivery: { owns: (tenant) => owners[tenant as 'ACME'] === cell, deliver },
    })
  // The clock of the third cell is ahead of the others.
  const ahead = Object.assign(Object.create(systemClock) as Clock, { now: () => Date.now() + HOUR_MS })
  const engines = [await open(stores.red, 'red'), await open(blue, 'blue', ahead)]
  await stores.main.commit([{ tenant: 'SYSTEM', epoch: stores.main.epoch, ops: [] }])
  const beforeMs = Date.now() - 1
  for (const [at, tenant] of ['ACME', 'BANK'].entries())
    await engines[at]!.transact((unit) => newAccount(unit, `of ${tenant}`, '10', 'active', tenant)).durable
  await leave(stores.red, 'ACME', 'red')
  await leave(blue, 'BANK', 'blue')
  // A message to another cell, which has not applied it yet.
  const auditEntry = { keyId: 'k', action: 'x', outcome: 'DONE', requestId: 'r' } as const
  const resource = { kind: null, onchainId: null, offchainId: null }
  await engines[0]!.transact((unit) => {
    unit.openFor('ACME')
    unit.audit({ tenant: 'BANK', ...auditEntry, resource })
  }).durable
  const facts = ['movements\u0001red', 'movements\u0001blue'].map((name, at) => [stores.red, blue][at]!.meta(name))
  expect(facts).toEqual([expect.objectContaining({ since: 0 }), expect.objectContaining({ since: 0 })])
  for (const store of [stores.main, stores.red, blue]) await store.close()

  const folder = mkdtempSync(join(tmpdir(), 'holdfast-restored-'))
  const place = (name: string): string => join(folder, name)
  const url = `postgres://${postgres.user}@${encodeURIComponent(postgres.dir)}/postgres`
  for (const words of [
    ['backup', place('all.hfb'), '--store', url],
    ['restore', place('all.hfb'), '--data-dir', place('one')],
  ]) {
    const { code, stdout, stderr } = await startCommand(words, {}).ended
    expect([code, stdout + stderr]).toEqual([0, expect.anything()])
  }
  const onFatal = (error: Error): never => {
    throw error
  }
  for (const times of [1, 2]) {
    const store = await openStore({ path: join(place('one'), 'store'), onFatal })
    const engine = await Engine.open({ store })
    for (const cell of ['red', 'blue']) expect(store.meta(`movements\u0001${cell}`)).toBeUndefined()
    // All of them were written, from the first on.
    expect(engine.movements.knownSinceMs).toBe(0)
    const [entry] = [...engine.directory.entries()].filter(({ head }) => head.tenant === 'BANK')
    expect(engine.movements.finalUntilMs(CLUSTER)).toBeGreaterThan(beforeMs)
    await engine.transact((unit) =>
      unit.send(entry!, { type: 'chain.observed', slot: times, lamports: `${times}` } as never),
    ).durable
    const stamps: number[] = []
    const balance = placeOf(entry!.head, 'lamports')
    for await (const page of store.movements('movement', balance, 0, Number.MAX_SAFE_INTEGER))
      stamps.push(...page.map(({ stamp }) => stamp))
    expect(stamps.at(-1)).toBe(engine.movements.log.lastOf(entry!))
    expect(stamps).toHaveLength(1 + times)
    engine.outbox.deliver()
    await store.commit([])
    expect(await store.lastSequence('audit', 'BANK')).toBe(1)
    expect(await countIn(store, 'LIST')).toBe(1 + times)
    await leave(store, 'ACME')
    await store.close()
  }
  rmSync(folder, { recursive: true })
})

it('records of several cells in one list are counted together, whichever cell wrote last', async () => {
  await leave(stores.main, 'ACME')
  await leave(stores.red, 'BANK', 'red')
  await leave(stores.main, 'ACME')
  await leave(stores.red, 'BANK', 'red')
  for (const store of [stores.main, stores.red]) {
    expect(await countIn(store, 'LIST')).toBe(4)
    for (const other of ['LIST2', 'LIS']) expect(await countIn(store, other)).toBe(0)
  }
})
