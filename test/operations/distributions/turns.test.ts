// Distributions of several tenants: those of one tenant, however many there are and however long the chain takes to
// answer for them, do not delay those of another.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DistributionDriver } from '../../../src/operations/distributions/driver.ts'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { systemClock } from '../../../src/time/clock.ts'
import { CLUSTER, EngineFixture, place } from '../../engine/engine-fixture.ts'
import { distribution } from '../../machines/distribution-subjects.ts'

const MANY = 3
const POLL = { timeout: 10_000 }

let fixture: EngineFixture
let driver: DistributionDriver
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
  const platform = { engine: fixture.engine, clock: systemClock, clusters } as unknown as Platform
  driver = new DistributionDriver(platform, systemClock, { warn: () => undefined, error: () => undefined })
})

afterEach(async () => {
  const stopped = driver.stop()
  for (const answer of answers.splice(0)) answer()
  await stopped
})

const commit = (name: string, tenant: string) =>
  fixture.commit((unit) => {
    const instrument = { address: name, id: name }
    return unit.create('distribution', place(name, tenant), { distribution: { ...distribution, instrument } })
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
