// Several cells on several nodes, on a real PostgreSQL: each has one owner, for any failure of the others.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NodeHealth, observeNode } from '../../src/nodes/node-health.ts'
import { rankNodes } from '../../src/nodes/ranking.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { systemClock } from '../../src/time/clock.ts'
import { openNodesFixture, until, type NodesFixture, type FixtureNode } from './nodes-fixture.ts'

/** A lease is over for a moment when a machine is slow. */
const PATIENTLY = { timeout: 120_000 }
const CELLS = ['main', 'red', 'green', 'blue', 'grey']

let fixture: NodesFixture
beforeAll(async () => {
  fixture = await openNodesFixture()
})
afterAll(async () => fixture[Symbol.asyncDispose]())
beforeEach(async () => {
  await fixture.clear()
  for (const cell of CELLS.slice(1)) expect(await fixture.rows.create(cell, 0)).toBe(true)
})

const owns = ({ cells }: FixtureNode, cell: string): boolean => cells.of(cell)?.ownership.state === 'open'
const ownersOf = (nodes: readonly FixtureNode[], cell: string): FixtureNode[] =>
  nodes.filter((node) => owns(node, cell))

async function untilOwned(nodes: readonly FixtureNode[]): Promise<void> {
  await until('each cell has an owner', () => CELLS.every((cell) => ownersOf(nodes, cell).length === 1))
}

async function epochs(): Promise<Record<string, number>> {
  return Object.fromEntries((await fixture.rows.cells()).map(({ cell, epoch }) => [cell, epoch]))
}

describe('several cells', () => {
  it('are claimed by the nodes that rank first', async () => {
    const nodes = await Promise.all(['a', 'b', 'c'].map((id) => fixture.node(id)))
    await untilOwned(nodes)
    const before = await epochs()
    nodes[0]!.vanish()
    await until('each has an owner that lives', () =>
      CELLS.every((cell) => ownersOf(nodes.slice(1), cell).length === 1),
    )
    const lostCells = CELLS.filter((cell) => owns(nodes[0]!, cell))
    const after = await epochs()
    // The cells of the others have kept their owners.
    for (const cell of CELLS) expect(after[cell]! - before[cell]!).toBe(lostCells.includes(cell) ? 1 : 0)
    expect(new Set(CELLS.map((cell) => rankNodes(cell, nodes)[0]!.id)).size).toBeGreaterThan(1)
    expect(nodes.flatMap(({ deaths }) => deaths)).toEqual([])
  })

  it('are handed over one by one to a named node', async () => {
    const [a, b] = [await fixture.node('a'), await fixture.node('b')]
    await untilOwned([a, b])
    const [from, to] = owns(a, 'red') ? [a, b] : [b, a]
    const others = CELLS.filter((cell) => cell !== 'red')
    const before = others.map((cell) => ownersOf([a, b], cell)[0])
    await fixture.rows.want('red', to.id)
    await until('it owns the cell', () => owns(to, 'red'))
    expect(from.actions).toContain('red close')
    expect(others.map((cell) => ownersOf([a, b], cell)[0])).toEqual(before)
  })

  it('all leave a node that drains or stops', async () => {
    const [a, b] = [await fixture.node('a'), await fixture.node('b')]
    await untilOwned([a, b])
    await fixture.rows.drain('a')
    await until('the other owns all', () => CELLS.every((cell) => owns(b, cell)))
    await b.cells.stop()
    expect((await fixture.rows.cells()).map(({ owner }) => owner)).toEqual(CELLS.map(() => null))
    expect([a, b].flatMap(({ deaths }) => deaths)).toEqual([])
  })

  it('end the process that is fenced in one of them', async () => {
    const owner = await fixture.node('a')
    await untilOwned([owner])
    await fixture.ask(`UPDATE holdfast.cell SET epoch = epoch + 1, node = 'b' WHERE cell = 'red'`)
    await until('it ends', () => owner.deaths.length > 0)
    expect(owner.deaths[0]?.message).toContain('the cell red')
  })

  it('created while nodes run are claimed, and a name is used once', async () => {
    const node = await fixture.node('a')
    await untilOwned([node])
    expect(await fixture.rows.create('white', 0)).toBe(true)
    expect(await fixture.rows.create('white', 0)).toBe(false)
    await until('it owns the cell', () => owns(node, 'white'))
    expect(node.actions).toContain('white open 1')
  })

  it('route to their owners, separately', async () => {
    const nodes = await Promise.all(['a', 'b', 'c'].map((id) => fixture.node(id)))
    await untilOwned(nodes)
    for (const node of nodes) await node.member.poll()
    for (const cell of CELLS)
      for (const node of nodes) {
        const where = expect.poll(() => node.cells.of(cell)!.gateway.where(), PATIENTLY)
        const [owner] = ownersOf(nodes, cell)
        if (node === owner) await where.toEqual({ at: 'here' })
        else await where.toMatchObject({ at: 'elsewhere', node: owner!.id, url: `http://${owner!.id}.example` })
      }
  })
})

describe('a node with several cells', () => {
  it('reports for each whether it is the owner, and names one that has none', async () => {
    const node = await fixture.node('a')
    await untilOwned([node])
    const health = new NodeHealth({ member: node.member, cells: () => node.cells.all(), clock: systemClock })
    const metrics = new Metrics()
    observeNode(metrics, health)
    const text = await metrics.render()
    for (const cell of CELLS) {
      expect(text).toContain(`holdfast_cell_owner{cell="${cell}"} 1\n`)
      expect(text).toContain(`holdfast_cell_epoch{cell="${cell}"} ${(await epochs())[cell]}\n`)
    }
    const well = { ready: true, checks: { store: 'ok' } }
    const ill = { ready: false, checks: { store: 'slow' } }
    await expect
      .poll(() => health.readiness([well, well]), PATIENTLY)
      .toMatchObject({ ready: true, checks: { owner: 'ok', store: 'ok' } })
    expect(health.readiness([well, ill])).toMatchObject({ ready: false, checks: { store: 'slow' } })
    expect(health.readiness([ill, well])).toMatchObject({ ready: false, checks: { store: 'slow' } })
    await node.cells.of('blue')!.ownership.stop()
    await node.member.poll()
    await expect
      .poll(() => health.readiness([]), PATIENTLY)
      .toMatchObject({ ready: true, checks: { owner: 'no node serves the cell blue' } })
  })
})
