// Accepts valid request bodies faster than their zod schemas do: an acceptor checks only the members that are present
// and allocates nothing for the others. It is derived from the schema, which remains the only definition of a body and
// reports the errors of an invalid one.
import type { z } from 'zod'

type Schema = z.core.$ZodType
type Check = z.core.$ZodCheck<unknown>

/** The acceptor cannot accept the value: the schema must parse it. */
export const UNDECIDED = Symbol('undecided')

/** What the schema would return for the value, or `UNDECIDED`. */
type Accept = (value: unknown) => unknown

/** The part of a schema's definition that is read here. */
interface Definition {
  readonly type: string
  readonly checks?: readonly Check[]
  readonly coerce?: boolean
  readonly shape?: Readonly<Record<string, Schema>>
  readonly catchall?: Schema
  readonly element?: Schema
  readonly innerType?: Schema
  /** The input and output schemas of a pipe. */
  readonly in?: Schema
  readonly out?: Schema
}

const WITHOUT_WAITING = { async: false }

const known = new WeakMap<Schema, Accept>()

export function acceptorOf(schema: Schema): Accept {
  let accept = known.get(schema)
  if (accept === undefined) {
    accept = make(schema)
    known.set(schema, accept)
  }
  return accept
}

function make(schema: Schema): Accept {
  const definition = definitionOf(schema)
  // The schema of a string format is its own check, which the type alone would skip.
  const accept = schema._zod.traits.has('$ZodCheck') ? undefined : ofType(definition)
  if (accept === undefined) return bySchema(schema)
  const { checks = [] } = definition
  return checks.length === 0 ? accept : checked(accept, checks)
}

/** undefined: the schema must parse values of this type. */
function ofType(definition: Definition): Accept | undefined {
  const { type, coerce, shape, catchall, element } = definition
  if ((type === 'string' || type === 'boolean') && coerce !== true)
    return (value) => (typeof value === type ? value : UNDECIDED)
  if (type === 'pipe') return ofTransformed(definition)
  if (element !== undefined && type === 'array') return ofList(element)
  if (shape !== undefined && catchall !== undefined && definitionOf(catchall).type === 'never') return ofObject(shape)
  return undefined
}

function bySchema(schema: Schema): Accept {
  return (value) => {
    const result = schema._zod.run({ value, issues: [] }, WITHOUT_WAITING)
    return result instanceof Promise || result.issues.length > 0 ? UNDECIDED : result.value
  }
}

function ofList(element: Schema): Accept {
  const accept = acceptorOf(element)
  return (value) => {
    if (!Array.isArray(value)) return UNDECIDED
    const accepted = value.map(accept)
    return accepted.includes(UNDECIDED) ? UNDECIDED : accepted
  }
}

/** Accepts objects that have no members outside the shape. */
function ofObject(shape: Readonly<Record<string, Schema>>): Accept {
  const members = Object.entries(shape).map(([name, schema]) => memberOf(name, schema))
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return UNDECIDED
    const given = value as Readonly<Record<string, unknown>>
    const accepted: Record<string, unknown> = {}
    let count = 0
    for (const { name, isOptional, accept } of members) {
      const member = given[name]
      if (member === undefined && isOptional) continue
      const taken = member === undefined ? UNDECIDED : accept(member)
      if (taken === UNDECIDED) return UNDECIDED
      accepted[name] = taken
      count += 1
    }
    return Object.keys(given).length === count ? accepted : UNDECIDED
  }
}

/**
 * Supports only transformations of objects: their acceptor returns a copy. Other acceptors may return the caller's own
 * value, which a transformation must not change.
 */
function ofTransformed({ in: from, out: to }: Definition): Accept | undefined {
  if (from === undefined || to === undefined || definitionOf(to).type !== 'transform') return undefined
  if (definitionOf(from).type !== 'object') return undefined
  const [accept, transform] = [acceptorOf(from), acceptorOf(to)]
  return (value) => {
    const accepted = accept(value)
    return accepted === UNDECIDED ? UNDECIDED : transform(accepted)
  }
}

interface Member {
  readonly name: string
  /** An absent member remains absent. */
  readonly isOptional: boolean
  readonly accept: Accept
}

function memberOf(name: string, schema: Schema): Member {
  const { type, checks = [], innerType } = definitionOf(schema)
  const isOptional = type === 'optional' && checks.length === 0 && schema._zod.optin === 'optional'
  return { name, isOptional, accept: acceptorOf(isOptional && innerType !== undefined ? innerType : schema) }
}

function checked(accept: Accept, checks: readonly Check[]): Accept {
  // One payload for all values, to avoid allocations: checks run synchronously and do not retain it.
  const payload = { value: undefined as unknown, issues: [] as z.core.$ZodRawIssue[] }
  const passes = (check: Check): boolean =>
    !(check._zod.check(payload) instanceof Promise) && payload.issues.length === 0
  return (value) => {
    payload.value = accept(value)
    if (payload.value === UNDECIDED) return UNDECIDED
    const accepted = checks.every(passes) ? payload.value : UNDECIDED
    payload.value = undefined
    payload.issues.length = 0
    return accepted
  }
}

function definitionOf(schema: Schema): Definition {
  return schema._zod.def as unknown as Definition
}
