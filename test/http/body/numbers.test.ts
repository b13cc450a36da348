// Amounts keep their digits or are refused, and the scan of the text before parsing is right.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { canonicalJson, digestOf } from '../../../src/contract/canonical.ts'
import { inspectBody, parseBody } from '../../../src/http/body/parse.ts'
import { validate } from '../../../src/http/endpoint.ts'
import { amount, amountOrZero, lamports } from '../../../src/contract/values/amount.ts'
import { Refusal } from '../../../src/contract/refusal.ts'

const schema = z.strictObject({
  amount: amount.optional(),
  limit: amountOrZero.optional(),
  lamports: lamports.optional(),
})

function read(text: string): Record<string, unknown> {
  return validate(schema, Buffer.from(text)) as Record<string, unknown>
}

function codeOf(text: string): string {
  try {
    return `taken: ${JSON.stringify(read(text))}`
  } catch (error) {
    if (error instanceof Refusal)
      return error.problems.map(({ code, pointer }) => `${code} ${pointer ?? ''}`).join(', ')
    throw error
  }
}

/** Decimal text of 1 to 15 significant digits, with up to 14 of them after the point. */
const exact = fc.tuple(fc.bigInt(1n, 999_999_999_999_999n), fc.nat(14)).map(([digits, places]) => {
  const padded = digits.toString().padStart(places + 1, '0')
  return places === 0 ? padded : `${padded.slice(0, -places)}.${padded.slice(-places)}`
})

function plain(text: string): string {
  return text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text
}

describe('amounts', () => {
  it('of up to 15 digits are equal as numbers and as text', () => {
    fc.assert(
      fc.property(exact, (text) => {
        expect(read(`{"amount":${text}}`)).toEqual({ amount: plain(text) })
        expect(read(`{"amount":"${text}"}`)).toEqual({ amount: plain(text) })
      }),
    )
  })

  it('of more than 15 digits must be text', () => {
    fc.assert(
      fc.property(fc.bigInt(10n ** 15n, 2n ** 64n - 1n), (value) => {
        fc.pre(value % 10n !== 0n)
        expect(codeOf(`{"lamports":${value}}`)).toBe('TOO_PRECISE /lamports')
        expect(codeOf(`{"amount":0.${value}}`)).toBe('TOO_PRECISE /amount')
        expect(read(`{"lamports":"${value}"}`)).toEqual({ lamports: value.toString() })
      }),
    )
  })

  it.each([
    ['{"amount":1e3}', '{"amount":"1000"}'],
    ['{"amount":1.50}', '{"amount":"1.5"}'],
    ['{"amount":"1.500"}', '{"amount":"1.5"}'],
    ['{"amount":"7.000"}', '{"amount":"7"}'],
    ['{"amount":0.0000001}', '{"amount":"0.0000001"}'],
    ['{"amount":1.5e-9}', '{"amount":"0.0000000015"}'],
    ['{"amount":0.00000000000000000001}', '{"amount":"0.00000000000000000001"}'],
    ['{"amount":123456789012345e5}', '{"amount":"12345678901234500000"}'],
    ['{"lamports":1000000000000000000}', '{"lamports":"1000000000000000000"}'],
    ['{"lamports":"18446744073709551615"}', '{"lamports":"18446744073709551615"}'],
    ['{"lamports":5.0}', '{"lamports":"5"}'],
    ['{"limit":0}', '{"limit":"0"}'],
    ['{"limit":"0.0"}', '{"limit":"0"}'],
  ])('%s is %s', (text, expected) => expect(JSON.stringify(read(text))).toBe(expected))

  it.each([
    ['{"amount":0}', 'NOT_POSITIVE /amount'],
    ['{"amount":-0}', 'NOT_POSITIVE /amount'],
    ['{"amount":"0.00"}', 'NOT_POSITIVE /amount'],
    ['{"amount":-1.5}', 'NOT_POSITIVE /amount'],
    ['{"amount":-1e-9}', 'NOT_POSITIVE /amount'],
    ['{"amount":"-1"}', 'NOT_POSITIVE /amount'],
    ['{"limit":-1}', 'NOT_POSITIVE /limit'],
    ['{"amount":"1e3"}', 'INVALID_VALUE /amount'],
    ['{"amount":"01"}', 'INVALID_VALUE /amount'],
    ['{"amount":"1."}', 'INVALID_VALUE /amount'],
    ['{"amount":""}', 'INVALID_VALUE /amount'],
    ['{"amount":" 1"}', 'INVALID_VALUE /amount'],
    ['{"amount":"0x10"}', 'INVALID_VALUE /amount'],
    ['{"amount":"Infinity"}', 'INVALID_VALUE /amount'],
    ['{"amount":1e21}', 'TOO_LARGE /amount'],
    ['{"amount":1e999}', 'TOO_LARGE /amount'],
    ['{"amount":1e-200}', 'TOO_PRECISE /amount'],
    ['{"amount":[1]}', 'INVALID_TYPE /amount'],
    ['{"lamports":1.5}', 'TOO_PRECISE /lamports'],
    ['{"lamports":"18446744073709551616"}', 'TOO_LARGE /lamports'],
    ['{"amount":1234567890123456,"lamports":0}', 'TOO_PRECISE /amount, NOT_POSITIVE /lamports'],
  ])('%s is refused: %s', (text, expected) => expect(codeOf(text)).toBe(expected))
})

