// One cluster with several nodes: only those of its chain, no answer older than a previous one, and statuses and proofs
// that a node with less knowledge cannot distort.
import { describe, expect, it } from 'vitest'
import { ClusterAccess } from '../../src/submission/access.ts'
import { openCluster, type Cluster } from '../../src/rpc/cluster.ts'
import { REMOTE_CLUSTER } from '../../src/rpc/cluster-settings.ts'
import type { ExpiryRequest } from '../../src/rpc/expiry/proof.ts'
import type { PoolNotice } from '../../src/rpc/pool.ts'
import type { ClusterLink } from '../../src/submission/submission.ts'
import type { Call } from './scripted-node.ts'
import { toyLedger, type ToyLedger } from './toy-ledger.ts'
import { ToyClock, WireNode, wiresTo } from './wire-nodes.ts'

const ADDRESS = 'SysvarC1ock11111111111111111111111111111111'
const OWNER = '11111111111111111111111111111111'

/** The knowledge of a node. Its answers are as of its slot, and it honours `minContextSlot`. */
interface Knowledge {
  genesis: string
  slot: number
  lamports: number
  /** Ignores `minContextSlot`, as some proxies do. */
  careless?: boolean
}

function nodeWith(name: string, knowledge: Knowledge): WireNode {
  return new WireNode(name, ({ method, params }: Call) => {
    const { genesis, slot, lamports, careless = false } = knowledge
    const { minContextSlot = 0 } = (params.at(-1) ?? {}) as { minContextSlot?: number }
    if (minContextSlot > slot && !careless)
      return { error: { code: -32016, message: 'Minimum context slot', data: { contextSlot: slot } } }
    if (method === 'getGenesisHash') return genesis
    if (method === 'getSlot') return slot
    if (method !== 'getMultipleAccounts') return { error: { code: -32601, message: 'Method not found' } }
    const account = { lamports, owner: OWNER, data: ['', 'base64'], executable: false }
    return { context: { slot }, value: (params[0] as string[]).map(() => account) }
  })
}

async function clusterOf(
  nodes: readonly WireNode[],
  more: { readonly genesisHash?: string; readonly notices?: PoolNotice[] } = {},
): Promise<{ cluster: Cluster; clock: ToyClock; access: ClusterAccess }> {
  const clock = new ToyClock()
  const cluster = await clock.until(
    openCluster({
      id: 'CHAIN_MAINNET',
      endpoints: nodes.map(({ url }) => url),
      // Slots advance here without time.
      settings: {
        ...REMOTE_CLUSTER,
        pool: { ...REMOTE_CLUSTER.pool, pace: { minSlotMs: 200, leapSlots: 1_000_000, marginBlocks: 0 } },
      },
      clock,
      openWire: wiresTo(nodes),
      genesisHash: more.genesisHash,
      notice: (notice) => more.notices?.push(notice),
    }),
  )
  return { cluster, clock, access: new ClusterAccess(cluster, {} as ClusterLink) }
}

const knows = (slot: number, lamports = 5, genesis = 'genesis'): Knowledge => ({ genesis, slot, lamports })

