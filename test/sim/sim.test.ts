// Worlds of fixed seeds with every part of the service at work: each keeps its promises.
import { describe, expect, it } from 'vitest'
import { World } from './world.ts'
import { type Report } from './world-options.ts'

const STEPS = 6_000
const TIMEOUT_MS = 1_800_000

async function run(seed: string, steps = STEPS): Promise<Report> {
  return await World.run({ seed, steps })
}

/** Seeds that failed once, by what they found. */
const FOUND: Readonly<Record<string, string>> = {
  'books were read between the death of a fork and its undoing': '4/0',
  'a blockhash died with its fork, and its transaction could not be proven expired': '5/0',
  'a node that lagged showed the value before the one that was signed, and a nonce passed for used': '300/11',
  'the rent of a position was paid by another transaction than the one that was to pay it': '18/0',
}

describe('a simulated world', () => {
  it.each(Array.from({ length: 4 }, (_, number) => `ci/${number + 1}`))(
    'of seed %s keeps every invariant, and becomes idle',
    async (seed) => {
      expect((await run(seed, 7_000)).tally.violations).toEqual([])
    },
    TIMEOUT_MS,
  )

  it.each(Object.entries(FOUND))(
    'in which %s',
    async (_what, seed) => {
      expect((await run(seed)).tally.violations).toEqual([])
    },
    TIMEOUT_MS,
  )

  it(
    'is deterministic for a seed',
    async () => {
      const [one, other] = [await run('again', 2_000), await run('again', 2_000)]
      expect({ ...other, tally: null }).toEqual({ ...one, tally: null })
      expect(other.tally).toEqual(one.tally)
    },
    TIMEOUT_MS,
  )
})
