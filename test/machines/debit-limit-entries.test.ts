// The entries of debit limits: the debits that each covers, and the amount it allows.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allowed, classDefault, covers } from '../../machines/debit-limits.ts'
import { floorUnits, parseAmount } from '../../machines/amount.ts'

describe('a debit limit', () => {
  it('allows the raw units of its amount, rounded down', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), fc.nat(18), fc.nat(18), (raw, places, decimals) => {
        const digits = raw.toString().padStart(places + 1, '0')
        const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
        const exact = parseAmount(text, decimals)
        const expected =
          places <= decimals ? raw * 10n ** BigInt(decimals - places) : raw / 10n ** BigInt(places - decimals)
        expect(floorUnits(text, decimals)).toBe(expected)
        if (exact.ok) expect(exact.raw).toBe(expected)
      }),
    )
    expect([floorUnits('0', 9), floorUnits('0.00', 0), floorUnits('-1', 9), floorUnits('x', 9)]).toEqual([
      0n,
      0n,
      null,
      null,
    ])
  })

  it('covers the debits it names', () => {
    const entry = (operationType: 'ANY' | 'TRANSFER' | 'BURN', destination: 'ANY' | 'MANAGED' | 'FEES' | 'RENT') => ({
      operationType,
      destination,
      mintAuthority: null,
      maxAllowedDebit: null,
    })
    const burn = { operation: 'BURN', destination: null } as const
    const within = { operation: 'TRANSFER', destination: 'MANAGED' } as const
    const out = { operation: 'TRANSFER', destination: 'OFF_PLATFORM' } as const
    expect([burn, within, out].map((debit) => covers(entry('ANY', 'ANY'), debit))).toEqual([true, true, true])
    expect([burn, within, out].map((debit) => covers(entry('ANY', 'MANAGED'), debit))).toEqual([false, true, false])
    expect([burn, within, out].map((debit) => covers(entry('TRANSFER', 'ANY'), debit))).toEqual([false, true, true])
    expect([burn, within, out].map((debit) => covers(entry('BURN', 'MANAGED'), debit))).toEqual([true, false, false])
    expect(allowed(entry('ANY', 'ANY'), 9)).toBeNull()
  })

  it('14.4 covers fees of its own class and beneficiary, and ANY covers rent but no fee', () => {
    const entry = (
      destination: 'ANY' | 'MANAGED' | 'FEES' | 'PRIORITY_FEES' | 'RENT',
      organizationExternalId?: string,
    ) => ({
      operationType: 'ANY' as const,
      destination,
      mintAuthority: null,
      maxAllowedDebit: null,
      ...(organizationExternalId === undefined ? {} : { organizationExternalId }),
    })
    const debits = [
      { operation: 'TRANSFER', destination: 'FEES', beneficiary: 'X' },
      { operation: 'TRANSFER', destination: 'PRIORITY_FEES', beneficiary: 'X' },
      { operation: 'TRANSFER', destination: 'RENT' },
    ] as const
    const coverageOf = (limit: ReturnType<typeof entry>): boolean[] => debits.map((each) => covers(limit, each))
    expect(coverageOf(entry('ANY'))).toEqual([false, false, true])
    expect(coverageOf(entry('MANAGED'))).toEqual([false, false, false])
    expect(coverageOf(entry('FEES'))).toEqual([true, false, false])
    expect(coverageOf(entry('FEES', 'X'))).toEqual([true, false, false])
    expect(coverageOf(entry('FEES', 'Y'))).toEqual([false, false, false])
    expect(coverageOf(entry('PRIORITY_FEES'))).toEqual([false, true, false])
    expect(coverageOf(entry('RENT'))).toEqual([false, false, true])
  })

  it('14.4 replaces the default for its kind of debit, and an empty list removes all defaults', () => {
    const fee = { operation: 'TRANSFER', destination: 'FEES', beneficiary: 'X' } as const
    const rent = { operation: 'TRANSFER', destination: 'RENT' } as const
    const limitsFor = (destination: 'ANY' | 'FEES', organizationExternalId?: string) => [
      {
        operationType: 'ANY' as const,
        destination,
        mintAuthority: null,
        maxAllowedDebit: null,
        ...(organizationExternalId === undefined ? {} : { organizationExternalId }),
      },
    ]
    const amount = (...given: Parameters<typeof classDefault>) => classDefault(...given)?.maxAllowedDebit?.limitAmount
    expect(amount(null, fee, false)).toBe('1')
    expect(amount(null, fee, true)).toBeUndefined()
    expect(amount(null, { ...fee, destination: 'PRIORITY_FEES' }, true)).toBe('1')
    expect(amount(null, rent, true)).toBe('0.1')
    expect(amount([], fee, false)).toBeUndefined()
    expect(amount([], rent, false)).toBeUndefined()
    expect(amount(limitsFor('ANY'), fee, false)).toBe('1')
    expect(amount(limitsFor('ANY'), rent, false)).toBe('0.1')
    expect(amount(limitsFor('FEES'), fee, false)).toBeUndefined()
    expect(amount(limitsFor('FEES', 'X'), fee, false)).toBeUndefined()
    expect(amount(limitsFor('FEES', 'Y'), fee, false)).toBe('1')
  })
})
