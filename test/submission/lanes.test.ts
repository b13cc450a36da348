// Lanes keep order, bounds and priorities, and drop nothing.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/time/clock.ts'
import { clusterSettings, EMBEDDED_CLUSTER, REMOTE_CLUSTER, type LaneSettings } from '../../src/rpc/cluster-settings.ts'
import { Lanes, type SendAttempt, type PendingSend } from '../../src/submission/lanes.ts'
import { EndpointPool } from '../../src/rpc/pool.ts'
import { eventually } from '../localnet/rpc-chain.ts'
import { scriptedNode, type Call, type ScriptedNode } from '../rpc/scripted-node.ts'

let node: ScriptedNode
let pool: EndpointPool
/** Ids in the order in which they reached the node. */
let reachedIds: string[]
const text = (call: Call) => Buffer.from(String(call.params[0]), 'base64').toString()

beforeEach(async () => {
  reachedIds = []
  node = await scriptedNode((call) => {
    reachedIds.push(text(call))
    return `signature of ${text(call)}`
  })
  pool = new EndpointPool([node.url], systemClock, REMOTE_CLUSTER.pool)
})
afterEach(async () => {
  await pool.close()
  await node.close()
})

function pendingSend(id: string, lane: string, alone = false, tenant = 'T'): PendingSend {
  return { transactionId: id, tenant, lane, signature: `signature of ${id}`, bytes: Buffer.from(id), alone }
}

function open(
  settings: Partial<LaneSettings> = {},
  onSending: (pendingSends: readonly PendingSend[]) => void = () => undefined,
): { lanes: Lanes; attempts: SendAttempt[]; sends: string[][] } {
  const attempts: SendAttempt[] = []
  const sends: string[][] = []
  const lanes = new Lanes(
    pool,
    systemClock,
    { ...EMBEDDED_CLUSTER.lanes, ...settings },
    {
      sending(pendingSends) {
        sends.push(pendingSends.map((one) => one.transactionId))
        onSending(pendingSends)
      },
      sent: (some) => void attempts.push(...some),
      alarm: (alarm) => expect.unreachable(alarm.detail),
    },
  )
  return { lanes, attempts, sends }
}

