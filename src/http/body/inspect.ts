// Scans a body's text before it is parsed: nesting depth, and whether it contains a number that a double may not hold.
// It only distinguishes strings from the rest; the parser decides whether the text is JSON.
import { EXACT_DIGITS, significantDigits } from '../../../machines/amount.ts'

const QUOTE = 34
const BACKSLASH = 92
const NUMBER = /[0-9.eE+-]*/y
/** A longer number is rejected without being parsed. */
const MAX_NUMBER_LENGTH = 1_000

export interface Inspection {
  readonly depth: number
  /** A number has more than 15 significant digits, or is out of range. */
  readonly tooPrecise: boolean
}

export function inspectBody(text: string): Inspection {
  let depth = 0
  let deepest = 0
  let tooPrecise = false
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit >= 48 && unit <= 57) {
      const end = endOfNumber(text, at)
      tooPrecise ||= isTooPrecise(text, at, end)
      at = end - 1
    } else if (unit === QUOTE) at = endOfText(text, at + 1)
    else if (unit === 123 || unit === 91) deepest = Math.max(deepest, ++depth)
    else if (unit === 125 || unit === 93) depth -= 1
  }
  return { depth: deepest, tooPrecise }
}

function endOfNumber(text: string, from: number): number {
  NUMBER.lastIndex = from
  NUMBER.test(text)
  return Math.max(NUMBER.lastIndex, from + 1)
}

function isTooPrecise(text: string, from: number, end: number): boolean {
  if (end - from <= EXACT_DIGITS) return false
  if (end - from > MAX_NUMBER_LENGTH) return true
  const digits = significantDigits(text.slice(from, end))
  return digits === null || digits > EXACT_DIGITS
}

/** Index of the closing quote, which an even number of backslashes precedes. */
function endOfText(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at > 0 && text.charCodeAt(at - 1) === BACKSLASH) {
    let first = at - 1
    while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first -= 1
    if ((at - first) % 2 === 0) return at
    at = text.indexOf('"', at + 1)
  }
  return at < 0 ? text.length : at
}
