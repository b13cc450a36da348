// How a member counts its own lease, with a database and a clock that the test sets.
import { describe, expect, it } from 'vitest'
import { CellGateway } from '../../src/nodes/cell-gateway.ts'
import { DatabaseUnreachable, Fenced } from '../../src/nodes/errors.ts'
import { Member } from '../../src/nodes/member.ts'
import { NodeRows } from '../../src/nodes/node-rows.ts'
import { HandClock } from './hand-clock.ts'

const LEASE_MS = 5_000
const ME = { id: 'a', incarnation: '1' }

async function joinMember() {
  const clock = new HandClock()
  const database = {
    answersRenewals: true,
    answersPolls: true,
    renewalsTakeMs: 0,
    renewals: 0,
    epoch: 5,
    knowsMe: true,
  }
  const live: (string | null)[][] = []
  const answers: Readonly<Record<string, () => readonly (string | null)[][]>> = {
    'node-join': () => [['a']],
    'node-renew': () => (database.knowsMe ? [['false']] : []),
    'node-live': () => live,
    'node-cells': () => [['main', String(database.epoch), 'a', '1', null, 'http://a', '5000', null]],
  }
  const rows = new NodeRows(
    {
      query: async ({ name }) => {
        if (name === 'node-renew' && database.renewalsTakeMs > 0)
          await new Promise<void>((resolve) => void clock.setTimeout(resolve, database.renewalsTakeMs))
        const isAnswered = name === 'node-renew' ? database.answersRenewals : database.answersPolls
        if (!isAnswered) throw new Error('no answer')
        if (name === 'node-renew') database.renewals += 1
        return answers[name]!()
      },
    },
    1_000,
  )
  const log = { info: () => undefined, warn: () => undefined }
  const ends: Error[] = []
  const member = new Member({
    ...{ rows, pollRows: rows, me: ME, release: 'test', reads: 1, leaseMs: LEASE_MS, clock, log },
    ...{ clusters: ['CHAIN_DEVNET'], secretTag: 'mine' },
    onReplaced: (error) => void ends.push(error),
  })
  await member.join('http://a')
  member.start()
  return { clock, database, live, member, ends }
}

describe('a member whose lease has ended', () => {
  it('is an owner again only after a poll, because another node may own its cells', async () => {
    const { clock, database, member } = await joinMember()
    database.answersRenewals = false
    database.answersPolls = false
    await clock.pass(2 * LEASE_MS)
    expect(member.lease.isHeld).toBe(false)
    database.answersRenewals = true
    database.epoch = 6
    await clock.pass(2 * LEASE_MS)
    expect(member.lease.isHeld).toBe(false)
    const heldAtPolls: boolean[] = []
    member.onPoll(({ cells }) => {
      expect(cells.get('main')?.epoch).toBe(6)
      heldAtPolls.push(member.lease.isHeld)
    })
    database.answersPolls = true
    await clock.pass(LEASE_MS)
    expect(heldAtPolls[0]).toBe(false)
    expect(member.lease.isHeld).toBe(true)
  })

  it('is an owner again only after a poll if the lease had ended when the answer arrived', async () => {
    const { clock, database, member } = await joinMember()
    database.answersPolls = false
    // Begun while the lease was held; performed when another node may have claimed already.
    database.renewalsTakeMs = LEASE_MS - 1_000
    await clock.pass(LEASE_MS + 100)
    expect(member.lease.isHeld).toBe(false)
    database.renewalsTakeMs = 0
    const heldAtPolls: boolean[] = []
    member.onPoll(() => heldAtPolls.push(member.lease.isHeld))
    database.answersPolls = true
    await clock.pass(LEASE_MS)
    expect(heldAtPolls[0]).toBe(false)
    expect(member.lease.isHeld).toBe(true)
  })

  it('is an owner again only once it has read what was changed without it', async () => {
    const { clock, database, member } = await joinMember()
    let answers = false
    const heldAtReads: boolean[] = []
    member.onLeaseRegained(async () => {
      heldAtReads.push(member.lease.isHeld)
      while (!answers) await new Promise<void>((resolve) => void clock.setTimeout(resolve, 100))
    })
    await clock.pass(2 * LEASE_MS)
    expect(heldAtReads).toEqual([])
    database.answersRenewals = false
    await clock.pass(2 * LEASE_MS)
    database.answersRenewals = true
    const renewals = database.renewals
    await clock.pass(2 * LEASE_MS)
    expect(member.lease.isHeld).toBe(false)
    // Meanwhile nobody else may take its cells: the lease is renewed in the database.
    expect(database.renewals - renewals).toBeGreaterThanOrEqual(3)
    answers = true
    await clock.pass(LEASE_MS)
    expect(member.lease.isHeld).toBe(true)
    expect(heldAtReads).not.toContain(true)
    const reads = heldAtReads.length
    await clock.pass(2 * LEASE_MS)
    expect(heldAtReads).toHaveLength(reads)
  })

  it('ends if it cannot read that for some leases, so that another node takes its cells over', async () => {
    const { clock, database, member, ends } = await joinMember()
    member.onLeaseRegained(() => Promise.reject(new Error('unreadable')))
    database.answersRenewals = false
    await clock.pass(2 * LEASE_MS)
    database.answersRenewals = true
    await clock.pass(4 * LEASE_MS)
    expect(ends).toEqual([])
    await clock.pass(LEASE_MS)
    expect(ends[0]).toBeInstanceOf(Fenced)
    expect(member.lease.isHeld).toBe(false)
  })

  it.each([
    { problem: 'HOLDFAST_CLUSTERS', clusters: 'CHAIN_TESTNET', secretTag: 'mine' },
    { problem: 'HOLDFAST_NODE_SECRET', clusters: 'CHAIN_DEVNET', secretTag: 'another' },
  ])('ends if a node with another $problem joined without it', async ({ problem, clusters, secretTag }) => {
    const { clock, database, live, member, ends } = await joinMember()
    database.answersRenewals = false
    await clock.pass(2 * LEASE_MS)
    live.push(
      ['a', '1', 'http://a', 'test', 'false', '5000', '1', 'CHAIN_DEVNET', 'mine'],
      ['b', '2', 'http://b', 'test', 'false', '5000', '1', clusters, secretTag],
    )
    database.answersRenewals = true
    await clock.pass(LEASE_MS)
    expect(ends[0]).toBeInstanceOf(Fenced)
    expect(ends[0]?.message).toContain(problem)
    expect(member.lease.isHeld).toBe(false)
  })

  it('keeps a valid lease while its polls get no answer', async () => {
    const { clock, database, member } = await joinMember()
    database.answersPolls = false
    await clock.pass(2 * LEASE_MS)
    expect(member.lease.isHeld).toBe(true)
  })
})

