// Canonical JSON (RFC 8785): members sorted by UTF-16 units, numbers and strings as ECMAScript writes them. Undefined
// members are omitted. Idempotency keys are compared by the digest of the body.
import { hash } from 'node:crypto'

/** Texts that JSON writes as they are, between quotes: nearly all names and values of a body. */
const PLAIN = /^[ !#-[\]-~]*$/

const MAX_INSERTED = 16

export function canonicalJson(value: unknown): string {
  if (value === undefined) return 'null'
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = value as Record<string, unknown>
  let text = ''
  for (const name of sortedNames(members)) {
    const member = members[name]
    if (member === undefined) continue
    text += `${text === '' ? '' : ','}${quoted(name)}:${canonicalJson(member)}`
  }
  return `{${text}}`
}

/** By insertion: there are few, and a sort would copy them. */
function sortedNames(members: object): readonly string[] {
  const names = Object.keys(members)
  if (names.length > MAX_INSERTED) return names.sort()
  for (let at = 1; at < names.length; at += 1) {
    const name = names[at]!
    let to = at
    for (; to > 0 && names[to - 1]! > name; to -= 1) names[to] = names[to - 1]!
    names[to] = name
  }
  return names
}

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** SHA-256 of the canonical JSON, hex. */
export function digestOf(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex')
}
