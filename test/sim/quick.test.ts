// A short look at the simulated worlds among all other tests: two keep their promises, and one finds a planted bug. The
// rest is `npm run test:sim`.
import { expect, it } from 'vitest'
import { Hunt } from './hunt.ts'
import { resendsUnderNewSignature } from './planted/planted.ts'
import { World } from './world.ts'

const STEPS = 2_000

it.each(['quick/1', 'quick/2'])('a short world of seed %s keeps every invariant, and becomes idle', async (seed) => {
  expect((await World.run({ seed, steps: STEPS })).tally.violations).toEqual([])
})

it('a payment signed anew after a lost reply is found', async () => {
  const hunt = new Hunt('quick', { seeds: 12, steps: STEPS, sides: ['payments'], climate: 'network' })
  expect(await hunt.found(['landed twice'], resendsUnderNewSignature)).toContain('landed twice')
})
