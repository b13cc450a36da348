// Requests of the cells of one process to an endpoint in common, each with its own answers.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../src/time/clock.ts'
import type { RpcExchange, TransportSettings } from '../../src/rpc/request-queue.ts'
import { SharedQueues } from '../../src/rpc/shared-queues.ts'
import { Transport } from '../../src/rpc/transport.ts'
import { scriptedNode, type ScriptedNode } from './scripted-node.ts'

const SETTINGS: TransportSettings = { batch: true, maxBatchCalls: 100, maxRequestBytes: 50_000, timeoutMs: 60_000 }
let node: ScriptedNode
let queues: SharedQueues
const open: Transport[] = []

/** `seen`: the requests as the cell observes them. */
function cell(settings: Partial<TransportSettings> = {}, maxResponseBytes = 1_000_000) {
  const seen: RpcExchange[] = []
  const limits = { ...SETTINGS, ...settings }
  const use = queues.open({ url: node.url, clock: systemClock, connections: 2, maxResponseBytes }, limits)
  const transport = new Transport(use, systemClock, limits, () => (exchanged) => {
    seen.push(exchanged)
    return exchanged.answers
  })
  open.push(transport)
  return { transport, seen }
}
const send = ({ transport }: ReturnType<typeof cell>, n: number): Promise<unknown> =>
  transport.call('m', [n], { channel: 'send' })

beforeEach(async () => {
  node = await scriptedNode((call) => ({ echo: call.params }))
  queues = new SharedQueues()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
  await node.close()
})

it('calls of several cells go in one request, and each cell sees only its own', async () => {
  const cells = [cell(), cell(), cell()]
  const answers = cells.flatMap((each, at) => [send(each, at), send(each, 10 + at)])
  expect(await Promise.all(answers)).toEqual([0, 10, 1, 11, 2, 12].map((n) => ({ echo: [n] })))
  expect(node.bodies).toHaveLength(1)
  for (const [at, { seen }] of cells.entries()) {
    expect(seen).toHaveLength(1)
    expect(seen[0]!.calls.map(({ params }) => params)).toEqual([`[${at}]`, `[${10 + at}]`])
    expect(seen[0]!.answers).toEqual([at, 10 + at].map((n) => ({ ok: true, result: { echo: [n] } })))
  }
})

it('a watch changes the answers of its own cell only', async () => {
  const [first, second] = [cell(), cell()]
  const use = queues.open({ url: node.url, clock: systemClock, connections: 2, maxResponseBytes: 1_000 }, SETTINGS)
  const error = new Error('implausible') as never
  const doubting = new Transport(use, systemClock, SETTINGS, () => () => [{ ok: false, error }])
  open.push(doubting)
  const doubted = doubting.call('m', [3], { channel: 'send' })
  const answers = Promise.all([send(first, 1), send(second, 2)])
  await expect(doubted).rejects.toThrow('implausible')
  expect(await answers).toEqual([{ echo: [1] }, { echo: [2] }])
  expect(node.bodies).toHaveLength(1)
})

it('share no request without a channel, so that a large read fails nobody else', async () => {
  const [first, second] = [cell({}, 300), cell({}, 300)]
  const large = first.transport.call('m', ['x'.repeat(400)])
  const small = second.transport.call('m', [1])
  await expect(large).rejects.toMatchObject({ fault: 'TOO_LARGE' })
  expect(await small).toEqual({ echo: [1] })
  expect(node.bodies).toHaveLength(2)
})

it('fail together when their request does, and go on', async () => {
  const [first, second] = [cell(), cell()]
  node.raw = () => ({ status: 429, text: 'slow down' })
  const results = await Promise.allSettled([send(first, 1), send(second, 2)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  for (const { seen } of [first, second]) expect(seen[0]?.failure).toMatchObject({ fault: 'HTTP', status: 429 })
  node.raw = undefined
  expect(await Promise.all([send(first, 3), send(second, 4)])).toEqual([{ echo: [3] }, { echo: [4] }])
})

it('a cell that is closed waits for nothing, and the others go on', async () => {
  const [first, second] = [cell(), cell()]
  // Of both requests: the order of their arrival is random.
  const answers: (() => void)[] = []
  node.script = (call) => new Promise((resolve) => answers.push(() => resolve({ echo: call.params })))
  const firstCall = send(first, 1)
  const secondCall = second.transport.call('m', [2])
  await expect.poll(() => answers.length, { timeout: 60_000 }).toBe(2)
  await first.transport.close()
  await expect(firstCall).rejects.toMatchObject({ fault: 'CLOSED' })
  await expect(send(first, 3)).rejects.toMatchObject({ fault: 'CLOSED' })
  expect(first.seen).toHaveLength(0)
  for (const answer of answers) answer()
  await secondCall
  node.script = (call) => ({ echo: call.params })
  await send(second, 4)
  await second.transport.close()
  await expect(send(second, 5)).rejects.toMatchObject({ fault: 'CLOSED' })
})

it('are cut at the bounds of a request', async () => {
  const cells = [cell({ maxBatchCalls: 10 }), cell({ maxBatchCalls: 10 })]
  const numbers = Array.from({ length: 12 }, (_, n) => n)
  await Promise.all(numbers.flatMap((n) => cells.map((each) => send(each, n))))
  expect(node.bodies.map((body) => (body as unknown[]).length)).toEqual([10, 10, 4])
})
