// Amounts of requests, compared with exact arithmetic, at every number of decimals.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TOKEN_2022_PROGRAM } from '../../../src/solana/address.ts'
import { rawAmount, rawUnits } from '../../../src/operations/lookup/amounts.ts'
import { Refusal } from '../../../src/contract/refusal.ts'
import { tokenUnits } from '../../../src/operations/holdings/units.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import { instrument } from '../../machines/records.ts'

const U64_MAX = (1n << 64n) - 1n
const raw = fc.bigInt({ min: 1n, max: U64_MAX })
const decimals = fc.integer({ min: 0, max: 18 })

/** Display units, with all decimals or without the zeros at the end. */
function formatUnits(units: bigint, places: number, trimmed: boolean): string {
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
  it('is converted to raw units exactly, to the last digit', () => {
    fc.assert(
      fc.property(raw, decimals, fc.boolean(), (units, places, trimmed) => {
        expect(rawUnits(formatUnits(units, places, trimmed), places, '/a')).toBe(units)
        expect(rawAmount({ lamports: String(units) }, places, '')).toBe(units)
      }),
    )
  })

  it('is refused if it is too precise, zero, or too large', () => {
    fc.assert(
      fc.property(raw, decimals, (units, places) => {
        expect(
          code(() => rawUnits(`${formatUnits(units, places, false)}${places === 0 ? '.' : ''}1`, places, '/a')),
        ).toBe('400 TOO_PRECISE /a')
        expect(code(() => rawUnits(formatUnits(units + U64_MAX, places, true), places, '/a'))).toBe('400 OVER_U64 /a')
      }),
    )
    for (const zero of ['0', '0.0']) expect(code(() => rawUnits(zero, 2, '/a'))).toBe('400 NOT_POSITIVE /a')
    for (const text of ['', 'x', '1,5', '0x1', ' 1'])
      expect(code(() => rawUnits(text, 2, '/a'))).toBe('400 MALFORMED /a')
  })

  it('may be given in two ways that agree', () => {
    fc.assert(
      fc.property(raw, raw, decimals, fc.boolean(), (units, other, places, trimmed) => {
        const amount = formatUnits(units, places, trimmed)
        expect(rawAmount({ amount, lamports: String(units) }, places, '')).toBe(units)
        if (other !== units)
          expect(code(() => rawAmount({ amount, lamports: String(other) }, places, ''))).toBe(
            '400 MUTUALLY_EXCLUSIVE /lamports',
          )
      }),
    )
  })

  it('must be given in exactly one of its members', () => {
    expect(code(() => rawAmount({ amount: '1', lamports: '1' }, 2, '/itemData'))).toBe(
      '400 MUTUALLY_EXCLUSIVE /itemData/lamports',
    )
    expect(code(() => rawAmount({}, 2, '/itemData'))).toBe('400 REQUIRED /itemData/amount')
    expect(rawAmount({ amount: '1.5' }, 2, '')).toBe(150n)
    expect(code(() => rawAmount({ lamports: '1.5' }, 2, '/itemData'))).toBe('400 TOO_PRECISE /itemData/lamports')
  })
})

describe('an amount of a scaled instrument', () => {
  /** The chain gives no answer: the record decides. */
  const unread = { all: (addresses: readonly string[]) => addresses.map(() => null) }
  const scaled = (multiplier: string | null, places = 2) =>
    ({
      context: { ...instrument, decimals: places, scaledUiAmountMultiplier: multiplier },
    }) as unknown as RecordState<'instrument'>

  it('is divided by the exact multiplier, and raw units are rounded down', () => {
    expect(tokenUnits(unread, scaled('2'), { amount: '3' }, '')).toBe(150n)
    expect(tokenUnits(unread, scaled('3'), { amount: '1' }, '')).toBe(33n)
    expect(tokenUnits(unread, scaled(null), { amount: '1' }, '')).toBe(100n)
    expect(tokenUnits(unread, scaled('2'), { lamports: '3' }, '')).toBe(3n)
  })

  it('never exceeds the requested amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 64 }), (units, eighths) => {
        const multiplier = eighths / 8
        const result = code(() =>
          tokenUnits(unread, scaled(String(multiplier)), { amount: formatUnits(BigInt(units), 2, true) }, ''),
        )
        const exact = (BigInt(units) * 8n) / BigInt(eighths)
        expect(result).toBe(exact === 0n ? '400 NOT_POSITIVE /amount' : String(exact))
      }),
    )
  })

  /** A mint with only this extension, and the clock, as the cluster returns them. */
  function onChain(multiplier: number, next: number, nextAt: bigint, now: bigint): Parameters<typeof tokenUnits>[0] {
    const mint = Buffer.alloc(226)
    mint.writeUInt8(1, 45)
    mint.writeUInt8(1, 165)
    mint.writeUInt16LE(25, 166)
    mint.writeUInt16LE(56, 168)
    mint.writeDoubleLE(multiplier, 170 + 32)
    mint.writeBigInt64LE(nextAt, 170 + 40)
    mint.writeDoubleLE(next, 170 + 48)
    const clock = Buffer.alloc(40)
    clock.writeBigInt64LE(now, 32)
    const accounts = new Map([
      [instrument.address, mint],
      ['SysvarC1ock11111111111111111111111111111111', clock],
    ])
    const account = (data: Buffer | undefined) => ({
      lamports: 1n,
      owner: TOKEN_2022_PROGRAM,
      data: data!,
      executable: false,
    })
    return { all: (addresses) => addresses.map((address) => account(accounts.get(address))) }
  }

  it('uses the multiplier in force by the clock of the chain, not by the record', () => {
    const multiplier = fc.integer({ min: 1, max: 4096 }).map((eighths) => eighths / 8)
    const time = fc.bigInt({ min: -5n, max: 5n }).map((offset) => 1_800_000_000n + offset)
    fc.assert(
      fc.property(
        multiplier,
        multiplier,
        time,
        time,
        fc.integer({ min: 1, max: 1_000_000 }),
        (before, after, at, now, units) => {
          const inForce = now >= at ? after : before
          const exact = (BigInt(units) * 8n) / BigInt(inForce * 8)
          const result = code(() =>
            tokenUnits(
              onChain(before, after, at, now),
              scaled('77'),
              { amount: formatUnits(BigInt(units), 2, true) },
              '',
            ),
          )
          expect(result).toBe(exact === 0n ? '400 NOT_POSITIVE /amount' : String(exact))
        },
      ),
    )
  })

  it('is exact for every double that can be a multiplier', () => {
    const double = fc.double({ min: 2 ** -40, max: 2 ** 40, noNaN: true })
    fc.assert(
      fc.property(double, fc.bigInt({ min: 1n, max: 10n ** 15n }), (multiplier, units) => {
        // A double in this range is a whole number of 2^-92.
        const exact = (units << 92n) / BigInt(multiplier * 2 ** 92)
        fc.pre(exact <= U64_MAX)
        const result = code(() =>
          tokenUnits(onChain(1, multiplier, 0n, 1n), scaled('1'), { amount: formatUnits(units, 2, true) }, ''),
        )
        expect(result).toBe(exact === 0n ? '400 NOT_POSITIVE /amount' : String(exact))
      }),
    )
  })
})
