// The choice of an endpoint: by weight among those that answer and keep up; the others are probed.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask } from '../../src/rpc/asking.ts'
import { REMOTE_CLUSTER } from '../../src/rpc/cluster-settings.ts'
import { EndpointPool, type PoolNotice, type PoolSettings, type Purpose } from '../../src/rpc/pool.ts'
import { RpcError } from '../../src/rpc/rpc-error.ts'
import { parseRetryAfter } from '../../src/time/retry-after.ts'
import { ToyClock, WireNode, wiresTo, type Standing } from './wire-nodes.ts'

const SETTINGS: PoolSettings = {
  ...REMOTE_CLUSTER.pool,
  pauseMs: 1_000,
  longestPauseMs: 8_000,
  behindSlots: 30,
  pace: { ...REMOTE_CLUSTER.pool.pace, leapSlots: 1_000_000 },
}

interface World {
  readonly clock: ToyClock
  readonly nodes: readonly WireNode[]
  readonly pool: EndpointPool
  readonly notices: PoolNotice[]
  /** Queries the slot, as any read would; the name of the endpoint that answered, or null. */
  readonly read: (purpose?: Purpose) => Promise<string | null>
}

function world(weights: readonly number[], seed = 1, settings: Partial<PoolSettings> = {}): World {
  const clock = new ToyClock(seed)
  const nodes = weights.map((_, index) => new WireNode(`node${index}`, () => 1_000))
  const notices: PoolNotice[] = []
  const endpoints = nodes.map(({ url }, index) => ({ url, weight: weights[index]! }))
  const options = { openWire: wiresTo(nodes), notice: (notice: PoolNotice) => void notices.push(notice) }
  const pool = new EndpointPool(endpoints, clock, { ...SETTINGS, ...settings }, options)
  const read = async (purpose: Purpose = 'read') => {
    let name = ''
    const answer = ask(pool, purpose, SETTINGS.timeoutMs, async (transport, timeoutMs, endpoint) => {
      await transport.call('getSlot', [{ commitment: 'confirmed' }], { timeoutMs })
      name = endpoint.name
    })
    return await clock.until(answer).then(
      () => name,
      () => null,
    )
  }
  return { clock, nodes, pool, notices, read }
}

const stateOf = (pool: EndpointPool, index: number) => pool.states()[index]!

describe('the choice of an endpoint', () => {
  it('gives each its share by weight, to within a few requests, over any period', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 1, max: 400 }),
        (weights, seed, picks) => {
          const { pool } = world(weights, seed)
          const counts = new Map<string, number>()
          for (let pick = 0; pick < picks; pick += 1) {
            const { name } = pool.pick()
            counts.set(name, (counts.get(name) ?? 0) + 1)
          }
          const total = weights.reduce((sum, weight) => sum + weight, 0)
          pool.all.forEach(({ name }, index) => {
            const due = (picks * weights[index]!) / total
            expect(Math.abs((counts.get(name) ?? 0) - due)).toBeLessThanOrEqual(weights.length)
          })
        },
      ),
      { numRuns: 60 },
    )
  })

  it('begins at random places, and is deterministic for the same random numbers', () => {
    const firsts = Array.from({ length: 40 }, (_, seed) => world([1, 1], seed * 7_919).pool.pick().name)
    expect(new Set(firsts).size).toBe(2)
    expect(Array.from({ length: 40 }, (_, seed) => world([1, 1], seed * 7_919).pool.pick().name)).toEqual(firsts)
  })

  it('rotates separately for each purpose, so that none always uses the same node', () => {
    const { pool } = world([1, 1])
    const met = { status: new Set<string>(), progress: new Set<string>() }
    for (let turn = 0; turn < 10; turn += 1) {
      met.status.add(pool.pick('status').name)
      met.progress.add(pool.pick('progress').name)
    }
    expect([met.status.size, met.progress.size]).toEqual([2, 2])
  })

  it('distinguishes endpoints of one host, and never prints the path', () => {
    const nodes = [new WireNode('same', () => 1), new WireNode('same', () => 1)]
    const pool = new EndpointPool(
      nodes.map(({ url }) => url),
      new ToyClock(),
      SETTINGS,
      { openWire: wiresTo(nodes) },
    )
    expect(pool.all.map(({ name }) => name)).toEqual(['https://same.example', 'https://same.example (2)'])
    expect(JSON.stringify(pool.states())).not.toContain('secret')
  })
})

