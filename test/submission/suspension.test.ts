// A suspended link sends nothing of a scope: it watches, proves and counts the transactions. After the resumption, each
// live one is sent once, in order.
import { Keypair } from '@solana/web3.js'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClusterSettings } from '../../src/rpc/cluster-settings.ts'
import type { Submission } from '../../src/submission/submission.ts'
import { Suspensions, type SendScope } from '../../src/submission/suspensions.ts'
import { eventually } from '../localnet/rpc-chain.ts'
import { openLinkedWorld, QUICK, type Linked } from './linked.ts'

const EVERYTHING: SendScope = { tenant: null, organization: null, lane: null }
const NEVER_MS = 600_000
/** Repeats no send: the suspension is responsible for each send, however slow the machine. */
const PATIENT: ClusterSettings = {
  ...QUICK,
  watch: { ...QUICK.watch, resendMs: NEVER_MS, slowestResendMs: NEVER_MS, nonceResendMs: NEVER_MS },
}

let world: Linked
let payer: Keypair
let to: Keypair

async function open(...parameters: Parameters<typeof openLinkedWorld>): Promise<void> {
  const [options = {}, settings = PATIENT] = parameters
  world = await openLinkedWorld(options, settings)
  payer = await world.chain.payer()
  to = await world.chain.payer(1_000_000_000)
}
const received = async () => (await world.balance(to.publicKey)) - 1_000_000_000n
const countSent = (submission: Submission) => world.of(submission).filter(({ kind }) => kind === 'sent').length
const transfer = async (lamports: bigint, more: Partial<Submission> = {}): Promise<Submission> => ({
  ...(await world.transfer(payer, to.publicKey, lamports)),
  ...more,
})
/** Completes a transaction of another lane, which takes the link longer than any wrong send would. */
async function meanwhile(): Promise<void> {
  const other = await world.chain.payer()
  const probe = { ...(await world.transfer(other, to.publicKey, 1_000_000n)), tenant: 'PROBE' }
  world.link.submit(probe)
  await world.until(probe, 'finalized')
}

/** Longer than the first delays before a repeated send. */
async function meanwhileSlots(): Promise<void> {
  const before = await world.cluster.slot('finalized')
  await eventually(() => world.cluster.slot('finalized').then((slot) => slot > before + 3))
}

beforeEach(() => open())
afterEach(async () => {
  expect(world.chain.unexpected).toEqual([])
  await world.close()
})

describe('suspension scopes', () => {
  it('hold transactions that match every member, as long as one scope is active', () => {
    const part = fc.constantFrom(null, '1', '2')
    const scope = fc.record({ tenant: part, organization: part, lane: part })
    const name = fc.constantFrom('1', '2')
    fc.assert(
      fc.property(
        fc.array(fc.record({ scope, add: fc.boolean() })),
        fc.record({ tenant: name, organization: name, lane: name }),
        (turns, submission) => {
          const suspensions = new Suspensions()
          const activeScopes = new Map<string, SendScope>()
          for (const { scope: each, add } of turns) {
            if (add) suspensions.add(each)
            else suspensions.delete(each)
            if (add) activeScopes.set(JSON.stringify(each), each)
            else activeScopes.delete(JSON.stringify(each))
          }
          const isHeld = [...activeScopes.values()].some((each) =>
            (['tenant', 'organization', 'lane'] as const).every(
              (member) => each[member] === null || each[member] === submission[member],
            ),
          )
          expect(suspensions.holds(submission)).toBe(isHeld)
          expect(suspensions.size).toBe(activeScopes.size)
        },
      ),
    )
  })
})

