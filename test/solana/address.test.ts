import bs58 from 'bs58'
import fc from 'fast-check'
import { PublicKey } from '@solana/web3.js'
import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { describe, expect, it } from 'vitest'
import {
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  addressBytes,
  addressOf,
  isAddress,
  signatureBytes,
  signatureText,
} from '../../src/solana/address.ts'
import { decodeBase58 } from '../../src/solana/base58.ts'
import { BoundedCache } from '../../src/solana/bounded-cache.ts'
import { isOnCurve } from '../../src/solana/curve.ts'
import { associatedTokenAddress, lookupTableAddress, programAddress } from '../../src/solana/derive.ts'
import { FormatError } from '../../src/solana/format-error.ts'
import { anyAddress, bytes32, key } from './arbitraries.ts'

/** Leading zeros are where base58 implementations differ. */
const withZeros = (length: number): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(fc.nat(length), fc.uint8Array({ minLength: length, maxLength: length }))
    .map(([zeros, bytes]) => bytes.fill(0, 0, zeros))

describe('base58', () => {
  it('encodes addresses like bs58, and decodes them', () => {
    fc.assert(
      fc.property(withZeros(32), (bytes) => {
        const text = bs58.encode(bytes)
        expect(addressOf(bytes)).toBe(text)
        expect(addressBytes(text)).toEqual(bytes)
        expect(isAddress(text)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('encodes signatures like bs58, and decodes them', () => {
    fc.assert(
      fc.property(withZeros(64), (bytes) => {
        const text = bs58.encode(bytes)
        expect(signatureText(bytes)).toBe(text)
        expect(signatureBytes(text)).toEqual(bytes)
      }),
      { numRuns: 500 },
    )
  })

  it('accepts exactly what bs58 decodes to 32 bytes', () => {
    const letters = fc.constantFrom(...Array.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0OIl +é'))
    const text = fc.array(letters, { minLength: 30, maxLength: 46 }).map((chars) => chars.join(''))
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          fc.string(),
          anyAddress.map((a) => `1${a}`),
          anyAddress.map((a) => a.slice(1)),
        ),
        (candidate) => {
          const decoded = bs58.decodeUnsafe(candidate)
          expect(isAddress(candidate)).toBe(decoded?.length === 32)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('accepts the highest value and refuses the next', () => {
    const highest = bs58.encode(new Uint8Array(32).fill(255))
    expect(addressBytes(highest)).toEqual(new Uint8Array(32).fill(255))
    const next = bs58.encode(Uint8Array.from([1, ...new Uint8Array(32)]))
    expect(isAddress(next)).toBe(false)
    expect(decodeBase58('', 32)).toBeNull()
  })

  it('refuses with a typed error', () => {
    expect(() => addressBytes('not an address')).toThrow(FormatError)
    expect(() => addressOf(new Uint8Array(31))).toThrow(FormatError)
    expect(() => signatureBytes('1')).toThrow(FormatError)
  })

  it('distinguishes addresses that share a cache slot', () => {
    const one = new Uint8Array(32).fill(9)
    const other = Uint8Array.from(one)
    other[15] = 1
    for (let round = 0; round < 3; round++) {
      expect(addressOf(one)).toBe(bs58.encode(one))
      expect(addressOf(other)).toBe(bs58.encode(other))
    }
  })
})

describe('derived addresses', () => {
  it('are checked against the curve', () => {
    fc.assert(
      fc.property(bytes32, (bytes) => {
        expect(isOnCurve(bytes)).toBe(PublicKey.isOnCurve(bytes))
      }),
      { numRuns: 300 },
    )
    for (let y = 0; y < 40; y++) {
      const bytes = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? y : 0))
      expect(isOnCurve(bytes), `y = ${y}`).toBe(PublicKey.isOnCurve(bytes))
    }
  })

  it('are derived for programs, tokens and tables like in web3.js', () => {
    fc.assert(
      fc.property(anyAddress, anyAddress, fc.string({ maxLength: 8 }), (a, b, seed) => {
        const [expected, bump] = PublicKey.findProgramAddressSync([key(a).toBytes(), Buffer.from(seed)], key(b))
        expect(programAddress([addressBytes(a), Buffer.from(seed)], b)).toEqual({ address: expected.toBase58(), bump })
        for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
          const token = getAssociatedTokenAddressSync(key(b), key(a), true, key(program)).toBase58()
          expect(associatedTokenAddress(a, b, program)).toBe(token)
          expect(associatedTokenAddress(a, b, program)).toBe(token)
        }
        expect(lookupTableAddress(a, 77n).bump).toBeLessThan(256)
      }),
      { numRuns: 40 },
    )
  })
})

describe('the bounded cache', () => {
  it('never exceeds its capacity and keeps entries in use', () => {
    const cache = new BoundedCache<number>(100)
    cache.set('kept', -1)
    for (let i = 0; i < 1000; i++) {
      cache.set(String(i), i)
      expect(cache.size).toBeLessThanOrEqual(101)
      expect(cache.get('kept')).toBe(-1)
    }
    expect(cache.get('0')).toBeUndefined()
    expect(cache.get('999')).toBe(999)
  })
})
