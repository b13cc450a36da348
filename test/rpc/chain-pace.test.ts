// Slots and heights are bounded by time. For any jumps that a node claims, no transaction that can still land is proven
// expired, one false answer is no lower bound for later ones, and everything recovers once the node answers correctly.
import bs58 from 'bs58'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ClusterAccess } from '../../src/submission/access.ts'
import { ChainPace } from '../../src/rpc/chain-pace.ts'
import { openCluster, type Cluster } from '../../src/rpc/cluster.ts'
import { REMOTE_CLUSTER, type ClusterSettings } from '../../src/rpc/cluster-settings.ts'
import { openLink } from '../../src/submission/link.ts'
import type { PoolNotice } from '../../src/rpc/pool.ts'
import type { ChainFact, ClusterLink, Submission } from '../../src/submission/submission.ts'
import { PacedNode, signatures } from './paced-node.ts'
import { ToyClock, WireNode, wiresTo } from './wire-nodes.ts'

const ADDRESS = 'SysvarC1ock11111111111111111111111111111111'
const ALL = ['getSlot', 'getEpochInfo', 'getLatestBlockhash', 'getMultipleAccounts', 'getSignatureStatuses']
const SETTINGS: ClusterSettings = { ...REMOTE_CLUSTER, lanes: { ...REMOTE_CLUSTER.lanes, rate: null } }
/** Slightly more than twice the time that a false observation is kept. */
const RECOVERY_MS = 65_000

interface World {
  readonly clock: ToyClock
  readonly nodes: readonly PacedNode[]
  readonly cluster: Cluster
  readonly access: ClusterAccess
  readonly link: ClusterLink
  readonly facts: { readonly fact: ChainFact; readonly height: number }[]
  readonly notices: PoolNotice[]
  read(): Promise<number>
  submit(): Promise<Submission>
  close(): Promise<void>
}

async function worldOf(
  slotMs: number,
  count = 1,
  before: (nodes: readonly PacedNode[]) => void = () => undefined,
): Promise<World> {
  const clock = new ToyClock()
  const nodes = Array.from({ length: count }, () => new PacedNode(clock, slotMs))
  before(nodes)
  const wires = nodes.map((node, index) => new WireNode(`node${index}`, node.script))
  const notices: PoolNotice[] = []
  const openedCluster = openCluster({
    id: 'CHAIN_MAINNET',
    endpoints: wires.map(({ url }) => url),
    settings: SETTINGS,
    clock,
    openWire: wiresTo(wires),
    notice: (notice) => notices.push(notice),
  })
  const cluster = await clock.until(openedCluster)
  const facts: World['facts'] = []
  const onFacts = (some: readonly ChainFact[]): void =>
    void facts.push(...some.map((fact) => ({ fact, height: nodes[0]!.height })))
  const link = openLink(cluster, clock, { onFacts, onAlarm: () => undefined })
  const access = new ClusterAccess(cluster, link)
  let submittedCount = 0
  return {
    clock,
    nodes,
    cluster,
    access,
    link,
    facts,
    notices,
    read: async () => (await clock.until(access.accountsAsOf([ADDRESS]))).slot,
    async submit() {
      const { blockhash, slot, lastValidBlockHeight } = await clock.until(cluster.blockhash.fresh())
      submittedCount += 1
      const bytes = new Uint8Array(100).fill(submittedCount)
      const signature = bs58.encode(bytes.subarray(1, 65))
      signatures.set(Buffer.from(bytes).toString('base64'), signature)
      const submission = {
        transactionId: `t${submittedCount}`,
        tenant: 'T',
        lane: 'L',
        signature,
        bytes,
        blockhash,
        blockhashSlot: slot,
        lastValidBlockHeight,
      }
      link.submit(submission)
      return submission
    },
    async close() {
      await clock.until(link.close())
      await cluster.close()
    },
  }
}

const endOf = (world: World, { transactionId }: Submission) =>
  world.facts.find(
    ({ fact }) =>
      fact.transactionId === transactionId &&
      (fact.kind === 'expired' || (fact.kind === 'seen' && fact.commitment === 'finalized')),
  )

/** Reads every second until a read is accepted. Returns its slot; 0: none was in time. */
async function recovers(world: World): Promise<number> {
  const end = world.clock.elapsed() + RECOVERY_MS
  let slot = 0
  while (slot === 0 && world.clock.elapsed() < end) {
    slot = await world.read().catch(() => 0)
    await world.clock.pass(1_000)
  }
  return slot
}

