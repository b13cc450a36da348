// Buckets of names: what they allow, and that full ones are removed.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RateLimit } from '../../src/http/rate-limit.ts'

it('keeps no bucket of a name that may use its whole burst', () => {
  let now = 0
  const limit = new RateLimit({ perSecond: 10, burst: 20 }, () => now)
  for (let subject = 0; subject < 100_000; subject += 1) {
    now += 1
    expect(limit.allows(`jwt:${subject}`)).toBe(true)
    limit.take(`jwt:${subject}`, 1)
  }
  expect(limit.size).toBeLessThanOrEqual(2_000)
})

it('allows the same with any number of other names', () => {
  const use = fc.record({ afterMs: fc.nat({ max: 3_000 }), name: fc.constantFrom('a', 'b'), others: fc.nat(1_500) })
  fc.assert(
    fc.property(fc.array(use, { maxLength: 30 }), (uses) => {
      let now = 0
      const [alone, crowded] = [0, 0].map(() => new RateLimit({ perSecond: 2, burst: 5 }, () => now))
      let stranger = 0
      for (const { afterMs, name, others } of uses) {
        now += afterMs
        for (let each = 0; each < others; each += 1) crowded!.allows(`stranger ${(stranger += 1)}`)
        const allowed = alone!.allows(name)
        expect(crowded!.allows(name)).toBe(allowed)
        expect(crowded!.stateOf(name)).toBe(alone!.stateOf(name))
        if (allowed) for (const each of [alone!, crowded!]) each.take(name, 1)
      }
    }),
    { numRuns: 50 },
  )
})
