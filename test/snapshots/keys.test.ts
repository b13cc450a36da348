import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Range } from '../../snapshots/disk.ts'
import * as keys from '../../snapshots/keys.ts'

// Any string, including lone surrogates and those most likely to reach the range of a neighbour.
const nasty = fc.stringMatching(/^[!"%~ af01u]{0,6}$/)
const anyUnit = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 4 })
  .map((units) => String.fromCharCode(...units))
const name = fc.oneof(nasty, anyUnit, fc.string({ unit: 'grapheme', maxLength: 6 }))
const place = fc.tuple(name, name, name)
const bytes = (key: string): Buffer => Buffer.from(key, 'utf8')
const inRange = (key: string, range: Range): boolean =>
  Buffer.compare(bytes(key), bytes(range.gte!)) >= 0 && Buffer.compare(bytes(key), bytes(range.lt!)) < 0

describe('keys', () => {
  it('escape every name into plain ASCII, reversibly', () => {
    fc.assert(
      fc.property(name, (one) => {
        const part = keys.escapePart(one)
        expect(part).toMatch(/^[A-Za-z0-9._~%-]*$/)
        expect(keys.unescapePart(part)).toBe(one)
      }),
      { numRuns: 2_000 },
    )
  })

  it('are unique for each record and each type of row', () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        const kinds = [keys.recordKey, keys.payloadKey, keys.secretKey, keys.idempotencyKey]
        const same = a.every((part, at) => part === b[at])
        for (const [i, one] of kinds.entries())
          for (const [j, other] of kinds.entries()) {
            expect(one(...a) === other(...b)).toBe(same && i === j)
          }
        expect(keys.messageKey(a[0], a[1]) === keys.messageKey(b[0], b[1])).toBe(a[0] === b[0] && a[1] === b[1])
        expect(keys.inboxKey(a[0], a[1]) === keys.inboxKey(b[0], b[1])).toBe(a[0] === b[0] && a[1] === b[1])
      }),
      { numRuns: 2_000 },
    )
  })

  it('keep a tenant in its own range', () => {
    fc.assert(
      fc.property(place, name, (a, tenant) => {
        expect(inRange(keys.recordKey(...a), keys.recordsOf(tenant))).toBe(a[0] === tenant)
        expect(inRange(keys.fenceKey(tenant), keys.FENCES)).toBe(true)
        expect(inRange(keys.recordKey(...a), keys.FENCES)).toBe(false)
        expect(keys.recordPlace(keys.recordKey(...a))).toEqual({ cluster: a[1], id: a[2] })
        expect(keys.lastPart(keys.fenceKey(tenant))).toBe(tenant)
      }),
      { numRuns: 2_000 },
    )
  })

  it('keep a log in order, after a number, and of one tenant', () => {
    const log = fc.constantFrom('event' as const, 'audit' as const, 'outbox' as const)
    const sequence = fc.maxSafeNat()
    fc.assert(
      fc.property(log, log, name, name, sequence, sequence, (l, m, s, t, a, b) => {
        const [ka, kb] = [keys.logKey(l, s, a), keys.logKey(l, s, b)]
        expect(Math.sign(Buffer.compare(bytes(ka), bytes(kb)))).toBe(Math.sign(a - b))
        expect(inRange(ka, keys.logAfter(m, t, b))).toBe(l === m && s === t && a > b)
        expect(inRange(ka, keys.logAfter(m, t, -1))).toBe(l === m && s === t)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([-1, 0.5, Number.NaN, Infinity, Number.MAX_SAFE_INTEGER + 1])(
    'refuse %s as a sequence number',
    (sequence) => {
      expect(() => keys.sequencePart(sequence)).toThrow(RangeError)
    },
  )
})