describe('a slot beyond what the cluster can have reached', () => {
  it('is not used, raises no floor, makes its endpoint suspect, and is forgotten at the next correct one', async () => {
    const world = await worldOf(400)
    const [node] = world.nodes
    const before = await world.read()
    node!.lie = { offset: 1_000_000, methods: ALL }
    await expect(world.read()).rejects.toMatchObject({ fault: 'IMPLAUSIBLE' })
    expect(world.cluster.pool.states()[0]).toMatchObject({ suspect: true, failures: 0 })
    expect(world.notices).toMatchObject([{ kind: 'IMPLAUSIBLE' }])
    node!.lie = null
    expect(await world.read()).toBeGreaterThanOrEqual(before)
    expect(world.cluster.seenSlot).toBeLessThan(before + 100)
    await world.clock.pass(6_000)
    await world.read()
    expect(world.cluster.pool.states()[0]).toMatchObject({ suspect: false })
    expect(world.notices.map(({ kind }) => kind)).toEqual(['IMPLAUSIBLE', 'RECOVERED'])
    await world.close()
  })

  it('is forgotten after a while if it was the first of all answers', async () => {
    const world = await worldOf(400, 1, ([node]) => (node!.lie = { offset: 1_000_000, methods: ALL }))
    await world.read()
    world.nodes[0]!.lie = null
    const slot = await recovers(world)
    expect(slot).toBeGreaterThan(0)
    expect(slot).toBeLessThanOrEqual(world.nodes[0]!.slot)
    await world.close()
  })

  it('from one of three endpoints is not accepted at the start either, and the other two are used', async () => {
    const world = await worldOf(400, 3, (nodes) => (nodes[1]!.lie = { offset: 50_000, methods: ALL }))
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await world.read()).toBeLessThanOrEqual(world.nodes[0]!.slot)
      await world.clock.pass(700)
    }
    expect(world.cluster.pool.states().map(({ suspect }) => suspect)).toEqual([false, true, false])
    await world.close()
  })

  it('is accepted at once if two endpoints report it: this machine was suspended', async () => {
    const world = await worldOf(400, 2)
    await world.read()
    for (const node of world.nodes) node.lie = { offset: 9_000, methods: ALL }
    expect(await world.read()).toBeGreaterThan(world.nodes[0]!.slot)
    await world.close()
  })

  it('is accepted for block heights only if the second endpoint reports them, too', () => {
    const pace = new ChainPace(SETTINGS.pool.pace)
    pace.observe({ slot: 1_000, height: 900, isFinalized: false }, 0, 0)
    const claimed = (slot: number, height: number | null) =>
      pace.doubt({ slot, height, isFinalized: false }, null, 0, 0)!
    const [one, other, both] = [claimed(9_000, 8_900), claimed(9_001, null), claimed(9_001, 8_901)]
    expect(pace.settle(one, [other], 0)).toEqual({ slot: null, height: one.height })
    expect(pace.settle(one, [both], 0)).toBeNull()
  })

  it('is accepted after the same time, whatever is doubted of heights since earlier', () => {
    const pace = new ChainPace(SETTINGS.pool.pace)
    const { patienceMs } = pace
    pace.observe({ slot: 1_000, height: 900, isFinalized: false }, 0, 0)
    let doubts = pace.doubt({ slot: 1_002, height: 9_900, isFinalized: false }, null, 1_000, 1_000)
    expect(doubts).toMatchObject({ slot: null, height: { since: 1_000 } })
    pace.observe({ slot: 1_005, height: null, isFinalized: false }, 2_000, 2_000)
    doubts = pace.doubtsAfter({ slot: 1_005, height: null, isFinalized: false }, doubts)
    const jumped = (nowMs: number) =>
      pace.doubt({ slot: 10_000, height: null, isFinalized: false }, doubts, nowMs, nowMs)!
    doubts = jumped(3_000)
    expect(pace.settle(doubts, [], 3_000)).toEqual(doubts)
    doubts = jumped(3_000 + patienceMs - 1)
    expect(pace.settle(doubts, [], 3_000 + patienceMs - 1)?.slot).toMatchObject({ value: 10_000 })
    doubts = jumped(3_000 + patienceMs)
    // The height has been doubted for longer, and nothing else was claimed of it.
    expect(pace.settle(doubts, [], 3_000 + patienceMs)).toBeNull()
  })

  it('counts the time from the last other claim', () => {
    const pace = new ChainPace(SETTINGS.pool.pace)
    const { patienceMs } = pace
    pace.observe({ slot: 1_000, height: 900, isFinalized: false }, 0, 0)
    const claim = { slot: 10_000, height: null, isFinalized: false }
    let doubts = pace.doubt(claim, null, 1_000, 1_000)!
    // Of another endpoint, which then ends.
    pace.observe({ slot: 1_010, height: null, isFinalized: false }, 5_000, 5_000)
    doubts = pace.doubt(claim, doubts, 1_000 + patienceMs, 1_000 + patienceMs)!
    expect(pace.settle(doubts, [], 1_000 + patienceMs)).toEqual(doubts)
    expect(pace.settle(doubts, [], 5_000 + patienceMs)).toBeNull()
  })

  it('is accepted from a single endpoint that reported nothing else for the lifetime of a blockhash', async () => {
    const world = await worldOf(400)
    await world.read()
    world.nodes[0]!.lie = { offset: 9_000, methods: ALL }
    const refusals: boolean[] = []
    for (let turn = 0; turn < 40; turn += 1) {
      refusals.push(
        await world.read().then(
          () => false,
          () => true,
        ),
      )
      await world.clock.pass(1_000)
    }
    expect([refusals[0], refusals[25], refusals.at(-1)]).toEqual([true, true, false])
    await world.close()
  })

  it('is accepted for block heights, too, while answers without a height go on', async () => {
    const world = await worldOf(400)
    await world.clock.until(world.cluster.blockhash.fresh())
    // Until no height is asked for any more.
    await world.clock.pass(SETTINGS.blockhash.idleMs + 5_000)
    // The machine was suspended. These answers have a slot only.
    world.nodes[0]!.lie = { offset: 9_000, methods: ALL }
    for (let turn = 0; turn < 40; turn += 1) {
      await world.read().catch(() => 0)
      await world.clock.pass(1_000)
    }
    const refusals: boolean[] = []
    for (let turn = 0; turn < 40; turn += 1) {
      await world.read()
      const asked = world.clock.until(world.cluster.blockhash.fresh())
      refusals.push(
        await asked.then(
          () => false,
          () => true,
        ),
      )
      await world.clock.pass(1_000)
    }
    expect([refusals[0], refusals[25], refusals.at(-1)]).toEqual([true, true, false])
    await world.close()
  })
})