describe('a suspended link', () => {
  it('sends nothing within a suspended scope, and everything else', async () => {
    const lane = payer.publicKey.toBase58()
    const scopes: SendScope[] = [
      { ...EVERYTHING, tenant: 'A' },
      { ...EVERYTHING, tenant: 'B', organization: 'FUND' },
      { ...EVERYTHING, tenant: 'C', lane },
    ]
    for (const scope of scopes) world.link.suspend(scope)
    const heldTransfers = [
      await transfer(1n, { tenant: 'A' }),
      await transfer(2n, { tenant: 'A', organization: 'FUND' }),
      await transfer(3n, { tenant: 'B', organization: 'FUND' }),
      await transfer(4n, { tenant: 'C' }),
    ]
    const free = [await transfer(10n, { tenant: 'B', organization: 'OTHER' }), await transfer(20n, { tenant: 'D' })]
    for (const submission of [...heldTransfers, ...free]) world.link.submit(submission)
    for (const submission of free) await world.until(submission, 'finalized')
    await meanwhile()
    expect(heldTransfers.map(countSent)).toEqual([0, 0, 0, 0])
    expect(heldTransfers.map(({ transactionId }) => world.link.state(transactionId)?.held)).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(world.link.totals).toMatchObject({ underWay: 4, held: 4, suspensions: 3 })
    for (const scope of scopes) world.link.resume(scope)
    await eventually(() => world.link.open === 0)
    expect(heldTransfers.map(countSent)).toEqual([1, 1, 1, 1])
    expect(await received()).toBe(1_000_040n)
  })

  it('sends held transactions in their order, before later ones, and once', async () => {
    world.link.suspend(EVERYTHING)
    const submissions: Submission[] = []
    for (let index = 1; index <= 60; index += 1) submissions.push(await transfer(BigInt(index)))
    for (const submission of submissions.slice(0, 50)) world.link.submit(submission)
    world.link.suspend({ ...EVERYTHING, tenant: 'ANOTHER' })
    world.link.resume(EVERYTHING)
    for (const submission of submissions.slice(50)) world.link.submit(submission)
    await eventually(() => world.link.open === 0)
    const order = world.facts.filter(({ kind }) => kind === 'sent').map(({ transactionId }) => transactionId)
    expect(order).toEqual(submissions.map(({ transactionId }) => transactionId))
    expect(await received()).toBe(1_830n)
  })

  it('leaves unsent transactions to a review, which sends them one by one unless they are held again', async () => {
    const lane = payer.publicKey.toBase58()
    const submissions = [await transfer(1n), await transfer(2n), await transfer(4n)]
    const ids = submissions.map(({ transactionId }) => transactionId)
    const reviews: (readonly string[])[] = []
    const review = (transactionIds: readonly string[]) => void reviews.push(transactionIds)
    world.link.suspend(EVERYTHING)
    world.link.submit(submissions[0]!)
    world.link.submit(submissions[1]!)
    // It counts as possibly sent, by a process before this one.
    world.link.watch(submissions[2]!)
    world.link.resume(EVERYTHING, review)
    expect(reviews).toEqual([ids])
    await meanwhile()
    expect(submissions.map(countSent)).toEqual([0, 0, 0])
    world.link.suspend({ ...EVERYTHING, lane })
    for (const id of ids) world.link.release(id)
    await meanwhile()
    expect(world.link.totals).toMatchObject({ underWay: 3, held: 3 })
    world.link.resume({ ...EVERYTHING, lane }, review)
    expect(reviews).toEqual([ids, ids])
    world.link.release(ids[1]!)
    world.link.release(ids[2]!)
    for (const submission of submissions.slice(1)) await world.until(submission, 'finalized')
    expect(submissions.map(countSent)).toEqual([0, 1, 1])
    world.link.forget(ids[0]!)
    world.link.release(ids[0]!)
    expect(world.link.open).toBe(0)
    expect(await received()).toBe(2_000_006n)
  })

  it('withdraws queued transactions, and repeats nothing, until it is resumed', async () => {
    await world.close()
    await open({}, QUICK)
    await world.faults({ dropRequests: { sendTransaction: 1_000_000 } })
    const lostTransfer = await transfer(5n)
    world.link.submit(lostTransfer)
    await eventually(() => countSent(lostTransfer) > 1)
    world.link.suspend(EVERYTHING)
    const queued = await transfer(6n)
    world.link.submit(queued)
    // A send that is under way at the suspension has left.
    await eventually(() => world.link.totals.inFlight === 0 && world.link.state(lostTransfer.transactionId)?.held)
    const before = countSent(lostTransfer)
    await world.faults({})
    await meanwhileSlots()
    expect([countSent(lostTransfer), countSent(queued)]).toEqual([before, 0])
    const reviewed: string[] = []
    world.link.resume(EVERYTHING, (transactionIds) => reviewed.push(...transactionIds))
    // What was sent before the suspension is sent again without a review.
    expect(reviewed).toEqual([queued.transactionId])
    world.link.release(queued.transactionId)
    await eventually(() => world.link.open === 0)
    expect(await received()).toBe(11n)
  })

  it('stops waiting transactions, drops forgotten ones, and sends the rest in order when it is resumed', async () => {
    await world.close()
    await open({}, { ...PATIENT, lanes: { ...PATIENT.lanes, concurrency: 1, maxBatch: 2 } })
    const submissions: Submission[] = []
    for (let index = 1; index <= 12; index += 1) submissions.push(await transfer(BigInt(index)))
    await world.faults({ delayMs: { sendTransaction: 150 } })
    for (const submission of submissions) world.link.submit(submission)
    await eventually(() => world.link.totals.inFlight === 2)
    world.link.forget(submissions[11]!.transactionId)
    world.link.suspend(EVERYTHING)
    expect(world.link.totals).toMatchObject({ queued: 0, inFlight: 2, held: 9 })
    await world.faults({})
    await eventually(() => world.link.totals.inFlight === 0)
    await meanwhileSlots()
    expect(submissions.map(countSent)).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    world.link.resume(EVERYTHING)
    await eventually(() => world.link.open === 0)
    const order = world.facts.filter(({ kind }) => kind === 'sent').map(({ transactionId }) => transactionId)
    expect(order).toEqual(submissions.slice(0, 11).map(({ transactionId }) => transactionId))
    expect(await received()).toBe(66n)
  })

  it('forgets waiting transactions, also without a suspension', async () => {
    await world.close()
    await open({}, { ...PATIENT, lanes: { ...PATIENT.lanes, concurrency: 1, maxBatch: 1 } })
    const submissions = [await transfer(1n), await transfer(2n), await transfer(4n)]
    await world.faults({ delayMs: { sendTransaction: 150 } })
    for (const submission of submissions) world.link.submit(submission)
    await eventually(() => world.link.totals.inFlight === 1)
    world.link.forget(submissions[1]!.transactionId)
    await world.faults({})
    await eventually(() => world.link.open === 0)
    expect(await received()).toBe(5n)
  })

  it('settles transactions that landed before, and after a restart holds the others at once', async () => {
    const landed = await transfer(7n)
    world.link.submit(landed)
    await eventually(() => countSent(landed) === 1)
    await world.link.close()
    const waitingTransfer = await transfer(8n)
    world.link = world.open()
    world.link.suspend(EVERYTHING)
    world.link.watch(landed)
    world.link.watch(waitingTransfer)
    expect(world.link.state(waitingTransfer.transactionId)?.held).toBe(true)
    await world.until(landed, 'finalized')
    expect(countSent(waitingTransfer)).toBe(0)
    world.link.resume(EVERYTHING)
    await world.until(waitingTransfer, 'finalized')
    expect(await received()).toBe(15n)
  })

  it('proves the expiry of transactions with a dead blockhash, and keeps those with a durable nonce', async () => {
    const nonce = await world.nonceAccount(payer, Keypair.generate())
    world.link.suspend(EVERYTHING)
    const [brief, durable] = [await transfer(9n), world.nonceTransfer(payer, nonce, to.publicKey, 11n)]
    world.link.submit(brief)
    world.link.submit(durable)
    await world.chain.bank.advance(160)
    await world.until(brief, 'expired')
    world.link.resume(EVERYTHING)
    await world.until(durable, 'finalized')
    expect(countSent(brief)).toBe(0)
    expect(await received()).toBe(11n)
  })

  it('never sends withdrawn or forgotten transactions, suspended or not', async () => {
    await world.close()
    await open({ slotMs: 5 }, QUICK)
    world.link.suspend(EVERYTHING)
    const [recalledTransfer, forgottenTransfer, lateTransfer] = [
      await transfer(1n),
      await transfer(2n),
      await transfer(4n),
    ]
    for (const submission of [recalledTransfer, forgottenTransfer]) world.link.submit(submission)
    world.link.recall(recalledTransfer.transactionId)
    world.link.forget(forgottenTransfer.transactionId)
    world.link.resume(EVERYTHING)
    world.link.submit(lateTransfer)
    world.link.recall(lateTransfer.transactionId)
    await world.until(recalledTransfer, 'expired')
    await world.until(lateTransfer, 'expired')
    expect([countSent(recalledTransfer), countSent(forgottenTransfer), countSent(lateTransfer)]).toEqual([0, 0, 0])
    expect(world.of(forgottenTransfer)).toEqual([])
    expect(await received()).toBe(0n)
  })

  it('counts held transactions', async () => {
    await world.close()
    await open({}, { ...PATIENT, admission: { perLane: 2, perTenant: 10, perCluster: 100 } })
    world.link.suspend(EVERYTHING)
    for (const lamports of [1n, 2n]) world.link.submit(await transfer(lamports))
    expect(() => world.link.admit('T', payer.publicKey.toBase58(), 'third')).toThrow(/lane/)
    world.link.resume(EVERYTHING)
    await eventually(() => world.link.open === 0)
    world.link.admit('T', payer.publicKey.toBase58(), 'third')
  })
})
