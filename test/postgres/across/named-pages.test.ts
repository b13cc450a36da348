// Lists of SYSTEM over the records of other cells: only the records of a page are read, however many exist. Pages are
// those of all records in one cell. On PostgreSQL and in directories.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Postgres } from '../../../bench/postgres/server.ts'
import { Engine } from '../../../src/engine/engine.ts'
import { EVERY_CLUSTER } from '../../../src/engine/records/record.ts'
import type { Context } from '../../../src/operations/context/platform.ts'
import { listApiKeys, listOrganizations } from '../../../src/operations/views/fetch-bulk.ts'
import type { Names, Store } from '../../../snapshots/store.ts'
import { cellPaths, cellProcess, withCells } from '../../snapshots/cells/stores.ts'
import { emptyCells } from '../empty-cells.ts'
import { addressOf, claimedStore, ownPostgres } from '../postgres.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await ownPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())

const closing: (() => Promise<void>)[] = []
beforeEach(() => async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const keyOf = (index: number): string => `k${String(index * 7919).padStart(8, '0')}`
/** Of an organization whose name is only stored as a hash in the table of names. */
const LONG = 9_000
const organizationOf = (index: number): string =>
  index === LONG ? 'é'.repeat(200) : `Org ${String((index * 31) % 97)}-${index}`

async function make(engine: Engine, tenant: string, from: number, to: number): Promise<void> {
  const { durable } = engine.transact((unit) => {
    unit.openFor(tenant)
    for (let index = from; index < to; index += 1) {
      const place = (id: string) => ({ tenant, cluster: EVERY_CLUSTER, id })
      const organization = { externalId: organizationOf(index), name: `n${index}`, parentExternalId: tenant }
      unit.create('organization', place(`o${index}`), {
        organization: { ...organization, allowedPrograms: [], system: false },
      })
      unit.create('apiKey', place(`a${index}`), {
        apiKey: {
          ...{ keyId: keyOf(index), organization: tenant, name: `n${index}`, roles: [], secretHash: '' },
          ...{ previousSecretHash: null, previousUntil: null, expiresAt: null, clusters: null, createdBy: 'test' },
          ...{ createdAt: '2026-01-01T00:00:00.000Z', lastUsedAt: null, rotatedAt: null },
          approvalsSuspendedUntil: null,
        },
      })
    }
  })
  await durable
}

interface Lists {
  /** Ids of a page, with the number of all. */
  readonly page: (which: 'apiKeys' | 'organizations', query: object) => Promise<readonly [number, readonly string[]]>
  /** Records of the other cell that were read since the last call. */
  readonly rowsRead: () => number
  /** Adds records with numbers up to one to the other cell. */
  readonly grow: (to: number) => Promise<void>
  readonly addLong: () => Promise<void>
}

/** `red` has records from 0 on, and `main`, which lists them, three of its own in between. */
async function lists([main, red]: readonly [Store, Store]): Promise<Lists> {
  let read = 0
  const names = main.names!
  const countingNames: Names = {
    ...names,
    of(name) {
      const entries = names.of(name)
      read += entries.length
      return entries
    },
    async under(beginning) {
      const entries = await names.under(beginning)
      read += entries.length
      return entries
    },
  }
  const elsewhere = { owns: () => true, deliver: () => Promise.resolve() }
  const engines = [
    await Engine.open({ store: { ...storeOver(main), names: countingNames }, remoteDelivery: elsewhere }),
    await Engine.open({ store: red, remoteDelivery: elsewhere }),
  ] as const
  for (const engine of engines) closing.push(() => engine.stop())
  await make(engines[0], 'HOME', 5_000, 5_003)
  const call = { caller: { roles: new Set(['PLATFORM_ADMIN']) } }
  const context = {
    platform: { engine: engines[0], clusters: new Map(), clock: { now: () => Date.now() } },
    call,
  } as unknown as Context
  let pageCount = 0
  return {
    async page(which, itemQuery) {
      if (which === 'apiKeys') {
        const { count, items } = await listApiKeys(context, { itemQuery })
        return [count, items.map((item) => (item as unknown as { keyId: string }).keyId)]
      }
      const { count, items } = await listOrganizations(context, { itemQuery })
      return [count, items.map((item) => (item as unknown as { externalId: string }).externalId)]
    },
    rowsRead() {
      const before = read
      read = 0
      return before
    },
    async grow(to) {
      await make(engines[1], 'ACME', pageCount, to)
      pageCount = to
    },
    addLong: () => make(engines[1], 'ACME', LONG, LONG + 1),
  }
}

/** A spread does not copy the methods of a class. */
function storeOver(store: Store): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const member = (target as unknown as Record<string | symbol, unknown>)[name]
      return typeof member === 'function' ? (member as () => unknown).bind(target) : member
    },
    ownKeys: (target) => [
      ...new Set([
        ...Reflect.ownKeys(target),
        ...Reflect.ownKeys(Object.getPrototypeOf(target) as object),
        ...Reflect.ownKeys(Object.getPrototypeOf(Object.getPrototypeOf(target)) as object),
      ]),
    ],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  })
}

