// One endpoint: batches, bounds, typed failures without credentials, and the two calls of the hot path.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HandClock } from '../nodes/hand-clock.ts'
import { systemClock, type Clock } from '../../src/time/clock.ts'
import { RpcError, TransportError } from '../../src/rpc/rpc-error.ts'
import { sendTransactions, signatureStatuses } from '../../src/rpc/rpc.ts'
import type { TransportSettings } from '../../src/rpc/request-queue.ts'
import { Transport } from '../../src/rpc/transport.ts'
import { httpWire } from '../../src/rpc/wire.ts'
import { scriptedNode, type ScriptedNode } from './scripted-node.ts'

const SETTINGS: TransportSettings = { batch: true, maxBatchCalls: 100, maxRequestBytes: 50_000, timeoutMs: 60_000 }
let node: ScriptedNode
const open: Transport[] = []

function transport(
  settings: Partial<TransportSettings> = {},
  maxResponseBytes = 1_000_000,
  clock: Clock = systemClock,
): Transport {
  const wire = httpWire({ url: node.url, clock: systemClock, connections: 2, maxResponseBytes })
  const newTransport = new Transport(wire, clock, { ...SETTINGS, ...settings })
  open.push(newTransport)
  return newTransport
}

beforeEach(async () => {
  node = await scriptedNode((call) => ({ echo: call.params }))
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
  await node.close()
})

describe('transport', () => {
  it('sends the calls of a tick as one batch and answers each its own', async () => {
    const rpc = transport()
    const answers = await Promise.all([1, 2, 3].map((n) => rpc.call('m', [n])))
    expect(answers).toEqual([{ echo: [1] }, { echo: [2] }, { echo: [3] }])
    expect(node.bodies).toHaveLength(1)
    expect(node.bodies[0]).toHaveLength(3)
  })

  it('separates channels, so that a poll does not delay a send', async () => {
    const rpc = transport()
    await Promise.all([rpc.call('m', [1], { channel: 'a' }), rpc.call('m', [2], { channel: 'b' })])
    expect(node.bodies).toHaveLength(2)
  })

  it('sends at once after a pause, and gathers the calls of a channel with a name until the gap is over', async () => {
    const clock = new HandClock()
    const rpc = transport({ gapMs: 6 }, undefined, clock)
    const answers: Promise<unknown>[] = []
    const send = (n: number, channel?: string): void => {
      answers.push(rpc.call('m', [n], channel === undefined ? {} : { channel }))
    }
    const takeBodies = async (): Promise<readonly unknown[]> => {
      await Promise.all(answers.splice(0))
      return node.bodies.splice(0)
    }
    await clock.pass(100)
    send(1, 'send')
    await clock.pass(0)
    expect(await takeBodies()).toEqual([expect.objectContaining({ params: [1] })])

    await clock.pass(2)
    send(2, 'send')
    await clock.pass(1)
    send(3, 'send')
    await clock.pass(2)
    // Requests without a channel, and those of another channel, do not wait.
    send(4)
    send(5, 'status')
    await clock.pass(0)
    await expect.poll(() => node.bodies.length).toBe(2)
    expect(node.bodies.map((body) => (body as { params: readonly number[] }).params[0]).sort()).toEqual([4, 5])
    node.bodies.length = 0
    await clock.pass(1)
    expect(await takeBodies()).toEqual([
      [expect.objectContaining({ params: [2] }), expect.objectContaining({ params: [3] })],
    ])

    await clock.pass(6)
    send(6, 'send')
    await clock.pass(0)
    expect(await takeBodies()).toEqual([expect.objectContaining({ params: [6] })])
  })

  it('sends one by one if batches are refused, in order', async () => {
    const rpc = transport({ batch: false })
    expect(await Promise.all([1, 2].map((n) => rpc.call('m', [n])))).toEqual([{ echo: [1] }, { echo: [2] }])
    const answers = await rpc.batch([
      { method: 'm', params: [3] },
      { method: 'm', params: [4] },
    ])
    expect(answers).toEqual([
      { ok: true, result: { echo: [3] } },
      { ok: true, result: { echo: [4] } },
    ])
    expect(node.bodies.every((body) => !Array.isArray(body))).toBe(true)
  })

  it('splits batches at both bounds and loses no call', async () => {
    const rpc = transport({ maxBatchCalls: 10, maxRequestBytes: 2_000 })
    const texts = Array.from({ length: 57 }, (_, index) => 'x'.repeat((index * 37) % 700))
    const answers = await Promise.all(texts.map((text) => rpc.call('m', [text])))
    expect(answers).toEqual(texts.map((text) => ({ echo: [text] })))
    for (const body of node.bodies) {
      expect(JSON.stringify(body).length).toBeLessThanOrEqual(2_000)
      if (Array.isArray(body)) expect(body.length).toBeLessThanOrEqual(10)
    }
  })

  it('refuses a call above a bound without sending it', async () => {
    const rpc = transport({ maxRequestBytes: 500 })
    await expect(rpc.call('m', ['x'.repeat(600)])).rejects.toMatchObject({ fault: 'TOO_LARGE' })
    const parts = [
      { method: 'm', params: ['x'.repeat(300)] },
      { method: 'm', params: ['x'.repeat(300)] },
    ]
    expect((await rpc.batch(parts)).map((answer) => answer.ok)).toEqual([false, false])
    expect(node.bodies).toHaveLength(0)
  })

  it('abandons an answer that is too large or never arrives', async () => {
    await expect(transport({}, 100).call('m', ['x'.repeat(500)])).rejects.toMatchObject({ fault: 'TOO_LARGE' })
    node.script = () => new Promise(() => undefined)
    await expect(transport({ timeoutMs: 50 }).call('m', [])).rejects.toMatchObject({ fault: 'TIMEOUT' })
  })

  it('classifies every failure, and no message contains a credential', async () => {
    const failures: unknown[] = []
    const attempt = async () => {
      await transport()
        .call('m', [])
        .catch((error: unknown) => failures.push(error))
    }
    node.script = () => ({ error: { code: -32005, message: `behind; see ${node.url}`, data: { numSlotsBehind: 9 } } })
    await attempt()
    expect(failures[0]).toBeInstanceOf(RpcError)
    expect(failures[0]).toMatchObject({ code: -32005, data: { numSlotsBehind: 9 } })
    for (const raw of [
      { status: 429, text: `slow down ${node.url}` },
      { status: 200, text: 'hm' },
      { status: 302, text: '' },
      null,
    ]) {
      node.raw = () => raw
      await attempt()
    }
    const url = node.url
    await node.close()
    await attempt()
    const faults = failures.slice(1).map((error) => (error as TransportError).fault)
    expect(faults).toEqual(['HTTP', 'MALFORMED', 'HTTP', 'CONNECTION', 'CONNECTION'])
    expect(failures[1]).toMatchObject({ status: 429 })
    for (const failure of failures)
      expect(`${String(failure)}${JSON.stringify(failure)}`).not.toMatch(/secret|api-key=s/)
    expect(url).toContain('secret-path-key')
  })
})

