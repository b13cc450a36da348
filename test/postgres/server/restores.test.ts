// Restores into a database beside nodes that run, start or stop meanwhile, and restores that are interrupted.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { RowPage } from '../../../snapshots/disk.ts'
import { openStore } from '../../../snapshots/level-store.ts'
import { assertFillable, fillDatabase, NodesRun, NotEmpty } from '../../../snapshots/postgres/copy.ts'
import { UNFINISHED_RESTORE } from '../../../snapshots/postgres/lost-history.ts'
import { prepareDatabase } from '../../../snapshots/postgres/postgres-store.ts'
import type { NodeRows } from '../../../src/nodes/node-rows.ts'
import { startCommand } from '../../config/command-line.ts'
import { TENANT } from '../../engine/engine-fixture.ts'
import { recordsOfEveryState, rowsOf } from '../../engine/stored-kinds.ts'
import { LEASE_MS, openNodesFixture, until, type NodesFixture } from '../nodes-fixture.ts'
import { addressOf } from '../postgres.ts'

const scratch = mkdtempSync(join(tmpdir(), 'holdfast-restores-'))
const place = (name: string): string => join(scratch, name)

let fixture: NodesFixture
let url: string
beforeAll(async () => {
  fixture = await openNodesFixture()
  url = `postgres://${fixture.postgres.user}@${encodeURIComponent(fixture.postgres.dir)}/postgres`
  const onFatal = (error: Error): never => {
    throw error
  }
  const store = await openStore({ path: join(place('first'), 'store'), onFatal })
  await store.commit([{ tenant: TENANT, epoch: 1, ops: rowsOf(recordsOfEveryState()) }])
  await store.close()
  mkdirSync(join(place('first'), 'secrets'))
  writeFileSync(join(place('first'), 'secrets', 'a-key.json'), '{"v":1}\n')
  const backup = await startCommand(['backup', place('first.hfb'), '--data-dir', place('first')], {}).ended
  expect(backup.code, backup.stderr).toBe(0)
})
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  rmSync(scratch, { recursive: true, force: true })
})
beforeEach(async () => {
  await fixture.clear()
  await fixture.ask("DELETE FROM holdfast.row WHERE key NOT LIKE 's!%'")
  await fixture.ask('DELETE FROM holdfast.tenant')
  await fixture.ask('UPDATE holdfast.cell SET lost_history = NULL')
})

const database = async (): Promise<Disposable & Parameters<typeof fillDatabase>[0]> => {
  const { database: opened } = await prepareDatabase({ address: addressOf(fixture.postgres), waitMs: 30_000 })
  return Object.assign(opened, { [Symbol.dispose]: () => opened.close() })
}
const fence = (tenant: string): RowPage[number] => [`f!${tenant}`, '1']
const row = (tenant: string, id: string): RowPage[number] => [`r!${tenant}!chain!${id}`, id]

/** One row a page; `between` is called before the last page. */
async function* pages(rows: readonly RowPage[number][], between: () => Promise<void>): AsyncGenerator<RowPage> {
  for (const [at, each] of rows.entries()) {
    if (at === rows.length - 1) await between()
    yield [each]
  }
}

async function joined(rows: NodeRows, id: string): Promise<{ id: string; incarnation: string }> {
  const me = { id, incarnation: randomUUID() }
  await rows.join(me, { url: `http://${id}.example`, release: '0', reads: 99, leaseMs: 60_000 })
  return me
}
const claim = (me: { id: string; incarnation: string }): Promise<number | null> =>
  fixture.rows.claim('main', me, { maySeizeExpired: true, leaseMs: LEASE_MS })
const keys = async (): Promise<(string | null)[]> =>
  (await fixture.ask("SELECT key FROM holdfast.row WHERE key NOT LIKE 's!%' ORDER BY key")).map(([key]) => key ?? null)

it('no node claims a cell while a backup is restored, and then one does', async () => {
  using target = await database()
  const claims: (number | null)[] = []
  let me = { id: '', incarnation: '' }
  const rows = [fence('T'), row('T', 'a'), row('T', 'b')]
  const filled = await fillDatabase(
    target,
    pages(rows, async () => {
      me = await joined(fixture.rows, 'a')
      claims.push(await claim(me))
    }),
  )
  claims.push(await claim(me))
  expect([filled, claims]).toEqual([3, [null, expect.any(Number)]])
  expect(await keys()).toEqual(rows.map(([key]) => key))
})

