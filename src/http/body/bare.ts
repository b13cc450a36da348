// The contract gives the bodies of some endpoints by their members alone. There the members of `itemData` may stand in
// the body itself: it is read as if it had `itemData`, and pointers are those into the body that was sent.
import { Refusal } from '../../contract/refusal.ts'
import type { ParsedBody } from './parse.ts'

const ITEM = '/itemData'
/** Members that stand beside `itemData`. */
const BESIDE: ReadonlySet<string> = new Set(['chainTransactionConfig', 'tenancyConfig', 'itemQuery', 'itemsQuery'])

type Members = Record<string, unknown>

/** The same body with `itemData`; undefined if it has `itemData` already, or nothing that could be in it. */
export function wrapBare({ value, problems, hasNull }: ParsedBody): ParsedBody | undefined {
  if (!isObject(value) || !isBare(value)) return undefined
  const entries = Object.entries(value)
  const wrapped = {
    ...Object.fromEntries(entries.filter(([member]) => BESIDE.has(member))),
    itemData: Object.fromEntries(entries.filter(([member]) => !BESIDE.has(member))),
  }
  const moved = problems.map((problem) => {
    const { pointer = '' } = problem
    const member = pointer.split('/')[1]
    return member === undefined || BESIDE.has(member) ? problem : { ...problem, pointer: `${ITEM}${pointer}` }
  })
  return { value: wrapped, problems: moved, hasNull }
}

/** A schedule has a member `itemData` of its own, beside its `operation`. */
function isBare(value: Members): boolean {
  const { itemData, operation } = value
  if (itemData === undefined) return Object.keys(value).some((member) => !BESIDE.has(member))
  return operation !== undefined && !(isObject(itemData) && 'operation' in itemData)
}

/** The refusal of a wrapped body, for the body that was sent. */
export function unwrapPointers(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  const problems = error.problems.map((problem) =>
    problem.pointer === ITEM || problem.pointer?.startsWith(`${ITEM}/`) === true
      ? { ...problem, pointer: problem.pointer.slice(ITEM.length) }
      : problem,
  )
  return new Refusal(error.status, problems, error.retryAfterSeconds)
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
