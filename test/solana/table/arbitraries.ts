// Arbitrary accounts and texts of instructions.
import fc from 'fast-check'
import { ZERO_ADDRESS } from '../../../src/solana/address.ts'
import { anyAddress } from '../arbitraries.ts'

/** Different from each other, from programs and from the fee payer. */
export const four = fc
  .uniqueArray(
    anyAddress.filter((each) => each !== ZERO_ADDRESS),
    { minLength: 4, maxLength: 4 },
  )
  .map((list) => list as [string, string, string, string])

export const text = fc.string({ unit: 'grapheme', maxLength: 30 })
export const run = { numRuns: 60 }
