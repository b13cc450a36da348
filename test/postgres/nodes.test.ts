// Nodes on a real PostgreSQL: who may join, who owns the cell, and who must exit.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { handOver } from '../../src/cli/cells/hand-over.ts'
import { Fenced, IdInUse } from '../../src/nodes/errors.ts'
import type { Incarnation } from '../../src/nodes/node-rows.ts'
import { LEASE_MS, openNodesFixture, until, type NodesFixture, type FixtureNode } from './nodes-fixture.ts'

let fixture: NodesFixture
beforeAll(async () => {
  fixture = await openNodesFixture()
})
afterAll(async () => fixture[Symbol.asyncDispose]())
beforeEach(async () => fixture.clear())

/** A process that has joined for so long that its lease does not end here. */
async function joinedProcess(id: string): Promise<Incarnation> {
  const process = { id, incarnation: randomUUID() }
  const joining = { url: '', release: '', reads: 1, leaseMs: 3_600_000 }
  expect(await fixture.rows.join(process, joining)).toBe(true)
  return process
}

const isOwner = ({ ownership }: FixtureNode): boolean => ownership.state === 'open'

async function ownerAmong(nodes: readonly FixtureNode[]): Promise<FixtureNode> {
  await until('one of them owns the cell', () => nodes.some(isOwner))
  return nodes.find(isOwner)!
}

async function epoch(): Promise<number> {
  return (await fixture.rows.cells())[0]!.epoch
}

/** A live node whose lease does not end while another one joins. */
const LONG = { leaseMs: 60_000 }

describe('a node that joins', () => {
  it('waits for the lease of an earlier process with its id, and then has its cell at once', async () => {
    const before = await fixture.node('a')
    await ownerAmong([before])
    before.vanish()
    const after = await fixture.node('a')
    await ownerAmong([after])
    expect(after.actions).toEqual([`open ${await epoch()}`])
  })

  it.each([
    ['its id', 'a', {}],
    ['other settings', 'b', { secretTag: 'of another secret' }],
  ])('waits for the longer lease of a process that was killed: one with %s', async (_, id, other) => {
    const before = await fixture.node('a', { secretTag: 'of one secret', leaseMs: 4 * LEASE_MS })
    before.vanish()
    const after = await fixture.node(id, { secretTag: 'of one secret', ...other })
    await ownerAmong([after])
  })

  it('exits with 75 while another process with its id runs', async () => {
    await fixture.node('a', LONG)
    const error: unknown = await fixture.node('a').catch((each: unknown) => each)
    expect(error).toBeInstanceOf(IdInUse)
    expect((error as IdInUse).exitCode).toBe(75)
  })

  it('exits with 78 if a live node has other clusters, and leaves nothing behind', async () => {
    const first = await fixture.node('a', { clusters: ['CHAIN_DEVNET', 'CHAIN_MAINNET'], ...LONG })
    await fixture.node('b', { clusters: ['CHAIN_DEVNET', 'CHAIN_MAINNET'] })
    const other = { clusters: ['CHAIN_DEVNET'] }
    const refusal = {
      exitCode: 78,
      message: expect.stringMatching(
        /HOLDFAST_CLUSTERS.*CHAIN_DEVNET, .*node a has CHAIN_DEVNET, CHAIN_MAINNET/,
      ) as unknown,
    }
    await expect(fixture.node('c', other)).rejects.toMatchObject(refusal)
    const live = (await fixture.rows.live()).map(({ id }) => id)
    expect([live.includes('a'), live.includes('c')]).toEqual([true, false])
    // A node of an earlier release does not state its clusters.
    await fixture.ask("UPDATE holdfast.node SET clusters = NULL WHERE id = 'b'")
    await first.member.stop()
    await fixture.node('c', other)
  })

  it('exits with 78 if a live node has another secret, and is the first of others once none is alive', async () => {
    const first = await fixture.node('a', { secretTag: 'of one secret', ...LONG })
    const second = await fixture.node('b', { secretTag: 'of one secret' })
    const other = { secretTag: 'of another secret' }
    const refusal = { exitCode: 78, message: expect.stringMatching(/HOLDFAST_NODE_SECRET.* node a/) as unknown }
    await expect(fixture.node('c', other)).rejects.toMatchObject(refusal)
    const live = (await fixture.rows.live()).map(({ id }) => id)
    expect([live.includes('a'), live.includes('c')]).toEqual([true, false])
    await first.member.stop()
    await second.member.stop()
    await fixture.node('c', other)
    await expect(fixture.node('b', { secretTag: 'of one secret' })).rejects.toMatchObject({ exitCode: 78 })
    // A node of an earlier release does not state it.
    await fixture.ask("UPDATE holdfast.node SET secret_tag = NULL WHERE id = 'c'")
    await fixture.node('b', { secretTag: 'of one secret' })
  })

  it.each([
    ['clusters', { clusters: ['CHAIN_MAINNET'] }],
    ['another secret', { secretTag: 'of another secret' }],
  ])('waits for the lease of a process with other settings that has ended: %s', async (_, other) => {
    const before = await fixture.node('a', { clusters: ['CHAIN_DEVNET'], secretTag: 'of one secret' })
    await ownerAmong([before])
    before.vanish()
    const after = await fixture.node('b', { clusters: ['CHAIN_DEVNET'], secretTag: 'of one secret', ...other })
    await ownerAmong([after])
  })

  it('exits with 76 if its place is taken', async () => {
    const node = await fixture.node('a')
    await fixture.ask(`UPDATE holdfast.node SET incarnation = '${randomUUID()}' WHERE id = 'a'`)
    await until('it ends', () => node.deaths.length > 0)
    expect((node.deaths[0] as Fenced).exitCode).toBe(76)
  })
})

