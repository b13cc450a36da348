// A tenant of another cell, followed on one real PostgreSQL: a commit of its owner is visible here a moment later, is
// never written here, and the owner learns when it has been applied.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Postgres } from '../../bench/postgres/server.ts'
import { Engine } from '../../src/engine/engine.ts'
import { CommitFollower, untilApplied, type FollowingOptions } from '../../src/engine/following.ts'
import { UnappliedSwitches } from '../../src/engine/unapplied-switches.ts'
import { addressKey, organizationKey } from '../../src/engine/index/index-keys.ts'
import type { Change } from '../../src/engine/records/change.ts'
import { EVERY_CLUSTER } from '../../src/engine/records/record.ts'
import { CellGateway } from '../../src/nodes/cell-gateway.ts'
import { Member } from '../../src/nodes/member.ts'
import { NodeRows } from '../../src/nodes/node-rows.ts'
import { CellOwnership } from '../../src/nodes/cell-ownership.ts'
import { neighboursOf } from '../../src/service/neighbours.ts'
import { readsOf } from '../../src/service/postgres-installation.ts'
import type { Log } from '../../src/telemetry/log.ts'
import { systemClock } from '../../src/time/clock.ts'
import { recordKey } from '../../snapshots/keys.ts'
import type { Database } from '../../snapshots/postgres/database.ts'
import { lastChangeOf, recordsAfter, acknowledge, cellsBehind } from '../../snapshots/postgres/following.ts'
import { prepareDatabase } from '../../snapshots/postgres/postgres-store.ts'
import { CLUSTER, newAccount } from '../engine/engine-fixture.ts'
import { until } from './nodes-fixture.ts'
import { addressOf, claimedStore, ownPostgres, sql } from './postgres.ts'
import { emptyCells } from './empty-cells.ts'

const SYSTEM = { tenant: 'SYSTEM', cell: 'main' }
const ORGANIZATION = {
  externalId: 'SYSTEM',
  name: 'System',
  parentExternalId: null,
  allowedPrograms: [],
  system: true,
}

let postgres: Postgres
let database: Database
let main: Engine
let red: Engine
let redEpoch: number
let ends: (() => unknown)[]

