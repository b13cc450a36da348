// Confirmation over RPC: a link with its websocket before a node that shows landings late, or notifies false ones.
import { Keypair, type PublicKey } from '@solana/web3.js'
import { afterEach, describe, expect, it } from 'vitest'
import { ChainFeed } from '../../src/rpc/chain-feed.ts'
import { openCluster } from '../../src/rpc/cluster.ts'
import { REMOTE_CLUSTER, type ClusterSettings } from '../../src/rpc/cluster-settings.ts'
import { openWebSocket } from '../../src/rpc/socket.ts'
import { openLink, type LinkListener } from '../../src/submission/link.ts'
import type { Submission } from '../../src/submission/submission.ts'
import { systemClock } from '../../src/time/clock.ts'
import { eventually, serveChain } from '../localnet/rpc-chain.ts'
import { LateNode } from './late-node.ts'
import { Linked } from './linked.ts'

/** Statuses are never polled within a test: an observation follows a hint. */
const NEVER_MS = 600_000
const HINTED: ClusterSettings = {
  ...REMOTE_CLUSTER,
  pool: { ...REMOTE_CLUSTER.pool, pace: { ...REMOTE_CLUSTER.pool.pace, minSlotMs: 10 } },
  watch: {
    ...REMOTE_CLUSTER.watch,
    askAfterMs: [NEVER_MS],
    unansweredMs: NEVER_MS,
    resendMs: NEVER_MS,
    slowestResendMs: NEVER_MS,
  },
}
const POLLED: ClusterSettings = { ...HINTED, watch: { ...REMOTE_CLUSTER.watch } }

class Scene extends Linked {
  node!: LateNode

  static async open(settings: ClusterSettings, prepare: (node: LateNode) => void = () => undefined): Promise<Scene> {
    const chain = await serveChain({ slotMs: 200 })
    const node = await LateNode.before(chain)
    prepare(node)
    const cluster = await openCluster({ id: 'CHAIN_DEVNET', endpoints: [node.url], settings, clock: systemClock })
    const scene = new Scene(chain, cluster)
    await scene.link.close()
    scene.node = node
    const feed = new ChainFeed({ urls: [node.wsUrl], clock: systemClock, open: openWebSocket, notice: () => undefined })
    const listener: LinkListener = { onFacts: (facts) => void scene.facts.push(...facts), onAlarm: () => undefined }
    scene.link = openLink(cluster, systemClock, listener, { feed })
    scene.end = () => feed.close()
    return scene
  }

  end: () => void = () => undefined

  override async close(): Promise<void> {
    this.end()
    await super.close()
    await this.node.stop()
  }

  async pay() {
    const payer = await this.chain.payer()
    const to = Keypair.generate().publicKey
    const submission = await this.transfer(payer, to, 1_000_000n)
    this.link.submit(submission)
    return { submission, to }
  }

  /** At `confirmed`, or `finalized` if it is final by then. */
  async isSeen(submission: Submission): Promise<void> {
    const level = await eventually(() => this.levels(submission)[0])
    expect(['confirmed', 'finalized']).toContain(level)
  }

  lamports(to: PublicKey): Promise<number> {
    return this.chain.connection().getBalance(to)
  }
}

let scene: Scene
afterEach(() => scene.close())

describe('a transaction sent over RPC', () => {
  it('is confirmed by one query, triggered by its notification', async () => {
    scene = await Scene.open(HINTED)
    const { submission, to } = await scene.pay()
    await eventually(() => scene.node.events.includes('subscribed') && scene.node.events.includes('sent'))
    await eventually(async () => (await scene.lamports(to)) === 1_000_000)
    expect(scene.levels(submission)).toEqual([])
    scene.node.show()
    await scene.isSeen(submission)
    const { events } = scene.node
    expect([...events.slice(0, 2)].sort()).toEqual(['sent', 'subscribed'])
    expect(events.slice(2, 4)).toEqual(['shown', 'notified'])
    expect(events[4]).toMatch(/^asked: (?:confirmed|finalized)$/)
  })

  it('is confirmed at the configured times if the websocket does not work', async () => {
    scene = await Scene.open(POLLED, (node) => (node.isDeaf = true))
    const { submission } = await scene.pay()
    await eventually(() => scene.node.events.filter((each) => each === 'asked: nothing').length >= 2)
    scene.node.show()
    await scene.isSeen(submission)
    const shownAt = scene.node.events.indexOf('shown')
    // Whether the bytes are sent once more in between depends on time.
    const nextQuestion = scene.node.events.slice(shownAt + 1).find((each) => each !== 'sent')
    expect(nextQuestion).toMatch(/^asked: (?:confirmed|finalized)$/)
  })

  it('is not settled by a notification that the statuses contradict', async () => {
    scene = await Scene.open(HINTED, (node) => {
      node.lies = true
      node.keeps = true
    })
    const { submission, to } = await scene.pay()
    await eventually(() => scene.node.events.includes('asked: nothing'))
    scene.node.isHidden = false
    // One notification causes one query, however often it is repeated.
    expect(scene.node.events.filter((each) => each.startsWith('asked')).length).toBe(1)
    expect(scene.levels(submission)).toEqual([])
    expect(await scene.lamports(to)).toBe(0)
    await scene.node.release()
    scene.link.checkNow(submission.transactionId)
    await scene.isSeen(submission)
    expect(await scene.lamports(to)).toBe(1_000_000)
  })
})
