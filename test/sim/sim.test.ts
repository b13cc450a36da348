// Fixed seeds, as part of every run of the tests; and the planted bugs, each of which some seed must find.
import { describe, expect, it } from 'vitest'
import { forgetsLeases, releasesOnTimeout, resendsUnderNewSignature, type Planted } from './planted.ts'
import { World, type Report } from './world.ts'

const STEPS = 6_000
const TIMEOUT_MS = 180_000

async function run(seed: string, steps = STEPS, planted?: Planted): Promise<Report> {
  return await World.run({ seed, steps, ...(planted === undefined ? {} : { planted }) })
}

/** Seeds that failed once, by what they found. */
const FOUND: Readonly<Record<string, string>> = {
  'books were read between the death of a fork and its undoing': '4/0',
  'a blockhash died with its fork, and its transaction could not be proven expired': '5/0',
  'a node that lagged showed the value before the one that was signed, and a nonce passed for used': '300/11',
  'the rent of a position was paid by another transaction than the one that was to pay it': '18/0',
}

describe('a simulated world', () => {
  it.each(Array.from({ length: 10 }, (_, number) => `ci/${number + 1}`))('of seed %s keeps its promises, and comes to rest', async (seed) => {
    expect((await run(seed, 12_000)).tally.violations).toEqual([])
  }, TIMEOUT_MS)

  it.each(Object.entries(FOUND))('in which %s', async (_what, seed) => {
    expect((await run(seed)).tally.violations).toEqual([])
  }, TIMEOUT_MS)

  it('is the same again for the same seed', async () => {
    const [one, other] = [await run('again', 2_000), await run('again', 2_000)]
    expect({ ...other, tally: null }).toEqual({ ...one, tally: null })
    expect(other.tally).toEqual(one.tally)
  }, TIMEOUT_MS)
})

describe('a planted bug is found:', () => {
  const kinds = ({ tally }: Report): string[] => tally.violations.map(({ kind }) => kind)

  it('a payment signed anew after a lost reply', async () => {
    const found = kinds(await run('planted/1', STEPS, resendsUnderNewSignature))
    expect(found).toContain('message without a record landed')
    expect(found).toContain('landed twice')
  }, TIMEOUT_MS)

  it('a nonce lease forgotten at a restart', async () => {
    expect(kinds(await run('planted/10', STEPS, forgetsLeases))).toContain('nonce leased twice')
  }, TIMEOUT_MS)

  it.each(['planted/2', 'planted/6'])('a reservation released on a timeout, seed %s', async (seed) => {
    const telling = ['reported as never landed and landed', 'reported expired before its time', 'more promised than there is']
    expect(telling).toContain(kinds(await run(seed, STEPS, releasesOnTimeout))[0])
  }, TIMEOUT_MS)
})
