// Client metadata: members with any name, bounded in number, except names that reach into a prototype.
import { z } from 'zod'
import { rule } from './rule.ts'
import { COMMENT_LENGTH, isLongerThan, NAME_LENGTH } from './text.ts'

const MAX_MEMBERS = 200
/** The chain keeps UTF-8, in which it becomes another character: the record would differ from its mint. */
const LONE_SURROGATE = /\p{Cs}/u
const NOT_UNICODE = { code: 'INVALID_TEXT', message: 'lone surrogates are not allowed' } as const
const RESERVED = new Set(['__proto__', 'constructor', 'prototype'])

/** Path of the first member, at any depth, with a reserved name. The nesting depth has been limited before. */
function reservedPath(value: unknown): (string | number)[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    if (RESERVED.has(name)) return [name]
    const below = reservedPath(member)
    if (below !== undefined) return [name, ...below]
  }
  return undefined
}

export const freeMembers = rule<unknown>((value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { code: 'INVALID_TYPE', message: 'must be an object' }
  const names = Object.keys(value)
  if (names.length > MAX_MEMBERS) return { code: 'TOO_LONG', message: `has more than ${MAX_MEMBERS} members` }
  const path = reservedPath(value)
  if (path !== undefined)
    return { code: 'UNKNOWN_MEMBER', message: `the member ${String(path.at(-1))} is not allowed`, path }
  const bad = names.find((name) => name === '' || isLongerThan(NAME_LENGTH, name))
  return bad === undefined ? undefined : { code: 'TOO_LONG', message: `names have 1 to ${NAME_LENGTH} characters` }
})

const textMembers = (nullable: boolean) =>
  rule<unknown>((value) => {
    if (typeof value !== 'object' || value === null) return undefined
    for (const [name, member] of Object.entries(value)) {
      if (LONE_SURROGATE.test(name)) return { ...NOT_UNICODE, path: [name] }
      if (nullable && member === null) continue
      if (typeof member !== 'string') return { code: 'INVALID_TYPE', message: 'must be text', path: [name] }
      if (isLongerThan(COMMENT_LENGTH, member))
        return { code: 'TOO_LONG', message: `has more than ${COMMENT_LENGTH} characters`, path: [name] }
      if (LONE_SURROGATE.test(member)) return { ...NOT_UNICODE, path: [name] }
    }
    return undefined
  })

/** The value of a metadata key on chain. */
export const metadataText = z
  .string()
  .max(COMMENT_LENGTH)
  .check(rule((value) => (LONE_SURROGATE.test(value) ? NOT_UNICODE : undefined)))

// Validated as a whole and passed unchanged: copying member by member would silently drop a `__proto__` member.
export const metadata = z
  .unknown()
  .check(freeMembers)
  .transform((value) => value as Readonly<Record<string, unknown>>)
  .meta({ type: 'object', additionalProperties: true })

export const textMetadata = z
  .unknown()
  .check(freeMembers)
  .check(textMembers(false))
  .transform((value) => value as Readonly<Record<string, string>>)
  .meta({ type: 'object', additionalProperties: { type: 'string' } })

/** Absent members keep their value, null removes one. */
export const textMetadataChanges = z
  .unknown()
  .check(freeMembers)
  .check(textMembers(true))
  .transform((value) => value as Readonly<Record<string, string | null>>)
  .meta({ type: 'object', additionalProperties: { type: ['string', 'null'] }, description: 'null removes a key.' })
