// The tasks of a job that need only their operands.
import { add, compare, divide, mean, median, multiply, power, subtract, addAll, type Decimal } from './decimal.ts'
import { numberIn, TaskFailed, type Current } from './current.ts'
import type { Task, TaskKind } from './job.ts'
import { JsonNumber, printJson, type Json } from './json.ts'
import { follow, parsePath, type Path } from './json-path.ts'
import { SORTED_VALUE } from './work.ts'

export type TaskOf<Kind extends TaskKind> = Extract<Task, { readonly kind: Kind }>

const OPERATIONS = {
  addTask: add,
  subtractTask: subtract,
  multiplyTask: multiply,
  divideTask: divide,
  powTask: power,
} as const

export function operate(kind: keyof typeof OPERATIONS, current: Decimal, operand: Decimal): Decimal {
  return OPERATIONS[kind](current, operand)
}

const NO_PATH: Path = []

/**
 * @param text the path, if it contains variables
 * @param charge takes the units of work, and throws from the limit on
 */
export function select(
  json: Json,
  { path, aggregation }: TaskOf<'jsonParseTask'>,
  text: string | null,
  charge: (units: number) => void,
): Current {
  const found = follow(json, text === null ? (path ?? NO_PATH) : parsePath(text), charge)
  const [first, ...others] = found
  if (first === undefined) throw new TaskFailed('the path leads to nothing')
  if (aggregation === 'NONE') {
    if (others.length > 0)
      throw new TaskFailed(`the path leads to ${found.length} values, which needs an aggregationMethod`)
    const current = asCurrent(first)
    if (current !== null && 'text' in current) charge(current.text.length)
    return current
  }
  charge(found.length * SORTED_VALUE)
  const numbers = found.map(asNumber)
  const sorted = numbers.toSorted(compare)
  switch (aggregation) {
    case 'MIN':
      return { number: sorted[0]! }
    case 'MAX':
      return { number: sorted.at(-1)! }
    case 'SUM':
      return { number: addAll(numbers) }
    case 'MEAN':
      return { number: mean(numbers) }
    case 'MEDIAN':
      return { number: median(numbers) }
  }
}

/** Objects and arrays remain JSON text, so that a later task can parse them. */
function asCurrent(value: Json): Current {
  if (value === null) throw new TaskFailed('the path leads to null')
  if (value instanceof JsonNumber) return { number: asNumber(value) }
  return { text: typeof value === 'string' ? value : printJson(value) }
}

function asNumber(value: Json): Decimal {
  const text = value instanceof JsonNumber ? value.text : typeof value === 'string' ? value : null
  const number = text === null ? null : numberIn(text)
  if (number === null) throw new TaskFailed('the path leads to something that is no number')
  return number
}