describe('work of a stopping member that needs the database', () => {
  it('is waited for while the lease is held, and for the time of a lease after that', async () => {
    const { clock, database, member } = await joinMember()
    const timersBefore = clock.timers
    let done = (_: string): void => undefined
    const work = new Promise<string>((resolve) => (done = resolve))
    let result: unknown = null
    void member.whileInReach(work).then(
      (value) => (result = value),
      (error: unknown) => (result = error),
    )
    await clock.pass(10 * LEASE_MS)
    database.answersRenewals = false
    await clock.pass(1.9 * LEASE_MS)
    database.answersRenewals = true
    await clock.pass(2 * LEASE_MS)
    expect(result).toBe(null)
    done('done')
    await clock.pass(0)
    expect(result).toBe('done')
    expect(clock.timers).toBe(timersBefore)
  })

  it('is given up when the database stays away', async () => {
    const { clock, database, member } = await joinMember()
    database.answersRenewals = false
    let error: unknown = null
    void member.whileInReach(new Promise(() => undefined)).catch((reason: unknown) => (error = reason))
    await clock.pass(1.7 * LEASE_MS)
    expect(error).toBe(null)
    await clock.pass(LEASE_MS)
    expect(error).toBeInstanceOf(DatabaseUnreachable)
  })
})

describe('a node whose polls get no answer', () => {
  it('stops acting for the cell after one lease, although it renews its own', async () => {
    const { clock, database, member } = await joinMember()
    const gateway = new CellGateway(member, { cell: 'main', state: 'open', wake: () => Promise.resolve() }, { clock })
    expect(gateway.where()).toEqual({ at: 'here' })
    database.answersPolls = false
    await clock.pass(LEASE_MS - 1_500)
    expect(gateway.mayAct).toBe(true)
    await clock.pass(1_500)
    expect(member.lease.isHeld).toBe(true)
    expect(gateway.mayAct).toBe(false)
    expect(gateway.where().at).toBe('nowhere')
    database.answersPolls = true
    await clock.pass(1_000)
    expect(gateway.mayAct).toBe(true)
  })
})

describe('a member whose database is a restored backup', () => {
  const lost = new Error('commits are lost')

  it.each([
    ['without a row of this process', { knowsMe: false }],
    ['with an earlier epoch', { epoch: 4 }],
  ])('ends with the loss: %s', async (_what, restored) => {
    const { clock, database, member, ends } = await joinMember()
    let isFound = false
    member.onDoubt(() => Promise.resolve(isFound ? lost : null))
    await clock.pass(LEASE_MS)
    isFound = true
    await clock.pass(LEASE_MS)
    expect(ends).toEqual([])
    Object.assign(database, restored)
    await clock.pass(LEASE_MS / 5)
    expect(ends[0]).toBe(lost)
    expect(member.lease.isHeld).toBe(false)
  })

  it('ends with the loss once the database answers again', async () => {
    const { clock, database, member, ends } = await joinMember()
    member.onDoubt(() => Promise.resolve(lost))
    Object.assign(database, { answersRenewals: false, answersPolls: false })
    await clock.pass(2 * LEASE_MS)
    expect(ends).toEqual([])
    Object.assign(database, { answersRenewals: true, answersPolls: true })
    await clock.pass(LEASE_MS)
    expect(ends[0]).toBe(lost)
    expect(member.lease.isHeld).toBe(false)
  })

  it('is fenced if the commits are there, or cannot be read in time', async () => {
    for (const listener of [() => Promise.resolve(null), () => new Promise<never>(() => undefined)]) {
      const { clock, database, member, ends } = await joinMember()
      member.onDoubt(listener)
      database.knowsMe = false
      await clock.pass(LEASE_MS)
      expect(ends[0]).toBeInstanceOf(Fenced)
      expect(member.lease.isHeld).toBe(false)
    }
  })
})
