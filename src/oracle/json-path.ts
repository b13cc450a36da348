// Paths into JSON, interpreted and never executed as code. The subset: `$`, `.name`, `['name']`, `[n]` (from the end
// when negative), `*`, slices `[from:to:step]`, and filters `[?(@.a.b == literal)]` with ==, !=, <, <=, >, >= or
// without a comparison (the member exists). Nothing else.
import { compare, parseDecimal } from './decimal.ts'
import { JsonNumber, type Json } from './json.ts'
import { FILTERED_VALUE } from './work.ts'

/** The path is not in the subset, or matches too many values. */
export class PathRefused extends Error {
  override readonly name = 'PathRefused'
}

type Operator = '==' | '!=' | '<' | '<=' | '>' | '>='
type Literal = string | boolean | null | { readonly number: string }

type Step =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'slice'; readonly from: number | null; readonly to: number | null; readonly step: number }
  | {
      readonly kind: 'filter'
      readonly names: readonly string[]
      readonly test: { readonly operator: Operator; readonly literal: Literal } | null
    }

export type Path = readonly Step[]

const MAX_STEPS = 32
const MAX_MATCHES = 10_000
const DOTTED = /\.([^\s.[\]()*?@,:'"]+)/y
const QUOTED = /\[\s*(?:'((?:[^'\\]|\\['\\])*)'|"((?:[^"\\]|\\["\\])*)")\s*\]/y
const INDEX = /\[\s*(-?\d{1,9})\s*\]/y
const ALL = /\.\*|\[\s*\*\s*\]/y
const SLICE = /\[\s*(-?\d{1,9})?\s*:\s*(-?\d{1,9})?\s*(?::\s*(\d{1,9})?\s*)?\]/y
const FILTER =
  /\[\s*\?\s*\(?\s*@((?:\.[^\s.[\]()*?@,:'"=<>!&|]+|\['[^'\\]*'\]|\["[^"\\]*"\])*)\s*(?:(==|!=|<=|>=|<|>)\s*('[^'\\]*'|"[^"\\]*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)\s*)?\)?\s*\]/y
const FILTER_NAME = /\.([^\s.[\]()*?@,:'"=<>!&|]+)|\['([^'\\]*)'\]|\["([^"\\]*)"\]/g

/** Throws PathRefused. */
export function parsePath(text: string): Path {
  if (!text.startsWith('$')) throw new PathRefused('a path begins with $')
  const steps: Step[] = []
  let at = 1
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null) at += match[0].length
    return match
  }
  while (at < text.length) {
    if (steps.length === MAX_STEPS) throw new PathRefused(`the path has more than ${MAX_STEPS} steps`)
    const step = stepAt(take)
    if (step === null) throw new PathRefused(`the path is not understood from character ${at} on`)
    steps.push(step)
  }
  return steps
}

function stepAt(take: (pattern: RegExp) => RegExpExecArray | null): Step | null {
  if (take(ALL) !== null) return { kind: 'all' }
  const dotted = take(DOTTED)
  if (dotted !== null) return { kind: 'member', name: dotted[1] ?? '' }
  const quoted = take(QUOTED)
  if (quoted !== null) return { kind: 'member', name: (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/g, '$1') }
  const index = take(INDEX)
  if (index !== null) return { kind: 'index', index: Number(index[1]) }
  const slice = take(SLICE)
  if (slice !== null) {
    const [, from, to, step] = slice
    const width = Number(step ?? '1')
    if (width === 0) throw new PathRefused('a slice of step 0 ends nowhere')
    return {
      kind: 'slice',
      from: from === undefined ? null : Number(from),
      to: to === undefined ? null : Number(to),
      step: width,
    }
  }
  const filter = take(FILTER)
  if (filter === null) return null
  const [, where = '', operator, literal = ''] = filter
  const names = [...where.matchAll(FILTER_NAME)].map(([, plain, single, double]) => plain ?? single ?? double ?? '')
  return {
    kind: 'filter',
    names,
    test: operator === undefined ? null : { operator: operator as Operator, literal: literalOf(literal) },
  }
}

function literalOf(text: string): Literal {
  if (text.startsWith("'") || text.startsWith('"')) return text.slice(1, -1)
  if (text === 'true' || text === 'false') return text === 'true'
  return text === 'null' ? null : { number: text }
}

/**
 * All values that the path matches, in document order. Throws PathRefused when there are too many.
 *
 * @param charge takes the units of work
 */
export function follow(root: Json, path: Path, charge: (units: number) => void): readonly Json[] {
  let found: Json[] = [root]
  for (const step of path) {
    const next: Json[] = []
    for (const value of found) {
      charge(workOf(value, step))
      for (const each of reached(value, step)) {
        if (next.length === MAX_MATCHES) throw new PathRefused(`the path leads to more than ${MAX_MATCHES} values`)
        next.push(each)
      }
    }
    found = next
  }
  return found
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)
const isObject = (value: Json): value is ReadonlyMap<string, Json> => value instanceof Map

function workOf(value: Json, step: Step): number {
  const size = isArray(value) ? value.length : isObject(value) ? value.size : 0
  return step.kind === 'filter' ? size * FILTERED_VALUE : step.kind === 'slice' ? size : 1
}

function reached(value: Json, step: Step): Iterable<Json> {
  switch (step.kind) {
    case 'member':
      return member(value, step.name)
    case 'index':
      return isArray(value) ? item(value, step.index) : []
    case 'all':
      return children(value)
    case 'slice':
      return isArray(value) ? sliced(value, step.from, step.to, step.step) : []
    case 'filter':
      return [...children(value)].filter((each) => passes(each, step.names, step.test))
  }
}

function member(value: Json, name: string): readonly Json[] {
  if (isObject(value)) return value.has(name) ? [value.get(name)!] : []
  return isArray(value) && /^\d{1,9}$/.test(name) ? item(value, Number(name)) : []
}

function item(values: readonly Json[], index: number): readonly Json[] {
  const at = index < 0 ? values.length + index : index
  return at >= 0 && at < values.length ? [values[at]!] : []
}

function children(value: Json): Iterable<Json> {
  if (isArray(value)) return value
  return isObject(value) ? value.values() : []
}

function sliced(values: readonly Json[], from: number | null, to: number | null, step: number): readonly Json[] {
  return values.slice(from ?? 0, to ?? values.length).filter((_, index) => index % step === 0)
}

type Test = Extract<Step, { readonly kind: 'filter' }>['test']

function passes(value: Json, names: readonly string[], test: Test): boolean {
  let found: Json | undefined = value
  for (const name of names) {
    // A path may have thousands of names, and JSON is at most 64 deep.
    if (found === undefined) break
    found = member(found, name)[0]
  }
  if (found === undefined) return test?.operator === '!='
  return test === null || holds(found, test.operator, test.literal)
}

/** Values of different types are unequal, and neither is less. */
function holds(found: Json, operator: Operator, literal: Literal): boolean {
  const order = orderOf(found, literal)
  switch (operator) {
    case '==':
      return order === 0
    case '!=':
      return order !== 0
    case '<':
      return order !== null && order < 0
    case '<=':
      return order !== null && order <= 0
    case '>':
      return order !== null && order > 0
    case '>=':
      return order !== null && order >= 0
  }
}

/** Null if they cannot be compared. */
function orderOf(found: Json, literal: Literal): number | null {
  if (found instanceof JsonNumber && typeof literal === 'object' && literal !== null) {
    const [left, right] = [parseDecimal(found.text), parseDecimal(literal.number)]
    return left === null || right === null ? null : compare(left, right)
  }
  if (typeof found === 'string' && typeof literal === 'string') return found === literal ? 0 : found < literal ? -1 : 1
  const plain = found === null || typeof found === 'boolean'
  return plain && found === literal ? 0 : null
}
