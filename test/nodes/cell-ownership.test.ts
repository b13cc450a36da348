// How a node begins to own the cell, with a database and a clock that the test sets.
import { describe, expect, it } from 'vitest'
import { CorruptRow } from '../../snapshots/errors.ts'
import { CellUnreadable, Fenced, OpeningStopped } from '../../src/nodes/errors.ts'
import { Member } from '../../src/nodes/member.ts'
import { NodeRows, type NodeDatabase } from '../../src/nodes/node-rows.ts'
import { rankNodes } from '../../src/nodes/ranking.ts'
import { CellOwnership } from '../../src/nodes/cell-ownership.ts'
import { HandClock } from './hand-clock.ts'

const LEASE_MS = 5_000
const ME = { id: 'b', incarnation: '2' }
const SILENT = { info: () => undefined, warn: () => undefined }
const NEVER = (error: Error): never => {
  throw error
}

interface Waited {
  epoch: number
  owner: string | null
  incarnation: string | null
  /** Released by its owner. */
  isIdle?: boolean
  /** Of the owner. Absent: it does not state it. */
  leaseMs?: number
}

/** Another node owns the cell, and its lease has expired. */
async function waitingForTheCell(
  given: Waited = { epoch: 5, owner: 'a', incarnation: '1' },
  { isAlive = false, isDraining = false }: { readonly isAlive?: boolean; readonly isDraining?: boolean } = {},
) {
  const clock = new HandClock()
  const cell = { ...given }
  const former = { isAlive, comesBack: false }
  /** The rows of the cell, and whether there is another cell. */
  const rowsOf = { canBeRead: true, hasOtherCell: false, areReached: true }
  const fatal: Error[] = []
  const database = { answersRenewals: true }
  const opened: number[] = []
  /** With the state of the ownership, and whether the lease was held. */
  const caughtUp: (readonly [string, boolean])[] = []
  const live = (id: string, incarnation: string, isDraining = false) =>
    [id, incarnation, `http://${id}`, 'test', String(isDraining), '5000'] as const
  const answers: Readonly<Record<string, () => readonly (readonly (string | null)[])[]>> = {
    'node-join': () => [[ME.id]],
    'node-renew': () => [['false']],
    'node-live': () => [...(former.isAlive ? [live('a', '1', isDraining)] : []), live(ME.id, ME.incarnation)],
    'node-cells': () => {
      const { epoch, owner, incarnation, isIdle = false, leaseMs } = cell
      const lease = leaseMs === undefined ? null : String(leaseMs)
      const other = ['other', '1', 'c', '3', null, 'http://c', '5000', null, 'false', 'false', null, null]
      return [
        ['main', String(epoch), owner, incarnation, null, 'http://a', '0', null, 'false', String(isIdle), null, lease],
        ...(rowsOf.hasOtherCell ? [other] : []),
      ]
    },
    'node-hand-over': () => {
      Object.assign(cell, { epoch: cell.epoch + 1, owner: null, incarnation: null })
      return [[String(cell.epoch)]]
    },
    'node-claim': () => {
      // The claim had to wait, and the former owner has renewed its lease meanwhile.
      former.isAlive = former.comesBack
      const epoch = cell.epoch + 1
      Object.assign(cell, { epoch, owner: ME.id, incarnation: ME.incarnation, isIdle: false })
      return [[String(epoch)]]
    },
  }
  /** The epoch as which the cell was seen when it was claimed. */
  const claimedAs: unknown[] = []
  /** The time since the start of the database before which it is not claimed. */
  const claimedFor: unknown[] = []
  const query: NodeDatabase['query'] = ({ name }, values) => {
    if (name === 'node-renew' && !database.answersRenewals) return Promise.reject(new Error('no answer'))
    if (name === 'node-claim') {
      claimedFor.push(values[4])
      claimedAs.push(values[5])
    }
    return Promise.resolve(answers[name]!())
  }
  const rows = new NodeRows({ query }, 1_000)
  const member = new Member({
    ...{ rows, pollRows: rows, me: ME, release: 'test', reads: 1, leaseMs: LEASE_MS, clock, log: SILENT },
    onReplaced: NEVER,
  })
  const runtime = {
    open: (_epoch: number, stopping: AbortSignal) => {
      opened.push(clock.elapsed())
      if (!rowsOf.areReached)
        return new Promise<void>((_resolve, reject) => {
          stopping.addEventListener('abort', () => reject(new OpeningStopped(new Error('no answer'))))
        })
      const error = new CellUnreadable(new CorruptRow('r!a', new SyntaxError('not JSON')))
      return rowsOf.canBeRead ? Promise.resolve() : Promise.reject(error)
    },
    close: () => Promise.resolve(),
    catchUp: () => {
      caughtUp.push([ownership.state, member.lease.isHeld])
      return Promise.resolve()
    },
  }
  const ownership: CellOwnership = new CellOwnership({
    ...{ cell: 'main', member, rows, runtime, leaseMs: LEASE_MS, clock, log: SILENT },
    onFatal: (error) => void fatal.push(error),
  })
  await member.join('http://b')
  member.start()
  return { clock, cell, former, rowsOf, database, opened, caughtUp, claimedAs, claimedFor, ownership, member, fatal }
}