describe('the endpoints of a cluster', () => {
  it('are never used when they are of another chain, however many report it', async () => {
    const notices: PoolNotice[] = []
    const nodes = [nodeWith('right', knows(1_000)), nodeWith('wrong', knows(9_000, 7, 'other'))]
    const { cluster, clock } = await clusterOf(nodes, { notices })
    expect(cluster.genesisHash).toBe('genesis')
    expect(cluster.pool.states().map(({ chain }) => chain)).toEqual(['same', 'other'])
    expect(notices).toMatchObject([{ kind: 'OTHER_CHAIN', endpoint: 'https://wrong.example' }])
    nodes[0]!.standing = 'down'
    const purposes = ['read', 'send', 'proof', 'status'] as const
    for (const purpose of purposes) expect(cluster.pool.pick(purpose).name).toBe('https://right.example')
    await expect(clock.until(cluster.accounts([ADDRESS]))).rejects.toMatchObject({ fault: 'CONNECTION' })
    expect(nodes[1]!.asked('getMultipleAccounts')).toEqual([])
    expect(cluster.seenSlot).toBe(1_000)
  })

  it('are compared with the earlier genesis hash, not with the first answer', async () => {
    const nodes = [nodeWith('wrong', knows(9_000, 7, 'other')), nodeWith('right', knows(1_000))]
    const { cluster } = await clusterOf(nodes, { genesisHash: 'genesis' })
    expect(cluster.genesisHash).toBe('genesis')
    expect(cluster.pool.pick().name).toBe('https://right.example')
    expect((await clusterOf(nodes)).cluster.genesisHash).toBe('other')
  })

  it('may all be down at the start, which the error of a read says', async () => {
    const node = nodeWith('down', knows(1_000))
    node.standing = 'down'
    const { cluster, clock } = await clusterOf([node], { genesisHash: 'genesis' })
    await expect(clock.until(cluster.accounts([ADDRESS]))).rejects.toMatchObject({
      fault: 'BEHIND',
      message: 'no endpoint of the cluster answers',
    })
  })

  it('may be down at the start, and are verified before they are used', async () => {
    const notices: PoolNotice[] = []
    const nodes = [
      nodeWith('here', knows(1_000)),
      nodeWith('late', knows(1_000)),
      nodeWith('foreign', knows(1_000, 7, 'other')),
    ]
    nodes[1]!.standing = 'down'
    nodes[2]!.standing = 'silent'
    const { cluster, clock } = await clusterOf(nodes, { notices })
    expect(cluster.pool.states().map(({ chain }) => chain)).toEqual(['same', 'unknown', 'unknown'])
    nodes[1]!.standing = 'up'
    nodes[2]!.standing = 'up'
    const endpoints = new Set<string>()
    for (let turn = 0; turn < 30; turn += 1) {
      endpoints.add(cluster.pool.pick().name)
      await clock.pass(1_000)
    }
    expect([...endpoints].sort()).toEqual(['https://here.example', 'https://late.example'])
    expect(cluster.pool.states().map(({ chain }) => chain)).toEqual(['same', 'same', 'other'])
    expect(notices.map(({ kind, endpoint }) => `${kind} ${endpoint}`)).toContain('OTHER_CHAIN https://foreign.example')
  })

  it('are marked as lagging from the start', async () => {
    const { cluster } = await clusterOf([nodeWith('lagging', knows(900)), nodeWith('level', knows(1_000))])
    for (let turn = 0; turn < 6; turn += 1) expect(cluster.pool.pick().name).toBe('https://level.example')
  })

  it('must be at least one', async () => {
    const nodes = [nodeWith('one', knows(1)), nodeWith('two', knows(1))]
    for (const node of nodes) node.standing = 'down'
    await expect(clusterOf(nodes)).rejects.toMatchObject({ fault: 'CONNECTION' })
  })
})

