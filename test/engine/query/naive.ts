// The rules for bulk queries (completion 2 and 13), applied one after the other to a list of rows, without code of the
// engine.
import type { Filter, FilterValue, Query, Sort } from '../../../src/engine/query/field.ts'

type Plain = string | number | boolean | null

export type FieldKind = 'text' | 'number' | 'instant' | 'boolean'
export type NaiveRow = { readonly id: string } & Readonly<Record<string, Plain | readonly Plain[]>>

export interface NaiveAnswer {
  readonly count: number
  readonly ids: readonly string[]
}

/** Fields of `kinds` only; `defaultSort` applies when none is given. */
export class Naive {
  readonly #kinds: Readonly<Record<string, FieldKind>>
  readonly #defaultSort: readonly Sort[]

  constructor(kinds: Readonly<Record<string, FieldKind>>, defaultSort: readonly Sort[]) {
    this.#kinds = kinds
    this.#defaultSort = defaultSort
  }

  answer(rows: readonly NaiveRow[], { limit = 100, skip = 0, filter = [], sort = [] }: Query): NaiveAnswer {
    const matches = rows.filter((row) => filter.every((entry) => this.#passes(row, entry)))
    const order = sort.length === 0 ? this.#defaultSort : sort
    const ordered = matches.sort((a, b) => {
      for (const { fieldName, sortDirection } of order) {
        const kind = this.#kinds[fieldName]!
        const [left, right] = [row(a, fieldName), row(b, fieldName)]
        if (left === null && right === null) continue
        // Nulls last in both directions.
        if (left === null) return 1
        if (right === null) return -1
        const difference = compare(kind, left, right)
        if (difference !== 0) return sortDirection === 'ASC' ? difference : -difference
      }
      return compare('text', a.id, b.id)
    })
    return { count: matches.length, ids: ordered.slice(skip, skip + limit).map(({ id }) => id) }
  }

  /** The caller ANDs entries; `operator` joins the values of its own entry. */
  #passes(row: NaiveRow, { fieldName, operator = 'AND', filterValues }: Filter): boolean {
    const kind = this.#kinds[fieldName]!
    const fieldValue = row[fieldName]!
    const members = (fieldValue instanceof Array ? fieldValue : [fieldValue]).filter((member) => member !== null)
    const results = filterValues.map((value) => holds(kind, members as readonly Plain[], value))
    return operator === 'OR' ? results.includes(true) : !results.includes(false)
  }
}

/** The value that a row is sorted by: the first member of an array. */
function row(of: NaiveRow, fieldName: string): Plain {
  const value = of[fieldName]!
  return value instanceof Array ? (value[0] ?? null) : value
}

/** An array matches when any member does; null matches only IS_NULL, NOT_EQUALS and NOT_CONTAINS. */
function holds(kind: FieldKind, members: readonly Plain[], value: FilterValue): boolean {
  const operand = value.valueBoolean ?? value.valueNumber ?? value.valueString ?? ''
  const order = (member: Plain, bound: Plain): number => compare(kind, member, bound)
  const some = (test: (member: Plain) => boolean): boolean => members.some(test)
  const piece = String(operand).toLowerCase()
  switch (value.filterType) {
    case 'IS_NULL':
      return members.length === 0
    case 'IS_NOT_NULL':
      return members.length > 0
    case 'EQUALS':
      return some((member) => order(member, operand) === 0)
    case 'NOT_EQUALS':
      return !some((member) => order(member, operand) === 0)
    case 'CONTAINS':
      return some((member) => String(member).toLowerCase().includes(piece))
    case 'NOT_CONTAINS':
      return !some((member) => String(member).toLowerCase().includes(piece))
    case 'STARTS_WITH':
      return some((member) => String(member).toLowerCase().startsWith(piece))
    case 'ENDS_WITH':
      return some((member) => String(member).toLowerCase().endsWith(piece))
    case 'IN':
      return some((member) => value.valuesString!.includes(String(member)))
    case 'GREATER_THAN':
      return some((member) => order(member, operand) > 0)
    case 'GREATER_THAN_OR_EQUAL':
      return some((member) => order(member, operand) >= 0)
    case 'LESS_THAN':
      return some((member) => order(member, operand) < 0)
    case 'LESS_THAN_OR_EQUAL':
      return some((member) => order(member, operand) <= 0)
    case 'IN_RANGE': {
      const low = value.valueFromNumber ?? value.valueFromString
      const high = value.valueToNumber ?? value.valueToString
      return some(
        (member) => (low === undefined || order(member, low) >= 0) && (high === undefined || order(member, high) <= 0),
      )
    }
  }
}

/** Text by Unicode code point, false before true, numbers and instants by value. */
function compare(kind: FieldKind, left: Plain, right: Plain): number {
  if (left === right) return 0
  if (kind === 'number') return sign(exact(String(left)) - exact(String(right)))
  if (kind === 'instant') return sign(nanoseconds(String(left)) - nanoseconds(String(right)))
  if (kind === 'boolean') return Number(left) - Number(right)
  const [a, b] = [codePoints(String(left)), codePoints(String(right))]
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const difference = a[at]! - b[at]!
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Computes the value of each key once: a sort compares each of them many times. */
export function computedOnce<Key, T>(compute: (key: Key) => T): (key: Key) => T {
  const known = new Map<Key, T>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const value = compute(key)
    known.set(key, value)
    return value
  }
}

const codePoints = computedOnce((text: string) => Array.from(text, (character) => character.codePointAt(0)!))

/** Since 1970. */
const nanoseconds = computedOnce((iso: string) => {
  const [, fraction = ''] = /\.(\d+)/.exec(iso) ?? []
  const seconds = new Date(iso.replace(/\.\d+/, '')).getTime() / 1000
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))
})

/** Times 10^300. */
const exact = computedOnce((decimal: string) => {
  const [integer, fraction = ''] = decimal.replace('-', '').split('.')
  const magnitude = BigInt(integer! + fraction.padEnd(300, '0'))
  return decimal.startsWith('-') ? -magnitude : magnitude
})

function sign(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0
}
