// Parses a body. A number with more than 15 significant digits is rejected, because a double may not hold it and a
// different amount of money would be moved.
import { isUtf8 } from 'node:buffer'
import { parse as parseLossless } from 'lossless-json'
import { EXACT_DIGITS, significantDigits } from '../../../machines/amount.ts'
import { Refusal, type Problem } from '../../contract/refusal.ts'
import { inspectBody } from './inspect.ts'
import { childPointer } from './pointer.ts'

const MAX_DEPTH = 32
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

/** Numbers that count records of a list: beyond what a double holds exactly there are none. */
const COUNTS: ReadonlySet<string> = new Set(['/itemQuery/skip', '/itemsQuery/skip'])
const WHOLE = /^\d+(?:[eE]\+?\d+)?$/

export interface ParsedBody {
  readonly value: unknown
  /** Problems of numbers, to be reported together with those of the schema. */
  readonly problems: readonly Problem[]
  /** Whether the word `null` occurs. */
  readonly hasNull: boolean
}

/**
 * Throws a Refusal (400 MALFORMED_JSON; 400 TOO_PRECISE for a large body). Of duplicate members the last one counts.
 */
export function parseBody(bytes: Buffer): ParsedBody {
  if (!isUtf8(bytes)) throw malformed('the body is not UTF-8')
  const text = bytes.toString('utf8')
  const { depth, tooPrecise } = inspectBody(text)
  if (depth > MAX_DEPTH) throw malformed(`the body nests deeper than ${MAX_DEPTH} levels`)
  const hasNull = text.includes('null')
  if (!tooPrecise) return { value: parsePlainly(text), problems: [], hasNull }
  if (text.length > MAX_CAREFUL_LENGTH) throw new Refusal(400, [tooPreciseAt('', 'the body holds')])
  const value = parseCarefully(text)
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

function parseCarefully(text: string): unknown {
  try {
    return parseLossless(text, null, { parseNumber: numberOrMarker, onDuplicateKey: ({ newValue }) => newValue })
  } catch {
    throw malformed('the body is not JSON')
  }
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
  const message = `${verb} a number of more than ${EXACT_DIGITS} significant digits: send it as a string`
  return { code: 'TOO_PRECISE', message, pointer, retryable: false }
}

function malformed(message: string): Refusal {
  return new Refusal(400, [{ code: 'MALFORMED_JSON', message, pointer: '', retryable: false }])
}
