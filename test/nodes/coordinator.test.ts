// Requests between the threads of one process, over a real port.
import { MessageChannel } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answerAt, coordinatorAt } from '../../src/nodes/coordinator-port.ts'
import { ThreadCoordinator, type Coordinator } from '../../src/nodes/coordinator.ts'
import { NodeRows, type Incarnation } from '../../src/nodes/node-rows.ts'

const LEASE = { maySeizeExpired: true, leaseMs: 1_000 }
const [A, B]: Incarnation[] = [
  { id: 'a', incarnation: 'one' },
  { id: 'a.2', incarnation: 'two' },
]
const options = { url: 'http://127.0.0.1:1', release: '1', reads: 4, leaseMs: 1_000 }

let first: ThreadCoordinator
let other: Coordinator
let rows: NodeRows
let channel: MessageChannel
beforeEach(async () => {
  first = new ThreadCoordinator(
    [
      { cell: 'main', epoch: 7 },
      { cell: 'red', epoch: 0 },
    ],
    [A!.id, B!.id],
  )
  channel = new MessageChannel()
  answerAt(channel.port1, first)
  other = coordinatorAt(channel.port2)
  rows = new NodeRows({ query: ({ name }, values) => other.nodeRows(name, values) }, 1_000)
  for (const node of [A!, B!]) expect(await rows.join(node, options)).toBe(true)
})
afterEach(() => {
  channel.port1.close()
})

describe('cells of threads', () => {
  it('are claimed by the assigned thread, once, under a higher epoch each time', async () => {
    expect(await rows.claim('main', B!, LEASE)).toBe(null)
    expect(await rows.claim('main', A!, LEASE)).toBe(8)
    expect(await rows.claim('main', A!, LEASE)).toBe(null)
    expect(await rows.claim('red', { ...B!, incarnation: 'another' }, LEASE)).toBe(null)
    expect(await rows.claim('red', B!, LEASE)).toBe(1)
    expect((await rows.cells()).map(({ cell, epoch, owner }) => [cell, epoch, owner?.id, owner?.url])).toEqual([
      ['main', 8, 'a', options.url],
      ['red', 1, 'a.2', options.url],
    ])
    // To no thread, for any name.
    expect(await rows.handOver('red', B!, 'a')).toBe(2)
    expect((await rows.cells())[1]).toMatchObject({ epoch: 2, owner: null })
    expect(await rows.claim('red', B!, LEASE)).toBe(3)
  })

  it('remain with their owner until it releases them or another owner is assigned', async () => {
    for (const [cell, node] of [
      ['main', A!],
      ['red', B!],
    ] as const)
      await rows.claim(cell, node, LEASE)
    const [main, red] = [
      { cell: 'main', epoch: 8 },
      { cell: 'red', epoch: 1 },
    ]
    expect(await other.takeClaims(main, ['x', 'y'], 'first')).toEqual(['x', 'y'])
    expect(await other.takeClaims(red, ['x', 'z'], 'second')).toEqual(['z'])
    // A newer token of the same cell: the older one leaves nothing.
    expect(await other.takeClaims(main, ['x'], 'third')).toEqual(['x'])
    await other.leaveClaims('first')
    expect(await other.takeClaims(red, ['x', 'y'], 'fourth')).toEqual(['y'])
    expect(await other.takeClaims({ cell: 'main', epoch: 7 }, ['w'], 'stale')).toEqual([])
    await rows.handOver('main', A!, null)
    expect(await other.takeClaims(red, ['x'], 'fifth')).toEqual(['x'])
  })

  it('receive changes, and are awaited until they acknowledge them under their present epoch', async () => {
    for (const [cell, node] of [
      ['main', A!],
      ['red', B!],
    ] as const)
      await rows.claim(cell, node, LEASE)
    expect(await other.changesAfter(-1)).toEqual({ change: 0, keys: [] })
    // It has not begun.
    expect(await other.cellsBehind('main', 0)).toEqual(['red'])
    await other.acknowledge({ cell: 'red', epoch: 1 }, 0)
    expect(await other.cellsBehind('main', 0)).toEqual([])
    await other.rowsChanged(['r!one', 'r!two'])
    await other.rowsChanged(['r!two'])
    expect(await other.changesAfter(0)).toEqual({ change: 2, keys: ['r!one', 'r!two'] })
    expect(await other.changesAfter(1)).toEqual({ change: 2, keys: ['r!two'] })
    expect([await other.lastChangeOf(['r!one']), await other.lastChangeOf(['r!two', 'r!one'])]).toEqual([1, 2])
    expect(await other.lastChangeOf(['r!none'])).toBe(0)
    expect(await other.cellsBehind('main', 2)).toEqual(['red'])
    await other.acknowledge({ cell: 'red', epoch: 1 }, 2)
    await other.acknowledge({ cell: 'red', epoch: 1 }, 1)
    expect(await other.cellsBehind('main', 2)).toEqual([])
    await rows.handOver('red', B!, null)
    expect(await other.cellsBehind('main', 2)).toEqual([])
    await rows.claim('red', B!, LEASE)
    expect(await other.cellsBehind('main', 0)).toEqual(['red'])
  })

  it('receive the reason of a failed question', async () => {
    await expect(other.nodeRows('node-create', [])).rejects.toThrow('node-create')
  })
})
