// Fixed seeds, as part of every run of the tests; and the planted bugs, each of which some seed must find.
import { describe, expect, it } from 'vitest'
import { Hunt } from './hunt.ts'
import { forgetsLeases, releasesOnTimeout, resendsUnderNewSignature } from './planted.ts'
import {
  countsInterestTwice,
  countsUnsentRepayments,
  forgetsSequences,
  judgesByLiquidation,
} from './planted-lending.ts'
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
    'of seed %s keeps its promises, and comes to rest',
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
    'is the same again for the same seed',
    async () => {
      const [one, other] = [await run('again', 2_000), await run('again', 2_000)]
      expect({ ...other, tally: null }).toEqual({ ...one, tally: null })
      expect(other.tally).toEqual(one.tally)
    },
    TIMEOUT_MS,
  )
})

const hunt = new Hunt('planted', 24, STEPS)

describe('a planted bug is found:', () => {
  it(
    'a payment signed anew after a lost reply',
    async () => {
      const found = await hunt.found(resendsUnderNewSignature.name, ['landed twice'], resendsUnderNewSignature)
      expect(found).toContain('landed twice')
      expect(found).toContain('message without a record landed')
    },
    TIMEOUT_MS,
  )

  it(
    'a nonce lease forgotten at a restart',
    async () => {
      expect(await hunt.found(forgetsLeases.name, ['nonce leased twice'], forgetsLeases)).toContain(
        'nonce leased twice',
      )
    },
    TIMEOUT_MS,
  )

  it.each([
    ['interest counted twice at a restart', countsInterestTwice, 'books differ from what the chain moved'],
    ['a repayment that counts before it has landed', countsUnsentRepayments, 'books differ from what the chain moved'],
    [
      'collateral given back by the ratio of liquidation',
      judgesByLiquidation,
      'collateral left a loan that it does not carry',
    ],
    ['sequences of a feed forgotten at a restart', forgetsSequences, 'sequence did not rise'],
  ] as const)(
    '%s',
    async (_what, planted, kind) => {
      expect(await hunt.found(planted.name, [kind], planted)).toContain(kind)
    },
    TIMEOUT_MS,
  )

  it.each(['reported as never landed and landed', 'reported expired before its time'])(
    'a reservation released on a timeout: %s',
    async (kind) => {
      expect(await hunt.found(releasesOnTimeout.name, [kind], releasesOnTimeout)).toContain(kind)
    },
    TIMEOUT_MS,
  )
})