describe('an endpoint that fails', () => {
  const troubles: Record<string, Standing> = {
    'refuses connections': 'down',
    'does not answer': 'silent',
    'limits the rate': { status: 429 },
    'has a fault': { status: 503 },
    'does not know us any more': { status: 401 },
  }
  it.each(Object.keys(troubles))(
    'is paused when it %s, the request goes to another, and it recovers later',
    async (name) => {
      const { clock, nodes, pool, notices, read } = world([1, 1])
      nodes[0]!.standing = troubles[name]!
      for (let turn = 0; turn < 4; turn += 1) expect(await read()).toBe('https://node1.example')
      expect(stateOf(pool, 0)).toMatchObject({ failures: 1 })
      expect(nodes[0]!.requests).toHaveLength(1)
      nodes[0]!.standing = 'up'
      await clock.pass(2_000)
      expect(await read()).toBe('https://node0.example')
      expect(stateOf(pool, 0)).toMatchObject({ failures: 0, pausedForMs: null })
      expect(notices.map(({ kind }) => kind)).toEqual(['PAUSED', 'RECOVERED'])
      expect(JSON.stringify(notices)).not.toContain('secret')
    },
  )

  it('is paused when it refuses calls in JSON-RPC, but not for invalid calls', async () => {
    const { nodes, pool, read } = world([1, 1])
    nodes[0]!.script = () => ({ error: { code: -32602, message: 'Invalid params' } })
    nodes[1]!.script = () => ({ error: { code: -32602, message: 'Invalid params' } })
    expect(await read()).toBeNull()
    expect(pool.states().map(({ failures }) => failures)).toEqual([0, 0])
    expect([...nodes[0]!.requests, ...nodes[1]!.requests]).toHaveLength(1)
    nodes[0]!.script = () => ({ error: { code: -32429, message: 'rate limit' } })
    nodes[1]!.script = () => 1_000
    for (let turn = 0; turn < 3; turn += 1) expect(await read()).toBe('https://node1.example')
    expect(stateOf(pool, 0).failures).toBe(1)
  })

  it('is paused longer each time, up to a bound, and probed with one request at a time', async () => {
    const { clock, nodes, pool, read } = world([1, 1])
    nodes[0]!.standing = 'silent'
    const pauses: number[] = []
    for (let failure = 1; failure <= 6; failure += 1) {
      for (let turn = 0; stateOf(pool, 0).failures < failure && turn < 50; turn += 1) {
        const before = nodes[0]!.calls.length
        await Promise.all([read(), read(), read()])
        expect(nodes[0]!.calls.length - before).toBeLessThanOrEqual(failure === 1 ? 3 : 1)
        await clock.pass(200)
      }
      pauses.push(stateOf(pool, 0).pausedForMs ?? 0)
      await clock.pass(pauses.at(-1)!)
    }
    expect(pauses.every((pause) => pause <= 8_000 * 1.25)).toBe(true)
    expect(pauses[1]).toBeGreaterThan(1_000)
    expect(pauses[2]).toBeGreaterThan(pauses[1]!)
    expect(pauses[5]).toBeGreaterThan(7_000)
  })

  it('is paused as long as it asks, within a bound', async () => {
    const { nodes, pool, read } = world([1, 1], 1, { longestRetryAfterMs: 20_000 })
    nodes[0]!.standing = { status: 429, retryAfterMs: 12_000 }
    nodes[1]!.standing = { status: 429, retryAfterMs: 90_000 }
    expect(await read()).toBeNull()
    const paused = pool.states().map(({ pausedForMs }) => pausedForMs ?? 0)
    expect(paused[0]).toBeGreaterThan(11_000)
    expect(paused[0]).toBeLessThanOrEqual(12_000)
    expect(paused[1]).toBeGreaterThan(19_000)
    expect(paused[1]).toBeLessThanOrEqual(20_000)
    expect(pool.pick('send').name).toBe('https://node0.example')
  })

  it('is paused by Retry-After in seconds or as a date only', () => {
    const now = Date.parse('Fri, 20 Nov 2026 10:00:00 GMT')
    expect(parseRetryAfter('7', now)).toBe(7_000)
    expect(parseRetryAfter('Fri, 20 Nov 2026 10:00:30 GMT', now)).toBe(30_000)
    expect(parseRetryAfter('Fri, 20 Nov 2026 09:00:00 GMT', now)).toBe(0)
    for (const odd of [undefined, '', 'soon', '-1 day']) expect(parseRetryAfter(odd, now)).toBeUndefined()
  })

  it('is never probed with a send or a proof while another is sound, and is used when all are paused', async () => {
    const { clock, nodes, pool, read } = world([5, 1])
    nodes[0]!.standing = 'down'
    await read()
    await read()
    await clock.pass(60_000)
    for (let turn = 0; turn < 8; turn += 1) {
      expect(pool.pick('send').name).toBe('https://node1.example')
      expect(pool.pick('proof').name).toBe('https://node1.example')
    }
    nodes[1]!.standing = 'down'
    expect(await read()).toBeNull()
    const soonest = pool.states().toSorted((a, b) => (a.pausedForMs ?? 0) - (b.pausedForMs ?? 0))[0]!
    expect(pool.pick('send').name).toBe(soonest.name)
  })

  it('counts one failure for everything pending when it failed', async () => {
    const { clock, nodes, pool } = world([1])
    nodes[0]!.standing = 'silent'
    const { transport } = pool.pick()
    const under = Promise.all(['a', 'b', 'c', 'd'].map((channel) => transport.group('getSlot', ['[]'], { channel })))
    await clock.until(under)
    expect(stateOf(pool, 0).failures).toBe(1)
  })
})

