// Amounts as clients send them (a JSON number or a decimal string), normalized to decimal text without exponent and
// trailing zeros: 1.50, "1.50" and 1.5 are the same amount. Numbers with more than 15 significant digits are rejected
// earlier (body/parse.ts).
import { z } from 'zod'
import { U64_MAX } from '../../../machines/amount.ts'
import { issueOf, type Finding } from './rule.ts'

const DECIMAL = /^(0|[1-9]\d{0,99})(?:\.(\d{1,99}))?$/
const WHOLE = /^(0|[1-9]\d{0,99})$/
const MAX_WHOLE_DIGITS = 20
const MAX_PLACES = 99

type Read = (value: unknown) => string | Finding

function schemaOf(read: Read, about: Record<string, unknown>) {
  return z
    .unknown()
    .transform((value, context) => {
      const result = read(value)
      if (typeof result === 'string') return result
      context.issues.push(issueOf(result, value))
      return z.NEVER
    })
    .meta(about)
}

/** Display units, greater than zero. */
export const amount = schemaOf((value) => refuseZero(decimalOf(value)), {
  type: ['number', 'string'],
  exclusiveMinimum: 0,
  description: 'Display units: a JSON number of at most 15 significant digits, or a decimal string.',
  examples: [12.5, '12.5'],
})

/** Display units, zero allowed: a limit. */
export const amountOrZero = schemaOf(decimalOf, {
  type: ['number', 'string'],
  minimum: 0,
  description: 'Display units, zero included: a JSON number or a decimal string.',
})

/** A number of either sign, for comparisons. */
export const signedDecimal = schemaOf(
  (value) => {
    const negative = typeof value === 'number' ? value < 0 : typeof value === 'string' && value.startsWith('-')
    if (!negative) return decimalOf(value)
    const text = decimalOf(typeof value === 'number' ? -value : (value as string).slice(1))
    return typeof text === 'string' && text !== '0' ? `-${text}` : text
  },
  { type: ['number', 'string'], description: 'A JSON number or a decimal string.' },
)

/** Raw integer units, greater than zero, at most 2^64 - 1. */
export const lamports = schemaOf(
  (value) => {
    const text = refuseZero(decimalOf(value))
    if (typeof text !== 'string') return text
    if (!WHOLE.test(text)) return { code: 'TOO_PRECISE', message: 'must be a whole number' }
    return BigInt(text) > U64_MAX ? tooLarge() : text
  },
  {
    type: ['integer', 'string'],
    exclusiveMinimum: 0,
    description: 'Raw integer units: a JSON number or a decimal string.',
    examples: [1000000],
  },
)

function decimalOf(value: unknown): string | Finding {
  // From 10^21 on a double prints an exponent; that is more than any amount.
  if (typeof value === 'number') return value >= 1e21 ? tooLarge() : readText(String(value))
  if (typeof value === 'string') return value.includes('e') || value.includes('E') ? malformed() : readText(value)
  if (value === undefined) return { code: 'REQUIRED', message: 'is needed' }
  return { code: 'INVALID_TYPE', message: 'must be a number or a decimal string' }
}

function readText(text: string): string | Finding {
  const plain = text.includes('e-') ? withoutExponent(text) : text
  if (plain === null) return tooPrecise()
  const match = DECIMAL.exec(plain)
  if (match === null) return plain.startsWith('-') ? negative() : unread(plain)
  const [, whole = '', places] = match
  if (whole.length > MAX_WHOLE_DIGITS) return tooLarge()
  if (places === undefined) return whole
  const kept = places.replace(/0+$/, '')
  return kept === '' ? whole : `${whole}.${kept}`
}

/** The problem of a text that is no amount, or too long for one. */
function unread(text: string): Finding {
  const [, whole = '', places = ''] = /^([1-9]\d*|0)(?:\.(\d+))?$/.exec(text) ?? []
  if (places.length > MAX_PLACES) return tooPrecise()
  return whole.length > MAX_WHOLE_DIGITS ? tooLarge() : malformed()
}

/** Expands a double's text below a millionth, e.g. `1.5e-7`; null if that takes too many places. */
function withoutExponent(text: string): string | null {
  const [, sign = '', whole = '', places = '', power = '0'] = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? []
  return Number(power) + places.length > MAX_PLACES
    ? null
    : `${sign}0.${'0'.repeat(Number(power) - 1)}${whole}${places}`
}

function refuseZero(text: string | Finding): string | Finding {
  const isNegative = typeof text !== 'string' && text.code === 'NOT_POSITIVE'
  return text === '0' || isNegative ? { code: 'NOT_POSITIVE', message: 'must be greater than 0' } : text
}

function negative(): Finding {
  return { code: 'NOT_POSITIVE', message: 'must not be negative' }
}

function tooLarge(): Finding {
  return { code: 'TOO_LARGE', message: 'must fit in a u64' }
}

function tooPrecise(): Finding {
  return { code: 'TOO_PRECISE', message: `has more than ${MAX_PLACES} decimals` }
}

function malformed(): Finding {
  return { code: 'INVALID_VALUE', message: 'must be a plain decimal number' }
}
