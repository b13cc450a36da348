// Parses a body. A number with more than 15 significant digits is rejected, because a double may not hold it and a
// different amount of money would be moved.
import { isUtf8 } from 'node:buffer'
import { parse as parseLossless } from 'lossless-json'
import { EXACT_DIGITS, significantDigits } from '../../../machines/amount.ts'
import { Refusal, type Problem } from '../../contract/refusal.ts'
import { childPointer } from './pointer.ts'

const MAX_DEPTH = 32
/** A body with more is refused by the schema of any operation. To count those of so large an object takes seconds. */
const MAX_MEMBERS = 500_000
/**
 * Maximum text length for locating numbers that are too precise, which is slow; a larger body is rejected as a whole.
 */
const MAX_CAREFUL_LENGTH = 16_384

/** Placeholder in a parsed body for a number that a double may not hold. Every schema rejects it. */
class LongNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Numbers that count records of a list, which are never too large for a double. */
const COUNTS: ReadonlySet<string> = new Set(['/itemQuery/skip', '/itemsQuery/skip'])
const WHOLE = /^\d+(?:[eE]\+?\d+)?$/

export interface ParsedBody {
  readonly value: unknown
  /** Problems of numbers, to be reported together with those of the schema. */
  readonly problems: readonly Problem[]
  /** Whether the word `null` occurs. */
  readonly hasNull: boolean
}

/** Throws a Refusal (400 MALFORMED_JSON, also for a member that is given twice; 400 TOO_PRECISE for a large body). */
export function parseBody(bytes: Buffer): ParsedBody {
  if (!isUtf8(bytes)) throw malformed('the body is not UTF-8')
  const text = bytes.toString('utf8')
  const { depth, members, tooPrecise } = inspectBody(text)
  if (depth > MAX_DEPTH) throw malformed(`the body nests deeper than ${MAX_DEPTH} levels`)
  const hasNull = text.includes('null')
  if (!tooPrecise) {
    const plain = parsePlainly(text)
    if (members <= MAX_MEMBERS && membersOf(plain) !== members) throw givenTwice(text)
    return { value: plain, problems: [], hasNull }
  }
  if (text.length > MAX_CAREFUL_LENGTH) throw new Refusal(400, [tooPreciseAt('', 'the body holds')])
  const value = parseCarefully(text)
  if (membersOf(value) !== members) throw givenTwice(text)
  const problems: Problem[] = []
  findLongNumbers(value, '', problems)
  return { value, problems, hasNull }
}

function parsePlainly(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw malformed('the body is not JSON')
  }
}

/** Of two members with one name the parser keeps one; the caller may have meant the other. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof LongNumber) return 0
  let count = 0
  if (Array.isArray(value)) for (const item of value) count += membersOf(item)
  else for (const name in value) count += 1 + membersOf((value as Readonly<Record<string, unknown>>)[name])
  return count
}

/** Names the member if its values differ. */
function givenTwice(text: string): Refusal {
  if (text.length <= MAX_CAREFUL_LENGTH) parseCarefully(text)
  return malformed('a member of the body is given twice')
}

function parseCarefully(text: string): unknown {
  try {
    return parseLossless(text, null, { parseNumber: numberOrMarker, onDuplicateKey: refuseDuplicate })
  } catch (error) {
    throw error instanceof Refusal ? error : malformed('the body is not JSON')
  }
}

function refuseDuplicate({ key }: { readonly key: string }): never {
  throw malformed(`the member ${JSON.stringify(key)} is given twice`)
}

function numberOrMarker(text: string): number | LongNumber {
  const digits = significantDigits(text)
  return digits === null || digits > EXACT_DIGITS ? new LongNumber(text) : Number(text)
}

/** Replaces the numbers that may be rounded, and reports the others. */
function findLongNumbers(value: unknown, pointer: string, problems: Problem[]): void {
  if (typeof value !== 'object' || value === null) return
  if (value instanceof LongNumber) {
    problems.push(tooPreciseAt(pointer, 'is'))
    return
  }
  for (const [name, member] of Object.entries(value)) {
    const at = childPointer(pointer, name)
    if (member instanceof LongNumber && COUNTS.has(at) && WHOLE.test(member.text)) {
      Object.assign(value, { [name]: Number(member.text) })
    } else findLongNumbers(member, at, problems)
  }
}

function tooPreciseAt(pointer: string, verb: string): Problem {
  const message = `${verb} a number of more than ${EXACT_DIGITS} significant digits: an amount may be sent as a string`
  return { code: 'TOO_PRECISE', message, pointer, retryable: false }
}

function malformed(message: string): Refusal {
  return new Refusal(400, [{ code: 'MALFORMED_JSON', message, pointer: '', retryable: false }])
}

const QUOTE = 34
const BACKSLASH = 92
const COLON = 58
const NUMBER = /[0-9.eE+-]*/y
/** A longer number is rejected without being parsed. */
const MAX_NUMBER_LENGTH = 1_000

interface Inspection {
  readonly depth: number
  /** Members of all objects. */
  readonly members: number
  /** A number has more than 15 significant digits, or is out of range. */
  readonly tooPrecise: boolean
}

/**
 * Scans the text before it is parsed. It only distinguishes strings from the rest; the parser decides whether the text
 * is JSON.
 */
export function inspectBody(text: string): Inspection {
  let depth = 0
  let deepest = 0
  let members = 0
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
    else if (unit === COLON) members += 1
  }
  return { depth: deepest, members, tooPrecise }
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
