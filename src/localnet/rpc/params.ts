// Parses the positional parameters of a call. For any JSON from a client, a value read here has the requested type, or
// the call ends with -32602 and the message of a real node. Client objects are never modified.

import { decodeBase58, decodeKey, decodeSignature } from '../base58.ts'
import { invalidParams } from './error.ts'

export type Params = readonly unknown[]
export type Config = Readonly<Record<string, unknown>>

const NO_CONFIG: Config = Object.freeze(Object.create(null) as Config)
const MAX_ADDRESS_TEXT = 44
const MAX_SIGNATURE_TEXT = 88

/** Throws unless at least `count` parameters were given. */
export function requireCount(params: Params, count: number): void {
  if (params.length < count) throw invalidParams(`\`params\` should have at least ${count} argument(s)`)
}

/** The message of a typed parser for a value of the wrong type. */
export function wrongType(value: unknown, expected: string): Error {
  return invalidParams(`Invalid params: invalid type: ${describe(value)}, expected ${expected}.`)
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'sequence'
  switch (typeof value) {
    case 'string':
      return `string ${JSON.stringify(value.length > 64 ? `${value.slice(0, 64)}...` : value)}`
    case 'number':
      return Number.isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``
    case 'bigint':
      return `integer \`${value}\``
    case 'boolean':
      return `boolean \`${value}\``
    default:
      return 'map'
  }
}

export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw wrongType(value, 'a string')
  return value
}

export function booleanOf(value: unknown, otherwise: boolean): boolean {
  if (value === undefined || value === null) return otherwise
  if (typeof value !== 'boolean') throw wrongType(value, 'a boolean')
  return value
}

/** A non-negative integer that a number represents exactly (slots, lengths, limits). */
export function countOf(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  if (typeof value === 'number' && Number.isInteger(value)) {
    throw invalidParams(`Invalid params: invalid value: integer \`${value}\`, expected u64.`)
  }
  throw wrongType(value, 'u64')
}

export function optionalCount(value: unknown): number | undefined {
  return value === undefined || value === null ? undefined : countOf(value)
}

/** A u64 amount, exact beyond 2^53. */
export function u64Of(value: unknown): bigint {
  if (typeof value === 'bigint' && value >= 0n && value < 1n << 64n) return value
  return BigInt(countOf(value))
}

export function arrayOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongType(value, 'a sequence')
  return value
}

export function isRecord(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The configuration object at `index`; absent or null is an empty one. */
export function configAt(params: Params, index: number): Config {
  const value = params[index]
  if (value === undefined || value === null) return NO_CONFIG
  if (!isRecord(value)) throw wrongType(value, 'a configuration object')
  return value
}

function invalidBase58(text: string, longest: number): Error {
  const isTooLong = text.length > longest
  return invalidParams(`Invalid param: ${isTooLong || decodeBase58(text) !== null ? 'WrongSize' : 'Invalid'}`)
}

/** A 32-byte address or hash in base58. */
export function addressOf(value: unknown): Uint8Array {
  const text = textOf(value)
  const key = decodeKey(text)
  if (key === null) throw invalidBase58(text, MAX_ADDRESS_TEXT)
  return key
}

/** A valid signature in base58; returns the text itself, the form used by the ledger. */
export function signatureOf(value: unknown): string {
  const text = textOf(value)
  if (decodeSignature(text) === null) throw invalidBase58(text, MAX_SIGNATURE_TEXT)
  return text
}

/** One of the names; another value is rejected as an `unknown variant`. */
export function oneOf<Name extends string>(value: unknown, names: readonly Name[]): Name {
  const text = textOf(value)
  const match = names.find((name) => name === text)
  if (match === undefined) {
    const listed = names.map((name) => `\`${name}\``).join(', ')
    throw invalidParams(`Invalid params: unknown variant \`${text.slice(0, 64)}\`, expected one of ${listed}.`)
  }
  return match
}
