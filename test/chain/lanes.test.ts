// Lanes keep order, bounds and priorities, and drop nothing.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/chain/clock.ts'
import { EMBEDDED_CLUSTER, REMOTE_CLUSTER, type LaneSettings } from '../../src/chain/cluster-settings.ts'
import { Lanes, type Attempt, type Parcel } from '../../src/chain/lanes.ts'
import { EndpointPool } from '../../src/chain/pool.ts'
import { eventually } from '../localnet/rpc-chain.ts'
import { scriptedNode, type Call, type ScriptedNode } from './scripted-node.ts'

let node: ScriptedNode
let pool: EndpointPool
/** Ids in the order in which they reached the node. */
let reached: string[]
const text = (call: Call) => Buffer.from(String(call.params[0]), 'base64').toString()

beforeEach(async () => {
  reached = []
  node = await scriptedNode((call) => {
    reached.push(text(call))
    return `signature of ${text(call)}`
  })
  pool = new EndpointPool([node.url], systemClock, REMOTE_CLUSTER.pool)
})
afterEach(async () => {
  await pool.close()
  await node.close()
})

function parcel(id: string, lane: string, alone = false): Parcel {
  return { transactionId: id, lane, signature: `signature of ${id}`, bytes: Buffer.from(id), alone }
}

function open(settings: Partial<LaneSettings> = {}): { lanes: Lanes; attempts: Attempt[]; sends: string[][] } {
  const attempts: Attempt[] = []
  const sends: string[][] = []
  const lanes = new Lanes(pool, systemClock, { ...EMBEDDED_CLUSTER.lanes, ...settings }, {
    sending: (parcels) => void sends.push(parcels.map((one) => one.transactionId)),
    sent: (some) => void attempts.push(...some),
    alarm: (alarm) => expect.unreachable(alarm.detail),
  })
  return { lanes, attempts, sends }
}

describe('lanes', () => {
  it('send everything once, in the order of its lane, in batches within the bound, nonce transactions alone', async () => {
    const plan = fc.array(fc.record({ lane: fc.constantFrom('a', 'b', 'nonce'), pause: fc.boolean() }), { minLength: 1, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(plan, fc.integer({ min: 1, max: 7 }), fc.boolean(), async (steps, maxBatch, limited) => {
        reached = []
        const { lanes, attempts, sends } = open({ maxBatch, rate: limited ? { sends: 1_000, perMs: 50 } : null })
        for (const [index, { lane, pause }] of steps.entries()) {
          lanes.submit(parcel(`${lane}:${index}`, lane, lane === 'nonce'))
          if (pause) await new Promise((resolve) => setImmediate(resolve))
        }
        await eventually(() => attempts.length === steps.length)
        expect(attempts.every((attempt) => attempt.outcome === 'accepted')).toBe(true)
        for (const lane of ['a', 'b', 'nonce']) {
          const own = reached.filter((id) => id.startsWith(`${lane}:`))
          expect(own).toEqual(steps.flatMap((step, index) => (step.lane === lane ? [`${lane}:${index}`] : [])))
        }
        for (const send of sends) expect(send.length).toBeLessThanOrEqual(send[0]!.startsWith('nonce') ? 1 : maxBatch)
        await lanes.close()
      }),
      { numRuns: 20 },
    )
  })

  it('put everything submitted in one turn into one request', async () => {
    const { lanes, attempts } = open()
    for (let index = 0; index < 40; index += 1) lanes.submit(parcel(`${index}`, `lane ${index % 4}`))
    await eventually(() => attempts.length === 40)
    expect(node.bodies).toHaveLength(1)
    await lanes.close()
  })

  it('let first sends go before repeats', async () => {
    const { lanes, attempts } = open({ concurrency: 1, maxBatch: 2 })
    lanes.submit(parcel('opening', 'x'))
    for (let index = 0; index < 6; index += 1) lanes.repeat(parcel(`repeat ${index}`, 'x'))
    for (let index = 0; index < 6; index += 1) lanes.submit(parcel(`first ${index}`, `lane ${index}`))
    await eventually(() => attempts.length === 13)
    const lastFirst = Math.max(...reached.flatMap((id, index) => (id.startsWith('first') ? [index] : [])))
    const repeatsBefore = reached.slice(0, lastFirst).filter((id) => id.startsWith('repeat')).length
    expect(repeatsBefore).toBeLessThanOrEqual(2)
    await lanes.close()
  })

  it('report nothing after they are closed, and wait for what is under way', async () => {
    let release: (() => void) | undefined
    node.script = () => new Promise((resolve) => {
      release = () => resolve('signature of a')
    })
    const { lanes, attempts } = open()
    lanes.submit(parcel('a', 'x'))
    await eventually(() => release !== undefined)
    const closing = lanes.close()
    lanes.submit(parcel('b', 'x'))
    release!()
    await closing
    const reported = attempts.length
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(attempts.length).toBe(reported)
    expect(node.bodies).toHaveLength(1)
  })
})
