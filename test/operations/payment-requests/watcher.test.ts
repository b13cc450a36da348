// Looks at the chain for payment requests of several tenants: the requests of one tenant, however many there are and
// however long their polls take, do not delay those of another.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { PaymentWatcher } from '../../../src/operations/payment-requests/watcher.ts'
import { systemClock } from '../../../src/time/clock.ts'
import { CLUSTER, EngineFixture, place, TENANT } from '../../engine/engine-fixture.ts'
import { paymentRequest } from '../../machines/payment-subjects.ts'

const MANY = 12

let fixture: EngineFixture
let watcher: PaymentWatcher
/** The reference keys of the requests that were polled, in order. */
let asked: string[]
/** End the polls that are under way, in the order in which they began. */
let answers: (() => void)[]

beforeEach(async () => {
  fixture = await EngineFixture.open()
  asked = []
  answers = []
  const historyOf = (reference: string): Promise<readonly []> => {
    asked.push(reference)
    return new Promise((resolve) => answers.push(() => resolve([])))
  }
  const finalizedAccounts = (): Promise<object> => Promise.resolve({ slot: 60, accounts: [null] })
  const clusters = new Map([[CLUSTER, { historyOf, finalizedAccounts }]])
  const platform = { engine: fixture.engine, clock: systemClock, clusters } as unknown as Platform
  watcher = new PaymentWatcher(platform, systemClock, { warn: () => undefined })
})

afterEach(async () => {
  const stopped = watcher.stop()
  for (const answer of answers.splice(0)) answer()
  await stopped
})

const commit = (reference: string, tenant: string) =>
  fixture.commit((unit) => {
    const request = { ...paymentRequest, reference, payId: reference, expiresAt: null }
    return unit.create('paymentRequest', place(reference, tenant), { request })
  })

async function commitMany(tenant: string): Promise<readonly string[]> {
  const names = Array.from({ length: MANY }, (_, index) => `${tenant}-${index}`)
  for (const name of names) await commit(name, tenant)
  return names
}

/** Ends the poll that began first, and waits until the next one has begun. */
async function endLook(): Promise<void> {
  const before = asked.length
  answers.shift()!()
  await expect.poll(() => asked.length).toBeGreaterThan(before)
}

it('polls a request of one tenant while another has more than it may poll', async () => {
  const names = await commitMany(TENANT)
  await commit('other', 'OTHER')
  watcher.sweep()
  expect(asked).toHaveLength(5)
  expect(asked).toContain('other')
  await expect
    .poll(() => {
      for (const answer of answers.splice(0)) answer()
      return [...new Set(asked)].sort()
    })
    .toEqual([...names, 'other'].sort())
})

it('gives a tenant its turn while others have more requests than all polls together', async () => {
  await commitMany(TENANT)
  await commitMany('SECOND')
  watcher.sweep()
  expect(asked).toHaveLength(8)
  await commit('other', 'OTHER')
  watcher.sweep()
  expect(asked).toHaveLength(8)
  for (let turns = 0; turns < 3; turns += 1) await endLook()
  expect(asked).toContain('other')
})
