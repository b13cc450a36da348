// JSON without loss. The service writes an amount as a number while it has at most 15 digits, else as a string; here
// every amount of an answer is a decimal string, however long, and a bigint may be sent as one. Which members are
// amounts is read from the document.
import { isLosslessNumber, parse } from 'lossless-json'
import { AMOUNTS } from './facts.ts'

export function parseAnswer(text: string): unknown {
  return parse(text, (member, value) => {
    if (!isLosslessNumber(value)) return value
    return AMOUNTS.has(member) ? decimal(value.value) : Number(value.value)
  })
}

export function writeBody(body: unknown): string {
  return JSON.stringify(body, (_member, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
}

/** The number as JSON writes it, without an exponent. */
function decimal(text: string): string {
  const [, sign = '', whole = '', places = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  if (Number(power) === 0) return text.replace(/[eE].*$/, '')
  const digits = whole + places
  const point = whole.length + Number(power)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return point >= digits.length
    ? `${sign}${digits}${'0'.repeat(point - digits.length)}`
    : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
