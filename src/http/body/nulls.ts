// Treats an optional member that is null as absent. Where null has a meaning of its own (clear, restore defaults, give
// up), the member's schema accepts null; the code derives the difference from the schema.
import type { z } from 'zod'

type Schema = z.core.$ZodType

interface Members {
  readonly [name: string]: Schema
}

/** The part of a schema's definition that is read here. */
interface Definition {
  readonly type: string
  readonly shape?: Members
  readonly element?: Schema
  readonly innerType?: Schema
  readonly in?: Schema
  readonly options?: readonly Schema[]
}

/** Whether null in a member means the same as its absence; computed once per schema. */
const droppable = new WeakMap<Schema, boolean>()

/**
 * Removes all optional members of a parsed body that are null and whose schema does not accept null. In place, because
 * the body belongs to the request. Null in required members and in lists is left for the schema to reject.
 */
export function withoutNulls(schema: Schema, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const { type, shape, element, innerType, options, in: before } = schema._zod.def as unknown as Definition
  if (type === 'object' && shape !== undefined) fromMembers(shape, value as Record<string, unknown>)
  else if (element !== undefined && Array.isArray(value)) for (const each of value) withoutNulls(element, each)
  else if (innerType !== undefined) withoutNulls(innerType, value)
  else if (before !== undefined) withoutNulls(before, value)
  // At most one option of a union is an object; the others leave the value unchanged.
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
