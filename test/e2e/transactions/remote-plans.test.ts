// Plans and schedules whose keys are at a custodian: each of their transactions is requested once, waits for the answer
// like any other, and happens at most once.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/time/clock.ts'
import { CODE, Custodian, hangsUp, pending, refuses, signs } from '../../keys/custodian.ts'
import { UNLIMITED } from '../payouts/counterparty-setup.ts'
import { eventually, startWorld, unwatched, type World } from '../harness.ts'
import type { Plan } from '../loans/loan-fixture.ts'
import type { Ids, Problems, Result } from '../models.ts'
import { SOL } from '../records.ts'

const AMOUNT = 1_000_000n
const DAY_MS = 86_400_000
/** The number of nonce accounts: more than fit into one transaction. */
const MANY = 6

const time = { aheadMs: 0 }
let world: World
let custodian: Custodian

beforeAll(async () => {
  custodian = await Custodian.start()
  const clock = {
    ...systemClock,
    now: () => systemClock.now() + time.aheadMs,
    elapsed: () => systemClock.elapsed() + time.aheadMs,
  }
  const host = new URL(custodian.url).host
  const settings = {
    HOLDFAST_SIGNERS: custodian.setting,
    HOLDFAST_OUTBOUND_ALLOW: host,
    // A transaction that the custodian signs at its third request must still land on a busy machine.
    HOLDFAST_EMBEDDED_SLOT_MS: '200',
  }
  world = await startWorld(settings, unwatched, { clock })
})
afterAll(async () => {
  await world.stop()
  await custodian.stop()
})
beforeEach(() => custodian.forget())

const remote = async (itemData: object = {}): Promise<Ids> => {
  const privateKeyDetails = { location: ['REMOTE'], signer: CODE, publickKey: custodian.newKey() }
  const account = await world.records.funded({ ...UNLIMITED, privateKeyDetails, ...itemData }, SOL)
  custodian.asked.length = 0
  return account
}
const questionIds = (): Set<string> => new Set(custodian.questions.map(({ id }) => id))

describe('a plan whose fee payer is at a custodian', () => {
  interface Planned extends Problems {
    readonly newDurableNonceAccounts: readonly Ids[]
    readonly chainTransactions: readonly Result[]
    readonly chainPlan?: Plan
  }
  let feePayer: Ids
  let authority: Ids

  beforeAll(async () => {
    feePayer = await remote({ canPayFees: true })
    authority = await world.records.account()
  })

  const make = async (): Promise<Planned> => {
    const config = { feePayer }
    const body = { nonceAuthority: authority, count: MANY }
    return (await world.api.send<Planned>('POST', '/durable-nonce-accounts', body, { config })).body
  }
  const countOpened = async ({ newDurableNonceAccounts }: Planned): Promise<number> => {
    const existence = await Promise.all(newDurableNonceAccounts.map(({ onchainId }) => world.chain.exists(onchainId)))
    return existence.filter(Boolean).length
  }

  it('requests a signature for each transaction, repeats unanswered requests, and completes', async () => {
    custodian.script = [pending(), hangsUp]
    const result = await make()
    const steps = result.chainTransactions.length
    expect(steps, JSON.stringify(result)).toBeGreaterThan(1)
    await eventually(async () => expect(await countOpened(result)).toBe(MANY))
    expect(questionIds().size).toBe(steps)
    // On a busy machine, a request may stay unanswered once more.
    expect(custodian.questions.length).toBeGreaterThanOrEqual(steps + 2)
  })

  it('ends with a refusal of the custodian, without later transactions', async () => {
    custodian.script = [signs]
    custodian.usual = refuses
    const result = await make()
    expect(result.chainPlan, JSON.stringify(result)).toMatchObject({ status: 'FAILED', confirmed: 1 })
    const openedCount = await countOpened(result)
    expect(openedCount).toBeGreaterThan(0)
    expect(openedCount).toBeLessThan(MANY)
    expect(questionIds().size).toBe(2)
  })
})

describe('a schedule whose fee payer is at a custodian', () => {
  interface Occurrence {
    readonly number: number
    readonly status: string
    readonly errorCode?: string
  }

  it('requests a signature for each occurrence, fails the refused ones, and continues with the next', async () => {
    const [source, to] = [await world.records.funded(UNLIMITED, SOL), await world.records.account()]
    const feePayer = await remote({ canPayFees: true })
    custodian.script = [pending()]
    const body = {
      operation: 'TRANSFER_NETWORK_CURRENCY',
      itemData: { source, destination: to, lamports: AMOUNT.toString() },
      startAt: new Date(Date.now() + time.aheadMs + DAY_MS).toISOString(),
      every: { code: 'DAYS', unit: 1 },
      maxRuns: 3,
    }
    const { newSchedule } = await world.api.ok<{ newSchedule: Ids }>(201, 'POST', '/schedules', body, {
      config: { feePayer },
    })
    const filter = [
      {
        fieldName: 'scheduleOffchainId',
        filterValues: [{ filterType: 'EQUALS', valueString: newSchedule.offchainId }],
      },
    ]
    const occurrences = async (): Promise<readonly Occurrence[]> =>
      ((await world.api.bulk('/schedules/occurrences/bulk', { filter })) as { items: readonly Occurrence[] }).items
    const becomes = (...statuses: readonly string[]): Promise<void> =>
      eventually(async () => {
        const sorted = [...(await occurrences())].sort((one, other) => one.number - other.number)
        expect(
          sorted.map(({ status }) => status),
          JSON.stringify(sorted),
        ).toEqual(statuses)
      })
    time.aheadMs += DAY_MS
    await becomes('DONE')
    expect(questionIds().size).toBe(1)
    custodian.usual = refuses
    time.aheadMs += DAY_MS
    await becomes('DONE', 'FAILED')
    custodian.usual = signs
    time.aheadMs += DAY_MS
    await becomes('DONE', 'FAILED', 'DONE')
    expect(questionIds().size).toBe(3)
    expect(await world.chain.lamports(to.onchainId)).toBe(2n * AMOUNT)
    expect(await world.chain.lamports(source.onchainId)).toBe(SOL - 2n * AMOUNT)
  })
})
