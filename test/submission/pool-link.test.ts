// Transfers over three real nodes of one chain, each behind a proxy, while one dies, one lags and one returns: each
// lands once.
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ClusterAccess } from '../../src/submission/access.ts'
import { systemClock } from '../../src/time/clock.ts'
import { openCluster } from '../../src/rpc/cluster.ts'
import type { ClusterSettings } from '../../src/rpc/cluster-settings.ts'
import type { Submission } from '../../src/submission/submission.ts'
import { startRpcServer, type RpcServer } from '../../src/localnet/rpc/server.ts'
import { setFaults } from '../chain-faults.ts'
import { eventually, serveChain, type ServedChain } from '../localnet/rpc-chain.ts'
import { Linked, QUICK } from './linked.ts'

const SETTINGS: ClusterSettings = {
  ...QUICK,
  // A pulled cable ends the connection: no timeout is needed, and none should hit a slow answer.
  pool: { ...QUICK.pool, timeoutMs: 60_000, pauseMs: 50, longestPauseMs: 400, againMs: 200, trialMs: 60_000 },
}

/**
 * A proxy in front of one node, whose cable can be pulled: requests under way are lost, with or without having been
 * carried out.
 */
class Proxy {
  readonly #server: Server
  readonly #target: () => string
  pulled = false
  served = 0

  constructor(target: () => string) {
    this.#target = target
    this.#server = createServer((request, response) => {
      if (this.pulled) return void request.socket.destroy()
      this.served += 1
      const onward = httpRequest(this.#target(), { method: 'POST', headers: request.headers }, (reply) => {
        if (this.pulled) return void request.socket.destroy()
        response.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(response)
      })
      onward.on('error', () => request.socket.destroy())
      request.pipe(onward)
    })
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  pull(): void {
    this.pulled = true
    this.#server.closeAllConnections()
  }

  async close(): Promise<void> {
    this.pull()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

let chain: ServedChain
let nodes: RpcServer[]
let proxies: Proxy[]
let world: Linked

beforeEach(async () => {
  // A blockhash lives for half a minute, the time that a slow machine needs to sign and send.
  chain = await serveChain({ slotMs: 200, faults: true })
  // So that a node can be far behind.
  await chain.bank.advance(250)
  const unexpected = (error: unknown) => void chain.unexpected.push(error)
  const server = () => startRpcServer({ bank: chain.bank, host: '127.0.0.1', port: 0, faults: true, unexpected })
  nodes = [await server(), await server(), await server()]
  proxies = nodes.map((node) => new Proxy(() => `http://127.0.0.1:${node.rpcPort}`))
  const [first, second, third] = await Promise.all(proxies.map((proxy) => proxy.listen()))
  const endpoints = [{ url: first!, weight: 2 }, second!, third!]
  world = new Linked(
    chain,
    await openCluster({ id: 'CHAIN_DEVNET', endpoints, settings: SETTINGS, clock: systemClock }),
  )
})
afterEach(async () => {
  expect(chain.unexpected).toEqual([])
  await world.link.close()
  await world.cluster.close()
  await Promise.all(proxies.map((proxy) => proxy.close()))
  await Promise.all(nodes.map((node) => node.close()))
  await chain.close()
})

/** Delays one node by this number of slots. */
async function lag(index: number, behindSlots: number): Promise<void> {
  await setFaults(`http://127.0.0.1:${nodes[index]!.rpcPort}`, { behindSlots })
}

describe('a cluster of three nodes', () => {
  it('completes every transfer once, while nodes fail, lag and recover', async () => {
    const payers = await Promise.all([1, 2, 3, 4].map(() => chain.payer()))
    const to = await chain.payer(1_000_000_000)
    const access = new ClusterAccess(world.cluster, world.link)
    const submissions: Submission[] = []
    let sum = 0n
    const submit = async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        const lamports = BigInt(submissions.length + 1)
        const submission = await world.transfer(payers[submissions.length % 4]!, to.publicKey, lamports)
        submissions.push(submission)
        sum += lamports
        world.link.submit(submission)
      }
    }

    const shownBalances: { readonly slot: number; readonly lamports: bigint }[] = []
    const end = new AbortController()
    const watch = (async () => {
      while (!end.signal.aborted) {
        const { slot, accounts } = await access.accountsAsOf([to.publicKey.toBase58()])
        shownBalances.push({ slot, lamports: accounts[0]!.lamports })
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })()

    await submit(20)
    await eventually(() => proxies.every(({ served }) => served > 0))
    proxies[0]!.pull()
    await submit(20)
    await lag(1, 200)
    await submit(20)
    await eventually(() => world.cluster.pool.states()[1]!.behindSlots > 30)
    proxies[0]!.pulled = false
    await eventually(() => world.cluster.pool.states()[0]!.failures === 0)
    proxies[2]!.pull()
    await submit(20)
    await lag(1, 0)
    proxies[2]!.pulled = false
    await eventually(() => world.link.open === 0)
    end.abort()
    await watch

    for (const submission of submissions) expect(world.levels(submission).at(-1)).toBe('finalized')
    expect(await world.balance(to.publicKey)).toBe(1_000_000_000n + sum)
    for (const [index, { slot, lamports }] of shownBalances.entries()) {
      const before = shownBalances[index - 1]
      if (before === undefined) continue
      expect(slot).toBeGreaterThanOrEqual(before.slot)
      expect(lamports).toBeGreaterThanOrEqual(before.lamports)
    }
    expect(world.alarms).toEqual([])
    expect(world.facts.filter(({ kind }) => kind === 'expired' || kind === 'forgotten')).toEqual([])
  })

  it('proves expiry only with the agreement of every node that answers', async () => {
    const payer = await chain.payer()
    const to = await chain.payer(1_000_000_000)
    const lostTransfer = await world.transfer(payer, to.publicKey, 5n)
    const landedTransfer = await world.transfer(payer, to.publicKey, 7n)
    world.link.submit(landedTransfer)
    await world.until(landedTransfer, 'finalized')
    world.facts.length = 0
    world.link.watch({ ...lostTransfer, bytes: null })
    await chain.bank.advance(160)
    await world.until(lostTransfer, 'expired')
    const [expiry] = world.of(lostTransfer).filter((fact) => fact.kind === 'expired')
    expect(proxies.map((_, index) => world.cluster.pool.all[index]!.name)).toContain(expiry!.proof.endpoint)
    expect(await world.balance(to.publicKey)).toBe(1_000_000_007n)
  })
})
