// Transactions with the reference key of a payment request that cannot be read, or are very many: they hide no payment.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Entry } from '../../../src/engine/records/entry.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { pollChain, noProgress, type PollProgress } from '../../../src/operations/payment-requests/poll.ts'
import { EVICTED } from '../../../src/operations/views/bulk/evicted.ts'
import { openCluster, type Cluster } from '../../../src/rpc/cluster.ts'
import { REMOTE_CLUSTER } from '../../../src/rpc/cluster-settings.ts'
import { ClusterAccess } from '../../../src/submission/access.ts'
import { systemClock } from '../../../src/time/clock.ts'
import { CLUSTER, EngineFixture, place } from '../../engine/engine-fixture.ts'
import { AT } from '../../machines/records.ts'
import { paymentRequest } from '../../machines/payment-subjects.ts'
import { scriptedNode, type Call } from '../../rpc/scripted-node.ts'

const PAYMENT = {
  ...{ slot: 50, blockTime: 1_800_000_000, version: 0 },
  meta: {
    ...{ err: null, fee: 5_000, preBalances: [1_000_000, 0, 0], postBalances: [994_900, 100, 0] },
    ...{ preTokenBalances: [], postTokenBalances: [] },
  },
  transaction: { signatures: [], message: { accountKeys: ['payer', 'wallet', 'reference'] } },
}
const UNREADABLE: Readonly<Record<string, unknown>> = {
  'of a later version': { error: { code: -32015, message: 'Transaction version (2) is not supported' } },
  'of an unknown shape': { slot: 50, meta: {}, transaction: {} },
}

let node: Awaited<ReturnType<typeof scriptedNode>>
let cluster: Cluster
let platform: Platform
let entry: Entry
let transactions: Record<string, unknown>
let passedOver: string[]
let slot: number
/** Time of the finalized slot. */
let finalSeconds: number
let calls: Call[]
/** Of transactions in the history. */
let level: string
/** The history lacks all transactions. */
let isUnlisted: boolean
/** Number of next lists by a node that has not reached the slot of the payment. */
let outdatedLists: number
/** The node lists the newest transactions again, whatever page it is asked for. */
let ignoresPlace: boolean

beforeEach(async () => {
  calls = []
  node = await scriptedNode(answer)
  cluster = await openCluster({ id: CLUSTER, endpoints: [node.url], settings: REMOTE_CLUSTER, clock: systemClock })
  const fixture = await EngineFixture.open()
  entry = await fixture.commit((unit) => unit.create('paymentRequest', place('p'), { request: paymentRequest }))
  const clusters = new Map([[CLUSTER, new ClusterAccess(cluster, undefined as never)]])
  platform = { engine: fixture.engine, clock: systemClock, clusters } as unknown as Platform
  passedOver = []
  slot = 50
  finalSeconds = 0
  level = 'finalized'
  ignoresPlace = false
  outdatedLists = 0
  isUnlisted = false
})
afterEach(async () => {
  await cluster.close()
  await node.close()
})

function answer(call: Call): unknown {
  const { method, params } = call
  calls.push(call)
  if (method === 'getGenesisHash') return 'genesis'
  if (method === 'getSlot') return 60
  if (method === 'getSignaturesForAddress') return historyPage(params[1] as HistoryOptions)
  if (method === 'getTransaction') return transactions[String(params[0])]
  return { context: { slot: 60 }, value: [clockAccount()] }
}

/** The Clock sysvar at the finalized slot. */
function clockAccount(): unknown {
  const data = Buffer.alloc(40)
  data.writeBigInt64LE(BigInt(finalSeconds), 32)
  return { lamports: 1, owner: 'Sysvar1', data: [data.toString('base64'), 'base64'], executable: false, space: 40 }
}

interface HistoryOptions {
  readonly limit: number
  readonly before?: string
  readonly until?: string
  readonly minContextSlot?: number
}

/** The transactions in the order of their landing, newest first, as a node pages them. */
function historyPage({ limit, before, until, minContextSlot = 0 }: HistoryOptions): unknown {
  if (outdatedLists > 0) {
    outdatedLists -= 1
    if (minContextSlot < slot) return []
    return { error: { code: -32_016, message: 'Minimum context slot has not been reached' } }
  }
  const newest = isUnlisted ? [] : Object.keys(transactions).toReversed()
  const from = before === undefined || ignoresPlace ? 0 : newest.indexOf(before) + 1
  const end = until === undefined ? -1 : newest.indexOf(until)
  return newest.slice(from, Math.min(from + limit, end === -1 ? newest.length : end)).map((signature) => ({
    ...{ signature, slot, confirmationStatus: level },
    err: signature.startsWith('failed') ? {} : null,
  }))
}

/** Transactions with the reference that pay nothing, or one unit. */
const others = (count: number, name: string, paid = 0): Record<string, unknown> => {
  const meta = { ...PAYMENT.meta, postBalances: [995_000 - paid, paid, 0] }
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, { ...PAYMENT, meta }]))
}
const readings = (): readonly string[] =>
  calls.filter(({ method }) => method === 'getTransaction').map(({ params }) => String(params[0]))

