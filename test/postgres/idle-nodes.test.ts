// Idle cells on a real PostgreSQL: which node releases one, and which claims it again.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NodeHealth } from '../../src/nodes/node-health.ts'
import { isIdle, type CellRow, type CellRest } from '../../src/nodes/node-rows.ts'
import { systemClock } from '../../src/time/clock.ts'
import { wakeCellsOf } from '../../snapshots/postgres/homes.ts'
import { holdCells, moveTenant } from '../../snapshots/postgres/moving.ts'
import { prepareDatabase } from '../../snapshots/postgres/postgres-store.ts'
import { TABLES_VERSION } from '../../snapshots/postgres/schema.ts'
import { LEASE_MS, openNodesFixture, until, type NodesFixture, type FixtureNode } from './nodes-fixture.ts'
import { addressOf } from './postgres.ts'

const NO_WORK: CellRest = { dueInMs: null }
const POLLS_MS = 1_500

let fixture: NodesFixture
beforeAll(async () => {
  fixture = await openNodesFixture()
})
afterAll(async () => fixture[Symbol.asyncDispose]())
beforeEach(async () => {
  await fixture.clear()
  await fixture.rows.create('red', TABLES_VERSION)
})

const red = async (): Promise<CellRow> => (await fixture.rows.cells()).find(({ cell }) => cell === 'red')!
const stateAt = ({ cells }: FixtureNode): string => cells.of('red')?.ownership.state ?? 'unseen'
const openingsOf = ({ actions }: FixtureNode): string[] => actions.filter((action) => action.startsWith('red open'))
const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

async function nodesWithIdle(ids: readonly string[], rest: CellRest = NO_WORK): Promise<FixtureNode[]> {
  const nodes = await Promise.all(ids.map((id) => fixture.node(id)))
  await until('a node owns it', () => nodes.some((node) => stateAt(node) === 'open'))
  nodes.find((node) => stateAt(node) === 'open')!.idle.set('red', rest)
  await until('it is let go', async () => (await red()).rest !== null)
  // They have observed it.
  await until('all know', () => nodes.every(({ member }) => member.lastPoll?.cells.get('red')?.rest != null))
  return nodes
}

const readiness = ({ member, cells }: FixtureNode) =>
  new NodeHealth({ member, cells: () => cells.all(), clock: systemClock }).readiness([])

