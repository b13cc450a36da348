// Parsers from the text of a setting to its value. A parser throws an Error that completes the sentence "HOLDFAST_X
// ...". Messages quote the text only if it cannot contain a secret.
import { parse as parseStrictly } from 'lossless-json'

export type Parser<T> = (text: string) => T

const MAX_U64 = 2n ** 64n - 1n

/** A whole number in decimal digits, both bounds inclusive. */
export function wholeNumber(min: number, max: number): Parser<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN
    if (!(value >= min && value <= max)) throw new Error(`must be a whole number from ${min} to ${max}, not "${text}"`)
    return value
  }
}

/** Lamports, 1 to 2^64 - 1. */
export const lamports: Parser<bigint> = (text) => {
  const value = /^\d{1,20}$/.test(text) ? BigInt(text) : 0n
  if (value < 1n || value > MAX_U64) throw new Error(`must be a whole number of lamports, at least 1, not "${text}"`)
  return value
}

/** One of a few words. */
export function oneOf<const T extends string>(words: readonly T[]): Parser<T> {
  return (text) => {
    const found = words.find((word) => word === text)
    if (found === undefined) throw new Error(`must be one of ${words.join(', ')}, not "${text}"`)
    return found
  }
}

export const onOrOff: Parser<boolean> = (text) => oneOf(['on', 'off'])(text) === 'on'

/** A name or address to listen on, without scheme, port or brackets. */
export const listenHost: Parser<string> = (text) => {
  if (!/^[A-Za-z0-9._:-]+$/.test(text)) throw new Error(`must be a host name or an IP address, not "${text}"`)
  return text
}

export interface RateLimitSetting {
  readonly perSecond: number
  /** Size of the bucket in requests. */
  readonly burst: number
}

/** `200/400`: requests per second, and burst. */
export const rateLimit: Parser<RateLimitSetting> = (text) => {
  const match = /^(\d{1,7})\/(\d{1,7})$/.exec(text)
  const perSecond = Number(match?.[1])
  const burst = Number(match?.[2])
  if (!(perSecond >= 1 && burst >= 1))
    throw new Error(`must be <requests per second>/<burst>, for example 200/400, not "${text}"`)
  return { perSecond, burst }
}

/** The value of a JSON text; null: it is not JSON. Throws if a member has two values: one would be ignored. */
export function jsonValue(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  parseStrictly(text, null, {
    onDuplicateKey: ({ key }) => {
      throw new Error(`names ${/^\w{1,64}$/.test(key) ? key : 'a member'} twice, with different values`)
    },
  })
  return value
}

/** 32 bytes in standard base64 with padding. The text is never quoted. */
export const key32: Parser<Uint8Array> = (text) => {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 32 || bytes.toString('base64') !== text)
    throw new Error('must be 32 bytes in base64 (44 characters)')
  return bytes
}

/** Comma-separated; blanks around an entry are ignored; empty text is an empty list. No entry may occur twice. */
export function listOf<T>(entry: Parser<T>): Parser<readonly T[]> {
  return (text) => {
    if (text.trim() === '') return []
    const parts = text.split(',').map((part) => part.trim())
    const values = parts.map((part) => entry(part))
    const twice = parts.findIndex((part, index) => parts.indexOf(part) < index)
    // By its place: the URL of an endpoint may contain a key.
    if (twice >= 0) throw new Error(`names its entry ${twice + 1} twice`)
    return values
  }
}

/** A list of which each number is greater than the one before. */
export function ascending(numbers: Parser<readonly number[]>): Parser<readonly number[]> {
  return (text) => {
    const list = numbers(text)
    if (list.some((each, index) => index > 0 && each <= list[index - 1]!))
      throw new Error(`must be in ascending order, not "${text}"`)
    return list
  }
}
