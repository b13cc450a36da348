// Holds of cells and the move of a tenant in the database, on a real PostgreSQL: the owner of a cell closes it, no node
// claims it, and a move is done as a whole or not at all.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../snapshots/postgres/database.ts'
import { holdCells, moveTenant, releaseCells, renewHold, type Move } from '../../snapshots/postgres/moving.ts'
import { prepareDatabase } from '../../snapshots/postgres/postgres-store.ts'
import { openNodesFixture, until, type NodesFixture, type FixtureNode } from './nodes-fixture.ts'
import { addressOf, faultyProxy } from './postgres.ts'

const LONG = { token: 'move-1', ms: 60_000 }
const OTHER = { token: 'move-2', ms: 60_000 }
const CELLS = ['main', 'red']

let fixture: NodesFixture
let database: Database
beforeAll(async () => {
  fixture = await openNodesFixture()
  database = (await prepareDatabase({ address: addressOf(fixture.postgres), waitMs: 30_000 })).database
})
afterAll(async () => {
  database.close()
  await fixture[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await fixture.clear()
  await fixture.ask('UPDATE holdfast.cell SET held_by = NULL, held_until = NULL, lost_history = NULL')
  await fixture.ask('DELETE FROM holdfast.tenant')
  await fixture.ask(`DELETE FROM holdfast.row WHERE key LIKE 'm!%'`)
  expect(await fixture.rows.create('red', 0)).toBe(true)
  await fixture.ask(`INSERT INTO holdfast.tenant VALUES ('ACME', 'main', 1)`)
})

const owns = ({ cells }: FixtureNode, cell: string): boolean => cells.of(cell)?.ownership.state === 'open'
const ownsAll = (node: FixtureNode): boolean => CELLS.every((cell) => owns(node, cell))
const ownersNow = async () => (await fixture.rows.cells()).map(({ owner }) => owner?.id ?? null)
const epochOf = async (cell: string) => (await fixture.rows.cells()).find((each) => each.cell === cell)!.epoch
const homeOf = async () => (await fixture.ask(`SELECT cell FROM holdfast.tenant WHERE tenant = 'ACME'`))[0]?.[0]

async function move(more: Partial<Move> = {}): Promise<Move> {
  const free = async (cell: string) => ({ cell, epoch: await epochOf(cell) })
  const merged = (left: unknown, joined: unknown): unknown => [left ?? null, joined ?? null]
  const fact = { from: 'fact of main', to: 'fact of red', merged }
  return { tenant: 'ACME', from: await free('main'), to: await free('red'), token: LONG.token, fact, ...more }
}

/** Number of statements that wait for a lock of another one. */
const lockWaits = async (): Promise<number> =>
  Number((await fixture.ask(`SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`))[0]![0])

/** Locks the row that a move writes, until it is released. */
async function lockOfFact() {
  const name = 'm!fact%20of%20red'
  await fixture.ask(`INSERT INTO holdfast.row VALUES ('${name}', '{"of":"none"}', 0) ON CONFLICT DO NOTHING`)
  const connection = await fixture.connection()
  await connection.script(`BEGIN; SELECT 1 FROM holdfast.row WHERE key = '${name}' FOR UPDATE`, 30_000)
  return {
    release: () => connection.script('ROLLBACK', 30_000),
    [Symbol.asyncDispose]() {
      connection.destroy()
      return Promise.resolve()
    },
  }
}

describe('a hold of two cells', () => {
  it('lets the owners close both cells, and no node claim them, until it is released', async () => {
    const [a, b] = [await fixture.node('a'), await fixture.node('b')]
    await until('all are owned', async () => (await ownersNow()).every((owner) => owner !== null))
    await until('they are open', () => CELLS.every((cell) => owns(a, cell) || owns(b, cell)))
    expect(await holdCells(database, LONG, CELLS)).toBe(true)
    await until('both are free', async () => (await ownersNow()).every((owner) => owner === null))
    const actions = [...a.actions, ...b.actions]
    expect(actions).toEqual(expect.arrayContaining(['close', 'red close']))
    await new Promise((resolve) => void setTimeout(resolve, 1_500))
    expect(await ownersNow()).toEqual([null, null])
    expect(await fixture.rows.claim('red', a.member.me, { maySeizeExpired: true, leaseMs: 1 })).toBeNull()
    expect([...a.actions, ...b.actions]).toEqual(actions)
    await releaseCells(database, LONG.token)
    await until('all are owned', () => CELLS.every((cell) => owns(a, cell) || owns(b, cell)))
    expect([a, b].flatMap(({ deaths }) => deaths)).toEqual([])
  })

  it('ends by itself if it is not renewed', async () => {
    const node = await fixture.node('a')
    await until('it owns all', () => ownsAll(node))
    expect(await holdCells(database, { token: 'short', ms: 60_000 }, CELLS)).toBe(true)
    await until('both are free', async () => (await ownersNow()).every((owner) => owner === null))
    expect(await renewHold(database, { token: 'short', ms: 700 })).toBe(true)
    await until('it owns all again', () => ownsAll(node))
    expect(await renewHold(database, { token: 'short', ms: 700 })).toBe(false)
  })

  it('belongs to one move at a time', async () => {
    expect(await holdCells(database, LONG, CELLS)).toBe(true)
    expect(await holdCells(database, OTHER, ['red'])).toBe(false)
    expect(await fixture.rows.create('blue', 0)).toBe(true)
    expect(await holdCells(database, OTHER, ['blue', 'red'])).toBe(false)
    expect(await holdCells(database, OTHER, ['blue'])).toBe(true)
    expect(await holdCells(database, OTHER, ['nowhere'])).toBe(false)
    // The end of one hold does not end the other.
    await releaseCells(database, OTHER.token)
    expect(await holdCells(database, OTHER, ['red'])).toBe(false)
    await releaseCells(database, LONG.token)
    expect(await holdCells(database, { ...OTHER, token: 'move-3' }, CELLS)).toBe(true)
  })

  it('requested by two moves at the same time belongs to one of them', async () => {
    const tokens = Array.from({ length: 8 }, (_, index) => ({ token: `move ${index}`, ms: 60_000 }))
    const results = await Promise.all(
      tokens.map((hold, at) => holdCells(database, hold, at % 2 === 0 ? CELLS : CELLS.toReversed())),
    )
    expect(results.filter((has) => has)).toHaveLength(1)
  })

  it('releases a cell assigned to a node before, and prevents assignments', async () => {
    const node = await fixture.node('a')
    await until('it owns all', () => ownsAll(node))
    await holdCells(database, LONG, ['red'])
    await until('it is free', async () => (await ownersNow())[1] === null)
    const before = node.actions.length
    await fixture.ask(
      `UPDATE holdfast.cell SET node = 'a', incarnation = '${node.member.me.incarnation}' WHERE cell = 'red'`,
    )
    await until('it is free again', async () => (await ownersNow())[1] === null)
    expect(node.actions.slice(before)).toEqual([])
    const deadNode = { id: 'x', incarnation: randomUUID() }
    await holdCells(database, OTHER, ['main'])
    await fixture.ask(
      `UPDATE holdfast.cell SET node = 'x', incarnation = '${deadNode.incarnation}' WHERE cell = 'main'`,
    )
    expect(await fixture.rows.handOver('main', deadNode, 'a')).not.toBeNull()
    expect(await ownersNow()).toEqual([null, null])
  })
})

describe('a move', () => {
  beforeEach(async () => {
    expect(await holdCells(database, LONG, CELLS)).toBe(true)
  })

  it('changes the cell of the tenant, raises both epochs, merges the history, and ends the hold', async () => {
    await fixture.ask(`INSERT INTO holdfast.row VALUES ('m!fact%20of%20main', '{"of":"main"}', 3)`)
    const order = await move()
    expect(await moveTenant(database, order)).toBe(true)
    expect(await homeOf()).toBe('red')
    expect([await epochOf('main'), await epochOf('red')]).toEqual([order.from.epoch + 1, order.to.epoch + 1])
    expect(await fixture.ask(`SELECT value FROM holdfast.row WHERE key = 'm!fact%20of%20red'`)).toEqual([
      ['[{"of":"main"},null]'],
    ])
    expect((await fixture.rows.cells()).map(({ isHeld }) => isHeld)).toEqual([false, false])
    // Its answer was lost: a repeated call reports that it is done.
    expect(await moveTenant(database, order)).toBe(true)
    expect([await epochOf('main'), await epochOf('red')]).toEqual([order.from.epoch + 1, order.to.epoch + 1])
  })

  const hindrances: Readonly<Record<string, string>> = {
    'somebody owns a cell': `UPDATE holdfast.cell SET node = 'x', incarnation = '${randomUUID()}' WHERE cell = 'red'`,
    'somebody has owned a cell': `UPDATE holdfast.cell SET epoch = epoch + 1 WHERE cell = 'main'`,
    'the hold is over': `UPDATE holdfast.cell SET held_until = now() - interval '1 second'`,
    'another move holds a cell': `UPDATE holdfast.cell SET held_by = 'move-2' WHERE cell = 'red'`,
    'a cell has lost commits': `UPDATE holdfast.cell SET lost_history = 'some' WHERE cell = 'red'`,
    'the tenant is in another cell': `UPDATE holdfast.tenant SET cell = 'blue'`,
  }
  for (const [why, statement] of Object.entries(hindrances))
    it(`changes nothing when ${why}`, async () => {
      const order = await move()
      await fixture.ask(statement)
      const before = await fixture.ask('SELECT * FROM holdfast.cell ORDER BY cell')
      const home = await homeOf()
      expect(await moveTenant(database, order)).toBe(false)
      expect(await homeOf()).toBe(home)
      expect(await fixture.ask('SELECT * FROM holdfast.cell ORDER BY cell')).toEqual(before)
      expect(await fixture.ask(`SELECT 1 FROM holdfast.row WHERE key LIKE 'm!%'`)).toEqual([])
    })

  it('precedes a node that claims one of the cells meanwhile, with the epoch after the move', async () => {
    const node = { id: 'a', incarnation: randomUUID() }
    await fixture.ask(`INSERT INTO holdfast.node (id, incarnation, url, release, reads, expires_at)
      VALUES ('a', '${node.incarnation}', 'http://a', '0', 9, now() + interval '1 hour')`)
    for (const cell of CELLS) {
      const [from, to] = (await homeOf()) === 'main' ? ['main', 'red'] : ['red', 'main']
      const free = async (of: string) => ({ cell: of, epoch: await epochOf(of) })
      const order = { ...(await move({ token: 'brief' })), from: await free(from), to: await free(to) }
      await fixture.ask(`UPDATE holdfast.cell SET node = NULL, held_by = 'brief', held_until = now() + interval '3 s'`)
      // The move waits for the row of its fact: the tenant is in the other cell, both epochs are still as before.
      await using row = await lockOfFact()
      const moved = moveTenant(database, order)
      await until('the move waits for the row', async () => (await lockWaits()) === 1)
      await until('its hold is over', async () => (await fixture.rows.cells()).every(({ isHeld }) => !isHeld))
      let hasClaimed = false
      const claimed = fixture.rows.claim(cell, node, { maySeizeExpired: true, leaseMs: 1 })
      void claimed.finally(() => (hasClaimed = true))
      await until('the claim waits or is done', async () => hasClaimed || (await lockWaits()) === 2)
      await row.release()
      expect(await moved).toBe(true)
      expect(await homeOf()).toBe(to)
      const epoch = await claimed
      expect(epoch).not.toBeNull()
      expect(await epochOf(cell)).toBe(epoch)
    }
  })

  it('is done once when its connections break', async () => {
    await using proxy = await faultyProxy(addressOf(fixture.postgres))
    const { database: broken } = await prepareDatabase({ address: proxy.address, waitMs: 30_000, boundMs: 500 })
    const breaking = setInterval(() => proxy.reset(), 3)
    const epochs = [await epochOf('main'), await epochOf('red')]
    setTimeout(() => clearInterval(breaking), 1_000)
    expect(await moveTenant(broken, await move())).toBe(true)
    clearInterval(breaking)
    expect(await homeOf()).toBe('red')
    expect([await epochOf('main'), await epochOf('red')]).toEqual(epochs.map((epoch) => epoch + 1))
    broken.close()
  })
})
