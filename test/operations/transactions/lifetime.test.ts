// How long the attempts of one request keep a blockhash.
import { expect, it } from 'vitest'
import { isYoung } from '../../../src/operations/transactions/lifetime.ts'

it('a blockhash is kept for a third of its lifetime, and not while the height of the chain is unknown', () => {
  const blockhash = { blockhash: 'x', slot: 1_050, lastValidBlockHeight: 1_150 }
  const heights = [1_000, 1_050, 1_051, 1_151, null]
  expect(heights.map((height) => isYoung(blockhash, height))).toEqual([true, true, false, false, false])
})
