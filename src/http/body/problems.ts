// Converts schema issues to problems with stable codes. Messages never repeat a value, because it may be a secret.
import type { z } from 'zod'
import type { Problem } from '../../contract/refusal.ts'
import { childPointer, pointerOf } from './pointer.ts'

const MAX_PROBLEMS = 100
const MAX_QUOTED = 64

type Issue = z.core.$ZodIssue

/**
 * All problems of a body, at most 100.
 *
 * @param found problems of the parser; schema issues at the same pointers are dropped
 */
export function problemsOf(issues: readonly Issue[], found: readonly Problem[]): Problem[] {
  const known = new Set(found.map(({ pointer }) => pointer))
  const problems = [...found]
  for (const issue of issues) {
    for (const problem of problemsOfIssue(issue)) if (!known.has(problem.pointer)) problems.push(problem)
  }
  return problems.slice(0, MAX_PROBLEMS)
}

function problemsOfIssue(issue: Issue): Problem[] {
  const pointer = pointerOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_PROBLEMS).map((name) => ({
      code: 'UNKNOWN_MEMBER',
      message: `${quoted(name)} is not a member here`,
      pointer: childPointer(pointer, name),
      retryable: false,
    }))
  }
  const [code, message] = describe(issue)
  return [{ code, message, pointer, retryable: false }]
}

function describe(issue: Issue): [code: string, message: string] {
  switch (issue.code) {
    case 'custom':
      return [typeof issue.params?.['code'] === 'string' ? issue.params['code'] : 'INVALID_VALUE', issue.message]
    case 'invalid_type':
      return issue.input === undefined
        ? ['REQUIRED', 'is needed']
        : ['INVALID_TYPE', `must be ${typeName(issue.expected)}`]
    case 'invalid_value':
      return issue.input === undefined
        ? ['REQUIRED', 'is needed']
        : ['INVALID_VALUE', `must be one of ${issue.values.map(String).join(', ')}`]
    case 'too_big':
      return sized(issue.origin)
        ? ['TOO_LONG', `has more than ${String(issue.maximum)} ${units(issue.origin)}`]
        : ['TOO_LARGE', `must be at most ${String(issue.maximum)}`]
    case 'too_small':
      return sized(issue.origin)
        ? ['TOO_SHORT', `has fewer than ${String(issue.minimum)} ${units(issue.origin)}`]
        : ['TOO_SMALL', `must be at least ${String(issue.minimum)}`]
    case 'invalid_format':
      return [
        'INVALID_FORMAT',
        issue.format === 'datetime' ? 'must be an ISO 8601 time with a zone' : 'does not have the right form',
      ]
    case 'invalid_union':
      // The member that selects an option of the union is missing or has an unknown value.
      if (issue.input === undefined || lacksMember(issue)) return ['REQUIRED', 'is needed']
      return 'options' in issue
        ? ['INVALID_VALUE', `must be one of ${issue.options.map(String).join(', ')}`]
        : ['INVALID_VALUE', 'is not what is expected here']
    default:
      return ['INVALID_VALUE', 'is not what is expected here']
  }
}

function lacksMember({ input, path }: Issue): boolean {
  const name = path.at(-1)
  return (
    typeof input === 'object' &&
    input !== null &&
    typeof name === 'string' &&
    (input as Record<string, unknown>)[name] === undefined
  )
}

function sized(origin: string): boolean {
  return origin === 'string' || origin === 'array'
}

function units(origin: string): string {
  return origin === 'string' ? 'characters' : 'entries'
}

function typeName(expected: string): string {
  const names: Readonly<Record<string, string>> = {
    string: 'text',
    boolean: 'true or false',
    number: 'a number',
    int: 'a whole number',
    array: 'a list',
    object: 'an object',
  }
  return names[expected] ?? expected
}

function quoted(name: string): string {
  return JSON.stringify(name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}...` : name)
}