describe('an endpoint that lags', () => {
  const slots = (nodes: readonly WireNode[], values: readonly number[]) => {
    nodes.forEach((node, index) => {
      node.script = () => values[index]
    })
  }

  it('is skipped while another is current, and used again when it has caught up', async () => {
    const { clock, nodes, pool, notices, read } = world([1, 1, 1])
    slots(nodes, [1_000, 960, 1_000])
    for (let turn = 0; turn < 6; turn += 1) await read()
    expect(stateOf(pool, 1)).toMatchObject({ behindSlots: 40 })
    const before = nodes[1]!.requests.length
    for (let turn = 0; turn < 6; turn += 1) expect(await read()).not.toBe('https://node1.example')
    expect(nodes[1]!.requests).toHaveLength(before)
    expect(notices).toMatchObject([{ kind: 'BEHIND', endpoint: 'https://node1.example' }])
    slots(nodes, [1_050, 1_049, 1_050])
    await clock.pass(6_000)
    const servers = new Set<string | null>()
    for (let turn = 0; turn < 9; turn += 1) servers.add(await read())
    expect(servers.size).toBe(3)
  })

  it('is used when no other is current, the nearest first', async () => {
    const { nodes, pool, read } = world([1, 1, 1])
    slots(nodes, [1_000, 960, 900])
    for (let turn = 0; turn < 6; turn += 1) await read()
    nodes[0]!.standing = 'down'
    for (let turn = 0; turn < 3; turn += 1) await read()
    expect(pool.pick('send').name).toBe('https://node1.example')
  })

  it('is not one that was merely asked long ago, nor one with a slow answer', async () => {
    const { clock, nodes, pool, read } = world([1, 1])
    for (let turn = 0; turn < 4; turn += 1) await read()
    for (let minute = 0; minute < 5; minute += 1) {
      slots(nodes, [1_000 + minute * 150, 1_000 + minute * 150])
      await clock.pass(60_000)
      await clock.until(pool.all[0]!.transport.call('getSlot', [{ commitment: 'confirmed' }]))
    }
    expect(stateOf(pool, 1).behindSlots).toBe(0)
    // The slow one answers with the state at the request; meanwhile the other advances.
    nodes[1]!.script = () => 1_600
    nodes[1]!.delayMs = 10_000
    const slow = pool.all[1]!.transport.call('getSlot', [{ commitment: 'confirmed' }])
    await clock.pass(5_000)
    nodes[0]!.script = () => 1_700
    await clock.until(pool.all[0]!.transport.call('getSlot', [{ commitment: 'confirmed' }]))
    await clock.until(slow)
    expect(stateOf(pool, 1).behindSlots).toBe(0)
  })

  it('is found by every method that is used, each compared at its own commitment, and never by getHealth', async () => {
    const answers: Record<string, (slot: number) => unknown> = {
      getLatestBlockhash: (slot) => ({ context: { slot }, value: {} }),
      getSignatureStatuses: (slot) => ({ context: { slot }, value: [] }),
      getAccountInfo: (slot) => ({ context: { slot }, value: null }),
      getMultipleAccounts: (slot) => ({ context: { slot }, value: [] }),
      getEpochInfo: (slot) => ({ absoluteSlot: slot, blockHeight: 1 }),
      getSlot: (slot) => slot,
    }
    for (const [method, answer] of Object.entries(answers)) {
      const { clock, nodes, pool } = world([1, 1])
      const params = method === 'getSignatureStatuses' ? [] : [{ commitment: 'confirmed' }]
      nodes[0]!.script = () => answer(2_000)
      nodes[1]!.script = () => answer(1_900)
      for (const { transport } of pool.all) await clock.until(transport.call(method, params))
      expect([method, stateOf(pool, 1).behindSlots]).toEqual([method, 100])
      // Finalized is always behind confirmed: that is no lag.
      nodes[1]!.script = () => 1_960
      if (method === 'getSlot') {
        nodes[1]!.script = () => 1_999
        await clock.until(pool.all[1]!.transport.call('getSlot', params))
        nodes[1]!.script = () => 1_900
        await clock.until(pool.all[1]!.transport.call('getSlot', [{ commitment: 'finalized' }]))
        expect(stateOf(pool, 1).behindSlots).toBe(1)
      }
      expect(nodes.flatMap((node) => node.asked('getHealth'))).toEqual([])
    }
  })

  it('is found when it refuses a slot that it has not reached', async () => {
    const { clock, nodes, pool } = world([1, 1])
    await clock.until(pool.all[0]!.transport.call('getSlot', [{ commitment: 'confirmed' }]))
    nodes[1]!.script = () => ({
      error: { code: -32016, message: 'Minimum context slot has not been reached', data: { contextSlot: 950 } },
    })
    const refusal = pool.all[1]!.transport.call('getAccountInfo', [
      'x',
      { commitment: 'confirmed', minContextSlot: 1_000 },
    ])
    await expect(clock.until(refusal)).rejects.toBeInstanceOf(RpcError)
    expect(stateOf(pool, 1)).toMatchObject({ behindSlots: 50, failures: 0 })
  })
})

describe('an endpoint that sent a false answer', () => {
  it('is used only without a trusted one, paused or not', async () => {
    const { nodes, pool, read } = world([1, 1])
    pool.distrust(pool.all[0]!, 'lied')
    expect(stateOf(pool, 0).distrusted).toBe('lied')
    nodes[1]!.standing = 'down'
    expect(await read()).toBeNull()
    expect(nodes[0]!.requests).toEqual([])
    pool.distrust(pool.all[1]!, 'lied too')
    nodes[1]!.standing = 'up'
    expect(await read()).not.toBeNull()
  })
})