describe('accounts', () => {
  it.each([true, false])(
    'are never older than an earlier answer, even from a node that ignores minContextSlot: %s',
    async (careless) => {
      const [ahead, lagging] = [knows(1_000, 10), { ...knows(990, 3), careless }]
      const { clock, access, cluster } = await clusterOf([nodeWith('ahead', ahead), nodeWith('lagging', lagging)])
      for (let turn = 0; turn < 12; turn += 1) {
        const { slot, accounts } = await clock.until(access.accountsAsOf([ADDRESS]))
        expect([slot, accounts[0]!.lamports]).toEqual([ahead.slot, 10n])
      }
      ahead.slot = 1_010
      lagging.slot = 1_015
      lagging.lamports = 10
      const slots: number[] = []
      for (let turn = 0; turn < 6; turn += 1) slots.push((await clock.until(access.accountsAsOf([ADDRESS]))).slot)
      expect(slots).toEqual([...slots].sort((a, b) => a - b))
      expect(cluster.seenSlot).toBe(1_015)
    },
  )

  it('wait briefly if no node has reached the slot, and are refused if none does', async () => {
    const knowledge = knows(1_000, 10)
    const node = nodeWith('only', knowledge)
    const { clock, access } = await clusterOf([node, nodeWith('other', knows(998, 1))])
    const answer = access.accountsAsOf([ADDRESS], 1_002)
    await clock.pass(300)
    knowledge.slot = 1_002
    expect((await clock.until(answer)).slot).toBe(1_002)
    await expect(clock.until(access.accountsAsOf([ADDRESS], 2_000))).rejects.toMatchObject({ fault: 'BEHIND' })
  })

  it('are not read from a lagging node when the current one fails', async () => {
    const nodes = [nodeWith('ahead', knows(1_000, 10)), nodeWith('lagging', knows(980, 3))]
    const { clock, access } = await clusterOf(nodes)
    nodes[0]!.standing = 'down'
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(clock.until(access.accounts([ADDRESS]))).rejects.toMatchObject({ name: 'TransportError' })
    }
  })

  it('come from one endpoint, however many they are', async () => {
    const nodes = [nodeWith('a', knows(1_000)), nodeWith('b', knows(1_000))]
    const { clock, cluster } = await clusterOf(nodes)
    for (let turn = 0; turn < 4; turn += 1) {
      const before = nodes.map((node) => node.asked('getMultipleAccounts').length)
      const { accounts } = await clock.until(cluster.accounts(new Array<string>(250).fill(ADDRESS)))
      expect(accounts).toHaveLength(250)
      const callCounts = nodes.map((node, index) => node.asked('getMultipleAccounts').length - before[index]!)
      expect(callCounts.sort()).toEqual([0, 3])
    }
  })
})