async function onPostgres(): Promise<readonly [Store, Store]> {
  await emptyCells(addressOf(postgres), ['red'])
  const open = (cell: string) =>
    claimedStore(addressOf(postgres), { cell, hasNeighbours: () => true, onFatal: () => undefined })
  return [await open('main'), await open('red')]
}

async function inDirectories(): Promise<readonly [Store, Store]> {
  const paths = cellPaths()
  await withCells(paths, ['red'])
  const process = await cellProcess(paths)
  closing.push(() => process.close())
  return [await process.open('main'), await process.open('red')]
}

describe.each([
  ['on PostgreSQL', onPostgres],
  ['in directories', inDirectories],
])('lists of other cells %s', (_, open) => {
  it('read the records of their page, not those of the table', async () => {
    const { page, rowsRead, grow } = await lists(await open())
    const sort = (fieldName: string, sortDirection = 'ASC') => ({ sort: [{ fieldName, sortDirection }] })
    const keysOf = (to: number): string[] =>
      [...Array.from({ length: to }, (_each, at) => at), 5_000, 5_001, 5_002].map(keyOf).sort()
    const organizationsOf = (to: number): string[] =>
      [...Array.from({ length: to }, (_each, at) => at), 5_000, 5_001, 5_002].map(organizationOf).sort()
    const mostRead: number[] = []
    for (const size of [20, 400]) {
      await grow(size)
      const [keys, organizations] = [keysOf(size), organizationsOf(size)]
      rowsRead()
      let most = 0
      for (const [skip, limit] of [
        [0, 5],
        [7, 5],
        [size - 4, 5],
        [size + 1, 5],
        [1e21, 5],
        [0, 0],
      ] as const) {
        const paged = { skip, limit }
        const [ascending, descending] = [keys, keys.toReversed()].map((all) => all.slice(skip, skip + limit))
        expect(await page('apiKeys', paged)).toEqual([size + 3, ascending])
        expect(await page('apiKeys', { ...paged, ...sort('keyId', 'DESC') })).toEqual([size + 3, descending])
        expect(await page('organizations', { ...paged, ...sort('externalId') })).toEqual([
          size + 3,
          organizations.slice(skip, skip + limit),
        ])
        most = Math.max(most, rowsRead())
      }
      const only = [{ fieldName: 'keyId', filterValues: [{ filterType: 'EQUALS', valueString: keyOf(3) }] }]
      expect(await page('apiKeys', { filter: only })).toEqual([1, [keyOf(3)]])
      expect(rowsRead()).toBeLessThanOrEqual(2)
      mostRead.push(most)
    }
    // Each of the three pages: at most its five records, each read once more when the answer is built.
    expect(mostRead[1]).toBeLessThanOrEqual(mostRead[0]!)
    expect(mostRead[0]).toBeLessThanOrEqual(3 * 5 * 2)
    // By another field, all are read.
    expect((await page('apiKeys', { ...sort('name'), limit: 1 }))[0]).toBe(403)
    expect(rowsRead()).toBeGreaterThanOrEqual(400)
  })

  it('list organizations whose names are too long for the table of names', async () => {
    const { page, grow, addLong } = await lists(await open())
    await grow(3)
    await addLong()
    const [count, ids] = await page('organizations', { limit: 10 })
    expect([count, ids.length, ids.includes(organizationOf(LONG))]).toEqual([7, 7, true])
  })
})
