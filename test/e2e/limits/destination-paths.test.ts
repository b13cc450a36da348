// Counterparties that are blocked after a request: loans, plans and schedules are evaluated when each of their
// transactions is signed, even if they were accepted long before.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/time/clock.ts'
import { Counterparties, newAddress, REFUSED } from '../payouts/counterparty-setup.ts'
import { eventually, startWorld, unwatched, type World } from '../harness.ts'
import {
  bond,
  cash,
  item,
  lend,
  readLoan,
  vault,
  wallet,
  buildLoanRequest,
  withLendingVault,
  fixture as loans,
} from '../loans/lending-vault.ts'
import type { Plan } from '../loans/loan-fixture.ts'
import type { Ids, Problems } from '../models.ts'
import { allows, Screener, SECRET } from './screener.ts'

describe('a loan', () => {
  withLendingVault()

  const refuses = (method: 'POST' | 'PATCH', path: string, body: object) =>
    loans.world.api.refuses(403, REFUSED, method, path, body)
  const counterparty = async (account: Ids): Promise<(status: string) => Promise<unknown>> => {
    const { api } = loans.world
    const { newCounterparty } = await api.ok<{ newCounterparty: { offchainId: string } }>(
      201,
      'POST',
      '/counterparties',
      {
        name: `party ${account.onchainId}`,
        status: 'ALLOWED',
        addresses: [{ onchainId: account.onchainId }],
      },
    )
    return (status) => api.ok(200, 'PATCH', '/counterparties', { counterparty: newCounterparty, status })
  }
  let borrower: (status: string) => Promise<unknown>
  let lender: (status: string) => Promise<unknown>

  beforeAll(async () => {
    borrower = await counterparty(wallet)
    lender = await counterparty(vault)
  })

  it('is not paid out to a blocked borrower, and releases nothing to one', async () => {
    await borrower('BLOCKED')
    await refuses('POST', '/loans', buildLoanRequest())
    await borrower('ALLOWED')
    const { newLoan: escrow } = await lend()
    const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
    await borrower('BLOCKED')
    await refuses('PATCH', '/loans/swap-collateral', { ...loan, itemsToWithdraw: [item(bond, 10)] })
    await refuses('PATCH', '/loans/repay', { ...loan, itemsToRelease: [item(bond, 10)] })
    await borrower('ALLOWED')
    await loans.world.api.ok(200, 'PATCH', '/loans/repay', { ...loan, itemsToRelease: [item(bond, 10)] })
  })

  it('is not repaid to a blocked lender, and pledges nothing to one', async () => {
    const { newLoan: escrow } = await lend()
    const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
    await lender('BLOCKED')
    await refuses('PATCH', '/loans/repay', { ...loan, itemsToRepay: [item(cash, 10)] })
    await refuses('PATCH', '/loans/swap-collateral', { ...loan, itemsToDeposit: [item(bond, 10)] })
    await refuses('POST', '/loans', buildLoanRequest())
    expect(await readLoan(escrow)).toMatchObject({ lifecycleState: 'ACTIVE' })
    await lender('ALLOWED')
    await loans.world.api.ok(200, 'PATCH', '/loans/repay', { ...loan, itemsToRepay: [item(cash, 10)] })
  })
})

describe('a later step', () => {
  const DAY_MS = 86_400_000
  const time = { aheadMs: 0 }
  let world: World
  let screener: Screener
  let fixture: Counterparties

  beforeAll(async () => {
    screener = await Screener.start()
    const clock = {
      ...systemClock,
      now: () => systemClock.now() + time.aheadMs,
      elapsed: () => systemClock.elapsed() + time.aheadMs,
    }
    world = await startWorld({ HOLDFAST_OUTBOUND_ALLOW: screener.host }, unwatched, { clock })
  })
  afterAll(async () => {
    await world.stop()
    await screener.stop()
  })
  beforeEach(async () => {
    screener.behave = allows
    fixture = await Counterparties.open(world)
  })

  it('of a plan is not executed once its counterparty is blocked', async () => {
    const authority = await world.records.with(fixture.api).account()
    const id = await fixture.list('ALLOWED', authority.onchainId)
    await fixture.rules({ screening: { url: screener.url, secret: SECRET, timeoutMs: 5_000 } })
    screener.asked.length = 0
    screener.behave = (response, question) => {
      if (screener.asked.length === 2)
        void fixture.change(id, { status: 'BLOCKED' }).then(() => allows(response, question))
      else allows(response, question)
    }
    interface Planned extends Problems {
      readonly newDurableNonceAccounts: readonly Ids[]
      readonly chainPlan?: Plan
    }
    const { body } = await fixture.api.send<Planned>('POST', '/durable-nonce-accounts', {
      nonceAuthority: authority,
      count: 6,
    })
    expect(body.chainPlan, JSON.stringify(body)).toMatchObject({
      status: 'FAILED',
      confirmed: 1,
      errorMessage: expect.stringContaining(REFUSED) as string,
    })
    const existence = await Promise.all(
      body.newDurableNonceAccounts.map(({ onchainId }) => world.chain.exists(onchainId)),
    )
    expect(existence.filter(Boolean).length).toBeGreaterThan(0)
    expect(existence.filter(Boolean).length).toBeLessThan(6)
  })

  it('of a schedule fails once its payee is blocked, and is executed again after the block is lifted', async () => {
    const payee = newAddress()
    const id = await fixture.list('ALLOWED', payee)
    const { newSchedule } = await fixture.api.ok<{ newSchedule: Ids }>(201, 'POST', '/schedules', {
      operation: 'TRANSFER_NETWORK_CURRENCY',
      itemData: { source: fixture.wallet, destination: { onchainId: payee, offPlatform: true }, lamports: 5_000_000 },
      startAt: new Date(Date.now() + time.aheadMs + DAY_MS).toISOString(),
      every: { code: 'DAYS', unit: 1 },
      maxRuns: 3,
    })
    const filter = [
      {
        fieldName: 'scheduleOffchainId',
        filterValues: [{ filterType: 'EQUALS', valueString: newSchedule.offchainId }],
      },
    ]
    interface Occurrence {
      readonly number: number
      readonly status: string
      readonly errorCode?: string
    }
    const becomes = (...expected: readonly string[]): Promise<void> =>
      eventually(async () => {
        const { items } = (await fixture.api.bulk('/schedules/occurrences/bulk', { filter })) as {
          items: readonly Occurrence[]
        }
        const sorted = [...items].sort((one, other) => one.number - other.number)
        expect(sorted.map(({ status, errorCode = '' }) => `${status} ${errorCode}`.trim())).toEqual(expected)
      })
    time.aheadMs += DAY_MS
    await becomes('DONE')
    await fixture.change(id, { status: 'BLOCKED' })
    time.aheadMs += DAY_MS
    await becomes('DONE', `FAILED ${REFUSED}`)
    expect(await world.chain.lamports(payee)).toBe(5_000_000n)
    await fixture.change(id, { status: 'ALLOWED' })
    time.aheadMs += DAY_MS
    await becomes('DONE', `FAILED ${REFUSED}`, 'DONE')
    expect(await world.chain.lamports(payee)).toBe(10_000_000n)
  })
})