describe('the cell', () => {
  it('shows the length of the lease of its owner, so that nodes may have different ones', async () => {
    const owner = await fixture.node('a', { leaseMs: 4_321 })
    await ownerAmong([owner])
    const leases = async () => (await fixture.rows.cells()).map((cell) => cell.owner?.leaseMs)
    expect(await leases()).toEqual([4_321])
    // A node of an earlier release does not state it.
    await fixture.ask("UPDATE holdfast.node SET lease_ms = NULL WHERE id = 'a'")
    expect(await leases()).toEqual([null])
  })

  it('has one owner, and another once that one has been silent for a lease', async () => {
    const nodes = await Promise.all(['a', 'b', 'c'].map((id) => fixture.node(id)))
    const first = await ownerAmong(nodes)
    const others = nodes.filter((node) => node !== first)
    expect(others.flatMap(({ actions }) => actions)).toEqual([])
    const before = await epoch()
    first.vanish()
    await ownerAmong(others)
    expect(await epoch()).toBe(before + 1)
    expect(others.filter(isOwner)).toHaveLength(1)
  })

  it('stays with an owner with a valid lease, whichever node claims it', async () => {
    const [owner, other] = [await joinedProcess('a'), await joinedProcess('b')]
    expect(await fixture.rows.claim('main', owner, { maySeizeExpired: false, leaseMs: 1 })).not.toBeNull()
    const claim = (maySeizeExpired: boolean): Promise<number | null> =>
      fixture.rows.claim('main', other, { maySeizeExpired, leaseMs: 1 })
    expect(await claim(true)).toBeNull()
    await fixture.ask(`UPDATE holdfast.node SET expires_at = now() - interval '1 minute' WHERE id = 'a'`)
    expect(await claim(false)).toBeNull()
    expect(await claim(true)).toBe((await epoch()) satisfies number)
  })

  it('is not claimed by a node whose own lease has ended', async () => {
    const incarnation = randomUUID()
    await fixture.rows.join({ id: 'b', incarnation }, { url: '', release: '', reads: 1, leaseMs: 0 })
    expect(await fixture.rows.claim('main', { id: 'b', incarnation }, { maySeizeExpired: true, leaseMs: 0 })).toBeNull()
  })

  it('is claimed after the pending commit, so that a read after the claim sees it', async () => {
    const writer = await fixture.connection()
    const ask = (text: string): Promise<unknown> => writer.query({ text }, [], 60_000)
    const before = await epoch()
    await ask('BEGIN')
    await ask(`SELECT 1 FROM holdfast.cell WHERE cell = 'main' AND epoch = ${before} FOR SHARE`)
    await ask(`INSERT INTO holdfast.row VALUES ('under-way', '1', 1) ON CONFLICT (key) DO UPDATE SET head = 1`)
    const node = await fixture.node('a')
    await until('the claim waits', async () => {
      const [[waiting] = []] = await fixture.ask(`SELECT count(*) FROM pg_locks WHERE NOT granted`)
      return waiting !== '0'
    })
    expect(isOwner(node)).toBe(false)
    await ask('COMMIT')
    await ownerAmong([node])
    expect(await fixture.ask(`SELECT value FROM holdfast.row WHERE key = 'under-way'`)).toEqual([['1']])
    writer.destroy()
  })

  it('fences its owner when another node has claimed it: the process exits with 76', async () => {
    const owner = await fixture.node('a')
    await ownerAmong([owner])
    await fixture.ask(`UPDATE holdfast.cell SET epoch = epoch + 1, node = 'b', incarnation = '${randomUUID()}'`)
    await until('it ends', () => owner.deaths.length > 0)
    expect(owner.deaths[0]).toBeInstanceOf(Fenced)
    expect((owner.deaths[0] as Fenced).exitCode).toBe(76)
    expect(owner.actions).not.toContain('close')
  })

  it('stays with a node that has claimed it while an earlier claim was waiting for a lock', async () => {
    const waiting = { id: 'b', incarnation: randomUUID() }
    await fixture.rows.join(waiting, { url: '', release: '', reads: 1, leaseMs: 60_000 })
    const before = await epoch()
    const writer = await fixture.connection()
    const ask = (text: string): Promise<unknown> => writer.query({ text }, [], 60_000)
    await ask('BEGIN')
    await ask(`SELECT 1 FROM holdfast.cell WHERE cell = 'main' FOR UPDATE`)
    const late = fixture.rows.claim('main', waiting, { maySeizeExpired: true, leaseMs: 1, epoch: before })
    await until('the claim waits', async () => {
      const [[count] = []] = await fixture.ask(`SELECT count(*) FROM pg_locks WHERE NOT granted`)
      return count !== '0'
    })
    // The late claim does not see that it has joined.
    const next = randomUUID()
    await fixture.ask(`INSERT INTO holdfast.node (id, incarnation, url, release, reads, expires_at)
      VALUES ('c', '${next}', '', '', 1, now() + interval '1 hour')`)
    await ask(`UPDATE holdfast.cell SET epoch = epoch + 1, node = 'c', incarnation = '${next}' WHERE cell = 'main'`)
    await ask('COMMIT')
    expect(await late).toBeNull()
    expect((await fixture.rows.cells())[0]).toMatchObject({ epoch: before + 1, owner: { id: 'c' } })
    writer.destroy()
  })

  it('is not handed over by a statement of an earlier ownership', async () => {
    const owner = await fixture.node('a')
    await ownerAmong([owner])
    const before = await epoch()
    expect(await fixture.rows.handOver('main', owner.member.me, 'a', before - 1)).toBeNull()
    expect(await fixture.rows.rest('main', owner.member.me, null, before - 1)).toBeNull()
    expect(await epoch()).toBe(before)
  })

  it('is claimed although its owner has been gone for longer than an integer counts milliseconds', async () => {
    const before = await fixture.node('a')
    await ownerAmong([before])
    before.vanish()
    await fixture.ask(`UPDATE holdfast.node SET expires_at = now() - interval '60 days'`)
    const after = await fixture.node('b')
    await ownerAmong([after])
    expect(after.actions).toEqual([`open ${await epoch()}`])
  })

  it('keeps its owner when the database was down for longer than a lease', async () => {
    // Long enough for each to renew its lease before another one maySeizeExpired.
    const nodes = await Promise.all(['a', 'b', 'c'].map((id) => fixture.node(id, { leaseMs: 4_000 })))
    const owner = await ownerAmong(nodes)
    const before = await epoch()
    await fixture.postgres.kill()
    await until('every lease is over', () => nodes.every(({ member }) => !member.lease.isHeld))
    await fixture.postgres.restart()
    await until('every lease is renewed', () => nodes.every(({ member }) => member.lease.isHeld))
    await until('all may seize expired leases again', () => nodes.every(({ member }) => member.maySeizeExpired()))
    expect([await epoch(), isOwner(owner), nodes.flatMap(({ deaths }) => deaths)]).toEqual([before, true, []])
  })
})