describe('the scan of text before it is parsed', () => {
  /** Text of every form, with digits, quotes and brackets in its strings. */
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.maxSafeInteger(),
      fc.boolean(),
      fc.constant(null),
      fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', '1', 'a') }),
      fc.array(tie('any')),
      fc.dictionary(fc.string({ unit: fc.constantFrom('"', '\\', '}', '9') }), tie('any')),
    ),
  })).any

  function depthOf(item: unknown): number {
    return typeof item === 'object' && item !== null ? 1 + Math.max(0, ...Object.values(item).map(depthOf)) : 0
  }

  it('finds the depth of the value', () => {
    fc.assert(
      fc.property(value, (item) => {
        expect(inspectBody(JSON.stringify(item)).depth).toBe(depthOf(item))
      }),
    )
  })

  it('ignores long numbers inside strings', () => {
    expect(inspectBody('{"a":"1234567890123456"}').tooPrecise).toBe(false)
    expect(inspectBody('{"a\\\\":1234567890123456}').tooPrecise).toBe(true)
    expect(inspectBody('{"a\\"":"\\\\","b":[1.234567890123456]}').tooPrecise).toBe(true)
    expect(inspectBody('[123456789012345,123456789012345]').tooPrecise).toBe(false)
    expect(inspectBody('[100000000000000000000,0.00000000000000000001,1.50000000000000000000]').tooPrecise).toBe(false)
    expect(inspectBody(`[${'0'.repeat(2_000)}]`).tooPrecise).toBe(true)
  })

  it.each([
    ['many numbers', `{"a":[${'1234567890123456,'.repeat(50_000)}1]}`],
    ['one number of as many digits', `{"a":${'1'.repeat(850_000)}}`],
    ['one such number among many others', `{"a":[${'1,'.repeat(400_000)}1234567890123456]}`],
    ['what is no JSON at all', `${'['.repeat(3)}${'1,'.repeat(10_000)}1234567890123456 nonsense`],
  ])('refuses a large text without parsing if it contains %s that are too precise', (_what, text) => {
    expect(codeOf(text)).toBe('TOO_PRECISE ')
  })

  it('gives the same value through either parser', () => {
    fc.assert(
      fc.property(value, (item) => {
        const text = JSON.stringify(item)
        const careful = parseBody(Buffer.from(`{"x":${text},"long":1000000000000000001}`))
        fc.pre(text.length < 16_000 && careful.problems.length === 1)
        expect(careful.problems[0]).toMatchObject({ code: 'TOO_PRECISE', pointer: '/long' })
        expect((careful.value as { x: unknown }).x).toEqual(JSON.parse(text))
      }),
    )
  })

  it.each([
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['a byte order mark', Buffer.from('\uFEFF{}')],
    ['two values', Buffer.from('{}{}')],
  ])('%s is refused', (_what, bytes) => {
    expect(() => parseBody(bytes)).toThrow('MALFORMED_JSON')
  })
})

describe('canonical JSON', () => {
  it('is the same for every order of members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (item) => {
        const canonical = canonicalJson(item)
        expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify(item)))
        expect(canonicalJson(reverseMembers(item))).toBe(canonical)
      }),
    )
  })

  it('orders members as RFC 8785 does', () => {
    const members = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew',
      1: 'One',
      '\ud83d\ude00': 'Smiley',
      '\u0080': 'Control',
      '\u00f6': 'Latin',
    }
    expect(Object.values(JSON.parse(canonicalJson(members)) as object)).toHaveLength(7)
    expect([...canonicalJson(members).matchAll(/:"([^"]+)"/g)].map(([, name]) => name)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin',
      'Euro Sign',
      'Smiley',
      'Hebrew',
    ])
    expect(digestOf({ b: 1, a: undefined })).toBe(digestOf({ b: 1 }))
  })
})

function reverseMembers(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item
  if (Array.isArray(item)) return item.map(reverseMembers)
  return Object.fromEntries(
    Object.entries(item)
      .reverse()
      .map(([name, member]) => [name, reverseMembers(member)]),
  )
}
