// Distributions of several tenants: those of one tenant, however many there are and however long the chain takes to
// answer for them, do not delay those of another.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createDistribution } from '../../../src/operations/distributions/create-distribution.ts'
import { DistributionDriver } from '../../../src/operations/distributions/driver.ts'
import type { Context, Platform } from '../../../src/operations/context/platform.ts'
import { DueIndex } from '../../../src/operations/context/due-index.ts'
import { systemClock } from '../../../src/time/clock.ts'
import { CLUSTER, EngineFixture, place } from '../../engine/engine-fixture.ts'
import { distribution } from '../../machines/distribution-subjects.ts'

const MANY = 3
const POLL = { timeout: 10_000 }

let fixture: EngineFixture
let platform: Platform
let driver: DistributionDriver
let aheadMs = 0
/** The instruments of the distributions that were looked at, in order. */
let asked: string[]
/** End the looks that are under way, in the order in which they began. */
let answers: (() => void)[]

beforeEach(async () => {
  fixture = await EngineFixture.open()
  // A fork may still change what was held at every record instant, until the chain answers.
  Object.defineProperty(fixture.engine.movements, 'finalUntilMs', { value: () => 0 })
  asked = []
  answers = []
  const finalizedAccounts = ([address]: readonly string[]): Promise<undefined> => {
    asked.push(address!)
    return new Promise((resolve) => answers.push(() => resolve(undefined)))
  }
  const clusters = new Map([[CLUSTER, { finalizedAccounts }]])
  aheadMs = 0
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
  platform = { engine: fixture.engine, clock, clusters } as unknown as Platform
  driver = new DistributionDriver(platform, clock, { warn: () => undefined, error: () => undefined })
})

afterEach(async () => {
  const stopped = driver.stop()
  for (const answer of answers.splice(0)) answer()
  await stopped
})

const commit = (name: string, tenant: string, recordAt = distribution.recordAt) =>
  fixture.commit((unit) => {
    const instrument = { address: name, id: name }
    return unit.create('distribution', place(name, tenant), { distribution: { ...distribution, instrument, recordAt } })
  })

async function commitMany(tenant: string): Promise<void> {
  for (let index = 0; index < MANY; index += 1) await commit(`${tenant}-${index}`, tenant)
}

it('looks at a distribution of one tenant while the chain does not answer for another', async () => {
  await commitMany('MANY')
  await expect.poll(() => asked, POLL).toEqual(['MANY-0'])
  await commit('other', 'OTHER')
  await expect.poll(() => asked, POLL).toEqual(['MANY-0', 'other'])
})

it('gives a tenant its turn while others have more distributions than all looks together', async () => {
  for (const tenant of ['A', 'B', 'C', 'D']) await commitMany(tenant)
  await expect.poll(() => asked, POLL).toEqual(['A-0', 'B-0', 'C-0', 'D-0'])
  await commit('other', 'OTHER')
  // The first look of each ends, and `other` waits behind those that waited before it.
  await expect
    .poll(() => {
      for (const answer of answers.splice(0)) answer()
      return asked.indexOf('other')
    }, POLL)
    .toBeGreaterThan(0)
  expect(asked.indexOf('other')).toBeLessThan(4 * MANY)
})

it('looks at a distribution only after its record instant, and forgets one that is cancelled before', async () => {
  const insert = vi.spyOn(DueIndex.prototype, 'insert')
  const recordAt = new Date(systemClock.now() + 3_600_000).toISOString()
  const entry = await commit('cancelled', 'ACME', recordAt)
  await commit('later', 'ACME', recordAt)
  const index = insert.mock.contexts.at(-1) as DueIndex<unknown>
  expect(index.size).toBe(2)
  await fixture.commit((unit) => unit.send<'distribution'>(entry, { type: 'command.cancel', at: recordAt }))
  expect(index.size).toBe(1)
  aheadMs = 3_600_001
  await expect.poll(() => asked, POLL).toEqual(['later'])
  expect(index.size).toBe(0)
})

it('of a tenant that have not ended are at most 1,000', async () => {
  const recordAt = '9998-01-01T00:00:00.000Z'
  const entry = await commit('first', 'ACME', recordAt)
  for (let count = 1; count < 1_000; count += 1) await commit(`${count}`, 'ACME', recordAt)
  const context = { platform, call: { tenant: 'ACME', dryRun: false } } as unknown as Context
  const create = () => createDistribution(context, { itemData: {} as never })
  await expect(create()).rejects.toMatchObject({ status: 400, problems: [{ code: 'TOO_MANY_DISTRIBUTIONS' }] })
  await fixture.commit((unit) => unit.send<'distribution'>(entry, { type: 'command.cancel', at: recordAt }))
  await expect(create()).rejects.not.toMatchObject({ problems: [{ code: 'TOO_MANY_DISTRIBUTIONS' }] })
})
