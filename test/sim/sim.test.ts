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
  'the rent of a position was paid by another transaction than the one that was to pay it': '18/0',
}

describe('a simulated world', () => {
  it.each(['ci/1', 'ci/2', 'ci/3', 'ci/4'])('of seed %s keeps its promises, and comes to rest', async (seed) => {
    expect((await run(seed)).tally.violations).toEqual([])
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

  it.each([
    ['reported as never landed and landed', 'planted/2'],
    ['reported expired before its time', 'planted/6'],
  ])('a reservation released on a timeout (%s)', async (kind, seed) => {
    expect(kinds(await run(seed, STEPS, releasesOnTimeout))).toContain(kind)
  }, TIMEOUT_MS)
})
