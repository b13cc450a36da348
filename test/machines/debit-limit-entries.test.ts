// The entries of debit limits: the debits that each covers, and the amount it allows.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allowed, classDefault, covers, DEFAULT_LIMITS, durationMs, isLooser } from '../../machines/debit-limits.ts'
import { floorUnits, parseAmount, U64_MAX } from '../../machines/amount.ts'
import type { DebitLimit } from '../../machines/holding.ts'

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
    // A limit above every balance bounds nothing, however it is written.
    for (const text of ['1e30', '1e120', '1e9999', '9'.repeat(100)])
      expect(floorUnits(text, 9)! > U64_MAX, text).toBe(true)
  })

  it('has a window of fixed length', () => {
    const hours = { MINUTES: 1 / 60, HOURS: 1, DAYS: 24, WEEKS: 168 }
    for (const code of ['MINUTES', 'HOURS', 'DAYS', 'WEEKS'] as const)
      expect(durationMs({ code, unit: 3 }), code).toBe(hours[code] * 3 * 3_600_000)
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

describe('14.5 a list that is not looser than the defaults', () => {
  interface Spent {
    readonly operation: 'TRANSFER' | 'BURN'
    readonly destination: 'OFF_PLATFORM' | 'NON_MANAGED' | 'MANAGED' | 'FEES' | 'PRIORITY_FEES' | 'RENT' | null
    readonly beneficiary?: string
    readonly units: bigint
    readonly hour: number
  }
  const DECIMALS = 2
  const CLASSES = ['OFF_PLATFORM', 'NON_MANAGED', 'MANAGED', 'FEES', 'PRIORITY_FEES', 'RENT'] as const

  const entry: fc.Arbitrary<DebitLimit> = fc
    .record({
      operationType: fc.constantFrom('ANY' as const, 'TRANSFER' as const, 'BURN' as const),
      destination: fc.constantFrom('ANY' as const, ...CLASSES),
      limitAmount: fc.constantFrom('0', '0', '0.1', '1', '1', '1.01', null),
      hours: fc.constantFrom(null, 1, 24, 25),
      rare: fc.constantFrom(...Array<null>(9).fill(null), 'mint' as const, 'override' as const, 'fee' as const),
    })
    .map(({ operationType, destination, limitAmount, hours, rare }): DebitLimit => ({
      operationType,
      destination,
      mintAuthority: rare === 'mint' ? { address: 'Another1', id: null } : null,
      ...(rare === 'fee' ? { organizationExternalId: 'Y' } : {}),
      maxAllowedDebit: {
        limitType: hours === null ? 'PER_TRANSACTION' : 'DURATION',
        limitAmount,
        duration: hours === null ? null : { code: 'HOURS', unit: hours },
        approversForOverride: rare === 'override' ? ['key'] : [],
        requiredApproversCount: 0,
      },
    }))

  const spent: fc.Arbitrary<Spent> = fc
    .record({
      destination: fc.constantFrom(...CLASSES, null),
      beneficiary: fc.constantFrom('X', 'Y'),
      units: fc.constantFrom(1n, 5n, 10n, 11n, 60n, 100n, 101n),
      hour: fc.nat(30),
    })
    .map(({ destination, ...rest }): Spent => ({
      ...rest,
      destination,
      operation: destination === null ? 'BURN' : 'TRANSFER',
    }))

  /** Whether the entry refuses the last debit and nobody can override it. The entry of some mints is of others. */
  function refuses(limit: DebitLimit, debits: readonly Spent[]): boolean {
    const last = debits.at(-1)!
    const most = allowed(limit, DECIMALS)
    if (limit.mintAuthority !== null || most === null || !covers(limit, last)) return false
    if ((limit.maxAllowedDebit?.approversForOverride.length ?? 0) > 0) return false
    const hours = limit.maxAllowedDebit?.duration?.unit ?? 0
    const others = debits.slice(0, -1).filter((each) => covers(limit, each) && each.hour > last.hour - hours)
    const sum = hours === 0 ? 0n : others.reduce((total, { units }) => total + units, 0n)
    return sum + last.units > most
  }

  function areRefused(limits: readonly DebitLimit[] | null, debits: readonly Spent[]): boolean {
    const usual = classDefault(limits, debits.at(-1)!, false)
    return [...(limits ?? DEFAULT_LIMITS), ...(usual === undefined ? [] : [usual])].some((limit) =>
      refuses(limit, debits),
    )
  }

  it('refuses every debit that they refuse', () => {
    const lists = fc.array(entry, { maxLength: 5 }).filter((limits) => !isLooser(limits))
    fc.assert(
      fc.property(
        lists,
        fc.array(fc.array(spent, { minLength: 1, maxLength: 3 }), { minLength: 40 }),
        (limits, tries) => {
          for (const debits of tries) {
            const ordered = debits.toSorted((one, other) => one.hour - other.hour)
            if (!areRefused(null, ordered)) continue
            if (!areRefused(limits, ordered)) expect({ limits, ordered }).toBeNull()
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})