describe('a hand-over', () => {
  it('closes the cell, and then assigns it to the named node', async () => {
    const nodes = await Promise.all(['a', 'b', 'c'].map((id) => fixture.node(id)))
    const owner = await ownerAmong(nodes)
    const target = nodes.find((node) => node !== owner)!
    const before = await epoch()
    await fixture.rows.want('main', target.id)
    await until('it owns the cell', () => isOwner(target))
    expect(owner.actions).toEqual([`open ${before}`, 'close'])
    expect(target.actions).toEqual([`open ${before + 1}`])
    await until('the other owns the cell no more', () => owner.ownership.state === 'away')
    expect(nodes.flatMap(({ deaths }) => deaths)).toEqual([])
  })

  it('back and forth loses nothing', async () => {
    const nodes = await Promise.all(['a', 'b'].map((id) => fixture.node(id)))
    await ownerAmong(nodes)
    const before = await epoch()
    for (let turn = 0; turn < 10; turn += 1) {
      const target = nodes.find((node) => !isOwner(node))!
      await fixture.rows.want('main', target.id)
      await until('it owns the cell', () => isOwner(target))
    }
    expect(await epoch()).toBe(before + 10)
    expect(nodes.flatMap(({ deaths }) => deaths)).toEqual([])
  })

  it('to an unknown node does not begin', async () => {
    const owner = await fixture.node('a')
    await ownerAmong([owner])
    await fixture.rows.want('main', 'nobody')
    const { atMs } = owner.member.lastPoll!
    await until(
      'it has looked',
      () => owner.member.lastPoll!.cells.get('main')!.wanted !== null && owner.member.lastPoll!.atMs > atMs,
    )
    expect(isOwner(owner)).toBe(true)
  })

  it('to a node that drains does not begin', async () => {
    const nodes = await Promise.all(['a', 'b'].map((id) => fixture.node(id)))
    const owner = await ownerAmong(nodes)
    const other = nodes.find((node) => node !== owner)!
    await fixture.rows.drain(other.id)
    const seesDrain = () => owner.member.lastPoll!.nodes.some(({ id, draining }) => id === other.id && draining)
    await until('the owner knows it', seesDrain)
    await fixture.rows.want('main', other.id)
    const looks = (): number => (owner.member.lastPoll!.cells.get('main')!.wanted === other.id ? 1 : 0)
    let looked = 0
    let lastMs = 0
    await until('it has looked twice', () => {
      const { atMs } = owner.member.lastPoll!
      if (atMs !== lastMs) looked += looks()
      lastMs = atMs
      return looked > 1 || other.actions.length > 0
    })
    expect([isOwner(owner), other.actions]).toEqual([true, []])
  })

  it('gives nobody a cell of a database that has lost commits', async () => {
    const nodes = await Promise.all(['a', 'b'].map((id) => fixture.node(id)))
    const owner = await ownerAmong(nodes)
    const other = nodes.find((node) => node !== owner)!
    await fixture.ask("UPDATE holdfast.cell SET lost_history = 'some'")
    await owner.ownership.stop()
    expect((await fixture.rows.cells())[0]!.owner).toBeNull()
    await fixture.ask('UPDATE holdfast.cell SET lost_history = NULL')
    await until('the other owns the cell', () => isOwner(other))
    expect(other.actions).toHaveLength(1)
  })

  it('happens when the owner drains or stops, and a drained node claims nothing', async () => {
    const nodes = await Promise.all(['a', 'b'].map((id) => fixture.node(id)))
    const owner = await ownerAmong(nodes)
    const other = nodes.find((node) => node !== owner)!
    expect(await fixture.rows.drain(owner.id)).toBe(true)
    await until('the other owns the cell', () => isOwner(other))
    await other.ownership.stop()
    await other.member.stop()
    expect((await fixture.rows.cells())[0]!.owner).toBeNull()
    expect(isOwner(owner)).toBe(false)
    expect(await fixture.rows.drain('nobody')).toBe(false)
  })

  it('that nobody takes in time is withdrawn, and so is an earlier one by the name of the owner', async () => {
    const owner = await joinedProcess('a')
    await joinedProcess('b')
    const wanted = async (): Promise<string | null> => (await fixture.rows.cells())[0]!.wanted
    await fixture.rows.claim('main', owner, { maySeizeExpired: false, leaseMs: LEASE_MS })
    await expect(handOver(fixture.rows, 'main', 'b', 500)).rejects.toThrow(/a owns it\. The request is withdrawn/)
    expect(await wanted()).toBeNull()
    await fixture.rows.want('main', 'b')
    expect(await handOver(fixture.rows, 'main', 'a')).toBe('b')
    expect(await wanted()).toBeNull()
    await expect(handOver(fixture.rows, 'main', 'a')).rejects.toThrow('a owns main already')
  })

  it('that another request replaces is left to that one', async () => {
    const owner = await joinedProcess('a')
    for (const id of ['b', 'c']) await joinedProcess(id)
    await fixture.rows.claim('main', owner, { maySeizeExpired: false, leaseMs: LEASE_MS })
    const first = handOver(fixture.rows, 'main', 'b', 2_000)
    const refusal = expect(first).rejects.toThrow('The request is void')
    const wanted = async (): Promise<string | null> => (await fixture.rows.cells())[0]!.wanted
    await until('it is requested', async () => (await wanted()) === 'b')
    await fixture.rows.want('main', 'c')
    await refusal
    expect(await wanted()).toBe('c')
  })
})