describe('lanes', () => {
  it('send each transaction once, in the order of its lane, in bounded batches, nonce transactions alone', async () => {
    const plan = fc.array(fc.record({ lane: fc.constantFrom('a', 'b', 'nonce'), pause: fc.boolean() }), {
      minLength: 1,
      maxLength: 60,
    })
    await fc.assert(
      fc.asyncProperty(plan, fc.integer({ min: 1, max: 7 }), fc.boolean(), async (steps, maxBatch, limited) => {
        reachedIds = []
        const { lanes, attempts, sends } = open({ maxBatch, rate: limited ? { sends: 1_000, perMs: 50 } : null })
        for (const [index, { lane, pause }] of steps.entries()) {
          lanes.submit(pendingSend(`${lane}:${index}`, lane, lane === 'nonce'))
          if (pause) await new Promise((resolve) => setImmediate(resolve))
        }
        await eventually(() => attempts.length === steps.length)
        expect(attempts.every((attempt) => attempt.outcome === 'accepted')).toBe(true)
        for (const lane of ['a', 'b', 'nonce']) {
          const own = reachedIds.filter((id) => id.startsWith(`${lane}:`))
          expect(own).toEqual(steps.flatMap((step, index) => (step.lane === lane ? [`${lane}:${index}`] : [])))
        }
        for (const send of sends) expect(send.length).toBeLessThanOrEqual(send[0]!.startsWith('nonce') ? 1 : maxBatch)
        await lanes.close()
      }),
      { numRuns: 20 },
    )
  })

  it.each([false, true])('send at most `ratePerSecond` requests (embedded: %s)', async (embedded) => {
    const { lanes: settings } = clusterSettings({
      embedded,
      embeddedSlotMs: 400,
      ratePerSecond: 3,
      subscribedAccounts: 0,
    })
    expect(settings.rate).toEqual({ sends: 3, perMs: 1_000 })
    // The same rate with an interval longer than any test: further requests would exceed it, on any machine.
    const { lanes, attempts } = open({ ...settings, maxBatch: 2, rate: { ...settings.rate!, perMs: 3_600_000 } })
    for (let index = 0; index < 20; index += 1) lanes.submit(pendingSend(`${index}`, 'x'))
    await eventually(() => attempts.length === 6)
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(node.bodies).toHaveLength(3)
    expect([lanes.totals.sent, lanes.totals.queued]).toEqual([6, 14])
    await lanes.close()
  })

  it('combine everything submitted in one turn into one request', async () => {
    const { lanes, attempts } = open()
    for (let index = 0; index < 40; index += 1) lanes.submit(pendingSend(`${index}`, `lane ${index % 4}`))
    await eventually(() => attempts.length === 40)
    expect(node.bodies).toHaveLength(1)
    await lanes.close()
  })

  it('prefer first sends to repeats', async () => {
    const { lanes, attempts } = open({ concurrency: 1, maxBatch: 2 })
    lanes.submit(pendingSend('opening', 'x'))
    for (let index = 0; index < 6; index += 1) lanes.repeat(pendingSend(`repeat ${index}`, 'x'))
    for (let index = 0; index < 6; index += 1) lanes.submit(pendingSend(`first ${index}`, `lane ${index}`))
    await eventually(() => attempts.length === 13)
    const lastFirst = Math.max(...reachedIds.flatMap((id, index) => (id.startsWith('first') ? [index] : [])))
    const repeatsBefore = reachedIds.slice(0, lastFirst).filter((id) => id.startsWith('repeat')).length
    expect(repeatsBefore).toBeLessThanOrEqual(2)
    await lanes.close()
  })

  it('alternate between tenants, for any number of transactions and lanes', async () => {
    const load = fc.record({
      tenant: fc.constantFrom('A', 'B', 'C', 'D'),
      lane: fc.constantFrom('1', '2', '3', 'nonce'),
      count: fc.integer({ min: 1, max: 15 }),
      pause: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(load, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 6 }),
        async (loads, maxBatch) => {
          reachedIds = []
          const remaining = new Map<string, number>()
          /** Turns of each tenant since the last turn of a tenant, while that one had pending sends. */
          const since = new Map<string, Map<string, number>>()
          const { lanes, attempts } = open({ concurrency: 1, maxBatch }, (pendingSends) => {
            const sendingTenants = new Set(pendingSends.map(({ tenant }) => tenant))
            for (const tenant of sendingTenants) since.set(tenant, new Map())
            for (const [tenant, others] of since) {
              if (sendingTenants.has(tenant) || (remaining.get(tenant) ?? 0) === 0) continue
              for (const other of sendingTenants) others.set(other, (others.get(other) ?? 0) + 1)
              // One turn of its own is due; one more may begin while its sends wait for an answer.
              expect(Math.max(...others.values())).toBeLessThanOrEqual(2)
            }
            for (const { tenant } of pendingSends) remaining.set(tenant, remaining.get(tenant)! - 1)
          })
          let total = 0
          for (const { tenant, lane, count, pause } of loads) {
            for (let index = 0; index < count; index += 1) {
              total += 1
              if ((remaining.get(tenant) ?? 0) === 0) since.set(tenant, new Map())
              remaining.set(tenant, (remaining.get(tenant) ?? 0) + 1)
              lanes.submit(pendingSend(`${tenant}${lane}:${total}`, lane, lane === 'nonce', tenant))
            }
            if (pause) await new Promise((resolve) => setImmediate(resolve))
          }
          await eventually(() => attempts.length === total)
          expect([...remaining.values()].every((count) => count === 0)).toBe(true)
          const inOrder = new Map<string, number>()
          for (const id of reachedIds) {
            const [lane = '', number = ''] = id.split(':')
            expect(Number(number)).toBeGreaterThan(inOrder.get(lane) ?? 0)
            inOrder.set(lane, Number(number))
          }
          expect(lanes.totals).toMatchObject({ queued: 0, inFlight: 0 })
          await lanes.close()
        },
      ),
      { numRuns: 40 },
    )
  })

  it('send one transaction of a tenant within a round of another tenant with thousands, on any lanes', async () => {
    for (const [of, count] of [
      [1, 3_000],
      [600, 3_000],
    ] as const) {
      reachedIds = []
      const { lanes, attempts, sends } = open({ concurrency: 2, maxBatch: 5 })
      for (let index = 0; index < count; index += 1)
        lanes.submit(pendingSend(`A:${index}`, `lane ${index % of}`, false, 'A'))
      await eventually(() => attempts.length > 100)
      const before = sends.length
      lanes.submit(pendingSend('B', 'lane 1', false, 'B'))
      await eventually(() => reachedIds.includes('B'))
      expect(sends.findIndex((ids) => ids.includes('B')) - before).toBeLessThanOrEqual(3)
      await lanes.close()
    }
  })

  it('combine small lanes into one send, and give large ones their own', async () => {
    const { lanes, attempts, sends } = open({ concurrency: 1, maxBatch: 10 })
    for (let index = 0; index < 20; index += 1) lanes.submit(pendingSend(`small ${index}`, `lane ${index}`))
    for (let index = 0; index < 20; index += 1) lanes.submit(pendingSend(`large ${index}`, `large`))
    await eventually(() => attempts.length === 40)
    expect(sends).toHaveLength(4)
    await lanes.close()
  })

  it('send a repeat in time, for any number of first sends', async () => {
    const { lanes, attempts } = open({ concurrency: 1, maxBatch: 1 })
    lanes.repeat(pendingSend('again', 'x', false, 'A'))
    for (let index = 0; index < 30; index += 1) lanes.submit(pendingSend(`first ${index}`, `lane ${index}`, false, 'B'))
    await eventually(() => attempts.length === 31)
    expect(reachedIds.indexOf('again')).toBeGreaterThan(0)
    expect(reachedIds.indexOf('again')).toBeLessThan(15)
    await lanes.close()
  })

  it('return withdrawn transactions, and send the rest in order', async () => {
    const { lanes, attempts } = open({ concurrency: 1, maxBatch: 2 })
    for (let index = 0; index < 10; index += 1) lanes.submit(pendingSend(`${index}`, `lane ${index % 2}`))
    expect(lanes.totals).toEqual({ queued: 10, inFlight: 0, sent: 0 })
    expect(lanes.withdraw((id) => Number(id) % 2 === 1 || id === '4').sort()).toEqual(['1', '3', '4', '5', '7', '9'])
    lanes.submit(pendingSend('11', 'lane 1'))
    await eventually(() => attempts.length === 5)
    expect(reachedIds.filter((id) => id !== '11')).toEqual(['0', '2', '6', '8'])
    await lanes.close()
  })

  it('send nothing that waited at the gate until this process may send no more, and send it when it may again', async () => {
    let maySend = true
    let checks = 0
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    node.script = async (call) => {
      reachedIds.push(text(call))
      if (text(call) === 'first') await held
      return `signature of ${text(call)}`
    }
    const { lanes, attempts, sends } = open({ concurrency: 1, maySend: () => (checks += 1) > 0 && maySend })
    lanes.submit(pendingSend('first', 'x'))
    await eventually(() => reachedIds.length === 1)
    const before = checks
    lanes.submit(pendingSend('second', 'y'))
    await eventually(() => checks > before)
    maySend = false
    const checkAtGate = checks + 1
    release()
    await eventually(() => checks > checkAtGate || sends.length > 1)
    expect(sends).toEqual([['first']])
    maySend = true
    await eventually(() => attempts.length === 2)
    expect(reachedIds).toEqual(['first', 'second'])
    await lanes.close()
  })

  it('report nothing after they are closed, and wait for pending sends', async () => {
    let release: (() => void) | undefined
    node.script = () =>
      new Promise((resolve) => {
        release = () => resolve('signature of a')
      })
    const { lanes, attempts } = open()
    lanes.submit(pendingSend('a', 'x'))
    await eventually(() => release !== undefined)
    const closing = lanes.close()
    lanes.submit(pendingSend('b', 'x'))
    release!()
    await closing
    const reportedCount = attempts.length
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(attempts.length).toBe(reportedCount)
    expect(node.bodies).toHaveLength(1)
  })
})