describe('a proof of expiry', () => {
  it('is not made from finalized heights 200 ahead of the chain: withheld transactions may still land', async () => {
    const world = await worldOf(400)
    await world.read()
    const submission = await world.submit()
    await world.clock.pass(2_000)
    world.nodes[0]!.lie = { offset: 200, methods: ['getEpochInfo', 'getSignatureStatuses'] }
    await world.clock.pass(50_000)
    expect(endOf(world, submission)).toBeUndefined()
    world.nodes[0]!.lie = null
    world.nodes[0]!.land(submission.signature!)
    await world.clock.pass(60_000)
    expect(endOf(world, submission)?.fact.kind).toBe('seen')
    await world.close()
  })

  const jumps = fc.oneof(
    fc.integer({ min: 80, max: 3_000 }),
    fc.integer({ min: -3_000, max: -80 }),
    fc.integer({ min: -25, max: 25 }),
  )
  const methods = fc.oneof(fc.constant(ALL), fc.subarray(ALL, { minLength: 1 }))
  const lies = fc.array(
    fc.record({
      waitMs: fc.integer({ min: 0, max: 60_000 }),
      forMs: fc.integer({ min: 500, max: 90_000 }),
      offset: jumps,
      methods,
    }),
    { maxLength: 4 },
  )

  it('is never made for a transaction that can still land, for any reported jumps; all end afterwards', async () => {
    const scenario = fc.record({
      slotMs: fc.constantFrom(200, 400, 600),
      count: fc.constantFrom(1, 1, 2),
      lies,
      at: fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(scenario, async ({ slotMs, count, lies, at }) => {
        const plan: { readonly at: number; readonly act: (world: World) => void }[] = []
        let passedMs = 0
        for (const { waitMs, forMs, ...lie } of lies) {
          plan.push({ at: (passedMs += waitMs), act: ({ nodes }) => (nodes[0]!.lie = lie) })
          plan.push({ at: (passedMs += forMs), act: ({ nodes }) => (nodes[0]!.lie = null) })
        }
        const world = await worldOf(slotMs, count)
        const submissions: Submission[] = []
        const end = Math.max(passedMs, ...at) + 1_000
        const due = [...at].sort((a, b) => a - b)
        await world.clock.until(world.cluster.blockhash.fresh())
        while (world.clock.elapsed() < end) {
          for (const { act } of plan.splice(0, plan.filter((step) => step.at <= world.clock.elapsed()).length))
            act(world)
          while (due.length > 0 && due[0]! <= world.clock.elapsed()) {
            due.shift()
            const submission = await world.submit().catch(() => null)
            if (submission !== null) submissions.push(submission)
          }
          await world.clock.pass(500)
        }
        world.nodes[0]!.lie = null
        for (let turn = 0; turn < 600 && world.link.open > 0; turn += 1) await world.clock.pass(2_000)
        await world.clock.pass(RECOVERY_MS + 512 * slotMs)
        for (const submission of submissions) {
          const foundEnd = endOf(world, submission)
          if (foundEnd?.fact.kind === 'expired')
            expect(foundEnd.height).toBeGreaterThan(world.nodes[0]!.lastValid(submission.blockhash))
        }
        const slot = await recovers(world)
        expect([slot > 0, slot <= world.nodes[0]!.slot]).toEqual([true, true])
        await world.clock.pass(SETTINGS.pool.againMs)
        for (const _ of world.nodes) await world.read()
        expect(world.cluster.pool.states().filter(({ suspect }) => suspect)).toEqual([])
        expect(world.link.open).toBe(0)
        await world.close()
      }),
      { numRuns: 25 },
    )
  }, 300_000)
})
