// A server whose synchronous standby does not answer, and whose backends are ordered not to wait for it: a commit is
// acknowledged only when the standby has it.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Postgres } from '../../../bench/postgres/server.ts'
import { CellsTogether } from '../../../snapshots/postgres/cells-together.ts'
import { OpenNames } from '../../../snapshots/postgres/open-names.ts'
import { prepareDatabase, type PostgresStore } from '../../../snapshots/postgres/postgres-store.ts'
import { emptyCells } from '../empty-cells.ts'
import { until } from '../nodes-fixture.ts'
import { addressOf, claimedStore, ownPostgres, sql } from '../postgres.ts'

/** Longer than any wait of this test. */
const BOUND_MS = 240_000
const CELLS = ['main', 'red']

let postgres: Postgres
beforeAll(async () => {
  postgres = await ownPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())

const ask = (text: string): Promise<(readonly (string | null)[])[]> => sql(addressOf(postgres), text)

/** Backends that wait for the standby. */
const waiting = async (): Promise<readonly string[]> =>
  (await ask("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' ORDER BY pid")).map(([pid]) => pid!)
const cancel = (pids: readonly string[]): Promise<unknown> =>
  ask(`SELECT pg_cancel_backend(pid) FROM unnest('{${pids.join()}}'::int[]) AS pid`)

async function setStandbys(names: string): Promise<void> {
  await ask(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
  await ask('SELECT pg_reload_conf()')
}

/** Resolves when commits wait for a standby that there is not. */
async function loseStandby(): Promise<void> {
  await ask('CREATE TABLE IF NOT EXISTS probe (n int)')
  await setStandbys('absent')
  const probed: Promise<unknown>[] = []
  await until('commits wait for the standby', async () => {
    if ((await waiting()).length > 0) return true
    probed.push(ask('INSERT INTO probe VALUES (1)').catch(() => undefined))
    return false
  })
  // All of them end, because no other one begins to wait.
  await until('no probe waits', async () => {
    await cancel(await waiting())
    return await Promise.race([Promise.all(probed).then(() => true), sleep(20, false)])
  })
}

const commit = (store: PostgresStore, tenant: string, sequence: number): Promise<void> =>
  store.commit([{ tenant, epoch: store.epoch, ops: [{ type: 'event', tenant, sequence, row: sequence }] }])
const steps = async (): Promise<number> => Number((await ask('SELECT count(*) FROM holdfast.step'))[0]![0])

/** Cancels the waits of the backends `rounds` times, until the commit has begun to wait once more. */
async function cancelWaits(rounds: number, committed: () => number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    let pids: readonly string[] = []
    await until('it waits, or was acknowledged', async () => {
      pids = await waiting()
      return pids.length > 0 || committed() > 0
    })
    await cancel(pids)
  }
  await until('it waits again, or was acknowledged', async () => (await waiting()).length > 0 || committed() > 0)
}

it.each([
  ['of one cell', ['main']],
  ['of several cells in one statement', CELLS],
])('a commit %s is not acknowledged when a wait for the standby is cancelled', async (_what, names) => {
  await emptyCells(addressOf(postgres), ['red'])
  const { database } = await prepareDatabase({ address: addressOf(postgres), boundMs: BOUND_MS, waitMs: 30_000 })
  const together = new CellsTogether(database, { patienceMs: BOUND_MS })
  const open = { names: new OpenNames(), together, all: () => new Set(names) }
  const stores: PostgresStore[] = []
  for (const cell of names) {
    const options = { cell, boundMs: BOUND_MS, openCells: open, hasNeighbours: () => names.length > 1 }
    stores.push(await claimedStore(addressOf(postgres), options))
  }
  for (const [at, store] of stores.entries()) await commit(store, `T${at}`, 1)
  const before = await steps()
  await loseStandby()
  let acknowledged = 0
  const commits = stores.map((store, at) =>
    commit(store, `T${at}`, 2).then(() => {
      acknowledged += 1
    }),
  )
  try {
    await cancelWaits(3, () => acknowledged)
    expect(await steps()).toBe(before + names.length)
    expect(acknowledged).toBe(0)
  } finally {
    await setStandbys('')
  }
  await Promise.all(commits)
  expect(await steps()).toBe(before + names.length)
  for (const store of stores) expect(store.retries()).toMatchObject({ foundApplied: 1 })
  for (const store of stores) await store.close()
  together.close()
  database.close()
})