it('a database with half of a backup is neither claimed nor read, until a backup is restored completely', async () => {
  using target = await database()
  const interrupted = fillDatabase(
    target,
    pages([fence('Old'), row('Old', 'a'), row('Old', 'b')], () => Promise.reject(new Error('killed'))),
  )
  await expect(interrupted).rejects.toThrow('killed')
  expect(await keys()).toEqual(['f!Old'])

  const node = await fixture.node('a')
  const { atMs } = node.member.lastPoll!
  await until('it has polled again', () => node.member.lastPoll!.atMs > atMs)
  expect(await claim(node.member.me)).toBeNull()
  expect(node.actions).toEqual([])
  expect(node.member.lastPoll!.cells.get('main')!.lostHistory).toContain(UNFINISHED_RESTORE)
  for (const words of [['backup', place('half.hfb')], ['verify'], ['export', '--records']]) {
    const { code, stderr } = await startCommand([...words, '--store', url], {}).ended
    expect([words[0], code, stderr]).toEqual([words[0], 65, expect.stringContaining('restore')])
  }
  expect(existsSync(place('half.hfb'))).toBe(false)
  await expect(assertFillable(target)).rejects.toThrow(NodesRun)

  await fixture.clear()
  const rows = [fence('New'), row('New', 'b')]
  const nothing = (): Promise<void> => Promise.resolve()
  expect(await fillDatabase(target, pages(rows, nothing))).toBe(2)
  expect(await keys()).toEqual(rows.map(([key]) => key))
  expect(await fixture.ask('SELECT tenant FROM holdfast.tenant')).toEqual([['New']])
  expect(await claim(await joined(fixture.rows, 'b'))).toEqual(expect.any(Number))
})

it('a second restore fences the first one, which ends', async () => {
  using target = await database()
  using other = await database()
  const nothing = (): Promise<void> => Promise.resolve()
  const rows = [fence('T'), row('T', 'a'), row('T', 'b')]
  const first = fillDatabase(
    target,
    pages(rows, async () => {
      await fillDatabase(other, pages(rows, nothing))
    }),
  )
  await expect(first).rejects.toMatchObject({ name: 'StaleEpoch' })
  expect(await keys()).toEqual(rows.map(([key]) => key))
  expect(await fixture.ask('SELECT lost_history FROM holdfast.cell')).toEqual([[null]])
})

it.each([
  ['has records', 73, 'has records already', NotEmpty],
  ['is empty', 75, 'nodes run on the database (a)', NodesRun],
])(
  'a restore that is refused leaves a node its cell, and changes nothing: the database %s',
  async (what, code, text, error) => {
    if (what === 'has records') await fixture.ask("INSERT INTO holdfast.row VALUES ('r!T!chain!a', 'a', 0)")
    const before = await keys()
    const node = await fixture.node('a')
    await until('it owns the cell', () => node.ownership.state === 'open')
    const { epoch } = node.ownership
    const secretsDir = place('shared-secrets')
    const restored = await startCommand(['restore', place('first.hfb'), '--store', url], {
      HOLDFAST_SECRETS_DIR: secretsDir,
    }).ended
    expect([restored.code, restored.stderr]).toEqual([code, expect.stringContaining(text)])
    expect(existsSync(secretsDir)).toBe(false)
    using target = await database()
    await expect(
      fillDatabase(
        target,
        pages([], () => Promise.resolve()),
      ),
    ).rejects.toThrow(error)
    expect((await fixture.rows.cells())[0]).toMatchObject({ epoch, owner: { id: 'a' }, lostHistory: null })
    expect([node.ownership.state, node.deaths, await keys()]).toEqual(['open', [], before])
  },
)

it('a node that claims a cell after the check is not fenced', async () => {
  using target = await database()
  const read = target.read.bind(target)
  let me: { id: string; incarnation: string } | undefined
  target.read = async (statement, values) => {
    if (me === undefined && statement.text.includes('FOR UPDATE OF c')) {
      me = await joined(fixture.rows, 'a')
      expect(await claim(me)).toEqual(expect.any(Number))
    }
    return await read(statement, values)
  }
  await expect(
    fillDatabase(
      target,
      pages([], () => Promise.resolve()),
    ),
  ).rejects.toThrow(NodesRun)
  expect((await fixture.rows.cells())[0]).toMatchObject({ owner: { id: 'a' }, lostHistory: null })
})