async function untilClaimed({ clock, cell }: Awaited<ReturnType<typeof waitingForTheCell>>): Promise<number> {
  while (cell.epoch === 5 && clock.elapsed() < 20_000) await clock.pass(10)
  return clock.elapsed()
}

describe('a node that takes over the cell', () => {
  it('opens it at once if the lease of the former owner has ended', async () => {
    const world = await waitingForTheCell()
    const claimedMs = await untilClaimed(world)
    await world.clock.pass(100)
    expect(world.opened).toHaveLength(1)
    expect(world.opened[0]! - claimedMs).toBeLessThan(100)
    expect(world.claimedAs).toEqual([5])
  })

  it('waits for a former owner that renewed its lease during the claim', async () => {
    const world = await waitingForTheCell()
    world.former.comesBack = true
    await untilClaimed(world)
    await world.clock.pass(2_000)
    expect(world.opened).toEqual([])
    expect(world.ownership.state).toBe('opening')
    world.former.isAlive = false
    await world.clock.pass(500)
    expect(world.opened).toHaveLength(1)
    expect(world.ownership.state).toBe('open')
  })

  it('waits for one lease at most, because the former owner stops by itself', async () => {
    const world = await waitingForTheCell()
    world.former.comesBack = true
    const claimedMs = await untilClaimed(world)
    await world.clock.pass(2 * LEASE_MS)
    expect(world.opened).toHaveLength(1)
    expect(world.opened[0]! - claimedMs).toBeGreaterThanOrEqual(LEASE_MS - 10)
    expect(world.opened[0]! - claimedMs).toBeLessThan(LEASE_MS + 500)
  })

  it.each([2_000, 12_000])('goes by the lease of the former owner, which lasts %d ms', async (leaseMs) => {
    const world = await waitingForTheCell({ epoch: 5, owner: 'a', incarnation: '1', leaseMs })
    world.former.comesBack = true
    // A former owner could renew for so long, if the database did not answer before.
    const claimedMs = await untilClaimed(world)
    expect(claimedMs).toBeGreaterThanOrEqual(leaseMs)
    expect(claimedMs).toBeLessThan(leaseMs + 500)
    // The former owner may serve requests for so long after its last poll.
    await world.clock.pass(2 * leaseMs)
    expect(world.opened).toHaveLength(1)
    expect(world.opened[0]! - claimedMs).toBeGreaterThanOrEqual(leaseMs - 10)
    expect(world.opened[0]! - claimedMs).toBeLessThan(leaseMs + 500)
    expect(world.claimedFor).toEqual([leaseMs])
  })
})

describe('a node whose cell another node has claimed', () => {
  it.each(['open', 'opening'] as const)('ends if the cell is %s', async (state) => {
    const world = await waitingForTheCell()
    world.former.comesBack = state === 'opening'
    await untilClaimed(world)
    await world.clock.pass(1_000)
    expect([world.ownership.state, world.fatal]).toEqual([state, []])
    Object.assign(world.cell, { epoch: 7, owner: 'a', incarnation: '1' })
    await world.clock.pass(1_000)
    expect(world.fatal[0]).toBeInstanceOf(Fenced)
    expect(world.fatal[0]?.message).toBe('node a owns the cell main under epoch 7; this node owned it under 6')
  })

  it('continues if it does not have the cell', async () => {
    const world = await waitingForTheCell({ epoch: 5, owner: 'c', incarnation: '3' })
    world.cell.epoch = 7
    await world.clock.pass(1_000)
    expect([world.ownership.state, world.ownership.epoch, world.fatal]).toEqual(['away', 7, []])
  })
})