const poll = (progress: PollProgress = noProgress()): Promise<void> =>
  pollChain(platform, entry, { progress, onUnreadable: (signature) => passedOver.push(signature) })

it.each(Object.keys(UNREADABLE))('passes over a transaction %s, and records the payment beside it', async (kind) => {
  transactions = { unreadable: UNREADABLE[kind], payment: PAYMENT }
  await poll()
  expect(passedOver).toEqual(['unreadable'])
  expect(entry.head).toMatchObject({ context: { payments: [{ signature: 'payment', amount: '100' }] } })
})

it('expires when the history was read up to a later time, whatever the clock of the service', async () => {
  const seconds = Math.floor(Date.now() / 1_000) - 10
  await requested({ expiresAt: new Date(seconds * 1_000).toISOString() })
  transactions = {}
  for (const late of [-1, 0, 1]) {
    finalSeconds = seconds + late
    await poll()
    expect(entry.head).toMatchObject({ context: { isExpired: late > 0 } })
  }
  const listing = calls.findLast(({ method }) => method === 'getSignaturesForAddress')
  expect(listing?.params[1]).toMatchObject({ minContextSlot: 60 })
})

it('leaves the share of another request to it, also when that one has left memory', async () => {
  const fixture = await EngineFixture.open(undefined, { eviction: { keep: 0, keepRetryable: 0, ...EVICTED } })
  platform = { ...platform, engine: fixture.engine }
  const ended = { ...paymentRequest, reference: 'earlier', payId: 'earlier', watched: false, endedAt: AT }
  await fixture.commit((unit) => unit.create('paymentRequest', place('earlier'), { request: ended }))
  entry = await fixture.commit((unit) => unit.create('paymentRequest', place('p'), { request: paymentRequest }))
  while (fixture.engine.directory.resident('earlier') !== undefined) {
    await fixture.store.commit([])
    await nextTurn()
  }
  const meta = { ...PAYMENT.meta, preBalances: [1_000_000, 0, 0, 0], postBalances: [994_900, 100, 0, 0] }
  const message = { accountKeys: ['payer', 'wallet', 'earlier', 'reference'] }
  transactions = { payment: { ...PAYMENT, meta, transaction: { signatures: [], message } } }
  await poll()
  expect(readings()).toEqual(['payment'])
  expect(entry.head).toMatchObject({ value: 'open', context: { payments: [] } })
})

it('keeps a recorded payment that cannot be read again', async () => {
  level = 'confirmed'
  transactions = { payment: PAYMENT }
  await poll()
  // In another block, after its fork was dropped.
  slot = 57
  transactions = { payment: UNREADABLE['of an unknown shape'] }
  await poll()
  expect(entry.head).toMatchObject({ context: { payments: [{ signature: 'payment', amount: '100' }] } })
})

it('keeps a recorded payment that an outdated node does not list, while another one is final beyond it', async () => {
  level = 'confirmed'
  transactions = { payment: PAYMENT }
  await poll()
  outdatedLists = 2
  await poll()
  expect(outdatedLists).toBe(0)
  expect(entry.head).toMatchObject({ context: { payments: [{ signature: 'payment', amount: '100' }] } })
})

it('keeps a recorded payment that the history lacks, if a block has it', async () => {
  level = 'confirmed'
  transactions = { payment: PAYMENT }
  await poll()
  isUnlisted = true
  await poll()
  expect(entry.head).toMatchObject({ context: { payments: [{ signature: 'payment', amount: '100' }] } })
  // Its fork was dropped.
  transactions = { payment: null }
  await poll()
  expect(entry.head).toMatchObject({ context: { payments: [] } })
})

it('ends at any other answer, so that a payment that it may lack is not passed over', async () => {
  transactions = { payment: { error: { code: -32_005, message: 'Node is behind' } } }
  await expect(poll()).rejects.toThrow('Node is behind')
})

it('takes the time of the block that a transaction lands in after its fork was dropped', async () => {
  const progress = noProgress()
  level = 'confirmed'
  transactions = { payment: PAYMENT }
  await poll(progress)
  slot = 57
  transactions = { payment: { ...PAYMENT, slot, blockTime: PAYMENT.blockTime + 4 } }
  await poll(progress)
  const at = new Date((PAYMENT.blockTime + 4) * 1_000).toISOString()
  expect(entry.head).toMatchObject({ context: { payments: [{ slot: 57, at }] } })
})

/** Another request than the usual one. */
async function requested(changes: Partial<typeof paymentRequest>): Promise<void> {
  const fixture = await EngineFixture.open()
  platform = { ...platform, engine: fixture.engine }
  const request = { ...paymentRequest, ...changes }
  entry = await fixture.commit((unit) => unit.create('paymentRequest', place('p'), { request }))
}

