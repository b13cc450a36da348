// What a request writes as an amount against exact arithmetic, at every number of decimals.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rawAmount, rawUnits } from '../../src/operations/amounts.ts'
import { Refusal } from '../../src/operations/refusal.ts'
import { tokenUnits } from '../../src/operations/tokens/units.ts'
import type { RecordState } from '../../src/engine/record.ts'
import { instrument } from '../machines/records.ts'

const U64_MAX = (1n << 64n) - 1n
const raw = fc.bigInt({ min: 1n, max: U64_MAX })
const decimals = fc.integer({ min: 0, max: 18 })

/** Display units, with all decimals or without the zeros at the end. */
function written(units: bigint, places: number, trimmed: boolean): string {
  if (places === 0) return units.toString()
  const digits = units.toString().padStart(places + 1, '0')
  const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return trimmed ? text.replace(/\.?0+$/, '') : text
}

function code(attempt: () => unknown): string {
  try {
    return String(attempt())
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `${error.status} ${error.problems[0]?.code} ${error.problems[0]?.pointer}`
  }
}

describe('an amount', () => {
  it('is as many raw units as it says, to the last digit', () => {
    fc.assert(fc.property(raw, decimals, fc.boolean(), (units, places, trimmed) => {
      expect(rawUnits(written(units, places, trimmed), places, '/a')).toBe(units)
      expect(rawAmount({ lamports: String(units) }, places, '')).toBe(units)
    }))
  })

  it('is refused where it says more than the mint can, nothing, or too much', () => {
    fc.assert(fc.property(raw, decimals, (units, places) => {
      expect(code(() => rawUnits(`${written(units, places, false)}${places === 0 ? '.' : ''}1`, places, '/a'))).toBe('400 TOO_PRECISE /a')
      expect(code(() => rawUnits(written(units + U64_MAX, places, true), places, '/a'))).toBe('400 OVER_U64 /a')
    }))
    for (const zero of ['0', '0.0']) expect(code(() => rawUnits(zero, 2, '/a'))).toBe('400 NOT_POSITIVE /a')
    for (const text of ['', 'x', '1,5', '0x1', ' 1']) expect(code(() => rawUnits(text, 2, '/a'))).toBe('400 MALFORMED /a')
  })

  it('is given in one way', () => {
    expect(code(() => rawAmount({ amount: '1', lamports: '1' }, 2, '/itemData'))).toBe('400 MUTUALLY_EXCLUSIVE /itemData/lamports')
    expect(code(() => rawAmount({}, 2, '/itemData'))).toBe('400 REQUIRED /itemData/amount')
    expect(rawAmount({ amount: '1.5' }, 2, '')).toBe(150n)
    expect(code(() => rawAmount({ lamports: '1.5' }, 2, '/itemData'))).toBe('400 TOO_PRECISE /itemData/lamports')
  })
})

describe('an amount of an instrument that is shown scaled', () => {
  const scaled = (multiplier: string | null, places = 2) =>
    ({ context: { ...instrument, decimals: places, scaledUiAmountMultiplier: multiplier } }) as unknown as RecordState<'instrument'>

  it('is divided by the exact multiplier, raw units rounded down', () => {
    expect(tokenUnits(scaled('2'), { amount: '3' }, '')).toBe(150n)
    expect(tokenUnits(scaled('3'), { amount: '1' }, '')).toBe(33n)
    expect(tokenUnits(scaled(null), { amount: '1' }, '')).toBe(100n)
    expect(tokenUnits(scaled('2'), { lamports: '3' }, '')).toBe(3n)
  })

  it('never comes to more than was asked', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 64 }), (units, eighths) => {
      const multiplier = eighths / 8
      const found = code(() => tokenUnits(scaled(String(multiplier)), { amount: written(BigInt(units), 2, true) }, ''))
      const exact = (BigInt(units) * 8n) / BigInt(eighths)
      expect(found).toBe(exact === 0n ? '400 NOT_POSITIVE /amount' : String(exact))
    }))
  })
})
