// The knowledge of a process about the names in its open cells: a name that none of them has needs no query, and an
// existing name is never denied, from the first commit that another cell can observe.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Postgres } from '../../bench/postgres/server.ts'
import { NotAtHand } from '../../snapshots/not-at-hand.ts'
import { OpenNames, type AllCells } from '../../snapshots/postgres/open-names.ts'
import type { PostgresStore } from '../../snapshots/postgres/postgres-store.ts'
import type { Store, StoreOp } from '../../snapshots/store.ts'
import { CLUSTER, envelope, hand } from '../snapshots/units.ts'
import { emptyCells } from './empty-cells.ts'
import { addressOf, claimedStore, faultyProxy, ownPostgres, sql } from './postgres.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await ownPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())
beforeEach(() => emptyCells(addressOf(postgres), ['red']))

const ALL: AllCells = new Set(['main', 'red'])
const everyCell = (): AllCells | null => ALL

function storeIn(names: OpenNames, cell: string, all = everyCell, address = addressOf(postgres)) {
  return claimedStore(address, {
    boundMs: 1_000,
    ...{ cell, hasNeighbours: () => true, openCells: { names, all } },
    onFatal: () => undefined,
  })
}

const rowsOf = (tenant: string, id: string): StoreOp[] => [
  { type: 'record', envelope: envelope(id, { tenant }) },
  { type: 'name', tenant, cluster: CLUSTER, id, name: `name ${id}`, held: true },
]
const commit = (store: Store, tenant: string, ids: readonly string[]): Promise<void> =>
  store.commit([{ tenant, epoch: store.epoch, ops: ids.flatMap((id) => rowsOf(tenant, id)) }])

/** undefined: it must be queried. */
function idsOf(store: Store, id: string): readonly string[] | undefined {
  try {
    return store.names!.of(`name ${id}`).map((each) => each.id)
  } catch (error) {
    expect(error).toBeInstanceOf(NotAtHand)
    return undefined
  }
}

async function idsAsked(store: Store, id: string): Promise<readonly string[]> {
  expect(idsOf(store, id)).toBeUndefined()
  await store.fetch([{ read: 'name', name: `name ${id}` }])
  // An answer is kept for a moment: on a slow machine it is fetched again.
  return (await hand(store, () => store.names!.of(`name ${id}`))).map((each) => each.id)
}

/** Until the names of the other cell are known. */
async function waitUntilKnown(store: Store): Promise<void> {
  let turn = 0
  await expect.poll(() => idsOf(store, `never ${(turn += 1)}`), { timeout: 20_000 }).toEqual([])
}

const closeAll = (...stores: readonly PostgresStore[]) => Promise.all(stores.map((store) => store.close()))

it('denies no existing name, and soon queries none that does not exist', async () => {
  const early = Array.from({ length: 12_000 }, (_, at) => `early${at}`)
  const before = await storeIn(new OpenNames(), 'red')
  await commit(before, 'BETA', early)
  await before.close()

  const names = new OpenNames()
  const [main, red] = [await storeIn(names, 'main'), await storeIn(names, 'red')]
  for (let turn = 0; idsOf(main, `never ${turn}`) === undefined; turn += 1) {
    const id = early[(turn * 4_999) % early.length]!
    expect(await idsAsked(main, id)).toEqual([id])
    await commit(red, 'BETA', [`later${turn}`])
    expect(await idsAsked(main, `later${turn}`)).toEqual([`later${turn}`])
  }
  for (const id of [early[0]!, early[4_999]!, early[5_000]!, early[11_999]!]) expect(idsOf(main, id)).not.toEqual([])
  // In the other direction.
  await waitUntilKnown(red)
  await commit(main, 'ACME', ['mine'])
  expect(await idsAsked(red, 'mine')).toEqual(['mine'])
  await closeAll(main, red)
})

it('knows the names of a commit that is in the database, also without its answer', async () => {
  await using proxy = await faultyProxy(addressOf(postgres))
  const names = new OpenNames()
  const [main, red] = [await storeIn(names, 'main'), await storeIn(names, 'red', undefined, proxy.address)]
  await waitUntilKnown(main)
  proxy.swallow = true
  const committed = commit(red, 'BETA', ['one'])
  const query = "SELECT key FROM holdfast.name WHERE key LIKE '%one' AND held"
  await expect.poll(() => sql(addressOf(postgres), query), { timeout: 20_000 }).toHaveLength(1)
  expect(idsOf(main, 'one')).toBeUndefined()
  proxy.swallow = false
  proxy.reset()
  await committed
  expect(await idsAsked(main, 'one')).toEqual(['one'])
  await closeAll(main, red)
})

it('queries once a cell is closed, or may belong to another process', async () => {
  const names = new OpenNames()
  let all: AllCells | null = ALL
  const [main, red] = [await storeIn(names, 'main', () => all), await storeIn(names, 'red')]
  await waitUntilKnown(main)
  all = null
  expect(idsOf(main, 'nobody')).toBeUndefined()
  all = new Set([...ALL.keys(), 'blue'])
  expect(idsOf(main, 'nobody')).toBeUndefined()
  all = ALL
  expect(idsOf(main, 'nobody')).toEqual([])
  await red.close()
  expect(idsOf(main, 'nobody')).toBeUndefined()
  // Another process, which this one does not know.
  const other = await storeIn(new OpenNames(), 'red')
  await commit(other, 'BETA', ['theirs'])
  expect(await idsAsked(main, 'theirs')).toEqual(['theirs'])
  await other.close()
  const reopened = await storeIn(names, 'red')
  await waitUntilKnown(main)
  expect(await idsAsked(main, 'theirs')).toEqual(['theirs'])
  await closeAll(main, reopened)
})

it('reads everything under a claim, regardless of its cache', async () => {
  const names = new OpenNames()
  const [main, red] = [await storeIn(names, 'main'), await storeIn(names, 'red')]
  await waitUntilKnown(main)
  // A process that has claimed the cell meanwhile: this one has not noticed.
  const next = await storeIn(new OpenNames(), 'red')
  await commit(next, 'BETA', ['taken'])
  expect(idsOf(main, 'taken')).toEqual([])
  const [name, keptMs] = ['name taken', 60_000]
  await main.fetch(
    [
      { read: 'claim', name },
      { read: 'name', name },
    ],
    keptMs,
  )
  expect(idsOf(main, 'taken')).toEqual(['taken'])
  await closeAll(main, red, next)
})
