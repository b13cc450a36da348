// Members for which the contract has two spellings: both are accepted, and the output uses one. If both are given, they
// must agree.
import { z } from 'zod'
import { canonicalJson } from '../canonical.ts'
import { acrossMembers } from './rule.ts'

type Members = Record<string, unknown>

/** Where else a member may be in any body: another name, or the path to it within another member. */
const otherPlaces = new Map<string, Set<string>>()

/** Declares where a body may have a member instead, so that pointers are those into the body as sent. */
export function alsoAt(member: string, place: string): void {
  otherPlaces.set(member, (otherPlaces.get(member) ?? new Set()).add(place))
}

/**
 * A strict object that accepts its members under other names, too.
 * @param aliases other name -> name
 */
export function withAliases<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  aliases: Readonly<Record<string, keyof Shape & string>>,
): z.ZodType<z.output<z.ZodObject<Shape, z.core.$strict>>> {
  const pairs = Object.entries(aliases)
  for (const [alias, member] of pairs) alsoAt(member, alias)
  const others = Object.fromEntries(
    pairs.map(([alias, member]) => [
      alias,
      z.optional(shape[member] as z.ZodType).meta({ deprecated: true, description: `Another spelling of ${member}.` }),
    ]),
  )
  const schema = z
    .strictObject({ ...shape, ...others })
    .check(
      acrossMembers<Members>((value) => {
        for (const [alias, member] of pairs) {
          const [one, two] = [value[alias], value[member]]
          if (one === undefined || two === undefined || canonicalJson(one) === canonicalJson(two)) continue
          return { code: 'ALIAS_CONFLICT', message: `contradicts ${member}, which is the same member`, path: [alias] }
        }
        return undefined
      }),
    )
    .transform((value: Members) => {
      for (const [alias, member] of pairs) {
        if (!(alias in value)) continue
        value[member] ??= value[alias]
        // Not merely undefined: a stored body would be shown with it.
        Reflect.deleteProperty(value, alias)
      }
      return value
    })
  return schema as unknown as z.ZodType<z.output<z.ZodObject<Shape, z.core.$strict>>>
}

/** The JSON Pointer with each member named and placed as in the body: after validation, a member has one place. */
export function spelledAsIn(body: unknown, pointer: string): string {
  let at = body
  const step = (name: string): void => {
    at = Object.hasOwn(at as Members, name) ? (at as Members)[name] : undefined
  }
  const segments = pointer.split('/').map((segment, index) => {
    if (index === 0 || typeof at !== 'object' || at === null) return segment
    const members = at as Members
    const others = Object.hasOwn(members, segment) ? [] : [...(otherPlaces.get(segment) ?? [])]
    const place = others.find((each) => isIn(members, each.split('/'))) ?? segment
    place.split('/').forEach(step)
    return place
  })
  return segments.join('/')
}

function isIn(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false
  return isIn((value as Members)[name], rest)
}