describe('an idle cell', () => {
  it('is released in order, and claimed by no node, while every node is ready', async () => {
    const nodes = await nodesWithIdle(['a', 'b'])
    const row = await red()
    expect(row).toMatchObject({ owner: null, rest: NO_WORK })
    const actions = nodes.flatMap((node) => node.actions.filter((action) => action.startsWith('red')))
    expect(actions).toEqual([`red open ${row.epoch - 1}`, 'red let go'])
    await until('main is served', () => nodes.some(({ ownership }) => ownership.state === 'open'))
    for (const node of nodes) await until('it is ready', () => readiness(node).ready)
    await pause(POLLS_MS)
    expect(await red()).toEqual(row)
    for (const node of nodes)
      await expect
        .poll(() => readiness(node), { timeout: 120_000 })
        .toMatchObject({ ready: true, checks: { owner: 'ok' } })
  })

  it('is claimed at once by the node with a waiting request, and by one of two', async () => {
    const nodes = await nodesWithIdle(['a', 'b', 'c'])
    const { epoch } = await red()
    await Promise.all(nodes.map(({ cells }) => cells.of('red')!.gateway.refresh()))
    await until('a node owns it', () => nodes.some((node) => stateAt(node) === 'open'))
    await pause(POLLS_MS)
    expect(nodes.flatMap(openingsOf).filter((action) => action === `red open ${epoch + 1}`)).toHaveLength(1)
    expect(await red()).toMatchObject({ epoch: epoch + 1, rest: null })
    expect(nodes.flatMap(({ deaths }) => deaths)).toEqual([])
  })

  it('is claimed by another node on behalf of a draining one', async () => {
    const [a, b] = await nodesWithIdle(['a', 'b'])
    await fixture.rows.drain('a')
    await until('it knows', () => a!.member.draining)
    await a!.cells.of('red')!.gateway.refresh()
    await until('b owns it', () => stateAt(b!) === 'open')
  })

  it('is claimed when its own work is due, by the clock of the database', async () => {
    const nodes = await nodesWithIdle(['a', 'b'], { dueInMs: 15_000 })
    const before = await red()
    expect(before.rest!.dueInMs).toBeGreaterThan(0)
    await until('a node owns it', () => nodes.some((node) => stateAt(node) === 'open'))
    const [[isDue] = []] = await fixture.ask(`SELECT due_at <= now() FROM holdfast.cell WHERE cell = 'red'`)
    expect(isDue).toBe('t')
    expect((await red()).epoch).toBe(before.epoch + 1)
  })

  it('is claimed by rank when it is woken, for a tenant or as a whole', async () => {
    const [a] = await nodesWithIdle(['a'])
    await fixture.ask(`INSERT INTO holdfast.tenant VALUES ('ACME', 'red') ON CONFLICT DO NOTHING`)
    const { database } = await prepareDatabase({ address: addressOf(fixture.postgres), waitMs: 30_000 })
    await wakeCellsOf(database, ['OTHER'])
    expect(isIdle(await red())).toBe(true)
    await wakeCellsOf(database, ['ACME'])
    await until('a owns it', () => stateAt(a!) === 'open')
    a!.idle.set('red', NO_WORK)
    await until('it is let go', async () => (await red()).rest !== null)
    await fixture.rows.wake('red')
    await until('a owns it again', () => stateAt(a!) === 'open')
    database.close()
  })

  it('is claimed again if work began before it was closed', async () => {
    const node = await fixture.node('a')
    await until('it owns it', () => stateAt(node) === 'open')
    node.idle.set('red', null)
    await until('it has closed it', () => node.actions.includes('red let go'))
    await until('it owns it again', () => stateAt(node) === 'open')
    expect(openingsOf(node)).toHaveLength(2)
  })

  it('can be claimed by any node if its owner ends before the release, and stays idle if after', async () => {
    const before = await fixture.node('a')
    await until('it owns it', () => stateAt(before) === 'open')
    before.vanish()
    const [after] = [await fixture.node('b')]
    await until('b owns it', () => stateAt(after) === 'open')
    after.idle.set('red', NO_WORK)
    await until('it is let go', async () => (await red()).rest !== null)
    after.vanish()
    const next = await fixture.node('c')
    await until('c owns main', () => next.ownership.state === 'open')
    await pause(LEASE_MS)
    expect(stateAt(next)).toBe('away')
    expect(isIdle(await red())).toBe(true)
  })

  it('goes to the node named by an operator', async () => {
    const nodes = await nodesWithIdle(['a', 'b', 'c'])
    await fixture.rows.want('red', 'b')
    await until('b owns it', () => stateAt(nodes[1]!) === 'open')
    expect(nodes[1]!.actions).not.toContain('red close')
    expect(await red()).toMatchObject({ wanted: null, owner: { id: 'b' } })
  })

  it('can be held at once, and has an owner again after a move', async () => {
    const nodes = await nodesWithIdle(['a', 'b'])
    await fixture.ask(
      `INSERT INTO holdfast.tenant VALUES ('BETA', 'red') ON CONFLICT (tenant) DO UPDATE SET cell = 'red'`,
    )
    const { database } = await prepareDatabase({ address: addressOf(fixture.postgres), waitMs: 30_000 })
    expect(await holdCells(database, { token: 't', ms: 20_000 }, ['main', 'red'])).toBe(true)
    await until('main is free', async () => (await fixture.rows.cells()).every(({ owner }) => owner === null))
    await nodes[0]!.cells.of('red')!.gateway.refresh()
    await pause(POLLS_MS)
    const [main, idle] = await fixture.rows.cells()
    expect(idle).toMatchObject({ isHeld: true, owner: null, rest: NO_WORK })
    const fact = { from: 'x', to: 'y', merged: () => undefined }
    const move = { tenant: 'BETA', from: idle!, to: main!, token: 't', fact }
    expect(await moveTenant(database, move)).toBe(true)
    await until('both are owned', async () => (await fixture.rows.cells()).every(({ owner }) => owner !== null))
    expect((await red()).rest).toBeNull()
    database.close()
  })
})
