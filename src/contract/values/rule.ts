// Custom rules for schemas: each finding has a stable code. A rule allocates only if it finds a problem.
import { z } from 'zod'

export interface Finding {
  readonly code: string
  readonly message: string
  /** Path relative to the checked value. */
  readonly path?: readonly (string | number)[]
}

type Check<T> = (value: T) => Finding | undefined

/** Checks a value that already has the right type. */
export function rule<T>(judge: Check<T>): z.core.$ZodCheck<T> {
  return z.check<T>((payload) => {
    const finding = judge(payload.value)
    if (finding !== undefined) payload.issues.push(issueOf(finding, payload.value))
  })
}

/**
 * Checks the members of an object against each other, even if one of them is invalid, so that all problems are reported
 * at once.
 */
export function acrossMembers<T extends object>(judge: Check<T>): z.core.$ZodCheck<T> {
  const check = rule<T>((value) => (isObject(value) ? judge(value) : undefined))
  check._zod.def.when = () => true
  return check
}

let reportsAll = false

/**
 * A rule that the operation applies to every valid body. The schema applies it to the valid parts of an invalid body,
 * within `reportingAll`.
 */
export function ruleOfOperation<T>(judge: (value: T) => readonly Finding[]): z.core.$ZodCheck<T> {
  return z.check<T>((payload) => {
    if (!reportsAll || payload.issues.length > 0) return
    for (const finding of judge(payload.value)) payload.issues.push(issueOf(finding, payload.value))
  })
}

/** Parses a body that is known to be invalid, to report the problems of all rules. */
export function reportingAll<Result>(parse: () => Result): Result {
  reportsAll = true
  try {
    return parse()
  } finally {
    reportsAll = false
  }
}

export function issueOf(finding: Finding, input: unknown): z.core.$ZodRawIssue {
  const { code, message, path = [] } = finding
  return { code: 'custom', input, params: { code }, message, path: [...path], continue: true }
}

type Name<T> = keyof T & string

/**
 * Two forms of one amount, which may be given together; the operation, which knows the decimals, checks that they
 * agree.
 */
export const AMOUNT = ['amount', 'lamports'] as const

/** Requires exactly one of the members; `false` counts as absent. A nested list of members counts as one. */
export function exactlyOne<T extends object>(
  alternatives: readonly (Name<T> | readonly Name<T>[])[],
): z.core.$ZodCheck<T> {
  const groups = alternatives.map((each) => (typeof each === 'string' ? [each] : each))
  const list = groups.flat().join(', ')
  return acrossMembers<T>((value) => {
    let first: string | undefined
    for (const group of groups) {
      const given = group.find((name) => isGiven(value[name]))
      if (given === undefined) continue
      if (first !== undefined)
        return { code: 'MUTUALLY_EXCLUSIVE', message: `only one of ${list} may be given`, path: [given] }
      first = given
    }
    if (first !== undefined) return undefined
    return { code: 'REQUIRED', message: `exactly one of ${list} is needed`, path: [groups[0]![0]!] }
  })
}

/** Allows at most one of the members; `false` counts as absent. */
export function atMostOne<T extends object>(names: readonly (keyof T & string)[]): z.core.$ZodCheck<T> {
  return acrossMembers<T>((value) => {
    const second = names.filter((name) => isGiven(value[name]))[1]
    if (second === undefined) return undefined
    return { code: 'MUTUALLY_EXCLUSIVE', message: `only one of ${names.join(', ')} may be given`, path: [second] }
  })
}

/** Requires at least one of the members. */
export function atLeastOne<T extends object>(names: readonly (keyof T & string)[]): z.core.$ZodCheck<T> {
  return acrossMembers<T>((value) => {
    for (const name of names) if (value[name] !== undefined) return undefined
    return { code: 'REQUIRED', message: `at least one of ${names.join(', ')} is needed` }
  })
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Requires at least one of the members, with any value: `false` and null are changes too. */
export function changesSomething<T extends object>(names: readonly string[]): z.core.$ZodCheck<T> {
  return acrossMembers<T>((value) =>
    names.some((name) => name in value)
      ? undefined
      : { code: 'REQUIRED', message: `at least one of ${names.join(', ')} is needed` },
  )
}
