// The cached blockhash is recent, is not refreshed while unused, and is never older than the previous one; opening a
// cluster leaks nothing.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BlockhashSource } from '../../src/rpc/blockhash.ts'
import type { Clock } from '../../src/time/clock.ts'
import { systemClock } from '../../src/time/clock.ts'
import { openCluster } from '../../src/rpc/cluster.ts'
import { REMOTE_CLUSTER } from '../../src/rpc/cluster-settings.ts'
import { EndpointPool } from '../../src/rpc/pool.ts'
import { eventually } from '../localnet/rpc-chain.ts'
import { scriptedNode, type ScriptedNode } from './scripted-node.ts'

const SETTINGS = { refreshMs: 1_000, maxAgeMs: 10_000, idleMs: 30_000 }
let node: ScriptedNode
let pool: EndpointPool
let source: BlockhashSource
let slot: number
/** The test advances it and fires its timers. */
let elapsedMs: number
let timers: { at: number; callback: () => void }[]

beforeEach(async () => {
  elapsedMs = 0
  timers = []
  slot = 100
  node = await scriptedNode(() => ({
    context: { slot },
    value: { blockhash: `hash-${slot}`, lastValidBlockHeight: slot + 150 },
  }))
  const clock: Clock = {
    ...systemClock,
    elapsed: () => elapsedMs,
    setTimeout: (callback, delayMs) => {
      const timer = { at: elapsedMs + delayMs, callback }
      timers.push(timer)
      return timer
    },
  }
  pool = new EndpointPool([node.url], systemClock, REMOTE_CLUSTER.pool)
  source = new BlockhashSource(pool, clock, SETTINGS)
})
afterEach(async () => {
  source.close()
  await pool.close()
  await node.close()
})

/** Advances the clock; timers that are due fire once. */
function pass(ms: number): void {
  elapsedMs += ms
  const due = timers.filter((timer) => timer.at <= elapsedMs)
  timers = timers.filter((timer) => timer.at > elapsedMs)
  for (const timer of due) timer.callback()
}

describe('the cached blockhash', () => {
  it('is fetched once for many callers, and cached', async () => {
    expect(source.current()).toBeNull()
    const expected = { blockhash: 'hash-100', slot: 100, lastValidBlockHeight: 250 }
    expect(await Promise.all([source.fresh(), source.fresh()])).toEqual([expected, expected])
    expect(source.current()).toEqual(expected)
    expect(source.lastKnown()).toEqual({ slot: 100, blockHeight: 100 })
    expect(node.bodies).toHaveLength(1)
  })

  it('is refreshed while it is used, and not otherwise', async () => {
    await source.fresh()
    slot = 103
    pass(1_000)
    await eventually(() => source.lastKnown()?.slot === 103)
    await eventually(() => timers.length > 0)
    pass(31_000)
    expect(timers).toHaveLength(0)
    expect(node.bodies).toHaveLength(2)
  })

  it('is awaited until it is another one', async () => {
    const { blockhash } = await source.fresh()
    const next = source.after(blockhash)
    await eventually(() => timers.length === 2)
    slot = 101
    pass(1_000)
    await eventually(() => source.lastKnown()?.slot === 101)
    pass(1_000)
    expect(await next).toMatchObject({ blockhash: 'hash-101' })
  })

  it('is not awaited for longer than it may be used', async () => {
    const { blockhash } = await source.fresh()
    const next = source.after(blockhash)
    await eventually(() => timers.length === 2)
    pass(10_000)
    expect(await next).toBeNull()
  })

  it('is never returned beyond its age limit', async () => {
    await source.fresh()
    node.raw = () => null
    pass(10_000)
    expect(source.current()?.slot).toBe(100)
    pass(1)
    expect(source.current()).toBeNull()
    await expect(source.fresh()).rejects.toMatchObject({ fault: 'CONNECTION' })
    expect(source.lastKnown()?.slot).toBe(100)
  })

  it('does not go back to an older one of a lagging node until its own is too old', async () => {
    await source.fresh()
    slot = 90
    pass(1_000)
    await eventually(() => node.bodies.length === 2 && timers.length > 0)
    expect(source.current()?.slot).toBe(100)
    pass(5_000)
    await eventually(() => source.current()?.slot === 90)
  })

  it('is refused if malformed', async () => {
    node.script = () => ({ context: { slot: 1 }, value: { blockhash: null, lastValidBlockHeight: 5 } })
    await expect(source.fresh()).rejects.toMatchObject({ fault: 'MALFORMED' })
  })
})

describe('opening a cluster', () => {
  it('requires an endpoint that reports its genesis hash, and its errors reveal no address', async () => {
    const open = (url: string) =>
      openCluster({ id: 'CHAIN_DEVNET', endpoints: [url], settings: REMOTE_CLUSTER, clock: systemClock })
    node.script = () => 'genesis'
    const cluster = await open(node.url)
    expect(cluster.genesisHash).toBe('genesis')
    await cluster.close()
    node.script = () => null
    await expect(open(node.url)).rejects.toMatchObject({ fault: 'MALFORMED' })
    const failure = await open('http://user:secret-password@127.0.0.1:1/secret-path').catch((error: unknown) => error)
    expect(String(failure)).toContain('http://127.0.0.1:1')
    expect(String(failure)).not.toContain('secret')
    await expect(openCluster({ id: 'X', endpoints: [], settings: REMOTE_CLUSTER, clock: systemClock })).rejects.toThrow(
      TypeError,
    )
    for (const url of ['ftp://host/secret', 'not a secret url']) {
      const refusal = await open(url).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(TypeError)
      expect(`${String(refusal)}${JSON.stringify(refusal)}`).not.toContain('secret')
    }
  })
})
