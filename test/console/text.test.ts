// The text that the console displays: invisible characters are shown, and no digit of an amount is lost.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shifted } from '../../src/console/cell.tsx'
import { addressOf, bulkQueryOf, listQueryOf, PAGE_SIZES, type ListQuery } from '../../src/console/pages/list-query.ts'
import { routeOf } from '../../src/console/route.ts'
import { grouped, pieces } from '../../src/console/text.tsx'

/** Direction marks, controls, and characters without width. */
const HIDING = ['\u202e', '\u2066', '\u200b', '\u200f', '\u0000', '\u0085', '\ufeff', '\u00ad', '\u{e0041}', '\u2028']

describe('text from users', () => {
  it('shows invisible and direction-changing characters as code points', () => {
    for (const mark of HIDING) {
      const parts = pieces(`a${mark}b`)
      expect(parts.map(({ hidden }) => hidden)).toEqual([false, true, false])
      expect(parts[1]!.text).toBe(`U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`)
    }
  })

  it('shows all other characters unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const parts = pieces(text)
        expect(
          parts
            .map(({ text: piece, hidden }) => (hidden ? String.fromCodePoint(parseInt(piece.slice(2), 16)) : piece))
            .join(''),
        ).toBe(text)
        for (const { text: piece, hidden } of parts)
          if (!hidden) expect(HIDING.some((mark) => piece.includes(mark))).toBe(false)
      }),
    )
  })
})

describe('amounts', () => {
  it('keep all digits when thousands are separated', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.option(fc.stringMatching(/^\d{1,18}$/)), (whole, fraction) => {
        const decimal = fraction === null ? String(whole) : `${whole}.${fraction}`
        expect(grouped(decimal).replaceAll('\u202f', '')).toBe(decimal)
      }),
    )
    expect(grouped('-12345678.9')).toBe('-12\u202f345\u202f678.9')
  })

  it('are moved from raw to display units exactly', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.integer({ min: 0, max: 18 }),
        (raw, decimals) => {
          const [whole = '', fraction = ''] = shifted(String(raw), decimals).split('.')
          expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(raw)
          expect(fraction.endsWith('0')).toBe(false)
        },
      ),
    )
  })
})

it('stores the filters of a list in the address of its page, for any input', () => {
  const condition = fc.record({
    field: fc.string({ minLength: 1 }),
    filterType: fc.constantFrom('EQUALS', 'IN_RANGE', 'IS_NULL'),
    value: fc.string(),
    to: fc.string(),
  })
  const query: fc.Arbitrary<ListQuery> = fc.record({
    conditions: fc.array(condition, { maxLength: 5 }),
    sort: fc.option(fc.record({ field: fc.stringMatching(/^\w{1,20}$/), descending: fc.boolean() })),
    page: fc.integer({ min: 1, max: 20_000 }),
    size: fc.constantFrom(...PAGE_SIZES),
  })
  fc.assert(
    fc.property(query, (listQuery) => {
      const address = addressOf(routeOf('#/accounts'), listQuery)
      expect(listQueryOf(routeOf(address))).toEqual(listQuery)
      const { skip, limit } = bulkQueryOf(listQuery, () => 'TEXT')
      expect([skip, limit]).toEqual([(listQuery.page - 1) * listQuery.size, listQuery.size])
    }),
  )
})

it('accepts any address as a route', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (hash) => {
      const { conditions, page } = listQueryOf(routeOf(`#/${hash}`))
      expect(page).toBeGreaterThan(0)
      expect(conditions.length).toBeLessThanOrEqual(50)
    }),
  )
})
