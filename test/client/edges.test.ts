// The client at the edges of its input: members that are null, empty keys, and answers of hosts before the service.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { holdfast, type BodyOf, type Holdfast } from 'holdfast/client'
import { startWorld, type World } from '../e2e/harness.ts'
import type { Ids } from '../e2e/models.ts'
import { FaultProxy } from './fault-proxy.ts'

const PATH = '/positions/transfer-network-currency'

let world: World
let proxy: FaultProxy
let hf: Holdfast
let payer: Ids
beforeAll(async () => {
  world = await startWorld()
  proxy = await FaultProxy.start(world.url)
  const apiKey = world.api.bearer.replace('Bearer ', '')
  hf = holdfast({ url: proxy.url, apiKey, retries: { firstWaitMs: 1, longestWaitMs: 2_000 } })
  payer = await world.records.feePayer()
})
afterEach(() => {
  proxy.fault = () => 'pass'
  proxy.passed.length = 0
})
afterAll(async () => {
  await proxy.stop()
  await world.stop()
})

const transferTo = (to: Ids, more: object = {}) => {
  const itemData = { source: { offchainId: payer.offchainId }, destination: { offchainId: to.offchainId } }
  return { itemData: { ...itemData, lamports: 5_000_000, ...more } } as BodyOf<typeof PATH, 'post'>
}
const keysSent = (): readonly unknown[] => [...new Set(proxy.passed.map(({ headers }) => headers['idempotency-key']))]

describe('a payment', () => {
  it('whose body has null for its idempotencyId happens once under another key', async () => {
    const to = await world.records.account()
    proxy.fault = (_, count) => (count < 3 ? 'half' : 'pass')
    expect((await hf.post(PATH, transferTo(to, { idempotencyId: null }))).success).toBe(true)
    expect(proxy.passed).toHaveLength(3)
    expect(keysSent()).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
    expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)
  })

  it.each(['text', null, { code: 1 }])('is repeated if a proxy answers with the error %j', async (each) => {
    const to = await world.records.account()
    proxy.fault = (_, count) => (count < 3 ? { status: 502, body: { errors: [each] }, isAsked: true } : 'pass')
    expect((await hf.post(PATH, transferTo(to))).success).toBe(true)
    expect([proxy.passed.length, keysSent().length]).toEqual([3, 1])
    expect(await world.chain.lamports(to.onchainId)).toBe(5_000_000n)
  })

  it.each(['of the call', 'in the body'])('whose key %s is empty is refused', async (where) => {
    const to = await world.records.account()
    const isOption = where === 'of the call'
    const body = transferTo(to, isOption ? {} : { idempotencyId: '' })
    await expect(hf.post(PATH, body, isOption ? { idempotencyKey: '' } : {})).rejects.toMatchObject({ status: 400 })
    expect(await world.chain.exists(to.onchainId)).toBe(false)
  })
})
