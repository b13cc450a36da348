// JSON text in and out. A u64 is written as an exact integer (a real node does so for lamports beyond 2^53 too), and an
// integer over 2^53 in a request with lamports is read exactly, as bigint.

import { parse as parseLossless } from 'lossless-json'

/**
 * Writes a value as JSON. bigint becomes an integer, undefined members are left out, a non-finite number becomes null.
 * Needed because JSON.stringify rejects bigint, and Node 20 has no raw JSON.
 */
export function jsonText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'bigint':
      return value.toString()
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? arrayText(value) : objectText(value)
    default:
      return 'null'
  }
}

function arrayText(values: readonly unknown[]): string {
  let text = '['
  for (let i = 0; i < values.length; i++) text += i === 0 ? jsonText(values[i]) : `,${jsonText(values[i])}`
  return `${text}]`
}

function objectText(value: object): string {
  let text = '{'
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    text += `${text.length === 1 ? '' : ','}${JSON.stringify(key)}:${jsonText(member)}`
  }
  return `${text}}`
}

/**
 * Parses a request body. Only requestAirdrop takes an amount, so only a body that contains this name uses the slower
 * exact parser.
 * @throws SyntaxError (or RangeError for too deep nesting) when it is not JSON
 */
export function parseJson(text: string): unknown {
  if (!text.includes('requestAirdrop')) return JSON.parse(text)
  return parseLossless(text, undefined, exactNumber)
}

function exactNumber(digits: string): number | bigint {
  const value = Number(digits)
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(digits) ? value : BigInt(digits)
}
