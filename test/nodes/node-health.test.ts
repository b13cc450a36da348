// What a node says of itself and of its cells when it is asked whether it is ready.
import { expect, it } from 'vitest'
import { UNFINISHED_RESTORE } from '../../snapshots/postgres/lost-history.ts'
import type { CellGateway } from '../../src/nodes/cell-gateway.ts'
import type { CellOwnership } from '../../src/nodes/cell-ownership.ts'
import type { Member } from '../../src/nodes/member.ts'
import { NodeHealth, type HealthChecks } from '../../src/nodes/node-health.ts'

interface Cell {
  readonly cell: string
  readonly at?: 'here' | 'elsewhere' | 'nowhere'
  readonly isResting?: boolean
  readonly isUnreadable?: boolean
  readonly lostHistory?: string | null
}

interface Node {
  readonly cells?: readonly Cell[]
  readonly isHeld?: boolean
  /** Age of the last poll; null: there was none. */
  readonly polledMs?: number | null
  readonly open?: readonly HealthChecks[]
}

const NOW_MS = 60_000

const readinessOf = (node: Node): HealthChecks => healthOf({ node, nowMs: NOW_MS }).readiness(node.open ?? [])

interface World {
  node: Node
  nowMs: number
}

/** The health of a node whose state the test changes. */
function healthOf(world: World): NodeHealth {
  const member = {
    get lease() {
      return { isHeld: world.node.isHeld ?? true }
    },
    get lastPoll() {
      const { cells = [{ cell: 'main' }], polledMs = 0 } = world.node
      const rows = new Map(cells.map(({ cell, lostHistory = null }) => [cell, { lostHistory }]))
      return polledMs === null ? null : { cells: rows, atMs: world.nowMs - polledMs }
    },
    onPoll: () => undefined,
  } as unknown as Member
  return new NodeHealth({
    member,
    cells: () =>
      (world.node.cells ?? [{ cell: 'main' }]).map(
        ({ cell, at = 'here', isResting = false, isUnreadable = false }) => ({
          ownership: { cell, isResting, isUnreadable } as unknown as CellOwnership,
          gateway: { where: () => ({ at }) } as unknown as CellGateway,
        }),
      ),
    clock: { elapsed: () => world.nowMs },
  })
}

const HEALTHY = { lease: 'ok', database: 'ok', owner: 'ok', history: 'ok' }
const problem = (checks: Readonly<Record<string, string>>) => ({ ready: false, checks: { ...HEALTHY, ...checks } })

it('is ready if each cell is served by a node or rests', () => {
  const cells: Cell[] = [{ cell: 'a' }, { cell: 'b', at: 'elsewhere' }, { cell: 'c', at: 'nowhere', isResting: true }]
  expect(readinessOf({ cells })).toEqual({ ready: true, checks: HEALTHY })
})

it('is not ready after its start while no node serves a cell, and names the first such cell if there are several', () => {
  expect(readinessOf({ cells: [{ cell: 'main', at: 'nowhere' }] })).toEqual(
    problem({ owner: 'no node serves the cell' }),
  )
  const cells: Cell[] = [{ cell: 'a' }, { cell: 'b', at: 'nowhere' }, { cell: 'c', at: 'nowhere' }]
  expect(readinessOf({ cells })).toEqual(problem({ owner: 'no node serves the cell b' }))
})

it('stays ready, and names the cell, while a cell changes its owner and the others are served', () => {
  const world: World = { node: { cells: [{ cell: 'a' }, { cell: 'b' }] }, nowMs: NOW_MS }
  const health = healthOf(world)
  expect(health.readiness([])).toEqual({ ready: true, checks: HEALTHY })
  world.node = { cells: [{ cell: 'a' }, { cell: 'b', at: 'nowhere' }] }
  world.nowMs += 60_000
  expect(health.readiness([])).toEqual({ ready: true, checks: { ...HEALTHY, owner: 'no node serves the cell b' } })
})

it('stays ready without any cell for as long as requests wait', () => {
  const world: World = { node: {}, nowMs: NOW_MS }
  const health = healthOf(world)
  expect(health.readiness([]).ready).toBe(true)
  world.node = { cells: [{ cell: 'main', at: 'nowhere' }] }
  world.nowMs += 5_000
  expect(health.readiness([])).toEqual({ ready: true, checks: { ...HEALTHY, owner: 'no node serves the cell' } })
  world.nowMs += 1
  expect(health.readiness([])).toEqual(problem({ owner: 'no node serves the cell' }))
})

it('names a cell that no node serves because its rows cannot be read, and is ready for the others', () => {
  const unreadable: Cell = { cell: 'b', at: 'nowhere', isUnreadable: true }
  const rows = 'the rows of b cannot be read: see the log'
  expect(readinessOf({ cells: [{ cell: 'a' }, unreadable] })).toEqual({ ready: true, checks: { ...HEALTHY, rows } })
  expect(readinessOf({ cells: [unreadable] })).toEqual(problem({ owner: 'no node serves the cell', rows }))
  // Another node can read it.
  expect(readinessOf({ cells: [{ cell: 'a' }, { ...unreadable, at: 'elsewhere' }] })).toEqual({
    ready: true,
    checks: HEALTHY,
  })
})

it('is not ready without its lease, a recent poll or the history of a cell', () => {
  expect(readinessOf({ isHeld: false })).toEqual(problem({ lease: 'the lease of this node is over' }))
  const silent = problem({ database: 'the database does not answer' })
  expect([readinessOf({ polledMs: null }), readinessOf({ polledMs: 3_000 })]).toEqual([silent, silent])
  expect(readinessOf({ polledMs: 2_999 }).ready).toBe(true)
  expect(readinessOf({ cells: [{ cell: 'a' }, { cell: 'b', lostHistory: 'epoch 4' }] })).toEqual(
    problem({ history: 'the database has lost commits that it had acknowledged: see the runbook' }),
  )
  expect(readinessOf({ cells: [{ cell: 'main', lostHistory: `${UNFINISHED_RESTORE}: 4` }] })).toEqual(
    problem({ history: 'a restore into the database has not finished: see the runbook' }),
  )
})

it('reports the first problem of each check of the open cells', () => {
  const open: HealthChecks[] = [
    { ready: true, checks: { store: 'ok', chain: 'ok' } },
    { ready: false, checks: { store: 'ok', chain: 'the chain is behind' } },
    { ready: false, checks: { store: 'the disk is full', chain: 'the chain does not answer' } },
  ]
  expect(readinessOf({ open })).toEqual(problem({ store: 'the disk is full', chain: 'the chain is behind' }))
  expect(readinessOf({ open: open.slice(0, 1) })).toEqual({
    ready: true,
    checks: { ...HEALTHY, store: 'ok', chain: 'ok' },
  })
})
