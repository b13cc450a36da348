// Screening of operations with several transactions: plans and batches are screened at each signature, and a denial
// stops the remaining transactions.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BatchFixture, transactionsOf } from '../payouts/batch-fixture.ts'
import { Counterparties, newAddress } from '../payouts/counterparty-setup.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import type { Plan } from '../loans/loan-fixture.ts'
import type { Held } from './limit-fixture.ts'
import type { Ids, Problems, Result } from '../models.ts'
import { SOL } from '../records.ts'
import { allows, says, Screener, SECRET, type Question } from './screener.ts'

const NONCES = '/durable-nonce-accounts'
/** More than fit into one transaction. */
const MANY = 6

let screener: Screener
let world: World

beforeAll(async () => {
  screener = await Screener.start()
  world = await startWorld({ HOLDFAST_OUTBOUND_ALLOW: screener.host })
})
afterAll(async () => {
  await world.stop()
  await screener.stop()
})
beforeEach(() => {
  screener.behave = allows
  screener.asked.length = 0
})

const screening = () => ({ screening: { url: screener.url, secret: SECRET, timeoutMs: 10_000 } })
/** Allows the first requests, and answers the others as given. */
const after = (count: number, decision: 'DENY' | 'REVIEW'): void => {
  screener.behave = (response, question: Question) =>
    (screener.asked.length > count ? says({ decision }) : allows)(response, question)
}

describe('a plan', () => {
  interface Planned extends Problems {
    readonly newDurableNonceAccounts: readonly Ids[]
    readonly chainTransactions: readonly (Result & Held)[]
    readonly chainPlan?: Plan
  }
  let fixture: Counterparties

  beforeEach(async () => {
    fixture = await Counterparties.open(world)
    await fixture.rules(screening())
    screener.asked.length = 0
  })

  const make = async (headers: Readonly<Record<string, string>> = {}): Promise<Planned> => {
    const item = { nonceAuthority: fixture.wallet, count: MANY }
    const { body } = await fixture.api.send<Planned>('POST', NONCES, item, { headers })
    return body
  }
  const opened = async ({ newDurableNonceAccounts }: Planned): Promise<number> => {
    const there = await Promise.all(newDurableNonceAccounts.map(({ onchainId }) => world.chain.exists(onchainId)))
    return there.filter(Boolean).length
  }

  it('screens each transaction, and ends with the first denial', async () => {
    const whole = await make()
    expect(await opened(whole), JSON.stringify(whole)).toBe(MANY)
    const steps = whole.chainTransactions.length
    expect(steps).toBeGreaterThan(1)
    expect(new Set(screener.asked.map(({ intent }) => intent)).size).toBe(steps)

    screener.asked.length = 0
    after(1, 'DENY')
    const denied = await make()
    expect(denied.chainPlan, JSON.stringify(denied)).toMatchObject({
      status: 'FAILED',
      confirmed: 1,
      errorMessage: expect.stringContaining('SCREENING_DENIED') as string,
    })
    const made = await opened(denied)
    expect(made).toBeGreaterThan(0)
    expect(made).toBeLessThan(MANY)
  })

  it('waits at a step under review, and continues after the approval', async () => {
    await fixture.reviewedByApprover()
    after(1, 'REVIEW')
    // The same request again: a plan that waits for an approval would hold the first answer until its wait is over.
    const headers = { 'idempotency-key': 'under review', prefer: 'wait=1' }
    const { planned, waiting } = await eventually(async () => {
      const made = await make(headers)
      const held = made.chainTransactions.find(({ status }) => status === 'PREPARED')
      expect(held, JSON.stringify(made)).toMatchObject({ approval: { screenings: [{}] } })
      return { planned: made, waiting: held! }
    })
    expect(await opened(planned)).toBeLessThan(MANY)
    screener.behave = allows
    expect((await fixture.approve(waiting)).body.success).toBe(true)
    await eventually(async () => expect(await opened(planned)).toBe(MANY))
  })
})

describe('a batch', () => {
  it('screens each transaction, and holds only those under review', async () => {
    const fixture = await Counterparties.open(world)
    await fixture.rules(screening())
    await fixture.reviewedByApprover()
    const batches = new BatchFixture(fixture.api)
    const target = newAddress()
    const items = Array.from({ length: 2 }, () => ({
      source: fixture.wallet,
      destination: { onchainId: target, offPlatform: true },
      lamports: (SOL / 10n).toString(),
    }))
    screener.behave = says({ decision: 'REVIEW' })
    const id = await batches.create('TRANSFER_NETWORK_CURRENCY', items)
    const [offchainId] = await eventually(async () => {
      const found = transactionsOf(await batches.items(id))
      expect(found).toHaveLength(1)
      return found
    })
    expect(await world.chain.lamports(target)).toBe(0n)
    screener.behave = allows
    await fixture.approve({ offchainId: offchainId! })
    await batches.waitForEnd(id)
    expect(await world.chain.lamports(target)).toBe(SOL / 5n)
  })
})