beforeAll(async () => {
  postgres = await ownPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())

beforeEach(async () => {
  const address = addressOf(postgres)
  await emptyCells(address, ['red'])
  const store = await claimedStore(address)
  database = (await prepareDatabase({ address, waitMs: 30_000 })).database
  const other = await claimedStore(address, { cell: 'red' })
  main = await Engine.open({ store })
  const elsewhere = { owns: (tenant: string) => tenant === 'ACME', deliver: () => new Promise<void>(() => undefined) }
  red = await Engine.open({ store: other, remoteDelivery: elsewhere })
  redEpoch = other.epoch
  await main.transact((unit) => {
    const place = { tenant: 'SYSTEM', cluster: EVERY_CLUSTER, id: 'system' }
    unit.create('organization', place, { organization: ORGANIZATION })
    newAccount(unit, 'shared', '1', 'active', 'SYSTEM')
    newAccount(unit, 'private', '1', 'active', 'SYSTEM')
    unit.send<'account'>(main.directory.byId('shared')!, { type: 'command.update', changes: { shared: true } })
  }).durable
  await red.transact((unit) => newAccount(unit, 'own', '1', 'active', 'ACME')).durable
  ends = [() => store.close(), () => other.close(), () => database.close()]
  return async () => {
    for (const end of ends) await end()
  }
})

function following(read: FollowingOptions['read'] = (after) => recordsAfter(database, SYSTEM, after)): CommitFollower {
  const instance = new CommitFollower({
    read,
    apply: (records) => red.follow(records),
    acknowledge: (head) => acknowledge(database, { cell: 'red', epoch: redEpoch }, head),
    clock: systemClock,
    onPollFailed: () => undefined,
  })
  ends.unshift(() => instance.stop())
  return instance
}

const isFrozen = (engine: Engine): boolean =>
  engine.directory.first(organizationKey('SYSTEM'))?.committed?.value === 'frozen'

/** The commit of the switch. */
async function freeze(): Promise<number> {
  await main.transact((unit) => unit.send<'organization'>(main.directory.byId('system')!, { type: 'command.freeze' }))
    .durable
  return await lastChangeOf(database, [recordKey('SYSTEM', EVERY_CLUSTER, 'system')])
}

const lives = (ms: number): Promise<unknown> => {
  const incarnation = randomUUID()
  return sql(
    addressOf(postgres),
    `WITH node AS (INSERT INTO holdfast.node (id, incarnation, url, release, reads, expires_at)
       VALUES ('b', '${incarnation}', '', '', 1, now() + ${ms} * interval '1 millisecond')
       ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at, incarnation = excluded.incarnation)
     UPDATE holdfast.cell SET node = 'b', incarnation = '${incarnation}' WHERE cell = 'red'`,
  )
}

it('finds the records of another cell as its own, as far as others depend on them', async () => {
  await following().begin()
  expect(red.directory.first(organizationKey('SYSTEM'))?.committed?.id).toBe('system')
  expect(red.directory.find(addressKey(CLUSTER, 'shared')).map(({ head }) => head.tenant)).toEqual(['SYSTEM'])
  expect(red.directory.find(addressKey(CLUSTER, 'private'))).toEqual([])
  // Background work concerns the records of this cell only.
  expect([...red.directory.entries()].map(({ head }) => head.id)).toEqual(['own'])
  expect([...red.directory.holdings()].map(({ head }) => head.id)).toEqual(['own'])
  const followed: Change[] = []
  red.onFollowed((changes) => void followed.push(...changes))
  await main.transact((unit) => {
    unit.send<'account'>(main.directory.byId('shared')!, { type: 'command.update', changes: { shared: false } })
    unit.send<'account'>(main.directory.byId('private')!, { type: 'command.update', changes: { shared: true } })
  }).durable
  await until('it is followed', () => red.directory.find(addressKey(CLUSTER, 'private')).length === 1)
  expect(red.directory.find(addressKey(CLUSTER, 'shared'))).toEqual([])
  expect(followed.map(({ next }) => next.id)).toEqual(['private'])
  expect([...red.directory.holdings()].map(({ head }) => head.id)).toEqual(['own'])
})

it('cannot be written here', async () => {
  await following().begin()
  const sharedEntry = red.directory.find(addressKey(CLUSTER, 'shared'))[0]!
  const before = sharedEntry.head
  expect(() => red.transact((unit) => unit.send<'account'>(sharedEntry, { type: 'command.freeze' }))).toThrow(
    'another cell',
  )
  expect(sharedEntry.head).toBe(before)
})

it('lets its owner answer for a switch once every live cell has applied it', async () => {
  const follower = following()
  await follower.begin()
  await lives(60_000)
  const order: string[] = []
  await follower.stop()
  const freezeHead = await freeze()
  const answer = untilApplied(() => cellsBehind(database, 'main', freezeHead), systemClock).then(() =>
    order.push('answered'),
  )
  expect(await cellsBehind(database, 'main', freezeHead)).toEqual(['red'])
  expect(isFrozen(red)).toBe(false)
  red.onFollowed(() => void order.push('applied'))
  await following().begin()
  await answer
  expect(isFrozen(red)).toBe(true)
  expect(order).toEqual(['applied', 'answered'])
})

it('does not wait for an ended lease, and waits for a new owner until that has read', async () => {
  await following().begin()
  await lives(-1)
  const freezeHead = await freeze()
  expect(await cellsBehind(database, 'main', freezeHead)).toEqual([])
  await until('it is applied', () => isFrozen(red))
  await sql(addressOf(postgres), `UPDATE holdfast.cell SET epoch = epoch + 1 WHERE cell = 'red'`)
  await lives(60_000)
  // A report under an earlier epoch came from another process.
  expect(await cellsBehind(database, 'main', freezeHead)).toEqual(['red'])
  expect(await acknowledge(database, { cell: 'red', epoch: redEpoch }, freezeHead + 1)).toBe(false)
  expect(await cellsBehind(database, 'main', freezeHead)).toEqual(['red'])
  expect(await acknowledge(database, { cell: 'red', epoch: redEpoch + 1 }, freezeHead)).toBe(true)
  expect(await cellsBehind(database, 'main', freezeHead)).toEqual([])
  // A late copy of an earlier statement.
  expect(await acknowledge(database, { cell: 'red', epoch: redEpoch + 1 }, freezeHead - 1)).toBe(true)
  expect(await cellsBehind(database, 'main', freezeHead)).toEqual([])
})

/** A node that claims `red`, and follows there; it can be cut off from the tables of the nodes. */
async function nodeOfRed(follower: CommitFollower) {
  const cable = { isCut: false }
  const [rows, looks] = [0, 1].map(() => {
    const lane = database.lane()
    ends.unshift(() => lane.destroy())
    const query: Database['query'] = (...asked) =>
      cable.isCut ? Promise.reject(new Error('cut off')) : lane.query(asked[0], asked[1], 2_000)
    return new NodeRows({ query }, 2_000)
  }) as [NodeRows, NodeRows]
  const ended: Error[] = []
  const onFatal = (error: Error): void => void ended.push(error)
  const common = { rows, leaseMs: 1_500, clock: systemClock, log: { info: () => undefined, warn: () => undefined } }
  const me = { id: 'b', incarnation: randomUUID() }
  const member = new Member({ ...common, pollRows: looks, me, release: 'test', reads: 1, onReplaced: onFatal })
  const runtime = {
    open: async (epoch: number) => {
      redEpoch = epoch
      await follower.begin()
    },
    close: () => Promise.resolve(),
    catchUp: () => follower.catchUp(),
  }
  const ownership = new CellOwnership({ ...common, cell: 'red', member, runtime, onFatal })
  await member.join('http://b.example')
  ends.unshift(() => member.stop())
  member.start()
  await until('it owns the cell', () => ownership.state === 'open')
  return { cable, ended, gateway: new CellGateway(member, ownership, { clock: systemClock }) }
}

it('has applied, once the lease is held again, a switch that was answered while it was over', async () => {
  let answer = (): void => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  // The earlier polls get no answer: their connection is dead.
  const follower = following(async (after, now) => {
    if (!now) await answered
    return await recordsAfter(database, SYSTEM, after)
  })
  ends.unshift(() => answer())
  const { cable, ended, gateway } = await nodeOfRed(follower)
  await until('it may act', () => gateway.mayAct)
  cable.isCut = true
  await until('its lease is over', () => !gateway.mayAct)
  const frozen = await freeze()
  await untilApplied(() => cellsBehind(database, 'main', frozen), systemClock)
  expect(isFrozen(red)).toBe(false)
  cable.isCut = false
  await until('its lease is held again', () => gateway.mayAct)
  expect([isFrozen(red), ended]).toEqual([true, []])
})

it('is read repeatedly without output while nothing changes', async () => {
  await following().begin()
  const { head } = await recordsAfter(database, SYSTEM, -1)
  expect(await recordsAfter(database, SYSTEM, head)).toEqual({ head, records: [] })
  const acknowledged = (): Promise<unknown> =>
    sql(addressOf(postgres), `SELECT value FROM holdfast.row WHERE key = 's!heard!red'`)
  const before = await acknowledged()
  await main.transact((unit) => newAccount(unit, 'of another', '1', 'active', 'BANK')).durable
  const laterRecords = await recordsAfter(database, SYSTEM, head)
  expect(laterRecords).toEqual({ head: head + 1, records: [] })
  await new Promise((resolve) => void setTimeout(resolve, 300))
  expect(await acknowledged()).toEqual(before)
})

it('is awaited for the changed switch, also of an earlier owner, and not for changes applied by others', async () => {
  const accounts = Array.from({ length: 500 }, (_, index) => `account ${index}`)
  await main.transact((unit) => {
    for (const id of accounts) newAccount(unit, id, '1', 'active', 'SYSTEM')
  }).durable
  await freeze()
  const switches = new UnappliedSwitches(main, 'SYSTEM')
  const questions: (readonly string[])[] = []
  const waitedFor: number[] = []
  const settle = (): Promise<void> =>
    switches.settle(
      (keys) => {
        questions.push(keys)
        return lastChangeOf(database, keys)
      },
      (commit) => Promise.resolve(void waitedFor.push(commit)),
    )
  const key = recordKey('SYSTEM', EVERY_CLUSTER, 'system')
  const head = (): Promise<number> => lastChangeOf(database, [key])
  const before = await head()
  await settle()
  await settle()
  expect(questions).toEqual([[key]])
  expect(waitedFor).toEqual([before])
  await main.transact((unit) => unit.send<'organization'>(main.directory.byId('system')!, { type: 'command.unfreeze' }))
    .durable
  await main.transact((unit) => newAccount(unit, 'another', '1', 'active', 'SYSTEM')).durable
  await settle()
  expect(waitedFor).toEqual([before, await head()])
  expect(await head()).toBe(before + 1)
})

it('is awaited again if the wait failed, or if the switch changes meanwhile', async () => {
  const switches = new UnappliedSwitches(main, 'SYSTEM')
  let waits = 0
  const waitOnce = (during: () => Promise<unknown>): Promise<void> =>
    switches.settle(
      (keys) => lastChangeOf(database, keys),
      async () => {
        waits += 1
        await during()
      },
    )
  await expect(waitOnce(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
  await waitOnce(freeze)
  await waitOnce(() => Promise.resolve())
  expect(waits).toBe(3)
  await waitOnce(() => Promise.resolve())
  expect(waits).toBe(3)
})

it('is read by its keys: its other rows are not touched', async () => {
  await main.transact((unit) => {
    for (let index = 0; index < 2_000; index += 1) newAccount(unit, `account ${index}`, '1', 'active', 'SYSTEM')
  }).durable
  await sql(addressOf(postgres), 'ANALYZE holdfast.row')
  const connection = await database.borrow()
  const read = (statement: Parameters<Database['read']>[0], values: Parameters<Database['read']>[1]) =>
    connection.query(statement, values, 30_000)
  await connection.query({ text: 'BEGIN' }, [], 30_000)
  expect(await lastChangeOf({ read }, [recordKey('SYSTEM', EVERY_CLUSTER, 'system')])).toBeGreaterThan(0)
  const query = `SELECT coalesce(idx_tup_fetch, 0) + seq_tup_read FROM pg_stat_xact_user_tables
    WHERE schemaname = 'holdfast' AND relname = 'row'`
  const [[rows] = []] = await connection.query({ text: query }, [], 30_000)
  await connection.query({ text: 'COMMIT' }, [], 30_000)
  database.giveBack(connection)
  // Versions of that row.
  expect(Number(rows)).toBeLessThanOrEqual(5)
})

it('is obeyed by a cell from its start', async () => {
  await freeze()
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined } as unknown as Log
  const reads = readsOf(database, { cell: 'red', epoch: redEpoch })
  const neighbours = await neighboursOf({ reads, cell: 'red', tenants: ['ACME'], log })
  ends.unshift(() => neighbours.stop())
  expect(isFrozen(red)).toBe(false)
  await neighbours.begin(red)
  expect(isFrozen(red)).toBe(true)
})
