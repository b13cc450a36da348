// Looks at the chain for payment requests of several tenants: the requests of one tenant, however many there are and
// however long their looks take, do not delay those of another.
import { expect, it } from 'vitest'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { PaymentWatcher } from '../../../src/operations/payment-requests/watcher.ts'
import { systemClock } from '../../../src/time/clock.ts'
import { CLUSTER, EngineFixture, place, TENANT } from '../../engine/engine-fixture.ts'
import { paymentRequest } from '../../machines/payment-subjects.ts'

const MANY = 12

it('looks at a request of one tenant while another has more than it may look at', async () => {
  const { engine, commit } = await openEngine()
  const asked: string[] = []
  const answers: (() => void)[] = []
  const historyOf = (reference: string): Promise<readonly []> => {
    asked.push(reference)
    return new Promise((resolve) => answers.push(() => resolve([])))
  }
  const finalizedAccounts = (): Promise<object> => Promise.resolve({ slot: 60, accounts: [null] })
  const clusters = new Map([[CLUSTER, { historyOf, finalizedAccounts }]])
  const platform = { engine, clock: systemClock, clusters } as unknown as Platform
  const watcher = new PaymentWatcher(platform, systemClock, { warn: () => undefined })
  const names = Array.from({ length: MANY }, (_, index) => `many-${index}`)
  for (const name of names) await commit(name, TENANT)
  await commit('other', 'OTHER')
  watcher.sweep()
  expect(asked).toHaveLength(5)
  expect(asked).toContain('other')
  while (answers.length > 0) {
    for (const answer of answers.splice(0)) answer()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect([...new Set(asked)].sort()).toEqual([...names, 'other'].sort())
  await watcher.stop()
})

async function openEngine() {
  const fixture = await EngineFixture.open()
  const commit = (reference: string, tenant: string) =>
    fixture.commit((unit) => {
      const request = { ...paymentRequest, reference, payId: reference, expiresAt: null }
      return unit.create('paymentRequest', place(reference, tenant), { request })
    })
  return { engine: fixture.engine, commit }
}
