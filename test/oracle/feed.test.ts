// The text in which a value is published, and the reader that outside parties trust: it accepts only what the publisher
// wrote, in every byte.
import fc from 'fast-check'
import { PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { feedText, FEED_WIDTH, readFeedText, type FeedText } from '../../machines/feed-text.ts'
import { mintSize } from '../../src/solana/mint-size.ts'
import { readFeed } from '../../src/oracle/reader.ts'
import { printDecimal, parseDecimal } from '../../src/oracle/decimal.ts'

const jobHash = '00112233445566778899aabbccddeeff'
const time = { asOf: 1_795_000_000, slot: 123, sequence: 7 }
const price = (value: string): FeedText => ({ kind: 'PRICE', publication: { value, ...time }, jobHash })
const rating = (value: string): FeedText => ({ kind: 'RATING', publication: { value, ...time }, jobHash })

const decimalText = fc
  .record({
    units: fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
    exponent: fc.integer({ min: -60, max: 90 }),
  })
  .map(({ units, exponent }) => {
    try {
      return printDecimal(parseDecimal(`${units}e${exponent}`)!)
    } catch {
      return '0'
    }
  })

describe('the text of a feed', () => {
  it('matches the format exactly', () => {
    const tail = '00000000000000000123|001795000000|00000000000000000007|00112233445566778899aabbccddeeff'
    expect(feedText(price('123.45'))).toBe(`v1|+${'12345'.padStart(39, '0')}|-02|${tail}`)
    expect(feedText(price('-0.5'))).toBe(`v1|-${'5'.padStart(39, '0')}|-01|${tail}`)
    expect(feedText(price('0'))).toBe(`v1|+${'0'.repeat(39)}|+00|${tail}`)
    expect(feedText(price('12000'))).toBe(`v1|+${'12'.padStart(39, '0')}|+03|${tail}`)
    expect(feedText(rating('AA-'))).toBe(`v1t|AA-${' '.repeat(37)}|${tail}`)
  })

  it('has a fixed width, and round-trips', () => {
    fc.assert(
      fc.property(decimalText, (value) => {
        const text = feedText(price(value))!
        expect(text).toHaveLength(FEED_WIDTH)
        expect(readFeedText(text)).toEqual(price(value))
      }),
      { numRuns: 2_000 },
    )
    fc.assert(
      fc.property(fc.stringMatching(/^[!-{}~]([ -{}~]{0,38}[!-{}~])?$/), (value) => {
        const text = feedText(rating(value))!
        expect(Buffer.byteLength(text)).toBe(132)
        expect(readFeedText(text)).toEqual(rating(value))
      }),
    )
  })

  it('cannot be parsed from other text', () => {
    const good = feedText(price('1.5'))!
    for (const text of [
      '',
      ` ${good}`,
      `${good}|`,
      good.replace('v1', 'v2'),
      good.toUpperCase(),
      good.replace('+', ' '),
      good.replace('|-01', '|-1'),
      `v1|+${'9'.repeat(39)}|+00${good.slice(47)}`,
      feedText(price('0'))!.replace('+', '-'),
      good.replace('000123', '0001x3'),
    ]) {
      expect(readFeedText(text), text).toBeNull()
    }
    for (const value of ['', 'a|b', 'ü', ' a', 'a ', 'x'.repeat(41), 'a\tb'])
      expect(feedText(rating(value)), value).toBeNull()
    for (const value of ['', '1e5', 'x', '9'.repeat(40), `0.${'0'.repeat(99)}1`, '+1'])
      expect(feedText(price(value)), value).toBeNull()
  })
})

const key = (byte: number): PublicKey => new PublicKey(Buffer.alloc(32, byte))
const [mintKey, publisher, other] = [key(3), key(5), key(9)]
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

interface Shape {
  readonly text?: string
  readonly names?: readonly string[]
  readonly mintAuthority?: PublicKey
  readonly supply?: bigint
  readonly pointer?: PublicKey
  readonly pointerAuthority?: PublicKey
  readonly ofMint?: PublicKey
}

/** The bytes of such an account, laid out by hand: mint, padding, type, then the two extensions. */
function account({
  text = feedText(price('1.5'))!,
  names = ['q'],
  mintAuthority,
  supply = 0n,
  pointer = mintKey,
  pointerAuthority,
  ofMint = mintKey,
}: Shape = {}) {
  const u32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const u16 = (value: number): Buffer => {
    const bytes = Buffer.alloc(2)
    bytes.writeUInt16LE(value)
    return bytes
  }
  const string = (value: string): Buffer => Buffer.concat([u32(Buffer.byteLength(value)), Buffer.from(value)])
  const optional = (value?: PublicKey): Buffer =>
    value === undefined ? Buffer.alloc(36) : Buffer.concat([u32(1), value.toBuffer()])
  const amount = Buffer.alloc(8)
  amount.writeBigUInt64LE(supply)
  const base = Buffer.concat([optional(mintAuthority), amount, Buffer.from([0, 1]), optional()])
  const pointerValue = Buffer.concat([pointerAuthority?.toBuffer() ?? Buffer.alloc(32), pointer.toBuffer()])
  const metadata = Buffer.concat([
    publisher.toBuffer(),
    ofMint.toBuffer(),
    string('Onchain data source'),
    string(''),
    string(''),
    u32(names.length),
    ...names.flatMap((name) => [string(name), string(text)]),
  ])
  const data = Buffer.concat([
    base,
    Buffer.alloc(165 - 82),
    Buffer.from([1]),
    u16(18),
    u16(64),
    pointerValue,
    u16(19),
    u16(metadata.length),
    metadata,
  ])
  return { address: mintKey.toBase58(), owner: TOKEN_2022, data }
}

const expected = { publisher: publisher.toBase58() }

describe('a reader', () => {
  it('parses the text of the publisher', () => {
    const read = readFeed(account(), {
      ...expected,
      kind: 'PRICE',
      jobHash,
      contextSlot: 130,
      maxSlotAge: 10,
      now: 1_795_000_050,
      maxAgeSeconds: 60,
      after: { sequence: 6, slot: 120 },
    })
    expect(read).toEqual({ ok: true, ...price('1.5') })
    expect(account().data.length).toBe(
      mintSize([], { name: 'Onchain data source', symbol: '', uri: '', additional: [['q', feedText(price('1.5'))!]] })
        .finalBytes,
    )
  })

  it('names the error in any other text', () => {
    const problems: readonly (readonly [string, Shape, object])[] = [
      ['OTHER_PUBLISHER', {}, { publisher: other.toBase58() }],
      ['MINTABLE', { mintAuthority: publisher }, {}],
      ['MINTABLE', { supply: 1n }, {}],
      ['POINTER_OPEN', { pointerAuthority: publisher }, {}],
      ['NOT_A_FEED', { pointer: other }, {}],
      ['NOT_A_FEED', { ofMint: other }, {}],
      ['NO_VALUE', { text: 'v1|1|2' }, {}],
      ['NO_VALUE', { names: [] }, {}],
      ['NO_VALUE', { names: ['q', 'q'] }, {}],
      ['NO_VALUE', { names: ['p'] }, {}],
      ['OTHER_KIND', {}, { kind: 'RATING' }],
      ['OTHER_JOBS', {}, { jobHash: 'ff'.repeat(16) }],
      ['FROM_THE_FUTURE', {}, { contextSlot: 122 }],
      ['STALE', {}, { contextSlot: 200, maxSlotAge: 10 }],
      ['STALE', {}, { now: 1_795_000_061, maxAgeSeconds: 60 }],
      ['FROM_THE_FUTURE', {}, { now: 1_794_999_939, maxAgeSeconds: 60 }],
      ['WENT_BACK', {}, { after: { sequence: 8, slot: 0 } }],
      ['WENT_BACK', {}, { after: { sequence: 1, slot: 124 } }],
    ]
    for (const [problem, shape, wants] of problems)
      expect(readFeed(account(shape), { ...expected, ...wants }), problem).toEqual({ ok: false, problem })
    expect(readFeed({ ...account(), owner: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' }, expected)).toEqual({
      ok: false,
      problem: 'NOT_A_FEED',
    })
  })

  it('never accepts fewer bytes, and never throws', () => {
    const fullAccount = account()
    for (let length = 0; length < fullAccount.data.length; length += 1) {
      expect(readFeed({ ...fullAccount, data: fullAccount.data.subarray(0, length) }, expected).ok).toBe(false)
    }
    fc.assert(
      fc.property(fc.nat(fullAccount.data.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const data = Buffer.from(fullAccount.data)
        data[at] = data[at]! ^ flip
        readFeed({ ...fullAccount, data }, expected)
      }),
      { numRuns: 1_000 },
    )
  })
})
