// Values as the engine compares them: numbers and instants as exact integers, everything else as text.
import type { FieldType, FieldValue } from './field.ts'

/** Decimals kept of a number: more than any amount has. */
const SCALE = 18
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

export type Comparable = string | bigint | boolean

/** null for null, and for text that is no number or instant. */
export function comparable(type: FieldType, value: FieldValue): Comparable | null {
  if (value === null) return null
  if (type === 'NUMBER') return scaled(String(value))
  if (type === 'TIMESTAMP') return instant(String(value))
  if (type === 'BOOLEAN') return Boolean(value)
  return String(value)
}

/** A decimal times 10^18; null when it is malformed or has more decimals. */
export function scaled(text: string): bigint | null {
  const [, sign, whole, fraction = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined || fraction.length > SCALE) return null
  const magnitude = BigInt(whole + fraction.padEnd(SCALE, '0'))
  return sign === '-' ? -magnitude : magnitude
}

/** Milliseconds since 1970; null for what is not an ISO 8601 instant. */
export function instant(text: string): bigint | null {
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(text)) return null
  const ms = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(text) || text.length <= 10 ? text : `${text}Z`)
  return Number.isNaN(ms) ? null : BigInt(ms)
}

/** Text by Unicode code point, numbers and instants by value, false before true. */
export function compare(left: Comparable, right: Comparable): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right)
  return left < right ? -1 : left > right ? 1 : 0
}

/** UTF-16 order differs from code point order where a surrogate meets a later unit of the basic plane. */
function compareText(left: string, right: string): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  let at = 0
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1
  if (at === length) return left.length - right.length
  const a = left.charCodeAt(at)
  const b = right.charCodeAt(at)
  return orderOf(a) - orderOf(b)
}

function orderOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
