// An optional member that is null is the same as one that is absent. Where null says something of its own (it clears, it restores
// defaults, it gives up) the member's schema takes it, and this tells the two apart: nothing is listed here.
import type { z } from 'zod'

type Schema = z.core.$ZodType

interface Members {
  readonly [name: string]: Schema
}

/** Of a schema's definition, what is looked at here. */
interface Definition {
  readonly type: string
  readonly shape?: Members
  readonly element?: Schema
  readonly innerType?: Schema
  readonly in?: Schema
  readonly options?: readonly Schema[]
}

/** Whether null of a member says no more than its absence; asked once for each schema. */
const droppable = new WeakMap<Schema, boolean>()

/**
 * Takes out of a parsed body every optional member that is null and whose schema does not take null. In place: the body is the
 * request's own. Null where a value is needed, and in lists, is left for the schema to refuse.
 */
export function withoutNulls(schema: Schema, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const { type, shape, element, innerType, options, in: before } = schema._zod.def as unknown as Definition
  if (type === 'object' && shape !== undefined) fromMembers(shape, value as Record<string, unknown>)
  else if (element !== undefined && Array.isArray(value)) for (const each of value) withoutNulls(element, each)
  else if (innerType !== undefined) withoutNulls(innerType, value)
  else if (before !== undefined) withoutNulls(before, value)
  // Of a choice at most one variant is an object: the others leave it as it is.
  else for (const option of options ?? []) withoutNulls(option, value)
}

function fromMembers(shape: Members, value: Record<string, unknown>): void {
  for (const [name, member] of Object.entries(shape)) {
    if (!Object.hasOwn(value, name)) continue
    if (value[name] !== null) withoutNulls(member, value[name])
    else if (isDroppable(member)) Reflect.deleteProperty(value, name)
  }
}

function isDroppable(member: Schema): boolean {
  let known = droppable.get(member)
  if (known === undefined) {
    known = takes(member, undefined) && !takes(member, null)
    droppable.set(member, known)
  }
  return known
}

function takes(schema: Schema, value: undefined | null): boolean {
  return (schema as z.ZodType).safeParse(value).success
}
