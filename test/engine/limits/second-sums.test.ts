// Sums per second, compared with the plain list of what was added.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SecondSums } from '../../../src/engine/limits/second-sums.ts'

describe('sums per second', () => {
  it('are those of the list, in any order of additions and removals', () => {
    const added = fc.record({ second: fc.nat(300), amount: fc.bigInt({ min: 1n, max: 9n }), isRemoved: fc.boolean() })
    fc.assert(
      fc.property(fc.array(added, { maxLength: 400, size: 'max' }), fc.nat(300), (amounts, oldest) => {
        const sums = new SecondSums()
        for (const { second, amount } of amounts) sums.add(second, amount, Infinity)
        const removed = amounts.filter(({ second, isRemoved }) => isRemoved || second < oldest)
        for (const { second, amount } of removed) {
          sums.add(second, -amount, Infinity)
          sums.trim()
        }
        const remaining = amounts.filter((each) => !removed.includes(each))
        for (let from = -1; from <= 301; from += 1) {
          const expected = remaining.reduce((sum, { second, amount }) => (second > from ? sum + amount : sum), 0n)
          if (sums.after(from) !== expected) expect([from, sums.after(from)]).toEqual([from, expected])
        }
      }),
    )
  })

  it('keep amounts no longer than the longest queried window', () => {
    const sums = new SecondSums()
    for (let second = 0; second < 10_000; second += 1) sums.add(second, 1n, 100)
    expect(sums.size).toBeLessThan(300)
    expect(sums.after(9_949)).toBe(50n)
  })
})
