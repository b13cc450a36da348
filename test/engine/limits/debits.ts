// Arbitrary debits of a few records.
import fc from 'fast-check'
import type { Debit } from '../../../machines/debit-limits.ts'

/** Two records of one address, one after the other, and one that only an earlier release wrote. */
const RECORDS = [
  { record: 'w1', address: 'A1' },
  { record: 'w1-again', address: 'A1' },
  { record: 'w1' },
  { record: 'w2', address: 'A2' },
  { record: 'w2' },
] as const

export type Sort = Pick<Debit, 'operation' | 'destination' | 'beneficiary'>

export const debit = fc
  .record({
    place: fc.constantFrom(...RECORDS),
    mint: fc.constantFrom(null, 'm1', 'm2'),
    amount: fc.bigInt({ min: 1n, max: 1_000n }).map(String),
    counted: fc.constantFrom<Sort>(
      { operation: 'TRANSFER', destination: 'FEES', beneficiary: 'X' },
      { operation: 'TRANSFER', destination: 'FEES', beneficiary: 'Y' },
      { operation: 'TRANSFER', destination: 'MANAGED' },
      { operation: 'TRANSFER', destination: 'OFF_PLATFORM' },
      { operation: 'BURN', destination: null },
    ),
  })
  .map(({ counted, place, ...rest }): Debit => ({ tenant: 'ACME', ...counted, ...place, ...rest }))