describe('a node that cannot read the rows of a cell', () => {
  it('frees it, and claims it again after a time that doubles', async () => {
    const world = await waitingForTheCell()
    Object.assign(world.rowsOf, { canBeRead: false, hasOtherCell: true })
    await untilClaimed(world)
    await world.clock.pass(100_000)
    expect([world.fatal, world.ownership.state, world.ownership.isUnreadable]).toEqual([[], 'away', true])
    expect(world.cell).toMatchObject({ owner: null })
    const [first, second, third, ...others] = world.opened as [number, number, number]
    expect(second - first).toBeGreaterThanOrEqual(15_000)
    expect(third - second).toBeGreaterThanOrEqual(30_000)
    expect(others).toEqual([])
    world.rowsOf.canBeRead = true
    await world.clock.pass(60_000)
    expect([world.ownership.state, world.ownership.isUnreadable, world.ownership.takeovers]).toEqual(['open', false, 1])
  })

  it('ends if it has no other cell', async () => {
    const world = await waitingForTheCell()
    world.rowsOf.canBeRead = false
    await untilClaimed(world)
    await world.clock.pass(1_000)
    expect(world.fatal).toEqual([expect.any(CellUnreadable)])
    expect(world.fatal[0]).toMatchObject({ exitCode: 65 })
  })
})

it('a node that stops frees a cell whose rows it still waits for', async () => {
  const world = await waitingForTheCell()
  world.rowsOf.areReached = false
  await untilClaimed(world)
  await world.clock.pass(500)
  expect([world.ownership.state, world.opened.length]).toEqual(['opening', 1])
  expect(await world.ownership.stop()).toBe(false)
  expect([world.ownership.state, world.cell.owner, world.fatal]).toEqual(['away', null, []])
})

describe('a node that does not rank first for a free cell', () => {
  it('leaves the cell to the first for a moment, unless that one drains', async () => {
    const untilClaimedBesides = async (isDraining: boolean): Promise<number> => {
      const free = { epoch: 5, owner: null, incarnation: null }
      return await untilClaimed(await waitingForTheCell(free, { isAlive: true, isDraining }))
    }
    expect(await untilClaimedBesides(false)).toBeGreaterThanOrEqual(500)
    expect(await untilClaimedBesides(true)).toBeLessThan(500)
  })
})

describe('a node whose lease was over', () => {
  it('reads what other cells have decided, in each cell that it has open, before the lease is held again', async () => {
    const world = await waitingForTheCell()
    const lapse = async (): Promise<void> => {
      world.database.answersRenewals = false
      await world.clock.pass(2 * LEASE_MS)
      expect(world.member.lease.isHeld).toBe(false)
      world.database.answersRenewals = true
      await world.clock.pass(1_500)
      expect(world.member.lease.isHeld).toBe(true)
    }
    await untilClaimed(world)
    await world.clock.pass(1_000)
    expect(world.ownership.state).toBe('open')
    expect(world.caughtUp).toEqual([])
    await lapse()
    expect(world.caughtUp).toEqual([['open', false]])
  })

  it('reads nothing for a cell that it does not own', async () => {
    const world = await waitingForTheCell({ epoch: 5, owner: 'c', incarnation: '3' })
    world.database.answersRenewals = false
    await world.clock.pass(2 * LEASE_MS)
    world.database.answersRenewals = true
    await world.clock.pass(1_500)
    expect([world.member.lease.isHeld, world.ownership.state, world.caughtUp]).toEqual([true, 'away', []])
  })
})

describe('a node with a request for an idle cell', () => {
  it('claims it at its next poll, although another node ranks first', async () => {
    const world = await waitingForTheCell({ epoch: 5, owner: null, incarnation: null, isIdle: true })
    world.former.isAlive = true
    expect(rankNodes('main', [{ id: 'a' }, { id: 'b' }])[0]).toEqual({ id: 'a' })
    await world.clock.pass(5_000)
    expect(world.ownership.state).toBe('away')
    await world.ownership.wake()
    const askedMs = world.clock.elapsed()
    await untilClaimed(world)
    expect(world.clock.elapsed() - askedMs).toBeLessThanOrEqual(250)
  })
})