describe('a proof of expiry over several nodes', () => {
  const request: ExpiryRequest = {
    signatures: ['first', 'second'],
    blockhash: 'hash-520',
    blockhashSlot: 1_020,
    lastValidBlockHeight: 670,
    // A lifetime of blocks has been counted since.
    watchedSince: { height: 520, doubts: 0 },
  }
  /** `blocks`: 175 leave it within the range of status caches, 500 do not. */
  const ledgerOf = (blocks: number): ToyLedger => toyLedger(1_000, 500, new Array<number>(blocks).fill(0))
  const nodeOf = (name: string, ledger: ToyLedger) =>
    new WireNode(name, (call) => (call.method === 'getSlot' ? ledger.processedSlot : ledger.answer(call)))

  it.each([175, 500])(
    'is made by one node from begin to end, and verified with the others (%i blocks)',
    async (blocks) => {
      const nodes = ['a', 'b', 'c'].map((name) => nodeOf(name, ledgerOf(blocks)))
      const { cluster, clock } = await clusterOf(nodes)
      const provers = new Set<string>()
      for (let turn = 0; turn < 6; turn += 1) {
        for (const node of nodes) node.requests.length = 0
        const verdict = await clock.until(cluster.prove(request))
        expect(verdict.proven).toBe(true)
        const methodsOf = nodes.map((node) => [...new Set(node.calls.map(({ method }) => method))])
        expect(methodsOf.filter((methods) => methods.includes('getEpochInfo'))).toHaveLength(1)
        expect(
          methodsOf.filter((methods) => methods.length === 1 && methods[0] === 'getSignatureStatuses'),
        ).toHaveLength(2)
        expect(methodsOf.filter((methods) => methods.includes('getBlock'))).toHaveLength(blocks === 500 ? 1 : 0)
        if (verdict.proven) provers.add(verdict.proof.endpoint)
      }
      expect(provers.size).toBe(3)
    },
  )

  it.each([
    [175, ['first', 'second']],
    [500, ['first', 'second']],
    // Most transactions have been signed once.
    [175, ['second']],
  ])(
    'is never made while one node shows the transaction landed, in any order of nodes (%i blocks, of %j)',
    async (blocks, signatures) => {
      const ledgers = [ledgerOf(blocks), ledgerOf(blocks)]
      ledgers[0]!.blocks[60]!.signatures.push('second')
      const nodes = [nodeOf('knows', ledgers[0]!), nodeOf('denies', ledgers[1]!)]
      const { cluster, clock } = await clusterOf(nodes)
      const prove = () => clock.until(cluster.prove({ ...request, signatures }))
      for (let turn = 0; turn < 6; turn += 1) expect(await prove()).toMatchObject({ proven: false, landed: 'second' })
      // Nor by one that gave another wrong answer: a doubt costs time only.
      cluster.pool.distrust(cluster.pool.all[0]!, 'lied')
      expect(await prove()).toMatchObject({ proven: false, landed: 'second' })
    },
  )

  it('does not wait for nodes that are down, but a transaction seen by one requires the blocks', async () => {
    const nodes = [nodeOf('here', ledgerOf(175)), nodeOf('away', ledgerOf(175))]
    const { cluster, clock } = await clusterOf(nodes)
    nodes[1]!.standing = 'down'
    await clock.until(cluster.progress(1_000).catch(() => null))
    await clock.until(cluster.progress(1_000).catch(() => null))
    expect(await clock.until(cluster.prove(request))).toMatchObject({ proven: true, proof: { window: null } })
    expect(nodes[0]!.asked('getBlock')).toEqual([])
    const disputed = await clock.until(cluster.prove({ ...request, disputed: true }))
    expect(disputed).toMatchObject({ proven: true, proof: { window: { blocks: 152 } } })
  })

  it('starts at no slot that the blockhash cannot come from', async () => {
    const nodes = [nodeOf('a', ledgerOf(500))]
    const { cluster, clock } = await clusterOf(nodes)
    // If the slot were not too near, nulls of the caches would suffice, 480 slots after the block.
    const verdict = await clock.until(cluster.prove({ ...request, blockhashSlot: 1_400 }))
    expect(verdict).toMatchObject({ proven: true, proof: { window: { firstBlockhash: 'hash-520', blocks: 152 } } })
    expect(await clock.until(cluster.prove({ ...request, blockhashSlot: 9_000, watchedSince: null }))).toMatchObject({
      proven: false,
    })
  })

  it('asks all nodes before a transaction counts as forgotten', async () => {
    const ledgers = [ledgerOf(175), ledgerOf(175)]
    ledgers[0]!.blocks[60]!.signatures.push('second')
    const { cluster, clock } = await clusterOf([nodeOf('knows', ledgers[0]!), nodeOf('denies', ledgers[1]!)])
    for (let turn = 0; turn < 4; turn += 1) {
      const { statuses } = await clock.until(cluster.statuses(['first', 'second'], true, 5_000))
      expect(statuses).toMatchObject([null, { slot: 1_060, commitment: 'finalized' }])
    }
    expect(cluster.seenSlot).toBeGreaterThanOrEqual(1_060)
  })
})

describe('transactions and blocks', () => {
  it('are requested in every version: a reader without the parameter fails on a block with version 1', async () => {
    const ledger = toyLedger(1_000, 500, new Array<number>(500).fill(0))
    const node = new WireNode('a', (call) => {
      if (call.method === 'getSignaturesForAddress')
        return [
          { signature: 'other', slot: 1_100 },
          { signature: 'older', slot: 10 },
        ]
      if (call.method === 'getSlot') return ledger.processedSlot
      return call.method === 'getTransaction' ? null : ledger.answer(call)
    })
    const { cluster, clock } = await clusterOf([node])
    const request = { signatures: ['x'], blockhash: 'hash-520', blockhashSlot: 1_020, lastValidBlockHeight: 670 }
    await clock.until(cluster.landed('x'))
    await clock.until(cluster.movementOf('x'))
    await clock.until(cluster.prove(request))
    await clock.until(cluster.prove({ ...request, unknownSignature: { messageHash: 'h', address: ADDRESS } }))
    const reads = [...node.asked('getTransaction'), ...node.asked('getBlock')]
    expect(node.asked('getTransaction').length).toBeGreaterThanOrEqual(3)
    expect(node.asked('getBlock').length).toBeGreaterThan(150)
    for (const { params } of reads) expect(params[1]).toMatchObject({ maxSupportedTransactionVersion: 1 })
  })
})
