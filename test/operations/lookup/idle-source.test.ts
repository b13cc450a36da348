// Waiting until no job publishes to a data source, in a service that stops in the meantime.
import { expect, it } from 'vitest'
import { whenIdle } from '../../../src/operations/lookup/named-source.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { EngineFixture, newAccount, newTransaction, sign, TENANT } from '../../engine/engine-fixture.ts'

it('returns at once when nothing is waited for any more, without spinning until the timeout', async () => {
  const fixture = await EngineFixture.open()
  await fixture.commit((unit) => {
    newAccount(unit, 'a')
    const event = { type: 'chain.published' } as const
    const facts = [{ event, undo: event }]
    sign(unit, newTransaction(unit, 't', [{ tenant: TENANT, record: 'a', movements: [], charge: [], facts }]))
  })
  fixture.engine.waiters.end()
  // The clock advances only when it is read: a loop that spins would end here, and block everything else in a service.
  let nowMs = 0
  const clock = { now: () => (nowMs += 1) }
  await whenIdle({ engine: fixture.engine, clock } as unknown as Platform, { id: 'a', tenant: TENANT }, 1_000)
  expect(nowMs).toBeLessThan(10)
})