describe('frequent calls', () => {
  it('distinguish accepted, duplicate, refused and unanswered sends', async () => {
    const says = [
      'signature',
      { error: { code: -32002, message: 'Transaction simulation failed', data: { err: 'AlreadyProcessed' } } },
      { error: { code: -32602, message: 'failed to deserialize' } },
      { odd: true },
    ]
    node.script = (call) => says[Number(call.params[0])]
    const answers = await sendTransactions(transport(), ['0', '1', '2', '3'], 60_000)
    expect(answers.map((answer) => answer.kind)).toEqual(['accepted', 'duplicate', 'refused', 'unanswered'])
    node.raw = () => null
    expect((await sendTransactions(transport(), ['0', '1'], 60_000)).map((answer) => answer.kind)).toEqual([
      'unanswered',
      'unanswered',
    ])
  })

  it('accept only well-formed statuses', async () => {
    const good = { slot: 5, confirmations: 1, err: null, confirmationStatus: 'confirmed' }
    const ask = (value: unknown, context: unknown = { slot: 9 }) => {
      node.script = () => ({ context, value })
      return signatureStatuses(transport(), ['a'], { searchHistory: false, timeoutMs: 60_000 })
    }
    expect(await ask([good])).toEqual({ contextSlot: 9, statuses: [{ slot: 5, commitment: 'confirmed', error: null }] })
    expect(await ask([null])).toEqual({ contextSlot: 9, statuses: [null] })
    expect(
      (await ask([{ slot: 5, confirmations: null, err: { InstructionError: [0, 'x'] } }])).statuses[0]?.commitment,
    ).toBe('finalized')
    const odd: [unknown, unknown?][] = [
      [null],
      [[]],
      [[good, good]],
      [[good], null],
      [[good], { slot: -1 }],
      [[{ ...good, slot: '5' }]],
    ]
    const { err: _, ...withoutError } = good
    for (const [value, context] of [...odd, [[withoutError]], [[{ ...good, confirmationStatus: 'rooted' }]], [['x']]]) {
      await expect(ask(value, context === undefined ? { slot: 9 } : context)).rejects.toMatchObject({
        fault: 'MALFORMED',
      })
    }
  })
})