describe('a payment among many transactions with its reference key', () => {
  it('is found behind more of them than a node lists at once', async () => {
    const progress = noProgress()
    transactions = { payment: PAYMENT, ...others(2_500, 'other') }
    await poll(progress)
    expect(entry.head).toMatchObject({ context: { payments: [{ signature: 'payment', amount: '100' }] } })
  })

  it('stays recorded when they land before it is final', async () => {
    const progress = noProgress()
    level = 'confirmed'
    transactions = { payment: PAYMENT }
    await poll(progress)
    transactions = { ...transactions, ...others(1_500, 'other') }
    await poll(progress)
    expect(entry.head).toMatchObject({ context: { payments: [{ signature: 'payment', amount: '100' }] } })
  })

  it('is read after at most 100 of them in each poll, before the request expires', async () => {
    const progress = noProgress()
    await requested({ expiresAt: new Date(Date.now() - 1_000).toISOString() })
    transactions = { ...others(250, 'other'), payment: { ...PAYMENT, blockTime: 1_700_000_000 } }
    for (const count of [100, 200, 251]) {
      expect(entry.head).toMatchObject({ value: 'open', context: { isExpired: false } })
      await poll(progress)
      expect(readings()).toHaveLength(count)
    }
    expect(entry.head).toMatchObject({ value: 'paid', context: { payments: [{ signature: 'payment' }] } })
  })

  it('is all that is read after them, once they are final', async () => {
    const progress = noProgress()
    transactions = others(30, 'other')
    await poll(progress)
    expect(progress.known.size).toBe(0)
    calls = []
    transactions = { ...transactions, payment: PAYMENT }
    await poll(progress)
    expect(readings()).toEqual(['payment'])
    const lists = calls.filter(({ method }) => method === 'getSignaturesForAddress')
    expect(lists.map(({ params }) => params[1])).toMatchObject([{ until: 'other29' }])
  })

  it('is found behind more of them than one poll lists, and stays recorded meanwhile', async () => {
    const [expiresAt, blockTime] = [Date.now() + 3_600_000, 1_700_000_000]
    await requested({ expiresAt: new Date(expiresAt).toISOString(), amount: '200' })
    level = 'confirmed'
    transactions = { first: { ...PAYMENT, blockTime } }
    await poll()
    platform = { ...platform, clock: { now: () => expiresAt } }
    transactions = { ...others(10_050, 'failed'), ...transactions, second: { ...PAYMENT, blockTime } }
    level = 'finalized'
    const progress = noProgress()
    await poll(progress)
    expect(entry.head).toMatchObject({ context: { payments: [{ signature: 'first' }], isExpired: false } })
    await poll(progress)
    const payments = [{ signature: 'first' }, { signature: 'second' }]
    expect(entry.head).toMatchObject({ value: 'paid', context: { payments } })
  })

  it('is listed beside 200 small ones', async () => {
    const progress = noProgress()
    await requested({ amount: '100000', expiresAt: null })
    transactions = { ...others(300, 'dust', 1), payment: PAYMENT }
    for (let count = 0; count < 4; count += 1) await poll(progress)
    const { payments } = (entry.head as { context: { payments: readonly { signature: string }[] } }).context
    expect(payments.map(({ signature }) => signature)).toContain('payment')
    expect(payments).toHaveLength(201)
  })
})

describe('a final transaction that cannot be read', () => {
  it('is read again, without what came after it', async () => {
    const progress = noProgress()
    transactions = { late: UNREADABLE['of an unknown shape'], ...others(30, 'other') }
    await poll(progress)
    calls = []
    await poll(progress)
    expect(readings()).toEqual(['late'])
    const lists = calls.filter(({ method }) => method === 'getSignaturesForAddress')
    expect(lists.map(({ params }) => params[1])).toMatchObject([{ until: 'other29' }])
    transactions = { ...transactions, late: PAYMENT }
    await poll(progress)
    expect(entry.head).toMatchObject({ context: { payments: [{ signature: 'late', amount: '100', final: true }] } })
    calls = []
    await poll(progress)
    expect(readings()).toEqual([])
    expect([progress.known.size, progress.unreadable.size]).toEqual([1, 0])
  })

  it('is tried in turn with others, of which 200 are kept', async () => {
    const progress = noProgress()
    const unreadable = others(250, 'unreadable')
    for (const signature of Object.keys(unreadable)) unreadable[signature] = UNREADABLE['of an unknown shape']
    transactions = unreadable
    for (let count = 0; count < 3; count += 1) await poll(progress)
    expect(progress).toMatchObject({ isBehind: false, through: { signature: 'unreadable249' } })
    expect(progress.unreadable.size).toBe(200)
    calls = []
    for (let count = 0; count < 10; count += 1) await poll(progress)
    expect(new Set(readings()).size).toBe(200)
  })
})

it('ends if the node lists the same transactions again', async () => {
  ignoresPlace = true
  transactions = others(1_500, 'other')
  await expect(poll()).rejects.toThrow('a history')
})
